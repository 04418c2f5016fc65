import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { sessionName } from "../../store/human-decisions.ts";
import { pinnedPlan, pinPlan } from "../../store/pinned-plan.ts";

const text = "version: 1\npolicy: p\nrules: []\n";
const plan = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(text) }] }).plan as Plan;
const day = 86_400_000;

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hookwarden-pins-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const fileOf = (session: string): string => join(state, "sessions", `${sessionName(session)}.plan.json`);
const pins = (): number => readdirSync(join(state, "sessions")).filter((name) => name.endsWith(".plan.json")).length;

/** Makes a session look as if nobody had touched it for so long. */
function age(session: string, days: number): void {
  const seconds = (Date.now() - days * day) / 1_000;
  utimesSync(fileOf(session), seconds, seconds);
}

describe("pinned plans of sessions that nobody touches", () => {
  it("go after 30 days when another one is pinned, with what was last told of them", () => {
    for (const session of ["old", "young", "other"]) pinPlan(state, session, plan, Date.now());
    const told = join(state, "sessions", `${sessionName("old")}.change`);
    writeFileSync(told, "reload_pending");
    age("old", 31);
    age("young", 29);
    pinPlan(state, "new", plan, Date.now());
    expect(pinnedPlan(state, "old")).toEqual({ kind: "none" });
    expect(existsSync(told)).toBe(false);
    expect(["young", "other", "new"].map((session) => pinnedPlan(state, session).kind)).toEqual([
      "plan",
      "plan",
      "plan",
    ]);
  });

  it("stay as long as the session is in use", () => {
    pinPlan(state, "used", plan, Date.now() - 40 * day);
    age("used", 29);
    expect(pinnedPlan(state, "used").kind).toBe("plan");
    expect(Date.now() - statSync(fileOf("used")).mtimeMs).toBeLessThan(day);
    pinPlan(state, "new", plan, Date.now() + 20 * day);
    expect(pinnedPlan(state, "used").kind).toBe("plan");
  });

  it("are looked for a few at a time, and are all gone in the end", () => {
    for (let i = 0; i < 100; i++) {
      pinPlan(state, `old-${i}`, plan, 0);
      age(`old-${i}`, 60);
    }
    pinPlan(state, "first", plan, Date.now());
    expect(pins()).toBe(101 - 64);
    for (let i = 0; i < 20; i++) pinPlan(state, `new-${i}`, plan, Date.now());
    expect(pins()).toBe(21);
  });
});
