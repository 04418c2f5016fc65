import { type Failure, firstLine, plain } from "./outcome.ts";

/** Output of a script that counts its own cases: its failed cases, its last line `N passed, N failed`, and the parts that did not run. */
export interface Printed {
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly notRun: readonly string[];
}

/**
 * Reads the output of a script that prints `not ok - <case>` for each failure, `not run - <what>` for each part that could not
 * run, and ends with `N passed, N failed`. A script that ends with an error and names neither is one failure.
 */
export function readCounted(suite: string, command: string, log: string, status: number | null): Printed {
  const lines = plain(log).split("\n");
  const last = lines.flatMap((line) => /^(\d+) passed, (\d+) failed$/.exec(line) ?? []).slice(-3);
  const [passed, failed] = [Number(last[1] ?? 0), Number(last[2] ?? 0)];
  const notRun = lines.filter((line) => line.startsWith("not run")).map((line) => line.replace(/^not run( - )?/, ""));
  const failures: Failure[] = lines.flatMap((line, at) => {
    if (!line.startsWith("not ok - ")) return [];
    const next = lines[at + 1] ?? "";
    const message = next.startsWith("  seen: ") ? firstLine(next.slice("  seen: ".length)) : "it does not hold";
    return [{ suite, test: line.slice("not ok - ".length), message, command }];
  });
  // The counts decide, even if a script lists fewer or more cases than it counts.
  if (failed > 0 && failures.length === 0) failures.push({ suite, message: `${failed} failed`, command });
  const silent = notRun.length === 0 && passed + failed === 0;
  if (failures.length === 0 && (silent || (status !== 0 && notRun.length === 0)))
    failures.push({ suite, message: `ended with ${status}: ${lastLine(lines)}`, command });
  return { passed, failures, notRun };
}

/** Most places that are reported for one failed command. */
const mostPlaces = 5;

/**
 * Reads the output of a command that passes or fails as a whole. Messages of types, lint and format begin with a place
 * (`file:line` or `file(line,`), and each of the first places is a separate failure. Without places, the failure is the last
 * line.
 */
export function readCommand(suite: string, command: string, log: string, status: number | null): Printed {
  if (status === 0) return { passed: 1, failures: [], notRun: [] };
  const lines = plain(log).split("\n");
  const places = lines.filter((line) => /^[\w./-]+\.\w+(?:[:(]\d+|\s+(?:format|organizeImports|lint)\b)/.test(line));
  const told = [...new Set(places)].slice(0, mostPlaces);
  const messages = told.length > 0 ? told : [`ended with ${status}: ${lastLine(lines)}`];
  const more = new Set(places).size - told.length;
  if (more > 0) messages.push(`and ${more} more places`);
  return {
    passed: 0,
    failures: messages.map((message) => ({ suite, message: firstLine(message), command })),
    notRun: [],
  };
}

function lastLine(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).findLast((line) => line !== "") ?? "it printed nothing";
}
