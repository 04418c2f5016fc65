import { describe, expect, it } from "vitest";
import type { Reading } from "../../../../facts/effects/reading.ts";
import { bash, deletes, dotted, network, reads, writes } from "../../effects/judge.ts";

/** Code, how well it is understood, and what it does in short lines. Judged only, never run. */
export type Row = readonly [code: string, understanding: Reading["understanding"], ...effects: string[]];

/** A word of a command that holds exactly that text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Commands inside the outer one and effects, in the order of the kinds: `$ ls -la`, `delete /x recursive`. */
export function effectsOf(reading: Reading): string[] {
  const inner = (reading.shell?.commands ?? []).filter((command) => command.wrappers.length > 0);
  return [
    ...inner.map((command) => `$ ${dotted(command.text)}`),
    ...deletes(reading).map((line) => `delete ${line}`),
    ...writes(reading).map((line) => `write ${line}`),
    ...reads(reading).map((line) => `read ${line}`),
    ...network(reading).map((line) => `reach ${line}`),
  ];
}

/** One test for each code given to `program`, which ends with the option for code. */
export function codeTable(program: string, rows: readonly Row[]): void {
  describe(program, () => {
    it.each(rows)("%j is %s", (code, understanding, ...effects) => {
      const reading = bash(`${program} ${quoted(code)}`);
      expect({ understanding: reading.understanding, effects: effectsOf(reading) }).toEqual({ understanding, effects });
    });
  });
}
