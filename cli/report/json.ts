import type { Diagnostic, Related } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import { canonicalJson } from "../../engine/canonical.ts";

/** One object on one line, as canonical JSON. */
export function jsonLine(value: unknown): string {
  return `${canonicalJson(value)}\n`;
}

/** Returns a diagnostic for programs: unchanged, with line and column of its start and end if the source is known. */
export function jsonDiagnostic(d: Diagnostic, sources: ReadonlyMap<string, Source>): object {
  const related = d.related?.map((r) => ({ ...r, ...place(r, sources) }));
  return { ...d, ...place(d, sources), ...(related ? { related } : {}) };
}

function place(d: Diagnostic | Related, sources: ReadonlyMap<string, Source>): object {
  const source = sources.get(d.source);
  return source ? { from: source.position(d.span.start), to: source.position(d.span.end) } : {};
}
