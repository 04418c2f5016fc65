import type { TreeTakes } from "../../schema/facts.ts";
import { limits } from "../../schema/limits.ts";
import { hasText, indexOfText, replacedText } from "../find-text.ts";
import { spend } from "../meter.ts";
import { type Field, globOfField, literalField, patternField, unknownField } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import type { Inner } from "./wrapper.ts";

/** Reading of a `find` command: where it looks, the files it selects, and what it does with them. */
export interface FindPlan {
  readonly starts: readonly Field[];
  /** The paths it selects: the starting points, or a pattern when a name test narrows them. */
  readonly selected: readonly Field[];
  readonly narrowed: boolean;
  /** The files that `-delete` takes: those it selects, or all beneath the starting points. */
  readonly deleted: readonly Field[];
  readonly deletes: boolean;
  /** Files that it writes (`-fprint` and similar actions). */
  readonly writes: readonly Field[];
  readonly inner: readonly Inner[];
}

// Over this many starting points, commands run on them get one unknown path.
const startingPoints = 64;
const writing: ReadonlySet<string> = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"]);
const clauses: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
/** Operators that keep a name test from holding for every path. */
const alternatives: ReadonlySet<string> = new Set(["-o", "-or", ","]);
const negations: ReadonlySet<string> = new Set(["!", "-not"]);
const globalOptions: ReadonlySet<string> = new Set(["-H", "-L", "-P"]);

/** Reads the words of `find`. Source: find(1). */
export function planFind(args: readonly Field[]): FindPlan {
  let at = 0;
  while (args[at] && (globalOptions.has(args[at]?.text ?? "") || /^-(?:D|O\d)/.test(args[at]?.text ?? "")))
    at += args[at]?.text === "-D" ? 2 : 1;
  const from = at;
  while (at < args.length && !/^(?:-.|[!(),]$)/.test(args[at]?.text ?? "")) at += 1;
  const place = args[0]?.place ?? { start: 0, end: 0 };
  const starts = at > from ? args.slice(from, at) : [literalField(".", place)];
  const expression = args.slice(at);
  const branches = branchesOf(expression);
  if (branches) return together(branches.map((branch) => planOf(starts, branch, place)));
  return planOf(starts, expression, place);
}

/** The plan of one expression. */
function planOf(starts: readonly Field[], expression: readonly Field[], place: Field["place"]): FindPlan {
  // A test behind an action comes too late for it.
  const first = expression.findIndex(({ text }) => text === "-delete" || clauses.has(text));
  const before = first < 0 ? expression : expression.slice(0, first);
  const tests = testsOf(before);
  // A name holds no slash, so that such a test never holds.
  if (tests?.name?.includes("/") && !before.some(({ kind }) => kind === "unknown"))
    return {
      starts,
      selected: [],
      narrowed: true,
      deleted: [],
      deletes: false,
      writes: writtenBy(expression),
      inner: [],
    };
  const narrowed = tests !== undefined && (tests.name !== undefined || tests.path !== undefined);
  const taken = tests && tests.not.length > 0 ? { what: "all" as const, not: tests.not } : undefined;
  const selected = narrowed
    ? starts.flatMap((start) => narrowedTo(start, tests))
    : starts.flatMap((start) => beneath(start, taken));
  return {
    starts,
    selected,
    narrowed,
    deleted: narrowed ? selected : starts.map((start) => (taken ? { ...start, takes: taken } : start)),
    deletes: expression.some((word) => word.text === "-delete"),
    writes: writtenBy(expression),
    inner: executed(expression, selected.length <= startingPoints ? selected : [unknownField(place, true)]),
  };
}

function writtenBy(expression: readonly Field[]): readonly Field[] {
  return expression.filter((_, i) => writing.has(expression[i - 1]?.text ?? ""));
}

/**
 * Returns the parts of an expression between its top-level `-o`; each acts on its own selection. Undefined if there is no `-o`,
 * or the expression has groups.
 */
function branchesOf(expression: readonly Field[]): readonly (readonly Field[])[] | undefined {
  const parts: Field[][] = [[]];
  for (let i = 0; i < expression.length; i++) {
    const word = expression[i] as Field;
    if (clauses.has(word.text)) {
      const end = endOf(expression, i);
      parts.at(-1)?.push(...expression.slice(i, end < 0 ? undefined : end + 1));
      if (end < 0) break;
      i = end;
    } else if (word.text === "(" || word.text === "," || (word.kind === "unknown" && word.open)) return undefined;
    else if (word.text === "-o" || word.text === "-or") parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.length > 1 && parts.length <= mostBranches ? parts : undefined;
}

// More branches are taken as one that selects everything.
const mostBranches = 16;

function together(plans: readonly FindPlan[]): FindPlan {
  const [first] = plans as readonly [FindPlan, ...FindPlan[]];
  return {
    starts: first.starts,
    selected: plans.flatMap(({ selected }) => selected),
    narrowed: plans.every(({ narrowed, deletes }) => narrowed || !deletes),
    deleted: plans.flatMap(({ deleted, deletes }) => (deletes ? deleted : [])),
    deletes: plans.some(({ deletes }) => deletes),
    writes: plans.flatMap(({ writes }) => writes),
    inner: plans.flatMap(({ inner }) => inner),
  };
}

/** Returns what `find` may select from a starting point: itself and anything beneath it; an absolute path gets a glob too. */
export function beneath(point: Field, takes: TreeTakes | undefined): Field[] {
  const start: Field = { ...point, beneath: true, ...(takes ? { takes } : {}) };
  if (start.kind === "unknown" || !start.text.startsWith("/")) return [start];
  return [start, patternField(`${withoutEnd(start.text, "/")}/**`, start.place)];
}

/** Tests of names and paths that hold together for each selected file. */
interface NameTests {
  readonly name: string | undefined;
  /** The pattern of a `-path` test, whose wildcards match slashes too. */
  readonly path: string | undefined;
  /** Names that are left out. */
  readonly not: readonly string[];
}

/** Returns the tests of names and paths of an expression; undefined if one of them need not hold. */
function testsOf(expression: readonly Field[]): NameTests | undefined {
  let name: string | undefined;
  let path: string | undefined;
  const not: string[] = [];
  let isNegated = false;
  for (let i = 0; i < expression.length; i++) {
    const text = expression[i]?.text ?? "";
    if (alternatives.has(text)) return undefined;
    if (negations.has(text)) {
      isNegated = !isNegated;
      continue;
    }
    if (isNegated && text === "(") {
      const group = groupOfNames(expression, i);
      if (!group) return undefined;
      not.push(...group.names);
      i = group.end;
      isNegated = false;
      continue;
    }
    const value = expression[i + 1];
    if (value && isNegated) not.push(...leftOut(text, value));
    else if (value) {
      const glob = globOfField(value);
      if (/^-i?name$/.test(text) && !/^[*?.]*$/.test(glob))
        name = narrower(name, text === "-name" ? glob : eitherCase(glob));
      if (/^-regex$/.test(text) && value.kind === "literal") name = narrower(name, nameOfRegex(value.text));
      if (/^-(?:path|wholename)$/.test(text) && value.kind !== "unknown") path ??= value.text;
    }
    isNegated = false;
  }
  return { name, path, not };
}

/** Reads a group of names joined by `-o`; if the group is negated, each of them is excluded. Undefined for any other group. */
function groupOfNames(
  expression: readonly Field[],
  from: number,
): { names: readonly string[]; end: number } | undefined {
  const names: string[] = [];
  for (let i = from + 1; i < expression.length; i += 2) {
    const [test, value] = [expression[i], expression[i + 1]];
    const out = test && value ? leftOut(test.text, value) : [];
    if (out.length === 0) return undefined;
    names.push(...out);
    const next = expression[i + 2]?.text ?? "";
    if (next === ")") return { names, end: i + 2 };
    if (!alternatives.has(next) || next === ",") return undefined;
    i += 1;
  }
  return undefined;
}

/** No file has it. */
const noName = "/";
const plainName = /^[^*?[\]\\]+$/;

/** Joins two globs that must both match: a plain name if one glob is one, `noName` if the other does not match it. */
function narrower(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  const [name, glob] = plainName.test(one) ? [one, other] : [other, one];
  if (!plainName.test(name) || /[?[\]\\]/.test(glob)) return one;
  const [first = "", ...rest] = glob.split(/\*+/);
  const last = rest.pop();
  spend(glob.length + name.length);
  if (last === undefined || name.length < first.length + last.length) return noName;
  if (!name.startsWith(first) || !name.endsWith(last)) return noName;
  let from = first.length;
  for (const part of rest) {
    const at = indexOfText(name, part, from);
    if (at < 0 || at + part.length > name.length - last.length) return noName;
    from = at + part.length;
  }
  return name;
}

/** Returns the name glob for a regular expression on whole paths that tests an ending, such as `.*\.js`. */
function nameOfRegex(regex: string): string | undefined {
  const ending = /^\^?\.\*(\\\.[\w-]+)+\$?$/.exec(regex) ? regex.replace(/^\^?\.\*|\\|\$$/g, "") : undefined;
  return ending === undefined ? undefined : `*${ending}`;
}

/** Returns the name that a negated test excludes, as a policy glob. */
function leftOut(test: string, value: Field): readonly string[] {
  if (!/^-i?name$/.test(test) || value.kind !== "literal") return [];
  const glob = value.text.replace(/[{}]/g, "\\$&");
  if (test === "-name") return [glob];
  return /[[\]\\]/.test(glob) ? [] : [eitherCase(glob)];
}

/** Returns a pattern that matches each letter in either case. A pattern with a class matches any name, because classes do not nest. */
function eitherCase(pattern: string): string {
  if (/[[\]\\]/.test(pattern)) return "*";
  return pattern.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

/** Returns the patterns of files that are selected from a starting point by their name and path. */
function narrowedTo(start: Field, { name, path }: NameTests): Field[] {
  if (path !== undefined && !mayBePrinted(start, path)) return [];
  const paths = path === undefined ? undefined : pathsOf(start, name === undefined ? path : path.replace(/\/\*+$/, ""));
  if (!paths) return name === undefined ? beneath(start, undefined) : [below(start, `**/${name}`)];
  const isFolder = name !== undefined && path !== undefined && /\/\*+$/.test(path);
  return isFolder ? paths.map((one) => ({ ...one, text: `${one.text}/**/${name}` })) : [...paths];
}

/** False for a pattern that no path below the starting point can match, because all printed paths begin with it. */
function mayBePrinted(start: Field, pattern: string): boolean {
  if (start.kind !== "literal") return true;
  const [known = ""] = pattern.split(/[*?[\\]/);
  const folder = start.text.endsWith("/") ? start.text : `${start.text}/`;
  if (known === pattern) return pattern === start.text || pattern.startsWith(folder);
  return known.startsWith(folder) || folder.startsWith(known);
}

/**
 * Returns the globs of a `-path` pattern, which matches the printed path from the starting point on. Undefined if the pattern is
 * not understood or has too many forms.
 */
function pathsOf(start: Field, pattern: string): readonly Field[] | undefined {
  const globs = /[[\\]/.test(pattern) ? undefined : crossing(pattern);
  if (!globs) return undefined;
  if (!/^[*?]/.test(pattern)) return globs.map((glob) => ({ ...patternField(glob, start.place), dots: true as const }));
  return globs.flatMap((glob) => [below(start, glob), ...overlapping(start, glob)]);
}

/** Most wildcards between two names of a pattern that is analysed. */
const mostCrossing = 3;

/** Returns globs whose wildcards stay in one name, for a pattern whose wildcards match slashes as well. */
function crossing(pattern: string): readonly string[] | undefined {
  const [first = "", ...rest] = pattern.split(/[*?]+/);
  let made = [first];
  for (const [i, text] of rest.entries()) {
    const before = i === 0 ? first : (rest[i - 1] as string);
    const [isBehind, isBefore] = [before === "" || before.endsWith("/"), text.startsWith("/")];
    const ways = isBehind ? [isBefore ? "**" : "**/*"] : isBefore ? ["*/**"] : ["*", "*/**/*"];
    if (made.length * ways.length > 2 ** mostCrossing) return undefined;
    made = made.flatMap((one) => ways.map((way) => one + way + text));
  }
  return made;
}

/** Returns the paths where the text behind a first wildcard begins like the end of the starting point: `find src/sub -path '*\/sub/x'`. */
function overlapping(start: Field, glob: string): Field[] {
  if (start.kind !== "literal") return [];
  const own = start.text.split("/").filter((part) => part !== "" && part !== ".");
  const names = glob.replace(/^\*\*\//, "").split("/");
  spend(own.length * names.length);
  return own.flatMap((_, i) => {
    const end = own.slice(i);
    const isSame = end.length <= names.length && end.every((part, j) => part === names[j]);
    const rest = names.slice(end.length).join("/");
    return isSame ? [rest === "" ? start : below(start, rest)] : [];
  });
}

/** Returns a glob below a starting point. Its wildcards also match a leading dot. */
export function below(start: Field, glob: string): Field {
  const folder = start.text.endsWith("/") ? start.text : `${start.text}/`;
  const text = `${folder}${glob}`;
  if (start.kind === "unknown") return { ...start, text, glob: true };
  return { ...patternField(text, start.place), dots: true };
}

function executed(expression: readonly Field[], selected: readonly Field[]): Inner[] {
  const inner: Inner[] = [];
  for (let i = 0; i < expression.length; i++) {
    spend(1);
    const clause = expression[i]?.text ?? "";
    if (!clauses.has(clause)) continue;
    const end = endOf(expression, i);
    const fields: Field[] = [];
    for (let at = i + 1; at < (end < 0 ? expression.length : end); at++) {
      const word = expression[at] as Field;
      if (word.text.includes("{}")) for (const path of placed(word, selected)) fields.push(path);
      else fields.push(word);
    }
    if (fields.length > 0) inner.push({ kind: "words", fields, ...(clause.endsWith("dir") ? { cwd: "" } : {}) });
    if (end < 0) break;
    i = end;
  }
  return inner;
}

/** Index of the `;` or `{} +` that ends the clause at `from`, or -1. */
function endOf(expression: readonly Field[], from: number): number {
  for (let i = from + 1; i < expression.length; i++) {
    const { text } = expression[i] as Field;
    if (text === ";" || (text === "+" && expression[i - 1]?.text === "{}")) return i;
  }
  return -1;
}

/** A word of the command with the selected paths in place of `{}`. */
export function placed(word: Field, selected: readonly Field[], mark = "{}"): Field[] {
  spend(1 + selected.length);
  if (word.text === mark) return [...selected];
  if (mark === "" || !hasText(word.text, mark)) return [word];
  const filled = (text: string, by: string): string | undefined => replacedText(text, mark, by, limits.shellLength);
  return selected.map((path) => {
    const text = filled(word.text, path.text);
    // No command may have a longer word.
    if (text === undefined) return unknownField(word.place, true);
    const made = { ...path, text, verbatim: -1 };
    if (word.kind !== "unknown") return made;
    const { known: _, ...open } = word;
    const template = filled(word.template ?? word.text, path.template ?? path.text);
    return template === undefined ? unknownField(word.place, true) : { ...open, text, template, verbatim: -1 };
  });
}
