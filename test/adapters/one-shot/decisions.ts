import type { Dialect, Grant, HookReply, Payload } from "../../../adapters/one-shot/dialect.ts";
import { noGrant } from "../../../adapters/one-shot/dialect.ts";
import type { Decision } from "../../../schema/generated.ts";

/** A decision that allows, with what a test gives it. */
export function decision(fields: Partial<Decision> = {}): Decision {
  return {
    id: "e",
    outcome: "allow",
    answered: "none",
    matched: [],
    would: [],
    changes: {},
    errors: [],
    policy_digest: "sha256:0",
    ...fields,
  };
}

export const blocked = decision({ outcome: "block", answered: "rule", rule: "p/no", reason: "not this" });

export const asked = decision({
  outcome: "ask",
  answered: "rule",
  rule: "p/ask",
  reason: "is it meant",
  matched: [{ rule: "p/ask", outcome: "ask" }],
  ask: { key: `sha256:${"a".repeat(64)}`, prompts: ["Really?"], remember: "never" },
});

/** A decision with a text for the model. */
export const noted = decision({
  changes: { message: { custom_type: "note", content: "mind the gap", display: false } },
});

/** What a dialect says to a payload: the document it writes (undefined for none), with the rest of its reply. */
export function said(
  dialect: Dialect,
  payload: Payload,
  made: Decision,
  grant: Grant = noGrant,
): { readonly document: unknown; readonly reply: HookReply } {
  const call = dialect.read(payload);
  if (call === "ignored" || "unreadable" in call) throw new Error(`not a call: ${JSON.stringify(call)}`);
  return parsed(dialect.reply(call, made, grant));
}

/** A reply with its document read. */
export function parsed(reply: HookReply): { readonly document: unknown; readonly reply: HookReply } {
  return { document: reply.stdout === "" ? undefined : JSON.parse(reply.stdout), reply };
}

/** The result content of a payload as the engine gets it, each text run through a change. */
export function changedContent(dialect: Dialect, payload: Payload, change: (text: string) => string): unknown[] {
  const call = dialect.read(payload);
  if (call === "ignored" || "unreadable" in call) throw new Error(`not a call: ${JSON.stringify(call)}`);
  const { content } = call.payload["result"] as { content: { text?: string }[] };
  return content.map((part) => (part.text === undefined ? part : { ...part, text: change(part.text) }));
}
