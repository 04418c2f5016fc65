import type { EventName } from "../../schema/events.ts";
import type { Decision } from "../../schema/generated.ts";
import { givenArguments } from "./call-parts.ts";
import type { EventReader } from "./claude-payload.ts";
import {
  closed,
  type Dialect,
  document,
  exitTwo,
  type Grant,
  type HookCall,
  type HookReply,
  injectedText,
  type Payload,
  present,
  textOf,
  wordsAsked,
  wordsOf,
  wordsUnasked,
  wordsUnchanged,
} from "./dialect.ts";
import { resultText } from "./result-text.ts";

/**
 * Cursor, from its documents alone (hosts page others, sections 1 and 2). A document always leaves: where a hook is set to
 * fail closed, none is a refusal. A human is asked before shell and MCP calls only, so any other `ask` is a refusal, and
 * `preToolUse` comes before those events: where `install` wired it, an `ask` is refused there. To leave it to the later
 * event would let the call run wherever the host does not fire that one. What is read comes with its text, so a text that
 * a rule would change is not read at all.
 */
export const cursor: Dialect = {
  host: "cursor",
  budget: 10_000,
  eventFields: ["hook_event_name"],
  callEvents: ["preToolUse", "beforeShellExecution", "beforeReadFile"],
  alsoReads: ["claude-code"],
  version: (given) => textOf(given, "cursor_version"),
  claims: (given) => textOf(given, "cursor_version") !== undefined || textOf(given, "conversation_id") !== undefined,
  read,
  reply,
  fault,
};

/** Longer ones are dropped by the host, whole. */
const maxContext = 10_000;

const claudeNames: Readonly<Record<string, string>> = {
  UserPromptSubmit: "beforeSubmitPrompt",
  PreToolUse: "preToolUse",
  PostToolUse: "postToolUse",
  PostToolUseFailure: "postToolUseFailure",
  SessionStart: "sessionStart",
  SessionEnd: "sessionEnd",
  SubagentStart: "subagentStart",
  SubagentStop: "subagentStop",
  PreCompact: "preCompact",
  Stop: "stop",
};

/** The host's own name of the event; a hook of Claude's settings may get Claude's. */
function eventOf(given: Payload): string {
  return ownName(textOf(given, "hook_event_name") ?? "");
}

function ownName(name: string): string {
  return Object.hasOwn(claudeNames, name) ? (claudeNames[name] as string) : name;
}

const readers: Readonly<Record<string, EventReader>> = {
  preToolUse: (given) => call(toolCall(given)),
  beforeShellExecution: (given) => call(shellCall(given)),
  beforeMCPExecution: (given) => call(toolCall(given, true)),
  beforeReadFile: (given) => call(fileCall(given)),
  beforeTabFileRead: (given) => call(fileCall(given)),
  postToolUse: (given) => result(toolCall(given), parsed(given["tool_output"]), false),
  postToolUseFailure: (given) => result(toolCall(given), given["error_message"] ?? given["tool_output"], true),
  beforeSubmitPrompt: (given) => {
    const text = textOf(given, "prompt");
    return text === undefined ? undefined : { event: "input", payload: { text } };
  },
  sessionStart: (given) => ({ event: "session_start", payload: present({ reason: textOf(given, "source") }) }),
  sessionEnd: (given) => ({ event: "session_shutdown", payload: present({ reason: textOf(given, "reason") }) }),
  stop: stopOf("stop"),
  subagentStart: (given) => ({
    event: "subagent_start",
    payload: present({ agent_type: textOf(given, "subagent_type") }),
  }),
  subagentStop: stopOf("subagent_stop"),
  preCompact: (given) => ({
    event: "session_before_compact",
    payload: present({ trigger: textOf(given, "trigger") }),
  }),
  afterAgentResponse: (given) => ({
    event: "message_end",
    payload: { message: { role: "assistant", content: [{ type: "text", text: textOf(given, "text") ?? "" }] } },
  }),
};

function stopOf(event: "stop" | "subagent_stop"): EventReader {
  return (given) => ({
    event,
    payload: { active: typeof given["loop_count"] === "number" && given["loop_count"] > 0 },
  });
}

function call(payload: Payload | undefined): ReturnType<EventReader> {
  return payload && { event: "tool_call", payload };
}

function result(payload: Payload | undefined, given: unknown, failed: boolean): ReturnType<EventReader> {
  const { content } = resultText(given);
  return payload && { event: "tool_result", payload: { ...payload, result: { content, is_error: failed } } };
}

/** Results may come as their JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function toolCall(given: Payload, server = false): Payload | undefined {
  const tool = textOf(given, "tool_name");
  const args = givenArguments(given["tool_input"]);
  if (tool === undefined || args === undefined) return undefined;
  return present({ ...toolName(tool, server), args, call_id: textOf(given, "tool_use_id") });
}

/** The host does not say which server a tool is of; that it is one of a server is all that a rule can ask. */
function toolName(tool: string, server: boolean): Payload {
  if (tool.startsWith("MCP:")) return { tool: `mcp__cursor__${tool.slice("MCP:".length)}` };
  return { tool: server && !tool.startsWith("mcp__") ? `mcp__cursor__${tool}` : tool };
}

function shellCall(given: Payload): Payload | undefined {
  const command = textOf(given, "command");
  const cwd = textOf(given, "cwd") || undefined;
  return command === undefined ? undefined : { tool: "bash", args: present({ command, cwd }) };
}

function fileCall(given: Payload): Payload | undefined {
  const path = textOf(given, "file_path");
  return path === undefined ? undefined : { tool: "read", args: { path } };
}

function read(given: Payload): ReturnType<Dialect["read"]> {
  const name = eventOf(given);
  if (name === "") return { unreadable: "the payload does not name its event", name };
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (!reader) return "ignored";
  const found = reader(given);
  if (!found) return { unreadable: `the payload of \`${name}\` lacks what it is about`, name };
  const roots = given["workspace_roots"];
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  const read = name === "beforeReadFile" || name === "beforeTabFileRead" ? fileText(given, found.payload) : undefined;
  return {
    name,
    ...found,
    session: textOf(given, "conversation_id", "session_id") ?? "",
    cwd: typeof root === "string" ? root : undefined,
    interactive: true,
    given,
    ...(read && { also: read }),
  };
}

/** The text that is about to be read, judged as the result that it will be. */
function fileText(given: Payload, payload: Payload): { event: EventName; payload: Payload } | undefined {
  const text = textOf(given, "content");
  if (text === undefined) return undefined;
  const { content } = resultText(text);
  return { event: "tool_result", payload: { ...payload, result: { content, is_error: false } } };
}

function denied(reason: string): Payload {
  return { permission: "deny", user_message: reason, agent_message: reason };
}

function reply(hook: HookCall, decision: Decision, grant: Grant): HookReply {
  switch (hook.name) {
    case "preToolUse":
    case "beforeShellExecution":
    case "beforeMCPExecution":
      return document(present(callFields(hook, decision, grant)));
    case "beforeReadFile":
    case "beforeTabFileRead":
      return document(fileFields(decision));
    case "beforeSubmitPrompt":
      return document(promptFields(decision));
    case "postToolUse":
      return document(present(resultFields(hook, decision)));
    case "sessionStart":
      return document(present({ additional_context: context(decision) }));
    case "stop":
    case "subagentStop":
      return document(decision.outcome === "allow" ? {} : { followup_message: wordsOf(decision) });
    default:
      return document({});
  }
}

function callFields({ name }: HookCall, decision: Decision, grant: Grant): Payload {
  const { outcome, changes } = decision;
  const rewritable = name === "preToolUse";
  if (outcome === "block" || (outcome === "ask" && rewritable)) return denied(wordsUnasked(decision));
  if (changes.args !== undefined && !rewritable) return denied(wordsUnchanged(decision, "this call"));
  if (outcome === "ask")
    return { permission: "ask", user_message: wordsAsked(decision), agent_message: wordsAsked(decision) };
  return { permission: grant.skipPrompt ? "allow" : undefined, updated_input: changes.args };
}

function fileFields(decision: Decision): Payload {
  if (decision.outcome !== "allow") return denied(wordsUnasked(decision));
  const { args, content } = decision.changes;
  if (args !== undefined) return denied(wordsUnchanged(decision, "this call"));
  return content === undefined ? { permission: "allow" } : denied(wordsUnchanged(decision, "the text of this file"));
}

function promptFields(decision: Decision): Payload {
  const refused = (reason: string): Payload => ({ continue: false, user_message: reason });
  if (decision.outcome !== "allow") return refused(wordsUnasked(decision));
  return decision.changes.text === undefined ? { continue: true } : refused(wordsUnchanged(decision, "this prompt"));
}

function context(decision: Decision): string | undefined {
  return injectedText(decision)?.slice(0, maxContext);
}

/** Results of MCP tools can be replaced, in their own shape; of others nothing but a text beside them is taken. */
function resultFields({ given, payload }: HookCall, decision: Decision): Payload {
  const additional_context = context(decision);
  const { outcome, changes } = decision;
  const mcp = String(payload["tool"]).startsWith("mcp__");
  if (!mcp || (outcome === "allow" && changes.content === undefined)) return { additional_context };
  const value = parsed(given["tool_output"]);
  const content = outcome === "allow" ? (changes.content ?? []) : [{ type: "text", text: wordsOf(decision) }];
  const made = resultText(value).replaced(content);
  return { updated_mcp_tool_output: made?.value ?? { content }, additional_context };
}

function fault(name: string, reason: string, given: Payload = {}): HookReply {
  switch (ownName(name) || eventOf(given)) {
    case "preToolUse":
    case "beforeShellExecution":
    case "beforeMCPExecution":
    case "beforeReadFile":
    case "beforeTabFileRead":
      return closed(denied(reason), reason);
    case "beforeSubmitPrompt":
      return closed({ continue: false, user_message: reason }, reason);
    case "postToolUse":
      return document({ updated_mcp_tool_output: { content: [{ type: "text", text: reason }] } });
    case "":
      return exitTwo(reason);
    default:
      return { ...document({}), stderr: `${reason}\n` };
  }
}
