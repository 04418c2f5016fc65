import { isAbsolute } from "node:path";
import { limits } from "../../schema/limits.ts";
import type { HookReply } from "../one-shot/dialect.ts";
import { readExports } from "../one-shot/shell-exports.ts";

/** One hook, as the shell launcher hands it on: what it would have had as a process of its own. */
export interface HookRequest {
  /** The launcher's arguments. */
  readonly given: readonly string[];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly payload: string;
}

/** Bytes of a request: a payload, and room for the variables of a process. */
export const largestRequest = limits.eventBytes + 4_194_304;

/** What a line of the launcher's is told by: `hookwarden-<its number>-<its parent's>`. */
const mark = /^hookwarden-\d{1,10}-\d{1,10}$/;

/** Bytes of the longest mark with its line break. */
export const longestMark = 33;

/** The mark of a request, once its first line is there; undefined for a first line that is none. */
export function markOf(text: string): string | undefined {
  const first = text.slice(0, Math.max(0, text.indexOf("\n")));
  return mark.test(first) ? first : undefined;
}

/**
 * Reads a whole request: mark, working folder, number of arguments and these, one a line each; what `export -p` says; mark;
 * payload; mark. Undefined for anything else.
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

/** Characters in which the arguments of any real hook stand. */
const headRoom = 65_536;

/** The arguments of a request, without reading the rest of it; none where they cannot be read. */
export function argumentsOf(bytes: Buffer): readonly string[] {
  const [, , count = "", ...rest] = bytes.toString("utf8", 0, headRoom).split("\n");
  return /^\d{1,3}$/.test(count) ? rest.slice(0, Number(count)) : [];
}

/** How hosts name the session in a payload. */
const sessionNames = /"(?:session_?[iI]d|conversation_?[iI]d|trajectory_id|task_?[iI]d)"\s*:\s*"([^"\\]{1,200})"/;

/**
 * The session that a request is probably of: who judged it before has its state at hand. Nothing rests on it but how soon
 * the answer is there.
 */
export function likelySession(bytes: Buffer, payloadAt: number): string {
  const text = bytes.toString("utf8", payloadAt, payloadAt + headRoom);
  return sessionNames.exec(text)?.[1] ?? "";
}

/** What the launcher reads first, by which it knows that somebody heard it. */
export const greeting = "hookwarden 1\n";

/** What it reads in place of that where too many ask at once. */
export const busyGreeting = "hookwarden busy\n";

/** An answer as the launcher reads it back; both texts end where the mark says. */
export function replyText({ stdout, stderr, exitCode }: HookReply, of: string): string {
  return `${stdout}\n${of} err\n${stderr}\n${of} end ${exitCode}\n`;
}
