import type { JudgedCall } from "../pi/family.ts";
import { withoutFileUrl } from "../pi/path-arguments.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** Field beside the arguments in which the model states its intent; not part of the call. */
const intent = "i";

/** Line ranges, tails and display modes after the last colon of a path: `:10-20`, `:5+3,40-`, `:-60`, `:raw`. */
const selector =
  /^(?:L?\d+(?:(?:\.\.|[-+])(?:L?\d+)?)?(?:,L?\d+(?:(?:\.\.|[-+])(?:L?\d+)?)?)*|-\d+|raw|conflicts|img)$/i;

/** Addresses that the tools fetch; `ssh:` runs on another machine. */
const address = /^(?:https?|ssh):\/\/|^www\./i;

const globCharacters = /[*?[{]/;

/**
 * Converts a call of omp to the form in which it is judged (hosts page pi-and-omp, section 3; omp 18.2.3, `tools/path-utils`).
 * It splits lists of paths, removes selectors from paths, reads the files of an edit text from its headers, and keeps
 * addresses apart. If a text can be read in two ways, both files are judged.
 */
export function judgedCall(tool: string, input: Arguments): JudgedCall {
  if (typeof input !== "object" || input === null) return { tool, args: input };
  const { [intent]: _intent, ...args } = input;
  if (tool === "read" || tool === "grep" || tool === "glob") return searched(tool, args);
  if (tool === "edit") return { tool, args: edited(args) };
  if (tool === "write" && typeof args["path"] === "string") return { tool, args: written(args, args["path"]) };
  return { tool, args };
}

function searched(tool: string, args: Arguments): JudgedCall {
  const given = args["path"];
  if (typeof given !== "string") return { tool, args };
  const parts = readings(given);
  const addresses = parts.filter((part) => address.test(part));
  const paths = parts.filter((part) => !address.test(part));
  const { path: _path, ...others } = args;
  if (paths.length === 0) return { tool: "fetch", args: { ...others, url: addresses[0], urls: addresses } };
  const urls = addresses.length === 0 ? {} : { urls: addresses };
  const bases = tool === "read" ? paths : [...new Set(paths.flatMap((path) => [baseOf(path), path]))];
  const list = bases.length > 1 ? { paths: bases } : {};
  if (tool !== "glob") return { tool, args: { ...others, path: bases[0], ...list, ...urls } };
  const [first = "."] = paths;
  const pattern = globCharacters.test(first) ? { pattern: first } : {};
  return { tool, args: { ...others, path: globCharacters.test(first) ? "." : first, ...pattern, ...list, ...urls } };
}

/** Returns the folder before the first segment of a path that has a pattern. */
function baseOf(path: string): string {
  if (!globCharacters.test(path)) return path;
  const segments = path.split("/");
  const at = segments.findIndex((segment) => globCharacters.test(segment));
  return at === 0 ? "." : segments.slice(0, at).join("/") || "/";
}

/** Lists every path that a text may mean: whole and in its parts, with and without a selector. */
function readings(text: string): string[] {
  const found = new Set<string>();
  for (const entry of encodedList(text) ?? [text])
    for (const part of partsOf(entry)) for (const path of withoutSelector(cleaned(part))) found.add(path);
  found.delete("");
  return found.size === 0 ? [text] : [...found];
}

/** Splits an entry at semicolons, or at commas and blanks; only the latter may belong to a name, so the whole entry counts too. */
function partsOf(entry: string): readonly string[] {
  if (entry.includes(";")) return entry.split(";");
  if (!entry.includes(",")) return [entry];
  const words = /\s/.test(entry.trim()) ? entry.trim().split(/[\s,]+/) : [];
  return [...entry.split(","), entry, ...words];
}

function encodedList(text: string): string[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("[") || !trimmed.endsWith("]")) return undefined;
  try {
    const list: unknown = JSON.parse(trimmed);
    return Array.isArray(list) && list.every((one) => typeof one === "string") ? (list as string[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a part as omp does: trimmed, without quotes, without `@` before a path or address, and a `file:` address as its path. */
function cleaned(part: string): string {
  const trimmed = part.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ").trim();
  const bare = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed;
  return withoutFileUrl(/^@(?:[/~\\]|[a-z]+:)/i.test(bare) ? bare.slice(1) : bare);
}

/** Returns a path without its selector and, since a file may have such a name, with it. */
function withoutSelector(path: string): string[] {
  let plain = path;
  for (let peeled = 0; peeled < 3; peeled++) {
    const colon = plain.lastIndexOf(":");
    if (colon <= 0 || !selector.test(plain.slice(colon + 1))) break;
    plain = plain.slice(0, colon);
  }
  const query = plain.indexOf("?");
  const bare = query > 0 && !address.test(plain) ? [plain.slice(0, query)] : [];
  return plain === path && bare.length === 0 ? [path] : [...new Set([plain, ...bare, path])];
}

function written(args: Arguments, given: string): Arguments {
  const path = cleaned(given);
  return address.test(path) ? { ...args, path, urls: [path] } : { ...args, path };
}

/** Adds the files of an edit to its arguments: those that omp derived, and those that the text's own headers name. */
function edited(args: Arguments): Arguments {
  const text = [args["input"], args["_input"]].filter((one) => typeof one === "string").join("\n");
  const derived = [args["path"], args["_path"], ...(Array.isArray(args["paths"]) ? args["paths"] : [])];
  const named = derived.filter((one): one is string => typeof one === "string");
  const paths = [...new Set([...named, ...headerPaths(text)].flatMap((one) => withoutSelector(cleaned(one))))];
  if (paths.length === 0) return args;
  return { ...args, path: paths[0], ...(paths.length > 1 ? { paths } : {}) };
}

/** Lists the paths in the headers of an edit text: `[path#tag]`, the older `¶path#tag`, and the target of a move. */
function headerPaths(text: string): string[] {
  const found: string[] = [];
  for (const raw of text.replace(/^\uFEFF/, "").split("\n")) {
    const line = raw.trim();
    const body =
      line.startsWith("[") && line.endsWith("]")
        ? line.slice(1, -1)
        : (/^\u00b6+(.*)$/s.exec(line)?.[1] ?? /^MV\s+(?!\s)(.+)$/s.exec(line)?.[1]);
    const path = body?.trim().replace(/#[0-9a-f]{4}$/i, "");
    if (path !== undefined && path !== "") found.push(unquoted(path));
  }
  return found;
}

function unquoted(path: string): string {
  const quote = path[0];
  return path.length > 1 && (quote === '"' || quote === "'") && path.endsWith(quote) ? path.slice(1, -1) : path;
}

/**
 * Returns only the arguments of a call, without the intent and without the fields that omp derived for extensions (`path` and
 * `paths` beside an edit text). These may be returned to omp, and the arguments that ran are compared with them.
 */
export function ownArguments(tool: string, input: Arguments): Arguments {
  if (typeof input !== "object" || input === null) return input;
  const { [intent]: _intent, ...args } = input;
  if (tool !== "edit") return args;
  const { path, paths, ...rest } = args;
  const text = typeof args["input"] === "string" || typeof args["_input"] === "string";
  if (text && Array.isArray(paths)) return rest;
  if (path !== undefined && path === args["_path"]) return { ...rest, ...(paths === undefined ? {} : { paths }) };
  return args;
}
