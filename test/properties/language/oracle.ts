import { type CompileResult, compile } from "../../../compiler/compile.ts";
import { hasErrors } from "../../../diagnostics/diagnostic.ts";
import type { Plan } from "../../../engine/plan.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine, type Engine } from "../../../runtime.ts";
import type { Decision } from "../../../schema/generated.ts";
import { ReferenceEngine, type Verdict } from "../../reference/decide.ts";
import { KnownInPart } from "../../reference/judge.ts";
import type { Wire } from "./events.ts";
import { type GivenPolicy, randomPolicies, yamlOf } from "./policies.ts";
import { Random } from "./random.ts";
import { randomSteps, type Step } from "./session-events.ts";

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
export function verdictOf(decision: Decision, labels: readonly string[] = []): Verdict {
  const line = ({ rule, outcome, element }: Decision["matched"][number]): string =>
    `${rule} ${outcome}${element === undefined ? "" : ` ${element}`}`;
  return {
    outcome: decision.outcome,
    answered: decision.answered,
    rule: decision.rule,
    matched: decision.matched.map(line),
    would: decision.would.map(line),
    errors: [...new Set(decision.errors.map(({ rule, code }) => `${rule ?? "-"} ${code}`))],
    labels,
  };
}

/** A run on which the engine and the reference, or the engine and the engine without its index, do not agree. */
export interface Mismatch {
  readonly policies: readonly GivenPolicy[];
  /** All steps up to the one that shows it. */
  readonly steps: readonly Step[];
  readonly engine: unknown;
  readonly reference: unknown;
}

/** Three ways to judge one run of events: the engine, the engine without its index, and the reference. */
export class Trial {
  readonly #policies: readonly GivenPolicy[];
  readonly #engine: Engine;
  readonly #plain: Engine;
  readonly #reference: ReferenceEngine;
  readonly #steps: Step[] = [];
  /** From the first event on that is known in part, the engine is compared with itself alone. */
  #beyond = false;

  constructor(policies: readonly GivenPolicy[], plan: Plan, engine = createEngine(plan, { regex })) {
    this.#policies = policies;
    this.#engine = engine;
    this.#plain = createEngine(plan, { regex, index: false });
    this.#reference = new ReferenceEngine(plan, regex);
  }

  /** Takes one step; what the engine decided, or how it differs. */
  take(step: Step): Mismatch | { readonly decision: Decision | undefined } {
    this.#steps.push(step);
    if (!("event" in step)) return this.#answer(step);
    const { decision, body } = this.#engine.decide(step.event);
    const session = sessionOf(step.event);
    const actual = verdictOf(decision, this.#engine.labels(session));
    const expected = this.#expected(step.event);
    if (expected && JSON.stringify(actual) !== JSON.stringify(expected))
      return this.#differ({ ...actual, messages: decision.errors }, expected);
    const plain = this.#plain.decide(step.event);
    const [bytes, plainBytes] = [JSON.stringify({ decision, body }), JSON.stringify(plain)];
    const same = bytes === JSON.stringify({ decision: plain.decision, body: plain.body });
    return same ? { decision } : this.#differ(bytes, `without index: ${plainBytes}`);
  }

  #expected(event: Wire): Verdict | undefined {
    if (this.#beyond) return undefined;
    try {
      return this.#reference.decide(event);
    } catch (error) {
      if (!(error instanceof KnownInPart)) throw error;
      this.#beyond = true;
      return undefined;
    }
  }

  #answer(step: Exclude<Step, { event: unknown }>): Mismatch | { readonly decision: undefined } {
    const given = { ...step, by: "user" };
    const actual = this.#engine.answer(given);
    this.#plain.answer(given);
    const expected = this.#beyond ? actual : this.#reference.answer(step.session, step.of, step.answer);
    return actual === expected ? { decision: undefined } : this.#differ(actual, expected);
  }

  #differ(engine: unknown, reference: unknown): Mismatch {
    return { policies: this.#policies, steps: [...this.#steps], engine, reference };
  }
}

function sessionOf(event: Wire): string {
  const session = event["session"] as { readonly id?: unknown } | undefined;
  return typeof session?.id === "string" ? session.id : "";
}

/** The mismatch of a set and a run judged by themselves; undefined when they agree, or the set does not load. */
export function stillDiffers(policies: readonly GivenPolicy[], steps: readonly Step[]): Mismatch | undefined {
  if (!Array.isArray(policies) || !policies.every(isShaped) || !Array.isArray(steps)) return undefined;
  const { plan } = compileSet(policies);
  if (!plan || plan.policies.length === 0) return undefined;
  const trial = new Trial(policies, plan);
  for (const step of steps) {
    if (typeof step !== "object" || step === null) return undefined;
    if (!("event" in step) && !("of" in step && "session" in step && "answer" in step)) return undefined;
    if ("event" in step && (typeof step.event !== "object" || step.event === null)) return undefined;
    const judged = trial.take(step);
    if (!("decision" in judged)) return judged;
  }
  return undefined;
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
    let i = 0;
    // One mismatch of a set says enough of it.
    while (i < count && report.mismatches.length === before) {
      const trial = new Trial(loaded.policies, loaded.plan);
      const steps = randomSteps(events, Math.min(perSequence, count - i));
      i += steps.length;
      for (const step of steps) if (!takeOne(trial, step, report)) break;
    }
  }
  return report;
}

/** Steps of one run; each begins with sessions of which nothing is known. */
const perSequence = 25;

function takeOne(trial: Trial, step: Step, report: Report): boolean {
  report.cases++;
  const judged = trial.take(step);
  if (!("decision" in judged)) {
    report.mismatches.push(judged);
    return false;
  }
  const { decision } = judged;
  count(report.outcomes, decision ? `${decision.outcome} by ${decision.answered}` : "answer");
  for (const { outcome } of decision?.matched ?? []) count(report.outcomes, outcome);
  for (const { code } of decision?.errors ?? []) count(report.outcomes, code);
  return true;
}

/** A set of policies that compiled. */
interface Loaded {
  readonly plan: Plan;
  readonly policies: readonly GivenPolicy[];
}

function load(policies: readonly GivenPolicy[], report: Report): Loaded | undefined {
  report.policies++;
  const result = compileSet(policies);
  const refused = hasErrors(result.diagnostics);
  if (refused !== (result.plan === undefined))
    report.mismatches.push({ policies, steps: [], engine: "a plan", reference: "no plan: there are errors" });
  for (const { severity, code, message } of result.diagnostics)
    if (severity === "error") count(report.refusals, `${code} ${message}`);
  if (!result.plan) return undefined;
  report.compiled++;
  return { plan: result.plan, policies };
}

function count(table: Map<string, number>, key: string): void {
  table.set(key, (table.get(key) ?? 0) + 1);
}
