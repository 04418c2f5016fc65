import type { Detector } from "./detector.ts";

/** Detectors that a scanner looks for, in the order of the table. */
export class Selection {
  readonly ids: readonly string[];
  /** Its rows in the table, as text; undefined for detectors that are not taken from the table. */
  readonly key: string | undefined;
  readonly #read: () => readonly Detector[];
  #rows: readonly Detector[] | undefined;

  /** `read` is called when a row is first needed: most texts hold no keyword, and reading the table takes long. */
  constructor(ids: readonly string[], key: string | undefined, read: () => readonly Detector[]) {
    this.ids = ids;
    this.key = key;
    this.#read = read;
  }

  /** Selects detectors that need not be in the table. */
  static of(rows: readonly Detector[]): Selection {
    return new Selection(
      rows.map(({ id }) => id),
      undefined,
      () => rows,
    );
  }

  get rows(): readonly Detector[] {
    this.#rows ??= this.#read();
    return this.#rows;
  }
}
