import { parseArgs } from "node:util";
import type { SampleSize } from "./sample.ts";

/** What `npm run test:attacks` is to carry out. */
export interface AttackOptions {
  /** Hosts by name; all where none is named. */
  readonly hosts: readonly string[];
  /** Parts by name; all where none is named. */
  readonly parts: readonly string[];
  /** A sample of each part; all of it where none is asked for. */
  readonly sample?: SampleSize;
}

/** Reads the words after `npm run test:attacks --`; a text says how it is used where one of them is wrong. */
export function readOptions(
  given: readonly string[],
  hosts: readonly string[],
  parts: readonly string[],
): AttackOptions | string {
  const usage = `usage: npm run test:attacks -- [${hosts.join("|")}] [${parts.join("|")}] [--sample N [--seed S]]`;
  try {
    const options = { sample: { type: "string" }, seed: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true });
    if (positionals.some((word) => !hosts.includes(word) && !parts.includes(word))) return usage;
    const named = { hosts: hosts.filter(among(positionals)), parts: parts.filter(among(positionals)) };
    const { sample, seed = "1" } = values;
    if (sample === undefined) return values.seed === undefined ? named : usage;
    if (!/^[1-9]\d{0,3}$/.test(sample) || !/^\d{1,15}$/.test(seed)) return usage;
    return { ...named, sample: { size: Number(sample), seed: Number(seed) } };
  } catch {
    return usage;
  }
}

const among =
  (words: readonly string[]) =>
  (word: string): boolean =>
    words.includes(word);
