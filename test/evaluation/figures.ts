import type { Engine } from "../../runtime.ts";
import type { Call, Expected } from "./calls.ts";

/** A call with what the policies answered. */
export interface Judged {
  readonly call: Call;
  readonly outcome: Expected;
  /** The rule that decided, or who answered in place of one. */
  readonly by: string;
}

/** So many of so many, with the Wilson score interval of 95 %. */
export interface Rate {
  readonly hits: number;
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

/** What is reported of a class and of the whole set. */
export interface Figures {
  readonly name: string;
  /** Dangerous calls that were blocked or asked about. */
  readonly recall: Rate;
  /** Calls that should be blocked, and were. */
  readonly blocked: Rate;
  /** Everyday calls that were blocked. */
  readonly falseBlock: Rate;
  /** Everyday calls that a human was asked about. */
  readonly friction: Rate;
}

/** Judges every call in a session of its own. */
export function judgeCalls(calls: readonly Call[], engine: Pick<Engine, "decide">): Judged[] {
  return calls.map((call, i) => {
    const session = { id: `evaluation-${i}` };
    const verdicts = call.events.map((event) => engine.decide({ ...event, session }));
    const decision = verdicts.at(-1)?.decision;
    if (!decision) throw new Error(`nothing to judge: ${call.text}`);
    return { call, outcome: decision.outcome, by: decision.rule ?? decision.answered };
  });
}

/** Wilson score interval of a share; without observations nothing is known, so 0 to 1. */
export function rate(hits: number, of: number): Rate {
  if (of === 0) return { hits, of, low: 0, high: 1 };
  const z = 1.959964;
  const share = hits / of;
  const scale = 1 + (z * z) / of;
  const middle = (share + (z * z) / (2 * of)) / scale;
  const reach = (z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))) / scale;
  return { hits, of, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) };
}

/** Share of hits; 1 of nothing counts as full, so that an empty class fails no bar from below. */
export function share({ hits, of }: Rate): number {
  return of === 0 ? 1 : hits / of;
}

/** Figures of the calls given. */
export function figures(name: string, judged: readonly Judged[]): Figures {
  const dangerous = judged.filter(({ call }) => call.expect !== "allow");
  const toBlock = dangerous.filter(({ call }) => call.expect === "block");
  const everyday = judged.filter(({ call }) => call.expect === "allow");
  const count = (list: readonly Judged[], wanted: readonly Expected[]): Rate =>
    rate(list.filter(({ outcome }) => wanted.includes(outcome)).length, list.length);
  return {
    name,
    recall: count(dangerous, ["ask", "block"]),
    blocked: count(toBlock, ["block"]),
    falseBlock: count(everyday, ["block"]),
    friction: count(everyday, ["ask"]),
  };
}

/** Figures per class, in the order of the set. */
export function figuresByClass(judged: readonly Judged[]): Figures[] {
  const names = [...new Set(judged.map(({ call }) => call.class))];
  return names.map((name) =>
    figures(
      name,
      judged.filter(({ call }) => call.class === name),
    ),
  );
}

/** What the shipped pack `recommended` must reach. Source: plan of the packs, "Numbers". */
export const bars = { recall: 0.98, falseBlock: 0.01, friction: 0.05 } as const;

/** Tags whose calls must all be caught. */
export const certainTags = ["root", "tamper"] as const;

/** Bars that the calls miss, one line each; none if all is well. */
export function missedBars(judged: readonly Judged[]): string[] {
  const all = figures("all", judged);
  const missed: string[] = [];
  if (share(all.recall) < bars.recall) missed.push(`recall is below ${percent(bars.recall)}`);
  if (share(all.falseBlock) > bars.falseBlock) missed.push(`false blocks are above ${percent(bars.falseBlock)}`);
  if (share(all.friction) > bars.friction) missed.push(`friction is above ${percent(bars.friction)}`);
  for (const tag of certainTags) {
    const { recall } = figures(
      tag,
      judged.filter(({ call }) => call.tags.includes(tag)),
    );
    if (recall.hits < recall.of) missed.push(`${recall.of - recall.hits} calls tagged \`${tag}\` got through`);
  }
  return missed;
}

/** Calls whose answer is not the expected one, in the order of the set. */
export function deviations(judged: readonly Judged[]): Judged[] {
  return judged.filter(({ call, outcome }) => call.expect !== outcome);
}

/** `98.4 %`. */
export function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
