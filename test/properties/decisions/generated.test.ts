import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import { canonicalJson } from "../../../engine/canonical.ts";
import type { Plan, Scope } from "../../../engine/plan.ts";
import { SessionState, sessionRules } from "../../../engine/session-state.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine, type Engine } from "../../../runtime.ts";
import type { Decision } from "../../../schema/generated.ts";
import { policyFile } from "../../literate/policies.ts";
import { compileSet } from "../language/oracle.ts";
import { type GivenPolicy, type RuleData, randomPolicies, yamlOf } from "../language/policies.ts";
import { Random } from "../language/random.ts";
import { randomSteps, type Step } from "../language/session-events.ts";
import { rounds, seed } from "../seed.ts";

/**
 * What holds of every policy set and every run of events, over generated ones with scopes, `allow`, labels, sequences,
 * budgets, approvals, exceptions and changes. One seed prints with every failure; `FC_SEED` repeats it.
 */
const regex = createRegexEngine();
const strictness = { allow: 0, ask: 1, block: 2 } as const;
const scopes: readonly Scope[] = ["builtin", "managed", "user", "project"];

const changes = (rule: RuleData): boolean => JSON.stringify(rule["action"]).includes('"modify"');

/** Sets that compile, with the runs that they are tried on. */
function* runs(
  random: Random,
  sets: number,
): Generator<{ policies: readonly GivenPolicy[]; plan: Plan; steps: readonly Step[] }> {
  for (let found = 0, tried = 0; found < sets && tried < sets * 4; tried++) {
    const policies = randomPolicies(random.fork());
    const steps = randomSteps(random.fork(), 20);
    const { plan } = compileSet(policies);
    if (!plan) continue;
    found++;
    yield { policies, plan, steps };
  }
}

/** Takes a step; what was decided, with the labels that the session has then. */
function take(engine: Engine, step: Step): { decision: Decision; labels: readonly string[] } | undefined {
  if ("event" in step) {
    const session = (step.event["session"] as { id: string }).id;
    return { decision: engine.decide(step.event).decision, labels: engine.labels(session) };
  }
  engine.answer({ ...step, by: "user" });
  return undefined;
}

/**
 * Decides each event of a run by two plans in the state that the first plan's decisions led to: what a plan decides is
 * compared, not where its earlier decisions would have led.
 */
function compared(
  before: Plan,
  after: Plan,
  steps: readonly Step[],
  same: (one: Decision, other: Decision) => void,
): void {
  const [oneState, otherState] = [before, after].map((plan) => new SessionState(sessionRules(plan)));
  if (!oneState || !otherState) return;
  const one = createEngine(before, { regex, state: oneState });
  const other = createEngine(after, { regex, state: otherState });
  for (const step of steps) {
    otherState.adopt(oneState);
    // A remembered answer is bound to its plan: one that denies is asked for again under the other plan.
    const taken: Step = "event" in step ? step : { ...step, answer: "allow" };
    const given = take(other, taken);
    const wanted = take(one, taken);
    if (given && wanted) same(wanted.decision, given.decision);
  }
}

const shown = (policies: readonly GivenPolicy[], more: unknown): string =>
  [`seed ${seed}`, ...policies.map(({ scope, data }) => `# ${scope}\n${yamlOf(data)}`), JSON.stringify(more)].join(
    "\n",
  );

function expectNoLooser(policies: readonly GivenPolicy[], before: Plan, after: Plan, steps: readonly Step[]): void {
  compared(before, after, steps, (one, other) => {
    if (strictness[other.outcome] < strictness[one.outcome]) expect(other, shown(policies, one)).toEqual(one);
  });
}

/** The rules of other generated policies, under ids of their own. */
function otherRules(random: Random): readonly RuleData[] {
  const [first] = randomPolicies(random);
  return (first?.data.rules ?? []).map((rule, i) => ({ ...rule, id: `x${i}` }));
}

describe(`decisions of generated policies (seed ${seed})`, () => {
  it("are never looser for a rule that blocks", () => {
    const random = new Random(seed);
    let added = 0;
    for (const { policies, plan, steps } of runs(random, rounds(40))) {
      const [extra] = otherRules(random.fork());
      const [first, ...others] = policies;
      if (!first || !extra) continue;
      const { mode: _, ...rule } = { ...extra, action: "block" } as RuleData;
      const data = { ...first.data, rules: [...first.data.rules, rule] };
      const more = [{ scope: first.scope, data }, ...others];
      const after = compileSet(more).plan;
      if (!after) continue;
      added++;
      expectNoLooser(more, plan, after, steps);
    }
    expect(added).toBeGreaterThan(10);
  });

  it("are never looser for a policy of a lower scope", () => {
    const random = new Random(seed + 1);
    let added = 0;
    for (const { policies, plan, steps } of runs(random, rounds(60))) {
      const lowest = Math.max(...policies.map(({ scope }) => scopes.indexOf(scope)));
      const below = scopes[lowest + 1];
      const [given] = randomPolicies(random.fork());
      if (!below || !given) continue;
      // A rule that changes a call makes another call of it, which is not compared here.
      const rules = given.data.rules.filter((rule) => !changes(rule));
      // What a user says of a program of their own is believed (decision 28); what a project says is not.
      const said = below === "project" ? {} : { programs: {}, tools: ["unheard_of"] };
      const data = { ...given.data, ...said, policy: "lower", rules };
      const more = [...policies, { scope: below, data }];
      const after = compileSet(more).plan;
      if (!after) continue;
      added++;
      expectNoLooser(more, plan, after, steps);
    }
    expect(added).toBeGreaterThan(10);
  });

  it("are the same, but for who is cited, in any order of the guards of a policy", () => {
    const random = new Random(seed + 2);
    let reordered = 0;
    for (const { policies, plan, steps } of runs(random, rounds(40))) {
      if (policies.some(({ data }) => data.rules.some(changes))) continue;
      const turned = policies.map(({ scope, data }) => ({
        scope,
        data: { ...data, rules: [...data.rules].reverse() },
      }));
      const after = compileSet(turned).plan;
      expect(after, shown(turned, "does not compile")).toBeDefined();
      if (!after) continue;
      reordered++;
      const [one, other] = [plan, after].map((each) => createEngine(each, { regex }));
      for (const step of steps) {
        const [a, b] = [one, other].map((engine) => engine && take(engine, step));
        expect(b && kept(b), shown(turned, step)).toEqual(a && kept(a));
      }
    }
    expect(reordered).toBeGreaterThan(10);
  });

  it("are the same bytes each time, and in any order of the files", () => {
    const random = new Random(seed + 3);
    for (const { policies, plan, steps } of runs(random, rounds(25))) {
      const again = compileSet([...policies].reverse()).plan;
      // Where a file stood is no part of the plan; only the names of test files differ here.
      expect(canonicalJson(again), shown(policies, "another plan")).toBe(canonicalJson(plan));
      if (!again) continue;
      const engines = [plan, again].map((each) => createEngine(each, { regex }));
      for (const step of steps) {
        if (!("event" in step)) for (const engine of engines) take(engine, step);
        else {
          const [one, other] = engines.map((engine) => engine.decide(step.event));
          expect(JSON.stringify(other), shown(policies, step)).toBe(JSON.stringify(one));
        }
      }
    }
  });

  it("are the same in any order of imports", () => {
    const random = new Random(seed + 4);
    let imported = 0;
    for (let i = 0; i < 12; i++) {
      const parts = random.times(3, (n) => {
        const [given] = randomPolicies(random.fork());
        const named = JSON.parse(JSON.stringify(given?.data ?? {}).replaceAll('"p0', `"part${n}`)) as object;
        return policyFile(yamlOf({ version: 1, rules: [], ...named, policy: `part${n}` }), `part${n}.yaml`);
      });
      const plans = [parts, [...parts].reverse()].map((files) => {
        const imports = files.map(({ name }) => `{ file: ./${name} }`).join(", ");
        const main = policyFile(`version: 1\npolicy: main\nimports: [${imports}]\nrules: []\n`, "main.yaml");
        const resolveImport = ({ file }: { readonly file?: string }) => parts.find(({ name }) => `./${name}` === file);
        return compile({ files: [main], resolveImport, regex }).plan;
      });
      const [one, other] = plans.map((plan) => plan && canonicalJson({ ...withoutSources(plan), digest: "" }));
      expect(other, `seed ${seed}`).toBe(one);
      if (one) imported++;
    }
    expect(imported).toBeGreaterThan(2);
  });
});

/** Bytes of the importing file differ with the order that they list; nothing else may. */
function withoutSources(plan: Plan): Plan {
  return { ...plan, policies: plan.policies.map((policy) => ({ ...policy, source: "" })) };
}

/** What may not depend on the order of guards. */
function kept({ decision, labels }: { decision: Decision; labels: readonly string[] }): unknown {
  const lines = (list: Decision["matched"]): readonly string[] =>
    list.map(({ rule, outcome, element }) => `${rule} ${outcome} ${element ?? ""}`).sort();
  return {
    outcome: decision.outcome,
    answered: decision.answered,
    matched: lines(decision.matched),
    would: lines(decision.would),
    errors: decision.errors.map(({ code, rule }) => `${code} ${rule ?? ""}`).sort(),
    labels: [...labels].sort(),
  };
}
