import { createEngine, type Engine } from "../../runtime.ts";
import type { WireEvent } from "../../schema/generated.ts";
import { toolMatcher } from "../../schema/tool-matcher.ts";

type Plan = NonNullable<Engine["plan"]>;
type Rule = Plan["rules"][number];
type Ir = NonNullable<Rule["when"]>;

/** Roots with the same value for every call of a tool in one connection. */
const settled: ReadonlySet<string> = new Set(["tool", "host", "definition"]);

/** Functions that read the session or the machine, not only their arguments. */
const outside = /^(?:session|paths?)\b/;

/** Maximum number of nodes of a condition to examine; a larger condition counts as one that depends on the call. */
const mostNodes = 10_000;

/**
 * Returns a test for tools that a plan blocks whatever their arguments are. Such a tool is blocked by a rule without
 * conditions, or with conditions on only the tool and its definition. It is also blocked by a default of `block` if no rule
 * allows it. The test changes nothing: it has an engine of its own, without records and sessions.
 */
export function deniedTools(plan: Plan): (event: WireEvent) => boolean {
  const engine = createEngine(plan);
  const blocking = new Set(plan.rules.filter((rule) => blocksEveryCall(rule, plan)).map(({ id }) => id));
  const allowing = plan.rules
    .filter(
      ({ mode, events, actions }) =>
        mode === "enforce" && events.includes("tool_call") && actions.some(({ action }) => action === "allow"),
    )
    .map(({ tools }) => toolMatcher(tools));
  return (event) => {
    const { decision } = engine.decide({ ...event, args: {} });
    if (decision.outcome !== "block") return false;
    if (decision.matched.some(({ rule, outcome }) => outcome === "block" && blocking.has(rule))) return true;
    return decision.answered === "default" && !allowing.some((matches) => matches(event.tool as string));
  };
}

function blocksEveryCall(rule: Rule, plan: Plan): boolean {
  if (rule.mode !== "enforce" || !rule.events.includes("tool_call")) return false;
  if (rule.each || rule.sequence || rule.budget || rule.needs || rule.exceptions.length > 0) return false;
  if (!rule.actions.some(({ action }) => action === "block")) return false;
  return [rule.when, rule.unless].every((condition) => condition === undefined || isSettled(condition, plan));
}

/** True if a condition reads nothing that could differ between two calls of one tool. */
function isSettled(condition: Ir, plan: Plan): boolean {
  const open: unknown[] = [condition];
  for (let seen = 0; open.length > 0; seen++) {
    const node = open.pop();
    if (seen > mostNodes) return false;
    if (typeof node !== "object" || node === null) continue;
    const { k, name, fn } = node as { readonly k?: unknown; readonly name?: unknown; readonly fn?: unknown };
    if (k === "root" && !settled.has(String(name).split(".")[0] ?? "")) return false;
    if (k === "call" && outside.test(String(fn))) return false;
    if (k === "condition") open.push(plan.conditions[name as string]);
    else open.push(...Object.values(node));
  }
  return true;
}
