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
 * Cursor, from its documents alone (hosts page others, sections 1 and 2). A document is always written, because for a hook
 * that is set to fail closed, no document is a refusal. Cursor asks a human before shell and MCP calls only, so any other
 * `ask` is a refusal. `preToolUse` comes before those events, so an `ask` is refused there too: leaving it to the later event
 * would let the call run if the host does not fire that one. Read events come with the file's text; a file whose text a rule
 * would change is not read at all.
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

/** Maximum characters of added context; the host drops longer ones entirely. */
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

/** Returns the host's own name of the event; a hook in Claude's settings may get Claude's name. */
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

/** Parses a result that may come as JSON text; returns other values as they are. */
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

/** Names a tool for policies. The host does not name the server, so rules can only tell that it is a server's tool. */
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

/** Makes the second event of a read: the file's text, judged as the result that it will be. */
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

/** Replaces results of MCP tools, in their own shape. For other tools the host only accepts an additional text. */
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
