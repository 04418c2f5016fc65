import { describe, expect, it } from "vitest";
import { Random } from "../language/random.ts";
import { outcomeOf, outcomeOfCommand, strictness } from "./judge.ts";
import { type KnownGap, strictBenign, strictMentions, weakened } from "./known-gaps.ts";
import { mentions } from "./mentions.ts";
import { benignSeeds, type Seed, strictSeeds } from "./seeds.ts";
import { alarming, toolChanges, transformations } from "./transformations.ts";

/**
 * What stays true of a decision when the call is written another way (threats page, section 1.2). Every test lists the
 * calls that break its property and compares them with the known gaps, so that a new one and a mended one both fail.
 */
const randomSeed = Number(process.env.HOOKWARDEN_TEST_SEED ?? 20_261_122);
const names = [...transformations.keys()];
const compositionsPerSeed = 40;

function apply(name: string, text: string, random: Random): string {
  const transformation = transformations.get(name);
  if (!transformation) throw new Error(`no transformation ${name}`);
  return transformation(text, random);
}

/** Seeds that a rewriting makes weaker, with what was decided about what, for the message of a failure. */
function weaker(seed: Seed, command: string): string | undefined {
  const outcome = outcomeOfCommand(command);
  return strictness[outcome] < strictness[seed.outcome] ? `${outcome}: ${command}` : undefined;
}

function gapsOf(table: readonly KnownGap[], transformation: string): string[] {
  return table.filter((gap) => gap.transformation === transformation).flatMap((gap) => gap.seeds);
}

/** Compares the seeds that break a property with those known to; the texts make a failure readable. */
function expectGaps(found: ReadonlyMap<string, string>, known: readonly string[]): void {
  const unknown = [...found].filter(([seed]) => !known.includes(seed));
  expect(unknown, "breaks the property").toEqual([]);
  expect(
    known.filter((seed) => !found.has(seed)),
    "is mended: remove its row",
  ).toEqual([]);
}

function collect(
  seeds: readonly Seed[],
  judge: (seed: Seed, index: number) => string | undefined,
): Map<string, string> {
  return new Map(
    seeds.flatMap((seed, index) => {
      const broken = judge(seed, index);
      return broken === undefined ? [] : [[seed.command, broken] as const];
    }),
  );
}

describe("seed calls", () => {
  it.each([...strictSeeds, ...benignSeeds])("$command: $outcome", ({ command, outcome }) => {
    expect(outcomeOfCommand(command)).toBe(outcome);
  });

  it("are at least 100, once each, under at least 20 transformations", () => {
    const commands = [...strictSeeds, ...benignSeeds].map((seed) => seed.command);
    expect(new Set(commands).size).toBe(commands.length);
    expect(commands.length).toBeGreaterThanOrEqual(100);
    expect(names.length).toBeGreaterThanOrEqual(20);
  });
});

describe(`a strict call stays as strict (seed ${randomSeed})`, () => {
  it.each(names)("under %s", (name) => {
    const found = collect(strictSeeds, (seed, index) =>
      weaker(seed, apply(name, seed.command, new Random(randomSeed + index))),
    );
    expectGaps(found, gapsOf(weakened, name));
  });

  it.each(Object.entries(toolChanges))("as a call of %s", (name, call) => {
    const found = collect(strictSeeds, (seed) => {
      const outcome = outcomeOf(call(seed.command));
      return strictness[outcome] < strictness[seed.outcome] ? outcome : undefined;
    });
    expectGaps(found, gapsOf(weakened, name));
  });

  it(`under ${compositionsPerSeed} compositions of two for each call`, () => {
    const found = new Map<string, string>();
    // A gap of one part is a gap of the composition, and has its row already.
    const whole = names.filter((name) => gapsOf(weakened, name).length === 0);
    const random = new Random(randomSeed);
    for (const seed of strictSeeds) {
      for (let i = 0; i < compositionsPerSeed; i++) {
        const [outer, inner] = [random.pick(whole), random.pick(whole)];
        const command = apply(outer, apply(inner, seed.command, random), random);
        const broken = weaker(seed, command);
        if (broken !== undefined) found.set(`${outer} after applying ${inner}: ${seed.command}`, broken);
      }
    }
    const composed = weakened
      .filter((gap) => gap.transformation.includes(" after applying "))
      .flatMap((gap) => gap.seeds.map((seed) => `${gap.transformation}: ${seed}`));
    expectGaps(found, composed);
  });
});

describe("a mention of a strict call is allowed", () => {
  it.each(Object.entries(mentions))("as %s", (name, call) => {
    const found = collect(strictSeeds, ({ command }) => {
      const outcome = outcomeOf(call(command));
      return outcome === "allow" ? undefined : outcome;
    });
    expectGaps(found, gapsOf(strictMentions, name));
  });
});

describe(`a benign call stays allowed (seed ${randomSeed})`, () => {
  it.each(names.filter((name) => !alarming.has(name)))("under %s", (name) => {
    const found = collect(benignSeeds, (seed, index) => {
      const command = apply(name, seed.command, new Random(randomSeed + index));
      const outcome = outcomeOfCommand(command);
      return outcome === "allow" ? undefined : `${outcome}: ${command}`;
    });
    expectGaps(found, gapsOf(strictBenign, name));
  });

  it("after and before every other benign call", () => {
    const random = new Random(randomSeed);
    const found = collect(benignSeeds, ({ command }) => {
      const other = random.pick(benignSeeds).command;
      const joined = `${other} ${random.pick(["&&", "||", ";", "|", "&", "\n"])} ${command}`;
      return outcomeOfCommand(joined) === "allow" ? undefined : joined;
    });
    expectGaps(found, gapsOf(strictBenign, "chain"));
  });
});
