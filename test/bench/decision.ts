import { atLeast, atMost, type Bar, digits } from "./bars.ts";
import { ownPlan, ruleLines, unindexed } from "./decision/hookwarden.ts";
import { lastPlain, type MixEvent, type MixRule, matching, mix, quiet, shares } from "./decision/mix.ts";
import { type Decider, type Peer, versioned } from "./decision/peer.ts";
import { peers } from "./decision/peers.ts";
import { measureShort, type Report, type Short, shownTime, type Timing, table } from "./measure.ts";
import { isQuick } from "./options.ts";

/** Every engine on one call, under so many rules. */
interface Run {
  readonly rules: number;
  readonly matching: boolean;
  readonly timings: readonly Timing[];
}

const names = peers.map(versioned);
const [ours] = names as [string, ...string[]];

/**
 * One decision on a call, by engines with the same rules, side by side; no engine reads the shell text. A test
 * (`decision.heavy.test.ts`) has them all say the same of the same calls.
 */
export async function benchDecision(): Promise<Report> {
  const sizes = isQuick() ? [10, 100, 1_000] : [10, 100, 1_000, 10_000];
  const rounds = isQuick() ? 9 : 25;
  const runs: Run[] = [];
  for (const count of sizes) runs.push(...(await compare(mix(count, shares.some), rounds)));
  const growths = await measureGrowth(rounds);
  const bars = barsOf(runs, growths);
  return {
    text: [mixText(), ...runs.map((run) => table(title(run), run.timings)), growthText(growths)].join("\n"),
    numbers: { mix: mixNumbers(), runs, growths },
    bars,
  };
}

async function compare(rules: readonly MixRule[], rounds: number): Promise<Run[]> {
  const deciders: (readonly [string, Decider])[] = [];
  for (const peer of peers) deciders.push([versioned(peer), await peer.load(rules)]);
  const on = async (event: MixEvent, matches: boolean): Promise<Run> => {
    const subjects = deciders.map(([name, decider]): Short => ({ name, run: decider.for(event) }));
    return { rules: rules.length, matching: matches, timings: await measureShort(subjects, rounds) };
  };
  return [await on(quiet, false), await on(matching(lastPlain(rules)), true)];
}

/** How one decision grows from 10 to 1,000 rules, by the part of them that the index cannot take. */
interface Growth {
  readonly share: keyof typeof shares;
  readonly rules: readonly number[];
  readonly timings: readonly Timing[];
  readonly growth: number;
}

async function measureGrowth(rounds: number): Promise<readonly Growth[]> {
  const sizes = [10, 100, 1_000];
  const [peer] = peers as [Peer, ...Peer[]];
  const found: Growth[] = [];
  for (const share of Object.keys(shares) as (keyof typeof shares)[]) {
    const subjects: Short[] = [];
    for (const count of sizes) {
      const decider = await peer.load(mix(count, shares[share]));
      subjects.push({ name: `${count} rules`, run: decider.for(quiet) });
    }
    const timings = await measureShort(subjects, rounds);
    const [few, , many] = timings;
    found.push({ share, rules: sizes, timings, growth: (many?.median ?? 0) / (few?.median || 1) });
  }
  return found;
}

function barsOf(runs: readonly Run[], growths: readonly Growth[]): readonly Bar[] {
  const hundred = runs.find(({ rules, matching: is }) => rules === 100 && !is)?.timings ?? [];
  const time = (name: string): number => hundred.find((one) => one.name.startsWith(name))?.median ?? Number.NaN;
  const own = hundred.find(({ name }) => name === ours)?.median ?? Number.NaN;
  const faster = (id: string, name: string, bar: number): Bar =>
    atLeast(
      `decision/${id}`,
      `times as fast as ${names.find((one) => one.startsWith(name))}, the same`,
      time(name) / own,
      bar,
      {
        unit: "x",
        ratio: own / time(name),
      },
    );
  const grown = (of: Growth["share"]): number => growths.find(({ share }) => share === of)?.growth ?? Number.NaN;
  return [
    atMost(
      "decision/closures",
      "dispatch, no digest or record, no shell parse, 100 rules, none matching",
      own * 1_000,
      1.5,
      {
        unit: " µs",
        ratio: own / time("closures"),
      },
    ),
    faster("cel-js", "@marcbachmann/cel-js", 5),
    faster("cedar", "cedar-wasm", 50),
    faster("casbin", "casbin", 50),
    faster("json-rules", "json-rules-engine", 50),
    atMost(
      "decision/growth",
      "growth of one decision from 10 to 1,000 rules, all of them in the index",
      grown("none"),
      2,
      {
        unit: "x",
        ratio: Math.max(1, grown("none")),
      },
    ),
    {
      id: "decision/growth-some",
      what: "the same, 2 % of the rules not in the index",
      bar: "stated",
      measured: `${digits(grown("some"))}x`,
      met: undefined,
      ratio: grown("some"),
    },
  ];
}

function mixNumbers(): Readonly<Record<string, number>> {
  const part = (every: number): number => unindexed(ownPlan(ruleLines(mix(300, every)))).length / 300;
  return Object.fromEntries(Object.entries(shares).map(([share, every]) => [share, part(every)]));
}

function mixText(): string {
  const parts = mixNumbers();
  const percent = (share: keyof typeof shares): string => `${((parts[share] ?? 0) * 100).toFixed(0)} %`;
  return [
    "one decision on a call of bash, all rules for bash: a tenth each of one text in the command, one of two, its beginning, its",
    "end, a pattern, a text and a user, a user and a text, two texts, a text or the beginning of a user, a text without another;",
    `of the rules ${percent("some")} cannot be taken by the index (a length, the absence of a text)`,
  ].join("\n");
}

function title({ rules, matching: is }: Pick<Run, "rules" | "matching">): string {
  return `${rules.toLocaleString("en")} rules, ${is ? "one matching" : "none matching"}`;
}

function growthText(growths: readonly Growth[]): string {
  const parts = mixNumbers();
  const lines = growths.map(({ share, rules, timings, growth }) => {
    const times = rules.map((count, i) => `${count}: ${shownTime(timings[i]?.median ?? 0)}`).join(", ");
    const part = `${((parts[share] ?? 0) * 100).toFixed(0)} % not in the index${share === "packs" ? " (as in `recommended`)" : ""}`;
    return `  ${part.padEnd(40)}  ${times}  x ${growth.toFixed(2)}`;
  });
  return ["growth of ours with the number of rules, none matching", ...lines].join("\n");
}
