import { describe, expect, it } from "vitest";
import { hostileJudge } from "./hostile-judge.ts";
import { ask, begin, call, daemon, useWorld, write } from "./world.ts";

useWorld();

const hostile = () => ({ file: write("hostile.cjs", hostileJudge), heap: 64 });

/** A hook that may take so many milliseconds. */
const hook = (command: string, session: string, budget = 60_000) =>
  ask(["claude-code", "--budget", String(budget)], call(command, { session_id: session }));

const who = ({ stdout }: { readonly stdout: string }): string => stdout.split(" ")[0] ?? "";

/** What a judge does with a call, and why its hook is refused. */
const attacks: readonly (readonly [string, RegExp])[] = [
  ["busy-loop", /no decision was made in time/],
  ["mkdir-below-proc", /no decision was made in time/],
  ["open-fifo", /no decision was made in time/],
  ["native-regex", /no decision was made in time/],
  ["after-await", /no decision was made in time/],
  ["loop-after-await", /no decision was made in time/],
  ["stop", /no decision was made in time/],
  ["exit", /the judge ended: code 0/],
  ["segmentation-fault", /the judge ended: SIGSEGV/],
  ["abort", /the judge ended: SIGABRT/],
  ["memory", /the judge ended|no decision was made in time/],
  ["throw", /the judge ended: code 1/],
  ["rejection", /the judge ended: code 1/],
  ["garbage", /the judge ended: it said what nobody understands/],
];

describe("the front, whatever the judge does", () => {
  it.each(attacks)("refuses a call on which it ends in %s, and has the next one judged", async (attack, why) => {
    await begin({}, hostile());
    const before = who(await hook("harmless", "s1"));
    // One that hangs is ended at its time; one that ends by itself has time enough to do so.
    const denied = await hook(attack, "s1", String(why).includes("in time") ? 1_500 : 60_000);
    const { hookSpecificOutput } = JSON.parse(denied.stdout);
    expect(hookSpecificOutput).toMatchObject({ hookEventName: "PreToolUse", permissionDecision: "deny" });
    expect(hookSpecificOutput.permissionDecisionReason).toMatch(why);
    expect(denied.code).toBe(2);
    const after = await hook("harmless", "s1");
    expect(after.code).toBe(0);
    expect(who(after)).not.toBe(before);
  });

  it("goes on serving other sessions meanwhile", async () => {
    await begin({}, hostile());
    await hook("harmless", "s2");
    let refused = false;
    const hung = hook("busy-loop", "s1", 30_000).then((answer) => {
      refused = true;
      return answer;
    });
    // One that waits behind it from the first moment, and more.
    const others = await Promise.all([..."abcdef"].map((session) => hook("harmless", session)));
    expect(others.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(refused).toBe(false);
    expect((await hung).code).toBe(2);
    expect((await hook("harmless", "s1")).code).toBe(0);
  });

  it("serves others while as many sessions as it has judges but one are hung", async () => {
    await begin({}, hostile());
    const hung = ["s1", "s2", "s3"].map((session) => hook("busy-loop", session, 8_000));
    const other = await hook("harmless", "s4");
    expect(other.code).toBe(0);
    expect((await Promise.all(hung)).map(({ code }) => code)).toEqual([2, 2, 2]);
  });

  it("has calls of the same session wait for their judge, and loses none that was not begun", async () => {
    await begin({}, hostile());
    await hook("harmless", "s1");
    const hung = hook("busy-loop", "s1", 1_500);
    const behind = await Promise.all([1, 2, 3].map(() => hook("harmless", "s1")));
    expect((await hung).code).toBe(2);
    expect(behind.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(behind.map(who)).size).toBe(1);
  });

  it("refuses at their time what waits behind a call that may take longer", async () => {
    await begin({}, hostile());
    const hung = hook("busy-loop", "s1", 6_000);
    const behind = await hook("harmless", "s1", 500);
    expect(behind.stdout).toContain("no judge was free");
    expect((await hung).code).toBe(2);
  });

  it.each([
    ["ends at once", "process.exit(3);"],
    ["never says that it listens", "setInterval(() => {}, 1000);"],
    ["is not there", undefined],
  ])("refuses where the judge %s, and goes on trying", async (_, text) => {
    await begin({}, { file: text === undefined ? "/nowhere/judge.cjs" : write("judge.cjs", text) });
    const denied = await hook("harmless", "s1", 700);
    expect(denied.code).toBe(2);
    expect(denied.stdout).toContain("no judge was free");
    write("judge.cjs", hostileJudge);
    if (text === "process.exit(3);") expect((await hook("harmless", "s1")).code).toBe(0);
  });

  it("leaves no judge behind when it ends", async () => {
    await begin({}, hostile());
    const pid = who(await hook("harmless", "s1"));
    expect(process.kill(Number(pid), 0)).toBe(true);
    daemon?.end();
    await daemon?.ended;
    expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
  });
});
