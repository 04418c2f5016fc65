import { describe, expect, it } from "vitest";
import { exampleEvents, runExamples } from "../../authoring/examples.ts";
import { compile } from "../../compiler/compile.ts";
import type { EventName } from "../../schema/events.ts";

describe("exampleEvents", () => {
  const texts: readonly [EventName, object][] = [
    ["tool_call", { tool: "bash", args: { command: "text" } }],
    ["user_bash", { command: "text" }],
    ["tool_result", { tool: "read", result: { content: [{ type: "text", text: "text" }] } }],
    ["context", { messages: [{ role: "user", content: "text" }] }],
    ["input", { text: "text" }],
    ["before_agent_start", { prompt: "text" }],
  ];
  it.each(texts)("reads a text as %s", (event, fields) => {
    expect(exampleEvents("text", [event])).toMatchObject([
      { event, ...fields, environment: { cwd: "/home/dev/app", branch: "feature/x", interactive: false } },
    ]);
  });

  it("tries a text for every event of the rule that it fits", () => {
    expect(exampleEvents("x", ["tool_call", "user_bash", "session_start"]).map((e) => e.event)).toEqual([
      "tool_call",
      "user_bash",
    ]);
    expect(exampleEvents("x", ["session_start"])).toEqual([]);
  });

  it("takes an object as the event that its fields show, or the one it names", () => {
    const events: EventName[] = ["tool_call", "tool_result", "context"];
    expect(exampleEvents({ tool: "write", args: { path: "a" } }, events)).toMatchObject([
      { event: "tool_call", tool: "write" },
    ]);
    expect(exampleEvents({ result: { content: [] } }, events)).toMatchObject([{ event: "tool_result", tool: "read" }]);
    expect(exampleEvents({ messages: [] }, events)).toMatchObject([{ event: "context" }]);
    expect(exampleEvents({ args: { command: "ls" } }, events)).toMatchObject([{ event: "tool_call", tool: "bash" }]);
    expect(exampleEvents({ event: "input", text: "a" }, events)).toMatchObject([{ event: "input" }]);
  });

  it("lets an example change its surroundings and bring files", () => {
    const [event] = exampleEvents({ tool: "read", environment: { branch: "main" }, files: { "/a": { text: "b" } } }, [
      "tool_call",
    ]);
    expect(event).toMatchObject({
      environment: { branch: "main", cwd: "/home/dev/app", files: { "/a": { text: "b" } } },
    });
    expect(event).not.toHaveProperty("files");
  });
});

describe("runExamples", () => {
  const check = (rules: string) => {
    const bytes = new TextEncoder().encode(`version: 1\npolicy: p\nrules:\n${rules}`);
    const result = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes }] });
    expect(result.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    return runExamples(result);
  };
  const rule = (id: string, body: string, examples: string): string =>
    `  - id: ${id}\n    event: tool_call\n    ${body}\n    reason: x\n    examples: ${examples}\n`;
  const blockA = "action: block\n    when: { args.command: { contains: a } }\n    tool: bash";

  it("finds nothing where all examples hold", () => {
    expect(check(rule("a", blockA, "{ match: [a], no_match: [b] }"))).toEqual([]);
  });

  it("reports each example that does not hold, at its own place", () => {
    const found = check(rule("a", blockA, "{ match: [a, b], no_match: [ca] }"));
    expect(found.map((d) => [d.code, d.message])).toEqual([
      ["HW403", "rule `p/a` does not match this example as `tool_call`"],
      ["HW403", "rule `p/a` matches this example as `tool_call`, and must not"],
    ]);
  });

  it("asks whether the rule itself matches, not who wins", () => {
    const ask = blockA.replace("action: block", "action: ask");
    expect(check(rule("a", ask, "{ match: [a] }") + rule("b", blockA, "{ match: [a] }"))).toEqual([]);
  });

  it("judges rules in monitor mode as well", () => {
    expect(check(rule("a", `mode: monitor\n    ${blockA}`, "{ match: [a], no_match: [b] }"))).toEqual([]);
  });

  const twice = "tool: read\n    budget: { limit: 1 }\n    action: block";
  const read = "{ tool: read, args: { path: a } }";

  it("lets earlier events of a list happen, and judges the last", () => {
    expect(
      check(rule("a", twice, `{ match: [[${read}, ${read}]], no_match: [${read}, [${read}], [ls, ${read}]] }`)),
    ).toEqual([]);
    expect(check(rule("a", twice, `{ match: [[ls, ${read}]] }`))).toMatchObject([{ code: "HW403" }]);
  });

  it("keeps sessions of a list apart, and joins those with a parent", () => {
    const other = (session: string) => `{ tool: read, args: { path: a }, session: ${session} }`;
    const lists = `{ match: [[${other("{ id: a }")}, ${other("{ id: b, parent: a }")}]], no_match: [[${other("{ id: a }")}, ${other("{ id: b }")}]] }`;
    expect(check(rule("a", twice, lists))).toEqual([]);
  });

  it("takes a human's answer in a list", () => {
    const ask = "tool: read\n    action: { ask: { remember: session } }";
    const own = "{ id: q, tool: read, args: { path: a } }";
    const answered = (answer: string) => `[${own}, { event: approval, of: q, answer: ${answer} }, ${read}]`;
    const guard = rule(
      "b",
      'tool: read\n    when: \'session.calls({"outcome": "allow"}).size() > 0\'\n    action: block',
      `{ match: [[ls, ${read}]] }`,
    );
    expect(check(rule("a", ask, `{ match: [${answered("allow")}, ${answered("deny")}] }`) + guard)).toEqual([]);
  });

  it.each([
    ["an answer to nothing", `[{ event: approval, of: 7 }, ${read}]`, "event 1 of the example answers no question"],
    [
      "an event without what it needs",
      `[ls, { event: tool_result, tool: read }, ${read}]`,
      "event 2 of the example could not be judged: event must have",
    ],
    [
      "a last event that the rule is not for",
      `[${read}, { event: session_start }]`,
      "rule `p/a` does not match this example as `session_start`",
    ],
  ])("reports %s in a list", (_, list, message) => {
    expect(check(rule("a", twice, `{ match: [${list}] }`))).toMatchObject([
      { code: "HW403", message: expect.stringContaining(message) },
    ]);
  });

  it("says why an example could not be judged", () => {
    const found = check(rule("a", blockA, "{ match: [{ event: tool_result, tool: read }] }"));
    expect(found).toMatchObject([
      {
        code: "HW403",
        message: expect.stringContaining("could not be judged: event must have required property 'result'"),
      },
    ]);
  });
});
