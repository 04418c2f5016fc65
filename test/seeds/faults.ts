import type { Passed } from "../hosts/passed.ts";
import { hasHostCase } from "./on-hosts.ts";
import type { Requirement } from "./requirement.ts";

/** Text of a file of the repository, or undefined where there is none. */
export type ReadFile = (path: string) => string | undefined;

/** Names of tests and scenarios that a file has: titles given to `it` and `it.each`, names of cases, ids of a spec table. */
export function testNames(path: string, text: string): ReadonlySet<string> {
  if (path.endsWith(".test.yaml"))
    return new Set([...text.matchAll(/^ {2}- name: (.+)$/gm)].map(([, name]) => name ?? ""));
  const found = path.endsWith(".md") ? text.matchAll(/^\| `([^`]+)` \|/gm) : text.matchAll(titles);
  return new Set(
    [...found].map((match) => (path.endsWith(".md") ? match[1] : JSON.parse(match[1] as string)) as string),
  );
}

/** A text that stands first in a call or in a row of a table: `it("…"`, `)("…"`, `["…"`. */
const titles = /(?<=[([]\s*)("(?:[^"\\\n]|\\.)*")(?=\s*,)/g;

/** What is wrong with a table of requirements: a row without a test, a test that is not there, an id used twice. */
export function requirementFaults(rows: readonly Requirement[], read: ReadFile): string[] {
  const names = new Map<string, ReadonlySet<string> | undefined>();
  const namesIn = (path: string): ReadonlySet<string> | undefined => {
    if (!names.has(path)) {
      const text = read(path);
      names.set(path, text === undefined ? undefined : testNames(path, text));
    }
    return names.get(path);
  };
  const ids = new Set<string>();
  return rows.flatMap(({ id, requirement, tests }) => [
    ...(ids.has(id) ? [`${id} is there twice`] : (ids.add(id), [])),
    ...(requirement.trim() === "" ? [`${id} says nothing`] : []),
    ...(tests.length === 0 ? [`${id} has no test`] : []),
    ...tests.flatMap((test) => {
      const at = test.indexOf(" > ");
      const found = at < 0 ? undefined : namesIn(test.slice(0, at));
      if (found === undefined) return [`${id} names a file that is not there: ${test}`];
      return found.has(test.slice(at + 3)) ? [] : [`${id} names a test that is not there: ${test}`];
    }),
  ]);
}

/**
 * Rows that name a case of a real run, `test/hosts/<host>.ts > <case>` or one of a file in that host's folder, which did not
 * pass in every version that was run.
 */
export function unpassedRuns(rows: readonly Requirement[], passed: Passed): string[] {
  return rows.flatMap(({ id, tests }) =>
    tests.flatMap((test) => {
      const [, host = "", title = ""] = /^test\/hosts\/([a-z-]+)(?:\/[a-z-]+)?\.ts > (.*)$/s.exec(test) ?? [];
      if (host === "") return [];
      const versions = Object.entries(Object.hasOwn(passed, host) ? (passed[host] ?? {}) : {});
      if (versions.length === 0) return [`${id} names a host that was not run: ${host}`];
      const missing = versions.filter(([, titles]) => !titles.includes(title));
      return missing.map(([version]) => `${id} names a case that did not pass on ${version}: ${title}`);
    }),
  );
}

/** Marks that contradict what their row names: no reason, a case where none can be, or none where one must be. */
export function markFaults(rows: readonly Requirement[]): string[] {
  return rows.flatMap((row) => {
    if (!row.mark) return [];
    const { kind, reason } = row.mark;
    if (reason.trim() === "") return [`${row.id} is marked ${kind} without a reason`];
    if ((kind === "differs") === hasHostCase(row)) return [];
    return [`${row.id} is marked ${kind} and names ${kind === "differs" ? "no" : "a"} case of a real host`];
  });
}
