import type { WireEvent } from "../../schema/generated.ts";
import { policyGate } from "../pi/gate.ts";
import { type GuardOptions, GuardSession, type Judge, type SessionContext } from "../pi/session.ts";
import { gateEvents } from "./gate-events.ts";
import type { PolicyGate } from "./policy-gate.ts";

/**
 * An engine as the outermost gate of a runner, on every event: tools, context, start of a run and commands as pi's guard
 * has them, and all others of the hook runtime. `contextOf` gives the session that runs now. An engine without policies
 * gives no gate. Source: semantics page section 3, "Shared runner".
 */
export function engineGate(
  given: Judge,
  contextOf: () => SessionContext,
  options: GuardOptions = {},
): PolicyGate | undefined {
  const judge = given.through?.({ adapter: "hooks" }) ?? given;
  const gate = policyGate(judge, contextOf, options);
  if (gate === undefined) return undefined;
  const idPrefix = options.idPrefix === undefined ? {} : { idPrefix: `${options.idPrefix}e` };
  const session = new GuardSession(judge, { host: "hookwarden", ...options, ...idPrefix });
  const events = gateEvents({
    decide: (event) => session.decide(event),
    frame: () => session.frame(contextOf()),
    ask: (wire, decision) => session.ask({ wire, tool: wire.event, args: shownFields(wire) }, decision, contextOf()),
  });
  return { ...gate, ...events };
}

/** What a human is shown of an event beside a tool call: its own fields, not those of the session around it. */
function shownFields(wire: WireEvent): Record<string, unknown> {
  const shown: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(wire)) {
    const own = !["event", "id", "time", "host", "environment", "session"].includes(key);
    if (own) shown[key] = wire[key as keyof WireEvent];
  }
  return shown;
}
