import { type Dirent, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../diagnostics/suggest.ts";
import { packFile, packNames } from "../../store/packs.ts";
import { fileDiagnostic, unreadable } from "../../store/policy-file.ts";

/** A suite by its path; `name` is for people. */
export interface FoundSuite {
  readonly path: string;
  readonly name: string;
}

/** Suites in the order of their paths, and the faults of others. */
export interface FoundSuites {
  readonly suites: readonly FoundSuite[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Maximum depth of a search in folders. */
const mostDeep = 16;

/**
 * Finds the suites that arguments of `test` name: a file; a folder with every `*.test.yaml` below it; `pack:<name>`; without
 * any, the folder itself. Folders whose names start with a dot are skipped, except `.hookwarden`, and so is `node_modules`.
 * A folder without a suite is HW014.
 */
export function findSuites(given: readonly string[], cwd: string): FoundSuites {
  const found = (given.length === 0 ? ["."] : given).map((argument) => fromArgument(argument, cwd));
  const suites = new Map<string, FoundSuite>();
  for (const suite of found.flatMap((one) => one.suites)) if (!suites.has(suite.path)) suites.set(suite.path, suite);
  return { suites: [...suites.values()], diagnostics: found.flatMap((one) => one.diagnostics) };
}

function fromArgument(argument: string, cwd: string): FoundSuites {
  if (argument.startsWith("pack:")) return fromPack(argument);
  const path = resolve(cwd, argument);
  try {
    if (!statSync(path).isDirectory()) return { suites: [{ path, name: argument }], diagnostics: [] };
    const names = suitesBelow(path, 0);
    if (names.length > 0)
      return {
        suites: names.map((name) => ({ path: join(path, name), name: argument === "." ? name : join(argument, name) })),
        diagnostics: [],
      };
    const help =
      "a suite is a file `<name>.test.yaml`; `hookwarden init` and `hookwarden new policy <id>` write one beside a policy";
    return problem(fileDiagnostic("HW014", argument, `no suite found in \`${argument}\``, help));
  } catch (error) {
    return problem(unreadable(path, argument, error));
  }
}

function fromPack(argument: string): FoundSuites {
  const name = argument.slice("pack:".length);
  const policy = packFile(name);
  if (policy !== undefined)
    return { suites: [{ path: join(dirname(policy), "policy.test.yaml"), name: argument }], diagnostics: [] };
  return problem(fileDiagnostic("HW001", argument, `there is no pack \`${name}\``, didYouMean(name, packNames())));
}

/** Lists the suites below a folder, relative to it, sorted. Links to folders are not followed, to avoid cycles. */
function suitesBelow(folder: string, depth: number): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (isSuite(entry)) return [entry.name];
    if (!entry.isDirectory() || !isSearched(entry.name) || depth >= mostDeep) return [];
    return suitesBelow(join(folder, entry.name), depth + 1).map((name) => join(entry.name, name));
  });
}

function isSuite(entry: Dirent): boolean {
  return /\.test\.ya?ml$/.test(entry.name) && !entry.name.startsWith(".") && !entry.isDirectory();
}

function isSearched(name: string): boolean {
  return name === ".hookwarden" || (!name.startsWith(".") && name !== "node_modules");
}

function problem(d: Diagnostic): FoundSuites {
  return { suites: [], diagnostics: [d] };
}
