import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { buildLauncher } from "../../../scripts/build/launcher.ts";
import { writeNc } from "./nc-double.ts";
import {
  type Answer,
  ask,
  begin,
  call,
  daemon,
  home,
  listener,
  mark,
  policy,
  project,
  servers,
  socket,
  state,
  useWorld,
  write,
} from "./world.ts";

useWorld();

/** The script, and as it goes on where no pipe can be opened by a name for writing. */
const usual = "hookwarden-hook.sh";
const elsewhere = "hookwarden-hook-elsewhere.sh";

const shells = ["/bin/sh", "/bin/dash", "/bin/bash"].filter((shell) => existsSync(shell));

describe("the shell launcher", () => {
  let bin = "";
  beforeAll(async () => {
    bin = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-shell-")));
    await buildLauncher(join(import.meta.dirname, "../../.."), bin);
    mkdirSync(join(bin, "with-nc"));
    writeNc(join(bin, "with-nc"));
    const script = readFileSync(join(bin, usual), "utf8");
    writeFileSync(join(bin, elsewhere), script.replaceAll("/proc/self/fd/", "/nowhere/fd/"));
    return () => rmSync(bin, { recursive: true, force: true });
  });

  interface Launched extends Answer {
    readonly ms: number;
  }

  function launch(
    given: readonly string[],
    payload: Payload,
    more: Record<string, string> = {},
    path = `${join(bin, "with-nc")}:/usr/bin:/bin`,
    shell = "/bin/sh",
    script = usual,
  ) {
    return new Promise<Launched>((resolve) => {
      const files = [join(bin, script), process.execPath, join(bin, "hookwarden-hook.cjs"), socket];
      const started = Date.now();
      const child: ChildProcess = spawn(shell, [...files, ...given], {
        cwd: project,
        env: { HOME: home, PATH: path, ...more },
      });
      let [stdout, stderr] = ["", ""];
      child.stdout?.on("data", (chunk) => {
        stdout += String(chunk);
      });
      child.stderr?.on("data", (chunk) => {
        stderr += String(chunk);
      });
      child.on("close", (code) => resolve({ stdout, stderr, code: code ?? -1, ms: Date.now() - started }));
      // Nobody reads a payload to its end that is refused before.
      child.stdin?.on("error", () => {});
      child.stdin?.end(JSON.stringify(payload));
    });
  }

  /** Something at the socket that is no daemon, but lives. */
  async function impostor(answer: (connection: Socket) => void): Promise<void> {
    mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
    const server = createServer((connection) => {
      connection.on("error", () => {});
      connection.on("data", () => {});
      answer(connection);
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(socket, done));
    writeFileSync(`${socket}.lock`, `${process.pid} here - -\n`);
  }

  /** A plan for the one-shot launcher, which finds no compiler here. */
  async function warmed(given: readonly string[]): Promise<void> {
    await begin();
    await ask(given, call("echo hello"));
  }

  it("is a script that shells without extensions read", () => {
    for (const shell of shells) execFileSync(shell, ["-n", join(bin, "hookwarden-hook.sh")]);
  });

  it.each(shells.flatMap((shell) => [usual, elsewhere].map((script) => [shell, script] as const)))(
    "hands a payload on whole, whatever its size, in %s by %s",
    async (shell, script) => {
      const given = ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN"))];
      await begin();
      for (const size of [0, 1, 4_096, 300_000]) {
        const more = { transcript_path: "é😀\n'\"$(x)".repeat(size / 8) };
        const denied = await launch(
          given,
          call("touch FORBIDDEN", more),
          { LC_ALL: "C.UTF-8" },
          undefined,
          shell,
          script,
        );
        expect([denied.code, denied.stderr]).toEqual([0, ""]);
        expect(denied.stdout).toContain("not this");
        const allowed = await launch(given, call("echo hello", more), {}, undefined, shell, script);
        expect(allowed).toMatchObject({ code: 0, stdout: "", stderr: "" });
      }
    },
  );

  it("gives the daemon's answer, whatever stands in the variables", async () => {
    const given = ["claude-code", "--policy", write("it's p.yaml", policy("FORBIDDEN"))];
    await begin();
    const denied = await launch(given, call("touch FORBIDDEN"));
    expect([denied.code, denied.stderr]).toEqual([0, ""]);
    expect(JSON.parse(denied.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
    expect(await launch(given, call("echo hello"))).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const bad = await launch(["claude-code"], { nothing: true });
    expect(bad).toMatchObject({ code: 2, stdout: "" });
    expect(bad.stderr).toContain("could not be judged");
    // The launcher's own files are not there: no second process has judged.
    expect(existsSync(join(state, "code"))).toBe(false);
  });

  it("does without a daemon where there is none, one that was killed, and no `nc`", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN"))];
    await warmed(given);
    expect((await launch(given, call("touch FORBIDDEN"), { PATH: "/nowhere" })).stdout).toContain("not this");
    daemon?.end();
    await daemon?.ended;
    expect((await launch(given, call("touch FORBIDDEN"))).stdout).toContain("not this");
    const killed = spawn(process.execPath, [write("listen.cjs", listener), socket], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((done) => killed.stdout?.once("data", done));
    writeFileSync(`${socket}.lock`, `${killed.pid} here - -\n`);
    killed.kill("SIGKILL");
    await new Promise((done) => killed.once("close", done));
    expect((await launch(given, call("touch FORBIDDEN"))).stdout).toContain("not this");
    expect((await launch(given, call("echo hello"))).stdout).toBe("");
  });

  it.each<[string, (connection: Socket) => void]>([
    ["nothing", (connection) => void connection.end()],
    ["a greeting alone", (connection) => void connection.end("hookwarden 1\n")],
    ["garbage", (connection) => void connection.end("{}\n")],
    [
      "an answer with another mark",
      (connection) => void connection.end(`hookwarden 1\n\n${mark} err\n\n${mark} end 0\n`),
    ],
    ["too little until its time is up", (connection) => void connection.write("hookwarden 1\n")],
  ])("refuses in the host's form where %s comes back", async (_, answer) => {
    await impostor(answer);
    const given = ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN"))];
    const { code, stdout, stderr } = await launch(given, call("echo hello"), { NC_SECONDS: "1" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("the daemon gave no whole answer");
    const cline = await launch(["cline"], call("echo hello"), { NC_SECONDS: "1" });
    expect(cline.code).toBe(0);
    expect(JSON.parse(cline.stdout).cancel).toBe(true);
  });

  it.each([usual, elsewhere])("leaves nothing waiting where nobody takes a large payload, by %s", async (script) => {
    await impostor((connection) => void connection.destroy());
    const more = { transcript_path: "x".repeat(3_000_000) };
    const { code, stderr } = await launch(["claude-code"], call("echo hello", more), {}, undefined, "/bin/sh", script);
    expect(code).toBe(2);
    expect(stderr).toContain("the daemon gave no whole answer");
  });

  it.each([
    ["half of an answer", (own: string) => `hookwarden 1\n{"a":1}\n${own} err\n\n${own} en`],
    ["an exit code that no hook has", (own: string) => `hookwarden 1\n\n${own} err\n\n${own} end 7\n`],
    ["an answer twice", (own: string) => `hookwarden 1\n\n${own} err\n\n${own} end 0\n`.repeat(2)],
  ])("refuses %s", async (_, text) => {
    await impostor((connection) => {
      connection.once("data", (chunk) => connection.end(text(String(chunk).split("\n")[0] ?? "")));
    });
    const { code, stderr } = await launch(["claude-code"], call("echo hello"));
    expect(code).toBe(2);
    expect(stderr).toContain("the daemon gave no whole answer");
  });
});
