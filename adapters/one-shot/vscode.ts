import type { Decision } from "../../schema/generated.ts";
import { answer, blocking, called, callFields, denied, prompt, specific } from "./claude-code.ts";
import { claudeEvents, readClaudeForm } from "./claude-payload.ts";
import {
  closed,
  type Dialect,
  exitTwo,
  type Grant,
  type HookCall,
  type HookReply,
  injectedText,
  type Payload,
  silent,
  textOf,
  wordsOf,
  wordsUnasked,
  wordsUnchanged,
} from "./dialect.ts";

/**
 * VS Code's agent hooks, from their documents alone (hosts page others, section 2). The events are Claude's, with some names
 * in camel case. A result cannot be replaced, and each of the two stop events is refused in its own way.
 */
export const vscode: Dialect = {
  host: "vscode",
  budget: 10_000,
  eventFields: ["hookEventName", "hook_event_name"],
  callEvents: ["PreToolUse"],
  alsoReads: ["claude-code", "copilot"],
  // Only VS Code has a text timestamp beside Claude's fields or `hookEventName`. Cursor and Codex have fields of their own.
  claims: (given) =>
    !["cursor_version", "turn_id", "conversation_id"].some((name) => Object.hasOwn(given, name)) &&
    textOf(given, "timestamp") !== undefined &&
    Object.hasOwn(claudeEvents, textOf(given, "hookEventName", "hook_event_name") ?? "") &&
    (textOf(given, "hookEventName") !== undefined || textOf(given, "transcript_path") !== undefined),
  read: (given) => readClaudeForm(given, claudeEvents, true),
  reply,
  fault,
};

function reply(call: HookCall, decision: Decision, grant: Grant): HookReply {
  const open = decision.outcome === "allow";
  switch (call.event) {
    case "tool_call":
      return called(call.name, decision, callFields(decision, grant));
    case "tool_result":
      return result(call.name, decision);
    case "input":
      // The documents name two ways to refuse a prompt: exit 2, and a `continue` of false.
      return open && decision.changes.text === undefined ? prompt(call.name, decision) : refused(decision);
    case "stop":
      return open ? answer(decision) : answer(decision, specific(call.name, blocking(wordsOf(decision))));
    case "subagent_stop":
      return open ? answer(decision) : answer(decision, blocking(wordsOf(decision)));
    case "session_start":
      return answer(decision, specific(call.name, { additionalContext: injectedText(decision) }));
    default:
      return answer(decision);
  }
}

function refused(decision: Decision): HookReply {
  const reason = decision.outcome === "allow" ? wordsUnchanged(decision, "this prompt") : wordsUnasked(decision);
  return closed({ continue: false, stopReason: reason }, reason);
}

/** Replies to a result, which can be objected to or added to, but not changed. */
function result(name: string, decision: Decision): HookReply {
  const context = specific(name, { additionalContext: injectedText(decision) });
  if (decision.outcome === "allow" && decision.changes.content === undefined) return answer(decision, context);
  const reason = decision.outcome === "allow" ? wordsUnchanged(decision, "the result of this call") : wordsOf(decision);
  return answer(decision, { ...blocking(reason), ...context });
}

function fault(name: string, reason: string, _given?: Payload): HookReply {
  switch (name) {
    case "PreToolUse":
      return closed(denied(reason), reason);
    case "PostToolUse":
      return closed(blocking(reason), reason);
    case "UserPromptSubmit":
      return closed({ continue: false, stopReason: reason }, reason);
    case "":
      return exitTwo(reason);
    default:
      return { ...silent, stderr: `${reason}\n` };
  }
}
