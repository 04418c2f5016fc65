import { describe, expect, it } from "vitest";
import { EvaluationError } from "../../../schema/ports.ts";
import { bash, check, evaluate, frameOf } from "../../rules/evaluate.ts";

describe("macros over keys and values", () => {
  it.each<[string, unknown]>([
    ["['a', 'b'].all(i, v, i < 2 && v != '')", true],
    ["['a', 'b'].exists(i, v, i == 1 && v == 'b')", true],
    ["[5, 7, 8].existsOne(i, v, v % 5 == i)", true],
    ["{'a': 1}.exists_one(k, v, k == 'a' && v == 1)", true],
    ["['a', 'b'].transformList(i, v, i)", [0, 1]],
    ["dyn({'a': 1}).transformList(k, v, v)", [1]],
    ["dyn(['x']).transformList(i, v, i)", [0]],
    ["{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 2)['b']", 4],
    ["{'a': 1}.transformMapEntry(k, v, {v: k})[1]", "a"],
    ["[[1], [2]].all(i, row, row.all(j, v, v == i + 1 && j == 0))", true],
    ["[1, 2].map(x, [x].transformList(i, v, v + x)[0])", [2, 4]],
    ["[0, 2].exists(i, v, 1 / v == 0 || i == 1)", true],
    ["effects.deletes.exists(i, d, i == 0 && d.recursive)", true],
    ["shell.commands.all(i, c, c.program == 'rm')", true],
  ])("%s", (text, gives) => expect(evaluate(text, bash)).toEqual(gives));

  it.each(["[0].all(i, v, 1 / v == 0)", "[1, 1].transformMapEntry(i, v, {v: i})", "dyn(1).all(i, v, true)"])(
    "%s is an error value",
    (text) => expect(evaluate(text)).toBeInstanceOf(EvaluationError),
  );

  it.each([
    ["[1].all(i, i, true)", "HW304 `i` is bound twice"],
    ["[1].all(a.b, v, true)", "HW304 `all` needs the names of two variables first"],
    ["'x'.all(i, v, true)", "HW304 `all` goes through lists and maps, here string"],
    ["[1].transformList(i, v)", "HW304 `transformList` takes two variables and an expression, here 2 arguments"],
    ["[1].transformList(i, v, 'x', v)", "HW304 `transformList` needs bool, here string"],
    ["[1].transformMapEntry(i, v, [v])", "HW304 `transformMapEntry` needs a map, here list(int)"],
    ["[1].exists(i, v, v)", "HW304 `exists` needs bool, here int"],
    ["[1].exists(i, v, v == 'a')", "HW305 comparison of int with string can never hold"],
  ])("%s: %s", (text, refused) => expect(evaluate(text)).toEqual({ refused }));

  it("in an allow, `exists` over effects is refused as with one variable", () => {
    const { diagnostics } = check("effects.deletes.exists(i, d, d.recursive)", bash, { polarity: "allow" });
    expect(diagnostics.map(({ code }) => code)).toEqual(["HW309"]);
  });

  it("in an allow, `all` asks whether there are commands at all", () => {
    const none = frameOf({ facts: { shell: undefined } as never });
    expect(evaluate("shell.commands.all(i, c, c.program == 'ls')", bash, none, { polarity: "allow" })).toBe(false);
  });
});

describe("a field in backticks", () => {
  it.each<[string, unknown]>([
    ["{'dry-run': 1}.`dry-run`", 1],
    ["has({'a.b/c d': 1}.`a.b/c d`)", true],
    ["has(args.`dry-run`)", false],
    ["args.?`dry-run`.orValue(2)", 2],
  ])("%s", (text, gives) => expect(evaluate(text)).toEqual(gives));
});
