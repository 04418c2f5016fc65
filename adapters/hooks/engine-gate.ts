import type { WireEvent } from "../../schema/generated.ts";
import { piGate } from "../pi/gate.ts";
import { type GuardOptions, GuardSession, type Judge, type SessionContext } from "../pi/session.ts";
import { gateEvents } from "./gate-events.ts";
import type { PolicyGate } from "./policy-gate.ts";

/**
 * Makes an engine the outermost gate of a runner, on every event. Tools, context, run start and commands are judged as in
 * pi's guard; `gateEvents` judges the others. Both share one session, so that a rule's memory of one event counts at every
 * other. `contextOf` returns the current session. Returns undefined for an engine without policies. A closed engine, whose
 * policies did not compile, closes every event. Source: semantics page section 3, "Shared runner".
 */
export function engineGate(
  given: Judge,
  contextOf: () => SessionContext,
  options: GuardOptions = {},
): Required<PolicyGate> | undefined {
  if (!given.active) return undefined;
  const judge = given.through?.({ adapter: "hooks" }) ?? given;
  const session = new GuardSession(judge, { host: "hookwarden", ...options });
  const events = gateEvents({
    decide: (event) => session.decide(event),
    judge: (event) => session.judge(event, contextOf()),
    frame: () => session.frame(contextOf()),
    ask: (wire, decision) => session.ask({ wire, tool: wire.event, args: shownFields(wire) }, decision, contextOf()),
  });
  const observe: typeof events.observe = async (event) => {
    if (event.type === "turn_start") session.nextTurn();
    const verdict = await events.observe(event);
    if (event.type === "session_shutdown") session.end(contextOf());
    return verdict;
  };
  return { ...piGate(session, contextOf), ...events, observe };
}

/** Returns the fields of an event that the human is shown when asked: the event's own, without those of the session. */
function shownFields(wire: WireEvent): Record<string, unknown> {
  const shown: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(wire)) {
    const own = !["event", "id", "time", "host", "environment", "session"].includes(key);
    if (own) shown[key] = wire[key as keyof WireEvent];
  }
  return shown;
}
