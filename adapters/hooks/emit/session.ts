import type { Registration } from "../api.ts";
import { answerOf, attempt, type Chain, fault, policyPath } from "../chain.ts";
import type { GatedSessionEvent } from "../policy-gate.ts";
import { handlerKey } from "../profiles.ts";
import type { ResourcesDiscoverResult } from "../results.ts";
import { snapshot } from "../snapshot.ts";
import { shownText } from "./tool-call.ts";

type Answer = Record<string, unknown>;
interface AnyEvent {
  readonly type: string;
}

const resourceKeys = ["skillPaths", "promptPaths", "themePaths"] as const;

/**
 * Runs the handlers of an event without an emitter of its own. `session_before_*`: the last answer is kept and a
 * cancel ends the chain. `session.compacting`: the last answer wins. `resources_discover`: paths accumulate. `stop` and
 * `subagent_stop`: the first answer that continues wins. Answers to other events are ignored.
 * Source: seed omp-hooks, "Runtime handler order".
 */
export async function emitSession(chain: Chain, event: AnyEvent): Promise<Answer | undefined> {
  const key = handlerKey(event.type);
  if (key.startsWith("session_before_")) return before(chain, event);
  if (key === "stop" || key === "subagent_stop") return stop(chain, event);
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
    const read = await answered(chain, registration, event);
    if (read === fault && chain.faults === "closed") return { cancel: true, reason: "a hook module failed" };
    if (read === fault || read === undefined) continue;
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

/** Returns a copy of a handler's answer, or `fault` after reporting it if the handler threw or the answer cannot be read. */
async function answered(
  chain: Chain,
  registration: Registration,
  event: AnyEvent,
): Promise<Answer | undefined | typeof fault> {
  const value = await attempt(chain, registration, event);
  if (value === fault) return fault;
  try {
    const answer = answerOf(value);
    return answer === undefined ? undefined : { ...answer };
  } catch (error) {
    chain.report(registration.hookPath, registration.event, error);
    return fault;
  }
}

/**
 * Decides whether the agent continues. The first handler that says so wins, in either form of the hosts page, section 3;
 * otherwise the policy is asked. If the policy fails, the agent stops (semantics page, section 4).
 */
async function stop(chain: Chain, event: AnyEvent): Promise<Answer | undefined> {
  for (const registration of chain.handlers(event.type)) {
    const read = await answered(chain, registration, event);
    if (read === fault || read === undefined) continue;
    if (read["continue"] !== true && read["decision"] !== "block") continue;
    const reason = read["additionalContext"] ?? read["reason"];
    return { continue: true, ...(typeof reason === "string" ? { reason: shownText(chain, reason) } : {}) };
  }
  const ask = chain.policy?.stop;
  if (ask === undefined) return observe(chain, event);
  const taken = snapshot(event, { freeze: true, unfit: "withhold" });
  if (!taken.ok) return undefined;
  try {
    const verdict = await ask.call(chain.policy, taken.value as GatedSessionEvent);
    return verdict?.continue
      ? { continue: true, ...(verdict.reason === undefined ? {} : { reason: verdict.reason }) }
      : undefined;
  } catch (error) {
    chain.report(policyPath, event.type, error);
    return undefined;
  }
}

async function lastAnswer(chain: Chain, event: AnyEvent): Promise<Answer | undefined> {
  let last: Answer | undefined;
  for (const registration of chain.handlers(event.type)) {
    const read = await answered(chain, registration, event);
    if (read !== fault) last = read ?? last;
  }
  return last;
}

async function resources(chain: Chain, event: AnyEvent): Promise<ResourcesDiscoverResult | undefined> {
  const found: Required<ResourcesDiscoverResult> = { skillPaths: [], promptPaths: [], themePaths: [] };
  for (const registration of chain.handlers(event.type)) {
    const read = await answered(chain, registration, event);
    if (read === fault || read === undefined) continue;
    for (const key of resourceKeys) {
      const paths = read[key];
      if (Array.isArray(paths)) found[key].push(...paths.filter((path) => typeof path === "string"));
    }
  }
  return resourceKeys.some((key) => found[key].length > 0) ? found : undefined;
}

/** Returns the policy's version of a transform answer; if the policy fails, the modules' answer is withheld. */
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

async function observe(chain: Chain, event: AnyEvent): Promise<undefined> {
  const tell = chain.policy?.observe;
  if (tell === undefined) return undefined;
  const taken = snapshot(event, { freeze: true, unfit: "withhold" });
  try {
    const verdict = await tell.call(chain.policy, taken.ok ? (taken.value as AnyEvent & Answer) : { type: event.type });
    if (verdict?.message !== undefined) chain.injections.later(verdict.message);
  } catch (error) {
    chain.report(policyPath, event.type, error);
  }
  return undefined;
}
