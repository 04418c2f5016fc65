import type { Decision } from "../../schema/generated.ts";
import { givenArguments } from "./call-parts.ts";
import { callFields as claudeCallFields } from "./claude-code.ts";
import { type EventReader, unnamedCall } from "./claude-payload.ts";
import {
  closed,
  type Dialect,
  document,
  exitTwo,
  type Grant,
  type HookCall,
  type HookReply,
  injectedText,
  objectOf,
  type Payload,
  present,
  silent,
  textOf,
  twice,
  wordsOf,
  wordsUnasked,
} from "./dialect.ts";
import { joinedText, resultText } from "./result-text.ts";

/**
 * GitHub Copilot CLI (hosts page others, sections 1 and 2; proven by run on 1.0.102). Its document is flat. A payload in
 * camel case does not name its event, so its fields identify it. Events that the settings name in Pascal case come in snake
 * case with their name, and take the same flat keys.
 */
export const copilot: Dialect = {
  host: "copilot",
  budget: 10_000,
  eventFields: ["hook_event_name", "hookName"],
  callEvents: ["preToolUse"],
  alsoReads: ["claude-code"],
  claims,
  read,
  reply,
  fault,
};

/** The host's own names of events, by their Pascal-case names. */
const pascalNames: Readonly<Record<string, string>> = {
  SessionStart: "sessionStart",
  SessionEnd: "sessionEnd",
  UserPromptSubmit: "userPromptSubmitted",
  PreToolUse: "preToolUse",
  PostToolUse: "postToolUse",
  PostToolUseFailure: "postToolUseFailure",
  Stop: "agentStop",
  SubagentStart: "subagentStart",
  SubagentStop: "subagentStop",
  PreCompact: "preCompact",
  ErrorOccurred: "errorOccurred",
};

/** Fields that identify an event in camel case, the most specific first. */
const tellingFields: readonly (readonly [name: string, fields: readonly string[]])[] = [
  ["postToolUse", ["toolName", "toolResult"]],
  ["postToolUseFailure", ["toolName", "error"]],
  ["preToolUse", ["toolName", "toolArgs"]],
  ["userPromptTransformed", ["transformedPrompt"]],
  ["userPromptSubmitted", ["prompt"]],
  ["notification", ["message", "title"]],
  ["subagentStop", ["agentName", "stopReason"]],
  ["subagentStart", ["agentName"]],
  ["agentStop", ["stopReason"]],
  ["preCompact", ["trigger"]],
  ["sessionStart", ["source"]],
  ["errorOccurred", ["error"]],
  ["sessionEnd", ["reason"]],
];

/** Returns the host's own name of the event in a payload; empty if it cannot be identified. */
function eventOf(given: Payload): string {
  const pascal = textOf(given, "hook_event_name");
  if (pascal !== undefined) return Object.hasOwn(pascalNames, pascal) ? (pascalNames[pascal] as string) : pascal;
  const named = textOf(given, "hookName");
  if (named !== undefined) return named;
  return tellingFields.find(([, fields]) => fields.every((field) => Object.hasOwn(given, field)))?.[0] ?? "";
}

/** True for a camel-case session with a numeric timestamp, or snake case with a text timestamp but without VS Code's fields. */
function claims(given: Payload): boolean {
  if (typeof given["timestamp"] === "number") return textOf(given, "sessionId") !== undefined && eventOf(given) !== "";
  const name = textOf(given, "hook_event_name");
  if (name === undefined || !Object.hasOwn(pascalNames, name) || textOf(given, "timestamp") === undefined) return false;
  const strange = ["tool_use_id", "conversation_id", "turn_id", "hookEventName"];
  if (strange.some((field) => Object.hasOwn(given, field))) return false;
  return (
    textOf(given, "session_id") !== undefined && (!Object.hasOwn(given, "transcript_path") || hasStopReason(given))
  );
}

function hasStopReason(given: Payload): boolean {
  return textOf(given, "stop_reason") !== undefined;
}

const readers: Readonly<Record<string, EventReader>> = {
  preToolUse: (given) => withCall(given, (call) => ({ event: "tool_call", payload: call })),
  postToolUse: (given) => toolResult(given, resultOf(given), false),
  postToolUseFailure: (given) => toolResult(given, given["error"], true),
  userPromptSubmitted: (given) => textEvent(given, "input", "text", ["prompt"]),
  userPromptTransformed: (given) => textEvent(given, "before_agent_start", "prompt", ["transformedPrompt"]),
  sessionStart: (given) => ({ event: "session_start", payload: present({ reason: textOf(given, "source") }) }),
  sessionEnd: (given) => ({ event: "session_shutdown", payload: present({ reason: textOf(given, "reason") }) }),
  agentStop: stopOf("stop"),
  subagentStop: stopOf("subagent_stop"),
  subagentStart: (given) => ({
    event: "subagent_start",
    payload: present({ agent_type: textOf(given, "agentName", "agent_name") }),
  }),
  preCompact: (given) => ({
    event: "session_before_compact",
    payload: present({
      trigger: textOf(given, "trigger"),
      custom_instructions: textOf(given, "customInstructions", "custom_instructions"),
    }),
  }),
};

function stopOf(event: "stop" | "subagent_stop"): EventReader {
  return (given) => ({ event, payload: { active: given["stop_hook_active"] === true } });
}

function textEvent(
  given: Payload,
  event: "input" | "before_agent_start",
  field: string,
  names: readonly string[],
): ReturnType<EventReader> {
  const text = textOf(given, ...names);
  return text === undefined ? undefined : { event, payload: { [field]: text } };
}

function withCall(given: Payload, made: (call: Payload) => ReturnType<EventReader>): ReturnType<EventReader> {
  const tool = textOf(given, "toolName", "tool_name");
  // Arguments come as an object, and from the cloud agent as its JSON text.
  const args = givenArguments(given["toolArgs"] ?? given["tool_input"]);
  if (tool === undefined || args === undefined) return undefined;
  return made({ tool: mcpName(tool), args, call_id: unnamedCall(tool, args) });
}

/** Converts `<server>-<tool>`, split at the last hyphen since tools rarely have one. The host's own tools have no hyphen. */
function mcpName(tool: string): string {
  const at = tool.lastIndexOf("-");
  return at > 0 && at < tool.length - 1 ? `mcp__${tool.slice(0, at)}__${tool.slice(at + 1)}` : tool;
}

function resultOf(given: Payload): unknown {
  const result = objectOf(given, "toolResult", "tool_result");
  return result ? textOf(result, "textResultForLlm", "text_result_for_llm") : given["toolResult"];
}

function toolResult(given: Payload, result: unknown, failed: boolean): ReturnType<EventReader> {
  const { content } = resultText(result);
  return withCall(given, (call) => ({
    event: "tool_result",
    payload: { ...call, result: { content, is_error: failed } },
  }));
}

function read(given: Payload): ReturnType<Dialect["read"]> {
  const name = eventOf(given);
  if (name === "") return { unreadable: "the payload does not tell its event", name };
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (!reader) return "ignored";
  const found = reader(given);
  if (!found) return { unreadable: `the payload of \`${name}\` lacks what it is about`, name };
  const session = textOf(given, "sessionId", "session_id") ?? "";
  return { name, ...found, session, cwd: textOf(given, "cwd"), interactive: true, given };
}

function reply(call: HookCall, decision: Decision, grant: Grant): HookReply {
  switch (call.name) {
    case "preToolUse": {
      const fields = callFields(decision, grant);
      return twice(answer(fields), fields);
    }
    case "postToolUse":
      return answer(resultFields(call, decision));
    case "postToolUseFailure":
    case "sessionStart":
      return answer({ additionalContext: injectedText(decision) });
    case "userPromptSubmitted":
      return answer(promptFields(decision));
    case "userPromptTransformed":
      return answer(transformedFields(call, decision));
    case "agentStop":
    case "subagentStop":
      return decision.outcome === "allow" ? silent : answer(blocking(wordsOf(decision)));
    default:
      return silent;
  }
}

function answer(fields: Payload): HookReply {
  const known = present(fields);
  return Object.keys(known).length === 0 ? silent : document(known);
}

function blocking(reason: string): Payload {
  return { decision: "block", reason };
}

function denied(reason: string): Payload {
  return { permissionDecision: "deny", permissionDecisionReason: reason };
}

/** Makes the same fields as Claude Code's, except that new arguments are called `modifiedArgs`. */
function callFields(decision: Decision, grant: Grant): Payload {
  const { updatedInput, ...rest } = claudeCallFields(decision, grant);
  return { ...rest, modifiedArgs: updatedInput };
}

function resultFields(call: HookCall, decision: Decision): Payload {
  const additionalContext = injectedText(decision);
  const { content } = decision.changes;
  const kind = resultKind(call.given);
  if (decision.outcome !== "allow") return { modifiedResult: result(kind, wordsOf(decision)) };
  if (content === undefined) return { additionalContext };
  return { modifiedResult: result(kind, joinedText(content)), additionalContext };
}

function resultKind(given: Payload): string {
  const result = objectOf(given, "toolResult", "tool_result");
  return (result && textOf(result, "resultType", "result_type")) ?? "success";
}

function result(resultType: string, textResultForLlm: string): Payload {
  return { resultType, textResultForLlm };
}

function promptFields(decision: Decision): Payload {
  if (decision.outcome !== "allow") return blocking(wordsUnasked(decision));
  return { modifiedPrompt: decision.changes.text, additionalContext: injectedText(decision) };
}

/** Replies to a prompt about to be sent; the host's only field for it takes the whole text. */
function transformedFields(call: HookCall, decision: Decision): Payload {
  if (decision.outcome !== "allow") return { modifiedTransformedPrompt: wordsUnasked(decision) };
  const extra = injectedText(decision);
  const { prompt } = decision.changes;
  if (prompt === undefined && extra === undefined) return {};
  const text = prompt ?? textOf(call.payload, "prompt") ?? "";
  return { modifiedTransformedPrompt: extra === undefined ? text : `${text}\n\n${extra}` };
}

/** Makes the strictest reply for an event; `name` may be in either of the host's spellings. */
function fault(name: string, reason: string, given: Payload = {}): HookReply {
  switch (Object.hasOwn(pascalNames, name) ? pascalNames[name] : name || eventOf(given)) {
    case "preToolUse":
      return closed(denied(reason), reason);
    case "postToolUse":
      return document({ modifiedResult: result("failure", reason) });
    case "userPromptSubmitted":
      return document(blocking(reason));
    case "userPromptTransformed":
      return document({ modifiedTransformedPrompt: reason });
    case "":
      return exitTwo(reason);
    default:
      return { ...silent, stderr: `${reason}\n` };
  }
}
