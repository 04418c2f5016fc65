import type { Confidence } from "./detector.ts";

/** One secret in a text: UTF-16 offsets of the secret itself, and the detector that found it. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly detector: string;
  readonly confidence: Confidence;
}
