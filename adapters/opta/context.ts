import { Buffer } from "node:buffer";
import type { HookEvent } from "./config.ts";

/** The agent's data about an event. Source: seed opta-hook-system, section 2; the last five are of V4. */
export interface HookContext {
  event: HookEvent;
  session_id: string;
  cwd: string;
  tool_name?: string;
  /** JSON text of the arguments. */
  tool_args?: string;
  /** `tool.post` only: the whole result of the tool; hooks get the first 2 KB. */
  tool_result?: string;
  error_message?: string;
  model?: string;
  tool_call_id?: string;
  /** `tool.post` only. */
  tool_failed?: boolean;
  /** `prompt.pre` only. */
  prompt?: string;
  /** `stop` only: last text of the assistant. */
  last_message?: string;
  /** `stop` only: true if a hook has already made the agent go on. */
  stop_active?: boolean;
}

/** The hooks' instructions to the agent. All fields except `cancelled` and `reason` are of V4 or come from a policy. */
export interface HookResult {
  /** `tool.pre`: the tool does not run. `prompt.pre`: the prompt is rejected. `stop`: the agent does not stop. */
  readonly cancelled: boolean;
  /** The reason: standard error of the hook that cancelled, or the reason that it gave. */
  readonly reason?: string;
  /** `tool.pre`: the complete new arguments. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** `prompt.pre`: text in place of the prompt. */
  readonly prompt?: string;
  /** `tool.post`: text in place of the result; only a policy changes results. */
  readonly result?: string;
  /** Additional text for the model. */
  readonly additionalContext?: string;
}

/** Maximum bytes of a result that hooks get. Source: seed opta-hook-system, sections 3 and 4. */
export const resultBytes = 2_048;

/** Maximum bytes of an error message that hooks get: Linux's limit for one variable of a program, rounded down. */
export const errorBytes = 128_000;

/** Returns the longest prefix of a text with at most `bytes` in UTF-8, without half a character at its end. */
export function firstBytes(text: string, bytes: number = resultBytes): string {
  const encoded = Buffer.from(text.slice(0, bytes), "utf8");
  if (encoded.length <= bytes) return text.slice(0, bytes).toWellFormed();
  let end = bytes;
  while (end > 0 && ((encoded[end] as number) & 0xc0) === 0x80) end--;
  return encoded.toString("utf8", 0, end);
}

/** True for the two events that are about a tool call. */
export function isToolEvent(event: HookEvent): boolean {
  return event === "tool.pre" || event === "tool.post";
}

/** Returns the variables of an event (seed, section 4). Unknown values are empty; variables of other events are absent. */
export function buildEnv(event: HookEvent, context: HookContext): Record<string, string> {
  return {
    OPTA_EVENT: event,
    OPTA_SESSION_ID: context.session_id,
    OPTA_CWD: context.cwd,
    OPTA_MODEL: context.model ?? "",
    ...(isToolEvent(event) && { OPTA_TOOL_NAME: context.tool_name ?? "", OPTA_TOOL_ARGS: context.tool_args ?? "{}" }),
    ...(event === "tool.post" && { OPTA_TOOL_RESULT: firstBytes(variable(context.tool_result ?? "")) }),
    ...(event === "error" && { OPTA_ERROR: firstBytes(variable(context.error_message ?? ""), errorBytes) }),
  };
}

/** Replaces NULs, since a program with one in a variable would not start. */
function variable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

/** Linux's limit for one variable of a program, in bytes. A call with larger arguments cannot be shown to a hook. */
const variableBytes = 131_072;

/** Returns the name of a variable that is too large for any program to start with; undefined if all fit. */
export function unfit(env: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(env).find((name) => {
    const value = env[name] as string;
    return value.includes("\0") || Buffer.byteLength(value) + name.length + 2 > variableBytes;
  });
}

/** Returns the context for a hook with `protocol: json`: arguments as an object, long texts cut. */
export function inputDocument(event: HookEvent, context: HookContext): string {
  const { tool_args, tool_result, error_message, ...rest } = context;
  return JSON.stringify({
    ...rest,
    event,
    ...(tool_args !== undefined && { tool_args: parsedArguments(tool_args) ?? tool_args }),
    ...(tool_result !== undefined && { tool_result: firstBytes(tool_result) }),
    ...(error_message !== undefined && { error_message: firstBytes(error_message, errorBytes) }),
  });
}

/** Returns the arguments of a call as an object; undefined for text that is no object. A missing text means a call without arguments. */
export function parsedArguments(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined || text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
