import { describe, expect, it } from "vitest";
import { canonicalJson, digest } from "../../engine/canonical.ts";
import { answersOf, hasPartialAnswers } from "../../engine/program-record.ts";
import { stateOf } from "../../engine/replay.ts";
import { createEngine, type EngineOptions } from "../../runtime.ts";
import type { AuditBody } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import { answer, bash, call, home, json, planOf, programs } from "./actions/engine.ts";

/** What the body of an audit record says (semantics section 5; threats section 3.2, item 1). */

// In two parts, so that no scanner of sources takes this file for a leak.
const token = `${"ghp"}_${"a8Kd93mZq0LxPv72RtYw5BnCs4UeHj61GfTo"}`;

const head = (keep: string, rules: string): string =>
  `version: 1\npolicy: p\naudit: { keep: ${keep} }\nlabels: { seen: { kind: taint }, more: { kind: mark } }\nrules:\n${rules}`;

function bodyOf(text: string, event: object, options: EngineOptions = {}): AuditBody {
  const { body } = createEngine(planOf(text), { sessionKey: "key", ...options }).decide(event);
  if (!body) throw new Error("no body");
  return JSON.parse(canonicalJson(body)) as AuditBody;
}

const nothing = "- { id: never, event: tool_call, when: 'false', action: block, reason: never }";

describe("a record says where its decision comes from", () => {
  it("each policy by scope and the digest of its file, the plan, the engine and its tables", () => {
    const plan = planOf(head("views", nothing));
    const body = bodyOf(head("views", nothing), bash("ls"));
    expect(body.policies).toEqual(plan.policies.map(({ id, scope, source }) => ({ policy: id, scope, source })));
    expect(body.policies).toContainEqual({ policy: "p", scope: "user", source: expect.stringMatching(/^sha256:/) });
    expect(body.policy_digest).toBe(plan.digest);
    expect(body.engine).not.toBe("");
    expect(Object.keys(body.tables).length).toBeGreaterThan(3);
  });

  it("the adapter and the version of its host, where they are known", () => {
    const caller = { adapter: "pi", host_version: "1.2.3" };
    expect(bodyOf(head("views", nothing), bash("ls", { host: "pi" }), { caller })).toMatchObject({
      host: "pi",
      adapter: "pi",
      host_version: "1.2.3",
    });
    expect(bodyOf(head("views", nothing), bash("ls"))).not.toHaveProperty("adapter");
  });
});

describe("a record says what the call does", () => {
  it.each<[string, object, readonly object[]]>([
    [
      "paths as the system resolves them",
      bash("cat a.txt > b.txt || rm c.txt"),
      [
        { kind: "reads", target: "/home/dev/app/a.txt" },
        { kind: "writes", target: "/home/dev/app/b.txt" },
        { kind: "deletes", target: "/home/dev/app/c.txt", possible: true },
      ],
    ],
    [
      "what perhaps happens, as such",
      call("mcp__notes__lookup", { path: "/data/a.txt" }),
      [{ kind: "reads", target: "/data/a.txt", possible: true }],
    ],
    [
      "of an address the place alone",
      bash(`curl 'https://example.com:8443/x?q=${token}'`),
      [{ kind: "network", target: "https://example.com:8443" }],
    ],
    [
      "masked",
      call("write", { path: `/tmp/${token}`, content: "" }),
      [{ kind: "writes", target: expect.stringMatching(/^\/tmp\/\[REDACTED:/) }],
    ],
  ])("%s", (_, event, effects) => {
    expect(bodyOf(head("views", nothing), event).effects).toEqual(expect.arrayContaining([...effects]));
  });

  it("lists so many effects at most, and counts the others", () => {
    const names = Array.from({ length: limits.recordedEffects + 9 }, (_, i) => `f${i}`);
    const { effects, more_effects } = bodyOf(head("views", nothing), bash(`touch ${names.join(" ")}`));
    expect(effects).toHaveLength(limits.recordedEffects);
    expect(more_effects).toBeGreaterThanOrEqual(9);
  });
});

describe("a record says what a session carries", () => {
  const text = head("views", "- { id: l, event: tool_call, tool: fetch, action: { label: { add: [seen] } } }");

  it("labels before and after the event", () => {
    const engine = createEngine(planOf(text), {});
    const first = engine.decide(call("fetch", { url: "https://example.com/" })).body;
    expect(first).toMatchObject({ labels_out: ["seen"] });
    expect(first).not.toHaveProperty("labels_in");
    const second = engine.decide(call("fetch", { url: "https://example.com/" })).body;
    expect(second).toMatchObject({ labels_in: ["seen"] });
    expect(second).not.toHaveProperty("labels_out");
  });

  it("of a path that holds a secret the folder above is labelled, and the label holds", () => {
    const plan = planOf(
      head(
        "views",
        `- { id: mark, event: tool_call, tool: write, action: { label: { add: [more], on: path } } }
- { id: read, event: tool_call, each: { r: effects.reads }, when: 'paths.labels(r.path).contains("more")', action: block, reason: marked }`,
      ),
    );
    const engine = createEngine(plan, { sessionKey: "key" });
    const { body } = engine.decide(call("write", { path: `/tmp/x/${token}/a`, content: "" }));
    expect(body?.state?.paths).toEqual([{ path: "/tmp/x", labels: ["more"] }]);
    expect(canonicalJson(body)).not.toContain(token);
    expect(engine.decide(call("read", { path: `/tmp/x/${token}/a` })).decision.outcome).toBe("block");
    expect(engine.decide(call("read", { path: "/tmp/y" })).decision.outcome).toBe("allow");
  });
});

describe("the record of a result is the outcome after the fact", () => {
  const result = (call_id: string, more: object = {}): object => ({
    event: "tool_result",
    id: "r",
    tool: "bash",
    args: { command: "ls" },
    call_id,
    result: { content: [{ type: "text", text: "x" }], is_error: false },
    ...more,
  });

  it("names the record of its call, whether it failed, and how long it took", () => {
    const engine = createEngine(planOf(head("views", nothing)), {});
    const before = engine.decide(bash("ls", { call_id: "c1" })).body;
    const after = engine.decide(result("c1", { duration_ms: 42 })).body;
    expect(after).toMatchObject({ call_id: "c1", failed: false, call_digest: before?.event_digest, duration_ms: 42 });
    const failed = engine.decide(result("c9", { result: { content: [], is_error: true } })).body;
    expect(failed).toMatchObject({ call_id: "c9", failed: true });
    expect(failed).not.toHaveProperty("call_digest");
    expect(failed).not.toHaveProperty("duration_ms");
    expect(before).not.toHaveProperty("failed");
  });

  it("knows the call from the records alone, and one that was blocked is none", () => {
    const plan = planOf(
      head(
        "views",
        "- { id: no, event: tool_call, when: { args.command: { contains: bad } }, action: block, reason: no }",
      ),
    );
    const engine = createEngine(plan, {});
    const calls = [bash("ls", { call_id: "good" }), bash("bad", { call_id: "bad" })];
    const bodies = calls.map((event) => engine.decide(event).body as AuditBody);
    const resumed = createEngine(plan, { state: stateOf(plan, bodies) });
    expect(resumed.decide(result("good")).body?.call_digest).toBe(bodies[0]?.event_digest);
    expect(resumed.decide(result("bad")).body).not.toHaveProperty("call_digest");
  });
});

describe("the record of a program", () => {
  const run = (more = "") =>
    `- { id: r, event: tool_call, action: { run: { command: [/bin/guard, --key, ${token}]${more} } } }`;
  const judge = async (keep: string, said: ReturnType<typeof answer>, more = "") => {
    const fresh = () =>
      createEngine(planOf(head(keep, run(more))), { sessionKey: "key", programs: programs(() => said) });
    const { body, decision } = await fresh().judge(bash("ls"));
    return { body: JSON.parse(canonicalJson(body)) as AuditBody, decision, fresh };
  };
  const only = (body: AuditBody) => Object.values(body.observations.programs ?? {})[0];

  it("has its command, time, exit code, output and answer, masked", async () => {
    const said = { ...json({ decision: "block", reason: `no ${token}` }), duration_ms: 12, stderr: `seen ${token}\n` };
    const { body } = await judge("views", said);
    expect(only(body)).toMatchObject({
      rule: "p/r",
      command: ["/bin/guard", "--key", expect.stringMatching(/^\[REDACTED:/)],
      duration_ms: 12,
      exit_code: 0,
      timed_out: false,
      stderr: expect.stringMatching(/^seen \[REDACTED:/),
      said: { outcome: "block", reason: expect.stringMatching(/^no \[REDACTED:/), errors: [] },
    });
    expect(canonicalJson(body)).not.toContain(token);
    expect(hasPartialAnswers(body)).toBe(false);
  });

  it("has so much of its output at most", async () => {
    const { body } = await judge("views", answer({ stderr: "e".repeat(9_000) }), ", protocol: exit_code");
    expect(only(body)?.stderr).toMatch(/^e{2000}\[… 7000 of 9000 characters left out\]$/);
  });

  it.each([
    ["plain", json({ decision: "ask", reason: "sure?", additionalContext: "mind" })],
    ["with a secret in a text", json({ decision: "block", reason: `no ${token}` })],
    ["that failed", answer({ exit_code: 1 })],
    ["that took too long", answer({ exit_code: null, timed_out: true })],
    ["that was refused", answer({ exit_code: null, refused: "not there" })],
    ["with a long reason that is kept whole", json({ decision: "block", reason: "x".repeat(5_000) })],
  ])("an answer %s is replayed byte for byte", async (_, said) => {
    const { body, decision, fresh } = await judge("events", { ...said, duration_ms: 5 });
    const again = fresh().decide(bash("ls"), answersOf(body));
    expect(canonicalJson(again.decision)).toBe(canonicalJson(decision));
    expect(canonicalJson(again.body)).toBe(canonicalJson(body));
  });

  it.each([
    ["a rewrite with a secret", "events", json({ updatedInput: { command: `echo ${token}` } })],
    ["a rewrite that is cut", "views", json({ updatedInput: { command: `echo ${"x".repeat(5_000)}` } })],
  ])("%s is on record in part, and no replay takes it for the answer", async (_, keep, said) => {
    const { body } = await judge(keep, said);
    expect(only(body)?.partial).toBe(true);
    expect(hasPartialAnswers(body)).toBe(true);
    expect(answersOf(body).size).toBe(0);
    expect(canonicalJson(body.observations)).not.toContain(token);
  });

  it("of one that is only started has its command", () => {
    const body = bodyOf(head("views", run(", background: true")), bash("ls"), { programs: programs(() => answer()) });
    expect(body.background).toEqual([
      { rule: "p/r", command: ["/bin/guard", "--key", expect.stringContaining("REDACTED")] },
    ]);
  });
});

describe("transforms", () => {
  it("stand with digests of the payload before and after", () => {
    const rule = `- { id: t, event: tool_call, action: { modify: { set: { description: "x" } } } }`;
    const { transforms } = bodyOf(head("views", rule), call("task", { prompt: "p" }, { environment: home }));
    expect(transforms).toEqual([
      {
        rule: "p/t",
        action: "modify",
        before: digest({ args: { prompt: "p" } }),
        after: digest({ args: { prompt: "p", description: "x" } }),
      },
    ]);
  });
});
