import type { MixEvent } from "./decision/mix.ts";
import { blockedShell, quietShell, shellPeers } from "./decision/shell.ts";
import { measureShort, type Report, type Short, type Timing, table } from "./measure.ts";
import { isQuick } from "./options.ts";

/**
 * One decision on a call whose shell text is read: by ours, and by engines that can go through lists, over what our facts
 * make of it. Reading alone is the floor of them all.
 */
export async function benchShellDecision(): Promise<Report> {
  const rounds = isQuick() ? 9 : 25;
  const sizes = isQuick() ? [100] : [10, 100, 1_000, 10_000];
  const tables: string[] = [];
  const numbers: object[] = [];
  for (const rules of sizes) {
    for (const [event, matching] of [
      [quietShell, false],
      [blockedShell(rules), true],
    ] as const) {
      const timings = await compare(rules, event, rounds);
      tables.push(table(`${rules.toLocaleString("en")} rules, ${matching ? "one" : "none"} matching`, timings));
      numbers.push({ rules, matching, timings });
    }
  }
  const intro = "one decision on a call of bash, its shell text read; rules for a program with an option";
  return { text: [intro, ...tables].join("\n"), numbers };
}

function compare(rules: number, event: MixEvent, rounds: number): Promise<readonly Timing[]> {
  const subjects = shellPeers.map((peer): Short => ({ name: peer.name, run: peer.load(rules).for(event) }));
  return measureShort(subjects, rounds);
}
