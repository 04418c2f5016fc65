import { describe, expect, it } from "vitest";
import { checkPolicies } from "../../../authoring/lint/check-policies.ts";
import { type Checked, mendPolicies } from "../../../authoring/lint/mend.ts";
import type { PolicyFile } from "../../../compiler/policy-draft.ts";
import { diagnostic, type Fix } from "../../../diagnostics/diagnostic.ts";
import { policyFile } from "../../literate/policies.ts";

const text = `version: 1
policy: p
lists: { hosts: [a.com, b.com, a.com] }
rules:
  - id: one
    event: tool_call
    each: { n: effects.network }
    unless: { n.url.host: { host_in: $hosts } }
    action: ask
    reason: the host is not known
  - id: two
    event: tool_call
    each: { n: effects.network }
    when: { n.url.host: Evil.com }
    action: block
    reason: this host never
`;

const sound = text.replace("a.com, b.com, a.com", "a.com, b.com").replace("Evil", "evil");

const check = (files: readonly PolicyFile[]): Checked => checkPolicies(files, {});
const outputs = (given: string, may = true): string[] =>
  mendPolicies([policyFile(given)], check, () => may).changed.map(({ output }) => output);

/** A check that offers one fix as long as the text is as it was. */
function offering(given: string, of: string, by: string, meaning: Fix["meaning"]) {
  return (files: readonly PolicyFile[]): Checked => {
    const { result, diagnostics } = check(files);
    const source = result.stages.resolved[0]?.draft.source;
    const at = source?.text === given ? given.indexOf(of) : -1;
    if (!source || at < 0) return { result, diagnostics };
    const edits = [{ span: { start: at, end: at + of.length }, text: by }];
    const d = diagnostic("HW634", source, edits[0]?.span ?? { start: 0, end: 0 }, "offered", "take it");
    return {
      result,
      diagnostics: [...diagnostics.map(({ fix: _, ...rest }) => rest), { ...d, fix: { title: "x", meaning, edits } }],
    };
  };
}

describe("mendPolicies", () => {
  it("makes every fix, and what is left has none", () => {
    const { made, changed, checked } = mendPolicies([policyFile(text)], check, () => true);
    expect(made).toBe(2);
    expect(changed.map(({ output }) => output)).toEqual([
      text.replace("a.com, b.com, a.com", "a.com, b.com").replace("Evil", "evil"),
    ]);
    expect(checked.diagnostics.filter(({ fix }) => fix)).toEqual([]);
  });

  it("keeps line ends and the byte order mark", () => {
    const windows = `\ufeff${text.replaceAll("\n", "\r\n")}`;
    expect(outputs(windows)).toEqual([windows.replace("a.com, b.com, a.com", "a.com, b.com").replace("Evil", "evil")]);
  });

  it("touches no file that it may not change, and none with an error", () => {
    expect(outputs(text, false)).toEqual([]);
    expect(outputs(text.replace("action: block", "acton: block"))).toEqual([]);
    expect(outputs(text.replace("this host never", "'"))).toEqual([]);
  });

  it.each<[string, string, string, Fix["meaning"], boolean]>([
    ["a `same` that is the same", "reason: the host", "reason:  the host", "same", true],
    ["a `same` that changes a rule", "action: ask", "action: block", "same", false],
    ["a `stricter` in its own rule", "action: ask", "action: block", "stricter", true],
    ["a `stricter` outside of rules", "[a.com, b.com]", "[a.com]", "stricter", false],
    ["one after which nothing loads", "action: ask", "action: asks", "stricter", false],
  ])("%s", (_, of, by, meaning, made) => {
    const plain = sound;
    const mended = mendPolicies([policyFile(plain)], offering(plain, of, by, meaning), () => true);
    expect(mended.changed.map(({ output }) => output)).toEqual(made ? [plain.replace(of, by)] : []);
    expect(mended.made).toBe(made ? 1 : 0);
  });

  it("makes no fix after which an example fails that held before", () => {
    const plain = `${sound}    examples: { no_match: [curl https://c.com] }\n`;
    const mended = mendPolicies([policyFile(plain)], offering(plain, "evil.com", "c.com", "stricter"), () => true);
    expect(mended.changed).toEqual([]);
  });
});
