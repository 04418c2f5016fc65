import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseResult } from "./report.ts";

/** Titles of the cases that held when each host was last run: by the name that `test:hosts` takes, then by name and version of what was run. */
export type Passed = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const committed = join(import.meta.dirname, "passed.json");

/** The committed list; empty where there is none. */
export function passedCases(file = committed): Passed {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Passed) : {};
}

/**
 * The list after a run of one host: its versions that ran have exactly the cases that held now, those that are tested but
 * were not run keep what they had, and those that are not tested any more are gone.
 */
export function withRun(
  before: Passed,
  host: string,
  tested: readonly string[],
  ran: ReadonlyMap<string, readonly CaseResult[]>,
): Passed {
  const old = before[host] ?? {};
  const held = (results: readonly CaseResult[]): string[] => {
    const failed = new Set(results.filter(({ ok }) => !ok).map(({ name }) => name));
    return [...new Set(results.map(({ name }) => name))].filter((name) => !failed.has(name)).sort();
  };
  const versions = tested.flatMap((version) => {
    const results = ran.get(version);
    const cases = results ? held(results) : old[version];
    return cases === undefined ? [] : [[version, cases] as const];
  });
  const all = Object.entries({ ...before, [host]: Object.fromEntries(versions) });
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** Writes the list, where it is another one. */
export function keepPassed(passed: Passed, file = committed): void {
  const text = `${JSON.stringify(passed, null, 2)}\n`;
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  // Hosts that run beside each other read the file while it is written.
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
