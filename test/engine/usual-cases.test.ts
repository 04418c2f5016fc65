import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combine } from "../../engine/combine.ts";
import { countedElements } from "../../engine/index-costs.ts";
import { isCrowded } from "../../engine/index-match.ts";
import { normalise } from "../../engine/normalise.ts";
import type { Fallback, PlanPolicy } from "../../engine/plan.ts";
import { recordedEffects } from "../../engine/recorded-effects.ts";
import { facts } from "../../facts/facts.ts";
import type { Effects } from "../../schema/facts.ts";
import { effectKinds } from "../../schema/facts.ts";
import { limits } from "../../schema/limits.ts";
import { typicalCommands } from "../bench/typical.ts";
import { emptyFiles, toolCall } from "../facts/effects/judge.ts";
import { seed } from "../properties/seed.ts";

/** What is told at once of the usual case must be what the long way tells. */

/** True if any list or map in a value has more elements than are counted. */
function isLong(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const parts = Object.values(value);
  return parts.length > countedElements || parts.some(isLong);
}

describe("lists of facts that are too long to be counted", () => {
  const many = (count: number, one: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => one(n)).join(" ");
  const commands = [66, 64].flatMap((count) => [
    `echo ${many(count, (n) => `w${n}`)}`,
    `ls ${many(count, (n) => `--option-${n}`)}`,
    `${many(count, (n) => `V${n}=1`)} make`,
    `make ${many(count, (n) => `> out-${n}`)}`,
    many(count, () => "true;"),
    `cat ${many(count, (n) => `file-${n}`)}`,
    `${many(20, () => "nice")} ls`,
    `touch ${many(count, (n) => `a/b-${n}`)} && git push origin ${many(count, (n) => `b${n}`)}`,
  ]);
  it.each([...typicalCommands, ...commands].map((command) => [command.slice(0, 60), command]))("%s", (_, command) => {
    const found = facts.of(toolCall("bash", { command }), emptyFiles);
    expect(isCrowded(found)).toBe(isLong(found.shell?.commands) || isLong(found.effects));
  });
});

describe("times of events", () => {
  const timeOf = (time: string): unknown => {
    const read = normalise({ event: "tool_call", tool: "bash", args: {}, time });
    return "code" in read ? read.code : read.event.time;
  };
  it("are what the platform makes of them", () => {
    const two = fc.integer({ min: 0, max: 63 }).map((n) => String(n).padStart(2, "0"));
    const year = fc.oneof(
      fc.constantFrom("0000", "0099", "0100", "9999"),
      fc.integer({ min: 1000, max: 9999 }).map(String),
    );
    const written = fc
      .tuple(year, two, two, two, two, two, fc.integer({ min: 0, max: 999 }))
      .map(([y, mo, d, h, mi, s, ms]) => `${y}-${mo}-${d}T${h}:${mi}:${s}.${String(ms).padStart(3, "0")}Z`);
    const real = fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString());
    const expected = (time: string): unknown => (Number.isFinite(Date.parse(time)) ? Date.parse(time) : "HW501");
    const same = (time: string): void => {
      expect(timeOf(time)).toBe(expected(time));
    };
    fc.assert(fc.property(fc.oneof(written, real), same), { seed, numRuns: 1_000 });
  });
  it.each(["2026-02-30T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2024-02-29T23:59:59.999Z"])("%s too", (time) => {
    expect(timeOf(time)).toBe(Date.parse(time));
  });
  it.each([
    "2026-01-01T00:00:0x.000Z",
    "2026-01-01T00:00:00,000Z",
    "2026-01-01T00:00:00.000z ",
    "2026-1-011T00:00:00.00Z",
  ])("%s is none", (time) => expect(timeOf(time)).toBe("HW501"));
});

describe("a call that no rule answers", () => {
  const answer = fc.constantFrom<Fallback>("allow", "ask", "block");
  const policy = fc.record({ mode: fc.constantFrom("enforce", "monitor"), default: answer, unknown: answer });
  const strictness = ["allow", "ask", "block"];

  it("has the strictest answer of the policies that count", () => {
    fc.assert(
      fc.property(fc.array(policy), fc.boolean(), (list, unknown) => {
        const policies = list as unknown as readonly PlanPolicy[];
        const given = list
          .filter(({ mode }) => mode === "enforce")
          .flatMap((one) => [one.default, ...(unknown ? [one.unknown] : [])]);
        const expected = strictness.findLast((one) => given.includes(one as Fallback)) ?? "allow";
        const ask = () =>
          combine(
            [],
            policies,
            true,
            () => unknown,
            () => false,
          );
        expect(ask().outcome).toBe(expected);
        expect(ask()).toEqual(ask());
        expect(ask().cited).toBeUndefined();
      }),
      { seed, numRuns: 300 },
    );
  });
  it("is not read where it makes no difference whether it can be understood", () => {
    const policies = [{ mode: "enforce", default: "block", unknown: "allow" }] as unknown as readonly PlanPolicy[];
    const never = (): boolean => {
      throw new Error("asked");
    };
    expect(combine([], policies, true, never, never)).toMatchObject({ outcome: "block", answered: "default" });
  });
});

describe("effects of a record", () => {
  it("are each there once, however many there are", () => {
    const effect = fc.record({ target: fc.integer({ max: 90, min: 0 }).map(String), certain: fc.boolean() });
    const kinds = fc.record({ runs: fc.array(effect, { maxLength: 120 }), kills: fc.array(effect, { maxLength: 60 }) });
    fc.assert(
      fc.property(kinds, (given) => {
        const none = Object.fromEntries(effectKinds.map((kind) => [kind, []]));
        const listed = new Set<string>();
        let more = 0;
        for (const kind of ["runs", "kills"] as const)
          for (const { target, certain } of given[kind]) {
            const one = JSON.stringify(certain ? { kind, target } : { kind, possible: true, target });
            if (listed.has(one)) continue;
            if (listed.size < limits.recordedEffects) listed.add(one);
            else more += 1;
          }
        const effects = [...listed].map((one) => JSON.parse(one) as unknown);
        expect(recordedEffects({ ...none, ...given } as unknown as Effects)).toEqual({
          ...(effects.length > 0 && { effects }),
          ...(more > 0 && { more_effects: more }),
        });
      }),
      { seed, numRuns: 200 },
    );
  });
});
