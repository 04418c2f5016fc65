import { isInsideScalar, type PolicyDocument } from "./document.ts";
import type { Edit } from "./edits.ts";

/** Removes white space at the end of lines, except inside a text; the file ends with one line break. */
export function trimWhiteSpace(document: PolicyDocument): Edit[] {
  const { text } = document;
  const end = endOfContent(document);
  const edits: Edit[] = [];
  let at = 0;
  while (at < end) {
    const line = text.indexOf("\n", at);
    const next = line < 0 || line >= end ? end : line + 1;
    const stop = contentEnd(text, at, next, "\r\n");
    const start = contentEnd(text, at, stop, " \t");
    if (start < stop && !isInsideScalar(document, start + 1) && !isInsideScalar(document, start))
      edits.push({ span: { start, end: stop }, text: "" });
    at = next;
  }
  const ending = text.slice(end);
  if (ending !== document.newline && !endsInBlockText(document))
    edits.push({ span: { start: end, end: text.length }, text: document.newline });
  return edits;
}

/** Returns the offset after the last character that is no blank or line break. */
function endOfContent({ text }: PolicyDocument): number {
  return contentEnd(text, 0, text.length, " \t\r\n");
}

function contentEnd(text: string, start: number, from: number, blanks: string): number {
  let end = from;
  while (end > start && blanks.includes(text[end - 1] as string)) end--;
  return end;
}

/** True if the file ends in a block scalar: it may keep its line breaks as text, which are not ours to change. */
function endsInBlockText({ text, scalars }: PolicyDocument): boolean {
  const last = scalars.at(-1);
  if (last === undefined || !"|>".includes(text[last.start] ?? " ")) return false;
  return text.slice(last.end).trim() === "";
}
