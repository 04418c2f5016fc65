import type { Decision } from "../../schema/generated.ts";
import { answer, blocking, called, denied, prompt, specific } from "./claude-code.ts";
import { claudeEvents, eventNameOf, readClaudeForm } from "./claude-payload.ts";
import {
  closed,
  type Dialect,
  document,
  exitTwo,
  type HookCall,
  type HookReply,
  injectedText,
  type Payload,
  silent,
  textOf,
  wordsOf,
  wordsUnasked,
} from "./dialect.ts";
import { joinedText } from "./result-text.ts";

/**
 * Codex CLI (hosts page others, sections 1 and 2). Its schemas reject a whole answer for one unknown key, for a deny without
 * a reason, for a bare allow and for `ask`, and then the call runs. So none of these is ever written.
 */
export const codex: Dialect = {
  host: "codex",
  budget: 10_000,
  eventFields: ["hook_event_name", "hookEventName"],
  callEvents: ["PreToolUse"],
  claims: (given) => textOf(given, "turn_id") !== undefined && textOf(given, "model") !== undefined,
  read(given) {
    const call = readClaudeForm(given, claudeEvents, false);
    return call === "ignored" || "unreadable" in call ? call : { ...call, payload: patchNamed(call.payload) };
  },
  reply,
  fault,
};

/** Renames the `command` of `apply_patch`, in which Codex puts the patch, to `patch`. */
function patchNamed(payload: Payload): Payload {
  const args = payload["args"] as Payload | undefined;
  if (payload["tool"] !== "apply_patch" || typeof args?.["command"] !== "string") return payload;
  const { command, ...rest } = args;
  return { ...payload, args: { ...rest, patch: command } };
}

/** Renames `patch` back to the host's `command`. */
function hostArguments(call: HookCall, args: Payload | undefined): Payload | undefined {
  if (args === undefined || call.payload["tool"] !== "apply_patch" || !Object.hasOwn(args, "patch")) return args;
  const { patch, ...rest } = args;
  return { ...rest, command: patch };
}

function reply(call: HookCall, decision: Decision): HookReply {
  switch (call.event) {
    case "tool_call":
      return called(call.name, decision, callFields(call, decision));
    case "tool_result":
      return result(call, decision);
    case "input":
      return prompt(call.name, decision);
    case "stop":
    case "subagent_stop":
      return decision.outcome === "allow" ? answer(decision) : answer(decision, blocking(wordsOf(decision)));
    case "session_before_compact":
      return decision.outcome === "allow" ? answer(decision) : document(stopped(wordsUnasked(decision)));
    case "session_start":
      return answer(decision, specific(call.name, { additionalContext: injectedText(decision) }));
    default:
      return silent;
  }
}

function callFields(call: HookCall, decision: Decision): Payload {
  const { outcome, changes } = decision;
  if (outcome !== "allow") {
    const reason = outcome === "ask" ? wordsUnasked(decision) : wordsOf(decision);
    return { permissionDecision: "deny", permissionDecisionReason: reason };
  }
  const updatedInput = hostArguments(call, changes.args);
  return {
    permissionDecision: updatedInput === undefined ? undefined : "allow",
    updatedInput,
    additionalContext: injectedText(decision),
  };
}

/** Replies to a tool result. A block replaces the result: the model gets the reason and nothing else. */
function result(call: HookCall, decision: Decision): HookReply {
  const { outcome, changes } = decision;
  if (outcome !== "allow") return answer(decision, blocking(wordsOf(decision)));
  const context = injectedText(decision);
  if (changes.content === undefined) return answer(decision, specific(call.name, { additionalContext: context }));
  // Codex may treat a blank reason as missing and pass the raw result.
  const texts = [joinedText(changes.content), context ?? ""].filter((text) => text.trim() !== "");
  return answer(decision, blocking(texts.length === 0 ? "(empty)" : texts.join("\n\n")));
}

function stopped(stopReason: string): Payload {
  return { continue: false, stopReason };
}

function fault(name: string, reason: string, given: Payload = {}): HookReply {
  switch (name || eventNameOf(given)) {
    case "PreToolUse":
      return closed(denied(reason), reason);
    case "PostToolUse":
    case "UserPromptSubmit":
      return closed(blocking(reason), reason);
    case "PreCompact":
      return document(stopped(reason));
    case "":
      return exitTwo(reason);
    default:
      return { ...silent, stderr: `${reason}\n` };
  }
}
