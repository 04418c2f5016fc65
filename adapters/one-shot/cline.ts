import type { Decision } from "../../schema/generated.ts";
import type { EventReader } from "./claude-payload.ts";
import {
  type Dialect,
  document,
  type HookCall,
  type HookReply,
  injectedText,
  objectOf,
  type Payload,
  present,
  silent,
  textOf,
  wordsOf,
  wordsUnasked,
  wordsUnchanged,
} from "./dialect.ts";
import { resultText } from "./result-text.ts";

/**
 * Cline's file hooks, from its source alone (hosts page others, section 2). Exit codes say nothing there: a hook that
 * fails is skipped, so a refusal is a document that leaves with exit 0, our own faults included.
 */
export const cline: Dialect = {
  host: "cline",
  budget: 10_000,
  version: (given) => textOf(given, "clineVersion"),
  claims: (given) => textOf(given, "clineVersion") !== undefined && textOf(given, "hookName") !== undefined,
  read,
  reply,
  fault,
};

const readers: Readonly<Record<string, EventReader>> = {
  PreToolUse: (given) => {
    const payload = callOf(given, "preToolUse");
    return payload && { event: "tool_call", payload };
  },
  PostToolUse: (given) => {
    const payload = callOf(given, "postToolUse");
    const legacy = objectOf(given, "postToolUse") ?? {};
    const result = objectOf(given, "tool_result", "tool_call") ?? {};
    const { content } = resultText(result["output"] ?? result["result"] ?? legacy["result"]);
    const failed = legacy["success"] === false || Object.hasOwn(result, "error");
    return payload && { event: "tool_result", payload: { ...payload, result: { content, is_error: failed } } };
  },
  UserPromptSubmit: (given) => {
    const text = textOf(objectOf(given, "userPromptSubmit") ?? given, "prompt");
    return text === undefined ? undefined : { event: "input", payload: { text } };
  },
  TaskStart: () => ({ event: "session_start", payload: { reason: "new" } }),
  TaskResume: () => ({ event: "session_start", payload: { reason: "resume" } }),
  TaskComplete: () => ({ event: "agent_end", payload: {} }),
  TaskCancel: () => ({ event: "agent_end", payload: {} }),
  SessionShutdown: () => ({ event: "session_shutdown", payload: {} }),
};

/** The call as the host runs it; the older form stands beside it, with every parameter as text. */
function callOf(given: Payload, older: string): Payload | undefined {
  const call = objectOf(given, "tool_call", "tool_result");
  const legacy = objectOf(given, older) ?? {};
  const tool = (call && textOf(call, "name")) ?? textOf(legacy, "toolName");
  const args = (call && objectOf(call, "input")) ?? objectOf(legacy, "parameters");
  if (tool === undefined || args === undefined) return undefined;
  return present({ tool, args, call_id: call && textOf(call, "id") });
}

function read(given: Payload): ReturnType<Dialect["read"]> {
  const name = textOf(given, "hookName");
  if (name === undefined) return { unreadable: "the payload does not name its event", name: "" };
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (!reader) return "ignored";
  const found = reader(given);
  if (!found) return { unreadable: `the payload of \`${name}\` lacks what it is about`, name };
  const roots = given["workspaceRoots"];
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return {
    name,
    ...found,
    session: textOf(given, "taskId") ?? "",
    cwd: typeof root === "string" ? root : undefined,
    interactive: false,
    given,
  };
}

function cancelled(reason: string): HookReply {
  return document({ cancel: true, errorMessage: reason });
}

function going(fields: Payload): HookReply {
  return document(present({ cancel: false, ...fields }));
}

function reply(call: HookCall, decision: Decision): HookReply {
  const context = { contextModification: injectedText(decision) };
  switch (call.event) {
    case "tool_call":
      if (decision.outcome !== "allow") return cancelled(wordsUnasked(decision));
      return going({ ...context, overrideInput: decision.changes.args });
    case "input":
      if (decision.outcome !== "allow") return cancelled(wordsUnasked(decision));
      return decision.changes.text === undefined ? going(context) : cancelled(wordsUnchanged(decision, "this prompt"));
    case "tool_result":
      // A result cannot be replaced; one that nobody could judge ends the task before the model reads it.
      return decision.outcome === "allow" ? going(context) : cancelled(wordsOf(decision));
    case "session_start":
      return going(context);
    default:
      return silent;
  }
}

function fault(name: string, reason: string): HookReply {
  const refusable = ["", "PreToolUse", "PostToolUse", "UserPromptSubmit"].includes(name);
  return refusable ? cancelled(reason) : { ...silent, stderr: `${reason}\n` };
}
