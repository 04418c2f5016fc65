import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { Effect, GitleaksImport, NotCarried } from "./gitleaks.ts";

/** An imported file: its name for messages, and its bytes. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One part of a file that the policy lacks, or has in another form. */
export interface Left extends NotCarried {
  readonly source: Source;
}

/** Result of an import. `policy` is undefined only if a diagnostic gives the reason. */
export interface Imported {
  readonly policy: string | undefined;
  readonly sources: readonly Source[];
  /** Number of rules, hooks or permissions in the files, and of those with a part in the policy. */
  readonly rules: number;
  readonly carried: number;
  readonly notCarried: readonly Left[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Converts the result of an importer that takes one file only. */
export function fromOne(one: GitleaksImport): Imported {
  const { source } = one;
  const notCarried = source ? one.notCarried.map((item) => ({ ...item, source })) : [];
  return { ...one, sources: source ? [source] : [], notCarried };
}

/** Collects omissions, in the order of the files. */
export class Report {
  readonly #items: Left[] = [];

  /** Notes the result for a part of a file; `rule` is the rule that it belongs to. */
  leave(source: Source, span: Span, rule: string | undefined, field: string, reason: string, effect: Effect): void {
    this.#items.push({ ...(rule !== undefined && { rule }), field, span, reason, effect, source });
  }

  /** Returns all items, by their position in the files. */
  items(sources: readonly Source[]): readonly Left[] {
    return [...this.#items].sort(
      (a, b) => sources.indexOf(a.source) - sources.indexOf(b.source) || a.span.start - b.span.start,
    );
  }
}
