import { programOf } from "../../facts/programs/registry.ts";
import { withoutVersion } from "../../facts/shell/names.ts";
import type { PatternToken } from "./pattern-tokens.ts";
import { type PatternPart, patternTree } from "./pattern-tree.ts";

/** Part of a regular expression that nothing matches; `whole` is true if no text matches the pattern at all. */
export interface ImpossiblePart {
  readonly why: string;
  readonly whole: boolean;
}

/** Finds what no value of a field (`url.host`) can match in a pattern. Work grows with the length of the pattern and how deep its groups nest. */
export function impossiblePart(pattern: string, field: string | undefined): ImpossiblePart | undefined {
  if (pattern.length > 4_096) return undefined;
  const tree = patternTree(pattern);
  if (!tree) return undefined;
  const place = { before: false, after: false, field, folds: tree.folds, isFirst: true };
  return ofWays(tree.ways, place);
}

/** Surroundings of a sequence. `isFirst` is true if the sequence begins the pattern. */
interface Place {
  /** True if every match has a character before the sequence, or after it. */
  readonly before: boolean;
  readonly after: boolean;
  readonly field: string | undefined;
  readonly folds: boolean;
  readonly isFirst: boolean;
}

type Parts = readonly PatternPart[];

function ofWays(ways: readonly Parts[], place: Place): ImpossiblePart | undefined {
  const found = ways.map((way) => ofSequence(way, place));
  const first = found.find((one) => one !== undefined);
  return first && { why: first.why, whole: found.every((one) => one?.whole) };
}

function ofSequence(parts: Parts, place: Place): ImpossiblePart | undefined {
  const own = againstField(parts, place) ?? (place.isFirst ? againstBeginning(parts, place.field) : undefined);
  if (own !== undefined) return { why: own, whole: true };
  const needs = parts.map(takes);
  const last = needs.lastIndexOf(true);
  const first = needs.indexOf(true);
  let part: ImpossiblePart | undefined;
  for (const [i, one] of parts.entries()) {
    if (one.least === 0) continue;
    const before = place.before || (first >= 0 && first < i);
    const after = place.after || last > i;
    if (one.kind === "start" && before) return { why: "something stands before `^`", whole: true };
    if (one.kind === "end" && after) return { why: "something stands behind `$`", whole: true };
    const edge = one.kind === "zero" && one.text === "\\b" ? edgeFault(parts[i - 1], parts[i + 1]) : undefined;
    if (edge !== undefined) return { why: edge, whole: true };
    if (one.kind !== "group") continue;
    const inner = ofWays(one.ways, { ...place, before, after, isFirst: place.isFirst && i === 0 });
    if (inner?.whole) return inner;
    part ??= inner;
  }
  return part;
}

/** True where each match of a part has a character at least. */
function takes(part: PatternPart): boolean {
  if (part.least === 0) return false;
  if (part.kind === "group") return part.ways.every((way) => way.some(takes));
  return part.kind === "literal" || part.kind === "one";
}

/** Returns why a `\b` never holds: it needs a letter, digit or `_` on exactly one side. */
function edgeFault(before: PatternPart | undefined, after: PatternPart | undefined): string | undefined {
  const sides = [sideOf(before), sideOf(after)];
  if (sides[0] === undefined || sides[0] !== sides[1]) return undefined;
  return sides[0] ? "`\\b` stands inside a word" : "`\\b` stands where no word begins or ends";
}

/** True for a letter, digit or `_` as RE2 sees it, false for another character or an end; undefined where it may be either. */
function sideOf(part: PatternPart | undefined): boolean | undefined {
  if (!part || part.least === 0 || part.kind === "group") return undefined;
  if (part.kind === "start" || part.kind === "end") return false;
  if (part.kind === "literal") return /^\w/.test(part.text);
  return part.kind === "one" && /^\\[wd]$/.test(part.text)
    ? true
    : part.kind === "one" && /^\\[sW]$/.test(part.text)
      ? false
      : undefined;
}

/** Characters that a field never contains, by field. */
const never: Readonly<Record<string, readonly [RegExp, string]>> = {
  "url.host": [/[A-Z/\s@[\]]/, "hosts are in lower case and have neither path, user nor brackets"],
  "url.userinfo": [/@/, "it ends before the `@`, and another one stands there as `%40`"],
  "url.scheme": [/[A-Z/:\s]/, "schemes are in lower case and have no colon"],
  "path.ext": [/[./]/, "an extension has neither dot nor slash"],
  "path.name": [/\//, "it is the last component of a path"],
  "command.program": [/\//, "a program has no folder in its name; test `path` of the command"],
};

function againstField(parts: Parts, { field, folds }: Place): string | undefined {
  if (field === undefined) return undefined;
  const [characters, why] = Object.hasOwn(never, field) ? (never[field] ?? []) : [];
  const literal = parts.flatMap((part) => (isLiteral(part) ? [part] : []));
  if (characters && literal.some(({ text }) => characters.test(folds ? text.toLowerCase() : text))) return why;
  if (
    field === "command.program" &&
    parts.every(({ kind, least }) => kind !== "group" && kind !== "one" && least > 0)
  ) {
    const name = literal.map(({ text }) => text).join("");
    if (withoutVersion(name) !== name) return `facts fold versions: it is \`${withoutVersion(name)}\``;
  }
  if (field !== "path") return undefined;
  const [before, slash, last] = parts.slice(-3);
  const ends = last?.kind === "end" && last.least > 0 && isLiteral(slash) && slash.text === "/";
  return ends && isLiteral(before) && before.text !== "/" ? "no path but the root ends in a slash" : undefined;
}

function isLiteral(part: PatternPart | undefined): part is PatternToken {
  return part?.kind === "literal" && part.least > 0;
}

/** Fields whose values begin with a slash, or with a drive on Windows. */
const rooted: Readonly<Record<string, string>> = {
  path: "a path begins with the root",
  "path.lexical": "a path begins with the root",
  "path.real": "a path begins with the root",
  "url.path": "it begins with a slash",
};

function againstBeginning(parts: Parts, field: string | undefined): string | undefined {
  const [start, ...rest] = parts;
  if (field === "command.program") return wordsBehind(start?.kind === "start" ? rest : parts);
  const why = field !== undefined && Object.hasOwn(rooted, field) ? rooted[field] : undefined;
  if (why === undefined || start?.kind !== "start" || start.least === 0) return undefined;
  return beginnings(rest).every(([one, next]) => isLiteral(one) && /[\w.~-]/.test(one.text) && !isDrive(next))
    ? why
    : undefined;
}

/** Returns the first two parts of each way to begin. */
function beginnings(parts: Parts): readonly Parts[] {
  const [first, ...rest] = parts;
  return first?.kind === "group" && first.least > 0 ? first.ways.map((way) => [...way, ...rest].slice(0, 2)) : [parts];
}

/** True for what may stand behind the letter of a drive, or where nothing more is asked for. */
function isDrive(part: PatternPart | undefined): boolean {
  return part?.kind !== "literal" || part.text === ":";
}

/** Finds a known program followed by a space: the words of a command are not part of the program name. */
function wordsBehind(parts: Parts): string | undefined {
  const space = parts.findIndex((part) => part.kind !== "group" && (part.text === " " || part.text === "\\s"));
  const before = parts.slice(0, Math.max(space, 0));
  if (space < 1 || parts[space]?.least === 0 || !before.every(isLiteral)) return undefined;
  const name = before.map((part) => (part.kind === "literal" ? part.text : "")).join("");
  return programOf(name) ? "the words after a program are not part of its name" : undefined;
}
