import type { BenchText } from "./redaction-texts.ts";

export interface Measured {
  readonly subject: string;
  /** Least processor time of all rounds: what else the machine does adds to the others. */
  readonly best_ms: number;
  readonly median_ms: number;
  readonly mb_per_s: number;
  /** Time of this over time of the first subject. */
  readonly ratio: number;
  readonly found: number;
  readonly rounds: number;
}

/** One text with the time of every subject on it. */
export interface MeasuredText {
  readonly text: string;
  readonly kind: BenchText["kind"];
  readonly bytes: number;
  /** Time over that of the clean text of the same size; only of texts that are not clean. */
  readonly above_clean?: number;
  readonly subjects: readonly Measured[];
}

/** Memory of one subject above the text. */
export interface Memory {
  readonly subject: string;
  readonly text: string;
  /** Undefined where the subject is not installed, or the system does not tell. */
  readonly bytes: number | undefined;
}
