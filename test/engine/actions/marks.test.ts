import { describe, expect, it } from "vitest";
import { limits } from "../../../schema/limits.ts";
import { bash, call, engineFor } from "./engine.ts";

const head = "version: 1\npolicy: p\nlabels: { a: { kind: taint }, b: { kind: mark } }\nrules:\n";
const rule = (id: string, action: string, more = "") => `- { id: ${id}, event: tool_call${more}, action: ${action} }\n`;
const no = rule("no", "block", ", tool: bash, when: { args.command: pwd }, reason: no");
const decide = (rules: string, event: object) => engineFor(head + rules).decide(event);

describe("label", () => {
  it("marks the session for later events, and each label once", () => {
    const engine = engineFor(head + rule("l", "{ label: { add: [b, a] } }"));
    expect(engine.decide(bash("ls")).decision.changes).toEqual({ labels: ["b", "a"] });
    expect(engine.decide(bash("ls")).decision.changes).toEqual({});
  });

  it("not what is blocked, unless the rule says so", () => {
    expect(decide(rule("l", "{ label: { add: [b] } }") + no, bash("pwd")).decision.changes).toEqual({});
    const also = rule("l", "{ label: { add: [b], when_blocked: true } }") + no;
    expect(decide(also, bash("pwd")).decision).toMatchObject({ outcome: "block", changes: { labels: ["b"] } });
  });

  it("judges the original and the final payload", () => {
    const text = `${rule("m", "{ modify: { set: { command: id } } }", ", tool: bash")}${rule("from", "{ label: { add: [a] } }", ", tool: bash, when: { args.command: ls }")}${rule("to", "{ label: { add: [b] } }", ", tool: bash, when: { args.command: id }")}`;
    expect(decide(text, bash("ls")).decision.changes).toEqual({ args: { command: "id" }, labels: ["a", "b"] });
  });

  it("on a path: of the element, else of what the call writes", () => {
    const element = rule(
      "l",
      "{ label: { add: [a], on: path } }",
      ", each: { r: effects.reads }, when: { r.path: { glob: '**/*.txt' } }",
    );
    expect(decide(element, bash("cat notes.txt other.md")).body?.state?.paths).toEqual([
      { path: "/home/dev/app/notes.txt", labels: ["a"] },
    ]);
    const written = rule("l", "{ label: { add: [a], on: path } }");
    expect(decide(written, call("write", { path: "x.txt", content: "" })).body?.state?.paths).toEqual([
      { path: "/home/dev/app/x.txt", labels: ["a"] },
    ]);
    expect(decide(written, bash("ls")).body?.state?.paths).toBeUndefined();
  });

  it("HW504: more labels than a session may have close the event, however many rules add them", () => {
    const names = Array.from({ length: limits.labels + 1 }, (_, n) => `l${n}`);
    const labels = `labels: { ${names.map((name) => `${name}: { kind: taint }`).join(", ")} }`;
    const half = Math.floor(names.length / 2);
    const text = (...parts: string[][]) =>
      `version: 1\npolicy: p\n${labels}\nrules:\n${parts.map((part, n) => rule(`r${n}`, `{ label: { add: [${part.join(", ")}] } }`)).join("")}`;
    for (const policy of [text(names), text(names.slice(0, half), names.slice(half))]) {
      const { decision } = engineFor(policy).decide(bash("ls"));
      expect(decision).toMatchObject({ outcome: "block", answered: "error", errors: [{ code: "HW504" }] });
    }
    expect(engineFor(text(names.slice(1))).decide(bash("ls")).decision.outcome).toBe("allow");
    const onPath = text(names).replaceAll("] } }", "], on: path } }");
    expect(engineFor(onPath).decide(call("write", { path: "x", content: "" })).decision).toMatchObject({
      outcome: "block",
      errors: [{ code: "HW504" }],
    });
  });

  it("of a rule in monitor mode is seen by rules in monitor mode only", () => {
    const monitor = ", mode: monitor";
    const sees = `, when: { session.labels: { contains: b } }, reason: no`;
    const engine = engineFor(
      head +
        rule("l", "{ label: { add: [b] } }", monitor) +
        rule("shadow", "block", monitor + sees) +
        rule("real", "block", sees),
    );
    expect(engine.decide(bash("ls")).decision).toMatchObject({
      changes: {},
      would: [{ rule: "p/l", outcome: "label" }],
    });
    expect(engine.decide(bash("ls")).decision).toMatchObject({
      outcome: "allow",
      would: [
        { rule: "p/shadow", outcome: "block" },
        { rule: "p/l", outcome: "label" },
      ],
    });
  });
});

describe("notify", () => {
  const notify = (parameters: string) => rule("n", `{ notify: { ${parameters} } }`);
  it.each<[string, string, object | undefined]>([
    ["a message with its level", "message: hello, level: warning", { rule: "p/n", level: "warning", message: "hello" }],
    ["information by default", "message: hello", { rule: "p/n", level: "info", message: "hello" }],
    ["values quoted", `message: "on {tool.name}"`, { rule: "p/n", level: "info", message: 'on "bash"' }],
    ["an empty message is none", `message: ""`, undefined],
    [
      "a long one is cut",
      `message: ${"x".repeat(5_000)}`,
      { rule: "p/n", level: "info", message: "x".repeat(limits.captured) },
    ],
  ])("%s", (_name, parameters, notice) => {
    const { decision, body } = decide(notify(parameters), bash("ls"));
    expect(decision.notices).toEqual(notice && [notice]);
    expect(body?.notices).toEqual(decision.notices);
    expect(decision).toMatchObject({ outcome: "allow", changes: {} });
  });

  it("passes the detectors", () => {
    const token = ["ghp_", "0123456789abcdefghijABCDEFGHIJ012345"].join("");
    const text = rule("n", `{ notify: { message: "{args.command}" } }`, ", tool: bash");
    expect(JSON.stringify(decide(text, bash(`echo ${token}`)).decision.notices)).not.toContain(token);
  });

  it("not of what is blocked, unless the rule says so; of what was rewritten the final payload", () => {
    expect(decide(notify("message: hello") + no, bash("pwd")).decision.notices).toBeUndefined();
    expect(decide(notify("message: hello, when_blocked: true") + no, bash("pwd")).decision.notices).toHaveLength(1);
    const text = `${rule("m", "{ modify: { set: { command: id } } }", ", tool: bash")}${rule("n", `{ notify: { message: "{args.command}" } }`, ", tool: bash")}`;
    expect(decide(text, bash("ls")).decision.notices).toMatchObject([{ message: '"id"' }]);
  });

  it("in monitor mode nobody is told", () => {
    const { decision } = decide(rule("n", "{ notify: { message: hello } }", ", mode: monitor"), bash("ls"));
    expect(decision.notices).toBeUndefined();
    expect(decision.would).toEqual([{ rule: "p/n", outcome: "notify" }]);
  });
});

describe("record", () => {
  const record = rule("r", `{ record: { fields: { host: "{host}", on: "{tool.name}" } } }`);
  it("stands in the audit record, blocked or not, and nowhere else", () => {
    for (const event of [bash("ls", { host: "pi" }), bash("pwd", { host: "pi" })]) {
      const { decision, body } = decide(record + no, event);
      expect(body?.recorded).toEqual({ "p/r": { host: '"pi"', on: '"bash"' } });
      expect(JSON.stringify(decision.changes)).toBe("{}");
      expect(decision.notices).toBeUndefined();
    }
  });

  it("joins the fields of several actions of one rule", () => {
    const text = rule("r", "[{ record: { fields: { one: a } } }, { record: { fields: { two: b } } }]");
    expect(decide(text, bash("ls")).body?.recorded).toEqual({ "p/r": { one: "a", two: "b" } });
  });

  it("without fields it is in the list of rules that matched", () => {
    const { body } = decide(rule("r", "{ record: {} }"), bash("ls"));
    expect(body?.matched).toEqual([{ rule: "p/r", outcome: "record" }]);
  });
});
