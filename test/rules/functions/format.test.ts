import { describe, expect, it } from "vitest";
import { EvaluationError } from "../../../schema/ports.ts";
import { evaluate } from "../evaluate.ts";

describe("format", () => {
  it.each([
    ["'%.0f %.0f %.0f'.format([0.5, 1.5, 2.5])", "0 2 2"],
    ["'%.2f'.format([-0.005])", "-0.01"],
    ["'%.3f'.format([1.0005])", "1.000"],
    ["'%f'.format([1e22])", "10000000000000000000000.000000"],
    ["'%.2f'.format([3])", "3.00"],
    ["'%.2e'.format([9.999])", "1.00e+01"],
    ["'%.0e'.format([9.9])", "1e+01"],
    ["'%e'.format([0.0])", "0.000000e+00"],
    ["'%.1e'.format([1.25e-7])", "1.2e-07"],
    ["'%x %X %o %b'.format([-30, 'é', 8, -5])", "-1e C3A9 10 -101"],
    ["'%s'.format([path('/a/b')])", "/a/b"],
    ["'%s'.format([{'b': [1.0, null], 'a': true}])", "{a: true, b: [1, null]}"],
    ["'%%%s%%'.format(['%s'])", "%%s%"],
    ["'no clause'.format([1])", "no clause"],
  ])("%s is %s", (text, gives) => expect(evaluate(text)).toBe(gives));

  it.each([
    "'%s %s'.format(['a'])",
    "'%y'.format([1])",
    "'%'.format([1])",
    "'%.d%'.format([1])",
    "'%d'.format([1.5])",
    "'%x'.format([1.5])",
    "'%b'.format(['1'])",
    "'%f'.format(['1'])",
    "'%.61f'.format([1.5])",
    "'%.999999999f'.format([1.5])",
    "'%s'.format([optional.of(1)])",
    // A text of eighty million characters, from a small one.
    "cel.bind(t, lists.range(3000).map(i, '0123456789').join(), '%s'.format([lists.range(3000).map(i, t)]))",
  ])("%s is an error value", (text) => expect(evaluate(text)).toBeInstanceOf(EvaluationError));
});
