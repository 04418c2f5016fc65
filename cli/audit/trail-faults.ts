import { fileDiagnostic } from "../../store/policy-file.ts";
import { exit, type Io } from "../io.ts";
import { count, prettyDiagnostics } from "../report/pretty.ts";
import type { TrailFaults } from "./selection.ts";

/**
 * Reports unreadable parts, and returns the exit code. It is 2 if a file is unreadable, or if the given paths (`named`) hold
 * no record at all; 0 if only lines are.
 */
export function reportFaults({ problems, unknown, read }: TrailFaults, named: readonly string[], io: Io): number {
  for (const { file, why } of problems)
    say(io, file, `\`${file}\` cannot be read: ${why}`, "give audit files or folders; without any, this user's own");
  if (unknown.count > 0)
    say(
      io,
      unknown.examples[0] ?? "",
      `${count(unknown.count, "line")} left out that ${unknown.count === 1 ? "is no record" : "are no records"}: ${unknown.examples.join("; ")}`,
      "`hookwarden audit verify` says what happened to them",
    );
  if (problems.length > 0) return exit.unusable;
  if (named.length === 0 || read > 0) return exit.fine;
  if (unknown.count === 0)
    say(
      io,
      named.join(", "),
      "there are no records in it",
      "give audit files or folders; without any, this user's own",
    );
  return exit.unusable;
}

/** Reports the fault in the options. */
export function reportMisuse(wrong: string, io: Io): number {
  const help = "write a time as `2026-11-22`, `2026-11-22T08:00:00Z`, or how long ago: `30m`, `2h`, `7d`";
  io.err(prettyDiagnostics([fileDiagnostic("HW701", "command line", wrong, help)], new Map(), false));
  return exit.unusable;
}

function say(io: Io, name: string, message: string, help: string): void {
  io.err(prettyDiagnostics([fileDiagnostic("HW704", name, message, help)], new Map(), false));
}
