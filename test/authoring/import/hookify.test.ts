import { describe, expect, it } from "vitest";
import { importHookify } from "../../../authoring/import/hookify.ts";
import type { Imported } from "../../../authoring/import/imported.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { bash, engineOf, findingsOf } from "./judged.ts";

const regex = createRegexEngine();

const file = (name: string, ...lines: string[]) => ({ name, bytes: Buffer.from(lines.join("\n")) });
const rule = (...lines: string[]): Imported => importHookify([file("hookify.rule.local.md", ...lines)], regex);
const head = (...lines: string[]): Imported =>
  rule("---", "name: my-rule", "enabled: true", ...lines, "---", "Not like this.");
const left = ({ notCarried }: Imported) => notCarried.map(({ rule: name, field, effect }) => [name, field, effect]);

const write = (path: string, content: string): object => ({
  event: "tool_call",
  tool: "Write",
  args: { file_path: path, content },
});
const edit = (path: string, before: string, after: string): object => ({
  event: "tool_call",
  tool: "Edit",
  args: { file_path: path, old_string: before, new_string: after },
});

function outcomes(imported: Imported, events: readonly object[]): string[] {
  const engine = engineOf(imported);
  return events.map((event) => engine.decide(event).decision.outcome);
}

describe("importHookify", () => {
  it("a pattern on commands, unquoted as hookify takes it, whatever the letter case", () => {
    const imported = head("event: bash", "action: block", "pattern: rm\\s+-rf|mkfs #x: {y}|[a]zz");
    expect(outcomes(imported, [bash("rm  -rf x"), bash("RM -RF x"), bash("azz"), bash("rm x")])).toEqual([
      "block",
      "block",
      "block",
      "allow",
    ]);
    const { decision } = engineOf(imported).decide(bash("rm -rf x"));
    expect(decision).toMatchObject({ rule: "hookify-rules/my-rule", reason: "Not like this." });
    expect(findingsOf(imported)).toEqual([]);
    expect(imported.policy).toContain("match:");
    expect([imported.rules, imported.carried, imported.notCarried]).toEqual([1, 1, []]);
  });

  it("`ask` asks, `warn` tells the model and lets it go on", () => {
    expect(outcomes(head("event: bash", "action: ask", "pattern: make"), [bash("make")])).toEqual(["ask"]);
    const warned = engineOf(head("event: bash", "pattern: make")).decide(bash("make")).decision;
    expect(warned).toMatchObject({ outcome: "allow", changes: { message: expect.anything() } });
    expect(JSON.stringify(warned.changes)).toContain("Not like this.");
  });

  it("conditions on files must hold together, in what is written and in what is edited", () => {
    const imported = head(
      "event: file",
      "action: block",
      "conditions:",
      "  - field: file_path",
      "    operator: regex_match",
      "    pattern: \\.tsx?$",
      "  - field: new_text",
      "    operator: contains",
      "    pattern: console.log(",
      "  - field: content",
      "    operator: not_contains",
      "    pattern: eslint-disable",
    );
    const events = [
      write("src/a.ts", "console.log(1)"),
      edit("src/a.tsx", "x", "console.log(1)"),
      write("src/a.js", "console.log(1)"),
      write("src/a.ts", "log(1)"),
      write("src/a.ts", "// eslint-disable\nconsole.log(1)"),
      edit("src/a.ts", "console.log(1)", "x"),
    ];
    expect(outcomes(imported, events)).toEqual(["block", "block", "allow", "allow", "allow", "allow"]);
    expect(findingsOf(imported)).toEqual([]);
  });

  it.each([
    ["equals", "make", "make", "make x"],
    ["starts_with", "make", "make x", "x make"],
    ["ends_with", "x", "make x", "x make"],
    ["contains", "a'b", 'echo "a\'b"', "echo ab"],
  ])("%s", (operator, pattern, yes, no) => {
    const imported = head(
      "event: bash",
      "action: block",
      "conditions:",
      "  - field: command",
      `    operator: ${operator}`,
      `    pattern: ${pattern}`,
    );
    expect(outcomes(imported, [bash(yes), bash(no)])).toEqual(["block", "allow"]);
  });

  it("prompts, and `all` for whatever has the field", () => {
    const input = (text: string): object => ({ event: "input", text });
    const imported = head("event: prompt", "action: block", "pattern: deploy to production");
    expect(outcomes(imported, [input("Deploy to production!"), input("deploy")])).toEqual(["block", "allow"]);
    const any = head("event: all", "action: block", "pattern: password123");
    expect(outcomes(any, [input("password123"), write("a", "password123"), write("a", "x")])).toEqual([
      "block",
      "block",
      "allow",
    ]);
  });

  it("a reminder at the end of a run is a notice", () => {
    const imported = head("event: stop", "pattern: .*");
    expect(imported.policy).toContain("notify");
    expect(findingsOf(imported)).toEqual([]);
  });

  it("takes only the tools that a matcher names", () => {
    const imported = head("event: file", "action: block", "tool_matcher: Write", "pattern: secret");
    expect(outcomes(imported, [write("a", "secret"), edit("a", "x", "secret")])).toEqual(["block", "allow"]);
  });

  it.each<[string, readonly string[], string, string]>([
    ["a rule that is switched off", ["enabled: false", "event: bash", "pattern: x"], "enabled", "none"],
    ["a pattern that RE2 refuses", ["event: bash", "action: block", "pattern: a(?=b)"], "conditions", "guards_less"],
    ["a transcript", ["event: stop", "action: block", "pattern: npm test"], "event", "guards_less"],
    ["a stop that is always blocked", ["event: stop", "action: block", "pattern: .*"], "action", "guards_less"],
    ["no condition", ["event: bash", "action: block"], "pattern", "none"],
    ["an event that nobody has", ["event: never", "action: block", "pattern: x"], "event", "guards_less"],
    [
      "a field of another event",
      ["event: bash", "action: block", "conditions:", "  - field: transcript", "    pattern: x"],
      "conditions",
      "guards_less",
    ],
  ])("%s is left out, and said", (_, lines, field, effect) => {
    const other = file("b.md", "---", "name: other", "event: bash", "pattern: make", "---", "x");
    const imported = importHookify([file("a.md", "---", "name: my-rule", ...lines, "---", "x"), other], regex);
    expect([imported.rules, imported.carried]).toEqual([2, 1]);
    expect(left(imported)).toEqual([["my-rule", field, effect]]);
    expect(imported.notCarried[0]?.source.name).toBe("a.md");
  });

  it("names the line of what it leaves out", () => {
    const imported = rule("---", "name: my-rule", "event: bash", "colour: red", "pattern: make", "---", "x");
    const [item] = imported.notCarried;
    expect(item?.source.position(item.span.start)).toMatchObject({ line: 4, column: 1 });
  });

  it("messages may hold braces, quotes and lines", () => {
    const imported = rule(
      "---",
      "name: r",
      "event: bash",
      "action: block",
      "pattern: make",
      "---",
      "Use `{x}`: it's",
      '"better" {{y}}.',
    );
    expect(engineOf(imported).decide(bash("make")).decision.reason).toBe('Use `{x}`: it\'s\n"better" {{y}}.');
  });

  it("reads CRLF and a byte order mark", () => {
    const bytes = Buffer.from(
      "\ufeff---\r\nname: r\r\nevent: bash\r\naction: block\r\npattern: make\r\n---\r\nNo.\r\n",
    );
    const imported = importHookify([{ name: "r.md", bytes }], regex);
    expect(outcomes(imported, [bash("make")])).toEqual(["block"]);
  });

  it.each([
    ["without a head", "Just text."],
    ["half-written", "---\nname: r\nevent: bash\n"],
    ["with a head that is no mapping", "---\n- a\n---\nx"],
    ["with a head that is no YAML", "---\nname: r\nconditions: [\n---\nx"],
    ["that is empty", ""],
    ["that is JSON", '{"hooks": []}'],
  ])("a file %s is refused", (_, text) => {
    const imported = importHookify([{ name: "r.md", bytes: Buffer.from(text) }], regex);
    expect(imported.policy).toBeUndefined();
    expect(imported.diagnostics.length).toBe(1);
  });
});
