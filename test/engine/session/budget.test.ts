import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanBudget } from "../../../engine/plan.ts";
import {
  type Buckets,
  bucketKey,
  left,
  leftIn,
  type Spending,
  spend,
  spendIn,
} from "../../../engine/session/budget.ts";
import { limits } from "../../../schema/limits.ts";
import { seed } from "../../properties/seed.ts";

const budget = (rest: Partial<PlanBudget> = {}): PlanBudget => ({ per: "session", limit: 5, ...rest });

describe("a bucket", () => {
  it.each<[string, PlanBudget, [number, number][], number, number]>([
    ["nothing was spent", budget(), [], 0, 5],
    ["some was spent", budget(), [[0, 2]], 0, 3],
    ["more was spent than there is", budget(), [[0, 9]], 0, 0],
    ["nothing counts below zero", budget(), [[0, -3]], 0, 5],
    ["without a window nothing comes back", budget(), [[0, 2]], 1_000_000_000, 3],
    ["a window holds until it has passed", budget({ within: 60 }), [[0, 2]], 59, 3],
    ["a window has passed at its end", budget({ within: 60 }), [[0, 2]], 60, 5],
    [
      "each spending leaves by itself",
      budget({ within: 60 }),
      [
        [0, 2],
        [30, 1],
      ],
      70,
      4,
    ],
    ["a limit of zero", budget({ limit: 0 }), [], 0, 0],
    [
      "amounts add up without overflow",
      budget(),
      [
        [0, Number.MAX_SAFE_INTEGER],
        [0, Number.MAX_SAFE_INTEGER],
      ],
      0,
      0,
    ],
  ])("%s", (_, of, spent, now, wanted) => {
    const spending: Spending = [];
    for (const [time, amount] of spent) spend(spending, of, time, amount);
    expect(left(spending, of, now)).toBe(wanted);
  });

  it("holds exactly what the window holds, for any spending", () => {
    const steps = fc.array(fc.tuple(fc.nat(30), fc.nat(4)), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 100 }), fc.nat(30), (given, within, later) => {
        const of = budget({ within, limit: 40 });
        const spending: Spending = [];
        const all: [number, number][] = [];
        let now = 0;
        for (const [pause, amount] of given) {
          now += pause;
          spend(spending, of, now, amount);
          all.push([now, amount]);
        }
        const used = all.filter(([at]) => now + later - at < within).reduce((sum, [, n]) => sum + n, 0);
        expect(left(spending, of, now + later)).toBe(Math.max(0, 40 - used));
      }),
      { seed },
    );
  });

  it("has bounded memory, and joined entries only make it stricter", () => {
    const of = budget({ within: 1_000_000, limit: 100_000 });
    const spending: Spending = [];
    for (let i = 0; i < 20_000; i++) spend(spending, of, i, 1);
    expect(spending.length).toBe(limits.budgetEntries);
    expect(left(spending, of, 20_000)).toBe(80_000);
    expect(left(spending, of, 1_000_000 + 10)).toBeLessThanOrEqual(100_000 - 19_989);
  });
});

describe("buckets of a session", () => {
  const take = (buckets: Buckets, rule: string, bucket: string, of: PlanBudget, time = 0): void =>
    spendIn(buckets, [rule, bucket], of, time, 1);

  it("are apart by rule and by name, `__proto__` among them", () => {
    const buckets: Buckets = new Map();
    for (const name of ["agent __proto__", "agent constructor", "agent "]) take(buckets, "p/a", name, budget());
    take(buckets, "p/__proto__", "session", budget());
    const left5 = (rule: string, name: string) => leftIn(buckets, rule, name, budget(), 0);
    expect(left5("p/a", "agent __proto__")).toBe(4);
    expect(left5("p/a", "agent toString")).toBe(5);
    expect(left5("p/__proto__", "session")).toBe(4);
    expect(left5("p/b", "agent __proto__")).toBe(5);
  });

  it("of tens of thousands of agents are bounded; beyond the bound the budget is shared, never forgotten", () => {
    const buckets: Buckets = new Map();
    const of = budget({ per: "agent" });
    for (let i = 0; i < 20_000; i++) take(buckets, "p/a", `agent ${i}`, of);
    expect(buckets.size).toBeLessThanOrEqual(limits.budgetBuckets + 1);
    expect(leftIn(buckets, "p/a", "agent 0", of, 0)).toBe(4);
    expect(leftIn(buckets, "p/a", "agent 19999", of, 0)).toBe(0);
  });

  it("whose window has passed make room for others", () => {
    const buckets: Buckets = new Map();
    const of = budget({ per: "agent", within: 10 });
    for (let i = 0; i < 5_000; i++) take(buckets, "p/a", `agent ${i}`, of, i * 100);
    expect(buckets.size).toBeLessThanOrEqual(limits.budgetBuckets);
    expect(leftIn(buckets, "p/a", "agent 4999", of, 499_900)).toBe(4);
  });

  it("of a turn are forgotten with the turn", () => {
    const buckets: Buckets = new Map();
    const of = budget({ per: "turn" });
    for (let i = 0; i < 5_000; i++) take(buckets, "p/a", `turn ${i}`, of);
    expect([...buckets.keys()]).toEqual([bucketKey("p/a", "turn 4999")]);
  });
});
