import { describe, expect, it } from "vitest";
import type { Imported } from "../../../authoring/import/imported.ts";
import { importSigma } from "../../../authoring/import/sigma.ts";
import { parseCondition } from "../../../authoring/import/sigma-condition.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { bash, engineOf, findingsOf } from "./judged.ts";

const regex = createRegexEngine();

const head = `title: Some Tool Run
id: 0e1a2b3c-0000-4000-8000-000000000000
status: test
logsource:
  product: linux
  category: process_creation
level: high
`;

const sigma = (...texts: string[]): Imported =>
  importSigma(
    texts.map((text, i) => ({ name: `rule-${i + 1}.yml`, bytes: Buffer.from(text) })),
    regex,
  );
const detection = (...lines: string[]): Imported =>
  sigma(`${head}detection:\n${lines.map((line) => `  ${line}\n`).join("")}`);
const left = ({ notCarried }: Imported) => notCarried.map(({ field, effect }) => [field, effect]);

function outcomes(imported: Imported, commands: readonly string[]): string[] {
  const engine = engineOf(imported);
  return commands.map((command) => engine.decide(bash(command)).decision.outcome);
}

describe("importSigma", () => {
  it("judges each command of a call as the process that it will be", () => {
    const imported = detection(
      "selection:",
      "  Image|endswith: /curl",
      "  CommandLine|contains|all:",
      "    - ' -o '",
      "    - example.com",
      "condition: selection",
    );
    const commands = [
      "curl -o x https://example.com",
      "sudo /usr/bin/CURL -o x https://EXAMPLE.com",
      "cd /srv && curl -o x https://example.com",
      "curl https://example.com",
      "wget -o x https://example.com",
      "curl https://example.com && gcc -o x y.c",
      "echo 'curl -o x https://example.com'",
    ];
    expect(outcomes(imported, commands)).toEqual(["block", "block", "block", "allow", "allow", "allow", "allow"]);
    expect(findingsOf(imported)).toEqual([]);
    expect([imported.rules, imported.carried, imported.notCarried]).toEqual([1, 1, []]);
    expect(imported.policy).toContain("- id: some-tool-run");
    expect(imported.policy).toContain("match:");
  });

  it.each<[string, readonly string[], string, string]>([
    ["contains", ["s:", "  CommandLine|contains: ' --Evil '", "condition: s"], "tool --evil x", "tool --evilx"],
    ["startswith", ["s:", "  CommandLine|startswith: 'tool -'", "condition: s"], "tool -x", "a tool -x"],
    ["endswith", ["s:", "  CommandLine|endswith: ' -x'", "condition: s"], "tool -x", "tool -x y"],
    ["the whole value", ["s:", "  CommandLine: 'tool ?x*'", "condition: s"], "tool -x y", "tool x"],
    ["re", ["s:", "  CommandLine|re: 'tool\\s+[0-9]{2}$'", "condition: s"], "tool 42", "tool 421"],
    ["a list is any of it", ["s:", "  CommandLine|contains: [aa, bb]", "condition: s"], "tool bb", "tool cc"],
    ["keywords", ["s: [aa, bb]", "condition: s"], "tool bb", "tool cc"],
    [
      "a list of mappings is any of them",
      ["s:", "  - Image|endswith: /aa", "  - Image|endswith: /bb", "condition: s"],
      "bb x",
      "cc",
    ],
    [
      "a redirection",
      ["s:", "  CommandLine|contains: /dev/tcp/", "condition: s"],
      "tool > /dev/tcp/192.0.2.1/9",
      "tool > out",
    ],
    ["an operator", ["s:", "  CommandLine|contains: '| tool'", "condition: s"], "ls | tool", "ls; tool"],
    [
      "a folder of a program",
      ["s:", "  Image|startswith: /tmp/", "condition: s"],
      "/tmp/a/tool",
      "/usr/bin/tool /tmp/",
    ],
    ["a wildcard in a name", ["s:", "  Image|endswith: '/tool*'", "condition: s"], "tool3.1", "atool"],
    [
      "and not",
      ["s:", "  Image|endswith: /tool", "f:", "  CommandLine|contains: safe", "condition: s and not f"],
      "tool x",
      "tool safe",
    ],
    [
      "1 of, with a pattern",
      ["sel_a: [aa]", "sel_b: [bb]", "f: [cc]", "condition: 1 of sel_* and not f"],
      "tool bb",
      "tool bb cc",
    ],
    ["all of them", ["a: [aa]", "b: [bb]", "condition: all of them"], "tool aa bb", "tool aa"],
    ["brackets", ["a: [aa]", "b: [bb]", "c: [cc]", "condition: (a or b) and c"], "tool bb cc", "tool bb"],
  ])("%s", (_, lines, yes, no) => {
    const imported = detection(...lines);
    expect(outcomes(imported, [yes, no])).toEqual(["block", "allow"]);
    expect(findingsOf(imported)).toEqual([]);
  });

  it("what a call does not have never makes the rule weaker", () => {
    const imported = detection(
      "selection:",
      "  ParentImage|endswith: /sshd",
      "  Image|endswith: /tool",
      "filter:",
      "  User: root",
      "  CommandLine|contains: safe",
      "condition: selection and not filter",
    );
    expect(outcomes(imported, ["tool x", "tool safe", "other"])).toEqual(["block", "block", "allow"]);
    expect(left(imported)).toEqual([
      ["ParentImage|endswith", "guards_more"],
      ["User", "guards_more"],
    ]);
  });

  it.each([
    ["critical", "block"],
    ["high", "block"],
    ["medium", "ask"],
    ["low", "allow"],
    ["informational", "allow"],
  ])("level %s: %s", (level, outcome) => {
    const imported = sigma(
      `${head.replace("level: high", `level: ${level}`)}detection:\n  s:\n    Image|endswith: /tool\n  condition: s\n`,
    );
    expect(outcomes(imported, ["tool x"])).toEqual([outcome]);
  });

  it("keeps tags, references and false positives", () => {
    const more =
      "tags: [attack.t1105, Not A Tag]\nreferences: [https://example.com/x, none]\nfalsepositives: [Admins, Unknown]\n";
    const imported = sigma(`${head}${more}detection:\n  s: [tool]\n  condition: s\n`);
    expect(imported.policy).toContain("attack.t1105");
    expect(imported.policy).toContain("https://example.com/x");
    expect(imported.policy).toContain("Admins");
    expect(imported.policy).not.toContain("Unknown");
  });

  const plain = `${head}detection:\n  s: [tool]\n  condition: s\n`;
  it.each([
    ["another category", plain.replace("process_creation", "file_event"), "logsource"],
    ["Windows", plain.replace("linux", "windows"), "logsource"],
    ["counting", plain.replace("condition: s", "condition: s | count() > 5"), "detection"],
    ["a time frame", plain.replace("condition: s", "timeframe: 5m\n  condition: s"), "detection"],
    ["a name that is not there", plain.replace("condition: s", "condition: s and x"), "detection"],
    ["nothing that is known of a call", plain.replace("[tool]", "{ ParentImage: /x }"), "detection"],
  ])("%s is left out, and said", (_, text, field) => {
    const imported = sigma(text, plain);
    expect([imported.rules, imported.carried]).toEqual([2, 1]);
    expect(left(imported)).toContainEqual([field, "guards_less"]);
    expect(sigma(text).policy).toBeUndefined();
  });

  it("reads CRLF and a byte order mark", () => {
    expect(outcomes(sigma(`\ufeff${plain.replaceAll("\n", "\r\n")}`), ["tool x"])).toEqual(["block"]);
  });

  it.each([
    ["no YAML", "title: [\n"],
    ["no Sigma rule", "version: 1\npolicy: p\nrules: []\n"],
    ["a list", "- a\n"],
    ["nothing", ""],
    ["JSON of something else", '{"hooks": []}'],
  ])("a file with %s is refused", (_, text) => {
    const imported = sigma(text);
    expect(imported.policy).toBeUndefined();
    expect(imported.diagnostics.length).toBe(1);
  });
});

describe("parseCondition", () => {
  const names = ["a", "b", "sel_1", "sel_2", "_x"];
  it.each([
    ["a and (b", "a bracket is not closed"],
    ["a b", "the condition goes on where it should end"],
    ["a and", "the condition ends too early"],
    ["2 of sel_*", "`2 of` cannot be said"],
    ["1 of nothing_*", "`nothing_*` is the name of nothing"],
    [`${"(".repeat(50)}a${")".repeat(50)}`, "the condition is nested too deeply"],
    ["", "the condition ends too early"],
  ])("%s: %s", (text, reason) => {
    expect(parseCondition(text, names)).toBe(reason);
  });

  it("`or` binds weaker than `and`, and `them` leaves out names that begin with a line", () => {
    expect(parseCondition("a or b and not sel_1", names)).toEqual({
      kind: "or",
      parts: [
        { kind: "name", name: "a" },
        {
          kind: "and",
          parts: [
            { kind: "name", name: "b" },
            { kind: "not", part: { kind: "name", name: "sel_1" } },
          ],
        },
      ],
    });
    expect(parseCondition("1 of them", names)).toMatchObject({ kind: "or", parts: { length: 4 } });
  });
});
