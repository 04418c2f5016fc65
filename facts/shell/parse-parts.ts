import type { Node } from "./syntax.ts";

/** Marks a command that a `!` precedes; two cancel each other. */
export function negating(node: Node, prefixes: readonly { readonly type: string }[]): Node {
  let negated = false;
  for (const { type } of prefixes) if (type === "Negation") negated = !negated;
  return negated ? { ...node, negated: true } : node;
}

/** A here-document as the parser gives it. */
interface HereDocument {
  readonly operator: string;
  readonly delimiter: { readonly quoted?: boolean | undefined } | undefined;
  readonly body: { readonly text: string };
}

/** Returns the text of a here-document: escapes are decoded unless the delimiter is quoted, and leading tabs are removed for `<<-`. */
export function bodyOf({ operator, delimiter, body }: HereDocument): {
  readonly text: string;
  readonly quoted: boolean;
} {
  const quoted = delimiter?.quoted === true;
  const decoded = quoted ? body.text : body.text.replace(/\\([$`\\]|\n)/g, (_, c: string) => (c === "\n" ? "" : c));
  return { text: operator === "<<-" ? decoded.replace(/^\t+/gm, "") : decoded, quoted };
}

/** Returns the offset of a word's value in the text, or -1; `raw` is the word as written, which begins at `start`. */
export function verbatimAt(value: string, raw: string, start: number): number {
  if (value === raw) return start;
  return raw.length === value.length + 2 && raw.startsWith(value, 1) ? start + 1 : -1;
}
