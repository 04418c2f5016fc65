import type { OptionValue, ShellCommand } from "../../schema/facts.ts";
import { Optional } from "../../schema/ports.ts";
import { mcpName } from "../../schema/tools.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";

function isGiven(command: ShellCommand, name: string): boolean {
  return standing(command.options, name).some((option) => option.names.includes(name));
}

/** Options that count for a question about one: those behind the last that surely switches it off. */
export function standing(options: readonly OptionValue[], name: string): readonly OptionValue[] {
  const at = options.findLastIndex(({ names, off, several }) => off === true && !several && names.includes(name));
  return at < 0 ? options : options.slice(at + 1);
}

/** Finds the option whose value takes effect: programs use the last occurrence that has a value. */
export function lastOption(options: readonly OptionValue[], name: string): OptionValue | undefined {
  return options.findLast(({ names, value }) => value !== undefined && names.includes(name));
}

/** Functions on shell commands and tool names. An option is found by any of its spellings. */
export const shellFunctions: Readonly<Record<string, readonly Overload[]>> = {
  has_option: [overload("command.has_option", ["command", "string"], ([command, name]) => isGiven(command, name))],
  option: [
    overload(
      "command.option",
      ["command", "string"],
      ([command, name]) => new Optional(lastOption(command.options, name)?.value),
    ),
  ],
  is_mcp: [overload("string.is_mcp", ["string"], ([name]) => mcpName(name) !== undefined)],
};
