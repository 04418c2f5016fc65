import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AloneJudge } from "../../authoring/alone-judge.ts";
import { exampleEvents, runExamples } from "../../authoring/examples.ts";
import { type CheckedRule, compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { compileTexts } from "../literate/policies.ts";

const root = join(import.meta.dirname, "../..");

describe("every rule of the shipped packs, judged alone", () => {
  const packs = readdirSync(join(root, "policies")).map((pack) => `pack:${pack}`);
  const { plan, policies } = compile({ files: discoverPolicies(packs, root).files, resolveImport });
  const rules = policies.flatMap((policy) => policy.rules);
  const judge = new AloneJudge(plan as Plan);

  /** Whether the whole plan finds each of some rules matched by an event. */
  const wholly = (event: object, session: string, ids: readonly string[]): boolean[] => {
    const { matched, would } = createdEngine.decide({ ...event, session: { id: session } }).decision;
    return ids.map((id) => [...matched, ...would].some((one) => one.rule === id));
  };
  const createdEngine = createEngine(plan);
  const eventsOf = ({ examples, events }: CheckedRule): object[] =>
    [...examples.match, ...examples.no_match]
      .filter(({ value }) => !Array.isArray(value))
      .flatMap(({ value }) => exampleEvents(value, events));

  it("matches its own examples, and those of the rule after it, as the whole plan says", { timeout: 180_000 }, () => {
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

/** The least time of the processor of some runs, in microseconds, which a loaded machine lengthens for all alike. */
function least(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
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

  it("takes time in proportion to the rules, not to their square", { timeout: 120_000 }, () => {
    const [few, many] = [policyOf(100), policyOf(800)];
    expect(runExamples(many)).toEqual([]);
    expect(least(() => runExamples(many)) / least(() => runExamples(few))).toBeLessThan(16);
  });
});
