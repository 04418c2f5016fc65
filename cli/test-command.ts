import { type Command, InvalidArgumentError, Option } from "commander";
import type { TestOptions } from "./commands/test.ts";
import type { Io } from "./io.ts";
import { format, jobsOption } from "./options.ts";

/** Adds `test`. */
export const addTest = (program: Command, io: Io, done: (code: number) => void): void => {
  program
    .command("test")
    .summary("run suites and examples; coverage and mutation testing of policies")
    .description(
      "Runs suites (`*.test.yaml`) and the examples of the policies that they test. No program is run.\nWithout paths: every suite below this folder.",
    )
    .argument("[paths...]", "suites, folders, or pack:<name>")
    .addOption(format(["pretty", "json", "junit"]))
    .option("--filter <text>", "only cases and rules whose name contains this")
    .option("--coverage", "say which rules, tests and exceptions nothing reached")
    .addOption(percent("--min <percent>", "with --coverage: exit code 1 when less is covered"))
    .option("--mutate", "break the policies in small ways and say which breaks no test noticed")
    .addOption(percent("--min-score <percent>", "with --mutate: exit code 1 when fewer mutants are noticed"))
    .option("--update", "rewrite the expectations of suites that differ")
    .option("--watch", "run again when a suite or policy changes, until interrupted")
    .addOption(jobsOption())
    .action(async (paths: string[], options: TestOptions) => {
      const { test } = await import("./commands/test.ts");
      done(await test(paths, options, io));
    });
};

function percent(flags: string, text: string): Option {
  return new Option(flags, text).argParser((value: string) => {
    const number = Number(value);
    if (value.trim() !== "" && number >= 0 && number <= 100) return number;
    throw new InvalidArgumentError("Write a number from 0 to 100.");
  });
}
