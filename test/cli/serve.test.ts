import { mkdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeFile } from "../../adapters/daemon/judge-file.ts";
import { serve } from "../../cli/commands/serve.ts";
import type { Io } from "../../cli/io.ts";
import { Scratch } from "./run.ts";

const scratch = new Scratch();

function io(): { readonly io: Io; readonly text: { out: string; err: string }; readonly said: Promise<void> } {
  const text = { out: "", err: "" };
  let say = (): void => {};
  const said = new Promise<void>((done) => {
    say = done;
  });
  const home = scratch.path;
  const made: Io = {
    cwd: home,
    home,
    env: { HOME: home, XDG_STATE_HOME: join(home, "state") },
    color: false,
    stdin: (async function* () {})(),
    out: async (more) => {
      text.out += more;
      say();
    },
    err: (more) => void (text.err += more),
  };
  return { io: made, text, said };
}

describe("`serve`", () => {
  it("answers in the state folder until it is stopped", async () => {
    const { io: own, text, said } = io();
    let stop = (): void => {};
    const judge = scratch.put("judge.cjs", "setInterval(() => {}, 1000);");
    const code = serve({}, own, new Promise((done) => (stop = done)), () => judge);
    await said;
    const socket = join(scratch.path, "state/hookwarden/daemon/hook.sock");
    expect(text.out).toContain(socket);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    const greeting = await new Promise((done) => {
      const connection = connect(socket);
      connection.once("data", (chunk) => {
        done(String(chunk));
        connection.destroy();
      });
    });
    expect(greeting).toBe("hookwarden 1\n");
    const second = io();
    expect(await serve({}, second.io, undefined, () => judge)).toBe(2);
    expect(second.text.err).toContain("held by another process");
    stop();
    expect(await code).toBe(0);
  });

  it("does not begin without the judge of its installation", async () => {
    const { io: own, text } = io();
    expect(await serve({}, own, undefined, () => judgeFile(scratch.path))).toBe(2);
    expect(text.err).toContain("hookwarden-daemon-judge.cjs` is not there");
  });

  it.each(["NODE_OPTIONS", "LD_PRELOAD", "LD_AUDIT"])("does not begin with `%s`", async (name) => {
    const { io: own, text } = io();
    expect(await serve({}, { ...own, env: { ...own.env, [name]: "x" } }, undefined, () => "/nowhere")).toBe(2);
    expect(text.err).toContain(`env -u ${name} hookwarden serve`);
  });

  it("does not begin where others can reach the socket, nor for a time that is none", async () => {
    mkdirSync(join(scratch.path, "open"), { mode: 0o755 });
    const { io: own, text } = io();
    expect(await serve({ socket: "open/s" }, own, undefined, () => "/nowhere")).toBe(2);
    expect(text.err).toContain("open to others");
    expect(await serve({ idle: "soon" }, own)).toBe(2);
    expect(text.err).toContain("takes minutes");
  });
});
