import { spend, spendText } from "../meter.ts";
import { jsonScalars, type Scalar } from "./json-scalars.ts";
import { type Edit, Names, splice } from "./splice.ts";

/**
 * Finds the parts of a text to replace: sorted, not overlapping. Unchanged parts may be among them, to mark a JSON string as
 * handled. `key` is the name of the text's field, if any, because the name may show what the text is. `across` is true for a
 * whole JSON text whose strings were already searched: only matches across strings remain to be found.
 */
export type FindEdits = (text: string, key: string | undefined, across: boolean) => readonly Edit[];

/**
 * Returns the ascending offsets of a text at which a match is possible. A string without such an offset and without a backslash
 * need not be searched, unless the name of its field has one.
 */
export type FindPlaces = (text: string) => readonly number[];

/** Units of work for one scalar of a JSON text. */
const scalarUnits = 6;

/** JSON inside JSON strings is followed this deep. */
const maxNesting = 3;

/** True for the text of a JSON object or array. */
export function isJson(text: string): boolean {
  return /^\s{0,64}[[{]/.test(text) && parses(text);
}

function parses(text: string): boolean {
  // A number or a mark of JSON is a value that is made.
  spend(text.length >> 2);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns edits of a JSON text, in its own offsets, that keep it valid JSON. With `places`, strings without a possible match are
 * skipped. Recursion is at most `maxNesting` deep.
 */
export function jsonEdits(text: string, find: FindEdits, places?: FindPlaces, nesting = 0): readonly Edit[] {
  const at = places?.(text);
  if (at?.length === 0 && !text.includes("\\")) return [];
  spend(text.length >> 2);
  const scalars = jsonScalars(text);
  spend(scalars.length * scalarUnits);
  const inner: Edit[] = [];
  const edited = new Set<Scalar>();
  const keys = new Map<Scalar, string>();
  for (const scalar of lookedAt(text, scalars, at)) {
    const written = text.slice(scalar.start, scalar.end);
    spendText(written.length * 8);
    const decoded = decode(written);
    const nested = nesting + 1 < maxNesting && isJson(decoded);
    const finds = nested ? jsonEdits(decoded, find, places, nesting + 1) : find(decoded, scalar.key, false);
    if (finds.length === 0) continue;
    edited.add(scalar);
    if (scalar.kind === "key") keys.set(scalar, splice(decoded, finds));
    else inner.push(...asWritten(written, decoded, finds, scalar.start));
  }
  if (keys.size > 0) {
    inner.push(...keyEdits(text, scalars, keys));
    inner.sort((a, b) => a.start - b.start);
  }
  const outer = find(text, undefined, true).filter(
    (edit) => !touched(scalars, edit).some((scalar) => edited.has(scalar)),
  );
  if (outer.length === 0) return inner;
  const direct = ordered([...inner, ...outer]);
  return isJson(splice(text, direct))
    ? direct
    : ordered([...inner, ...outer.flatMap((edit) => clipped(text, scalars, edit))]);
}

/** Returns the scalars that may have a find. */
function lookedAt(text: string, scalars: readonly Scalar[], places: readonly number[] | undefined): readonly Scalar[] {
  const strings = scalars.filter(({ kind }) => kind !== "number");
  if (!places) return strings;
  let next = 0;
  let backslash = text.indexOf("\\");
  let telling = false;
  return strings.filter(({ kind, start, end, key }) => {
    while (next < places.length && (places[next] as number) < start) next += 1;
    if (backslash >= 0 && backslash < start) backslash = text.indexOf("\\", start);
    // A keyword may hold the quotes round a name.
    const holds = (places[next] ?? end + 1) <= end || (backslash >= 0 && backslash < end);
    // A value follows the key of its field.
    const looked = holds || (key !== undefined && telling);
    if (kind === "key") telling = holds;
    return looked;
  });
}

/** Returns edits that rename keys; each name stays unique in its object. */
function keyEdits(text: string, scalars: readonly Scalar[], keys: ReadonlyMap<Scalar, string>): Edit[] {
  const changed = new Set([...keys.keys()].map((key) => key.scope));
  const scopes = new Map<number, string[]>();
  for (const scalar of scalars) {
    if (scalar.kind !== "key" || !changed.has(scalar.scope)) continue;
    const names = scopes.get(scalar.scope) ?? [];
    scopes.set(scalar.scope, names);
    const name = decode(text.slice(scalar.start, scalar.end));
    if ((keys.get(scalar) ?? name) === name) names.push(name);
  }
  const givers = new Map([...scopes].map(([scope, taken]) => [scope, new Names(taken)]));
  return [...keys].flatMap(([{ start, end, scope }, wanted]) => {
    if (wanted === decode(text.slice(start, end))) return [];
    return [{ start, end, text: encode(givers.get(scope)?.give(wanted) ?? wanted) }];
  });
}

/** Converts edits of a decoded string to offsets in the text, where the escaped string begins at `start`. */
function asWritten(written: string, decoded: string, edits: readonly Edit[], start: number): Edit[] {
  const moved: Edit[] = [];
  let raw = 0;
  let at = 0;
  const offsetOf = (wanted: number): number => {
    if (written.length === decoded.length) return wanted;
    for (; at < wanted; at++) raw += written[raw] !== "\\" ? 1 : written[raw + 1] === "u" ? 6 : 2;
    return raw;
  };
  for (const edit of edits) {
    if (edit.start < at) continue;
    const from = offsetOf(edit.start);
    const to = offsetOf(edit.end);
    // Unchanged text keeps its escapes.
    const same = edit.text === decoded.slice(edit.start, edit.end);
    moved.push({ start: start + from, end: start + to, text: same ? written.slice(from, to) : encode(edit.text) });
  }
  return moved;
}

function ordered(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
}

function decode(inside: string): string {
  return inside.includes("\\") ? (JSON.parse(`"${inside}"`) as string) : inside;
}

function encode(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Scalars that an edit overlaps. `scalars` is sorted; the first one is found by halving. */
function touched(scalars: readonly Scalar[], edit: Edit): Scalar[] {
  let low = 0;
  let high = scalars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scalars[middle] as Scalar).end <= edit.start) low = middle + 1;
    else high = middle;
  }
  const found: Scalar[] = [];
  for (let i = low; i < scalars.length && (scalars[i] as Scalar).start < edit.end; i++)
    found.push(scalars[i] as Scalar);
  return found;
}

/** Splits an edit across scalars into one replacement for each value it touches, or for the keys if it touches no value. */
function clipped(text: string, scalars: readonly Scalar[], edit: Edit): Edit[] {
  const all = touched(scalars, edit);
  const values = all.filter((scalar) => scalar.kind !== "key");
  return (values.length > 0 ? values : all).map((scalar) => {
    if (scalar.kind === "number") return { start: scalar.start, end: scalar.end, text: JSON.stringify(edit.text) };
    const whole = text.slice(scalar.start, scalar.end).includes("\\");
    const start = whole ? scalar.start : Math.max(scalar.start, edit.start);
    return { start, end: whole ? scalar.end : Math.min(scalar.end, edit.end), text: encode(edit.text) };
  });
}
