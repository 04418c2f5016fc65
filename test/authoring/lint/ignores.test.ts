import { describe, expect, it } from "vitest";
import { checkPolicies } from "../../../authoring/lint/check-policies.ts";
import { isLint } from "../../../diagnostics/codes.ts";
import { policyFile } from "../../literate/policies.ts";

/** Codes and lines of what `check` says, without what only tells and without what it says of missing examples. */
function found(text: string): string[] {
  const { result, diagnostics } = checkPolicies([policyFile(text)], {});
  return diagnostics
    .filter((d) => d.severity !== "info" && d.code !== "HW632")
    .map((d) => `${d.code}@${result.sources.get(d.source)?.position(d.span.start).line}`);
}

const rule = (id: string, after = ""): string =>
  `  - id: ${id}${after}\n    event: tool_call\n    tool: bash\n    when: { environment.user: ${id} }\n    action: block\n    reason: "no"\n`;
const head = "version: 1\npolicy: p\nrules:\n";
const why = "HW601: agents only";

describe("ignore comments", () => {
  it.each([
    ["without one, both rules are found", `${head}${rule("a")}${rule("b")}`, ["HW601@4", "HW601@10"]],
    ["on the line", `${head}${rule("a", ` # hookwarden-ignore ${why}`)}${rule("b")}`, ["HW601@10"]],
    ["above the line", `${head}  # hookwarden-ignore ${why}\n${rule("a")}${rule("b")}`, ["HW601@11"]],
    [
      "above the line, with a comment and an empty line between",
      `${head}  # hookwarden-ignore ${why}\n\n  # the first rule\n${rule("a")}${rule("b")}`,
      ["HW601@13"],
    ],
    ["at the top, for the whole file", `# hookwarden-ignore ${why}\n${head}${rule("a")}${rule("b")}`, []],
    ["for several codes", `# hookwarden-ignore HW602, HW601: old names\n${head.replace("1", "1")}${rule("a")}`, []],
    ["in Windows line ends", `# hookwarden-ignore ${why}\r\n${`${head}${rule("a")}`.replaceAll("\n", "\r\n")}`, []],
  ])("%s", (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ["without a reason", "# hookwarden-ignore HW601", ["HW609@4", "HW601@5"]],
    ["with an empty reason", "# hookwarden-ignore HW601: -", ["HW609@4", "HW601@5"]],
    ["without a code", "# hookwarden-ignore : agents only", ["HW609@4", "HW601@5"]],
    ["with an unknown code", "# hookwarden-ignore HW599: agents only", ["HW609@4", "HW601@5"]],
    ["with the code of an error", "# hookwarden-ignore HW403: agents only", ["HW609@4", "HW601@5"]],
    ["with the code of ignore comments", "# hookwarden-ignore HW610: agents only", ["HW609@4", "HW601@5"]],
    ["for what is not there", "# hookwarden-ignore HW603: agents only", ["HW610@4", "HW601@5"]],
    ["with another word", "# hookwarden-ignored HW601: agents only", ["HW601@5"]],
  ])("one %s ignores nothing, and is a finding", (_, comment, expected) => {
    expect(found(`${head}  ${comment}\n${rule("a")}`).sort()).toEqual([...expected].sort());
  });

  it("is no comment inside a text", () => {
    const text = `${head}${rule("a").replace('"no"', '"x # hookwarden-ignore HW601: agents only"')}`;
    expect(found(text)).toEqual(["HW601@4"]);
    const block = `${head}${rule("a").replace('"no"', "|\n      # hookwarden-ignore HW601: agents only")}`;
    expect(found(block)).toEqual(["HW601@4"]);
  });

  it.each([
    ["hosts, where none is named", "HW607"],
    ["days, where none is given", "HW604"],
    ["trust, where nothing needs any", "HW606"],
  ])("is not called idle for what was not looked for: %s", (_, code) => {
    expect(found(`${head}  # hookwarden-ignore ${code}, HW601: agents only\n${rule("a")}`)).toEqual([]);
    expect(found(`${head}  # hookwarden-ignore ${code}: agents only\n${rule("a")}`)).toEqual(["HW601@5"]);
  });

  it("is not called idle where an error kept lints from running", () => {
    const text = `# hookwarden-ignore HW634: from a list\nversion: 1\npolicy: p\nrules: [{ id: r, event: nothing, action: block }]\n`;
    expect(found(text).filter((each) => isLint(each))).not.toContain("HW610@1");
  });

  it("cannot hide an error", () => {
    const text = `# hookwarden-ignore HW601: agents only\n${head}${rule("a").replace("tool_call", "nothing")}`;
    expect(found(text)).toContain("HW407@6");
  });
});
