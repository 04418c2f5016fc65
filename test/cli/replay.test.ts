import { describe, expect, it } from "vitest";
import { call, demoPolicy, run, Scratch } from "./run.ts";

/** `replay`: recorded events through another policy (semantics page section 6). */
const scratch = new Scratch();

const keeping = demoPolicy.replace("policy: demo\n", "policy: demo\naudit: { keep: events }\n");
const digests = keeping.replace("keep: events", "keep: digests");
const stricter = `version: 1
policy: strict
rules:
  - id: no-touch
    event: [tool_call, user_bash]
    tool: bash
    each: { c: shell.commands }
    when: { c.program: touch }
    action: block
    reason: nothing is touched
`;
const asking = stricter.replace("policy: strict", "policy: asks").replace("action: block", "action: ask");

const three = call("touch FORBIDDEN", { id: "a" }) + call("touch other", { id: "b" }) + call("ls", { id: "c" });

/** A trail of three calls, judged by a policy. */
async function recorded(policy = keeping, events = three): Promise<void> {
  scratch.put("p.yaml", policy);
  const ran = await run(["eval", "--policy", "p.yaml", "--audit", "trail.jsonl"], { cwd: scratch.path, stdin: events });
  expect(ran.err).toBe("");
}

const replay = (...args: string[]) => run(["replay", ...args], { cwd: scratch.path });

async function report(...args: string[]): Promise<Record<string, unknown>> {
  const ran = await replay(...args, "--format", "json");
  expect(ran.err).toBe("");
  return JSON.parse(ran.out) as Record<string, unknown>;
}

describe("replay of an audit trail", () => {
  it("finds nothing to change under the policy that decided", async () => {
    await recorded();
    const ran = await replay("--policy", "p.yaml", "trail.jsonl");
    expect(ran).toEqual({
      code: 0,
      err: "",
      out: "3 events of 1 session judged, compared with what is on record: nothing would change\n",
    });
  });

  it("groups what would change by rule, with examples", async () => {
    await recorded();
    scratch.put("q.yaml", stricter);
    const ran = await replay("--policy", "q.yaml", "trail.jsonl");
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(ran.out).toBe(`3 events of 1 session judged, compared with what is on record: 2 answers would change

newly blocked
  strict/no-touch: 1
    trail.jsonl:2 bash touch other
      before: allow
      now:    block, strict/no-touch: nothing is touched

same answer, other rule or reason
  strict/no-touch: 1
    trail.jsonl:1 bash touch FORBIDDEN
      before: block, demo/no-forbidden: the file is forbidden
      now:    block, strict/no-touch: nothing is touched
`);
  });

  it("compares two policies with each other, not with the record", async () => {
    await recorded();
    scratch.put("q.yaml", stricter);
    scratch.put("r.yaml", asking);
    const found = await report("--policy", "r.yaml", "--against", "q.yaml", "trail.jsonl");
    expect(found).toMatchObject({ compared_with: "policy", judged: 3, changed: 2, unguarded: 0 });
    expect(found["groups"]).toMatchObject([{ change: "no_longer_blocked", rule: "strict/no-touch", count: 2 }]);
    expect((await replay("--policy", "q.yaml", "--against", "q.yaml", "trail.jsonl")).code).toBe(0);
  });

  it("counts records without the event as not replayable, and judges nothing in their place", async () => {
    await recorded(digests);
    const ran = await replay("--policy", "p.yaml", "trail.jsonl");
    expect(ran.code).toBe(2);
    expect(ran.out).toContain("not replayable: 3\n  3 × the record keeps a digest of the event, not the event");
    expect(ran.err).toContain("error[HW703]: no event could be judged: the record keeps a digest");
  });

  it("says which events were judged after one that could not be", async () => {
    await recorded(digests, call("touch one"));
    await recorded(keeping, three);
    const found = await report("--policy", "p.yaml", "trail.jsonl");
    expect(found).toMatchObject({ judged: 3, changed: 0, incomplete: 3 });
    expect(found["not_replayable"]).toMatchObject([{ count: 1, examples: [{ file: "trail.jsonl", line: 1 }] }]);
  });

  it("counts lines that are no records, and goes on", async () => {
    await recorded();
    const { readFileSync } = await import("node:fs");
    const text = readFileSync(`${scratch.path}/trail.jsonl`, "utf8");
    scratch.put("trail.jsonl", `${text}{"neither":1}\nnot json\n{"cut`);
    const found = await report("--policy", "p.yaml", "trail.jsonl");
    expect(found).toMatchObject({ judged: 3, changed: 0 });
    expect((found["unknown_lines"] as { why: string; count: number }[]).map(({ why, count }) => [why, count])).toEqual([
      ["the line is no audit record", 1],
      ["the line is not JSON", 1],
      ["the last line was not finished", 1],
    ]);
  });
});

describe("replay of event files", () => {
  it("compares with no policy where no decision is on record", async () => {
    scratch.put("q.yaml", stricter);
    scratch.put("events.jsonl", `${three}nonsense\n`);
    const found = await report("--policy", "q.yaml", "events.jsonl");
    expect(found).toMatchObject({ judged: 3, changed: 2, unguarded: 3, unknown_lines: [{ count: 1 }] });
    expect(found["groups"]).toMatchObject([{ change: "newly_blocked", rule: "strict/no-touch", count: 2 }]);
  });

  it("takes human answers to questions that are asked, and counts those that are not", async () => {
    scratch.put("r.yaml", asking.replace("action: ask", "action: { ask: { remember: session } }"));
    scratch.put("p.yaml", demoPolicy);
    const answers = ["a", "c"].map((of) => `${JSON.stringify({ event: "approval", of, answer: "allow" })}\n`);
    scratch.put("events.jsonl", three + answers.join("") + call("touch FORBIDDEN", { id: "d" }));
    const found = await report("--policy", "r.yaml", "events.jsonl");
    // The second time the same call needs no answer any more.
    expect(found).toMatchObject({ judged: 4, changed: 2, unasked: 1 });
  });

  it("does not judge events that do not fit their schema", async () => {
    scratch.put("q.yaml", stricter);
    scratch.put("events.jsonl", `${three}{"event":"tool_call","tool":5}\n{"event":"no_such_event"}\n`);
    const found = await report("--policy", "q.yaml", "events.jsonl");
    expect(found).toMatchObject({ judged: 3, not_replayable: [{ count: 2 }] });
  });
});

describe("replay refuses", () => {
  it.each<[string, string[], RegExp]>([
    [
      "files that are not there",
      ["--policy", "q.yaml", "absent.jsonl"],
      /`absent.jsonl` cannot be replayed: it does not/,
    ],
    ["files of an unknown kind", ["--policy", "q.yaml", "other.jsonl"], /holds no audit records, events or transcript/],
    ["empty files alone", ["--policy", "q.yaml", "empty.jsonl"], /there are no records in it/],
    ["policies with an error", ["--policy", "broken.yaml", "events.jsonl"], /^error\[/],
    [
      "policies to compare with that have one",
      ["--policy", "q.yaml", "--against", "broken.yaml", "events.jsonl"],
      /error/,
    ],
  ])("%s", async (_, args, message) => {
    scratch.put("q.yaml", stricter);
    scratch.put("broken.yaml", "version: 1\npolicy: broken\nrules: [{ id: x }]\n");
    scratch.put("other.jsonl", '{"kind":"other"}\n');
    scratch.put("empty.jsonl", "");
    scratch.put("events.jsonl", three);
    const ran = await replay(...args);
    expect(ran.code).toBe(2);
    expect(ran.out).toBe("");
    expect(ran.err).toMatch(message);
  });

  it("a file among others, and still judges those", async () => {
    scratch.put("q.yaml", stricter);
    scratch.put("events.jsonl", three);
    const ran = await replay("--policy", "q.yaml", "events.jsonl", "absent.jsonl");
    expect(ran.code).toBe(2);
    expect(ran.out).toContain("3 events of 1 session judged");
  });
});

describe("what replay shows", () => {
  it("has no control characters of a record, and no secrets", async () => {
    scratch.put("q.yaml", stricter);
    const token = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
    scratch.put("events.jsonl", call(`touch \u001b[2Jx\u202e ${token}`));
    const ran = await replay("--policy", "q.yaml", "events.jsonl");
    expect(ran.code).toBe(1);
    expect(ran.out).not.toMatch(/[\u001b\u202e]/);
    expect(ran.out).toContain("\\u{1b}[2Jx\\u{202e}");
    expect(ran.out).not.toContain(token);
  });
});
