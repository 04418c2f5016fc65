import { describe, expect, it } from "vitest";
import { checkPolicies } from "../../../authoring/lint/check-policies.ts";
import { type Checked, mendPolicies } from "../../../authoring/lint/mend.ts";
import type { PolicyFile } from "../../../compiler/policy-draft.ts";
import { policyFile } from "../../literate/policies.ts";

const check = (files: readonly PolicyFile[]): Checked => checkPolicies(files, {});

/** The text after its fixes; undefined where none was made. */
function mended(text: string): string | undefined {
  return mendPolicies([policyFile(text)], check, () => true).changed[0]?.output;
}

/** A policy with one rule; `body` stands below its id. */
const policy = (body: string, head = "", more = ""): string =>
  `version: 1\npolicy: p\n${head}rules:\n  - id: r\n    event: tool_call\n    each: { d: effects.deletes }\n${body}${more}`;
const acting = "    action: ask\n    reason: something is deleted\n";

const made: readonly (readonly [string, string, string])[] = [
  ["a comment", policy(`${acting}    # no\u200bthing\n`), policy(`${acting}    # nothing\n`)],
  [
    "the end of a line, several at once",
    policy(`${acting.replace("ask\n", "ask # a\u200b \u2060b\u200b\n")}`),
    policy(`${acting.replace("ask\n", "ask # a b\n")}`),
  ],
  [
    "a comment beside the mark of a block",
    policy("    action: ask\n    reason: | # x\u200by\n      gone\n"),
    policy("    action: ask\n    reason: | # xy\n      gone\n"),
  ],
  [
    "tag characters, which take two units",
    policy(`    # a\u{e0041}\u{e0042}b\n${acting}`),
    policy(`    # ab\n${acting}`),
  ],
  ["a control of direction", policy(`    # a\u202eb\n${acting}`), policy(`    # ab\n${acting}`)],
  ["a word of a reason", policy(acting.replace("del", "d\u200bel")), policy(acting)],
  [
    "a word of a quoted title",
    policy(`    title: "A t\u200bitle"\n${acting}`),
    policy(`    title: "A title"\n${acting}`),
  ],
  [
    "a word of a description",
    policy(acting, "description: the fi\u200brst\n"),
    policy(acting, "description: the first\n"),
  ],
];

const left: readonly (readonly [string, string])[] = [
  ["a value that is matched", policy(`    when: { d.path.name: "a\u200bb" }\n${acting}`)],
  ["a list", policy(acting, "lists: { names: [a\u200bb] }\n")],
  ["an expression in a reason", policy("    action: ask\n    reason: \"gone: {d.path.name + 'a\u200bb'}\"\n")],
  ["an example", policy(`${acting}    examples: { match: ["rm -r a\u200bb"] }\n`)],
  ["the edge of a word, where YAML may read on", policy(acting.replace("something", "\u200bsomething"))],
  ["a comment that would become an order", policy(`    # hook\u200bwarden-ignore HW630: why not\n${acting}`)],
  ["a line that has one in a value too", policy(`    when: { d.path.name: "a\u200bb" } # c\u200bd\n${acting}`)],
  ["letters of several scripts", policy(`    # \u0441ommand\n    when: { d.path.name: "\u0441url" }\n${acting}`)],
  [
    "a rule that is not for what people type",
    policy(acting.replace("ask", "block"), "", "").replace("each: { d: effects.deletes }", "tool: bash"),
  ],
];

describe("`--fix` of odd characters", () => {
  it.each(made)("takes them out of %s", (_, before, after) => {
    expect(mended(before)).toBe(after);
  });

  it.each(left)("leaves alone: %s", (_, text) => {
    const { diagnostics } = check([policyFile(text)]);
    expect(diagnostics.map(({ code }) => code)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^HW(?:601|629|630|631)$/)]),
    );
    expect(mended(text)).toBeUndefined();
  });
});

describe("`--fix` of names of other hosts", () => {
  it.each([
    [
      "plain, in quotes and in a list",
      `[PreToolUse, "PostToolUse", 'UserPromptSubmit']`,
      `[tool_call, "tool_result", 'input']`,
    ],
    ["alone", "PreToolUse", "tool_call"],
  ])("writes canonical ones: %s", (_, before, after) => {
    const text = (event: string, tool: string): string =>
      `version: 1\npolicy: p\nrules:\n  - { id: r, event: ${event}, tool: ${tool}, action: { notify: { message: hi } } }\n`;
    expect(mended(text(before, "[Bash, read]"))).toBe(text(after, "[bash, read]"));
  });

  it("leaves a name that an alias uses elsewhere too", () => {
    const text = `version: 1\npolicy: p\nrules:\n  - { id: r, event: &e PreToolUse, action: { notify: { message: *e } } }\n`;
    expect(mended(text)).toBeUndefined();
  });
});
