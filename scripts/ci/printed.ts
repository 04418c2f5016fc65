import { type Failure, firstLine, plain } from "./outcome.ts";

/** What a script that counts for itself said: its cases, its last line `N passed, N failed`, and what it could not have. */
export interface Printed {
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly notRun: readonly string[];
}

/**
 * Reads the output of a script that prints `not ok - <case>` for each failure, `not run - <what>` for what could not be had,
 * and ends with `N passed, N failed`. A script that ends badly and names neither is one failure.
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
  // What is counted decides, also where a script names fewer or more than it counts.
  if (failed > 0 && failures.length === 0) failures.push({ suite, message: `${failed} failed`, command });
  const silent = notRun.length === 0 && passed + failed === 0;
  if (failures.length === 0 && (silent || (status !== 0 && notRun.length === 0)))
    failures.push({ suite, message: `ended with ${status}: ${lastLine(lines)}`, command });
  return { passed, failures, notRun };
}

/** Most places that one failed command is told with. */
const mostPlaces = 5;

/**
 * Reads the output of a command that holds or does not: what types, lint and format say begins with a place (`file:line` or
 * `file(line,`), and each of the first places is a failure of its own; where there is none, the last line is told.
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
