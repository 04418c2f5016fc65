import { type Code, codes, type Severity } from "./codes.ts";
import type { Source, Span } from "./source.ts";

export type { Severity } from "./codes.ts";

/**
 * One finding about a policy, event or file, as data. Rendered last (`render.ts`, `cli/report`).
 * `span` is in the author's file, never in an inner text.
 */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly source: string;
  readonly span: Span;
  /** The next step, in one line. */
  readonly help: string;
  readonly related?: readonly Related[];
  readonly fix?: Fix;
}

/**
 * Edits of a finding's file that remove the finding. `meaning` promises their effect on the plan, and the code that applies
 * them checks it: the plan stays the `same`, or the rule at the place answers the same or `stricter`.
 */
export interface Fix {
  /** The change as an imperative: `remove the second entry`. */
  readonly title: string;
  readonly meaning: "same" | "stricter";
  /** Spans in the author's file that do not overlap, and the text that replaces each. */
  readonly edits: readonly { readonly span: Span; readonly text: string }[];
}

/** A second place that explains a finding, e.g. where an id was first given. */
export interface Related {
  readonly message: string;
  readonly source: string;
  readonly span: Span;
}

/** A diagnostic at a span of `source`, which may be embedded in a file. Severity comes from the code. */
export function diagnostic(
  code: Code,
  source: Source,
  span: Span,
  message: string,
  help: string,
  related?: readonly Related[],
): Diagnostic {
  const severity: Severity = codes[code].severity;
  const base = { code, severity, message, source: source.name, span: source.toFile(span), help };
  return related ? { ...base, related } : base;
}

/** True if any finding forbids loading. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((d) => d.severity === "error");
}

/** Order for people: by file, then place, then code. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compare(a.source, b.source) || a.span.start - b.span.start || a.span.end - b.span.end || compare(a.code, b.code),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
