import { describe, expect, it } from "vitest";
import { ownWord, ownWords } from "../../diagnostics/other-words.ts";
import { didYouMean, didYouMeanWord, suggest } from "../../diagnostics/suggest.ts";
import { urlClasses } from "../../facts/network/classes.ts";
import { pathClasses } from "../../facts/paths/classes.ts";
import { actionShapes } from "../../rules/actions/about.ts";
import { testOperators } from "../../rules/ast.ts";
import { systemTable } from "../../rules/name-tables.ts";
import { eventNames } from "../../schema/events.ts";
import policySchema from "../../schema/policy.schema.json" with { type: "json" };

interface Keyed {
  readonly properties?: object;
}

const keys = ["event", "tool", "when", "unless", "action", "reason", "guidance"];

describe("the nearest known name", () => {
  it.each([
    ["one letter left out", "evnt", "event"],
    ["one letter too many", "toool", "tool"],
    ["another letter", "whem", "when"],
    ["two letters swapped", "raeson", "reason"],
    ["another case", "Action", "action"],
    ["several slips in a long name", "giudanse", "guidance"],
    ["the name itself", "tool", "tool"],
  ])("%s", (_, given, known) => {
    expect(suggest(given, keys)).toBe(known);
  });

  it.each([
    ["nothing like it", "colour"],
    ["too short to tell", "wx"],
    ["empty", ""],
    ["far longer", "actionactionaction"],
  ])("none: %s", (_, given) => {
    expect(suggest(given, keys)).toBeUndefined();
  });

  it("of two equally near names the first", () => {
    expect(suggest("bat", ["cat", "hat"])).toBe("cat");
  });

  it("names of object members are names like any other", () => {
    expect(suggest("constructr", ["constructor", "__proto__"])).toBe("constructor");
  });
});

describe("help from a suggestion", () => {
  it.each<readonly [what: string, given: string, known: readonly string[], help: string]>([
    ["a near name", "evnt", keys, "did you mean `event`?"],
    ["no near name", "x", ["when", "unless"], "known here: `when`, `unless`"],
    ["nothing known", "x", [], "remove it"],
  ])("%s", (_, given, known, help) => {
    expect(didYouMean(given, known)).toBe(help);
  });

  it("a long list is cut to a dozen", () => {
    const many = Array.from({ length: 13 }, (_, i) => `name-${i}-long`);
    const help = didYouMean("x", many);
    expect(help.match(/`/g)).toHaveLength(24);
    expect(help).toMatch(/, …$/);
  });
});

describe("a word of another system", () => {
  const actions = Object.keys(actionShapes);
  const { properties } = policySchema.definitions.Rule;
  const ruleKeys = Object.keys(properties);
  it.each([
    ["deny", "block"],
    ["Reject", "block"],
    ["forbid", "block"],
    ["warn", "notify"],
    ["confirm", "ask"],
    ["prompt", "ask"],
    ["require-approval", "ask"],
    ["requireApproval", "ask"],
    ["mask", "redact"],
    ["scrub", "redact"],
    ["rewrite", "modify"],
    ["log", "record"],
    ["permit", "allow"],
  ])("of an action: %s is %s", (given, own) => {
    expect(didYouMeanWord(given, actions)).toBe(`did you mean \`${own}\`?`);
  });

  it.each([
    ["before_tool", "tool_call"],
    ["toolCall", "tool_call"],
    ["after tool", "tool_result"],
    ["prompt", "input"],
    ["session_end", "session_shutdown"],
  ])("of an event: %s is %s", (given, own) => {
    expect(didYouMeanWord(given, eventNames)).toBe(`did you mean \`${own}\`?`);
  });

  it.each([
    ["if", "when"],
    ["except", "unless"],
    ["message", "reason"],
    ["effect", "action"],
    ["name", "id"],
    ["hook", "event"],
    ["tests", "examples"],
    ["hint", "guidance"],
    ["risk", "severity"],
  ])("of a key of a rule: %s is %s", (given, own) => {
    expect(didYouMeanWord(given, ruleKeys)).toBe(`did you mean \`${own}\`?`);
  });

  it.each([
    ["regex", "matches"],
    ["eq", "equals"],
    ["startsWith", "starts_with"],
    ["one_of", "in"],
  ])("of an operator: %s is %s", (given, own) => {
    expect(didYouMeanWord(given, testOperators)).toBe(`did you mean \`${own}\`?`);
  });

  it("says nothing of what is not known at the place, and leaves near names to the letters", () => {
    expect(didYouMeanWord("deny", ["colour"])).toBe("known here: `colour`");
    expect(didYouMeanWord("blok", actions)).toBe("did you mean `block`?");
    expect(ownWord("none", ["not", "none"])).toBeUndefined();
    expect(ownWord("constructor", actions)).toBeUndefined();
  });

  it("has no word of ours that nothing is called", () => {
    const keys = Object.values(policySchema.definitions).flatMap((one) => Object.keys((one as Keyed).properties ?? {}));
    const values = JSON.stringify(policySchema.definitions);
    const words = new Set([
      ...actions,
      ...eventNames,
      ...testOperators,
      ...keys,
      ...Object.keys(policySchema.properties),
      ...[...pathClasses, ...urlClasses, ...systemTable.names],
      ...["all", "any", "not"],
    ]);
    expect(ownWords.filter((word) => !words.has(word) && !values.includes(`"${word}"`))).toEqual([]);
  });
});
