import { type Field, literalField, patternField, unknownField } from "../shell/fields.ts";
import type { Inner } from "./wrapper.ts";

/** What a `find` command looks at and does, from its words. */
export interface FindPlan {
  readonly starts: readonly Field[];
  /** The paths it selects: the starting points, or a pattern when a name test narrows them. */
  readonly selected: readonly Field[];
  readonly narrowed: boolean;
  readonly deletes: boolean;
  /** Files that it writes (`-fprint` and kin). */
  readonly writes: readonly Field[];
  readonly inner: readonly Inner[];
}

// More starting points than this are one unknown path for what is run on each.
const startingPoints = 64;
const writing: ReadonlySet<string> = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"]);
const clauses: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
/** What keeps a name test from holding for every path. */
const alternatives: ReadonlySet<string> = new Set(["!", "-not", "-o", "-or", ","]);
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
  const names = narrowing(expression);
  const selected =
    names.length === 0 ? starts.flatMap(beneath) : starts.flatMap((start) => names.map((name) => below(start, name)));
  return {
    starts,
    selected,
    narrowed: names.length > 0,
    deletes: expression.some((word) => word.text === "-delete"),
    writes: expression.filter((_, i) => writing.has(expression[i - 1]?.text ?? "")),
    inner: executed(expression, selected.length <= startingPoints ? selected : [unknownField(place, true)]),
  };
}

/** What is found from a starting point: itself, and for one outside the project all that lies below it by name too. */
function beneath(start: Field): Field[] {
  if (start.kind === "unknown" || !start.text.startsWith("/")) return [start];
  return [start, patternField(`${start.text.replace(/\/+$/, "")}/**`, start.place)];
}

/** Patterns below a starting point, one of which every selected path must fit; none when no test narrows them. */
function narrowing(expression: readonly Field[]): string[] {
  let name: string | undefined;
  let path: string | undefined;
  for (let i = 0; i < expression.length; i++) {
    const text = expression[i]?.text ?? "";
    if (alternatives.has(text)) return [];
    const value = expression[i + 1];
    if (!value || value.kind === "unknown") continue;
    if (/^-i?name$/.test(text) && !/^[*?.]*$/.test(value.text)) name ??= value.text;
    if (/^-i?(?:path|wholename)$/.test(text)) path ??= pathCore(value.text);
  }
  if (path === undefined) return name === undefined ? [] : [name];
  return name === undefined ? [`*${path}*`, `*${path}*/**`] : [`*${path}*/**/${name}`];
}

/** What is constant in the pattern of a `-path` test, whose stars cross slashes; undefined where it is not one text. */
function pathCore(pattern: string): string | undefined {
  const core = pattern.replace(/^(?:\.?\/|\*)+/, "").replace(/[*/]+$/, "");
  return core === "" || /[*?[\]\\]/.test(core) ? undefined : core;
}

function below(start: Field, name: string): Field {
  const folder = start.text.endsWith("/") ? start.text : `${start.text}/`;
  if (start.kind === "unknown") return { ...start, text: `${folder}**/${name}`, glob: true };
  return patternField(`${folder}**/${name}`, start.place);
}

function executed(expression: readonly Field[], selected: readonly Field[]): Inner[] {
  const inner: Inner[] = [];
  for (let i = 0; i < expression.length; i++) {
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
  if (word.text === mark) return [...selected];
  if (mark === "" || !word.text.includes(mark)) return [word];
  return selected.map((path) => ({ ...path, text: word.text.split(mark).join(path.text), verbatim: -1 }));
}
