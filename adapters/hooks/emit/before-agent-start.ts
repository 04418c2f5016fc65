import { attempt, type Chain, fault, fieldsOf, policyPath } from "../chain.ts";
import type { BeforeAgentStartEvent } from "../events.ts";
import type { HookMessage } from "../messages.ts";
import type { GatedAgentStart } from "../policy-gate.ts";
import type { BeforeAgentStartOutcome } from "../results.ts";
import { snapshot } from "../snapshot.ts";
import { isHookMessage } from "../well-formed.ts";

type Prompt = string | string[] | undefined;

/**
 * Runs the `before_agent_start` handlers, then the policy, whose message follows those of the modules.
 * The system prompt chains from the event's base prompt; nothing is kept from an earlier run
 * (seed pi-hook-reference, section 2).
 */
export async function emitBeforeAgentStart(
  chain: Chain,
  event: BeforeAgentStartEvent,
): Promise<BeforeAgentStartOutcome> {
  const messages: HookMessage[] = [];
  const base = hostForm(chain, event.systemPrompt);
  let prompt = base;
  for (const registration of chain.handlers("before_agent_start")) {
    const answer = await attempt(chain, registration, promptedEvent(event, prompt));
    if (answer === fault) continue;
    const fields = fieldsOf(chain, registration, answer, ["message", "systemPrompt"]);
    if (fields === undefined || fields === fault) continue;
    const { message } = fields;
    const kept = chain.profile.startMessages === "accumulate" || messages.length === 0;
    if (message !== undefined && message !== null && !isHookMessage(message)) {
      const why = new Error("`message` needs a `customType` and a `content` that is a text or a list of parts");
      chain.report(registration.hookPath, registration.event, why);
    } else if (message && kept) messages.push(message as HookMessage);
    const next = hostForm(chain, fields.systemPrompt);
    if (next !== undefined) prompt = next;
  }
  const changed = prompt !== base ? { systemPrompt: prompt as string | string[] } : {};
  return deliver(chain, event, { messages, ...changed });
}

function promptedEvent(event: BeforeAgentStartEvent, prompt: Prompt): object {
  const { systemPrompt: _base, ...rest } = event;
  if (prompt === undefined) return rest;
  return { ...rest, systemPrompt: Array.isArray(prompt) ? [...prompt] : prompt };
}

/** Converts a prompt to the form of the profile: text, a list of parts, or undefined. A text becomes a list of one part. */
function hostForm(chain: Chain, prompt: unknown): Prompt {
  const parts =
    Array.isArray(prompt) && prompt.every((part) => typeof part === "string") ? (prompt as string[]) : undefined;
  switch (chain.profile.systemPrompt) {
    case "none":
      return undefined;
    case "text":
      return typeof prompt === "string" ? prompt : parts === undefined ? undefined : plain(parts);
    case "parts":
      return typeof prompt === "string" ? [prompt] : parts === undefined ? undefined : [...parts];
  }
}

function plain(prompt: Prompt): string {
  return Array.isArray(prompt) ? prompt.join("\n\n") : (prompt ?? "");
}

/** Asks the policy. When it fails, the modules' messages are withheld and the base prompt stays. */
async function deliver(
  chain: Chain,
  event: BeforeAgentStartEvent,
  outcome: BeforeAgentStartOutcome,
): Promise<BeforeAgentStartOutcome> {
  if (chain.policy === undefined) return outcome;
  const { systemPrompt: base, ...rest } = event;
  const prompt = outcome.systemPrompt ?? base;
  const gated = {
    ...rest,
    ...(prompt === undefined ? {} : { systemPrompt: plain(prompt) }),
    messages: outcome.messages,
  };
  const taken = snapshot(gated, { unfit: "withhold" });
  if (!taken.ok) return withheld(taken.reason);
  try {
    const judged = taken.value as GatedAgentStart;
    const verdict = await chain.policy.beforeAgentStart(judged);
    const hookMessages = verdict?.messages ?? judged.messages;
    const own = [...chain.injections.due(), ...(verdict?.message === undefined ? [] : [verdict.message])];
    for (const message of own) chain.injections.remember(message);
    const text = verdict?.systemPrompt;
    const form = text === undefined ? outcome.systemPrompt : chain.profile.systemPrompt === "parts" ? [text] : text;
    return { messages: [...hookMessages, ...own], ...(form === undefined ? {} : { systemPrompt: form }) };
  } catch (error) {
    chain.report(policyPath, "before_agent_start", error);
    return withheld("the policy could not be applied");
  }
}

function withheld(why: string): BeforeAgentStartOutcome {
  const content = `[withheld: the messages of hook modules, because ${why}]`;
  return { messages: [{ customType: "hookwarden", content, display: true }] };
}
