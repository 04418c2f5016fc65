import type { OptionValue, ShellCommand } from "../../schema/facts.ts";
import { Optional } from "../../schema/ports.ts";
import { mcpName } from "../../schema/tools.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";

function find(command: ShellCommand, name: string): OptionValue | undefined {
  return command.options.find((option) => option.names.includes(name));
}

/** Functions on shell commands and tool names. An option is found by any of its spellings. */
export const shellFunctions: Readonly<Record<string, readonly Overload[]>> = {
  has_option: [
    overload("command.has_option", ["command", "string"], ([command, name]) => find(command, name) !== undefined),
  ],
  option: [
    overload("command.option", ["command", "string"], ([command, name]) => new Optional(find(command, name)?.value)),
  ],
  is_mcp: [overload("string.is_mcp", ["string"], ([name]) => mcpName(name) !== undefined)],
};
