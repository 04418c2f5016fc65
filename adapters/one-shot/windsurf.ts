import type { Decision } from "../../schema/generated.ts";
import { givenArguments } from "./call-parts.ts";
import type { EventReader } from "./claude-payload.ts";
import {
  type Dialect,
  exitTwo,
  type HookCall,
  type HookReply,
  isPayload,
  objectOf,
  type Payload,
  present,
  silent,
  textOf,
  wordsUnasked,
  wordsUnchanged,
} from "./dialect.ts";
import { resultText } from "./result-text.ts";

/**
 * Windsurf's Cascade, from its documents alone (hosts page others, section 2). It reads exit codes and nothing else: 2 with
 * text on standard error refuses the coming action, and any other code lets it run unchanged.
 */
export const windsurf: Dialect = {
  host: "windsurf",
  budget: 10_000,
  eventFields: ["agent_action_name"],
  callEvents: ["pre_run_command", "pre_mcp_tool_use", "pre_write_code", "pre_read_code"],
  claims: (given) => textOf(given, "agent_action_name") !== undefined && objectOf(given, "tool_info") !== undefined,
  read,
  reply,
  fault,
};

const readers: Readonly<Record<string, EventReader>> = {
  pre_read_code: (info) => call(readCall(info)),
  pre_write_code: (info) => call(writeCall(info)),
  pre_run_command: (info) => call(commandCall(info)),
  pre_mcp_tool_use: (info) => call(mcpCall(info)),
  post_read_code: (info) => result(readCall(info), undefined),
  post_write_code: (info) => result(writeCall(info), undefined),
  post_run_command: (info) => result(commandCall(info), undefined),
  post_mcp_tool_use: (info) => result(mcpCall(info), info["mcp_result"]),
  pre_user_prompt: (info) => {
    const text = textOf(info, "user_prompt");
    return text === undefined ? undefined : { event: "input", payload: { text } };
  },
  post_cascade_response: (info) => ({
    event: "message_end",
    payload: {
      message: { role: "assistant", content: [{ type: "text", text: textOf(info, "response") ?? "" }] },
    },
  }),
};

function call(payload: Payload | undefined): ReturnType<EventReader> {
  return payload && { event: "tool_call", payload };
}

function result(payload: Payload | undefined, given: unknown): ReturnType<EventReader> {
  const { content } = resultText(given);
  return payload && { event: "tool_result", payload: { ...payload, result: { content, is_error: false } } };
}

function readCall(info: Payload): Payload | undefined {
  const path = textOf(info, "file_path");
  return path === undefined ? undefined : { tool: "read", args: { path } };
}

/** Reads a write or an edit. Edits whose old text is empty create a file. */
function writeCall(info: Payload): Payload | undefined {
  const path = textOf(info, "file_path");
  if (path === undefined) return undefined;
  const edits = Array.isArray(info["edits"]) ? info["edits"] : [];
  const made = edits.map((edit: unknown) => (isPayload(edit) && !textOf(edit, "old_string") ? edit : undefined));
  if (edits.length === 0 || made.includes(undefined)) return { tool: "edit", args: { path, edits } };
  const content = made.map((edit) => (edit && textOf(edit, "new_string")) ?? "").join("");
  return { tool: "write", args: { path, content } };
}

function commandCall(info: Payload): Payload | undefined {
  const command = textOf(info, "command_line");
  return command === undefined
    ? undefined
    : { tool: "bash", args: present({ command, cwd: textOf(info, "cwd") || undefined }) };
}

function mcpCall(info: Payload): Payload | undefined {
  const server = textOf(info, "mcp_server_name");
  const name = textOf(info, "mcp_tool_name");
  if (server === undefined || name === undefined) return undefined;
  const args = givenArguments(info["mcp_tool_arguments"] ?? {});
  return args && { tool: `mcp__${server}__${name}`, args };
}

function read(given: Payload): ReturnType<Dialect["read"]> {
  const name = textOf(given, "agent_action_name");
  if (name === undefined) return { unreadable: "the payload does not name its event", name: "" };
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (!reader) return "ignored";
  const found = reader(objectOf(given, "tool_info") ?? {});
  if (!found) return { unreadable: `the payload of \`${name}\` lacks what it is about`, name };
  const session = textOf(given, "trajectory_id") ?? "";
  return { name, ...found, session, cwd: undefined, interactive: false, given };
}

function reply(hook: HookCall, decision: Decision): HookReply {
  if (hook.event !== "tool_call" && hook.event !== "input") return silent;
  if (decision.outcome !== "allow") return exitTwo(wordsUnasked(decision));
  const { args, text } = decision.changes;
  if (args !== undefined) return exitTwo(wordsUnchanged(decision, "this call"));
  return text === undefined ? silent : exitTwo(wordsUnchanged(decision, "this prompt"));
}

/** Makes the only refusal that the host knows; in a `post_*` event it has no effect. */
function fault(_name: string, reason: string): HookReply {
  return exitTwo(reason);
}
