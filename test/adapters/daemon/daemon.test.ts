import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { largestRequest } from "../../../adapters/daemon/request.ts";
import { serveHooks } from "../../../adapters/daemon/server.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { runHook } from "../../../adapters/one-shot/run.ts";
import { requestReload } from "../../../store/human-decisions.ts";
import {
  ask,
  begin,
  call,
  coldJudge,
  daemon,
  home,
  listener,
  mark,
  policy,
  project,
  read,
  records,
  request,
  root,
  sent,
  socket,
  state,
  useJudge,
  useWorld,
  write,
} from "./world.ts";

useJudge();
useWorld();

describe("the daemon", () => {
  it("answers as a hook process would, with the record in the same trail", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN"))];
    await begin();
    const denied = await ask(given, call("touch FORBIDDEN"));
    expect(denied.code).toBe(2);
    expect(denied.stdout).toContain("not this");
    expect(await ask(given, call("touch HARMLESS"))).toEqual({ stdout: "", stderr: "", code: 0 });
    expect(records("s1").map(({ event }) => event)).toEqual(["segment", "tool_call", "tool_call"]);
  });

  it("takes folder and variables from the request, and none of its own", async () => {
    write("home/.config/hookwarden/u.yaml", policy("FORBIDDEN"));
    write("project/.hookwarden/policy.yaml", policy("PROJECT").replace("policy: p", "policy: q"));
    await begin();
    expect((await ask(["claude-code"], call("touch FORBIDDEN"))).stdout).toContain("not this");
    expect((await ask(["claude-code"], call("touch PROJECT", { cwd: undefined }))).stdout).toContain("not this");
    // A project may set the variables of the agent: they name no other home folder.
    const moved = { HOME: join(root, "other") };
    const elsewhere = call("touch FORBIDDEN", { session_id: "s2", cwd: root });
    expect((await ask(["claude-code"], elsewhere, moved)).stdout).toContain("not this");
    const { stdout } = await ask(["claude-code", "--home", join(root, "other"), "--state", state], {
      ...elsewhere,
      session_id: "s3",
    });
    expect(stdout).toContain("HW012");
  });

  it("serves the session's plan until a human reloads, and a new session by what stands on disk", async () => {
    const file = write("p.yaml", policy("FORBIDDEN"));
    const given = ["claude-code", "--policy", file];
    await begin();
    await ask(given, call("touch HARMLESS"));
    await ask(given, call("touch HARMLESS"));
    const [pinned] = records("s1").slice(-1);
    writeFileSync(file, policy("OTHER"));
    expect((await ask(given, call("touch OTHER"))).stdout).toBe("");
    expect((await ask(given, call("touch FORBIDDEN"))).stdout).toContain("not this");
    expect((await ask(given, call("touch OTHER", { session_id: "s2" }))).stdout).toContain("not this");
    expect(records("s1").map(({ event }) => event)).toContain("reload_pending");
    const [next] = records("s2").slice(-1);
    expect(next?.policy_digest).not.toBe(pinned?.policy_digest);
    requestReload(state, next?.policy_digest ?? "", Date.now());
    expect((await ask(given, call("touch OTHER"))).stdout).toContain("not this");
  });

  it("sees what other processes have recorded of a session that it remembers", async () => {
    const rule = "  - { id: few, event: tool_call, tool: bash, budget: { limit: 3 }, action: block, reason: enough }\n";
    const given = ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN", rule))];
    const stdin = async function* (payload: Payload) {
      yield Buffer.from(JSON.stringify(payload));
    };
    await begin();
    const here = async (id: string) => (await ask(given, call("echo hello", { tool_use_id: id }))).stdout;
    const elsewhere = async (id: string) => {
      const world = { variables: { HOME: home }, cwd: project, home, now: () => Date.now() };
      return (await runHook(given, { ...world, stdin: stdin(call("echo hello", { tool_use_id: id })) })).stdout;
    };
    expect([await here("c1"), await elsewhere("c2"), await here("c3")]).toEqual(["", "", ""]);
    expect(await here("c4")).toContain("enough");
    expect(await elsewhere("c5")).toContain("enough");
  });

  it("answers many at once, each in its own session, without a lost or mixed record", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN"))];
    await begin();
    const asked = Array.from({ length: 24 }, (_, i) => {
      const more = { session_id: `s${i % 4}`, tool_use_id: `c${i}` };
      return ask(given, call(i % 3 === 0 ? "touch FORBIDDEN" : `echo ${i}`, more));
    });
    const answers = await Promise.all(asked);
    for (const [i, { stdout }] of answers.entries()) expect(stdout.includes("not this")).toBe(i % 3 === 0);
    for (const session of ["s0", "s1", "s2", "s3"])
      expect(records(session).filter(({ event }) => event === "tool_call")).toHaveLength(6);
  });

  it("takes a request in any pieces", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN"))];
    await begin();
    for (const parts of [2, 7, 40])
      expect(read(await sent(request(given, call("touch FORBIDDEN")), parts)).stdout).toContain("not this");
  });

  it.each([
    ["no mark", "hello\n"],
    ["a mark that is none", "hookwarden-x-1\n/\n0\n"],
  ])("gives no answer to %s", async (_, bytes) => {
    await begin({ patience: 200 });
    expect(await sent(bytes)).toBe("hookwarden 1\n");
  });

  it("refuses in words what does not come to its end", async () => {
    await begin({ quiet: 200 });
    const { code, stderr } = read(await sent(`${mark}\n`));
    expect(code).toBe(2);
    expect(stderr).toContain("the request did not come to an end");
  });

  it.each([
    ["variables that are none", `${mark}\n/\n0\nwhatever\n${mark}\n{}\n${mark}\n`],
    ["fewer arguments than it says", `${mark}\n/\n9\nclaude-code\n${mark}\n{}\n${mark}\n`],
    ["a folder that is none", `${mark}\nhere\n0\n${mark}\n{}\n${mark}\n`],
  ])("refuses a request with %s", async (_, bytes) => {
    await begin();
    const { code, stderr } = read(await sent(bytes));
    expect(code).toBe(2);
    expect(stderr).toContain("could not be judged");
  });

  it("refuses what no hook process would judge, in the host's form", async () => {
    await begin();
    expect((await ask(["claude-code", "--live", "x"], call("echo hello"))).stdout).toContain('"deny"');
    expect((await ask(["claude-code"], "{ garbage")).code).toBe(2);
    expect((await ask(["nobody"], "{}")).code).toBe(2);
  });

  it("hears no more of a request than one may have", async () => {
    await begin();
    const long = request(["claude-code"], "x".repeat(largestRequest));
    const { code, stderr } = read(await sent(long));
    expect(code).toBe(2);
    expect(stderr).toContain("larger than one may be");
  });

  it("has a socket for this user alone, and is the only one at it", async () => {
    await begin();
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    await expect(serveHooks({ socket, judge: coldJudge() })).rejects.toThrow("held by another process");
    expect((await ask(["nobody"], "{}")).code).toBe(2);
  });

  it("does not begin in a folder that others can reach, nor in place of a file", async () => {
    const open = join(root, "open");
    mkdirSync(open);
    chmodSync(open, 0o755);
    await expect(serveHooks({ socket: join(open, "s"), judge: coldJudge() })).rejects.toThrow("open to others");
    expect(statSync(open).mode & 0o777).toBe(0o755);
    const link = join(root, "link");
    mkdirSync(join(root, "own"), { mode: 0o700 });
    symlinkSync(join(root, "own"), link);
    await expect(serveHooks({ socket: join(link, "s"), judge: coldJudge() })).rejects.toThrow("no folder");
    writeFileSync(join(root, "own/s"), "a file");
    await expect(serveHooks({ socket: join(root, "own/s"), judge: coldJudge() })).rejects.toThrow("no socket");
    expect(readFileSync(join(root, "own/s"), "utf8")).toBe("a file");
  });

  it("makes its own code fast in a folder of its own, and answers meanwhile", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN"))];
    const temporary = dirname(write("tmp/other/notes.txt", "not ours\n"));
    vi.stubEnv("TMPDIR", dirname(temporary));
    // What lies above the folder that it makes is nobody's policy, and runs nothing.
    write("tmp/.git/HEAD", "");
    const ran = join(root, "RAN");
    const running = `{ id: r, event: tool_call, tool: bash, action: { run: { command: [/usr/bin/touch, ${ran}] } } }`;
    write("tmp/.hookwarden/policy.yaml", `version: 1\npolicy: above\nrules:\n  - ${running}\n`);
    const scratch = () => readdirSync(dirname(temporary)).filter((name) => name.startsWith("hookwarden-warm-up-"));
    await begin({}, { warm: true });
    for (let n = 0; n < 3; n++) {
      expect((await ask(given, call("touch FORBIDDEN"))).stdout).toContain("not this");
      expect(await ask(given, call("touch HARMLESS"))).toEqual({ stdout: "", stderr: "", code: 0 });
    }
    await expect.poll(scratch).toHaveLength(1);
    daemon?.end();
    await daemon?.ended;
    await expect.poll(scratch).toEqual([]);
    expect(existsSync(ran)).toBe(false);
    vi.unstubAllEnvs();
    expect(readdirSync(temporary)).toEqual(["notes.txt"]);
    // Nothing of what it asked itself stands among the user's records.
    expect(readdirSync(join(state, "audit")).filter((name) => /^[0-9a-f]{64}$/.test(name))).toHaveLength(1);
    expect(records("s1").filter(({ event }) => event === "tool_call")).toHaveLength(6);
  });

  it("begins anew where one was killed", async () => {
    mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
    const killed = spawn(process.execPath, [write("listen.cjs", listener), socket], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((done) => killed.stdout?.once("data", done));
    killed.kill("SIGKILL");
    await new Promise((done) => killed.once("close", done));
    expect(existsSync(socket)).toBe(true);
    await begin();
    expect((await ask(["nobody"], "{}")).code).toBe(2);
  });

  it("ends by itself where nobody asks", async () => {
    await begin({ idle: 1 });
    await daemon?.ended;
    expect(existsSync(socket)).toBe(false);
    expect(existsSync(`${socket}.lock`)).toBe(false);
  });
});
