/** A part of a text and what takes its place: UTF-16 offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Finds what is to be replaced in a text: sorted, not overlapping; what stays as it is may be among it, so that a JSON
 * string is known to have been dealt with. `key` is the name of the field that holds the text,
 * where there is one, since it may tell what the text is.
 */
export type FindEdits = (text: string, key: string | undefined) => readonly Edit[];

/** JSON inside JSON strings is followed this deep. */
const maxNesting = 3;

/** The text with all edits made at once. */
export function splice(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const out: string[] = [];
  let at = 0;
  for (const edit of edits) {
    if (edit.start < at) continue;
    out.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  out.push(text.slice(at));
  return out.join("");
}

/**
 * The text with every find replaced; text that is a JSON object or array stays valid JSON. There, each string is
 * decoded, edited and encoded again in place, so that numbers, order and layout stay as they are. Finds that reach
 * across strings (a name and its value) are made when the result is still JSON, else the values they touch are
 * replaced as a whole.
 */
export function editText(text: string, find: FindEdits, key?: string, nesting = 0): string {
  if (nesting < maxNesting && isJson(text)) return editJson(text, find, nesting);
  return splice(text, find(text, key));
}

/** True for the text of a JSON object or array. */
export function isJson(text: string): boolean {
  return /^\s{0,64}[[{]/.test(text) && parses(text);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A scalar of a JSON text: offsets of a string's inside, or of a number. */
interface Scalar {
  readonly kind: "key" | "string" | "number";
  readonly start: number;
  readonly end: number;
  readonly key: string | undefined;
}

function editJson(text: string, find: FindEdits, nesting: number): string {
  const scalars = jsonScalars(text);
  const inner: Edit[] = [];
  const edited = new Set<Scalar>();
  for (const scalar of scalars) {
    if (scalar.kind === "number") continue;
    const decoded = decode(text.slice(scalar.start, scalar.end));
    const finds = find(decoded, scalar.key);
    const next =
      nesting + 1 < maxNesting && isJson(decoded) ? editJson(decoded, find, nesting + 1) : splice(decoded, finds);
    if (finds.length > 0 || next !== decoded) edited.add(scalar);
    if (next !== decoded) inner.push({ start: scalar.start, end: scalar.end, text: encode(next) });
  }
  const outer = find(text, undefined).filter((edit) => !touched(scalars, edit).some((scalar) => edited.has(scalar)));
  if (outer.length === 0) return splice(text, inner);
  const direct = splice(text, ordered([...inner, ...outer]));
  if (isJson(direct)) return direct;
  return splice(text, ordered([...inner, ...outer.flatMap((edit) => clipped(text, scalars, edit))]));
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

/** An edit across scalars as one replacement for each value it touches, or for the keys where it touches no value. */
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

/** Strings and numbers of a valid JSON text, in order. */
function jsonScalars(text: string): Scalar[] {
  const found: Scalar[] = [];
  let name: Scalar | undefined;
  for (let at = 0; at < text.length; at++) {
    const c = text[at] as string;
    if (c === '"') {
      const end = closing(text, at + 1);
      const isKey = /^\s*:/.test(text.slice(end + 1, end + 65));
      const scalar: Scalar = { kind: isKey ? "key" : "string", start: at + 1, end, key: name && keyText(text, name) };
      found.push(scalar);
      name = isKey ? scalar : undefined;
      at = end;
    } else if (c === "-" || (c >= "0" && c <= "9")) {
      let end = at + 1;
      while (end < text.length && /[-+.0-9eE]/.test(text[end] as string)) end += 1;
      found.push({ kind: "number", start: at, end, key: name && keyText(text, name) });
      name = undefined;
      at = end - 1;
    } else if (c === "{" || c === "[" || c === ",") name = undefined;
  }
  return found;
}

function keyText(text: string, key: Scalar): string {
  return text.slice(key.start, Math.min(key.end, key.start + 128));
}

/** Offset of the quote that ends a string. */
function closing(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
