import { atLeast, atMost, type Bar } from "./bars.ts";
import type { MeasuredText, Memory } from "./redaction-measured.ts";
import { type ScanSubject, withheld } from "./redaction-subjects.ts";
import { repeated } from "./redaction-texts.ts";

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
      .map(({ subject, bytes = 0 }) =>
        atMost(`redaction/memory-${subject}`, `memory of the ${subject} above a text of 10 MB`, bytes / 1e6, 100, {
          unit: " MB",
        }),
      ),
    ...growth.map(({ text, ms: [one = 0, , ten = 0] }) => {
      const factor = ten / (one || 1) / 10;
      const what = `growth of time from 1 to 10 MB of \`${text}\`, over that of the text`;
      // Less than linear says something of the small text only.
      const ratio = Math.max(1, factor);
      return atMost(`redaction/growth-${slug(text)}`, what, factor, growthSlack, { unit: "x", ratio });
    }),
  ];
}

function cleanBars(texts: readonly MeasuredText[]): readonly Bar[] {
  const of = (name: string) => texts.find((one) => one.text === name)?.subjects ?? [];
  const [scanner, action] = of("log, 10 MB");
  const lint = of("log, 10 MB").find(({ subject }) => subject.startsWith("secretlint"));
  const [long, short] = [scanner?.best_ms || 1, of("log, 1 KB")[0]?.best_ms ?? 1];
  const beside = (ms: number) => (lint ? { ratio: ms / lint.best_ms } : {});
  return [
    atLeast(
      "redaction/scanner",
      "redaction, clean text of 10 MB, scanner with all detectors",
      scanner?.mb_per_s ?? 0,
      150,
      {
        unit: " MB/s",
        ...beside(long),
      },
    ),
    atLeast("redaction/action", "the same, the whole action", action?.mb_per_s ?? 0, 150, {
      unit: " MB/s",
      ...beside(action?.best_ms ?? 1),
    }),
    atMost("redaction/short", "the same, scanner on 1 KB", short * 1_000, 10, {
      unit: " µs",
      ratio: short / (long / 10_000),
    }),
    ...(lint
      ? [
          atLeast("redaction/secretlint", `times as fast as ${lint.subject}, 10 MB`, lint.best_ms / long, 2, {
            unit: "x",
            ...beside(long),
          }),
        ]
      : []),
  ];
}

/**
 * A hostile text within ten times clean text; else, as one of keywords, within 1.2 of a full loop, or withheld. What the
 * budget watches is the time over clean text where there is one of that size.
 */
function slowBar(one: MeasuredText): readonly Bar[] {
  const [scanner] = one.subjects;
  const loop = one.subjects.find(({ subject }) => subject.startsWith("plain loop"));
  if (!scanner || (one.kind !== "hostile" && one.kind !== "keywords" && one.kind !== "json")) return [];
  const id = `redaction/${slug(one.text)}`;
  const beside = one.above_clean === undefined ? {} : { ratio: one.above_clean };
  if (one.above_clean !== undefined && (one.above_clean <= 10 || (!loop && scanner.found !== withheld)))
    return [atMost(id, `redaction of ${one.text}, over clean text`, one.above_clean, 10, { unit: "x", ...beside })];
  if (scanner.found === withheld) {
    const what = `redaction of ${one.text}`;
    return [{ id, what, bar: "withheld when over the bound of work", measured: "withheld", met: true, ...beside }];
  }
  const factor = scanner.best_ms / (loop?.best_ms || 1);
  const what = `redaction of ${one.text}, over a full loop of the patterns`;
  return [atMost(id, what, factor, 1.2, { unit: "x", ratio: one.above_clean ?? factor })];
}

function slug(text: string): string {
  const words = text.replaceAll("=", " equals ").replaceAll("%", " percent ").toLowerCase();
  return words.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
