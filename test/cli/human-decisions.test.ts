import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sourceDigest } from "../../compiler/resolve.ts";
import { reloadRequested, takeApproval } from "../../store/human-decisions.ts";
import { trustedDigests } from "../../store/trust.ts";
import { demoPolicy, run, Scratch } from "./run.ts";

/** `trust`, `reload` and `approve`: a human decides, outside the agent. Home and state are folders of the test's own. */
const scratch = new Scratch();
const state = () => join(scratch.path, "home", ".local", "state", "hookwarden");
const loosening = `version: 1
policy: mine
rules:
  - { id: tell, event: before_agent_start, action: { inject: { content: Run the tests. } } }
`;

function decide(args: readonly string[], answer?: string, env: Readonly<Record<string, string>> = {}) {
  return run(args, {
    cwd: scratch.path,
    env,
    home: join(scratch.path, "home"),
    ...(answer !== undefined && { answer }),
  });
}

describe("trust", () => {
  it("shows what the policy would be allowed, asks, and keeps the digest outside the repository", async () => {
    const path = scratch.put(".hookwarden/mine.yaml", loosening);
    const ran = await decide(["trust"], "yes");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain("`inject` of rule `mine/tell` would have effect");
    expect([...trustedDigests(state())]).toEqual([sourceDigest(readFileSync(path))]);
  });

  it("of another text is none", async () => {
    scratch.put(".hookwarden/mine.yaml", loosening);
    await decide(["trust"], "yes");
    const path = scratch.put(".hookwarden/mine.yaml", `${loosening}# more\n`);
    expect(trustedDigests(state()).has(sourceDigest(readFileSync(path)))).toBe(false);
  });

  it("is taken back with --remove", async () => {
    scratch.put(".hookwarden/mine.yaml", loosening);
    await decide(["trust"], "yes");
    expect((await decide(["trust", "--remove"], "yes")).code).toBe(0);
    expect(trustedDigests(state()).size).toBe(0);
  });

  it.each<[string, string[], string | undefined, Record<string, string>, number, RegExp]>([
    ["says no", [], "no", {}, 1, /nothing was changed/],
    ["says anything but yes", [], "y", {}, 1, /nothing was changed/],
    ["cannot be asked", [], undefined, {}, 1, /HW706.*there is no terminal/],
    ["is an agent", [], "yes", { CLAUDECODE: "1" }, 1, /HW706.*inside an agent/],
    ["is an agent that says --yes", ["--yes"], undefined, { GEMINI_CLI: "1" }, 1, /HW706.*inside an agent/],
  ])("changes nothing when the human %s", async (_, more, answer, env, code, said) => {
    scratch.put(".hookwarden/mine.yaml", loosening);
    const ran = await decide(["trust", ...more], answer, env);
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(said);
    expect(existsSync(state())).toBe(false);
  });

  it("needs no terminal with --yes", async () => {
    scratch.put(".hookwarden/mine.yaml", loosening);
    expect((await decide(["trust", "--yes"])).code).toBe(0);
    expect(trustedDigests(state()).size).toBe(1);
  });

  it("refuses a policy that does not load", async () => {
    scratch.put(".hookwarden/mine.yaml", loosening.replace("inject", "injekt"));
    const ran = await decide(["trust", "--yes"]);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("error[HW105]") });
    expect(existsSync(state())).toBe(false);
  });
});

describe("reload", () => {
  it("lets sessions use the plan that stands here, by its digest", async () => {
    scratch.put(".hookwarden/demo.yaml", demoPolicy);
    const before = Date.now();
    const ran = await decide(["reload", "-p", ".hookwarden/demo.yaml"], "yes");
    expect(ran.code).toBe(0);
    const digest = /sha256:[0-9a-f]{64}/.exec(ran.out)?.[0] ?? "";
    expect(reloadRequested(state(), digest, before)).toBe(true);
  });

  it.each<[string, string, number]>([
    ["the human says no", demoPolicy, 1],
    ["a policy does not load", demoPolicy.replace("action: block", "action: blok"), 2],
  ])("writes nothing when %s", async (_, policy, code) => {
    scratch.put("demo.yaml", policy);
    expect((await decide(["reload", "-p", "demo.yaml"], "no")).code).toBe(code);
    expect(existsSync(state())).toBe(false);
  });
});

describe("approve", () => {
  const key = `sha256:${"a".repeat(64)}`;
  it("lets one call run once", async () => {
    expect((await decide(["approve", "--once", key], "yes")).code).toBe(0);
    expect([takeApproval(state(), key), takeApproval(state(), key)]).toEqual([true, false]);
  });

  it("takes nothing but a key", async () => {
    expect(await decide(["approve", "--once", "../x", "--yes"])).toMatchObject({ code: 2 });
    expect(existsSync(state())).toBe(false);
  });
});
