import type { FactSet, ShellCommand } from "../schema/facts.ts";
import type { Value } from "../schema/ports.ts";
import type { Frame } from "./frame.ts";
import type { LinkedCondition } from "./linked.ts";

/**
 * Returns the name of a program as tests that loosen see it. A command called by a path outside the system's program folders is not
 * the program of that name: its name is empty. In a waiver so is that of a command altered by variables, options or wrappers,
 * unless the waiver names them (`waiving`). `given` is a command, or an effect with the command that causes it.
 */
export function sureName(given: Value, name: Value, facts: FactSet, waiving?: ReadonlySet<string>): Value {
  if (typeof given !== "object" || given === null) return name;
  const command = "program" in given ? (given as unknown as ShellCommand) : causeOf(given, facts);
  if (command?.elsewhere === true) return "";
  return waiving && command?.altered?.some((by) => !waiving.has(by)) ? "" : name;
}

/** Returns the altering variables, options and wrappers that a rule's waivers name; undefined where no command is altered by any. */
export function waivingOf(
  { needs, named }: Pick<LinkedCondition, "needs" | "named">,
  { facts }: Frame,
): ReadonlySet<string> | undefined {
  return needs && named && isAltered(facts) ? named() : undefined;
}

/** True where some command of the call is another run than its words say. */
function isAltered({ shell }: FactSet): boolean {
  return shell?.commands.some(({ altered }) => altered !== undefined) === true;
}

function causeOf(effect: object, { shell }: FactSet): ShellCommand | undefined {
  const { command } = effect as { command?: unknown };
  return typeof command === "number" ? shell?.commands[command] : undefined;
}
