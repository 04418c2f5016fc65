import { delayCommands } from "../attacks/delays.ts";
import { guardCommands } from "../attacks/guard/attacks.ts";

/**
 * The only tool calls that a test may ever ask of a real host. A host runs what the model asks, so the scripted model may
 * ask for nothing but these harmless stand-ins, in a scratch folder, by relative names.
 */

/** A tool call of the scripted model. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const commands: ReadonlySet<string> = new Set([
  "touch FORBIDDEN",
  "touch ASKED",
  "touch HARMLESS",
  "cat notes.txt",
  "cat long.txt",
  "cat keys.txt",
  // Folders cannot be shown: says their names on standard error and fails.
  "cat folders/*",
]);

const files: ReadonlySet<string> = new Set([
  "notes.txt",
  "long.txt",
  "gone.txt",
  "long.txt:1-2",
  "notes.txt; long.txt",
  "@long.txt",
]);

/** Code that calls a tool from within a tool, with a stand-in of its own. */
const nestedCode: ReadonlySet<string> = new Set(['await tool.bash({ command: "touch FORBIDDEN" })']);

/** The one piece of work that may be given to a sub-agent, whose own turns are scripted as well. */
export const delegation = {
  context: "There is none.",
  tasks: [{ name: "Helper", agent: "task", task: "Please do the scripted work." }],
} as const;

/** What may be asked of the tool that a test's own extension registers, and that does nothing. */
const ownTool: ReadonlySet<string> = new Set(['{"action":"work"}', '{"action":"fail"}']);

/** Whether a command line is a stand-in: one of a short list, of those that delay an analysis or aim at the guard, or `echo` of plain words. */
export function isHarmlessCommand(command: string): boolean {
  const known = [commands, delayCommands, guardCommands].some((list) => list.has(command));
  return known || /^echo( [A-Za-z0-9.-]+)+$/.test(command);
}

/** Throws an Error when a call is not a stand-in; nothing else may leave the scripted model. */
export function assertHarmless(call: ScriptedCall): void {
  const { name, args } = call;
  const keys = Object.keys(args);
  const bash =
    name === "bash" && keys.length === 1 && typeof args["command"] === "string" && isHarmlessCommand(args["command"]);
  const read = name === "read" && keys.length === 1 && typeof args["path"] === "string" && files.has(args["path"]);
  const nested =
    name === "eval" && keys.length === 2 && args["language"] === "js" && nestedCode.has(String(args["code"]));
  const task = name === "task" && JSON.stringify(args) === JSON.stringify(delegation);
  const own = name === "seed_tool" && ownTool.has(JSON.stringify(args));
  if (!bash && !read && !nested && !task && !own)
    throw new Error(`not a harmless stand-in: ${JSON.stringify(call).slice(0, 200)}`);
}
