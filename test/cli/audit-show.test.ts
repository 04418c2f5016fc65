import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import type { AuditRecord } from "../../schema/generated.ts";
import { openAuditFile } from "../../store/audit-file.ts";
import { policyFile } from "../literate/policies.ts";
import { run, Scratch } from "./run.ts";

/** `audit show`: trails as a timeline. */
const scratch = new Scratch();

const policy = `version: 1
policy: demo
labels: { seen: { kind: taint } }
rules:
  - { id: forbidden, event: [tool_call, user_bash], tool: bash, each: { c: shell.commands }, when: { c.operands: { contains: FORBIDDEN } }, action: block, reason: "not {c.operands[0]}" }
  - { id: push, event: [tool_call, user_bash], tool: bash, each: { c: shell.commands }, when: { c.program: git }, action: ask, reason: git asks }
  - { id: mark, event: tool_call, tool: fetch, action: { label: { add: [seen] } } }
  - { id: watch, event: tool_call, tool: read, action: block, reason: watched, mode: monitor }
`;
const plan = compile({ files: [policyFile(policy)] }).plan as Plan;

const start = 1_790_000_000_000;
const at = (second: number): string => new Date(start + second * 1000).toISOString();
const bash = (command: string): object => ({ event: "tool_call", tool: "bash", args: { command } });

/** Writes a trail: each event at its second, by the clock of the seals. */
function trail(name: string, session: string, events: readonly (readonly [second: number, event: object])[]): string {
  let now = start;
  const path = join(scratch.path, name);
  const store = openAuditFile(path, {
    clock: { now: () => now },
    monotonic: { now: () => now - start },
    durability: "relaxed",
  });
  const engine = createEngine(plan, { store });
  for (const [i, [second, event]] of events.entries()) {
    now = start + second * 1000;
    engine.decide({ id: `${session}${i}`, session: { id: session }, time: at(second), host: "pi", ...event });
  }
  store.close();
  return path;
}

function two(): void {
  trail("a/000001.jsonl", "s-one", [
    [0, bash("ls")],
    [20, bash("touch FORBIDDEN")],
  ]);
  trail("b/000001.jsonl", "s-two", [
    [10, bash("git status")],
    [30, { event: "tool_call", tool: "fetch", args: { url: "https://example.com/" } }],
    [40, { event: "tool_call", tool: "read", args: { path: "a.txt" } }],
  ]);
}

const show = (...args: string[]) => run(["audit", "show", ...args], { cwd: scratch.path, home: scratch.path });

/** Lines without the time that judging took. */
const plain = (out: string): string => out.replaceAll(/ \d+(\.\d)? (µs|ms|s)\n/g, "\n");

describe("audit show", () => {
  it("is a timeline over all sessions: when, what, which rule, why, labels", async () => {
    two();
    const ran = await show(".");
    expect(ran).toMatchObject({ code: 0, err: "5 records\n" });
    expect(plain(ran.out)).toBe(`${at(0)}  allow  tool_call bash  s-one #0
${at(10)}  ask    tool_call bash  demo/push  git asks  s-two #0
${at(20)}  block  tool_call bash  demo/forbidden  not "FORBIDDEN"  s-one #1
${at(30)}  allow  tool_call fetch  [+seen]  s-two #1
${at(40)}  allow  tool_call read  would: demo/watch block  s-two #2
`);
  });

  it.each<[string, string[], string[]]>([
    ["a rule by its whole name", ["--rule", "demo/push"], ["s-two0"]],
    ["a rule by its own id, also one that only watches", ["--rule", "watch"], ["s-two2"]],
    ["an answer", ["--outcome", "block"], ["s-one1"]],
    ["a session, by its beginning", ["--session", "s-o"], ["s-one0", "s-one1"]],
    ["a tool, by any host's name", ["--tool", "WebFetch"], ["s-two1"]],
    ["times", ["--since", at(10), "--until", at(30)], ["s-two0", "s-one1"]],
    ["all of them", ["--session", "s-two", "--outcome", "allow", "--since", "2020-01-01"], ["s-two1", "s-two2"]],
    ["how long ago", ["--since", "1s"], []],
  ])("filters by %s", async (_, args, ids) => {
    two();
    const ran = await show("a", "b", ...args, "--format", "json");
    expect(ran.code).toBe(0);
    const records = ran.out
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as AuditRecord);
    expect(records.map(({ body }) => body.id)).toEqual(ids);
  });

  it("reads segments of a session by number, compressed or not, each once", async () => {
    const lines = readFileSync(
      trail(
        "whole.jsonl",
        "s",
        Array.from({ length: 11 }, (_, i) => [i, bash("ls")]),
      ),
      "utf8",
    );
    const each = lines.trimEnd().split("\n");
    scratch.put("s/000002.jsonl", `${each.slice(4, 9).join("\n")}\n`);
    scratch.put("s/000010.jsonl", `${each.slice(9).join("\n")}\n`);
    scratch.put("s/000001.jsonl.gz", gzipSync(`${each.slice(0, 4).join("\n")}\n`));
    scratch.put("s/000002.jsonl.gz", gzipSync("left over\n"));
    const ran = await show("s", "--format", "json");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toBe(lines);
  });

  it("keeps the order of a session whose clock went backwards", async () => {
    trail("a.jsonl", "s", [
      [50, bash("ls")],
      [5, bash("pwd")],
    ]);
    trail("b.jsonl", "t", [[20, bash("ls")]]);
    const ran = await show("a.jsonl", "b.jsonl", "--format", "json");
    const records = ran.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditRecord);
    expect(records.filter(({ body }) => body.kind !== "note").map(({ body }) => body.id)).toEqual(["t0", "s0", "s1"]);
  });

  it("shows everything that a record holds with --verbose", async () => {
    two();
    const ran = await show("a", "--outcome", "block", "--verbose");
    for (const name of ["id", "host", "agent", "matched", "policy_digest", "event_digest", "hash", "prev", "state"])
      expect(ran.out).toMatch(new RegExp(`^    ${name}: `, "m"));
  });

  it("prints no control character of a record, plain or with --verbose", async () => {
    trail("odd.jsonl", "s\u001b]0;x\u0007\u202e", [[0, bash("touch '\u001b[2J\u009b\nFORBIDDEN' FORBIDDEN")]]);
    const path = join(scratch.path, "odd.jsonl");
    // Somebody may have written into the trail what the engine never would.
    const forged = readFileSync(path, "utf8").replace('"outcome":"block"', '"outcome":"\\u001b[8mok\\r"');
    writeFileSync(path, forged);
    for (const args of [[], ["--verbose"]]) {
      const ran = await show("odd.jsonl", ...args);
      expect(ran.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(ran.out).toContain("\\u{1b}");
    }
  });

  it("leaves out lines that are no records, and says so", async () => {
    two();
    const path = join(scratch.path, "a/000001.jsonl");
    writeFileSync(path, `${readFileSync(path, "utf8")}nonsense\n{"cut`);
    const ran = await show("a");
    expect(ran.code).toBe(0);
    expect(ran.out.split("\n")).toHaveLength(3);
    expect(ran.err).toContain("2 lines left out that are no records: a/000001.jsonl:3: the line is not JSON");
  });

  it("shows the rest where a file cannot be read, and exits 2", async () => {
    two();
    const ran = await show("a", "absent");
    expect(ran.code).toBe(2);
    expect(ran.out.split("\n")).toHaveLength(3);
    expect(ran.err).toContain("`absent` cannot be read: it does not exist");
  });

  it("shows this user's own trails where no path is given", async () => {
    trail(".local/state/hookwarden/audit/x/000001.jsonl", "s", [[0, bash("ls")]]);
    expect(await show()).toMatchObject({ code: 0, err: "1 record\n" });
  });

  it.each([
    ["--since", "yesterday"],
    ["--until", "2026-13-45"],
    ["--since", "12:00"],
  ])("refuses %s %s", async (...args) => {
    const ran = await show(".", ...args);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain("is no time");
  });
});
