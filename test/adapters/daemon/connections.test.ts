import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Lane } from "../../../adapters/daemon/lane.ts";
import { hostileJudge } from "./hostile-judge.ts";
import { ask, begin, call, daemon, mark, read, request, root, sent, socket, useWorld, write } from "./world.ts";

useWorld();

const open: Socket[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});

const judge = () => ({ file: write("judge.cjs", hostileJudge) });
const hook = (session: string, more: Readonly<Record<string, unknown>> = {}) =>
  ask(["claude-code", "--budget", "30000"], call("harmless", { session_id: session, ...more }));

/** A connection that says so much and no more; gives what it hears until its end. */
function saying(text: string): { readonly heard: Promise<string>; readonly greeted: Promise<void> } {
  const connection = connect(socket);
  open.push(connection);
  let all = "";
  const greeted = new Promise<void>((done) => connection.once("data", () => done()));
  const heard = new Promise<string>((done) => connection.on("close", () => done(all)));
  connection.on("data", (chunk) => {
    all += String(chunk);
  });
  connection.on("error", () => {});
  connection.write(text);
  return { heard, greeted };
}

describe("connections of the daemon", () => {
  it("are served by hundreds at once, each with its own answer", async () => {
    await begin({}, judge());
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => hook(`s${i % 200}`)));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0));
  });

  it("hear that there are too many, and are served when there are fewer", async () => {
    await begin({ connections: 3 }, judge());
    const silent = [saying(""), saying(""), saying("")];
    await Promise.all(silent.map(({ greeted }) => greeted));
    expect(await saying("").heard).toBe("hookwarden busy\n");
    // One that has sent all of it already hears it too.
    expect(await sent(request(["claude-code"], call("harmless"))).catch(() => "hookwarden busy\n")).toBe(
      "hookwarden busy\n",
    );
    open[0]?.destroy();
    await expect.poll(async () => (await hook("s1").catch(() => ({ code: -1 }))).code).toBe(0);
  });

  it("end when nothing comes, and keep nobody waiting meanwhile", async () => {
    await begin({ quiet: 1_000 }, judge());
    const silent = Array.from({ length: 60 }, (_, i) => saying(i % 2 === 0 ? "" : `${mark}\n/\n`));
    await Promise.all(silent.map(({ greeted }) => greeted));
    expect((await hook("s1")).code).toBe(0);
    const heard = await Promise.all(silent.map((one) => one.heard));
    expect(heard.filter((text) => text === "hookwarden 1\n")).toHaveLength(30);
    for (const text of heard.filter((one) => one !== "hookwarden 1\n"))
      expect(read(text).stderr).toContain("the request did not come to an end");
  });

  it("end at their time although something comes now and then", async () => {
    await begin({ patience: 1_000, quiet: 600 }, judge());
    const slow = saying(`${mark}\n`);
    const drip = setInterval(() => open[0]?.write("x"), 50);
    expect(read(await slow.heard).stderr).toContain("the request did not come in time");
    clearInterval(drip);
  });

  it("take turns where their requests are long, and those that are not wait for none of them", async () => {
    await begin({ patience: 8_000, quiet: 60_000 }, judge());
    const long = { transcript_path: "x".repeat(200_000) };
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => hook(`s${i}`, long)));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0));
    const stuck = Array.from({ length: 5 }, () => saying(`${mark}\n/\n${"x".repeat(200_000)}`));
    await Promise.all(stuck.map(({ greeted }) => greeted));
    expect((await hook("s1")).code).toBe(0);
    for (const { heard } of stuck) expect(read(await heard).stderr).toContain("the request did not come in time");
    expect((await hook("s1", long)).code).toBe(0);
  });

  it("that end in the middle hear so", async () => {
    await begin({}, judge());
    const half = saying(`${mark}\n/\n`);
    open[0]?.end();
    expect(read(await half.heard).stderr).toContain("the request came in part");
  });

  it("are answered before the daemon ends", async () => {
    await begin({}, judge());
    await hook("s1");
    const asked = ask(["claude-code", "--budget", "60000"], call("held", { session_id: "s1" }));
    await expect.poll(() => existsSync(join(root, "asked"))).toBe(true);
    daemon?.end();
    write("go", "");
    expect((await asked).code).toBe(0);
    await daemon?.ended;
    await expect(hook("s1")).rejects.toThrow();
  });
});

describe("a lane", () => {
  it("gives its places in order, and forgets who no longer waits", () => {
    const lane = new Lane(1);
    const went: string[] = [];
    const leave = ["a", "b", "c"].map((name) => lane.enter(() => went.push(name)));
    expect(went).toEqual(["a"]);
    leave[1]?.();
    leave[0]?.();
    leave[0]?.();
    expect(went).toEqual(["a", "c"]);
    lane.enter(() => went.push("d"));
    expect(went).toEqual(["a", "c"]);
    leave[2]?.();
    expect(went).toEqual(["a", "c", "d"]);
  });
});
