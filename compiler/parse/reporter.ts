import type { Code } from "../../diagnostics/codes.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";

/** Most findings of one expression; more would not help its author. */
const mostFindings = 25;

/** Collects the diagnostics of one expression. It takes spans counted from `base` and reports them in the author's file. */
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

  /** Reports text that is no token, and records it, so that a grammar error at the same place is not reported again. */
  reportStray(span: Span, message: string, help: string): void {
    if (!this.full) this.#strays.push(span);
    this.report("HW202", span, message, help);
  }

  /** True if `span` contains text that is no token. */
  hasStray(span: Span): boolean {
    return this.#strays.some((stray) => stray.start >= span.start && stray.end <= span.end);
  }

  /** Converts a span of the lexed text to a span of the file. */
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
