import { once } from "node:events";
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Fault } from "../../adapters/pi/denial.ts";
import { type FoundPolicies, type OnDisk, planOfFiles } from "../../adapters/plan-on-disk.ts";
import { claimPlan } from "../../store/plan-cache.ts";

let root = "";
let state = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-plans-")));
  state = join(root, "state");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const none: Fault = { code: "HW012", message: "none", fix: "none" };

/** Longer than a test may take: whoever waits for so long has failed. */
const forEver = 600_000;

function policy(reason: string): FoundPolicies {
  const text = `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: ${reason} }
`;
  const file = {
    path: join(root, "p.yaml"),
    name: "p.yaml",
    scope: "user" as const,
    bytes: new TextEncoder().encode(text),
  };
  return { files: [file], broken: undefined, problem: undefined };
}

async function load(files: FoundPolicies, folder = state, patience = forEver): Promise<OnDisk> {
  const plan = await planOfFiles(files, { set: {}, state: folder, patience }, none);
  if ("code" in plan) throw new Error(plan.message);
  return plan;
}

/** The key that the plan of some files is kept under. */
async function keyOf(files: FoundPolicies): Promise<string> {
  const elsewhere = join(root, "elsewhere");
  await load(files, elsewhere);
  const entry = readdirSync(join(elsewhere, "plans")).find((name) => name.endsWith(".json")) ?? "";
  return entry.slice(0, -".json".length);
}

describe("policies that several processes load at once", () => {
  it("are compiled by one of them: the others wait, and take what it kept", async () => {
    const key = await keyOf(policy("mine"));
    const theirs = await (await load(policy("of the other process"))).plan();
    const plan = join(root, "plan.json");
    writeFileSync(plan, JSON.stringify(theirs));
    const claimer = join(root, "claimer.mjs");
    const entryPoints = [join(import.meta.dirname, "plan-claimer.ts")];
    buildSync({ entryPoints, outfile: claimer, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
    const other = new Worker(claimer, { workerData: { state, key, plan } });
    await once(other, "message");
    const loaded = await load(policy("mine"));
    expect(loaded.digest).toBe(theirs.digest);
    expect(await loaded.plan()).toEqual(theirs);
    await once(other, "exit");
  });

  it("are compiled by each where another one takes too long, and nothing of its claim is touched", async () => {
    const key = await keyOf(policy("mine"));
    const end = claimPlan(state, key, 0);
    expect((await load(policy("mine"), state, 50)).digest).toMatch(/^sha256:/);
    expect(readdirSync(join(state, "plans"))).toContain(`${key}.lock`);
    end();
    expect(readdirSync(join(state, "plans"))).not.toContain(`${key}.lock`);
  });

  it("are compiled once where one process asks twice, which waits for no claim of its own", async () => {
    const [one, two] = await Promise.all([load(policy("mine")), load(policy("mine"))]);
    expect(two).toBe(one);
    expect(readdirSync(join(state, "plans")).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });

  it("are compiled where nothing can be kept, and where what was kept cannot be read", async () => {
    writeFileSync(join(root, "file"), "no folder");
    const { digest } = await load(policy("mine"), join(root, "file"));
    await load(policy("mine"));
    for (const name of readdirSync(join(state, "plans")))
      if (name.endsWith(".plan")) writeFileSync(join(state, "plans", name), "{}");
    const again = await load(policy("mine"));
    expect((await again.plan()).digest).toBe(digest);
  });
});
