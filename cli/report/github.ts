import type { Diagnostic, Severity } from "../../diagnostics/diagnostic.ts";
import { visible } from "../../diagnostics/render.ts";
import type { Source } from "../../diagnostics/source.ts";

const commands: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/**
 * Returns diagnostics as workflow commands of GitHub Actions, one a line, which a run shows as annotations beside the lines
 * of the files. All text from a policy is escaped, so that none of it is a command.
 */
export function githubAnnotations(diagnostics: readonly Diagnostic[], sources: ReadonlyMap<string, Source>): string {
  return diagnostics.map((d) => `${annotation(d, sources.get(d.source))}\n`).join("");
}

function annotation(d: Diagnostic, source: Source | undefined): string {
  const properties = [["file", d.source], ...place(d, source), ["title", d.code]];
  const list = properties.map(([key, value]) => `${key}=${escapedProperty(value ?? "")}`).join(",");
  return `::${commands[d.severity]} ${list}::${escapedData(`${shown(d.message)}\nhelp: ${shown(d.help)}`)}`;
}

/** Returns the place of a finding. Columns are given only within one line; the last one is that of the last character. */
function place(d: Diagnostic, source: Source | undefined): string[][] {
  if (!source) return [];
  const start = source.position(d.span.start);
  const end = source.position(d.span.end);
  const lines = [
    ["line", String(start.line)],
    ["endLine", String(end.line)],
  ];
  if (start.line !== end.line) return lines;
  const last = Math.max(start.column, end.column - 1);
  return [...lines, ["col", String(start.column)], ["endColumn", String(last)]];
}

/** Makes control characters visible, line breaks too. */
function shown(text: string): string {
  return visible(text.toWellFormed()).replaceAll("\n", "\\n");
}

function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escapedData(visible(text.toWellFormed())).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
