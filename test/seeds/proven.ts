import { relative, sep } from "node:path";
import type { Requirement } from "./requirement.ts";

/** What a run of the tests came to: of each file, the titles that it ran, and whether each passed. */
export type RunTitles = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** The part of a JSON report of Vitest that is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Titles by file, relative to the repository. A title that several tests have has passed if all of them did. */
export function runTitles(report: unknown, root: string): RunTitles {
  const files = new Map<string, Map<string, boolean>>();
  for (const { name, assertionResults } of (report as Report).testResults) {
    const titles = new Map<string, boolean>();
    for (const { title, status } of assertionResults)
      titles.set(title, (titles.get(title) ?? true) && status === "passed");
    files.set(relative(root, name).split(sep).join("/"), titles);
  }
  return files;
}

/** Where the rows of a Markdown table are run: each title begins with the id of its row. */
const runBy: Readonly<Record<string, string>> = { "test/spec/profiles.md": "test/spec-profiles.test.ts" };

/** The rows whose tests did not all pass in a run, each with why. A skipped test has not passed. */
export function unproven(rows: readonly Requirement[], run: RunTitles): string[] {
  return rows.flatMap(({ id, tests }) =>
    tests.flatMap((test) => {
      const at = test.indexOf(" > ");
      const [path, name] = [test.slice(0, at), test.slice(at + 3)];
      if (path.startsWith("test/hosts/")) return [];
      const titles = run.get(runBy[path] ?? path);
      if (!titles) return [`${id} names a file that was not run: ${test}`];
      const named = [...titles].filter(([title]) => isTitle(title, name, path in runBy));
      if (named.length === 0) return [`${id} names a test that was not run: ${test}`];
      const failed = named.filter(([, passed]) => !passed).map(([title]) => title);
      return failed.map((title) => `${id} names a test that did not pass: ${path} > ${title}`);
    }),
  );
}

/** True where a title of a run is what a row names: the title itself, one made from it, one of its case, or of its table's row. */
function isTitle(title: string, name: string, isTable: boolean): boolean {
  if (isTable) return title.startsWith(`${name}, `);
  return title === name || made(name).test(title) || (name.length > 2 && !name.includes("%") && title.includes(name));
}

const patterns = new Map<string, RegExp>();

/** What Vitest makes of a title: `%s` and its like are values of the case, `$name` a field of it. */
function made(name: string): RegExp {
  const known = patterns.get(name);
  if (known) return known;
  const parts = name.split(/%[sdifjoO#$]|\$[\w.]+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`^${parts.join("[^]*")}$`);
  patterns.set(name, pattern);
  return pattern;
}
