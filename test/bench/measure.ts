import type { Bar } from "./bars.ts";

/** One thing to time. `run` does it once; `prepare` makes fresh input that is not timed. */
export interface Subject<T = unknown> {
  readonly name: string;
  prepare?(): T;
  run(input: T): unknown;
}

/** One section of the bench: tables for people, the same numbers for programs, and the bars that it has. */
export interface Report {
  readonly text: string;
  readonly numbers: unknown;
  readonly bars?: readonly Bar[];
  /** What could not be measured here, and why. */
  readonly notRun?: readonly string[];
}

/** Median and quartiles of the times of one subject, in milliseconds. */
export interface Timing {
  readonly name: string;
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * Times subjects side by side: every round runs each of them once, so that whatever else the machine does meets all alike.
 * A few rounds before are not counted, for they are spent on loading and compiling code. What waits, for other
 * processes or the disk, is timed by the wall clock; what only works, by `stopwatch`.
 */
export function measure(
  subjects: readonly Subject[],
  rounds: number,
  warmUp: number,
  clock: () => () => number = wallClock,
): readonly Timing[] {
  const times = subjects.map(() => [] as number[]);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      const input = subject.prepare?.();
      const elapsed = clock();
      subject.run(input);
      const time = elapsed();
      if (round >= 0) times[i]?.push(time);
    }
  }
  return subjects.map(({ name }, i) => timing(name, times[i] ?? []));
}

function timing(name: string, times: readonly number[]): Timing {
  return { name, median: quantile(times, 0.5), lower: quantile(times, 0.25), upper: quantile(times, 0.75) };
}

/** The value below which this part of the others lies; 0 where there are none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** One thing to time that takes microseconds: it is done many times in a row, and may be a promise. */
export interface Short {
  readonly name: string;
  run(): unknown;
}

/** Of a subject that is done many times: enough before that its code is compiled, and enough at once for a clock. */
const warmUpMs = 200;
const sliceMs = 3;

/**
 * Times short subjects side by side: each round gives every subject one slice of some milliseconds, so that whatever else
 * the machine does meets all alike. Times are those of one run by `stopwatch`, in milliseconds.
 */
export async function measureShort(subjects: readonly Short[], rounds: number): Promise<readonly Timing[]> {
  const repeats: number[] = [];
  for (const subject of subjects) repeats.push(await repeatsOf(subject));
  const times = subjects.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      const count = repeats[i] as number;
      times[i]?.push((await slice(subject, count)) / count);
    }
  }
  return subjects.map(({ name }, i) => timing(name, times[i] ?? []));
}

/** How often a subject runs in one slice; found while it warms up. */
async function repeatsOf(subject: Short): Promise<number> {
  let count = 1;
  let each = Number.POSITIVE_INFINITY;
  for (let spent = 0; spent < warmUpMs; count = Math.min(1e6, count * 2)) {
    const time = await slice(subject, count);
    each = time / count;
    spent += time;
  }
  return Math.max(1, Math.min(1e6, Math.round(sliceMs / (each || 1e-6))));
}

/** What the last run gave: it must go somewhere, or a compiler could leave the run out. */
export let last: unknown;

async function slice(subject: Short, count: number): Promise<number> {
  const elapsed = stopwatch();
  const given = subject.run();
  if (given instanceof Promise) {
    await given;
    for (let n = 1; n < count; n++) last = await subject.run();
  } else {
    for (let n = 1; n < count; n++) last = subject.run();
  }
  return elapsed();
}

/** Milliseconds since now, whatever happens meanwhile. */
export function wallClock(): () => number {
  const started = performance.now();
  return () => performance.now() - started;
}

/**
 * Milliseconds since now by the wall clock or by processor time, whichever is less: what one thread works is no more than
 * either, while the one counts other programs too, and the other the platform's own threads.
 */
export function stopwatch(): () => number {
  const used = process.cpuUsage();
  const started = performance.now();
  return () => {
    const wall = performance.now() - started;
    const { user, system } = process.cpuUsage(used);
    return Math.min(wall, (user + system) / 1_000);
  };
}

/** Timings as lines, each with its ratio to the first. `per` divides where one run does a thing several times. */
export function table(title: string, timings: readonly Timing[], per = 1): string {
  const width = Math.max(...timings.map(({ name }) => name.length));
  const base = timings[0]?.median || 1;
  const shown = (milliseconds: number): string => shownTime(milliseconds / per);
  const lines = timings.map(
    ({ name, median, lower, upper }) =>
      `  ${name.padEnd(width)}  ${shown(median).padStart(10)}  (${shown(lower)} to ${shown(upper)})  x ${(median / base).toFixed(2)}`,
  );
  return [title, ...lines].join("\n");
}

/** Milliseconds in the unit that fits. */
export function shownTime(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(2)} s`;
  if (milliseconds >= 1) return `${milliseconds.toFixed(2)} ms`;
  return `${(milliseconds * 1_000).toFixed(milliseconds < 0.01 ? 2 : 1)} µs`;
}
