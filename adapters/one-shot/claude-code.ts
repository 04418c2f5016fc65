import type { Decision } from "../../schema/generated.ts";
import { claudeEvents, type EventReader, plain, readClaudeForm, stop, toolResult } from "./claude-payload.ts";
import {
  closed,
  type Dialect,
  document,
  exitTwo,
  type Grant,
  type HookCall,
  type HookReply,
  injectedText,
  noticeText,
  type Payload,
  present,
  silent,
  textOf,
  twice,
  wordsAsked,
  wordsOf,
  wordsUnasked,
  wordsUnchanged,
} from "./dialect.ts";
import { resultText } from "./result-text.ts";

const events: Readonly<Record<string, EventReader>> = {
  ...claudeEvents,
  PostToolUseFailure: toolResult((given) => given["error"], true),
  Stop: stop("stop"),
  PostModelSwitch: (given) => ({
    event: "model_select",
    payload: { model: given["model"] ?? given["new_model"] ?? "", source: "set" },
  }),
  PostCompact: plain("session_compact"),
};

/** Claude Code (hosts page others, sections 1 and 2). VS Code and Copilot CLI also read its files in this form. */
export const claudeCode: Dialect = {
  host: "claude-code",
  budget: 10_000,
  eventFields: ["hook_event_name", "hookEventName"],
  callEvents: ["PreToolUse"],
  // Only Claude Code's payload has a permission mode, but no turn and no timestamp.
  claims: (given) =>
    Object.hasOwn(events, textOf(given, "hook_event_name") ?? "") &&
    textOf(given, "permission_mode") !== undefined &&
    !["turn_id", "timestamp", "cursor_version", "conversation_id"].some((name) => Object.hasOwn(given, name)),
  read: (given) => readClaudeForm(given, events, textOf(given, "permission_mode") !== "dontAsk"),
  reply,
  fault,
};

function reply(call: HookCall, decision: Decision, grant: Grant): HookReply {
  switch (call.event) {
    case "tool_call":
      return called(call.name, decision, callFields(decision, grant));
    case "tool_result":
      return answer(decision, resultFields(call, decision));
    case "input":
      return prompt(call.name, decision);
    case "stop":
    case "subagent_stop":
      return decision.outcome === "allow" ? answer(decision) : answer(decision, blocking(wordsOf(decision)));
    case "session_before_compact":
      return decision.outcome === "allow" ? answer(decision) : exitTwo(wordsUnasked(decision));
    case "session_start":
      return answer(decision, specific(call.name, { additionalContext: injectedText(decision) }));
    default:
      return answer(decision);
  }
}

/** Makes the reply to a call that is about to run. */
export function called(name: string, decision: Decision, fields: Payload): HookReply {
  return twice(answer(decision, specific(name, fields)), fields);
}

/** Makes one document with the fields and the notice for the human, or the silent reply if both are empty. */
export function answer(decision: Decision, fields: Payload = {}): HookReply {
  const whole = present({ ...fields, systemMessage: noticeText(decision) });
  return Object.keys(whole).length === 0 ? silent : document(whole);
}

/** Makes the part of a document that belongs to one event; empty if all fields are undefined. */
export function specific(name: string, fields: Payload): Payload {
  const known = present(fields);
  return Object.keys(known).length === 0 ? {} : { hookSpecificOutput: { hookEventName: name, ...known } };
}

/** Makes the fields that refuse a prompt, a stop or a result. */
export function blocking(reason: string): Payload {
  return { decision: "block", reason };
}

/** Makes the answer to a call about to run. The host still asks its human, unless a rule says that it need not. */
export function callFields(decision: Decision, grant: Grant): Payload {
  if (decision.outcome === "block") return { permissionDecision: "deny", permissionDecisionReason: wordsOf(decision) };
  const asked = decision.outcome === "ask";
  return {
    permissionDecision: asked ? "ask" : grant.skipPrompt ? "allow" : undefined,
    permissionDecisionReason: asked ? wordsAsked(decision) : undefined,
    updatedInput: decision.changes.args,
    additionalContext: injectedText(decision),
  };
}

/** Makes the reply to a prompt, which the host accepts or refuses but cannot rewrite. */
export function prompt(name: string, decision: Decision): HookReply {
  const refused = (fields: Payload): HookReply => twice(answer(decision, fields), fields);
  if (decision.outcome === "ask") return refused(blocking(wordsUnasked(decision)));
  if (decision.outcome === "block") return refused(blocking(wordsOf(decision)));
  const { text, prompt: rewritten } = decision.changes;
  if (text !== undefined || rewritten !== undefined) return refused(blocking(wordsUnchanged(decision, "this prompt")));
  return answer(decision, specific(name, { additionalContext: injectedText(decision) }));
}

/** Makes a result in the tool's own shape; the host drops any other shape and passes the raw result. Failures cannot be changed. */
function resultFields(call: HookCall, decision: Decision): Payload {
  const additionalContext = injectedText(decision);
  if (call.name !== "PostToolUse") return specific(call.name, { additionalContext });
  const given = call.given["tool_response"];
  if (decision.outcome !== "allow") return withheld(given, wordsOf(decision));
  const { content } = decision.changes;
  if (content === undefined) return specific(call.name, { additionalContext });
  const made = resultText(given).replaced(content);
  if (!made) return withheld(given, wordsOf(decision), additionalContext);
  return specific(call.name, { updatedToolOutput: made.value, additionalContext });
}

/**
 * Makes a result without any of the tool's own text. A result without text, or of an unknown form, becomes a bare text. That
 * works for MCP tools; other tools keep the raw result then, so the agent is stopped as well. Never throws.
 */
function withheld(given: unknown, why: string, additionalContext?: string): Payload {
  const made = blanked(given, why);
  if (made) return specific("PostToolUse", { updatedToolOutput: made.value, additionalContext });
  const bare = specific("PostToolUse", { updatedToolOutput: [{ type: "text", text: why }], additionalContext });
  return { continue: false, stopReason: why, ...bare };
}

function blanked(given: unknown, why: string): { readonly value: unknown } | undefined {
  try {
    const text = resultText(given);
    return text.replaced([{ type: "text", text: why }]) ?? (text.content.length === 0 ? undefined : text.replaced([]));
  } catch {
    return undefined;
  }
}

/** Makes the document that denies a call. */
export function denied(reason: string): Payload {
  return specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: reason });
}

function fault(name: string, reason: string, given: Payload = {}): HookReply {
  switch (name) {
    case "PreToolUse":
      return closed(denied(reason), reason);
    case "PostToolUse":
      // Exit 2 after the tool only adds text: the result itself must be replaced, with exit 0.
      return document(withheld(given["tool_response"], reason));
    case "UserPromptSubmit":
      return closed(blocking(reason), reason);
    case "":
    case "PreCompact":
      return exitTwo(reason);
    default:
      return document({ systemMessage: reason });
  }
}
