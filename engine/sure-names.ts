import type { FactSet, ShellCommand } from "../schema/facts.ts";
import type { Value } from "../schema/ports.ts";
import type { Frame } from "./frame.ts";
import type { LinkedCondition } from "./linked.ts";

/**
 * The name of a program as tests that loosen see it: a command that is called by a path which is no place of the system's
 * programs is not the program of that name, and has none. In a waiver neither has one that is another run by variables, options or
 * wrappers, unless the waiver names them (`waiving`). `given` is a command, or an effect that says by what it comes.
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
