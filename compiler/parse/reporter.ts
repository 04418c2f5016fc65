import type { Code } from "../../diagnostics/codes.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";

/** Findings that one expression may list; more help nobody. */
const mostFindings = 25;

/** Collects the diagnostics of one expression. Spans come in counted from `base` and go out in the author's file. */
export class Reporter {
  readonly #source: Source;
  readonly #base: number;
  readonly #found: Diagnostic[] = [];
  readonly #strays: Span[] = [];

  constructor(source: Source, base: number) {
    this.#source = source;
    this.#base = base;
  }

  /** True once further findings would be dropped. */
  get full(): boolean {
    return this.#found.length >= mostFindings;
  }

  report(code: Code, span: Span, message: string, help: string): void {
    if (!this.full) this.#found.push(diagnostic(code, this.#source, this.#outward(span), message, help));
  }

  /** Reports text that is no token. An error of the grammar at the same place would say it twice. */
  reportStray(span: Span, message: string, help: string): void {
    if (!this.full) this.#strays.push(span);
    this.report("HW202", span, message, help);
  }

  /** True if text that is no token stands in `span`. */
  hasStray(span: Span): boolean {
    return this.#strays.some((stray) => stray.start >= span.start && stray.end <= span.end);
  }

  /** A span of the lexed text as a span of the file. */
  toFile(span: Span): Span {
    return this.#source.toFile(this.#outward(span));
  }

  /** All findings, in the order of the text. */
  get diagnostics(): Diagnostic[] {
    return sortDiagnostics(this.#found);
  }

  #outward(span: Span): Span {
    return { start: span.start + this.#base, end: span.end + this.#base };
  }
}
