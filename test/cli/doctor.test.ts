import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepRecord } from "../../adapters/install/records.ts";
import { doctor as judge, leastNode, nodeVersion, regexEngine } from "../../cli/commands/doctor.ts";
import type { Io } from "../../cli/io.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { demoPolicy, type Ran, run, Scratch } from "./run.ts";

const scratch = new Scratch();

interface Report {
  readonly version: string;
  readonly ok: boolean;
  readonly checks: readonly { check: string; ok: boolean; found: string; help?: string }[];
  readonly policies: readonly { scope: string; policy: string | null; file: string; digest: string | null }[];
}

/** Runs in a home and a project of its own; the machine's own are never looked at. */
function doctor(...args: string[]): Promise<Ran> {
  const project = join(scratch.path, "project");
  mkdirSync(project, { recursive: true });
  return run(["doctor", ...args], { cwd: project, env: { HOME: join(scratch.path, "home") } });
}

async function report(): Promise<Report & { code: number }> {
  const ran = await doctor("--format", "json");
  return { ...(JSON.parse(ran.out) as Report), code: ran.code };
}

function found(of: Report, check: string) {
  return of.checks.find((each) => each.check === check);
}

const helpOf = (help: RegExp): object => ({ ok: false, help: expect.stringMatching(help) });

describe("doctor", () => {
  it("lists the policies of the user and the project with the digests of their bytes", async () => {
    scratch.put("home/.config/hookwarden/mine.yaml", demoPolicy.replace("demo", "mine"));
    scratch.put("project/.hookwarden/policy.yaml", demoPolicy);
    mkdirSync(join(scratch.path, "home/.local/state"), { recursive: true });
    const seen = await report();
    const own = seen.policies.filter(({ scope }) => scope !== "managed");
    expect(own).toMatchObject([
      { scope: "user", policy: "mine", digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      { scope: "project", policy: "demo", digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    ]);
    expect(found(seen, "policies")).toMatchObject({ ok: true, found: expect.stringContaining("plan sha256:") });
    expect(found(seen, "audit")).toMatchObject({ ok: true });
    // Either engine will do: the script engine is slower and decides alike.
    const { name } = createRegexEngine();
    expect(found(seen, "regex")).toMatchObject({ ok: true, found: expect.stringContaining(name) });
    expect([seen.code, seen.ok]).toEqual([0, true]);
  });

  it("says that there is no policy, where it looked, and what to do", async () => {
    const { path } = scratch;
    let out = "";
    const io: Io = {
      cwd: path,
      env: { HOME: path },
      color: false,
      stdin: (async function* () {})(),
      out: async (text) => void (out += text),
      err: () => undefined,
    };
    const places = { managed: join(path, "managed"), user: join(path, "user"), project: join(path, "project") };
    expect(await judge(undefined, { format: "json" }, io, { roots: places })).toBe(2);
    const seen = JSON.parse(out) as Report;
    expect(seen).toMatchObject({ ok: false, policies: [] });
    expect(found(seen, "policies")).toMatchObject(helpOf(/\.hookwarden\/policy\.yaml/));
    for (const place of Object.values(places)) expect(found(seen, "policies")?.found).toContain(place);
  });

  it("takes the policies that every wiring names for policies, and no wiring without one", async () => {
    const state = join(scratch.path, "home/.local/state/hookwarden");
    const wired = (host: string, policies: readonly string[]): void => {
      const path = scratch.put(`home/${host}.json`, "{}");
      keepRecord(state, { host, path, created: true, folders: [], made: [], after: "", policies });
    };
    mkdirSync(join(scratch.path, "project"), { recursive: true });
    const roots = { managed: join(scratch.path, "m"), user: join(scratch.path, "u"), project: join(scratch.path, "p") };
    const seen = async (): Promise<Report> => {
      let out = "";
      const env = { HOME: join(scratch.path, "home") };
      const stdin = (async function* () {})();
      const io: Io = {
        cwd: scratch.path,
        env,
        color: false,
        stdin,
        out: async (text) => void (out += text),
        err: () => {},
      };
      await judge(undefined, { format: "json" }, io, { roots });
      return JSON.parse(out) as Report;
    };
    expect(found(await seen(), "policies")).toMatchObject({ ok: false });
    const own = scratch.put("own.yaml", demoPolicy);
    wired("claude-code", ["pack:recommended", own]);
    const one = await seen();
    expect(found(one, "policies")).toMatchObject({
      ok: true,
      found: expect.stringContaining(`pack:recommended, ${own}, named in ~/claude-code.json`),
    });
    expect(one.policies.map(({ policy, file }) => [policy, file])).toEqual([
      ["recommended", "pack:recommended"],
      ["demo", own],
    ]);
    wired("gemini", []);
    expect(found(await seen(), "policies")).toMatchObject({
      ok: false,
      found: expect.stringMatching(/^hookwarden refuses every call of gemini \(~\/gemini\.json\).*; 2 policies/),
      help: expect.stringContaining("hookwarden init"),
    });
  });

  it("says which wiring names a policy that is not there", async () => {
    const state = join(scratch.path, "home/.local/state/hookwarden");
    const path = scratch.put("home/codex.json", "{}");
    const policies = ["/nowhere/own.yaml"];
    keepRecord(state, { host: "codex", path, created: true, folders: [], made: [], after: "", policies });
    expect(found(await report(), "policies")).toMatchObject({
      ok: false,
      found: expect.stringContaining("`/nowhere/own.yaml` does not exist, named in ~/codex.json"),
    });
  });

  it("says which policy does not load, and why", async () => {
    scratch.put("project/.hookwarden/policy.yaml", demoPolicy.replace("when: {", "wen: {"));
    const seen = await report();
    expect(seen.code).toBe(2);
    expect(found(seen, "policies")).toMatchObject({ ok: false, found: expect.stringMatching(/policy\.yaml: HW101/) });
    expect(found(seen, "policies")?.help).toMatch(/did you mean `when`.*hookwarden check/);
    expect(seen.policies).toMatchObject([{ scope: "project", policy: null }]);
  });

  it("says that the audit folder cannot be made where a file stands in its way", async () => {
    scratch.put("home/.local/state", "a file");
    expect(found(await report(), "audit")).toMatchObject(helpOf(/XDG_STATE_HOME/));
  });

  it("changes nothing", async () => {
    scratch.put("project/.hookwarden/policy.yaml", demoPolicy);
    await doctor();
    expect(existsSync(join(scratch.path, "home"))).toBe(false);
    expect(readdirSync(join(scratch.path, "project/.hookwarden"))).toEqual(["policy.yaml"]);
  });

  it("prints one line for each thing it looked at, and the next step where there is one", async () => {
    scratch.put("project/.hookwarden/policy.yaml", demoPolicy);
    const { out, err } = await doctor();
    expect(err).toBe("");
    expect(out).toMatch(/^hookwarden \d+\.\d+\.\d+\nok {3}node: Node \d+/);
    for (const check of ["regex", "policies", "audit"]) expect(out).toMatch(new RegExp(`^(ok|act) +${check}: `, "m"));
    expect(out).toMatch(/^ +project demo sha256:[0-9a-f]{64} \S+policy\.yaml$/m);
  });

  it("takes nothing else: usage is exit code 2", async () => {
    expect((await doctor("--format", "xml")).code).toBe(2);
    expect((await doctor("somewhere")).code).toBe(2);
  });
});

describe("what doctor says of", () => {
  it("the regex engine: how to get the addon where it is missing", () => {
    const script = createRegexEngine({ prefer: "re2js" });
    expect(regexEngine(script)).toEqual({
      check: "regex",
      ok: true,
      found: expect.stringMatching(/^re2js 2\..*decides alike.*then install hookwarden again$/),
    });
    expect(regexEngine({ name: "re2", version: "1.2.3" })).toEqual({ check: "regex", ok: true, found: "re2 1.2.3" });
  });

  it.each([
    ["20.18.3", false],
    ["20.19.0", true],
    ["22.1.0", true],
    ["18.20.0", false],
  ])("Node %s", (version, ok) => expect(nodeVersion(version).ok).toBe(ok));

  it("Node is held to what the package asks for", () => {
    const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${leastNode.join(".")}`);
  });
});
