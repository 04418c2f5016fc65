import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** The seeds by name. Their texts are not ours to copy: they are read from where they stand. */
export const seedNames = [
  "gastown-hooks-v1.1",
  "omp-authoring-hooks",
  "omp-hooks",
  "opta-hook-system",
  "pi-hook-reference",
] as const;

/** Name of a seed. */
export type SeedName = (typeof seedNames)[number];

/**
 * The folder of the seeds: what `HOOKWARDEN_SEEDS` names, else `../shared/seeds` beside the checkout. Undefined where there
 * is none; a folder that the variable names must be there.
 */
export function seedFolder(environment = process.env): string | undefined {
  const named = environment["HOOKWARDEN_SEEDS"];
  const folder = named ?? join(import.meta.dirname, "../../../shared/seeds");
  if (existsSync(join(folder, "omp-hooks.md"))) return folder;
  if (named !== undefined) throw new Error(`HOOKWARDEN_SEEDS names a folder without the seeds: ${named}`);
  return undefined;
}

/** Tests of the seeds' own texts. Where those are not beside the checkout, one test says so; `HOOKWARDEN_SEEDS` makes that a failure. */
export function withSeeds(title: string, tests: () => void): void {
  if (seedFolder() !== undefined) describe(title, tests);
  else it(`${title}: needs the seeds beside the checkout`, () => expect(seedFolder()).toBeUndefined());
}

/** The text of a seed, byte for byte; empty where the seeds are not there, and nothing of it is run. */
export function seedText(name: SeedName): string {
  const folder = seedFolder();
  return folder === undefined ? "" : readFileSync(join(folder, `${name}.md`), "utf8");
}

/** A code block of a seed, byte for byte. */
export interface SeedBlock {
  /** `<seed> <n>`, counted from 1. */
  readonly id: string;
  readonly seed: SeedName;
  /** What stands behind its fence; `none` where nothing does. */
  readonly language: string;
  /** The line above it, a heading or bold text. */
  readonly above: string;
  readonly text: string;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}

/** Every code block of a seed in its order; none where the seeds are not there. */
export function seedBlocks(seed: SeedName): SeedBlock[] {
  const whole = seedText(seed);
  const found = whole.includes("\n```") ? fenced : unfenced;
  return [...whole.matchAll(found)].map(({ index, groups }, at) => {
    const { language, text = "" } = groups ?? {};
    return {
      id: `${seed} ${at + 1}`,
      seed,
      language: language === undefined ? "typescript" : language || "none",
      above: whole.slice(0, index).trimEnd().split("\n").at(-1) ?? "",
      text,
      digest: createHash("sha256").update(text).digest("hex"),
    };
  });
}

const fenced = /^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm;
/** One seed has lost its fences: its code begins with an import or a registration, and ends with the first closing brace at the margin. */
const unfenced = /^(?<text>(?:import type |omp\.on\()[\s\S]*?^\}(?:\);)?\n)/gm;
