import { describe, expect, it } from "vitest";
import { checkThoroughly, countRows } from "../../../authoring/thorough/thorough.ts";
import { limits } from "../../../schema/limits.ts";
import { compileTexts, withHead } from "../../literate/policies.ts";

function thorough(text: string) {
  const result = compileTexts({ "policy.yaml": withHead(text) });
  expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const { rows, diagnostics } = checkThoroughly(result);
  return {
    rows,
    found: diagnostics.map(({ code, message, help }) => ({ code, message, help })),
    counts: countRows(rows),
  };
}

/** Ways by their state. */
function ways(text: string): Readonly<Record<string, readonly string[]>> {
  const states = new Map<string, string[]>();
  for (const { name, state } of thorough(text).rows)
    if (state !== "not applicable") states.set(state, [...(states.get(state) ?? []), name]);
  return Object.fromEntries(states);
}

const rule = (more: string, examples: string, action = "block"): string =>
  `  - id: r\n    event: tool_call\n${more}    action: ${action}\n    reason: "no"\n    examples:\n      match: [${examples}]\n`;
const deletes = (path: string, more = ""): string =>
  `    each: { d: effects.deletes }\n    when: { d.path: { glob: "${path}" } }\n${more}`;

describe("what a rule does about an example that is written otherwise", () => {
  it("holds where it is about what the call does", () => {
    const { holds, ...others } = ways(rule(deletes("build/**"), "rm -r build/a"));
    expect(others).toEqual({});
    expect(holds).toEqual(
      expect.arrayContaining(["quotes", "sudo sh -c", "known words", "unknown path", "from above"]),
    );
  });

  it("is let through where the rule is about a spelling, and is told with the call", () => {
    const { found } = thorough(rule('    when: { args.command: { starts_with: "rm " } }\n', "rm a"));
    expect(found.length).toBeGreaterThan(8);
    expect(found.every(({ code }) => code === "HW673")).toBe(true);
    expect(found).toContainEqual({
      code: "HW673",
      message: "rule `p/r` lets its example through behind `sudo sh -c`",
      help: expect.stringMatching(/^`sudo sh -c 'rm a'` is let through: test what the call does/),
    });
  });

  it("is let through where a word that is left open takes the rule away", () => {
    const { found } = thorough(
      rule('    each: { c: shell.commands }\n    when: args.command.contains("prod")\n', "deploy prod --fast"),
    );
    expect(found).toEqual([
      {
        code: "HW674",
        message: "rule `p/r` lets its example through with an operand that is not known",
        help: expect.stringMatching(/^`deploy "\$X" --fast` is let through: /),
      },
    ]);
  });

  it("is ignored where the rule says so, which one note tells", () => {
    const { found, counts } = thorough(rule(deletes("build/**", "    unsure: ignore\n"), "rm build/a, rm build/b"));
    expect(found).toEqual([
      {
        code: "HW675",
        message: "rule `p/r` lets its examples through in 2 ways that leave something open, as `unsure: ignore` says",
        help: 'the first is `rm "$X"`; `unsure: ask` has a human asked',
      },
    ]);
    expect(counts).toMatchObject({ examples: 2, ignored: 2, failed: 0 });
    expect(counts.judged).toBe(counts.hold + counts.ignored + counts.failed);
  });

  it("is not ignored because of a folder that is surely above, whatever the rule says", () => {
    const text = rule(deletes("/srv/app/data", "    unsure: ignore\n"), "rm -r /srv/app/data");
    expect(ways(text)["holds"]).toContain("from above");
  });

  it("holds by `unknown` where a spelling is too long to be understood", () => {
    const long = "rm build/a # ".padEnd(limits.shellLength - 1, "x");
    const text = (unknown: string): string =>
      `version: 1\npolicy: p\nunknown: ${unknown}\nrules:\n${rule(deletes("build/**"), JSON.stringify(long))}`;
    expect(ways(text("block"))["through"]).toBeUndefined();
    expect(ways(text("allow"))["through"]).toContain("quotes");
  });
});

describe("which examples are judged", () => {
  it.each([
    ["of a rule that allows", rule(deletes("build/**"), "rm build/a", "allow")],
    ["that do not hold as they are written", rule(deletes("other/**"), "rm build/a")],
    ["of a rule that is switched off", rule(`    enabled: false\n${deletes("build/**")}`, "rm build/a")],
    ["that are no call", rule("    tool: fetch\n", "{ tool: fetch, args: { url: 'https://a.test/' } }")],
  ])("none %s", (_, text) => {
    expect(ways(text)).toEqual({});
  });

  it("counts what cannot be made, and not as held", () => {
    const { rows, counts } = thorough(rule(deletes("build/**"), "cd build && rm a"));
    const none = rows.filter(({ state }) => state === "not applicable").map(({ name }) => name);
    expect(none).toEqual(expect.arrayContaining(["cd there", "link", "other form", "dots"]));
    expect(counts.not_applicable).toBe(none.length);
    expect(rows.filter(({ variation }) => !variation).length).toBe(none.length);
  });

  it("judges those of rules on trial, of commands that a human types, and with files of their own", () => {
    expect(ways(rule(`    mode: monitor\n${deletes("build/**")}`, "rm build/a"))["holds"]).toContain("list");
    expect(ways(rule(deletes("build/**"), "rm build/a").replace("tool_call", "user_bash"))["holds"]).toContain("list");
    const linked =
      "{ tool: bash, args: { command: rm out/a }, files: { /home/dev/app/out: { symlink: /home/dev/app/build } } }";
    expect(ways(rule(deletes("build/**"), linked))["through"]).toBeUndefined();
  });

  it("varies the last event of a list, in a session of its own where the others have happened", () => {
    const text = `version: 1
policy: p
labels: { seen: { kind: mark } }
rules:
  - { id: mark, event: tool_call, tool: read, action: { label: { add: [seen] } } }
  - id: r
    event: tool_call
    each: { n: effects.network }
    when: { session.labels: { contains: seen } }
    action: block
    reason: "no"
    examples:
      match: [[{ tool: read, args: { path: a } }, "curl https://a.test/"]]
      no_match: ["curl https://a.test/"]
`;
    const { through, holds } = ways(text);
    expect(through).toBeUndefined();
    expect(holds).toEqual(expect.arrayContaining(["quotes", "bash -c", "sudo sh -c"]));
  });
});

describe("tools with a path", () => {
  it.each([
    ["write", "path: build/a, content: x"],
    ["write", "file_path: /home/dev/app/build/a, content: x"],
    ["edit", "path: ./build/a, old_text: x, new_text: y"],
    ["mcp__fs__write_file", "path: build/a, content: x"],
  ])("%s of %s", (tool, args) => {
    const held = ways(
      rule(
        '    each: { w: effects.writes }\n    when: { w.path: { glob: "build/**" } }\n',
        `{ tool: ${tool}, args: { ${args} } }`,
      ),
    );
    expect(held).toEqual({ holds: ["other form", "dots", "link"] });
  });

  it("are let through where the rule is about the text of the path", () => {
    const { found } = thorough(
      rule(
        '    tool: write\n    when: args.path.text.startsWith("build/")\n',
        "{ tool: write, args: { path: build/a, content: x } }",
      ),
    );
    expect(found.map(({ help }) => help.slice(0, 60))).toEqual([
      expect.stringContaining('`write {"path":"/home/dev/app/build/a"'),
      expect.stringContaining('`write {"path":"linked/a"'),
    ]);
  });
});
