import { digest } from "../../runtime.ts";
import type { EventName } from "../../schema/events.ts";
import { type HookCall, isPayload, type Payload, present, textOf, type Unreadable } from "./dialect.ts";
import { resultText } from "./result-text.ts";

/** The event that a host's payload is, with its fields in wire spelling; undefined where what it needs is missing. */
export type EventReader = (given: Payload) => { readonly event: EventName; readonly payload: Payload } | undefined;

/** Arguments of a call: an object, or what a tool takes in place of one. */
function argumentsOf(given: Payload): Payload | undefined {
  const value = given["tool_input"] ?? given["toolInput"];
  if (isPayload(value)) return value;
  return typeof value === "string" ? { input: value } : undefined;
}

/** Tool, id and arguments of a call; undefined without a name and arguments, for such a call cannot be judged. */
export function callOf(given: Payload): Payload | undefined {
  const tool = textOf(given, "tool_name", "toolName");
  const args = argumentsOf(given);
  if (tool === undefined || args === undefined) return undefined;
  return present({ tool, args, call_id: textOf(given, "tool_use_id", "toolUseId") ?? unnamedCall(tool, args) });
}

/**
 * An id for a call that its host gives none: the same for the call and for its result, which say the same tool and
 * arguments. Of two equal calls the result is taken for that of the later one.
 */
export function unnamedCall(tool: string, args: Payload): string {
  return `call-${digest({ tool, args }).slice("sha256:".length, "sha256:".length + 32)}`;
}

/** A call that is about to run. */
export const toolCall: EventReader = (given) => {
  const payload = callOf(given);
  return payload && { event: "tool_call", payload };
};

/** What a call gave back, as far as it is text. */
export function toolResult(result: (given: Payload) => unknown, failed: boolean): EventReader {
  return (given) => {
    const call = callOf(given);
    const { content } = resultText(result(given));
    const took = given["duration_ms"];
    const duration = Number.isSafeInteger(took) ? { duration_ms: took } : {};
    return call && { event: "tool_result", payload: { ...call, result: { content, is_error: failed }, ...duration } };
  };
}

/** A prompt of the user. */
export const input: EventReader = (given) => {
  const text = textOf(given, "prompt");
  return text === undefined ? undefined : { event: "input", payload: { text } };
};

/** The end of a turn or of a sub-agent's work. */
export function stop(event: "stop" | "subagent_stop"): EventReader {
  return (given) => {
    const active = given["stop_hook_active"] === true || given["stopHookActive"] === true;
    return { event, payload: present({ active, last_message: textOf(given, "last_assistant_message") }) };
  };
}

/** An event of which only some texts are carried over, by their names here and there. */
export function plain(event: EventName, names: Readonly<Record<string, string>> = {}): EventReader {
  return (given) => ({
    event,
    payload: present(Object.fromEntries(Object.entries(names).map(([own, theirs]) => [own, textOf(given, theirs)]))),
  });
}

/** The events that Claude Code, Codex and VS Code name and fill alike. */
export const claudeEvents: Readonly<Record<string, EventReader>> = {
  PreToolUse: toolCall,
  PostToolUse: toolResult((given) => given["tool_response"] ?? given["toolResponse"], false),
  UserPromptSubmit: input,
  SessionStart: plain("session_start", { reason: "source" }),
  SessionEnd: plain("session_shutdown", { reason: "reason" }),
  Stop: stop("stop"),
  SubagentStart: plain("subagent_start", { agent_type: "agent_type" }),
  SubagentStop: stop("subagent_stop"),
  PreCompact: plain("session_before_compact", { trigger: "trigger", custom_instructions: "custom_instructions" }),
  PostCompact: plain("session_compact"),
};

/** Name of the event in a payload; empty where it has none. */
export function eventNameOf(given: Payload): string {
  return textOf(given, "hook_event_name", "hookEventName") ?? "";
}

/** Reads a payload of Claude's form by a host's own table of events. */
export function readClaudeForm(
  given: Payload,
  events: Readonly<Record<string, EventReader>>,
  interactive: boolean,
): HookCall | Unreadable | "ignored" {
  const name = eventNameOf(given);
  if (name === "") return { unreadable: "the payload does not name its event", name };
  if (!Object.hasOwn(events, name)) return "ignored";
  const found = events[name]?.(given);
  if (!found) return { unreadable: `the payload of \`${name}\` lacks what it is about`, name };
  const agent = textOf(given, "agent_id");
  const type = textOf(given, "agent_type");
  return {
    name,
    ...found,
    session: textOf(given, "session_id", "sessionId") ?? "",
    cwd: textOf(given, "cwd"),
    ...(agent !== undefined && { agent: { id: agent, ...(type !== undefined && { type }) } }),
    interactive,
    given,
  };
}
