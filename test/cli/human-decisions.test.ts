import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sourceDigest } from "../../compiler/resolve.ts";
import { reloadRequested, takeApproval } from "../../store/human-decisions.ts";
import { openSegments } from "../../store/segments.ts";
import { takeToken } from "../../store/tokens.ts";
import { trustedDigests } from "../../store/trust.ts";
import { recordBody } from "../audit/trail.ts";
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
    expect(ran.shown).toContain("`inject` of rule `mine/tell` would have effect");
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
    ["says no", [], "no", {}, 1, /HW709/],
    ["says anything but the word", [], "y", {}, 1, /HW709.*not the one that was shown/],
    ["cannot be asked", [], undefined, {}, 1, /HW706.*there is no terminal/],
    ["is an agent", [], "yes", { CLAUDECODE: "1" }, 1, /HW708.*inside an agent/],
    ["says it by an option", ["--yes"], "yes", {}, 2, /HW701.*unknown option `--yes`/],
  ])("changes nothing when the human %s", async (_, more, answer, env, code, said) => {
    scratch.put(".hookwarden/mine.yaml", loosening);
    const ran = await decide(["trust", ...more], answer, env);
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(said);
    expect(existsSync(state())).toBe(false);
  });

  it("shows what an agent has written so that it cannot hide or move the cursor", async () => {
    scratch.put(".hookwarden/\u001b[2Jmine.yaml", loosening);
    const ran = await decide(["trust"], "yes");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.shown).toContain("\\u{1b}[2Jmine.yaml");
    expect(ran.shown).not.toContain("\u001b");
  });

  it("refuses a policy that does not load", async () => {
    scratch.put(".hookwarden/mine.yaml", loosening.replace("inject", "injekt"));
    const ran = await decide(["trust"], "yes");
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

  it("shows the calls that wait with their keys, the newest first, and with the question the call itself", async () => {
    const trail = openSegments(join(state(), "audit"), "s");
    const other = `sha256:${"b".repeat(64)}`;
    const asked = (id: string, of: string, command: string) =>
      recordBody("s", id, {
        outcome: "ask",
        matched: [{ rule: "p/asks", outcome: "ask" }],
        state: { at: 0, question: { key: of, remember: "never" } },
        view: { args: { command } },
      });
    trail.append(asked("e1", key, "touch ONE"), 0);
    trail.append(asked("e2", other, "touch \u001b[2JTWO"), 0);
    const shown = await decide(["approve"]);
    expect(shown.code).toBe(0);
    expect(shown.out.indexOf(other)).toBeLessThan(shown.out.indexOf(key));
    expect(shown.out).toContain("touch ONE");
    expect(shown.out).toContain("asked by p/asks");
    expect(shown.out).not.toContain("\u001b");
    const approval = {
      of: "e2",
      answer: "deny",
      by: "user",
      key: other,
      remember: "never",
      clears: [] as string[],
    } as const;
    trail.append(recordBody("s", "e3", { kind: "approval", approval }), 0);
    expect((await decide(["approve"])).out).not.toContain(other);
    const ran = await decide(["approve", "--once", key], "yes");
    expect([ran.code, ran.shown]).toEqual([0, expect.stringContaining("touch ONE")]);
  });

  it("says so where nothing waits, and writes nothing", async () => {
    expect(await decide(["approve"])).toMatchObject({ code: 0, err: "no call of the last day waits\n" });
    expect(existsSync(state())).toBe(false);
  });

  it("takes nothing but a key", async () => {
    expect(await decide(["approve", "--once", "../x"])).toMatchObject({ code: 2 });
    expect(existsSync(state())).toBe(false);
  });
});

describe("token", () => {
  const path = () => join(scratch.path, "t");
  const make = (...more: string[]) => decide(["token", "trust", "reload", "--out", "t", ...more], "yes");

  it("shows what it is for, and is written for its user alone", async () => {
    const ran = await make("--uses", "2", "--minutes", "5");
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(ran.shown).toContain("2 times within 5 minutes:\n  trust\n  reload\n");
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    const text = readFileSync(path(), "utf8");
    expect(takeToken(state(), text, "approve", Date.now())).toMatchObject({
      why: expect.stringContaining("not for approve"),
    });
    expect(takeToken(state(), text, "trust", Date.now() + 299_000)).toEqual({ anywhere: false, left: 1 });
    expect(takeToken(state(), text, "reload", Date.now() + 301_000)).toEqual({ why: "its time is over" });
  });

  it("says so where it holds inside agents, and is worth nothing once it is taken back", async () => {
    expect((await make("--inside-agents")).shown).toContain("inside agents too");
    expect(await decide(["token", "--revoke"])).toMatchObject({ code: 0, out: "1 use of tokens taken back\n" });
    expect(takeToken(state(), readFileSync(path(), "utf8"), "trust", Date.now())).toHaveProperty("why");
  });

  it.each<[string, string[], RegExp]>([
    ["no verb", ["--out", "t"], /a token is for some of/],
    ["a verb that is none", ["serve", "--out", "t"], /`serve` is no verb of a token/],
    ["itself", ["token", "--out", "t"], /`token` is no verb of a token/],
    ["no file", ["trust"], /`--out` names the file/],
    ["no use", ["trust", "--out", "t", "--uses", "0"], /from 1 to 16/],
    ["too many uses", ["trust", "--out", "t", "--uses", "17"], /from 1 to 16/],
    ["too long a time", ["trust", "--out", "t", "--minutes", "1441"], /from 1 to 1440/],
    ["a time that is no number", ["trust", "--out", "t", "--minutes", "1e9"], /whole number/],
  ])("is not made with %s", async (_, args, said) => {
    expect(await decide(["token", ...args], "yes")).toMatchObject({ code: 2, err: expect.stringMatching(said) });
    expect(existsSync(state())).toBe(false);
  });

  it("is not written over a file", async () => {
    scratch.put("t", "mine");
    expect(await make()).toMatchObject({ code: 2, err: expect.stringContaining("HW702") });
    expect(readFileSync(path(), "utf8")).toBe("mine");
  });
});
