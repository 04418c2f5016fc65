import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AloneJudge } from "../../authoring/alone-judge.ts";
import { exampleEvents, runExamples } from "../../authoring/examples.ts";
import { type CheckedRule, compile } from "../../compiler/compile.ts";
import type { Plan, PlanRule } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { compileTexts } from "../literate/policies.ts";

const root = join(import.meta.dirname, "../..");

describe("every rule of the shipped packs, judged alone", () => {
  const packs = readdirSync(join(root, "policies")).map((pack) => `pack:${pack}`);
  const { plan, policies } = compile({ files: discoverPolicies(packs, root).files, resolveImport });
  const rules = policies.flatMap((policy) => policy.rules);
  const judge = new AloneJudge(plan as Plan);

  /** Whether each of some rules acts on an event in the whole plan. */
  const wholly = (event: object, session: string, ids: readonly string[]): boolean[] => {
    const { matched, would } = createdEngine.decide({ ...event, session: { id: session } }).decision;
    return ids.map((id) => [...matched, ...would].some((one) => one.rule === id && one.done !== false));
  };
  const createdEngine = createEngine(plan);
  const eventsOf = ({ examples, events }: CheckedRule): object[] =>
    [...examples.match, ...examples.no_match]
      .filter(({ value }) => !Array.isArray(value))
      .flatMap(({ value }) => exampleEvents(value, events));

  it("matches its own examples, and those of the rule after it, as the whole plan says", () => {
    let compared = 0;
    for (const [i, rule] of rules.entries()) {
      const next = rules[(i + 1) % rules.length] as CheckedRule;
      const pair = [rule, next].filter(({ id }) => judge.of(id));
      const judges = pair.map(({ id }) => judge.of(id));
      for (const [n, event] of eventsOf(rule).entries()) {
        const session = `${i}.${n}`;
        const whole = wholly(
          event,
          session,
          pair.map(({ id }) => id),
        );
        for (const [k, alone] of judges.entries()) {
          const answer = alone?.({ ...event, session: { id: session } });
          if (answer === undefined) continue;
          compared++;
          expect([pair[k]?.id, JSON.stringify(event), answer]).toEqual([pair[k]?.id, JSON.stringify(event), whole[k]]);
        }
      }
    }
    expect(compared).toBeGreaterThan(4_000);
  });
});

/** How often a rule of the plan is asked for something while examples are run. */
function looks(report: ReturnType<typeof compileTexts>): number {
  const plan = report.plan as Plan;
  let count = 0;
  const watched = (rule: PlanRule): PlanRule =>
    new Proxy(rule, {
      get: (target, key) => {
        count += 1;
        return Reflect.get(target, key);
      },
    });
  expect(runExamples({ ...report, plan: { ...plan, rules: plan.rules.map(watched) } })).toEqual([]);
  return count;
}

describe("running examples", () => {
  const policyOf = (rules: number) => {
    const one = (i: number): string =>
      `  - id: r${i}\n    event: [tool_call, user_bash]\n    each: { n: effects.network }\n` +
      `    when: { n.url.host: { host_in: [a${i}.example.com, b${i}.example.com] } }\n    action: ask\n    reason: x\n` +
      `    examples: { match: ["curl https://a${i}.example.com/x"], no_match: ["curl https://c${i}.example.com"] }\n`;
    const text = Array.from({ length: rules }, (_, i) => one(i)).join("");
    return compileTexts({ "policy.yaml": `version: 1\npolicy: p\nrules:\n${text}` });
  };

  it("looks at rules in proportion to their number, not to its square", () => {
    const { plan } = policyOf(100);
    const judge = new AloneJudge(plan as Plan);
    // What cannot be judged alone is judged with all others.
    expect(plan?.rules.filter(({ id }) => id.startsWith("p/") && !judge.of(id)).map(({ id }) => id)).toEqual([]);
    const [few, many] = [looks(policyOf(100)), looks(policyOf(800))];
    expect(few).toBeGreaterThanOrEqual(100);
    expect(many / few).toBeLessThan(9);
  });
});
