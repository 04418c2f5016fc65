import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import type { AuditBody } from "../../schema/generated.ts";
import { type LiveSession, openLiveSession } from "../../store/live-session.ts";
import { recordsOfSession, sessionFiles } from "../../store/segments.ts";
import { type HeldSession, type SessionStoreOptions, withSession } from "../../store/session-store.ts";
import { body, judged } from "../engine/session/bodies.ts";
import { usual } from "./session-options.ts";

let folder: string;
const opened: LiveSession[] = [];
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "hookwarden-live-")), "audit");
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  rmSync(join(folder, ".."), { recursive: true, force: true });
});

function open(session: string, options: Partial<SessionStoreOptions> = {}): LiveSession {
  const result = openLiveSession(folder, session, { ...usual, ...options });
  if (!result.ok) throw new Error(`${result.error.code} ${result.error.message}`);
  opened.push(result.value);
  return result.value;
}

/** Records this in a session as an engine does: appended, then folded. */
function add({ state, store }: HeldSession, session: string, more: object = {}, parent?: string): number {
  const one = body({ ...(parent !== undefined && { parent }), ...more }, { session });
  const seal = store.append(one, 0);
  state.fold(one);
  return seal.seq;
}

/** What a process that comes later finds in a session. */
function labels(session: string): readonly string[] | string {
  const result = withSession(folder, session, ({ state }) => state.labels(session), usual);
  return result.ok ? result.value : `${result.error.code} ${result.error.message}`;
}

/** Records of a session that say something of it: no headers of segments. */
function bodies(session: string): AuditBody[] {
  return [...recordsOfSession(folder, session)]
    .map(({ record }) => record.body)
    .filter(({ event }) => event !== "segment");
}

describe("openLiveSession", () => {
  it("gives the next process what this one has left, also when it ended without closing", () => {
    const first = open("s");
    add(first, "s", { labels: ["x"], at: 5 });
    add(first, "s", { spent: [{ rule: "p/budget", bucket: "session", amount: 2 }] });
    const second = open("s");
    expect(second.state.labels("s")).toEqual(["x"]);
    expect(second.state.view(judged()).budgetLeft("p/budget", "session")).toBe(1);
    first.close();
    second.close();
    expect(open("s").state.labels("s")).toEqual(["x"]);
  });

  it("sees what other processes record in its session before each judgement", () => {
    const live = open("s");
    add(live, "s", { labels: ["own"] });
    withSession(folder, "s", (held) => add(held, "s", { labels: ["other"] }), usual);
    expect(live.state.labels("s")).toEqual(["own", "other"]);
    expect(live.state.view(judged()).labels).toEqual(["own", "other"]);
    add(live, "s", { labels: ["again"] });
    expect(labels("s")).toEqual(["own", "other", "again"]);
    expect(live.state.data("s")).toMatchObject({ count: 3 });
  });

  it("keeps one chain with other live sessions and one-shot processes, each record counted once by all", () => {
    const lives = [open("s"), open("s"), open("s")];
    for (let i = 0; i < 150; i++) {
      if (i % 10 === 9) withSession(folder, "s", (held) => add(held, "s"), usual);
      else add(lives[i % 3] as LiveSession, "s");
    }
    expect(bodies("s")).toHaveLength(150);
    for (const { state } of lives) expect(state.view(judged()).calls).toHaveLength(150);
    for (const live of lives) live.close();
    expect(open("s").state.data("s")).toMatchObject({ count: 150 });
  });

  it("writes nothing of a session that is only looked at", () => {
    open("s").close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("replaces the snapshot now and then, with the records before it and no others", () => {
    const live = open("s");
    for (let i = 0; i < 64; i++) add(live, "s", { labels: [`l${i}`] });
    expect(() => statSync(sessionFiles(folder, "s").snapshot)).toThrow();
    add(live, "s", { labels: ["last"] });
    expect(readFileSync(sessionFiles(folder, "s").snapshot, "utf8")).toContain('"l63"');
    expect(readFileSync(sessionFiles(folder, "s").snapshot, "utf8")).not.toContain('"last"');
    expect(labels("s")).toHaveLength(65);
  });

  it("judges with an engine: a label that one process sets blocks in another", () => {
    const policy = `version: 1
policy: p
labels: { seen: { kind: taint } }
rules:
  - { id: mark, event: tool_call, tool: read, action: { label: { add: [seen] } } }
  - { id: stop, event: tool_call, tool: bash, when: '"seen" in session.labels', action: block, reason: it has read }
`;
    const made = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: new TextEncoder().encode(policy) }] });
    expect(made.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const real = { plan: made.plan as Plan };
    const one = createEngine(real.plan, open("s", real));
    const two = createEngine(real.plan, open("s", real));
    const call = (tool: string, args: object) => ({ event: "tool_call", id: tool, tool, args, session: { id: "s" } });
    const outcomes = [
      two.decide(call("bash", { command: "ls" })),
      one.decide(call("read", { path: "a" })),
      two.decide(call("bash", { command: "ls" })),
    ].map(({ decision }) => decision.outcome);
    expect(outcomes).toEqual(["allow", "allow", "block"]);
  });

  it("refuses a record of another session, and any after it was closed", () => {
    const live = open("s");
    expect(() => add(live, "t")).toThrow(/not held/);
    live.close();
    live.close();
    expect(() => add(live, "s")).toThrow(/closed/);
  });

  it("is the error HW515 when another process holds the lock", () => {
    open("s").close();
    writeFileSync(sessionFiles(folder, "s").lock, `${process.pid} ${hostname()}\n`);
    expect(openLiveSession(folder, "s", usual)).toMatchObject({ ok: false, error: { code: "HW515" } });
  });
});

describe("a live session with a parent", () => {
  it("begins with the parent's state and gives it its labels, which the parent sees at once", () => {
    const parent = open("p");
    add(parent, "p", { labels: ["x"] });
    const child = open("c", { parent: "p" });
    expect(child.state.labels("c")).toEqual(["x"]);
    add(child, "c", { labels: ["y"] }, "p");
    add(child, "c", { labels: ["z"] }, "p");
    expect(parent.state.labels("p")).toEqual(["x", "y", "z"]);
    expect(bodies("c").map(({ event }) => event)).toEqual(["session_inherit", "tool_call", "tool_call"]);
    expect(bodies("p").map(({ event }) => event)).toEqual(["tool_call", "session_join", "session_join"]);
  });

  it("begins as the process says that recorded first", () => {
    add(open("p"), "p", { labels: ["x"] });
    const early = open("c", { parent: "p" });
    add(open("p"), "p", { labels: ["y"] });
    withSession(folder, "c", (held) => add(held, "c", {}, "p"), { ...usual, parent: "p" });
    expect(early.state.labels("c")).toEqual(["x", "y"]);
    add(early, "c", {}, "p");
    expect(bodies("c").map(({ event }) => event)).toEqual(["session_inherit", "tool_call", "tool_call"]);
  });

  it("takes labels of its own sub-agents before it has begun, and passes them on when it begins", () => {
    add(open("g"), "g");
    const parent = open("p", { parent: "g" });
    add(open("c", { parent: "p" }), "c", { labels: ["early"] }, "p");
    expect(parent.state.labels("p")).toEqual(["early"]);
    expect(labels("g")).toEqual([]);
    add(parent, "p", {}, "g");
    expect(labels("g")).toEqual(["early"]);
  });

  it("cannot be judged with once its labels did not reach the parent", () => {
    add(open("p"), "p");
    const child = open("c", { parent: "p" });
    add(child, "c", {}, "p");
    writeFileSync(sessionFiles(folder, "p").lock, `${process.pid} ${hostname()}\n`);
    expect(() => add(child, "c", { labels: ["x"] }, "p")).toThrow(/held by another process/);
    expect(() => child.state.view(judged({ id: "c" }))).toThrow(/session state cannot be used/);
    expect(() => add(child, "c", {}, "p")).toThrow(/session state cannot be used/);
  });
});

describe("a live session whose records are damaged by another", () => {
  const newest = (session: string) => {
    const { segments } = sessionFiles(folder, session);
    const name = readdirSync(segments)
      .filter((one) => one.endsWith(".jsonl"))
      .sort()
      .at(-1);
    return join(segments, name as string);
  };
  it.each<[string, (path: string) => void]>([
    ["removed", (path) => rmSync(path)],
    ["emptied", (path) => writeFileSync(path, "")],
    ["cut", (path) => writeFileSync(path, readFileSync(path, "utf8").split("\n").slice(0, 2).join("\n").concat("\n"))],
    ["joined by a forged line", (path) => writeFileSync(path, `${readFileSync(path, "utf8")}{"body":{},"seal":{}}\n`)],
    [
      "joined by a repeated line",
      (path) => writeFileSync(path, readFileSync(path, "utf8").replace(/[^\n]+\n$/, "$&$&")),
    ],
  ])("%s: it is not judged with any more, and says why", (_, damage) => {
    const live = open("s");
    for (const label of ["x", "y", "z"]) add(live, "s", { labels: [label] });
    damage(newest("s"));
    expect(() => live.state.view(judged())).toThrow(/session state cannot be used/);
    expect(() => add(live, "s")).toThrow(/session state cannot be used/);
    expect(labels("s")).toMatch(/^HW515 /);
  });
});
