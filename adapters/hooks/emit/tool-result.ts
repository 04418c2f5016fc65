import type { Registration } from "../api.ts";
import { attempt, type Chain, fault, fieldsOf, policyPath } from "../chain.ts";
import type { ToolResultEvent } from "../events.ts";
import type { ContentPart } from "../messages.ts";
import type { ToolResultEventResult } from "../results.ts";
import { snapshot } from "../snapshot.ts";
import { isParts } from "../well-formed.ts";

type Fields = Partial<Record<"content" | "details" | "structuredContent" | "isError", unknown>>;

/** A tool result while handlers change it. */
export type ToolResult = Pick<ToolResultEvent, "content" | "details" | "structuredContent" | "isError">;

/** Outcome of `tool_result`: the final result, and whether anyone changed the tool's result. */
export interface ToolResultOutcome {
  readonly result: ToolResult;
  readonly changed: boolean;
}

/** Makes the result that replaces one that could not be processed. Source: semantics page, section 4. */
export function withheldResult(why: string): ToolResult {
  return { content: [{ type: "text", text: `[withheld: ${why}]` }], details: undefined, isError: true };
}

/**
 * Runs the `tool_result` handlers: chained, or each with the original event and the last override winning
 * (seed omp-authoring-hooks, "Post-tool override contract"). The policy is not asked here: see `judgeToolResult`.
 */
export async function runToolResultHandlers(chain: Chain, event: ToolResultEvent): Promise<ToolResultOutcome> {
  const original = resultOf(event);
  let current = original;
  let changed = false;
  for (const registration of chain.handlers("tool_result")) {
    const base = chain.profile.toolResult === "chained" ? current : copied(original);
    const answer = await attempt(chain, registration, { ...event, ...base });
    const fields = answer === fault ? fault : readFields(chain, registration, answer);
    if (fields === fault) {
      if (chain.faults === "closed") return { result: withheldResult("a hook module failed"), changed: true };
      continue;
    }
    if (fields === undefined) continue;
    current = applied(chain, chain.profile.toolResult === "chained" ? current : original, fields);
    changed = true;
  }
  return { result: current, changed };
}

function resultOf(event: ToolResultEvent): ToolResult {
  const { content, details, isError } = event;
  return {
    content,
    details,
    isError,
    ...(Object.hasOwn(event, "structuredContent") ? { structuredContent: event.structuredContent } : {}),
  };
}

/** Copies a result for a handler that must see the original. If it cannot be copied, its parts are shared. */
function copied(result: ToolResult): ToolResult {
  const taken = snapshot(result, { unfit: "refuse" });
  return taken.ok ? (taken.value as ToolResult) : { ...result };
}

function readFields(chain: Chain, registration: Registration, answer: unknown): Fields | undefined | typeof fault {
  const fields = fieldsOf(chain, registration, answer, ["content", "details", "structuredContent", "isError"]);
  if (fields === undefined || fields === fault) return fields;
  if (fields.content !== undefined && !isParts(fields.content)) {
    const why = Array.isArray(fields.content)
      ? "`content` holds what is no part of a result"
      : "`content` is not a list";
    chain.report(registration.hookPath, registration.event, new Error(why));
    return fault;
  }
  return fields;
}

function applied(chain: Chain, base: ToolResult, fields: Fields): ToolResult {
  const next: ToolResult = { ...base };
  if (fields.content !== undefined) {
    next.content = fields.content as ContentPart[];
    delete next.structuredContent;
  }
  if (Object.hasOwn(fields, "details")) next.details = fields.details;
  if (chain.profile.structuredContent && Object.hasOwn(fields, "structuredContent")) {
    next.structuredContent = fields.structuredContent;
  }
  if (chain.profile.isErrorApplied && typeof fields.isError === "boolean") next.isError = fields.isError;
  return next;
}

/**
 * Lets the policy redact a final result. The policy works on a private copy, so no module that kept a reference can change
 * the policy's answer. Parts that are not plain data are withheld.
 */
export async function judgeToolResult(
  chain: Chain,
  event: ToolResultEvent,
  handled: ToolResultOutcome,
): Promise<ToolResultOutcome> {
  if (chain.policy === undefined) return handled;
  const taken = snapshot(handled.result, { unfit: "withhold" });
  const input = snapshot(event.input, { freeze: true, unfit: "withhold" });
  if (!taken.ok || !input.ok) return withheld(taken.ok ? "the arguments cannot be read" : taken.reason);
  const result = taken.value as ToolResult;
  const { toolCallId, toolName } = event;
  try {
    const judged = {
      type: "tool_result" as const,
      toolCallId,
      toolName,
      input: input.value as ToolResultEvent["input"],
      ...result,
    };
    const verdict = await chain.policy.toolResult(judged);
    if (verdict === undefined) return { result, changed: handled.changed };
    const next: ToolResult = { ...result };
    if (verdict.content !== undefined) {
      next.content = [...verdict.content];
      delete next.structuredContent;
    }
    if (Object.hasOwn(verdict, "details")) next.details = verdict.details;
    if (Object.hasOwn(verdict, "structuredContent")) next.structuredContent = verdict.structuredContent;
    if (typeof verdict.isError === "boolean") next.isError = verdict.isError;
    return { result: next, changed: true };
  } catch (error) {
    chain.report(policyPath, "tool_result", error);
    return withheld("the policy could not be applied to this result");
  }
}

function withheld(why: string): ToolResultOutcome {
  return { result: withheldResult(why), changed: true };
}

/** Runs the handlers, then the policy. Returns undefined when nothing changed (seed pi-hook-reference, section 4). */
export async function emitToolResult(chain: Chain, event: ToolResultEvent): Promise<ToolResultEventResult | undefined> {
  const outcome = await judgeToolResult(chain, event, await runToolResultHandlers(chain, event));
  return outcome.changed ? outcome.result : undefined;
}
