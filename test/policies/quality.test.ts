import { describe, expect, it } from "vitest";
import { measurePack } from "../../scripts/packs/measure.ts";
import { measurePacks } from "../../scripts/packs/threads.ts";

/** What `npm run test:packs` measures; the table of all packs is its own run, since it takes minutes. */
describe("the quality of packs", () => {
  it("is what check, coverage and mutation testing find in the pack's own text", () => {
    const { pack, findings, failures, rules, mutants } = measurePack("gastown-defaults");
    expect({ pack, findings, failures, rules }).toEqual({
      pack: "gastown-defaults",
      findings: [],
      failures: [],
      rules: { reached: 3, wanted: 3 },
    });
    expect(mutants.map(({ of, noticed }) => [of, noticed])).toEqual([
      ["policy", true],
      ["policy", true],
      ["prime", true],
      ["sync", true],
      ["tap-guard", true],
    ]);
  });

  it("is the same on any number of threads, in the order of the names", async () => {
    const packs = ["opta-builtins", "gastown-defaults"];
    const told: string[] = [];
    const found = await measurePacks(packs, 2, ({ pack }) => told.push(pack));
    expect(found).toEqual(packs.map(measurePack));
    expect(told.sort()).toEqual([...packs].sort());
  });

  it("is no quality where there is no such pack", async () => {
    const [missing] = await measurePacks(["no-such-pack"], 1);
    expect(missing).toMatchObject({ findings: ["there is no pack `no-such-pack`"], mutants: [] });
  });
});
