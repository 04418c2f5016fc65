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

/** Claude Code (hosts page others, sections 1 and 2). Also the form that VS Code and Copilot CLI read its files in. */
export const claudeCode: Dialect = {
  host: "claude-code",
  budget: 10_000,
  eventFields: ["hook_event_name", "hookEventName"],
  callEvents: ["PreToolUse"],
  // The only host whose payload names the mode of permissions and no turn, and carries no stamp of its own.
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

/** The reply to a call that is about to run. */
export function called(name: string, decision: Decision, fields: Payload): HookReply {
  return twice(answer(decision, specific(name, fields)), fields);
}

/** One document with what the human is told, or nothing at all. */
export function answer(decision: Decision, fields: Payload = {}): HookReply {
  const whole = present({ ...fields, systemMessage: noticeText(decision) });
  return Object.keys(whole).length === 0 ? silent : document(whole);
}

/** The part of a document that belongs to one event; nothing where it would be empty. */
export function specific(name: string, fields: Payload): Payload {
  const known = present(fields);
  return Object.keys(known).length === 0 ? {} : { hookSpecificOutput: { hookEventName: name, ...known } };
}

/** What refuses a prompt, a stop, or a result. */
export function blocking(reason: string): Payload {
  return { decision: "block", reason };
}

/** Answer to a call that is about to run: the host asks its own human, unless a rule says that it need not. */
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

/** Answer to a prompt, which the host takes or refuses but never rewrites. */
export function prompt(name: string, decision: Decision): HookReply {
  const refused = (fields: Payload): HookReply => twice(answer(decision, fields), fields);
  if (decision.outcome === "ask") return refused(blocking(wordsUnasked(decision)));
  if (decision.outcome === "block") return refused(blocking(wordsOf(decision)));
  const { text, prompt: rewritten } = decision.changes;
  if (text !== undefined || rewritten !== undefined) return refused(blocking(wordsUnchanged(decision, "this prompt")));
  return answer(decision, specific(name, { additionalContext: injectedText(decision) }));
}

/** The result in the tool's own shape, or the host drops it and passes the raw one. Failures cannot be changed at all. */
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
 * A result without any text of the tool's own. One without a text, or whose form cannot be read, becomes a bare text, which
 * holds for MCP tools; since other tools keep what has another form, the agent is stopped besides. Never throws.
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

/** A deny document of a call. */
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
