import { answerOf, attempt, type Chain, fault, policyPath } from "../chain.ts";
import type { GatedSessionEvent } from "../policy-gate.ts";
import { handlerKey } from "../profiles.ts";
import type { ResourcesDiscoverResult } from "../results.ts";
import { snapshot } from "../snapshot.ts";

type Answer = Record<string, unknown>;
interface AnyEvent {
  readonly type: string;
}

const resourceKeys = ["skillPaths", "promptPaths", "themePaths"] as const;

/**
 * Runs the handlers of an event that has no emitter of its own. `session_before_*`: the last answer is kept and a
 * cancel ends the chain. `session.compacting`: the last answer wins. `resources_discover`: paths accumulate.
 * Every other event only tells. Source: seed omp-hooks, "Runtime handler order".
 */
export async function emitSession(chain: Chain, event: AnyEvent): Promise<Answer | undefined> {
  const key = handlerKey(event.type);
  if (key.startsWith("session_before_")) return before(chain, event);
  if (key === "session_compacting")
    return finalAnswer(chain, event, await lastAnswer(chain, event), "sessionCompacting");
  if (key === "resources_discover") {
    const found = await resources(chain, event);
    return finalAnswer(chain, event, found as Answer | undefined, "resourcesDiscover");
  }
  for (const registration of chain.handlers(key)) await attempt(chain, registration, event);
  await observe(chain, event);
  return undefined;
}

async function before(chain: Chain, event: AnyEvent): Promise<Answer | undefined> {
  let kept: Answer | undefined;
  for (const registration of chain.handlers(event.type)) {
    const answer = await attempt(chain, registration, event);
    if (answer === fault && chain.faults === "closed") return { cancel: true, reason: "a hook module failed" };
    const read = answer === fault ? undefined : plainAnswer(chain, registration, answer);
    if (read === undefined) continue;
    kept = read;
    if (read["cancel"]) return { ...read, cancel: true };
  }
  const ask = chain.policy?.sessionBefore;
  if (ask === undefined) return kept;
  const answer = snapshot(kept, { unfit: "withhold" });
  const taken = snapshot({ ...event, result: kept }, { freeze: true, unfit: "withhold" });
  if (!taken.ok || !answer.ok) return { cancel: true, reason: "the event cannot be judged: it is too large" };
  try {
    const verdict = await ask.call(chain.policy, taken.value as GatedSessionEvent);
    if (!verdict?.cancel) return answer.value as Answer | undefined;
    return { cancel: true, ...(verdict.reason === undefined ? {} : { reason: verdict.reason }) };
  } catch (error) {
    chain.report(policyPath, event.type, error);
    return { cancel: true, reason: "the policy could not judge this event" };
  }
}

/** A handler's answer as fields of our own, or undefined with a report when it cannot be read. */
function plainAnswer(
  chain: Chain,
  registration: { hookPath: string; event: string },
  value: unknown,
): Answer | undefined {
  try {
    const answer = answerOf(value);
    return answer === undefined ? undefined : { ...answer };
  } catch (error) {
    chain.report(registration.hookPath, registration.event, error);
    return undefined;
  }
}

async function lastAnswer(chain: Chain, event: AnyEvent): Promise<Answer | undefined> {
  let last: Answer | undefined;
  for (const registration of chain.handlers(event.type)) {
    const answer = await attempt(chain, registration, event);
    if (answer !== fault) last = plainAnswer(chain, registration, answer) ?? last;
  }
  return last;
}

async function resources(chain: Chain, event: AnyEvent): Promise<ResourcesDiscoverResult | undefined> {
  const found: Required<ResourcesDiscoverResult> = { skillPaths: [], promptPaths: [], themePaths: [] };
  for (const registration of chain.handlers(event.type)) {
    const answer = await attempt(chain, registration, event);
    const read = answer === fault ? undefined : plainAnswer(chain, registration, answer);
    for (const key of resourceKeys) {
      const paths = read?.[key];
      if (Array.isArray(paths)) found[key].push(...paths.filter((path) => typeof path === "string"));
    }
  }
  return resourceKeys.some((key) => found[key].length > 0) ? found : undefined;
}

/** The policy's version of a transform answer; when it fails, the modules' answer is withheld. */
async function finalAnswer(
  chain: Chain,
  event: AnyEvent,
  answer: Answer | undefined,
  method: "sessionCompacting" | "resourcesDiscover",
): Promise<Answer | undefined> {
  const policy = chain.policy;
  if (policy?.[method] === undefined) return answer;
  const taken = snapshot({ ...event, result: answer }, { unfit: "withhold" });
  if (!taken.ok) return undefined;
  try {
    const gated = taken.value as GatedSessionEvent;
    const verdict = (await policy[method]?.(gated)) as Answer | undefined;
    return verdict ?? answerOf(gated.result);
  } catch (error) {
    chain.report(policyPath, event.type, error);
    return undefined;
  }
}

async function observe(chain: Chain, event: AnyEvent): Promise<void> {
  const tell = chain.policy?.observe;
  if (tell === undefined) return;
  const taken = snapshot(event, { freeze: true, unfit: "withhold" });
  try {
    await tell.call(chain.policy, taken.ok ? (taken.value as AnyEvent & Answer) : { type: event.type });
  } catch (error) {
    chain.report(policyPath, event.type, error);
  }
}
