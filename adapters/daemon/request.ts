import { isAbsolute } from "node:path";
import { limits } from "../../schema/limits.ts";
import type { HookReply } from "../one-shot/dialect.ts";
import { readExports } from "../one-shot/shell-exports.ts";

/** One hook, as the shell launcher passes it on: all that it would have had as a separate process. */
export interface HookRequest {
  /** The launcher's arguments. */
  readonly given: readonly string[];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly payload: string;
}

/** Maximum bytes of a request: a payload, and room for the variables of a process. */
export const largestRequest = limits.eventBytes + 4_194_304;

/** Form of the launcher's marks: `hookwarden-<its number>-<its parent's>`. */
const mark = /^hookwarden-\d{1,10}-\d{1,10}$/;

/** Length of the longest mark with its line break, in bytes. */
export const longestMark = 33;

/** Returns the mark of a request, once its first line is complete; undefined if that line is no mark. */
export function markOf(text: string): string | undefined {
  const first = text.slice(0, Math.max(0, text.indexOf("\n")));
  return mark.test(first) ? first : undefined;
}

/**
 * Reads a whole request: mark, working folder, number of arguments, one argument a line, the output of `export -p`, mark,
 * payload, mark. Undefined for anything else.
 */
export function readRequest(text: string, of: string): HookRequest | undefined {
  const between = text.slice(of.length + 1, -(of.length + 2));
  const split = between.indexOf(`\n${of}\n`);
  if (of === "" || split < 0) return undefined;
  const payload = between.slice(split + of.length + 2);
  const lines = between.slice(0, split + 1);
  const [cwd = "", count = "", ...rest] = lines.split("\n");
  if (!isAbsolute(cwd) || !/^\d{1,3}$/.test(count) || rest.length < Number(count)) return undefined;
  const given = rest.slice(0, Number(count));
  const variables = readExports(rest.slice(Number(count)).join("\n"));
  return variables && { given, cwd, variables, payload };
}

/** Characters at the beginning that hold the arguments of any real hook. */
const headRoom = 65_536;

/** Returns the arguments of a request, without reading the rest; none if they cannot be read. */
export function argumentsOf(bytes: Buffer): readonly string[] {
  const [, , count = "", ...rest] = bytes.toString("utf8", 0, headRoom).split("\n");
  return /^\d{1,3}$/.test(count) ? rest.slice(0, Number(count)) : [];
}

/** Matches the session in a host's payload. */
const sessionNames = /"(?:session_?[iI]d|conversation_?[iI]d|trajectory_id|task_?[iI]d)"\s*:\s*"([^"\\]{1,200})"/;

/**
 * Returns the probable session of a request: the judge that had it before has its state at hand. It affects only the speed
 * of the answer.
 */
export function likelySession(bytes: Buffer, payloadAt: number): string {
  const text = bytes.toString("utf8", payloadAt, payloadAt + headRoom);
  return sessionNames.exec(text)?.[1] ?? "";
}

/** First line to the launcher, which proves that somebody heard it. */
export const greeting = "hookwarden 1\n";

/** First line if too many ask at once. */
export const busyGreeting = "hookwarden busy\n";

/** Returns an answer in the launcher's form; the mark ends both texts. */
export function replyText({ stdout, stderr, exitCode }: HookReply, of: string): string {
  return `${stdout}\n${of} err\n${stderr}\n${of} end ${exitCode}\n`;
}
