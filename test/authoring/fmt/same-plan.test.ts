import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../authoring/fmt/edits.ts";
import { draftText, planText } from "../../../authoring/fmt/same-plan.ts";
import { compile } from "../../../compiler/compile.ts";
import { policyFile } from "../../literate/policies.ts";

const policy = (when: string, more = ""): string =>
  `${more}version: 1\npolicy: p\nrules:\n  - { id: r, event: tool_call, tool: bash, when: ${when}, action: block, reason: x }\n`;
const compiled = (text: string) => compile({ files: [policyFile(text)] });
const plan = (text: string): string => {
  const made = compiled(text).plan;
  if (!made) throw new Error("the policy does not compile");
  return planText(made);
};
const base = policy("{ some: { shell.commands: { program: ls } } }");

describe("planText", () => {
  it.each([
    ["places", policy("{ some: { shell.commands: { program: ls } } }", "# above\n")],
    ["the other spelling", policy(`'shell.commands.exists(c, c.program == "ls")'`)],
    ["names of a macro's variable", policy(`'shell.commands.exists(other, other.program == "ls")'`)],
  ])("is the same whatever %s", (_, text) => {
    expect(plan(text)).toBe(plan(base));
  });

  it.each([
    ["a constant", policy("{ some: { shell.commands: { program: cat } } }")],
    ["a quantifier", policy("{ every: { shell.commands: { program: ls } } }")],
    ["a guard", policy(`'has(shell.commands) && shell.commands.exists(c, c.program == "ls")'`)],
    ["an action", base.replace("block", "ask")],
  ])("is another for another %s", (_, text) => {
    expect(plan(text)).not.toBe(plan(base));
  });
});

describe("draftText", () => {
  const draft = (text: string): string =>
    compiled(text)
      .stages.resolved.map((policyOf) => draftText(policyOf.draft))
      .join();

  it("is the same whatever the places, and another for another constant or list", () => {
    const lists = "lists: { a: [x] }\n";
    expect(draft(`# c\n${base}`)).toBe(draft(base));
    expect(draft(base.replace("ls", "cat"))).not.toBe(draft(base));
    expect(draft(lists + base)).not.toBe(draft(lists.replace("x", "y") + base));
  });
});

describe("applyEdits", () => {
  it("makes edits in the order of the text, whatever order they come in", () => {
    const edits = [
      { span: { start: 4, end: 5 }, text: "E" },
      { span: { start: 1, end: 3 }, text: "" },
      { span: { start: 4, end: 4 }, text: "+" },
    ];
    expect(applyEdits("abcdef", edits)).toBe("ad+Ef");
  });

  it("refuses edits that overlap", () => {
    const edits = [
      { span: { start: 0, end: 3 }, text: "x" },
      { span: { start: 2, end: 4 }, text: "y" },
    ];
    expect(() => applyEdits("abcdef", edits)).toThrow(RangeError);
  });
});
