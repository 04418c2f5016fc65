import { join } from "node:path";
import { expect, it } from "vitest";
import type { profiles } from "../../adapters/hooks/profiles.ts";
import { type LooseApi, type LooseFactory, runnerOf } from "../adapters/hooks/modules.ts";
import { codeBlocks } from "./code-blocks.ts";
import { type SeedName, seedText, withSeeds } from "./seed-text.ts";
import { repository, typeErrors } from "./type-errors.ts";

/*
 * Every `pi.x`, `ctx.x` and `event.x` that a seed names exists: on the objects that modules get, and on the types that
 * their authors see. What a comment or a sentence names counts like what code uses.
 */
const seeds: readonly [SeedName, keyof typeof profiles][] = [
  ["pi-hook-reference", "pi"],
  ["omp-hooks", "omp-hookapi"],
  ["omp-authoring-hooks", "omp-hookapi"],
];

const unique = (found: Iterable<RegExpMatchArray>): string[] => [...new Set([...found].map(([, name]) => name ?? ""))];
/** Methods of the API that a text names. `docs/pi.md` and the like are no calls of it. */
const apiNames = (text: string) => unique(text.matchAll(/\b(?:pi|omp)\.([a-z]\w*)(?=\(|`|\b<)/g));
/** Paths below the context: `ui.confirm`, `sessionManager.getBranch`. */
const contextNames = (text: string) => unique(text.matchAll(/\bctx\.([a-z]\w*(?:\.[a-z]\w*)?)/g));
const eventFields = (text: string) => unique(text.matchAll(/\bevent\.([a-z]\w*)/g));

/** The fields that each registration of an event uses or is said to have, by event. */
function fieldsByEvent(code: string): [event: string, fields: string[]][] {
  const parts = code.split(/(?=\b(?:pi|omp)\.on\(")/);
  return parts.flatMap((part) => {
    const event = /^(?:pi|omp)\.on\("([^"]+)"/.exec(part)?.[1];
    return event === undefined ? [] : [[event, eventFields(part)] as [string, string[]]];
  });
}

/** A module that names types in a list, each a line. */
function moduleOf(lines: readonly string[]): string {
  const index = JSON.stringify(join(repository, "adapters/hooks/index.ts"));
  const names = "HookAPI, HookCommandContext, HookEventMap, WritableSession";
  return [`import type { ${names} } from ${index};`, "export type Named = [", ...lines, "];"].join("\n");
}

const indexed = (path: string) =>
  path
    .split(".")
    .map((name) => `[${JSON.stringify(name)}]`)
    .join("");

for (const [seed, profile] of seeds)
  withSeeds(`names of ${seed} on the objects of profile ${profile}`, () => {
    const text = seedText(seed);

    it("every method of the API is one that the API has", () => {
      let api: LooseApi | undefined;
      const keeps: LooseFactory = (given) => void (api = given);
      runnerOf(profile, [keeps]);
      const names = apiNames(text);
      expect(names).toContain("on");
      expect(names.filter((name) => typeof api?.[name as keyof LooseApi] !== "function")).toEqual([]);
    });

    it("every member of the context is one that handlers get, or handlers of commands", async () => {
      let ctx: unknown;
      const keeps: LooseFactory = (api) =>
        api.registerCommand("keep", { handler: (_args, given) => void (ctx = given) });
      await runnerOf(profile, [keeps]).runner.runCommand("keep", "");
      const names = contextNames(text);
      const missing = names.filter((path) => {
        let value: unknown = ctx;
        for (const name of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[name];
        return value === undefined;
      });
      expect([names.length > 0, missing]).toEqual([true, []]);
    });
  });

withSeeds("names of the seeds on the types", () => {
  it("every name is there for an author, in its own event, and a name that is not is found", async () => {
    const lines = seeds.flatMap(([seed]) => [
      ...apiNames(seedText(seed)).map((name) => `HookAPI${indexed(name)},`),
      ...contextNames(seedText(seed)).map((path) => `HookCommandContext${indexed(path)},`),
      ...codeBlocks(seed)
        .flatMap(fieldsByEvent)
        .flatMap(([event, fields]) => fields.map((field) => `HookEventMap["${event}"]["event"]["${field}"],`)),
    ]);
    expect(lines.length).toBeGreaterThan(80);
    const named = moduleOf([...lines, 'WritableSession["appendMessage"],']);
    const wrong = moduleOf(['HookAPI["sendNothing"],', 'HookEventMap["input"]["event"]["nothing"],']);
    const [ofNamed, ofWrong] = await typeErrors(named, wrong);
    expect(ofNamed).toEqual([]);
    expect(ofWrong).toHaveLength(2);
  });
});
