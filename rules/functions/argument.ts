import type { PathValue } from "../../schema/facts.ts";
import type { CallContext, FunctionCode, Value } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { canonicalTool, toolArguments } from "../../schema/tools.ts";
import { overload } from "./code.ts";
import { pathFunctions, pathOf } from "./path.ts";
import { urlFunctions, urlOf } from "./url.ts";
import { asValue } from "./values.ts";

/**
 * Meaning of an argument in a rule for several or all tools, where only the event decides it. If the tool is known, the argument
 * is judged as in a rule for that tool. Otherwise a test that restricts accepts either reading of a text, and a test that waives
 * needs both (language section 4, "Paths are values").
 */
type Meaning = "path" | "url" | "text" | "unknown";

/** Returns the meaning of an argument of the event's tool, or of its elements; `unknown` for a tool or name without a table entry. */
function meaningOf(key: Value, { event }: CallContext): Meaning {
  const shape = event.tool && toolArguments(canonicalTool(event.tool.name));
  if (!shape || typeof key !== "string" || !Object.hasOwn(shape, key)) return "unknown";
  const type = shape[key]?.type;
  if (type === "dyn" || type === "list(dyn)") return "unknown";
  return type === "url" ? "url" : type === "path" || type === "list(path)" ? "path" : "text";
}

const pathWords: ReadonlySet<string> = new Set([
  ...["path", "paths", "file", "files", "filename", "filepath", "dir", "directory", "folder", "cwd", "workdir"],
  ...["source", "destination", "root", "uri"],
]);

/** True for an argument name that usually holds a path: `path`, `file_path`, `outputDir`. */
export function namesPath(key: string): boolean {
  return key
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => pathWords.has(word));
}

/** True for a URL that is no path: any but a `file:` URL. */
function isAddress(text: string): boolean {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.exec(text);
  return scheme !== null && !/^file:/i.test(text);
}

/** Longest text that counts as a path, unless its name says that it is one. */
const longestPath = 4096;

/** Returns the path that a text of unknown meaning may be; undefined if it cannot be one. */
function possiblePath(text: string, key: Value, asksPath: boolean, context: CallContext): PathValue | undefined {
  const named = typeof key === "string" && namesPath(key);
  if (isAddress(text) || !(named || asksPath)) return undefined;
  return named || (text.length <= longestPath && !text.includes("\0")) ? pathOf(text, context) : undefined;
}

/** True if a text and its resolved path name different places, because of `..`, `~`, a doubled slash or a symbolic link. */
function resolvesElsewhere(path: PathValue): boolean {
  const { text, lexical, real } = path;
  const plain = text.endsWith("/") ? text.slice(0, -1) : text;
  const says = plain.startsWith("/") ? lexical === plain : lexical.endsWith(`/${plain}`);
  return !says || real !== lexical;
}

type Run = FunctionCode["run"];

/** Tests a text that may be a path: either reading suffices if `forms` is `any`; otherwise both must hold, if they may differ. */
function bothReadings(run: Run, text: string, path: PathValue, operand: Value, context: CallContext): ReturnType<Run> {
  const asText = run([text, operand], context);
  if (context.forms === "any") return asText === false ? run([asValue(path), operand], context) : asText;
  return asText === true && resolvesElsewhere(path) ? run([asValue(path), operand], context) : asText;
}

/**
 * Makes the dispatcher of a family for arguments. It is called with the value, the operand, and the name of the argument (any
 * value but a text if it has none). Its id is `argument.<family>`. `asksPath` marks an operator for paths: then a text of any
 * argument may be a path.
 */
export function argumentDispatcher(family: string, any: FunctionCode, asksPath: boolean): FunctionCode {
  const judge =
    (run: Run): Run =>
    ([value = null, operand = null, key = null], context) => {
      if (typeof value !== "string") return run([value, operand], context);
      const meaning = meaningOf(key, context);
      if (meaning === "path") return run([asValue(pathOf(value, context)), operand], context);
      const path = meaning === "unknown" ? possiblePath(value, key, asksPath, context) : undefined;
      return path ? bothReadings(run, value, path, operand, context) : run([value, operand], context);
    };
  const id = `argument.${family}`;
  const { prepare } = any;
  if (!prepare) return { id, run: judge(any.run) };
  return {
    id,
    run: judge(any.run),
    prepare: (constants, regex) => {
      const run = prepare(constants.slice(0, 2), regex);
      return run instanceof EvaluationError ? run : judge(run);
    },
  };
}

/** Returns a record with the fields that the checker would compute for a typed argument. */
function withComputed(
  value: object,
  computed: Readonly<Record<string, readonly FunctionCode[] | undefined>>,
  context: CallContext,
): Value {
  const fields = Object.entries(computed).map(([name, code]) => [name, code?.[0]?.run([asValue(value)], context)]);
  return asValue({ ...value, ...Object.fromEntries(fields) });
}

/** Returns an argument with the fields of a path or URL; any other value unchanged. */
function viewOf(value: Value, key: Value, context: CallContext): Value {
  if (typeof value !== "string" || typeof key !== "string") return value;
  const known = meaningOf(key, context);
  const meaning = known === "unknown" ? (key === "url" ? "url" : namesPath(key) ? "path" : known) : known;
  if (meaning === "url") {
    const { url_host_skeleton, url_mixed_scripts, url_embedded } = urlFunctions;
    const computed = { host_skeleton: url_host_skeleton, mixed_scripts: url_mixed_scripts, embedded: url_embedded };
    return withComputed(urlOf(value), computed, context);
  }
  if (meaning !== "path") return value;
  const { path_name, path_ext, path_parent } = pathFunctions;
  return withComputed(pathOf(value, context), { name: path_name, ext: path_ext, parent: path_parent }, context);
}

/** Functions that the checker calls on an argument before it reads a field of it. */
export const argumentFields: Readonly<Record<string, ReturnType<typeof overload>[]>> = {
  argument_view: [overload("argument.view", ["any", "any"], ([value, key], context) => viewOf(value, key, context))],
};

/** Operator families that treat a text and a path differently, by name; true for an operator of paths. */
export const argumentFamilies: ReadonlyMap<string, boolean> = new Map([
  ["glob", true],
  ["equals", false],
  ["in", false],
  ["starts_with", false],
  ["ends_with", false],
  ["contains", false],
  ["matches", false],
]);
