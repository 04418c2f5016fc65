import type { Diagnostic, Related } from "./diagnostic.ts";
import type { Source, Span } from "./source.ts";

/** Colours the parts of a rendered diagnostic; the identity when the screen has none. */
export interface Palette {
  error(text: string): string;
  warning(text: string): string;
  info(text: string): string;
  quiet(text: string): string;
  strong(text: string): string;
}

const same = (text: string): string => text;
/** No colour at all. */
export const plain: Palette = { error: same, warning: same, info: same, quiet: same, strong: same };

/**
 * A diagnostic as a framed excerpt with carets, for a terminal. `sources` finds the file texts;
 * a file that could not be read shows its name only.
 */
export function renderDiagnostic(
  d: Diagnostic,
  sources: ReadonlyMap<string, Source>,
  palette: Palette = plain,
): string {
  const head = `${palette[d.severity](`${d.severity}[${d.code}]`)}${palette.strong(`: ${oneLine(d.message)}`)}`;
  const lines = [head, ...frame(d, sources, palette)];
  for (const r of d.related ?? [])
    lines.push(palette.quiet(`  note: ${oneLine(r.message)}`), ...frame(r, sources, palette));
  lines.push(`  ${palette.info("help")}: ${oneLine(d.help)}`);
  return lines.join("\n");
}

function frame(d: Diagnostic | Related, sources: ReadonlyMap<string, Source>, palette: Palette): string[] {
  const source = sources.get(d.source);
  if (!source || source.text === "") return [palette.quiet(`  --> ${oneLine(d.source)}`)];
  const start = source.position(d.span.start);
  const text = source.line(start.line);
  const number = String(start.line);
  const gutter = " ".repeat(number.length);
  const { shown, before, width } = excerpt(text, start.column - 1, caretWidth(source, d.span, start.column, text));
  return [
    palette.quiet(`  ${gutter}--> ${oneLine(d.source)}:${start.line}:${start.column}`),
    `  ${palette.quiet(`${number} |`)} ${shown}`,
    `  ${palette.quiet(`${gutter} |`)} ${" ".repeat(before)}${palette.error("^".repeat(width))}`,
  ];
}

function caretWidth(source: Source, span: Span, column: number, lineText: string): number {
  const room = Math.max(1, lineText.length - (column - 1));
  const end = source.position(span.end);
  const start = source.position(span.start);
  return end.line === start.line ? Math.max(1, Math.min(span.end - span.start, room)) : room;
}

const widest = 160;

/** Cuts a very long line round the caret and shows control characters as escapes. */
function excerpt(text: string, column: number, width: number): { shown: string; before: number; width: number } {
  const from = text.length > widest ? Math.max(0, column - 60) : 0;
  const lead = from > 0 ? "…" : "";
  const left = lead + visible(text.slice(from, column));
  const end = Math.min(column + width, from + widest);
  const marked = visible(text.slice(column, end));
  const rest = visible(text.slice(end, from + widest));
  const tail = text.length > from + widest ? "…" : "";
  return { shown: left + marked + rest + tail, before: left.length, width: Math.max(1, marked.length) };
}

/** Escapes line breaks of a message, because it may contain text of a policy or a file name. */
function oneLine(text: string): string {
  return visible(text).replaceAll("\n", "\\n");
}

/** Control and bidirectional characters as `\u{…}`, so that a policy cannot repaint the terminal. */
export function visible(text: string): string {
  return text
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
      (c) => `\\u{${(c.codePointAt(0) as number).toString(16)}}`,
    )
    .replaceAll("\t", " ");
}
