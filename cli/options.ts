import { type Command, InvalidArgumentError, Option } from "commander";
import type { Scope } from "../engine/plan.ts";

/** Shells for which `completion` writes scripts. */
export const completionShells = ["bash", "zsh", "fish"] as const;

/** One of these shells. */
export type CompletionShell = (typeof completionShells)[number];

/** `--token`. */
export function tokenOption(): Option {
  return new Option("--token <file>", "ask nobody: a human has made this with `hookwarden token`");
}

/** `--policy`, `--set` and `--scope`, for commands that judge by policies. */
export function policyOptions(command: Command): Command {
  return command.addOption(policyOption()).addOption(setOption()).addOption(scopeOption());
}

/** `--policy`, more than once. */
export function policyOption(): Option {
  return new Option(
    "-p, --policy <policy...>",
    "policy file, folder, or pack:<name>; may be given more than once",
  ).argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
}

/** `--format`, one of some names. */
export function format(names: readonly string[]): Option {
  return new Option("--format <format>", "how to print").choices(names).default("pretty");
}

/** `--scope` of policies. */
export function scopeOption(): Option {
  return new Option("--scope <scope>", "scope that the policies are judged in").choices([
    "managed",
    "user",
    "project",
  ] satisfies Scope[]);
}

/** `--set`, more than once. */
export function setOption(): Option {
  return new Option("--set <name=value>", "value of a policy parameter; may be given more than once").argParser(
    (given: string, before: Record<string, string> | undefined): Record<string, string> => {
      const at = given.indexOf("=");
      if (at < 1) throw new InvalidArgumentError("Write it as name=value.");
      return { ...before, [given.slice(0, at)]: given.slice(at + 1) };
    },
  );
}

/** Reads the number of an option. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Write a whole number.");
  return Number(text);
}

/** `--jobs`: the number of threads that share the work. */
export function jobsOption(): Option {
  return new Option("--jobs <number>", "threads at most").argParser((value) => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= 1 && number <= 64) return number;
    throw new InvalidArgumentError("Write a whole number from 1 to 64.");
  });
}
