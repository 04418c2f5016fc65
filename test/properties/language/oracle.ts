import { type CompileResult, compile } from "../../../compiler/compile.ts";
import { hasErrors } from "../../../diagnostics/diagnostic.ts";
import type { Plan } from "../../../engine/plan.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine, type Engine } from "../../../runtime.ts";
import type { Decision } from "../../../schema/generated.ts";
import { referenceDecision, type Verdict } from "../../reference/decide.ts";
import { randomEvent, type Wire } from "./events.ts";
import { type GivenPolicy, randomPolicies, yamlOf } from "./policies.ts";
import { Random } from "./random.ts";

const encoder = new TextEncoder();
const regex = createRegexEngine();

/** Compiles a set of generated policies. */
export function compileSet(policies: readonly GivenPolicy[]): CompileResult {
  const files = policies.map(({ data, scope }, i) => ({
    name: `p${i}.yaml`,
    path: `/policies/p${i}.yaml`,
    bytes: encoder.encode(yamlOf(data)),
    scope,
  }));
  return compile({ files, regex });
}

/** The part of an engine's decision that the reference answers for. */
export function verdictOf(decision: Decision): Verdict {
  const line = ({ rule, outcome, element }: Decision["matched"][number]): string =>
    `${rule} ${outcome}${element === undefined ? "" : ` ${element}`}`;
  return {
    outcome: decision.outcome,
    answered: decision.answered,
    rule: decision.rule,
    matched: decision.matched.map(line),
    would: decision.would.map(line),
    errors: [...new Set(decision.errors.map(({ rule, code }) => `${rule ?? "-"} ${code}`))],
  };
}

/** A pair on which the engine and the reference, or the engine and itself, do not agree. */
export interface Mismatch {
  readonly policies: readonly GivenPolicy[];
  readonly event: Wire;
  readonly engine: unknown;
  readonly reference: unknown;
}

/** Judges one event twice by the engine and once by the reference. */
export function judgePair(
  engine: Engine,
  plan: Plan,
  policies: readonly GivenPolicy[],
  event: Wire,
): Mismatch | { readonly decision: Decision } {
  const { decision } = engine.decide(event);
  const again = JSON.stringify(engine.decide(event).decision);
  if (again !== JSON.stringify(decision)) return { policies, event, engine: decision, reference: `repeated: ${again}` };
  const actual = verdictOf(decision);
  const expected = referenceDecision(plan, event, regex);
  if (JSON.stringify(actual) === JSON.stringify(expected)) return { decision };
  return { policies, event, engine: { ...actual, messages: decision.errors }, reference: expected };
}

/** The mismatch of a set and an event judged by themselves; undefined when they agree, or the set does not load. */
export function stillDiffers(policies: readonly GivenPolicy[], event: Wire): Mismatch | undefined {
  if (!Array.isArray(policies) || !policies.every(isShaped) || typeof event !== "object") return undefined;
  const { plan } = compileSet(policies);
  if (!plan || plan.policies.length === 0) return undefined;
  const judged = judgePair(createEngine(plan, { regex }), plan, policies, event);
  return "decision" in judged ? undefined : judged;
}

/** True for what the YAML writer can print: shrinking takes away anything. */
function isShaped(policy: GivenPolicy): boolean {
  const { rules } = policy.data ?? {};
  return (
    ["builtin", "managed", "user", "project"].includes(policy.scope) &&
    Array.isArray(rules) &&
    rules.every((rule) => typeof rule === "object")
  );
}

/** What a run came to. */
export interface Report {
  readonly seed: number;
  cases: number;
  policies: number;
  compiled: number;
  /** Outcomes by name, as a sign that the cases mean something. */
  readonly outcomes: Map<string, number>;
  /** How often each diagnostic kept a set from loading. */
  readonly refusals: Map<string, number>;
  readonly mismatches: Mismatch[];
}

/**
 * Runs so many pairs of policies and events, a hundred events to each set of policies. A set that does not compile must
 * give no plan. Stops at the first few mismatches.
 */
export function runOracle(seed: number, cases: number, perPolicy = 100, most = 3): Report {
  const random = new Random(seed);
  const report: Report = {
    seed,
    cases: 0,
    policies: 0,
    compiled: 0,
    outcomes: new Map(),
    refusals: new Map(),
    mismatches: [],
  };
  while (report.cases < cases && report.mismatches.length < most && report.policies < cases) {
    const policies = randomPolicies(random.fork());
    const events = random.fork();
    const loaded = load(policies, report);
    if (!loaded) continue;
    const count = Math.min(perPolicy, cases - report.cases);
    const before = report.mismatches.length;
    // One mismatch of a set says enough of it.
    for (let i = 0; i < count && report.mismatches.length === before; i++)
      judgeOne(loaded, randomEvent(events), report);
  }
  return report;
}

function judgeOne({ engine, plan, policies }: Loaded, event: Wire, report: Report): void {
  report.cases++;
  const judged = judgePair(engine, plan, policies, event);
  if ("decision" in judged) count(report.outcomes, `${judged.decision.outcome} by ${judged.decision.answered}`);
  else report.mismatches.push(judged);
}

/** A set of policies that compiled. */
interface Loaded {
  readonly engine: Engine;
  readonly plan: Plan;
  readonly policies: readonly GivenPolicy[];
}

function load(policies: readonly GivenPolicy[], report: Report): Loaded | undefined {
  report.policies++;
  const result = compileSet(policies);
  const refused = hasErrors(result.diagnostics);
  if (refused !== (result.plan === undefined))
    report.mismatches.push({ policies, event: {}, engine: "a plan", reference: "no plan: there are errors" });
  for (const { severity, code, message } of result.diagnostics)
    if (severity === "error") count(report.refusals, `${code} ${message}`);
  if (!result.plan) return undefined;
  report.compiled++;
  return { engine: createEngine(result.plan, { regex }), plan: result.plan, policies };
}

function count(table: Map<string, number>, key: string): void {
  table.set(key, (table.get(key) ?? 0) + 1);
}
