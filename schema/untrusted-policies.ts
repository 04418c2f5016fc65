import type { EventName } from "./events.ts";

/**
 * Standing of an action of a project's policy before a human has trusted the policy. It works as written; only the project's
 * own rules see its result; it leaves a token of fixed form; a question replaces it; or it does nothing.
 */
export type Standing = "works" | "own rules" | "token" | "asks" | "none";

/** Standings of one action: the usual one, and those at single events. */
interface Row {
  readonly usual: Standing;
  readonly at?: Readonly<Partial<Record<EventName, Standing>>>;
}

/**
 * Such a policy comes with a repository, hence from anyone (semantics section 3, "Scopes"): it may refuse, ask and record. It may
 * not decide for the user what a call is, what the model reads of a prompt or a conversation, or what other policies see. An
 * action that is not listed does nothing.
 */
const rows: Readonly<Record<string, Row>> = {
  block: { usual: "works" },
  ask: { usual: "works" },
  // An `allow` or an `unless` of the user could otherwise rest on the project's labels.
  label: { usual: "own rules" },
  record: { usual: "works" },
  // A rewritten call is another call. Prompts and conversations are the user's words, and none of them may be hidden.
  redact: {
    usual: "none",
    at: { tool_call: "asks", input: "asks", user_bash: "asks", user_python: "asks", tool_result: "token" },
  },
};

/** Returns the standing of an untrusted policy's action at an event. */
export function untrustedStanding(action: string, event: EventName): Standing {
  const row = Object.hasOwn(rows, action) ? rows[action] : undefined;
  return row?.at?.[event] ?? row?.usual ?? "none";
}

/** Parameters that do nothing in such a policy, by action, each with the reason why. */
export const untrustedParameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  redact: {
    before_guards: "other policies would not see what was asked for",
    values: "whoever writes a text could learn from it whether it holds a secret of the user",
  },
  ask: {
    clears: "labels of others would go",
    remember: "a question of others for the same call would not be put again",
  },
  label: { on: "labels of files outlive the project's session, and other policies see them" },
};

/** Token for a match of an untrusted policy's own pattern: the pattern's name would be a text of the policy's choice. */
export const untrustedToken = "[REDACTED:pattern]";
