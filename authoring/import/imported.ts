import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { Effect, GitleaksImport, NotCarried } from "./gitleaks.ts";

/** A file that is imported: its name for messages, and its bytes. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One thing of a file that the policy does not have, or has otherwise. */
export interface Left extends NotCarried {
  readonly source: Source;
}

/** What an import made of its files. `policy` is undefined only where a diagnostic says why. */
export interface Imported {
  readonly policy: string | undefined;
  readonly sources: readonly Source[];
  /** Rules, hooks or permissions in the files, and those of which the policy has something. */
  readonly rules: number;
  readonly carried: number;
  readonly notCarried: readonly Left[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The import of one file by an importer that knows of one only. */
export function fromOne(one: GitleaksImport): Imported {
  const { source } = one;
  const notCarried = source ? one.notCarried.map((item) => ({ ...item, source })) : [];
  return { ...one, sources: source ? [source] : [], notCarried };
}

/** Collects what stays behind, in the order of the files. */
export class Report {
  readonly #items: Left[] = [];

  /** Notes what a part of a file came to; `rule` is whose it is. */
  leave(source: Source, span: Span, rule: string | undefined, field: string, reason: string, effect: Effect): void {
    this.#items.push({ ...(rule !== undefined && { rule }), field, span, reason, effect, source });
  }

  /** All of it; what stands earlier in a file comes first. */
  items(sources: readonly Source[]): readonly Left[] {
    return [...this.#items].sort(
      (a, b) => sources.indexOf(a.source) - sources.indexOf(b.source) || a.span.start - b.span.start,
    );
  }
}
