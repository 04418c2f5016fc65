import { spendCompiling, spendSearch } from "../../facts/regex-price.ts";
import type { PathValue } from "../../schema/facts.ts";
import type { CallContext, Regex, RegexEngine, RegexError, Value } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { evaluationError } from "./values.ts";

/** Tests of a text by a regular expression or a glob. Both use the regex port, so they are linear in the text. */

type Compiled = Regex | EvaluationError;

function compiled(pattern: string, regex: RegexEngine, dotAll = false): Compiled {
  const made: Regex | RegexError = regex.compile(pattern, dotAll ? { dotAll } : undefined);
  return "kind" in made ? evaluationError(`regular expression refused: ${made.message}`) : made;
}

/** Returns the offset after the `]` that closes the `[` at an offset; -1 if there is none. */
export function closing(glob: string, open: number): number {
  const from = open + (/[!^]/.test(glob[open + 1] ?? "") ? 2 : 1);
  const end = glob.indexOf("]", from + 1);
  return end < 0 ? -1 : end + 1;
}

/** Translates a `[…]` of a glob to an RE2 class, which never matches a slash. */
function bracket(text: string): string {
  const negated = /^\[[!^]/.test(text);
  const inner = text.slice(negated ? 2 : 1, -1).replace(/[\\[\]^&~]/g, "\\$&");
  return negated ? `[^/${inner}]` : `[${inner}]`;
}

/** True if all braces of the glob are balanced; otherwise braces are plain characters. */
export function balanced(glob: string): boolean {
  let depth = 0;
  for (const c of glob) {
    if (c === "{") depth++;
    if (c === "}" && --depth < 0) return false;
  }
  return depth === 0;
}

/** Translates the item of a glob at an offset to RE2; returns it with the offset of the next item. */
function item(glob: string, at: number, depth: number, braces: boolean): readonly [text: string, next: number] {
  const c = glob[at] as string;
  if (glob.startsWith("**/", at) && (at === 0 || glob[at - 1] === "/")) return ["(?:[^/]*/)*", at + 3];
  if (glob.startsWith("**", at)) return [".*", at + 2];
  if (c === "*") return ["[^/]*", at + 1];
  if (c === "?") return ["[^/]", at + 1];
  if (c === "[" && closing(glob, at) > 0) return [bracket(glob.slice(at, closing(glob, at))), closing(glob, at)];
  if (braces && c === "{") return ["(?:", at + 1];
  if (braces && c === "}") return [")", at + 1];
  if (depth > 0 && c === ",") return ["|", at + 1];
  const from = c === "\\" && at + 1 < glob.length ? at + 1 : at;
  const char = String.fromCodePoint(glob.codePointAt(from) as number);
  return [char.replace(/[\\^$.|?*+()[\]{}]/, "\\$&"), from + char.length];
}

/**
 * Translates a glob over text to an anchored RE2 pattern. `*` and `?` match no slash, `**` does; `[a-z]` and `[!a-z]` are sets,
 * `{a,b}` alternatives; a backslash makes the next character literal.
 */
export function globPattern(glob: string): string {
  const braces = balanced(glob);
  let pattern = "";
  let depth = 0;
  for (let at = 0; at < glob.length; ) {
    const [text, next] = item(glob, at, depth, braces);
    if (braces && glob[at] === "{") depth++;
    if (braces && glob[at] === "}") depth--;
    pattern += text;
    at = next;
  }
  return `\\A(?:${pattern})\\z`;
}

/** Returns the compiled globs, or the first error. */
function compiledGlobs(globs: readonly Value[], regex: RegexEngine): readonly Regex[] | EvaluationError {
  const list: Regex[] = [];
  for (const glob of globs) {
    if (typeof glob !== "string") return evaluationError("a glob is a string");
    const made = compiled(globPattern(glob), regex, true);
    if (made instanceof EvaluationError) return made;
    list.push(made);
  }
  return list;
}

function testGlobs(text: string, globs: readonly Value[], context: CallContext): boolean | EvaluationError {
  for (const glob of globs) if (typeof glob === "string") spendCompiling(glob);
  const list = compiledGlobs(globs, context.regex);
  return list instanceof EvaluationError ? list : list.some((each) => tests(each, text));
}

/** Runs one test and charges its work. */
function tests(regex: Regex, text: string): boolean {
  spendSearch(regex.pattern, text.length);
  return regex.test(text);
}

/** Overloads of `glob` on strings. */
export const stringGlobs: readonly Overload[] = [
  overload(
    "string.glob",
    ["string", "string"],
    ([text, glob], context) => testGlobs(text, [glob], context),
    ([, glob], regex) => {
      if (glob === undefined) return ([text, pattern], context) => testGlobs(text, [pattern], context);
      const list = compiledGlobs([glob], regex);
      return list instanceof EvaluationError ? list : ([text]) => list.some((each) => tests(each, text));
    },
  ),
  overload(
    "string.glob_any",
    ["string", "list"],
    ([text, globs], context) => testGlobs(text, globs, context),
    ([, globs], regex) => {
      if (globs === undefined) return ([text, patterns], context) => testGlobs(text, patterns, context);
      const list = compiledGlobs(globs, regex);
      return list instanceof EvaluationError ? list : ([text]) => list.some((each) => tests(each, text));
    },
  ),
];

function testRegex(text: string, pattern: string, context: CallContext): boolean | EvaluationError {
  spendCompiling(pattern);
  const made = compiled(pattern, context.regex);
  return made instanceof EvaluationError ? made : holds(made, text, context);
}

function testPath(path: PathValue, pattern: string, context: CallContext): boolean | EvaluationError {
  spendCompiling(pattern);
  const made = compiled(pattern, context.regex);
  return made instanceof EvaluationError ? made : holdsForForms(made, path, context);
}

/** True if a text matches. If groups are collected, the context keeps those of the first match. */
function holds(regex: Regex, text: string, { captured }: CallContext): boolean {
  if (captured === undefined || captured.groups !== undefined) return tests(regex, text);
  spendSearch(regex.pattern, text.length);
  const match = regex.exec(text);
  if (match) {
    captured.text = text;
    captured.groups = match.groups;
  }
  return match !== undefined;
}

/** True if one form of a path matches, or both as `forms` requires. Groups are kept only if the whole test holds. */
function holdsForForms(regex: Regex, path: PathValue, context: CallContext): boolean {
  const { lexical, real } = path;
  if (context.forms === "any") return holds(regex, lexical, context) || holds(regex, real, context);
  return tests(regex, real) && holds(regex, lexical, context);
}

/** Overloads of `matches`: RE2, unanchored. On a path it tests both forms. */
export const patternFunctions: Readonly<Record<string, readonly Overload[]>> = {
  matches: [
    overload(
      "string.matches",
      ["string", "string"],
      ([text, pattern], context) => testRegex(text, pattern, context),
      ([, pattern], regex) => {
        if (pattern === undefined) return ([text, given], context) => testRegex(text, given, context);
        const made = compiled(pattern, regex);
        return made instanceof EvaluationError ? made : ([text], context) => holds(made, text, context);
      },
    ),
    overload(
      "path.matches",
      ["path", "string"],
      ([path, pattern], context) => testPath(path, pattern, context),
      ([, pattern], regex) => {
        if (pattern === undefined) return ([path, given], context) => testPath(path, given, context);
        const made = compiled(pattern, regex);
        return made instanceof EvaluationError ? made : ([path], context) => holdsForForms(made, path, context);
      },
    ),
  ],
};
