import type { Decision } from "../../schema/generated.ts";
import type { EventReader } from "./claude-payload.ts";
import { clineArguments, hostInput, olderParameters } from "./cline-tools.ts";
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
 * Cline's file hooks, from its source alone (hosts page others, section 2; `@cline/core` 0.0.86). Exit codes mean nothing there:
 * a hook that fails is skipped. So every refusal is a document with exit code 0, also for our own faults.
 */
export const cline: Dialect = {
  host: "cline",
  budget: 10_000,
  eventFields: ["hookName"],
  callEvents: ["PreToolUse"],
  alone: true,
  version: (given) => textOf(given, "clineVersion"),
  claims: (given) => textOf(given, "clineVersion") !== undefined && textOf(given, "hookName") !== undefined,
  read,
  reply,
  fault,
};

const toolCall: EventReader = (given) => {
  const payload = callOf(given, "tool_call", "preToolUse");
  return payload && { event: "tool_call", payload };
};
const toolResult: EventReader = (given) => {
  const payload = callOf(given, "tool_result", "postToolUse") ?? callOf(given, "tool_call", "postToolUse");
  const legacy = objectOf(given, "postToolUse") ?? {};
  const result = objectOf(given, "tool_result", "tool_call") ?? {};
  const { content } = resultText(result["output"] ?? result["result"] ?? legacy["result"]);
  const failed = legacy["success"] === false || (result["error"] ?? undefined) !== undefined;
  return payload && { event: "tool_result", payload: { ...payload, result: { content, is_error: failed } } };
};
const prompt: EventReader = (given) => {
  const text = textOf(objectOf(given, "userPromptSubmit") ?? given, "prompt");
  return text === undefined ? undefined : { event: "input", payload: { text } };
};
const begun: EventReader = () => ({ event: "session_start", payload: { reason: "new" } });
const resumed: EventReader = () => ({ event: "session_start", payload: { reason: "resume" } });
const ended: EventReader = () => ({ event: "agent_end", payload: {} });
const failed: EventReader = (given) => ({
  event: "error",
  payload: present({ message: textOf(objectOf(given, "error") ?? {}, "message") }),
});
const compacts: EventReader = () => ({ event: "session_before_compact", payload: {} });
const shutDown: EventReader = () => ({ event: "session_shutdown", payload: {} });

/** Readers of events, by the names of the hook files and by the names in payloads of Cline's command line. */
const readers: Readonly<Record<string, EventReader>> = {
  PreToolUse: toolCall,
  tool_call: toolCall,
  PostToolUse: toolResult,
  tool_result: toolResult,
  UserPromptSubmit: prompt,
  prompt_submit: prompt,
  TaskStart: begun,
  agent_start: begun,
  TaskResume: resumed,
  agent_resume: resumed,
  TaskComplete: ended,
  agent_end: ended,
  TaskCancel: ended,
  agent_abort: ended,
  TaskError: failed,
  agent_error: failed,
  PreCompact: compacts,
  pre_compact: compacts,
  SessionShutdown: shutDown,
  session_shutdown: shutDown,
};

/** Reads the call as the host runs it. The payload may also hold an older form, with every parameter as text. */
function callOf(given: Payload, name: string, older: string): Payload | undefined {
  const call = objectOf(given, name);
  const legacy = objectOf(given, older) ?? {};
  const tool = (call && textOf(call, "name")) ?? textOf(legacy, "toolName");
  if (tool === undefined) return undefined;
  const args = clineArguments(tool, call ? call["input"] : legacy["parameters"]);
  return args && present({ tool, args, call_id: call && textOf(call, "id") });
}

/** Says how the two forms of a call or result differ; undefined if they do not. We cannot know which form the host runs. */
function formsDiffer(given: Payload): string | undefined {
  for (const [name, older] of [
    ["tool_call", "preToolUse"],
    ["tool_result", "postToolUse"],
  ] as const) {
    const call = objectOf(given, name);
    const legacy = objectOf(given, older);
    if (!call || !legacy) continue;
    const parameters = JSON.stringify(olderParameters(call["input"]));
    if (call["name"] !== legacy["toolName"] || parameters !== JSON.stringify(legacy["parameters"] ?? {}))
      return `\`${older}\` says another call than \`${name}\``;
  }
  return undefined;
}

function read(given: Payload): ReturnType<Dialect["read"]> {
  const name = textOf(given, "hookName");
  if (name === undefined) return { unreadable: "the payload does not name its event", name: "" };
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (!reader) return "ignored";
  const differ = formsDiffer(given);
  if (differ !== undefined) return { unreadable: differ, name };
  const found = reader(given);
  if (!found) return { unreadable: `the payload of \`${name}\` lacks what it is about`, name };
  const roots = given["workspaceRoots"];
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  const agent = textOf(given, "parent_agent_id") === undefined ? undefined : textOf(given, "agent_id");
  return {
    name,
    ...found,
    session: textOf(given, "taskId") ?? "",
    cwd: typeof root === "string" ? root : undefined,
    ...(agent !== undefined && { agent: { id: agent } }),
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
      return rewritten(call, decision, context);
    case "input":
      if (decision.outcome !== "allow") return cancelled(wordsUnasked(decision));
      return decision.changes.text === undefined ? going(context) : cancelled(wordsUnchanged(decision, "this prompt"));
    case "tool_result":
      // A result cannot be replaced; if it is refused or could not be judged, the task ends before the model reads it.
      return unjudged(decision) ? cancelled(wordsOf(decision)) : going(context);
    case "session_start":
      return going(context);
    default:
      return silent;
  }
}

/** Replies with new arguments in the tool's own shape; cancels the call if they do not fit that shape. */
function rewritten(call: HookCall, decision: Decision, context: Payload): HookReply {
  const { args } = decision.changes;
  const overrideInput = args && hostInput(String(call.payload["tool"]), args);
  if (args && !overrideInput) return cancelled(wordsUnchanged(decision, "this call"));
  return going({ ...context, overrideInput });
}

function unjudged({ outcome, answered }: Decision): boolean {
  return outcome !== "allow" || answered === "error";
}

function fault(name: string, reason: string): HookReply {
  const refusable = name === "" || [toolCall, toolResult, prompt].includes(readers[name] as EventReader);
  return refusable ? cancelled(reason) : { ...silent, stderr: `${reason}\n` };
}
