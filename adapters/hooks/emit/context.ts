import { isDeepStrictEqual } from "node:util";
import { attempt, type Chain, fault, fieldsOf, policyPath } from "../chain.ts";
import type { AgentMessage, CustomMessage } from "../messages.ts";
import type { PolicyGate } from "../policy-gate.ts";
import { snapshot } from "../snapshot.ts";
import { isMessage } from "../well-formed.ts";

/**
 * Runs the `context` handlers over a deep copy, each with the output of the one before, then the policy.
 * Returns undefined when nothing changed (seed pi-hook-reference, section 3). Messages that the policy injected
 * earlier and a handler removed are put back in their place.
 */
export async function emitContext(
  chain: Chain,
  messages: readonly AgentMessage[],
): Promise<AgentMessage[] | undefined> {
  const registrations = chain.handlers("context");
  if (registrations.length === 0 && chain.policy === undefined) return undefined;
  const original = copyOf(chain, messages);
  if (original === undefined) return [withheldContext("it cannot be copied")];
  let current = copyOf(chain, original) ?? [];
  // If the host itself writes messages in another form, its modules are not blamed for it.
  const isWhole =
    wrongWith(original, (message) => wholeIn(chain, message)) === undefined
      ? (message: unknown) => wholeIn(chain, message)
      : () => true;
  for (const registration of registrations) {
    const given = chain.profile.contextInPlace ? current : copyOf(chain, current);
    if (given === undefined) return [withheldContext("it cannot be copied")];
    const answer = await attempt(chain, registration, { messages: given });
    const fields = answer === fault ? fault : fieldsOf(chain, registration, answer, ["messages"]);
    const wrong = fields === undefined || fields === fault ? undefined : wrongWith(fields.messages, isWhole);
    // Changes that a module made to the list in place count, whatever it answered.
    const written = chain.profile.contextInPlace ? wrongWith(current, isWhole) : undefined;
    if (written !== undefined) current = wholeOf(current, isWhole) ?? copyOf(chain, original) ?? [];
    for (const why of new Set([wrong, written]))
      if (why !== undefined) chain.report(registration.hookPath, registration.event, new Error(why));
    if ((fields === fault || wrong !== undefined || written !== undefined) && chain.faults === "closed")
      return [withheldContext("a hook module failed")];
    if (fields === fault || wrong !== undefined) continue;
    if (fields?.messages !== undefined) current = fields.messages as AgentMessage[];
  }
  if (chain.policy === undefined) return same(original, current) ? undefined : current;
  return judge(chain, chain.policy, { messages, original, current });
}

/** Says why a value is not a list of messages; undefined for a valid list and for undefined. */
function wrongWith(messages: unknown, isWhole: (message: unknown) => boolean): string | undefined {
  if (messages === undefined) return undefined;
  try {
    if (!Array.isArray(messages)) return "`messages` is not a list";
    // `Array.from` fills the holes of a list, which `every` would skip.
    const whole = Array.from(messages).every(isWhole);
    return whole ? undefined : "`messages` holds what is no message";
  } catch {
    return "`messages` cannot be read";
  }
}

/** Returns the well-formed messages of a list; undefined if the list cannot be read. */
function wholeOf(
  messages: readonly AgentMessage[],
  isWhole: (message: unknown) => boolean,
): AgentMessage[] | undefined {
  try {
    return Array.from(messages).filter(isWhole);
  } catch {
    return undefined;
  }
}

/** True if a message is well formed. An unreadable one passes under a policy only, whose copy withholds it. */
function wholeIn(chain: Chain, message: unknown): boolean {
  return isMessage(message) ?? chain.policy !== undefined;
}

interface Contexts {
  /** The host's own list. */
  readonly messages: readonly AgentMessage[];
  /** Our copy of it, which no module has seen. */
  readonly original: readonly AgentMessage[];
  /** The list after the modules' changes. */
  readonly current: readonly AgentMessage[];
}

async function judge(
  chain: Chain,
  policy: PolicyGate,
  { messages, original, current }: Contexts,
): Promise<AgentMessage[] | undefined> {
  const taken = snapshot(current, { unfit: "withhold" });
  if (!taken.ok) return [withheldContext(taken.reason)];
  try {
    const final = await policy.context([...chain.injections.restored(original, taken.value as AgentMessage[])]);
    if (!Array.isArray(final)) throw new Error("the policy answered no messages");
    return same(messages, final) ? undefined : [...final];
  } catch (error) {
    chain.report(policyPath, "context", error);
    return [withheldContext("the policy could not be applied to the context")];
  }
}

/** True if both are deeply equal. Values that cannot be compared (a getter that throws) count as different. */
function same(one: readonly AgentMessage[], other: readonly AgentMessage[]): boolean {
  try {
    return isDeepStrictEqual(one, other);
  } catch {
    return false;
  }
}

/** Makes a deep copy. Under a policy only plain data is copied; without one, everything that `structuredClone` can clone. */
function copyOf(chain: Chain, messages: readonly AgentMessage[]): AgentMessage[] | undefined {
  if (chain.policy === undefined) {
    try {
      return structuredClone(messages) as AgentMessage[];
    } catch {
      // A function or a getter that throws: the copy of plain data below leaves a marker in its place.
    }
  }
  const taken = snapshot(messages, { unfit: "withhold" });
  return taken.ok ? (taken.value as AgentMessage[]) : undefined;
}

/** Makes the single message that replaces a context that must not be sent. */
function withheldContext(why: string): CustomMessage {
  return { role: "custom", customType: "hookwarden", content: `[withheld: ${why}]`, display: true };
}
