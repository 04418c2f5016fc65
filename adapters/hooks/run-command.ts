import { limits } from "../../schema/limits.ts";
import { answerOf, errorText } from "./chain.ts";
import type { BashOperations, UserBashResult, UserCommandOutcome } from "./results.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** A command that the human typed after `!`, or after `!!` to keep it from the model. */
export interface TypedCommand {
  readonly command: string;
  readonly excludeFromContext: boolean;
}

/** Where a command runs; `signal` ends it. */
export interface CommandPlace {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Runs a command of the human as the host does. */
export type CommandPort = (command: string, place: CommandPlace) => Promise<UserBashResult> | UserBashResult;

/** Returns the command in a typed text, or undefined if none: the marks alone are text. Source: seed pi-hook-reference, section 8. */
export function typedCommand(text: string): TypedCommand | undefined {
  const typed = text.trim();
  if (!typed.startsWith("!")) return undefined;
  const excludeFromContext = typed.startsWith("!!");
  const command = typed.slice(excludeFromContext ? 2 : 1).trim();
  return command === "" ? undefined : { command, excludeFromContext };
}

/**
 * Runs a judged command: returns its ready result, else uses a module's operations, else the host's port.
 * Never rejects: an error or an unreadable result becomes the output of a failed result.
 */
export async function runCommand(
  judged: UserCommandOutcome,
  place: CommandPlace,
  port: CommandPort | undefined,
): Promise<UserBashResult> {
  try {
    if (judged.result !== undefined) return readResult(judged.result);
    if (judged.operations !== undefined)
      return await unlessAborted(place.signal, operate(judged.operations, judged.command, place));
    if (port === undefined) return failed("this host runs no commands of the human: its loop has no `runCommand`");
    return readResult(await unlessAborted(place.signal, port(judged.command, place)));
  } catch (error) {
    return { ...failed(errorText(error)), cancelled: place.signal.aborted };
  }
}

/** Runs a command by a module's operations: `execute` as in the seed, or `exec` as in pi, which streams its output. */
async function operate(operations: BashOperations, command: string, place: CommandPlace): Promise<UserBashResult> {
  if (typeof operations.execute === "function") return readResult(await operations.execute(command, place));
  if (typeof operations.exec !== "function") return failed("the module's `operations` have no `execute`");
  const decoder = new TextDecoder();
  let output = "";
  const onData = (data: unknown): void => {
    if (output.length > limits.execOutput) return;
    output += typeof data === "string" ? data : decoder.decode(data as Uint8Array, { stream: true });
  };
  const ended = answerOf(await operations.exec(command, place.cwd, { onData, signal: place.signal }));
  return readResult({ output: output + decoder.decode(), exitCode: ended?.["exitCode"] });
}

/** Reads a result in any form that modules give: a text, a result, or the streams and exit code of a program. */
function readResult(value: unknown): UserBashResult {
  if (typeof value === "string") return bounded({ output: value, exitCode: 0, cancelled: false, truncated: false });
  const given = answerOf(value);
  if (given === undefined) return failed("the command gave no result that can be read");
  const { output, stdout, stderr, exitCode, code, cancelled, killed, truncated } = given;
  const streams = [stdout, stderr].filter((stream) => typeof stream === "string").join("");
  const exit = exitCode === undefined || exitCode === null ? code : exitCode;
  return bounded({
    output: typeof output === "string" ? output : streams,
    exitCode: typeof exit === "number" ? exit : undefined,
    cancelled: cancelled === true || killed === true,
    truncated: truncated === true,
  });
}

function bounded(result: UserBashResult): UserBashResult {
  if (result.output.length <= limits.execOutput) return result;
  return { ...result, output: result.output.slice(0, limits.execOutput), truncated: true };
}

function failed(why: string): UserBashResult {
  return { output: why, exitCode: 1, cancelled: false, truncated: false };
}
