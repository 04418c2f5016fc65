import { createRegexEngine } from "../../facts/regex.ts";
import { isSecret } from "../../facts/secrets/checks.ts";
import { Collector } from "../../facts/secrets/collect.ts";
import { Selection } from "../../facts/secrets/selection.ts";
import { detectors } from "../../facts/secrets/table.ts";

/** What one scan finds: detectors and places, sorted. */
export type Found = readonly string[];

/** The scan in windows round keywords, and the loop of the same patterns over the whole text that it must agree with. */
export interface TwoScans {
  readonly windowed: (text: string) => Found;
  readonly full: (text: string) => Found;
}

/** At this depth nothing is decoded any more, so that only windows are compared. */
const deepest = 3;

const written = (id: string, start: number, end: number): string => `${id} ${start}-${end}`;

/** Both scans by one of the engines. */
export function twoScans(prefer: "re2" | "re2js"): TwoScans {
  const regex = createRegexEngine({ prefer });
  const collector = new Collector(regex, Selection.of(detectors), []);
  const patterns = detectors.map((detector) => {
    const pattern = regex.compile(detector.pattern);
    if ("kind" in pattern) throw new Error(`${detector.id}: ${pattern.message}`);
    return { detector, pattern };
  });
  const windowed = (text: string): Found => {
    const { found } = collector.collect(text, deepest);
    return [...new Set(found.map(({ detector, start, end }) => written(detector, start, end)))].sort();
  };
  const full = (text: string): Found => {
    const found = new Set<string>();
    for (const { detector, pattern } of patterns) {
      for (const { start: at, groups } of pattern.matches(text)) {
        const whole = groups[0] ?? "";
        const secret = groups[1] ?? whole;
        if (secret === "" || !isSecret(detector, secret, (groups[2] ?? "") !== "")) continue;
        const start = at + whole.lastIndexOf(secret);
        found.add(written(detector.id, start, start + secret.length));
      }
    }
    return [...found].sort();
  };
  return { windowed, full };
}
