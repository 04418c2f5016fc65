/** A scalar of a JSON text: offsets of a string's inside, or of a number. */
export interface Scalar {
  readonly kind: "key" | "string" | "number";
  readonly start: number;
  readonly end: number;
  /** Name of the field that holds it, as it is written, cut to 128 units; of a key none. */
  readonly key: string | undefined;
  /** Number of the object that a key belongs to; -1 for values. */
  readonly scope: number;
}

/** Strings and numbers of a valid JSON text, in order. */
export function jsonScalars(text: string): Scalar[] {
  const found: Scalar[] = [];
  const open: number[] = [];
  let objects = 0;
  let name: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const c = text[at] as string;
    if (c === '"') {
      const start = at + 1;
      const end = closing(text, start);
      const isKey = /^\s*:/.test(text.slice(end + 1, end + 65));
      const scope = isKey ? (open.at(-1) ?? -1) : -1;
      found.push({ kind: isKey ? "key" : "string", start, end, key: isKey ? undefined : name, scope });
      name = isKey ? text.slice(start, Math.min(end, start + 128)) : undefined;
      at = end;
    } else if (c === "-" || (c >= "0" && c <= "9")) {
      const end = numberEnd(text, at + 1);
      found.push({ kind: "number", start: at, end, key: name, scope: -1 });
      name = undefined;
      at = end - 1;
    } else if (c === "{") open.push(objects++);
    else if (c === "[") open.push(-1);
    else if (c === "}" || c === "]") open.pop();
    if (c === "{" || c === "[" || c === ",") name = undefined;
  }
  return found;
}

/** Offset of the quote that ends a string. */
function closing(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function numberEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && /[-+.0-9eE]/.test(text[end] as string)) end += 1;
  return end;
}
