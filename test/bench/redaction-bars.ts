import type { MeasuredText, Memory } from "./redaction-measured.ts";
import { type ScanSubject, withheld } from "./redaction-subjects.ts";
import { repeated } from "./redaction-texts.ts";

/** A number that redaction has to reach, and whether it did in this run. */
export interface Bar {
  readonly text: string;
  readonly met: boolean;
}

/** Milliseconds for 1, 3 and 10 MB of one text. */
export interface Growth {
  readonly text: string;
  readonly ms: readonly number[];
}

const sizes = [1_000_000, 3_000_000, 10_000_000] as const;

/** How the time of the scanner grows with a text, for texts that are slow; least processor time of three. */
export async function measureGrowth(subject: ScanSubject): Promise<readonly Growth[]> {
  const all: Growth[] = [];
  for (const word of ["password", "password=", "%41", "=", "-----BEGIN PRIVATE KEY-----\n"]) {
    const ms: number[] = [];
    for (const size of sizes) {
      const text = repeated(word, size);
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3 && best > 0; round++) {
        const used = process.cpuUsage();
        await subject.scan(text);
        const { user, system } = process.cpuUsage(used);
        best = Math.min(best, (user + system) / 1_000);
        if (best > 1_000) break;
      }
      ms.push(best);
    }
    all.push({ text: word.trim(), ms });
  }
  return all;
}

/** Time may grow by so much more than the text, for what a first scan costs and the cache of the processor. */
const growthSlack = 2.5;

/** The bars of redaction over what was measured. */
export function barsOf(
  texts: readonly MeasuredText[],
  memory: readonly Memory[],
  growth: readonly Growth[],
): readonly Bar[] {
  return [
    ...cleanBars(texts),
    ...texts.flatMap(slowBar),
    ...memory
      .filter(({ subject, bytes }) => (subject === "scanner" || subject === "action") && bytes !== undefined)
      .map(({ subject, bytes }) => below(`memory of the ${subject} above the text, MB`, (bytes ?? 0) / 1e6, 100)),
    ...growth.map(({ text, ms: [one = 0, , ten = 0] }) =>
      below(`growth of time from 1 to 10 MB of \`${text}\`, over that of the text`, ten / (one || 1) / 10, growthSlack),
    ),
  ];
}

function cleanBars(texts: readonly MeasuredText[]): readonly Bar[] {
  const of = (name: string) => texts.find((one) => one.text === name)?.subjects ?? [];
  const [scanner, action] = of("log, 10 MB");
  const lint = of("log, 10 MB").find(({ subject }) => subject.startsWith("secretlint"));
  return [
    above("clean text of 10 MB, scanner, MB/s", scanner?.mb_per_s ?? 0, 150),
    above("clean text of 10 MB, action, MB/s", action?.mb_per_s ?? 0, 150),
    below("clean text of 1 KB, scanner, µs", (of("log, 1 KB")[0]?.best_ms ?? 1) * 1_000, 10),
    ...(lint ? [above("times as fast as secretlint on 10 MB", lint.best_ms / (scanner?.best_ms || 1), 2)] : []),
  ];
}

/** A hostile text within ten times clean text; else, as one of keywords, within 1.2 of a full loop, or withheld. */
function slowBar(one: MeasuredText): readonly Bar[] {
  const [scanner] = one.subjects;
  const loop = one.subjects.find(({ subject }) => subject.startsWith("plain loop"));
  if (!scanner || (one.kind !== "hostile" && one.kind !== "keywords" && one.kind !== "json")) return [];
  if (one.above_clean !== undefined && (one.above_clean <= 10 || (!loop && scanner.found !== withheld)))
    return [below(`${one.text}, over clean text`, one.above_clean, 10)];
  if (scanner.found === withheld) return [{ text: `${one.text}: over the bound of work, withheld`, met: true }];
  return [below(`${one.text}, over a full loop of the patterns`, scanner.best_ms / (loop?.best_ms || 1), 1.2)];
}

function below(text: string, value: number, bar: number): Bar {
  return { text: `${text}: ${value.toFixed(2)}, at most ${bar}`, met: value <= bar };
}

function above(text: string, value: number, bar: number): Bar {
  return { text: `${text}: ${value.toFixed(1)}, at least ${bar}`, met: value >= bar };
}
