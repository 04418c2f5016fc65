import type { Decision } from "../../schema/generated.ts";
import { canonicalTool, canonicalTools } from "../../schema/tools.ts";
import type { EventReader } from "./claude-payload.ts";
import {
  closed,
  type Dialect,
  document,
  type HookCall,
  type HookReply,
  objectOf,
  type Payload,
  present,
  silent,
  textOf,
  twice,
  wordsUnasked,
  wordsUnchanged,
} from "./dialect.ts";
import { resultText } from "./result-text.ts";

/**
 * Goose, from its documents alone (hosts page others, section 2). Only a call about to run and a stop can be refused, and
 * nothing can be rewritten. Goose takes anything but an allow or a block as no decision, so these two events always get one.
 * `BeforeReadFile`, `BeforeShellExecution` and their like repeat the same calls and are not judged again.
 */
export const goose: Dialect = {
  host: "goose",
  budget: 10_000,
  eventFields: ["event"],
  callEvents: ["PreToolUse"],
  claims: (given) =>
    textOf(given, "event") !== undefined &&
    textOf(given, "session_id") !== undefined &&
    ["matcher_context", "working_dir", "tool_call_id"].some((name) => Object.hasOwn(given, name)) &&
    !Object.hasOwn(given, "hook_event_name"),
  read,
  reply,
  fault,
};

const readers: Readonly<Record<string, EventReader>> = {
  PreToolUse: (given) => {
    const payload = callOf(given);
    return payload && { event: "tool_call", payload };
  },
  PostToolUse: (given) => resultOf(given, false),
  PostToolUseFailure: (given) => resultOf(given, true),
  UserPromptSubmit: (given) => {
    const text = textOf(given, "message", "prompt");
    return text === undefined ? undefined : { event: "input", payload: { text } };
  },
  SessionStart: () => ({ event: "session_start", payload: {} }),
  SessionEnd: () => ({ event: "session_shutdown", payload: {} }),
  Stop: (given) => ({
    event: "stop",
    payload: present({ active: given["stop_hook_active"] === true, last_message: textOf(given, "message") }),
  }),
};

function callOf(given: Payload): Payload | undefined {
  const tool = textOf(given, "tool_name");
  const args = objectOf(given, "tool_input");
  if (tool === undefined || args === undefined) return undefined;
  return present({ tool: toolName(tool), args, call_id: textOf(given, "tool_call_id") });
}

/** Names `<extension>__<tool>` as an MCP server's tool, except the built-in tools that policies know by their own name. */
function toolName(tool: string): string {
  const known = (canonicalTools as readonly string[]).includes(canonicalTool(tool));
  return known || !/^[^_].*__.+/s.test(tool) || tool.startsWith("mcp__") ? tool : `mcp__${tool}`;
}

function resultOf(given: Payload, failed: boolean): ReturnType<EventReader> {
  const call = callOf(given);
  const result = given["tool_result"] ?? given["tool_output"] ?? given["tool_response"] ?? given["message"];
  const { content } = resultText(result);
  return call && { event: "tool_result", payload: { ...call, result: { content, is_error: failed } } };
}

function read(given: Payload): ReturnType<Dialect["read"]> {
  const name = textOf(given, "event");
  if (name === undefined) return { unreadable: "the payload does not name its event", name: "" };
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (!reader) return "ignored";
  const found = reader(given);
  if (!found) return { unreadable: `the payload of \`${name}\` lacks what it is about`, name };
  const session = textOf(given, "session_id") ?? "";
  return { name, ...found, session, cwd: textOf(given, "working_dir"), interactive: false, given };
}

const allowed: Payload = { decision: "allow" };

function blocking(reason: string): Payload {
  return { decision: "block", reason };
}

function reply({ event }: HookCall, decision: Decision): HookReply {
  if (event !== "tool_call" && event !== "stop") return silent;
  const { outcome, changes } = decision;
  if (outcome === "allow" && changes.args === undefined) return document(allowed);
  const words = outcome === "allow" ? wordsUnchanged(decision, "this call") : wordsUnasked(decision);
  return event === "stop" ? document(blocking(words)) : twice(document(blocking(words)), blocking(words));
}

function fault(name: string, reason: string): HookReply {
  if (name === "PreToolUse" || name === "") return closed(blocking(reason), reason);
  // If faults refused stops, the agent would never stop.
  return name === "Stop" ? document(allowed) : { ...silent, stderr: `${reason}\n` };
}
