import type { Decision } from "../../schema/generated.ts";
import { denialText } from "../pi/denial.ts";
import type { ConnectionJudge, Named } from "./judge.ts";
import { type Fields, failedCall, isFields, own } from "./messages.ts";
import { stillFits } from "./output-schema.ts";
import type { Pending } from "./pending.ts";
import { type BodyKind, callView, viewOf } from "./views.ts";

/** Result of judging a body: its new form, none if it is unchanged, or why it is withheld. */
export type Said = { readonly body?: Fields } | { readonly refused: string };

const unplaced = "hookwarden: a rule changed this in a way that has no place in the message, so it is withheld";

/** Judges the texts of a message other than a call's result, as a `tool_result` of the tool `mcp__<server>__<method>`. */
export async function judgeBody(judge: ConnectionJudge, kind: BodyKind, call: Named, body: Fields): Promise<Said> {
  const view = viewOf(kind, body);
  if (!view) return {};
  const decision = await judge.result(call, view.result);
  const why = closed(decision);
  if (why !== undefined) return { refused: why };
  const said = decision.changes.message?.content;
  if (!changesIt(decision) && said === undefined) return {};
  const changed = view.changed(decision.changes, said);
  return changed ? { body: changed } : { refused: unplaced };
}

/**
 * Judges a tool's result. A result that cannot be shown becomes a failed call with the reason. Structured content that no
 * longer fits the tool's schema is left out; the call then counts as failed, for which no client expects any.
 */
export async function judgeCallResult(judge: ConnectionJudge, pending: Pending, result: Fields): Promise<Fields> {
  const view = callView(result);
  if (!view) return failedCall("hookwarden: the server's answer is no result of a call, so it is withheld");
  const decision = await judge.result(pending.call, view.result);
  const why = closed(decision);
  if (why !== undefined) return failedCall(why);
  const said = [pending.said, decision.changes.message?.content].filter((text) => text !== undefined).join("\n\n");
  if (!changesIt(decision) && said === "") return result;
  const changed = view.changed(decision.changes, said === "" ? undefined : said);
  return changed ? fitting(result, changed, pending.outputSchema) : failedCall(unplaced);
}

function fitting(before: Fields, after: Fields, schema: unknown): Fields {
  const structured = own(after, "structuredContent");
  if (structured === undefined || structured === own(before, "structuredContent")) return after;
  const { structuredContent: _, ...rest } = after;
  if (schema === undefined) return isFields(structured) ? after : rest;
  if (isFields(structured) && stillFits(own(before, "structuredContent"), structured, schema)) return after;
  const note =
    "[withheld by hookwarden] structured content: without what a rule takes out it does not fit the tool's schema";
  const content = own(rest, "content");
  return {
    ...rest,
    content: [...(Array.isArray(content) ? content : []), { type: "text", text: note }],
    isError: true,
  };
}

/** Returns why an answer must be withheld whole; undefined if it may be shown as the rules left it. */
function closed(decision: Decision): string | undefined {
  if (decision.outcome !== "allow") return denialText(decision);
  if (decision.answered !== "error" || !changesIt(decision)) return undefined;
  return `[withheld by hookwarden] ${decision.reason ?? "this could not be checked"}`;
}

function changesIt({ changes }: Decision): boolean {
  return ["content", "details", "structured", "is_error"].some((name) => Object.hasOwn(changes, name));
}
