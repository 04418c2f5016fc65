import type { Span } from "../../diagnostics/source.ts";

/** A piece of a file and its replacement; an empty span inserts. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** Returns the text with every edit applied. Throws a `RangeError` if two edits overlap, which only a bug of ours can cause. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const parts: string[] = [];
  let at = 0;
  for (const edit of ordered) {
    if (edit.span.start < at) throw new RangeError(`edits overlap at offset ${edit.span.start}`);
    parts.push(text.slice(at, edit.span.start), edit.text);
    at = edit.span.end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
