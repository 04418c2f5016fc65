import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PlanMemory, type PlanPlaces, planOf } from "../../../adapters/one-shot/plans.ts";
import { pinFile, pinnedPlan } from "../../../store/pinned-plan.ts";

let root = "";
let places: PlanPlaces;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-plans-")));
  places = {
    policies: [join(root, "p.yaml")],
    set: {},
    cwd: root,
    project: { cwd: root, workspace: root },
    home: join(root, "home"),
    state: join(root, "state"),
    patience: 5_000,
  };
  mkdirSync(places.home);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(reason: string): void {
  const path = join(root, "p.yaml");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: ${reason} }
`,
  );
}

/** Keeps nothing, and lets something happen between what a hook finds pinned and what it reads on disk. */
function interrupted(meanwhile: () => Promise<unknown>): PlanMemory {
  return {
    pinned: pinnedPlan,
    onDisk: async (_places, _session, _now, read) => {
      const found = await read();
      await meanwhile();
      return found;
    },
  };
}

describe("hooks of one session that begin at once", () => {
  it("are judged by the plan of the one that was first, with the change on disk told", async () => {
    write("mine");
    let theirs = "";
    const loaded = await planOf(
      places,
      "s",
      2,
      interrupted(async () => {
        write("of the other hook");
        const other = await planOf(places, "s", 1);
        if (!("code" in other)) theirs = other.plan.digest;
      }),
    );
    expect(loaded).toMatchObject({ plan: { digest: theirs }, change: { kind: "reload_pending", pinned: theirs } });
    expect(pinnedPlan(places.state, "s")).toMatchObject({ kind: "plan", since: 1, plan: { digest: theirs } });
  });

  it("derive what is pinned once", async () => {
    write("mine");
    const loaded = await planOf(
      places,
      "s",
      2,
      interrupted(() => planOf(places, "s", 1)),
    );
    expect(loaded).not.toHaveProperty("change");
    expect(pinnedPlan(places.state, "s")).toMatchObject({ kind: "plan", since: 1 });
    expect(readdirSync(join(places.state, "sessions")).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });

  it("begin each for itself where a claim cannot be had", async () => {
    write("mine");
    mkdirSync(join(places.state, "sessions"), { recursive: true });
    writeFileSync(`${pinFile(places.state, "s")}.lock`, "somebody on another machine");
    expect(await planOf({ ...places, patience: 50 }, "s", 1)).toHaveProperty("plan");
    expect(pinnedPlan(places.state, "s")).toMatchObject({ kind: "plan", since: 1 });
  });
});
