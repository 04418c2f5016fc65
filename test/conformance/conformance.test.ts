import { describe, expect, it } from "vitest";
import { declaredFeatures, undeclaredFeatures } from "../../rules/cel-subset.ts";
import type { Case } from "./cases.ts";
import { allCases } from "./cases.ts";
import { deviations } from "./expectations.ts";
import { judge } from "./judge.ts";
import { judgeAll, report } from "./report.ts";

const judged = judgeAll();
const example = (expr: string, more: Partial<Case["original"]> = {}): Case => ({
  suite: "conformance",
  section: "conformance/own",
  name: expr,
  original: { expr, ...more },
  ast: undefined,
  checkedAst: undefined,
  type: undefined,
  error: undefined,
});

describe("CEL conformance", () => {
  it("fails no case of the declared subset", () => {
    expect(judged.filter(([, { outcome }]) => outcome === "failed").map(([{ name }]) => name)).toEqual([]);
  });

  it("passes what it has passed before", () => {
    expect(judged.filter(([, { outcome }]) => outcome === "passed").length).toBeGreaterThanOrEqual(1480);
  });

  it("looks at every case of the data set", () => {
    expect(judged.length).toBe(allCases().length);
    expect(judged.length).toBeGreaterThan(2_700);
  });

  it("ends its report with the counts", () => {
    expect(report(judged).at(-1)).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/);
  });

  it("has no undeclared feature that no case needs", () => {
    const skipped = new Set(judged.flatMap(([, each]) => (each.outcome === "skipped" ? [each.feature] : [])));
    expect(undeclaredFeatures.map(({ id }) => id).filter((id) => !skipped.has(id))).toEqual([]);
  });

  it("sees each deviation that answers cases otherwise", () => {
    const seen = new Set(judged.flatMap(([, each]) => (each.outcome === "passed" ? [each.deviation] : [])));
    expect(deviations.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
  });

  it("has one row for each id", () => {
    const ids = [...declaredFeatures, ...undeclaredFeatures].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("judging a case", () => {
  it.each<[string, Case, string]>([
    ["a right value", example("1 + 1", { value: { int64Value: "2" } }), "passed"],
    ["a wrong value", example("1 + 1", { value: { int64Value: "3" } }), "failed"],
    ["a double where an int is wanted", example("2.0", { value: { int64Value: "2" } }), "failed"],
    ["a value where an error is wanted", example("1", { evalError: {} }), "failed"],
    ["an error where a value is wanted", example("1 / 0", { value: { int64Value: "0" } }), "failed"],
    [
      "a wrong type",
      example("[1]", {
        typedResult: { result: { listValue: { values: [{ int64Value: "1" }] } }, deducedType: { dyn: {} } },
      }),
      "failed",
    ],
    ["a text that does not load", example("1 +", { value: { int64Value: "1" } }), "failed"],
    ["bytes in the text", example("b'a' == b'a'"), "skipped"],
    ["the word in a string", example("'b\"x\" 1u' == 'TestAllTypes{}'", { value: { boolValue: false } }), "passed"],
    ["an int beyond 2^53", example("9007199254740992"), "skipped"],
    ["the largest int", example("9007199254740991", { value: { int64Value: "9007199254740991" } }), "passed"],
    [
      "another tree than the wanted one",
      { ...example("a + b"), suite: "parsing", ast: "a^#*expr.Expr_IdentExpr#" },
      "failed",
    ],
    ["a text that should not parse", { ...example("a"), suite: "parsing" }, "failed"],
  ])("%s", (_, given, outcome) => expect(judge(given).outcome).toBe(outcome));
});
