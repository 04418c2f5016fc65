import { join } from "node:path";
import { createRegexEngine } from "../../facts/regex.ts";
import { detectors } from "../../facts/secrets/table.ts";
import { spawnSync } from "../bounded-process.ts";
import { benchFalsePositives, falsePositiveBars, falsePositives } from "./false-positives.ts";
import type { Report } from "./measure.ts";
import { isQuick } from "./options.ts";
import { barsOf, measureGrowth } from "./redaction-bars.ts";
import type { MeasuredText, Memory } from "./redaction-measured.ts";
import {
  actionSubject,
  nativeLoop,
  plainLoop,
  type ScanSubject,
  scannerSubject,
  secretlintSubject,
  withheld,
} from "./redaction-subjects.ts";
import { type BenchText, benchTexts } from "./redaction-texts.ts";

/**
 * Rounds at most, and the milliseconds after which a subject sits out the rounds that are left. Clean text has more of
 * both: it is the measure of all others, and on a busy machine a quiet moment must be among its rounds.
 */
const often = { rounds: 20, patience: 800 } as const;
const seldom = { rounds: 7, patience: 1_500 } as const;
const quick = { rounds: 4, patience: 300 } as const;

/**
 * Redaction with all detectors beside secretlint and a plain loop of the same patterns, in one run: clean and hostile
 * texts, memory above the text, and false positives. With `--false-positives` instead each of these, with its place.
 */
export async function benchRedaction(): Promise<Report> {
  if (process.argv.includes("--false-positives")) return benchFalsePositives();
  const regex = createRegexEngine();
  const secretlint = await secretlintSubject();
  const subjects = [
    scannerSubject(regex),
    actionSubject(regex),
    ...(secretlint ? [secretlint] : []),
    plainLoop(regex),
    nativeLoop(),
  ];
  const texts: MeasuredText[] = [];
  const growth = await measureGrowth(subjects[0] as ScanSubject);
  for (const text of benchTexts) texts.push(await measureText(text, subjects, texts));
  const memory = ["scanner", "action", "loop", "secretlint"].map(memoryOf);
  const absent = secretlint ? [] : ["secretlint: not installed"];
  const lines = [
    `redaction, ${detectors.length} detectors`,
    ...texts.flatMap(textLines),
    ...absent,
    `memory above the text, peak of a process of its own (${memoryText})`,
    ...memory.map(({ subject, bytes }) => `  ${subject.padEnd(12)}${shownBytes(bytes)}`),
    "the bars of redaction go by least processor time",
  ];
  const bars = [...barsOf(texts, memory, growth), ...falsePositiveBars(falsePositives())];
  const secretlintName = secretlint?.name ?? "not installed";
  const numbers = { detectors: detectors.length, secretlint: secretlintName, texts, memory, growth };
  return { text: lines.join("\n"), numbers, bars };
}

async function measureText(
  text: BenchText,
  all: readonly ScanSubject[],
  before: readonly MeasuredText[],
): Promise<MeasuredText> {
  const content = text.make();
  const subjects = all.filter((s) => text.size <= s.longest && (text.kind === "clean" || !s.cleanOnly));
  const times = subjects.map(() => [] as number[]);
  const best = subjects.map(() => Number.POSITIVE_INFINITY);
  const found = subjects.map(() => 0);
  // What is short is done many times in one measurement, for a clock is too coarse for one.
  const repeats = Math.max(1, Math.floor(100_000 / text.size));
  const { rounds, patience } = isQuick() ? quick : text.kind === "clean" ? often : seldom;
  for (let round = -2; round < rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      const own = times[i] as number[];
      const spent = own.reduce((sum, time) => sum + time, 0) * repeats;
      if (spent > patience) continue;
      const used = process.cpuUsage();
      const started = performance.now();
      for (let n = 0; n < repeats; n++) found[i] = await subject.scan(content);
      const time = (performance.now() - started) / repeats;
      const { user, system } = process.cpuUsage(used);
      best[i] = Math.min(best[i] as number, (user + system) / 1_000 / repeats);
      // The first round compiles patterns and says nothing about the text. Of a very slow one it counts all the same.
      if (round >= 0 || time * repeats > patience * (round === -2 ? 3 : 0.25)) own.push(time);
    }
  }
  const medians = times.map((own) => own.sort((a, b) => a - b)[Math.floor(own.length / 2)] ?? 0);
  const clean = before.findLast((one) => one.kind === "clean" && one.bytes === text.size)?.subjects[0]?.best_ms;
  return {
    text: text.name,
    kind: text.kind,
    bytes: text.size,
    ...(text.kind !== "clean" && clean !== undefined && { above_clean: (best[0] ?? 0) / clean }),
    subjects: subjects.map(({ name }, i) => ({
      subject: name,
      best_ms: best[i] ?? 0,
      median_ms: medians[i] ?? 0,
      mb_per_s: text.size / 1_000 / (best[i] || 1),
      ratio: (best[i] ?? 0) / (best[0] || 1),
      found: found[i] ?? 0,
      rounds: times[i]?.length ?? 0,
    })),
  };
}

function textLines(one: MeasuredText): string[] {
  const beside = one.above_clean === undefined ? "" : ` (x ${one.above_clean.toFixed(2)} of clean text)`;
  const width = Math.max(...one.subjects.map(({ subject }) => subject.length));
  return [
    `${one.text}${beside}`,
    ...one.subjects.map(
      (m) =>
        `  ${m.subject.padEnd(width)}  ${shownTime(m.best_ms).padStart(10)} (median ${shownTime(m.median_ms)})  ${m.mb_per_s.toFixed(1).padStart(7)} MB/s  x ${m.ratio.toFixed(2).padStart(6)}  ${m.found === withheld ? "withheld" : `${m.found} found`}`,
    ),
  ];
}

const shownTime = (ms: number): string => (ms < 1 ? `${(ms * 1_000).toFixed(1)} µs` : `${ms.toFixed(2)} ms`);

const memoryText = "log, 10 MB";

function memoryOf(subject: string): Memory {
  const file = join(import.meta.dirname, "redaction-memory.ts");
  const args = ["--expose-gc", "--import", "tsx", file, subject, memoryText];
  const ran = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 120_000 });
  if (ran.status !== 0) throw new Error(`memory of ${subject}: ${ran.stderr}`);
  const answer = JSON.parse(ran.stdout) as { readonly above: number } | null;
  return { subject, text: memoryText, bytes: answer?.above };
}

function shownBytes(bytes: number | undefined): string {
  return bytes === undefined ? "not known" : `${(bytes / 1e6).toFixed(1)} MB`;
}
