/** One thing to time. `run` does it once; `prepare` makes fresh input that is not timed. */
export interface Subject<T = unknown> {
  readonly name: string;
  prepare?(): T;
  run(input: T): unknown;
}

/** One section of the bench: tables for people, the same numbers for programs. */
export interface Report {
  readonly text: string;
  readonly numbers: unknown;
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
 * A few rounds before are not counted, for they are spent on loading and compiling code.
 */
export function measure(subjects: readonly Subject[], rounds: number, warmUp: number): readonly Timing[] {
  const times = subjects.map(() => [] as number[]);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      const input = subject.prepare?.();
      const started = performance.now();
      subject.run(input);
      if (round >= 0) times[i]?.push(performance.now() - started);
    }
  }
  return subjects.map(({ name }, i) => {
    const sorted = (times[i] ?? []).sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return { name, median: at(0.5), lower: at(0.25), upper: at(0.75) };
  });
}

/** Timings as lines, each with its ratio to the first. `per` divides where one run does a thing several times. */
export function table(title: string, timings: readonly Timing[], per = 1): string {
  const width = Math.max(...timings.map(({ name }) => name.length));
  const base = timings[0]?.median || 1;
  const shown = (milliseconds: number): string => {
    const each = milliseconds / per;
    return each < 1 ? `${(each * 1000).toFixed(1)} µs` : `${each.toFixed(2)} ms`;
  };
  const lines = timings.map(
    ({ name, median, lower, upper }) =>
      `  ${name.padEnd(width)}  ${shown(median).padStart(10)}  (${shown(lower)} to ${shown(upper)})  x ${(median / base).toFixed(2)}`,
  );
  return [title, ...lines].join("\n");
}
