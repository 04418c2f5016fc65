import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { type Code, codes } from "../../diagnostics/codes.ts";
import type { Diagnostic, Severity } from "../../diagnostics/diagnostic.ts";
import { visible } from "../../diagnostics/render.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { jsonLine } from "./json.ts";

/** Base URL of the pages of codes. */
const pages = "https://hookwarden.dev/reference/codes/";

const levels: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

/**
 * Returns diagnostics as a SARIF 2.1.0 log of one run, on one line. Each code found is a rule with its page, columns count
 * UTF-16 units, and fixes are included. `version` is the package's. Source: semantics page section 6.
 */
export function sarifLog(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, Source>,
  version: string,
): string {
  const found = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const index = new Map(found.map((code, i) => [code, i]));
  return jsonLine({
    $schema: "https://json.schemastore.org/sarif-2.1.0-rtm.5.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "hookwarden",
            version,
            semanticVersion: version,
            informationUri: "https://hookwarden.dev",
            rules: found.map(descriptor),
          },
        },
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((d) => result(d, index.get(d.code) as number, sources)),
      },
    ],
  });
}

function descriptor(code: Code): object {
  const { title, severity } = codes[code];
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: `what it means, with a bad and a good example: ${pages}${code}` },
    helpUri: `${pages}${code}`,
    defaultConfiguration: { level: levels[severity] },
  };
}

function result(d: Diagnostic, ruleIndex: number, sources: ReadonlyMap<string, Source>): object {
  return {
    ruleId: d.code,
    ruleIndex,
    level: levels[d.severity],
    message: { text: `${text(d.message)}\nhelp: ${text(d.help)}` },
    locations: [{ physicalLocation: physical(d.source, d.span, sources) }],
    ...(d.related && {
      relatedLocations: d.related.map((r, id) => ({
        id,
        physicalLocation: physical(r.source, r.span, sources),
        message: { text: text(r.message) },
      })),
    }),
    ...(d.fix && {
      fixes: [
        {
          description: { text: text(d.fix.title) },
          artifactChanges: [
            { artifactLocation: artifact(d.source), replacements: replacements(d, sources.get(d.source)) },
          ],
        },
      ],
    }),
  };
}

/** A finding about a file that could not be read has no region. */
function physical(name: string, span: Span, sources: ReadonlyMap<string, Source>): object {
  const source = sources.get(name);
  return { artifactLocation: artifact(name), ...(source && { region: region(source, span) }) };
}

function artifact(name: string): object {
  return { uri: uriOf(name) };
}

/** Returns the edits of a fix; without the source, an edit has only offsets. */
function replacements(d: Diagnostic, source: Source | undefined): object[] {
  return (d.fix?.edits ?? []).map(({ span, text: inserted }) => ({
    deletedRegion: source ? region(source, span) : { charOffset: span.start, charLength: span.end - span.start },
    insertedContent: { text: inserted },
  }));
}

function region(source: Source, span: Span): object {
  const start = source.position(span.start);
  const end = source.position(span.end);
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

/** Returns a file's name as a URI reference: relative names stay relative, to the folder where the command ran. */
export function uriOf(name: string): string {
  if (/^pack:/.test(name)) return `pack:${encodeURIComponent(name.slice(5).toWellFormed())}`;
  if (isAbsolute(name)) return pathToFileURL(name.toWellFormed()).href;
  const parts = name.toWellFormed().replaceAll("\\", "/").split("/");
  return parts.map(encodeURIComponent).join("/");
}

/** Escapes a message, which may hold text of a policy: it makes no link, and hides no character. */
function text(message: string): string {
  return visible(message.toWellFormed()).replaceAll("\n", "\\n").replaceAll("](", "] (");
}
