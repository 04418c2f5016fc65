import type { Registration } from "../api.ts";
import { answerOf, type Chain, errorText, policyPath } from "../chain.ts";
import type { ToolCallEvent } from "../events.ts";
import type { ToolCallEventResult, ToolCallOutcome } from "../results.ts";
import { snapshot } from "../snapshot.ts";

type Input = Record<string, unknown>;

/**
 * Runs the `tool_call` handlers, then the policy. The first `block: true` ends the chain; otherwise the last answer stays.
 * A handler's error is reported and rethrown: the caller must not run the tool (seed omp-hooks, "Event-time").
 * The host must run the outcome's `input`, which holds the judged arguments.
 */
export async function emitToolCall(chain: Chain, event: ToolCallEvent): Promise<ToolCallOutcome> {
  const started = startInput(chain, event.input);
  if (!started.ok) return { block: true, reason: unfitReason(started.reason), input: {} };
  let input = started.input;
  let last: ToolCallEventResult | undefined;
  let replaced = false;
  for (const registration of chain.handlers("tool_call")) {
    const answer = await ask(chain, registration, { ...event, type: "tool_call", input });
    if (answer === undefined) continue;
    if (answer.block) return { block: true, ...reasonOf(chain, answer), input };
    if (chain.profile.returnedInput && answer.input !== undefined) {
      const taken = snapshot(answer.input, { unfit: "refuse" });
      if (!taken.ok) return { block: true, reason: unfitReason(taken.reason), input };
      input = taken.value as Input;
      replaced = true;
    }
    last = answer;
  }
  const wrong = replaced ? invalid(chain, event.toolName, input) : undefined;
  if (wrong !== undefined) return { block: true, reason: wrong, input };
  return judge(chain, event, input, last);
}

/** Prepares the arguments for handlers: frozen, a private copy under a policy, or the host's own object. */
function startInput(chain: Chain, input: Input): { ok: true; input: Input } | { ok: false; reason: string } {
  const freeze = chain.profile.input === "frozen";
  if (!freeze && chain.policy === undefined) return { ok: true, input };
  const taken = snapshot(input, { freeze, unfit: "refuse" });
  return taken.ok ? { ok: true, input: taken.value as Input } : taken;
}

/** Says why replaced arguments may not run, also when the validator throws; undefined if they are valid. */
function invalid(chain: Chain, toolName: string, input: Input): string | undefined {
  try {
    const problem = chain.validateInput(toolName, input);
    return problem === undefined ? undefined : `the replaced arguments are not valid: ${problem}`;
  } catch (error) {
    return `the replaced arguments cannot be validated: ${errorText(error)}`;
  }
}

function unfitReason(reason: string): string {
  return `the tool call cannot be judged: ${reason}`;
}

async function ask(
  chain: Chain,
  registration: Registration,
  event: ToolCallEvent,
): Promise<ToolCallEventResult | undefined> {
  try {
    const value = await settled(registration.handler(event, chain.context()), chain.toolCallTimeout);
    const answer = answerOf(value);
    if (answer === undefined) return undefined;
    const { block, reason, input, ...rest } = answer;
    const read: ToolCallEventResult = rest;
    if (block) read.block = true;
    if (reason !== undefined) read.reason = String(reason);
    if (answerOf(input) !== undefined) read.input = input as Input;
    return read;
  } catch (error) {
    chain.report(registration.hookPath, registration.event, error);
    throw error;
  }
}

/** Waits for a handler, at most `limit` milliseconds if the host has a limit. */
async function settled(value: unknown, limit: number | undefined): Promise<unknown> {
  if (limit === undefined) return value;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the handler did not settle within ${limit} ms`)), limit);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(chain: Chain, answer: ToolCallEventResult): { reason?: string } {
  return answer.reason === undefined ? {} : { reason: shownText(chain, answer.reason) };
}

/** Redacts a module's text for the model as the policy says; withheld if the policy fails. */
export function shownText(chain: Chain, text: string): string {
  const redact = chain.policy?.errorText;
  if (redact === undefined) return text;
  try {
    return String(redact.call(chain.policy, text));
  } catch (error) {
    chain.report(policyPath, "error", error);
    return "[withheld: the policy could not be applied to this text]";
  }
}

async function judge(
  chain: Chain,
  event: ToolCallEvent,
  input: Input,
  last: ToolCallEventResult | undefined,
): Promise<ToolCallOutcome> {
  const result = last === undefined ? {} : { result: last };
  if (chain.policy === undefined) return { block: false, input, ...result };
  const judged = snapshot(input, { freeze: true, unfit: "refuse" });
  if (!judged.ok) return { block: true, reason: unfitReason(judged.reason), input: {} };
  const final = judged.value as Input;
  try {
    const { toolCallId, toolName } = event;
    const verdict = await chain.policy.toolCall({ type: "tool_call", toolCallId, toolName, input: final });
    if (verdict?.block) {
      return { block: true, ...(verdict.reason === undefined ? {} : { reason: verdict.reason }), input: final };
    }
    const replaced = verdict?.input === undefined ? judged : snapshot(verdict.input, { freeze: true, unfit: "refuse" });
    if (!replaced.ok) return { block: true, reason: unfitReason(replaced.reason), input: final };
    const wrong = verdict?.input === undefined ? undefined : invalid(chain, toolName, replaced.value as Input);
    if (wrong !== undefined) return { block: true, reason: wrong, input: final };
    const context = verdict?.additionalContext;
    const added = context === undefined ? {} : { additionalContext: context };
    return { block: false, input: replaced.value as Input, ...added, ...result };
  } catch (error) {
    chain.report(policyPath, "tool_call", error);
    return { block: true, reason: `the policy could not judge this call: ${errorText(error)}`, input: final };
  }
}
