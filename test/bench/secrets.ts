import { createRegexEngine } from "../../facts/regex.ts";
import { detectors, selectDetectors } from "../../facts/secrets/detectors.ts";
import { expandExample } from "../../facts/secrets/examples.ts";
import { scannerOf } from "../../facts/secrets/scan.ts";
import { createRedactingStream } from "../../facts/secrets/stream.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import type { Report } from "./measure.ts";
import { measure, table } from "./measure.ts";

const engine = createRegexEngine();
const { selected } = selectDetectors(["secrets/*"]);
const million = 1_000_000;
const large = 10 * million;

const logLine =
  "2026-11-21T10:15:02.123Z INFO [worker-7] request served in 12ms path=/api/items/42 status=200 bytes=1832 id=4711\n";

/** A text of a given length that repeats another. */
function repeated(part: string, length: number): string {
  return Buffer.from(part.repeat(Math.ceil(length / part.length)).slice(0, length)).toString("latin1");
}

/** Every pattern over the whole text, one after the other, compiled before: what a plain implementation does. */
function plainLoop(by: RegexEngine): (text: string) => number {
  const patterns = selected.flatMap(({ pattern }) => {
    const regex = by.compile(pattern);
    return "kind" in regex ? [] : [regex];
  });
  return (text) => patterns.reduce((count, regex) => count + regex.matches(text).length, 0);
}

/** The fastest of several runs in milliseconds: what the code costs, not what else the machine does. */
function fastest(run: () => unknown, rounds: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const started = performance.now();
    run();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** Texts that make keyword scanners slow. */
const hostile: readonly (readonly [string, string])[] = [
  ["one line", repeated(`${logLine.trim()} `, large)],
  ["equals signs", repeated("=", large)],
  ["base64", repeated(expandExample("{b9000}"), large)],
  ["one keyword", repeated("ghp_", large)],
  ["hexadecimal", repeated(expandExample("{h9000}"), large)],
];

function cold(): number {
  const started = performance.now();
  scannerOf(engine, selected).find(logLine);
  return performance.now() - started;
}

/** Detectors over clean and hostile text, beside a plain loop over the same patterns: fastest times and ratios of one run. */
export function benchSecrets(): Report {
  const start = cold();
  const scanner = scannerOf(engine, selected);
  const loop = plainLoop(engine);
  const clean = repeated(logLine, large);
  const small = repeated(logLine, 1_000);
  const loopText = repeated(logLine, million);
  const rate = (length: number, milliseconds: number): number => length / 1_000 / milliseconds;
  const cleanTime = fastest(() => scanner.find(clean), 9);
  const sideBySide = measure(
    [
      { name: "windows, 1 MB", run: () => scanner.find(loopText) },
      { name: "plain loop, 1 MB", run: () => loop(loopText) },
    ],
    3,
    1,
  );
  const keywords = repeated([...new Set(detectors.flatMap((row) => row.keywords))].join(" "), 100_000);
  const rounds = 500;
  const smallTime = fastest(() => {
    for (let i = 0; i < rounds; i++) scanner.find(small);
  }, 5);
  const numbers = {
    detectors: selected.length,
    cold_ms: start,
    clean_mb_per_s: rate(large, cleanTime),
    clean_1kb_us: (smallTime / rounds) * 1_000,
    stream_mb_per_s: rate(
      large,
      fastest(() => streamed(clean, scanner), 2),
    ),
    plain_loop_ratio: (sideBySide[1]?.median ?? 0) / (sideBySide[0]?.median ?? 1),
    all_keywords_ratio: fastest(() => scanner.find(keywords), 3) / fastest(() => loop(keywords), 2),
    hostile: hostile.map(([name, text]) => {
      const milliseconds = fastest(() => scanner.find(text), 2);
      return { name, mb_per_s: rate(large, milliseconds), times_clean: milliseconds / cleanTime };
    }),
  };
  return { text: `${shown(numbers)}\n${table("side by side", sideBySide)}`, numbers };
}

function streamed(text: string, scanner: ReturnType<typeof scannerOf>): number {
  const stream = createRedactingStream(scanner);
  let length = 0;
  for (let at = 0; at < text.length; at += 65_536) length += stream.push(text.slice(at, at + 65_536)).length;
  return length + stream.flush().length;
}

interface Numbers {
  readonly detectors: number;
  readonly cold_ms: number;
  readonly clean_mb_per_s: number;
  readonly clean_1kb_us: number;
  readonly stream_mb_per_s: number;
  readonly all_keywords_ratio: number;
  readonly hostile: readonly { readonly name: string; readonly mb_per_s: number; readonly times_clean: number }[];
}

function shown(numbers: Numbers): string {
  return [
    `redaction, ${numbers.detectors} detectors`,
    `  first scan               ${numbers.cold_ms.toFixed(1)} ms`,
    `  clean log text, 10 MB    ${numbers.clean_mb_per_s.toFixed(0)} MB/s`,
    `  clean log text, 1 KB     ${numbers.clean_1kb_us.toFixed(1)} µs`,
    `  the same as a stream     ${numbers.stream_mb_per_s.toFixed(0)} MB/s`,
    `  all keywords, 100 KB     x ${numbers.all_keywords_ratio.toFixed(2)} of a plain loop`,
    ...numbers.hostile.map(
      (one) =>
        `  10 MB: ${one.name.padEnd(16)}  ${one.mb_per_s.toFixed(0)} MB/s, x ${one.times_clean.toFixed(1)} of clean`,
    ),
  ].join("\n");
}
