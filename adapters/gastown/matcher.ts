import { createRegexEngine } from "../../runtime.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { type CanonicalTool, canonicalTool, tools } from "../../schema/tools.ts";

/** Input of a matcher: names of the same thing, and texts for a pattern in parentheses. */
export interface Subject {
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

/** True if a hook runs for the subject. */
export type Matcher = (subject: Subject) => boolean;

/** A matcher that cannot be used, in words for its author. */
export interface MatcherProblem {
  readonly problem: string;
}

const plainName = /^[\w*.:/-]+$/;

/**
 * Compiles a hook's matcher: names joined by `|`, with `*` (or `.*`) for any characters. Each may have a pattern in
 * parentheses for the command or path, as in Gastown's `Bash(gh pr create*)`. Anything else is a regular expression (RE2)
 * for the name. Absent, empty and `*` fit everything. Source: hosts page pi-and-omp, section 7.
 */
export function compileMatcher(
  text: string | undefined,
  regex: RegexEngine = createRegexEngine(),
): Matcher | MatcherProblem {
  const pattern = text?.trim() ?? "";
  if (pattern === "" || pattern === "*") return () => true;
  const parts = alternatives(pattern);
  const compiled = parts?.map((part) => alternative(part, regex));
  if (!compiled) return expression(pattern, regex);
  const bad = compiled.find((part) => "problem" in part);
  if (bad) return bad as MatcherProblem;
  const fits = compiled as readonly Matcher[];
  return (subject) => fits.some((fit) => fit(subject));
}

interface Alternative {
  readonly name: string;
  readonly argument: string | undefined;
}

/** Returns the alternatives of the plain form; undefined if the text has another form. */
function alternatives(text: string): Alternative[] | undefined {
  const found: Alternative[] = [];
  for (let rest = text; ; ) {
    const end = rest.search(/[|(]/);
    const name = (end < 0 ? rest : rest.slice(0, end)).trim();
    if (!plainName.test(name)) return undefined;
    if (end < 0) return [...found, { name, argument: undefined }];
    if (rest[end] === "|") {
      found.push({ name, argument: undefined });
      rest = rest.slice(end + 1);
      continue;
    }
    // The pattern of a command may hold `|` and parentheses itself: it ends at the last `)` before the next alternative.
    const close = closing(rest, end);
    if (close < 0) return undefined;
    found.push({ name, argument: rest.slice(end + 1, close) });
    rest = rest.slice(close + 1).trimStart();
    if (rest === "") return found;
    if (!rest.startsWith("|")) return undefined;
    rest = rest.slice(1);
  }
}

/** Returns the offset where the parenthesis at `open` closes, nested ones counted; -1 if it does not. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && --depth === 0) return at;
  }
  return -1;
}

function alternative({ name, argument }: Alternative, regex: RegexEngine): Matcher | MatcherProblem {
  const named = regex.compile(`^(?:${globbed(name.replaceAll(".*", "*"))})$`, { dotAll: true });
  if ("kind" in named) return { problem: `matcher \`${name}\`: ${named.message}` };
  if (argument === undefined || argument.trim() === "" || argument.trim() === "*")
    return ({ names }) => names.some((one) => named.test(one));
  const glob = argument.trim().replace(/:\*$/, "*");
  const wanted = regex.compile(`^(?:${globbed(glob)})$`, { dotAll: true });
  if ("kind" in wanted) return { problem: `matcher \`${name}(${argument})\`: ${wanted.message}` };
  return ({ names, texts }) => names.some((one) => named.test(one)) && texts.some((one) => wanted.test(one));
}

function expression(pattern: string, regex: RegexEngine): Matcher | MatcherProblem {
  const compiled = regex.compile(`^(?:${pattern})$`);
  if ("kind" in compiled) return { problem: `matcher \`${pattern}\`: ${compiled.message}` };
  return ({ names }) => names.some((one) => compiled.test(one));
}

function globbed(glob: string): string {
  return glob
    .split("*")
    .map((part) => part.replace(/[\\^$.|?+()[\]{}*]/g, "\\$&"))
    .join(".*");
}

/**
 * Returns the matcher's input for a tool call: pi's name of the tool and other hosts' names. The texts are its command,
 * whole and in pieces between shell operators, or its path. A surplus piece only runs a hook that then decides for itself.
 */
export function toolSubject(tool: string, args: Readonly<Record<string, unknown>>): Subject {
  const canonical = canonicalTool(tool);
  const aliases = Object.hasOwn(tools, canonical) ? tools[canonical as CanonicalTool].aliases : [];
  const names = [...new Set([tool, canonical, ...aliases])];
  const command = args["command"];
  if (typeof command === "string") return { names, texts: [command, ...pieces(command)].map(squeezed) };
  const texts = ["path", "file_path", "pattern", "url"].map((key) => args[key]);
  return { names, texts: texts.filter((text) => typeof text === "string") };
}

function pieces(command: string): string[] {
  return command.split(/[;&|\n(){}`]/);
}

function squeezed(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
