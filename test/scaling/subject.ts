import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { unitsOf } from "../../facts/meter.ts";
import { createEngine, type Engine, type EngineOptions, type Verdict } from "../../runtime.ts";
import type { WireEvent } from "../../schema/generated.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { planOf } from "../engine/actions/engine.ts";

/** What is shipped, and a plan of the user's own beside it, each compiled once. */
let shipped: Plan | undefined;

/** The plan of `pack:recommended`. */
export function recommended(): Plan {
  shipped ??= compiled(discoverPolicies(["pack:recommended"], "/").files);
  return shipped;
}

function compiled(files: Parameters<typeof compile>[0]["files"]): Plan {
  const { plan, diagnostics } = compile({ files, resolveImport });
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return plan;
}

/** The plan of a policy text. */
export function planFrom(text: string): Plan {
  return planOf(text);
}

/** Events of a session are judged by an engine that has judged nothing but a usual call. */
export function engineOf(plan: Plan, options: EngineOptions = {}): Engine {
  return createEngine(plan, { sessionKey: "scaling", ...options });
}

/** What an event comes to, with the units of work that it took. */
export interface Judged extends Verdict {
  readonly units: number;
}

/** Judges one event, and counts. */
export function judged(engine: Engine, event: WireEvent): Judged {
  let verdict: Verdict | undefined;
  const units = unitsOf(() => {
    verdict = engine.decide(event);
  });
  return { ...(verdict as Verdict), units };
}

/** True if an allowance was met: the answer says so, or something was told as not looked at. */
export function isBounded({ decision, body }: Verdict): boolean {
  const codes = [...decision.errors, ...(body?.errors ?? [])].map(({ code }) => code);
  return codes.some((code) => code === "HW503" || code === "HW504" || code === "HW507" || code === "HW516");
}
