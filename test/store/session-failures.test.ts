import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { openLiveSession } from "../../store/live-session.ts";
import { recordsOfSession, segmentPath, sessionFiles } from "../../store/segments.ts";
import { withSession } from "../../store/session-store.ts";
import { brokenDisk } from "./broken-disk.ts";

/** What a disk that fails comes to for the host: decisions of an engine over a session's trail. */

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "hookwarden-failures-")), "audit");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

function planOf(mode: "required" | "best_effort"): Plan {
  const text = `version: 1
policy: p
audit: { mode: ${mode} }
rules:
  - { id: no, event: tool_call, tool: write, action: block, reason: nothing is written }
`;
  const made = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: new TextEncoder().encode(text) }] });
  return made.plan as Plan;
}

const call = (id: string) => ({ event: "tool_call", id, tool: "read", args: { path: "a" }, session: { id: "s" } });
const told = () => [...recordsOfSession(folder, "s")].map(({ record: { body } }) => body.id || body.event);
const codes = ["ENOSPC", "EIO", "EACCES", "EROFS"];

describe("records that another process damages", () => {
  it("close a live session for good: every event is blocked, and nothing is written behind the damage", () => {
    const plan = planOf("best_effort");
    const made = openLiveSession(folder, "s", { plan, key: "k", durability: "relaxed" });
    if (!made.ok) throw new Error(made.error.message);
    const engine = createEngine(plan, made.value);
    engine.decide(call("a"));
    const path = segmentPath(sessionFiles(folder, "s").segments, 1);
    appendFileSync(path, "{}\n");
    const damaged = readFileSync(path, "utf8");
    for (const id of ["b", "c"]) {
      const { decision } = engine.decide(call(id));
      expect(decision).toMatchObject({ outcome: "block", answered: "error" });
      expect(decision.reason).toContain("session state cannot be used");
    }
    expect(() => made.value.store.append({} as never, 0)).toThrow(/session state cannot be used/);
    made.value.close();
    expect(readFileSync(path, "utf8")).toBe(damaged);
    expect(readFileSync(segmentPath(sessionFiles(folder, "s").segments, 2), "utf8")).toContain('"event":"corruption"');
  });
});

describe("damage that a one-shot process finds", () => {
  const cut = (text: string) => `${text.split("\n").slice(0, -2).join("\n")}\n`;
  it.each<[string, (text: string) => string]>([
    ["altered", (text) => text.replace('"id":"c"', '"id":"C"')],
    ["cut off", cut],
    ["emptied", () => ""],
    ["forged", (text) => `${text}{}\n`],
  ])("closes the session and is put on record once, in a segment of its own: %s", (_, damage) => {
    const plan = planOf("required");
    const hold = (id?: string) =>
      withSession(folder, "s", (held) => id !== undefined && createEngine(plan, held).decide(call(id)), {
        plan,
        key: "k",
      });
    for (const id of ["a", "b", "c"]) hold(id);
    const { segments } = sessionFiles(folder, "s");
    const damaged = damage(readFileSync(segmentPath(segments, 1), "utf8"));
    writeFileSync(segmentPath(segments, 1), damaged);
    for (let i = 0; i < 3; i++) expect(hold()).toMatchObject({ ok: false, error: { code: "HW515" } });
    expect(readFileSync(segmentPath(segments, 1), "utf8")).toBe(damaged);
    expect(readdirSync(segments).filter((name) => name.endsWith(".jsonl"))).toHaveLength(2);
    const after = readFileSync(segmentPath(segments, 2), "utf8").trim().split("\n");
    expect(after.map((line) => JSON.parse(line).body.event)).toEqual(["segment", "corruption"]);
  });
});

describe("a disk that fails", () => {
  it.each(codes)("blocks where the trail is required, until it works again (%s)", (code) => {
    const disk = brokenDisk();
    const plan = planOf("required");
    const made = openLiveSession(folder, "s", { plan, key: "k", durability: "relaxed", disk });
    if (!made.ok) throw new Error(made.error.message);
    const engine = createEngine(plan, made.value);
    expect(engine.decide(call("a")).decision.outcome).toBe("allow");
    disk.fails(code, 20);
    const { decision } = engine.decide(call("b"));
    expect(decision).toMatchObject({ outcome: "block", answered: "error", errors: [{ code: "HW509" }] });
    expect(decision.reason).toContain(code);
    disk.works();
    expect(engine.decide(call("c")).decision.outcome).toBe("allow");
    made.value.close();
    expect(told()).toEqual(["segment", "a", "gap", "c"]);
    // What was refused is not part of the state.
    expect(made.value.state.data("s")).toMatchObject({ count: 2 });
  });

  it.each(codes)("is gone past where the trail is best effort, said, counted and noted (%s)", (code) => {
    const disk = brokenDisk();
    const plan = planOf("best_effort");
    const options = { plan, key: "k", durability: "relaxed", disk } as const;
    const decide = (id: string) => {
      const result = withSession(folder, "s", (held) => createEngine(plan, held).decide(call(id)).decision, options);
      if (!result.ok) throw new Error(result.error.message);
      return result.value;
    };
    expect(decide("a")).toMatchObject({ outcome: "allow", errors: [] });
    disk.fails(code, 20);
    for (const id of ["b", "c"]) expect(decide(id)).toMatchObject({ outcome: "allow", errors: [{ code: "HW509" }] });
    disk.works();
    expect(decide("d")).toMatchObject({ outcome: "allow", errors: [] });
    expect(told()).toEqual(["segment", "a", "gap", "d"]);
    const gap = [...recordsOfSession(folder, "s")].find(({ record }) => record.body.event === "gap");
    expect(gap?.record.body.observations["gap"]).toMatchObject({ lost: 2, why: code });
  });

  it.each([
    ["required", { ok: false, error: { code: "HW515" } }],
    ["best_effort", { ok: true, value: { outcome: "allow" } }],
  ] as const)("only when it syncs, at the end of a one-shot process: %s", (mode, answer) => {
    const disk = brokenDisk();
    const plan = planOf(mode);
    const options = { plan, key: "k", durability: "group", disk } as const;
    const decide = (id: string) =>
      withSession(folder, "s", (held) => createEngine(plan, held).decide(call(id)).decision, options);
    disk.syncFails("EIO");
    expect(decide("a")).toMatchObject(answer);
    disk.works();
    expect(decide("b")).toMatchObject({ ok: true });
    expect(told()).toEqual(["segment", "a", "gap", "b"]);
  });

  it("does not let a live session go on from a state that its records do not hold", () => {
    const disk = brokenDisk();
    const plan = planOf("required");
    const made = openLiveSession(folder, "s", { plan, key: "k", durability: "strict", disk });
    if (!made.ok) throw new Error(made.error.message);
    const engine = createEngine(plan, made.value);
    engine.decide(call("a"));
    disk.syncFails("EIO");
    expect(engine.decide(call("b")).decision.outcome).toBe("block");
    disk.works();
    expect(engine.decide(call("c")).decision.outcome).toBe("allow");
    expect(made.value.state.data("s")).toMatchObject({ count: 2 });
    made.value.close();
    expect(told()).toEqual(["segment", "a", "gap", "c"]);
  });
});
