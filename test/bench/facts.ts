import { facts } from "../../facts/facts.ts";
import type { FactSet } from "../../schema/facts.ts";
import { commands } from "../corpus/commands.ts";
import { type Shape, shapes } from "../corpus/growth.ts";
import { emptyFiles, toolCall } from "../facts/effects/judge.ts";
import type { Report } from "./measure.ts";

const commandCount = 3_000;
const corpusRounds = 11;
const kilobytes = [1, 4, 16, 64] as const;
const growthRounds = 7;

/** Facts of a command as an engine computes them for a call that a rule asks about: all but secrets and text. */
function judge(command: string): FactSet {
  const set = facts.of(toolCall("bash", { command }), emptyFiles);
  void set.effects;
  return set;
}

/** Milliseconds of one judgement. */
function once(command: string): number {
  const started = performance.now();
  judge(command);
  return performance.now() - started;
}

/** The fastest of several judgements: growth is a matter of the code, not of what else the machine does. */
function fastest(command: string, rounds: number): number {
  return Math.min(...Array.from({ length: rounds }, () => once(command)));
}

function share(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** Every command of the corpus by its median over the rounds, which go over the whole corpus one after the other. */
function corpusTimes(list: readonly string[]): readonly number[] {
  for (let round = 0; round < 3; round++) for (const command of list) judge(command);
  const rounds = Array.from({ length: corpusRounds }, () => list.map(once));
  return list.map((_, i) =>
    share(
      rounds.map((times) => times[i] ?? 0).sort((a, b) => a - b),
      0.5,
    ),
  );
}

interface Growth {
  readonly shape: string;
  /** By length: 1, 4, 16 and 64 KB; each the fastest of several. */
  readonly milliseconds: readonly number[];
  /** Bytes per second over the longest length that is still understood or opaque. */
  readonly bytes_per_second: number;
  /** Factor by which time grows where the length doubles, over the last two lengths that were not refused. */
  readonly per_doubling: number;
  readonly understanding: readonly FactSet["understanding"][];
}

function growth(shape: Shape): Growth {
  const texts = kilobytes.map((size) => shape.of(size * 1024));
  const understanding = texts.map((text) => judge(text).understanding);
  for (const text of texts.slice(0, 3)) fastest(text, 3);
  const milliseconds = texts.map((text) => fastest(text, growthRounds));
  const last = Math.max(
    0,
    understanding.findLastIndex((one) => one !== "unknown"),
  );
  const before = Math.max(0, last - 1);
  const factor = (milliseconds[last] ?? 0) / (milliseconds[before] || 1);
  return {
    shape: shape.name,
    milliseconds,
    bytes_per_second: ((texts[last]?.length ?? 0) / (milliseconds[last] || 1)) * 1000,
    per_doubling: last === before ? 1 : Math.sqrt(factor),
    understanding,
  };
}

const time = (milliseconds: number): string =>
  milliseconds < 1 ? `${(milliseconds * 1000).toFixed(1)} µs` : `${milliseconds.toFixed(2)} ms`;

/** Median, 99th percentile and maximum over varied commands; growth with the length of a command, by shape. */
export function benchFacts(): Report {
  const list = commands(commandCount);
  const times = corpusTimes(list);
  const order = [...times.keys()].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  const sorted = order.map((i) => times[i] ?? 0);
  const corpus = { median: share(sorted, 0.5), p90: share(sorted, 0.9), p99: share(sorted, 0.99), max: sorted.at(-1) };
  const slowest = list[order.at(-1) ?? 0] ?? "";
  const grown = shapes.map(growth);
  const worst = Math.max(...grown.map((one) => one.milliseconds.at(-1) ?? 0));
  const lines = [
    `facts of ${list.length} commands`,
    ...Object.entries(corpus).map(([name, value]) => `  ${name.padEnd(6)}  ${time(value ?? 0).padStart(10)}`),
    `  slowest: ${slowest.length} characters, ${JSON.stringify(slowest.slice(0, 70))}`,
    `facts of one command of ${kilobytes.join(", ")} KB (* not understood, at once); factor by which a doubling grows it`,
    ...grown.map(line),
    `  longest 64 KB command: ${time(worst)}`,
  ];
  return { text: lines.join("\n"), numbers: { commands: list.length, corpus_ms: corpus, growth: grown } };
}

function line(one: Growth): string {
  const cells = one.milliseconds.map((value, i) =>
    `${time(value)}${one.understanding[i] === "unknown" ? "*" : " "}`.padStart(11),
  );
  const speed = `${(one.bytes_per_second / 1e6).toFixed(1)} MB/s`;
  return `  ${one.shape.padEnd(38)}${cells.join("")}  x ${one.per_doubling.toFixed(2)}  ${speed.padStart(11)}`;
}
