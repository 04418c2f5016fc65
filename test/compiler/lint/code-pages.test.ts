import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkPolicies } from "../../../authoring/lint/check-policies.ts";
import { type Code, codes } from "../../../diagnostics/codes.ts";
import { codeTexts, lintOf, pairOf } from "../../../scripts/generate/code-pages.ts";
import { compileTexts, givenBy, policyFile, rendered } from "../../literate/policies.ts";

const root = join(import.meta.dirname, "../../..");
const all = Object.keys(codes) as Code[];

describe("pages of codes", () => {
  it.each(all)("%s has a lint or a text, and never both", (code) => {
    expect(lintOf(code) === undefined).toBe(codeTexts[code] !== undefined);
  });

  it.each(all.filter((code) => codeTexts[code] !== undefined))("%s speaks in whole sentences", (code) => {
    const { means = "", next = "" } = codeTexts[code] ?? {};
    expect(means).toMatch(/\.$/);
    expect(next).toMatch(/\.$/);
  });

  const pairs = all.flatMap((code) => {
    const pair = pairOf(code, root);
    return pair ? [[code, pair] as const] : [];
  });

  it("shows a bad and a good example for every code that a policy text can raise", () => {
    const without = all.filter((code) => !lintOf(code) && !pairOf(code, root));
    expect(without.filter((code) => !/^HW(?:00[134]|01[234]|409|5\d\d|60[78]|7\d\d)$/.test(code))).toEqual([]);
  });

  it.each(pairs)("the good example of %s is free of it and loads", (code, { good, info }) => {
    const given = givenBy([{ info, text: good }]);
    const result = compileTexts(...given);
    const others = checkPolicies([policyFile(good)], {}).diagnostics;
    expect(`${rendered(result)}${others.map((d) => d.code).join(" ")}`).not.toContain(code);
    expect(result.plan, rendered(result)).toBeDefined();
  });

  it.each(pairs)("what the page says of the bad example of %s names the code", (code, { says }) => {
    expect(says).toContain(code);
  });
});
