import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Fault } from "../../adapters/pi/denial.ts";
import { type FoundPolicies, type OnDisk, policiesOnDisk } from "../../adapters/plan-on-disk.ts";
import { sourceDigest } from "../../compiler/resolve.ts";
import type { Plan } from "../../engine/plan.ts";
import { discoverPolicies } from "../../store/discover.ts";
import { packFile } from "../../store/packs.ts";
import { cachePlan, claimPlan } from "../../store/plan-cache.ts";
import { trust } from "../../store/trust.ts";
import { spawnSync } from "../bounded-process.ts";

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

async function load(files: FoundPolicies, folder = state, patience = forEver): Promise<Plan> {
  const found = policiesOnDisk(files, { set: {}, state: folder, patience }, none);
  if ("code" in found) throw new Error(found.message);
  const plan = await found.plan();
  if ("code" in plan) throw new Error(plan.message);
  return plan;
}

/** The key that the plan of some files is kept under. */
async function keyOf(files: FoundPolicies): Promise<string> {
  const found = policiesOnDisk(files, { set: {}, state: join(root, "elsewhere") }, none);
  return "code" in found ? found.message : found.policies.slice("sha256:".length);
}

describe("policies that several processes load at once", () => {
  it("are compiled by one of them: the others wait, and take what it kept", async () => {
    const key = await keyOf(policy("mine"));
    const theirs = await load(policy("of the other process"));
    const plan = join(root, "plan.json");
    writeFileSync(plan, JSON.stringify(theirs));
    const claimer = join(root, "claimer.mjs");
    const entryPoints = [join(import.meta.dirname, "plan-claimer.ts")];
    buildSync({ entryPoints, outfile: claimer, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
    const other = new Worker(claimer, { workerData: { state, key, plan } });
    await once(other, "message");
    const loaded = await load(policy("mine"));
    expect(loaded.digest).toBe(theirs.digest);
    expect(loaded).toEqual(theirs);
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
    expect(again.digest).toBe(digest);
  });
});

/** Leaves an attempt at a plan behind, as a process does that is ended while it compiles. */
function abandon(key: string): void {
  const ended = spawnSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).stdout.trim();
  mkdirSync(join(state, "plans"), { recursive: true, mode: 0o700 });
  writeFileSync(join(state, "plans", `${key}.${ended}.attempt`), `${ended} ${hostname()}\n`);
}

function withProject(text: string): FoundPolicies {
  const bytes = new TextEncoder().encode(text);
  const file = { path: join(root, ".hookwarden/p.yaml"), name: ".hookwarden/p.yaml", scope: "project" as const, bytes };
  return { ...policy("mine"), files: [...policy("mine").files, file] };
}

const project = "version: 1\npolicy: theirs\nrules: []\n";
const broken = "version: 1\npolicy: theirs\nrules: 7\n";

describe("policies that a process was ended over", () => {
  const unlisted = (plan: Plan): string[] => plan.policies.map(({ id }) => id);

  it("are tried once more, and then stood in for, if they are a project's", async () => {
    const found = withProject(project);
    const key = await keyOf(found);
    abandon(key);
    expect(unlisted(await load(found))).toEqual(["self-protection", "p", "theirs"]);
    expect(readdirSync(join(state, "plans")).filter((name) => name.endsWith(".attempt"))).toEqual([]);
    rmSync(join(state, "plans"), { recursive: true });
    abandon(key);
    abandon(key);
    const stood = await load(found);
    expect(unlisted(stood)).toEqual(["self-protection", "p", "project-not-loaded"]);
    expect(JSON.stringify(stood.rules.at(-1)?.reason)).toContain("HW013: compiling it was ended before it was done");
    // The next one reads it, also when the attempts are gone.
    for (const name of readdirSync(join(state, "plans")))
      if (name.endsWith(".attempt")) rmSync(join(state, "plans", name));
    expect(await load(found)).toEqual(stood);
  });

  it("close the session at once, if they are its user's, until a human has them compiled without hurry", async () => {
    const key = await keyOf(policy("mine"));
    abandon(key);
    abandon(key);
    await expect(load(policy("mine"))).rejects.toThrow("ended before it was done, more than once");
    const around = { set: {}, state, unhurried: true };
    const found = policiesOnDisk(policy("mine"), around, none);
    expect("code" in found ? found : await found.plan()).toMatchObject({ format: 1 });
    expect(unlisted(await load(policy("mine")))).toEqual(["self-protection", "p"]);
  });

  it("count only where their process is gone", async () => {
    const key = await keyOf(policy("mine"));
    mkdirSync(join(state, "plans"), { recursive: true, mode: 0o700 });
    for (const name of ["a", "b", "c"])
      writeFileSync(join(state, "plans", `${key}.${name}.attempt`), `${process.pid} ${hostname()}\n`);
    expect(unlisted(await load(policy("mine")))).toEqual(["self-protection", "p"]);
  });
});

function look(found: FoundPolicies): OnDisk {
  const seen = policiesOnDisk(found, { set: {}, state }, none);
  if ("code" in seen) throw new Error(seen.message);
  return seen;
}

describe("policies that do not load", () => {
  it("are known not to, once that was found out", async () => {
    const bad = policy("mine");
    const files = [{ ...(bad.files[0] as (typeof bad.files)[number]), bytes: new TextEncoder().encode(broken) }];
    expect(look({ ...bad, files }).none).toBeUndefined();
    const said = await look({ ...bad, files }).plan();
    expect(said).toMatchObject({ code: "HW508", message: expect.stringContaining("HW102") });
    expect(look({ ...bad, files }).none).toEqual(said);
    expect(look(bad).none).toBeUndefined();
  });

  it("are looked at anew when an import of theirs is there", async () => {
    mkdirSync(join(root, ".hookwarden"));
    const found = withProject("version: 1\npolicy: theirs\nimports: [{ file: ./more.yaml }]\nrules: []\n");
    expect((await load(found)).policies.at(-1)?.id).toBe("project-not-loaded");
    expect(look(found).digest).toMatch(/^sha256:/);
    writeFileSync(join(root, ".hookwarden/more.yaml"), "version: 1\npolicy: more\nrules: []\n");
    expect(look(found).digest).toBeUndefined();
    expect((await load(found)).policies.map(({ id }) => id)).toContain("more");
  });
});

describe("the plan of a user's policies", () => {
  it("is kept by itself, and is not compiled again for a project", async () => {
    await load(withProject(project));
    const heads = () => readdirSync(join(state, "plans")).filter((name) => name.endsWith(".json"));
    expect(heads()).toHaveLength(2);
    await load(withProject(broken));
    expect(heads()).toHaveLength(3);
    await load(policy("mine"));
    expect(heads()).toHaveLength(3);
  });

  it("has the same key whatever else a human trusts", () => {
    const before = policiesOnDisk(withProject(project), { set: {}, state }, none);
    trust(state, [{ digest: `sha256:${"0".repeat(64)}`, path: "/elsewhere", time: "" }]);
    const after = policiesOnDisk(withProject(project), { set: {}, state }, none);
    expect("code" in after ? after : after.policies).toBe("code" in before ? before : before.policies);
    trust(state, [{ digest: sourceDigest(new TextEncoder().encode(project)), path: "/here", time: "" }]);
    const trusted = policiesOnDisk(withProject(project), { set: {}, state }, none);
    expect("code" in trusted ? trusted : trusted.policies).not.toBe("code" in before ? before : before.policies);
  });
});

describe("the plan of a shipped pack", () => {
  const ours = (name: string) => discoverPolicies([name], root, "user").files;
  const foundOf = (files: FoundPolicies["files"]): FoundPolicies => ({ files, broken: undefined, problem: undefined });

  it("is kept for every installation that has the same bytes of it, and for no file that only has its name", async () => {
    const files = ours("pack:shell-safety");
    const { digest } = await load(foundOf(files));
    const copied = files.map((file) => ({ ...file, path: join(root, "copy/policies/shell-safety/policy.yaml") }));
    expect(look(foundOf(copied)).digest).toBe(digest);
    const { policies } = look(foundOf(files));
    const bytes = new TextEncoder().encode(project);
    expect(look(foundOf(copied.map((file) => ({ ...file, bytes })))).policies).not.toBe(policies);
    const named = copied.map(({ path, name, bytes: same }) => ({ path, name, bytes: same, scope: "user" as const }));
    expect(look(foundOf(named)).policies).not.toBe(policies);
  });

  it("that imports others holds while this installation's copies of those are the same, wherever it was made", async () => {
    const files = ours("pack:recommended");
    const plan = await load(foundOf(files));
    const { imports, policies } = look(foundOf(files));
    expect(imports.length).toBeGreaterThan(1);
    const elsewhere = imports.map((one) => ({ ...one, path: join(root, "gone", String(one.pack), "policy.yaml") }));
    const keep = (from: typeof imports) => cachePlan(state, policies.slice("sha256:".length), { plan }, from);
    keep(elsewhere);
    const seen = look(foundOf(files));
    expect(seen.digest).toBe(plan.digest);
    expect(seen.imports.map(({ path }) => path)).toEqual(imports.map(({ pack }) => packFile(String(pack))));
    // Another installation's copy that is as it was says nothing of ours.
    const [theirs] = withProject(project).files.slice(1);
    mkdirSync(join(root, ".hookwarden"));
    writeFileSync(join(root, ".hookwarden/p.yaml"), project);
    const other = sourceDigest(theirs?.bytes ?? new Uint8Array()).slice("sha256:".length);
    keep(imports.map((one, i) => (i === 0 ? { ...one, path: theirs?.path ?? "", digest: other } : one)));
    expect(look(foundOf(files)).digest).toBeUndefined();
    keep(imports.map((one, i) => (i === 0 ? { ...one, pack: "none-of-this-name" } : one)));
    expect(look(foundOf(files)).digest).toBeUndefined();
  });
});
