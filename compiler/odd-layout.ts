import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { oddLetter } from "../diagnostics/odd-letters.ts";
import type { Source } from "../diagnostics/source.ts";

/** Finds what explains errors all over a file: lines that end in a carriage return alone, and indentation by other blanks. */
export function oddLayout(source: Source): Diagnostic | undefined {
  const { text } = source;
  const bare = /\r(?!\n)/.exec(text)?.index;
  if (bare !== undefined) {
    const help = "save the file with line feeds, as `\\n` or `\\r\\n`";
    return diagnostic("HW011", source, { start: bare, end: bare + 1 }, "a carriage return alone ends no line", help);
  }
  const [all, before = ""] = /^([ \t]*)[\u00a0\u2007\u202f\u3000]/m.exec(text) ?? [];
  const start = all === undefined ? -1 : text.indexOf(all) + before.length;
  const said = start < 0 ? undefined : oddLetter(text[start] as string)?.said;
  return said === undefined
    ? undefined
    : diagnostic("HW011", source, { start, end: start + 1 }, "this is no blank to YAML", said);
}
