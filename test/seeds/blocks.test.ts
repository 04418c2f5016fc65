import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadHooks } from "../../adapters/hooks/loader.ts";
import { HookRunner } from "../../adapters/hooks/runner.ts";
import digests from "./blocks.json" with { type: "json" };
import { blockRuns, moduleText, profilesOf } from "./hook-blocks.ts";
import { type SeedBlock, seedBlocks, seedFolder, seedNames } from "./seed-text.ts";

/**
 * The code blocks of the seeds, byte for byte, from where the seeds stand. Their texts are not part of this repository: a
 * checkout without them runs what it has, and `HOOKWARDEN_SEEDS` names a folder that must be there.
 */
const found = seedFolder();
const blocks = seedNames.flatMap(seedBlocks);
const known: Readonly<Record<string, string>> = digests;

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-blocks-")));
});

afterAll(() => rmSync(folder, { recursive: true }));

const isModule = ({ seed, language }: Pick<SeedBlock, "seed" | "language">): boolean =>
  profilesOf[seed] !== undefined && /^(?:ts|typescript)$/.test(language);

describe("code blocks of the seeds", () => {
  it("are known by their bytes, every one", () => {
    const seen = Object.fromEntries(blocks.map(({ id, language, digest }) => [id, `${language} ${digest}`]));
    expect(found === undefined ? known : seen).toEqual(known);
    expect(Object.keys(known)).toHaveLength(51);
  });

  it("that are hook modules are all run", () => {
    const ids = Object.entries(known).flatMap(([id, value]) => {
      const seed = seedNames.find((name) => id.startsWith(`${name} `)) as SeedBlock["seed"];
      return isModule({ seed, language: value.split(" ")[0] ?? "" }) ? [id] : [];
    });
    expect(Object.keys(blockRuns).sort()).toEqual(ids.sort());
    expect(ids).toHaveLength(34);
  });

  it("must be there where a folder is named for them", () => {
    expect(() => seedFolder({ HOOKWARDEN_SEEDS: join(folder, "gone") })).toThrow("without the seeds");
  });

  for (const block of blocks.filter(isModule)) {
    for (const profile of profilesOf[block.seed] ?? []) {
      it(`${block.id} loads and runs by the rules of ${profile}`, async () => {
        const { given, run } = blockRuns[block.id] ?? {};
        const name = `${block.id.replaceAll(" ", "-")}-${profile}.ts`;
        const source = moduleText(block, given);
        expect(source).toContain(block.text);
        writeFileSync(join(folder, name), source);
        const loaded = await loadHooks([name], folder, { home: folder, profile });
        expect([loaded.errors, loaded.warnings]).toEqual([[], []]);
        const runner = new HookRunner(loaded.hooks, { cwd: folder, profile });
        const faults: unknown[] = [];
        runner.onError((fault) => faults.push(fault));
        runner.initialize({});
        await run?.(runner, folder);
        expect(faults).toEqual([]);
      });
    }
  }
});
