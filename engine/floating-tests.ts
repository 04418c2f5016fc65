import { unmetered } from "../facts/meter.ts";
import { type EffectKind, effectKinds } from "../schema/facts.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { toolMatcher } from "../schema/tool-matcher.ts";
import type { FloatingSet, FloatingTests, TreeVocabulary } from "../schema/trees.ts";
import { digest } from "./canonical.ts";
import type { LinkedPlan } from "./link-plan.ts";
import type { Ir, Plan, PlanRule } from "./plan.ts";

/** Tests by plan, then by event and tool; the same value for the same. */
const known = new WeakMap<Plan, Map<string, FloatingTests | undefined>>();

/** Id of the built-in policy; a scope precedes its name if the policy is given again, as in its suite. */
const builtIn = "self-protection";

/** Tools whose tests are kept: names come from payloads, so that there is a bound. */
const keptTools = 256;

/**
 * Returns the tests of a plan's rules for an event and tool that restrict a path and may hold in any folder; undefined if there
 * are none. All rules of the plan count, not only those that an index selects, so that the disk gets the same questions with and
 * without an index. Source: reach page, "Asking the disk".
 */
export function floatingTests(
  { plan, vocabulary }: Pick<LinkedPlan, "plan" | "vocabulary">,
  { event, tool }: JudgedEvent,
): FloatingTests | undefined {
  const { trees } = vocabulary;
  if (!trees) return undefined;
  let byTool = known.get(plan);
  if (!byTool) {
    byTool = new Map();
    known.set(plan, byTool);
  }
  const key = `${event}\0${tool?.name ?? ""}`;
  if (byTool.has(key)) return byTool.get(key);
  // The first call of a tool pays no more than the ones that find the table.
  const made = unmetered(() => testsOf(plan, expressionsOf(plan, event, tool?.name), trees));
  if (byTool.size >= keptTools) byTool.clear();
  byTool.set(key, made);
  return made;
}

function expressionsOf(
  { policies, rules }: Plan,
  event: JudgedEvent["event"],
  tool: string | undefined,
): readonly unknown[][] {
  return rules.flatMap((rule) => {
    // The built-in policy knows what guards the call from the disk itself (`facts/effects/guarded.ts`).
    const policy = policies[rule.policy];
    if (policy?.scope === "builtin" || policy?.id.split(":").at(-1) === builtIn) return [];
    const items = (rule.sequence?.items ?? [])
      .filter((item) => item.events.includes(event) && toolMatcher(item.tools)(tool))
      .map(({ when }): unknown[] => [when]);
    return rule.events.includes(event) && toolMatcher(rule.tools)(tool) ? [...items, ownOf(rule)] : items;
  });
}

function ownOf({ each, when, unless, exceptions, budget }: PlanRule): unknown[] {
  return [each?.list, when, unless, budget?.of, ...exceptions.map((exception) => exception.when)];
}

function testsOf(
  { conditions }: Plan,
  rules: readonly (readonly unknown[])[],
  trees: TreeVocabulary,
): FloatingTests | undefined {
  const all = new Found();
  const byKind = new Map<EffectKind, Found>();
  for (const expressions of rules) {
    const own = new Found();
    // A set, so that each referenced condition is read once.
    const open = new Set<unknown>(expressions);
    for (const value of open) {
      if (typeof value !== "object" || value === null) continue;
      own.look(value as Ir, trees);
      for (const inner of Object.values(value)) open.add(inner);
      const { k, name } = value as { readonly k?: unknown; readonly name?: unknown };
      if (k === "condition" && typeof name === "string" && Object.hasOwn(conditions, name)) open.add(conditions[name]);
    }
    if (own.isEmpty) continue;
    all.add(own);
    for (const kind of own.kinds) {
      const known = byKind.get(kind) ?? new Found();
      known.add(own);
      byKind.set(kind, known);
    }
  }
  if (all.isEmpty) return undefined;
  const set = all.made;
  return { ...set, digest: digest(set), byKind: new Map([...byKind].map(([kind, found]) => [kind, found.made])) };
}

/** Floating tests in the expressions of one rule, and the kinds of effects that these read. */
class Found {
  readonly globs = new Set<string>();
  readonly kinds = new Set<EffectKind>();
  secret = false;

  get isEmpty(): boolean {
    return this.globs.size === 0 && !this.secret;
  }

  get made(): FloatingSet {
    return { globs: [...this.globs].sort(), secret: this.secret };
  }

  add({ globs, secret }: Pick<Found, "secret"> & { readonly globs: Iterable<string> }): void {
    for (const one of globs) this.globs.add(one);
    this.secret ||= secret;
  }

  look(ir: Ir, trees: TreeVocabulary): void {
    if (ir.k === "root" && ir.name === "effects") for (const kind of effectKinds) this.kinds.add(kind);
    else if (ir.k === "root" && ir.name.startsWith("effects."))
      this.kinds.add(ir.name.slice("effects.".length) as EffectKind);
    if (ir.k !== "call" || ir.forms === "all") return;
    const texts = textsIn(ir.args[1]);
    if (texts.length > 0) this.add(trees.floating(ir.fn, texts));
  }
}

/** Constant texts of an operand, which is one or a list. */
function textsIn(ir: Ir | undefined): readonly string[] {
  if (ir?.k === "list") return ir.items.flatMap(({ value }) => textsIn(value));
  if (ir?.k !== "const") return [];
  const { value } = ir;
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string");
}
