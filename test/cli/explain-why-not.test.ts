import { describe, expect, it } from "vitest";
import { run, Scratch } from "./run.ts";

const scratch = new Scratch();

const policy = `version: 1
policy: demo
labels:
  seen: { kind: mark }
rules:
  - id: folders
    event: tool_call
    each: { w: effects.writes }
    when: { w.path: { glob: ["/etc/**", "/srv/**"] }, any: [{ host: pi }, { host: omp }] }
    unless: { w.path: { glob: "/srv/free/**" } }
    action: block
    reason: not there
  - id: weaker
    event: tool_call
    each: { w: effects.writes }
    when: { w.path: { glob: "/etc/**" } }
    action: ask
    reason: asked for
  - id: later
    event: tool_call
    each: { w: effects.writes }
    when: { w.path: { glob: "/etc/**" } }
    action: block
    reason: not there either
  - id: results
    event: tool_result
    action: record
  - id: fetches
    event: tool_call
    tool: [fetch, search]
    action: ask
    reason: asked for
  - id: server
    event: tool_call
    tool: mcp__db__*
    when: { args.force: true }
    action: block
    reason: forced
  - id: after-read
    event: tool_call
    tool: bash
    sequence: { after: [{ tool: read }] }
    action: ask
    reason: something was read
  - id: many
    event: tool_call
    tool: bash
    budget: { per: session, limit: 2 }
    action: ask
    reason: enough
  - id: labelled
    event: tool_call
    tool: bash
    when: { session.labels: { contains: seen } }
    action: ask
    reason: seen
  - id: labels
    event: tool_call
    tool: glob
    action: { label: { add: [seen] } }
exceptions:
  - rules: [demo/folders]
    when: { w.path: { glob: "/srv/shared/**" } }
    owner: platform
    reason: shared space
`;

const call = (tool: string, args: object, more: object = {}): object => ({
  event: "tool_call",
  tool,
  args,
  host: "pi",
  session: { id: "s" },
  ...more,
});
const write = (path: string, more: object = {}): object => call("write", { path, content: "x" }, more);

async function explain(event: object, ...args: string[]) {
  scratch.put("p.yaml", policy);
  scratch.put("e.json", JSON.stringify(event));
  return run(["explain", "--policy", "p.yaml", "--event", "e.json", ...args], { cwd: scratch.path });
}

async function inSession(events: readonly object[], ...args: string[]) {
  scratch.put("p.yaml", policy);
  scratch.put("s.jsonl", events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  return run(["explain", "--policy", "p.yaml", "--events", "s.jsonl", ...args], { cwd: scratch.path });
}

describe("explain --why-not", () => {
  it("names the test that was false, for which element, and the value that it saw", async () => {
    const ran = await explain(write("/opt/a"), "--why-not", "demo/folders");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toMatch(/^allow, answered by default\n {2}reason: .*\n\ndemo\/folders did not fire\n/);
    expect(ran.out).toContain('effects.writes[0] = {"path":"/opt/a","recursive":false}');
    expect(ran.out).toContain("does not hold:");
    expect(ran.out).toContain('w.path: { glob: ["/etc/**", "/srv/**"] }');
    expect(ran.out).toContain('w.path = "/opt/a"');
    expect(ran.out).not.toContain("host: pi");
  });

  it("names all parts of an `any`, since none of them held", async () => {
    const ran = await explain(write("/etc/a", { host: "opencode" }), "--why-not", "folders");
    expect(ran.out).toContain("host: pi");
    expect(ran.out).toContain("host: omp");
    expect(ran.out).toContain('= "opencode"');
    expect(ran.out).not.toContain("glob:");
  });

  it.each<[string, string, object, readonly string[]]>([
    ["for other events", "results", write("/a"), ["it is for tool_result; this event is tool_call"]],
    ["for other tools", "fetches", write("/a"), ["it is for the tools fetch, search; this tool is write"]],
    ["without an element", "folders", call("read", { path: "/a" }), ["effects.writes is empty"]],
    ["waived by `unless`", "folders", write("/srv/free/a"), ["waived by `unless`:", 'glob: "/srv/free/**"']],
    ["waived by an exception", "folders", write("/srv/shared/a"), ["waived by an exception (shared space):"]],
    ["not understood", "folders", call("bash", { command: "echo 'open" }), ["the call is not understood"]],
    ["an absent field", "server", call("mcp__db__x", {}), ["args.force: true", "it is absent"]],
    ["a sequence that has not begun", "after-read", call("bash", { command: "ls" }), ["has not happened"]],
    ["a budget with something left", "many", call("bash", { command: "ls" }), ["2 left, this takes 1"]],
    ["a label that is not there", "labelled", call("bash", { command: "ls" }), ["session.labels = []"]],
    ["what the index knows", "folders", call("read", { path: "/a" }), ["the index left it out"]],
  ])("%s", async (_, rule, event, texts) => {
    const ran = await explain(event, "--why-not", rule);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain(`demo/${rule} did not fire`);
    for (const text of texts) expect(ran.out).toContain(text);
  });

  it.each([
    ["folders", "fired; it won"],
    ["weaker", "fired; lost: ask is weaker than the answer of demo/folders"],
    ["later", "fired; lost: demo/folders answers block too, and comes first"],
  ])("%s: says what became of a rule that fired", async (rule, text) => {
    expect((await explain(write("/etc/a"), "--why-not", rule)).out).toContain(`demo/${rule} ${text}`);
  });

  it("is one JSON object with kinds, tests, places and values", async () => {
    const ran = await explain(write("/opt/a"), "--why-not", "folders", "--format", "json");
    expect(JSON.parse(ran.out)).toMatchObject({
      rule: "demo/folders",
      result: "no",
      standing: { kind: "no" },
      reasons: [
        {
          kind: "condition",
          element: { name: "effects.writes[0]" },
          tests: [{ result: { value: false }, source: "p.yaml", text: expect.stringContaining("glob:") }],
        },
      ],
      decision: { outcome: "allow" },
    });
  });

  it.each([
    ["demo/folder", "did you mean `demo/folders`?"],
    ["labeled", "did you mean `labelled`?"],
    ["nothing-like-it", "known here: "],
  ])("an unknown rule `%s` is refused with the nearest one", async (rule, help) => {
    const ran = await explain(write("/a"), "--why-not", rule);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(`error[HW701]: no rule \`${rule}\` in these policies`);
    expect(ran.err).toContain(help);
  });
});

describe("explain --events", () => {
  const ls = call("bash", { command: "ls" });

  it("explains the last event in the session that the others made", async () => {
    const ran = await inSession([call("read", { path: "a" }), ls], "--why-not", "after-read");
    expect(ran.out).toContain("demo/after-read fired");
    expect((await inSession([ls, ls, ls], "--why-not", "many")).out).toContain("demo/many fired");
    expect((await inSession([call("glob", { pattern: "x" }), ls], "--why-not", "labelled")).out).toContain("fired");
  });

  it("--nth takes an earlier one, with what came before it alone", async () => {
    const events = [ls, call("read", { path: "a" }), ls];
    expect((await inSession(events, "--nth", "1", "--why-not", "after-read")).out).toContain("did not fire");
    expect((await inSession(events, "--nth", "3", "--why-not", "after-read")).out).toContain("fired");
    expect((await inSession(events, "--nth", "2")).out).toContain("event  tool_call, tool read");
  });

  it.each([
    ["a number too high", ["--nth", "9"], "the file holds 1 events, not 9"],
    ["no number", ["--nth", "x"], "`--nth` is not a number from 1 on"],
  ])("refuses %s", async (_, args, text) => {
    const ran = await inSession([ls], ...args);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(text);
  });

  it.each([
    ["an empty file", "", "holds no event"],
    ["a half-written line", '{"event":"stop"}\n{"event":', "s.jsonl:2"],
    ["an answer to nothing", '{"event":"approval","of":"x","answer":"allow"}\n{"event":"stop"}', "waits for an answer"],
  ])("refuses %s", async (_, text, message) => {
    scratch.put("p.yaml", policy);
    scratch.put("s.jsonl", text);
    const ran = await run(["explain", "--policy", "p.yaml", "--events", "s.jsonl"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
  });

  it("reads CRLF, and a file that is not there is a diagnostic", async () => {
    scratch.put("p.yaml", policy);
    scratch.put("s.jsonl", `${JSON.stringify(ls)}\r\n${JSON.stringify(ls)}\r\n`);
    const args = ["explain", "--policy", "p.yaml", "--events"];
    expect((await run([...args, "s.jsonl"], { cwd: scratch.path })).code).toBe(0);
    const ran = await run([...args, "nowhere.jsonl"], { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("error[HW703]") });
  });
});

describe("secrets in explanations", () => {
  const token = ["ghp", "_", "1234567890abcdefABCDEF1234567890abcd"].join("");
  const secret = call("bash", { command: `deploy --name ${"x".repeat(170)} --key ${token}; TOKEN=${token} deploy` });
  const ways: readonly (readonly string[])[] = [[], ["--all"], ["--format", "json"]];

  it.each([...ways, ["--why-not", "p/words"], ["--why-not", "p/words", "--format", "json"]])(
    "are never shown, whole or in part: %s %s %s %s",
    async (...args) => {
      const words = `version: 1
policy: p
rules:
  - id: words
    event: tool_call
    tool: bash
    each: { c: shell.commands }
    when: c.words.exists(w, w.text == "never") || args.command == "never"
    action: block
    reason: "{args.command}"
`;
      scratch.put("w.yaml", words);
      scratch.put("e.json", JSON.stringify(secret));
      const given = args.filter((arg) => arg !== undefined);
      const ran = await run(["explain", "--policy", "w.yaml", "--event", "e.json", ...given], { cwd: scratch.path });
      expect(ran.code).toBe(0);
      expect(ran.out).not.toContain(token.slice(0, 12));
      // One screen may hold nothing of what was hidden.
      if (given.length > 0) expect(ran.out).toContain("[REDACTED");
    },
  );

  it("stand hidden on one screen too, in the call, the reason and the conditions", async () => {
    const words = `version: 1
policy: p
rules:
  - { id: any, event: tool_call, tool: bash, when: { args.command: { contains: deploy } }, action: block, reason: "no {args.command}" }
`;
    scratch.put("w.yaml", words);
    scratch.put("e.json", JSON.stringify(call("bash", { command: `deploy --key ${token}` })));
    const ran = await run(["explain", "--policy", "w.yaml", "--event", "e.json"], { cwd: scratch.path });
    expect(ran.out).not.toContain(token.slice(0, 12));
    for (const line of [
      /^ {2}reason: .*\[REDACTED/m,
      /^ {2}\[0\] deploy --key \[REDACTED/m,
      /args\.command = .*\[REDACTED/,
    ])
      expect(ran.out).toMatch(line);
  });
});
