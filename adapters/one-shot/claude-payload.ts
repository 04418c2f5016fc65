import { digest } from "../../runtime.ts";
import type { EventName } from "../../schema/events.ts";
import { type HookCall, isPayload, type Payload, present, textOf, type Unreadable } from "./dialect.ts";
import { resultText } from "./result-text.ts";

/** Reads the event in a host's payload, with fields in wire spelling; undefined if required fields are missing. */
export type EventReader = (given: Payload) => { readonly event: EventName; readonly payload: Payload } | undefined;

/** Reads the arguments of a call: an object, or a text that a tool takes instead. */
function argumentsOf(given: Payload): Payload | undefined {
  const value = given["tool_input"] ?? given["toolInput"];
  if (isPayload(value)) return value;
  return typeof value === "string" ? { input: value } : undefined;
}

/** Reads tool, id and arguments of a call; undefined without a name or arguments, because it cannot be judged then. */
export function callOf(given: Payload): Payload | undefined {
  const tool = textOf(given, "tool_name", "toolName");
  const args = argumentsOf(given);
  if (tool === undefined || args === undefined) return undefined;
  return present({ tool, args, call_id: textOf(given, "tool_use_id", "toolUseId") ?? unnamedCall(tool, args) });
}

/**
 * Makes an id for a call whose host gives none. It is the same for the call and its result, which name the same tool and
 * arguments. After two equal calls, a result counts as that of the later one.
 */
export function unnamedCall(tool: string, args: Payload): string {
  return `call-${digest({ tool, args }).slice("sha256:".length, "sha256:".length + 32)}`;
}

/** Reads a call that is about to run. */
export const toolCall: EventReader = (given) => {
  const payload = callOf(given);
  return payload && { event: "tool_call", payload };
};

/** Makes a reader for results of calls: reads their texts and images. */
export function toolResult(result: (given: Payload) => unknown, failed: boolean): EventReader {
  return (given) => {
    const call = callOf(given);
    const { content } = resultText(result(given));
    const took = given["duration_ms"];
    const duration = Number.isSafeInteger(took) ? { duration_ms: took } : {};
    return call && { event: "tool_result", payload: { ...call, result: { content, is_error: failed }, ...duration } };
  };
}

/** Reads a prompt of the user. */
export const input: EventReader = (given) => {
  const text = textOf(given, "prompt");
  return text === undefined ? undefined : { event: "input", payload: { text } };
};

/** Makes a reader for the end of a turn or of a sub-agent's work. */
export function stop(event: "stop" | "subagent_stop"): EventReader {
  return (given) => {
    const active = given["stop_hook_active"] === true || given["stopHookActive"] === true;
    return { event, payload: present({ active, last_message: textOf(given, "last_assistant_message") }) };
  };
}

/** Makes a reader that keeps only some texts of an event; `names` maps our field names to the host's. */
export function plain(event: EventName, names: Readonly<Record<string, string>> = {}): EventReader {
  return (given) => ({
    event,
    payload: present(Object.fromEntries(Object.entries(names).map(([own, theirs]) => [own, textOf(given, theirs)]))),
  });
}

/** Readers of the events whose names and fields are the same in Claude Code, Codex and VS Code. */
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

/** Returns the name of the event in a payload; empty if it has none. */
export function eventNameOf(given: Payload): string {
  return textOf(given, "hook_event_name", "hookEventName") ?? "";
}

/** Reads a payload in Claude's form with a host's own table of events. */
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
