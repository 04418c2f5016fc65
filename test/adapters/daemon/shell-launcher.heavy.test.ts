import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../../schema/limits.ts";
import { execFileSync } from "../../bounded-process.ts";
import { bin, impatient, impostor, launch, useLaunchers, usual, warmed, withoutPerl } from "./launched.ts";
import { ask, begin, call, listener, mark, policy, project, socket, useJudge, useWorld, write } from "./world.ts";

useJudge();
useLaunchers();
useWorld();

const shells = ["/bin/sh", "/bin/dash", "/bin/bash"].filter((shell) => existsSync(shell));
const scripts = [usual, withoutPerl];
const given = (): string[] => ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN"))];

describe("the shell launcher", () => {
  it("is a script that shells without extensions read, and so is its perl", () => {
    for (const shell of shells) execFileSync(shell, ["-n", join(bin, usual)]);
  });

  it.each(shells.flatMap((shell) => scripts.map((script) => [shell, script] as const)))(
    "hands a payload on whole, whatever its size, in %s by %s",
    async (shell, script) => {
      const by = given();
      await begin();
      for (const size of [0, 4_096, 300_000]) {
        const more = { transcript_path: "é😀\n'\"$(x)".repeat(size / 8) };
        const variables = { LC_ALL: "C.UTF-8" };
        const denied = await launch(by, call("touch FORBIDDEN", more), { variables, shell, script });
        expect([denied.code, denied.oneShot]).toEqual([2, false]);
        expect(denied.stdout).toContain("not this");
        expect(denied.stderr).toContain("not this");
        const allowed = await launch(by, call("echo hello", more), { shell, script });
        expect(allowed).toEqual({ code: 0, stdout: "", stderr: "", oneShot: false });
      }
    },
  );

  it.each(scripts)("gives the daemon's answer, whatever stands in the variables, by %s", async (script) => {
    const by = ["claude-code", "--policy", write("it's p.yaml", policy("FORBIDDEN"))];
    await begin();
    const variables = { QUOTES: "it's \"$x\" `y`\\\n\nexport HOME='/nowhere'\n", EMPTY: "", LONG: "x".repeat(100_000) };
    const denied = await launch(by, call("touch FORBIDDEN"), { variables, script });
    expect([denied.code, denied.oneShot]).toEqual([2, false]);
    expect(JSON.parse(denied.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
    const bad = await launch(["claude-code"], { nothing: true }, { script });
    expect(bad).toMatchObject({ code: 2, stdout: "", oneShot: false });
    expect(bad.stderr).toContain("could not be judged");
  });

  it.each(scripts)("does without a daemon where there is none, and one that was killed, by %s", async (script) => {
    const by = given();
    await warmed(by);
    expect(await launch(by, call("touch FORBIDDEN"), { script })).toMatchObject({ oneShot: true });
    const killed = spawn(process.execPath, [write("listen.cjs", listener), socket], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((done) => killed.stdout?.once("data", done));
    writeFileSync(`${socket}.lock`, `${killed.pid} here - -\n`, { mode: 0o600 });
    killed.kill("SIGKILL");
    await new Promise((done) => killed.once("close", done));
    const denied = await launch(by, call("touch FORBIDDEN"), { script });
    expect(denied.oneShot).toBe(true);
    expect(denied.stdout).toContain("not this");
    expect((await launch(by, call("echo hello"), { script })).stdout).toBe("");
  });

  it("does without one where the machine has neither perl nor `nc`", async () => {
    const by = given();
    await begin();
    await ask(by, call("echo hello"));
    const script = "hookwarden-hook-alone.sh";
    writeFileSync(
      join(bin, script),
      readFileSync(join(bin, withoutPerl), "utf8").replace(`'${bin}/nc'`, "/nowhere/nc"),
    );
    const denied = await launch(by, call("touch FORBIDDEN"), { script });
    expect(denied.oneShot).toBe(true);
    expect(denied.stdout).toContain("not this");
  });

  it.each(scripts)(
    "has a folder with line breaks in its name judged by a process of its own, by %s",
    async (script) => {
      const by = given();
      await begin();
      await ask(by, call("echo hello"));
      const cwd = join(project, "x\n1\nclaude-code\nexport A='");
      mkdirSync(cwd, { recursive: true });
      const denied = await launch(by, call("touch FORBIDDEN"), { cwd, script });
      expect(denied.oneShot).toBe(true);
      expect(denied.stdout).toContain("not this");
    },
  );

  it("refuses in words a payload that is larger than one may be", async () => {
    const by = given();
    await begin();
    const { code, stderr, stdout } = await launch(by, "x".repeat(limits.eventBytes + 1));
    expect(code).toBe(2);
    expect(stdout + stderr).toContain("larger than one event may be");
  });

  it.each([
    ["is busy", (connection: Socket) => void connection.end("hookwarden busy\n")],
    ["says nothing at all", () => {}],
    ["ends the connection", (connection: Socket) => void connection.destroy()],
    ["says something else first", (connection: Socket) => void connection.end("hookwarden 2\n")],
  ])("leaves the judging to a process of its own where the daemon %s", async (_, answer) => {
    const by = given();
    await warmed(by);
    await impostor(answer);
    const denied = await launch(by, call("touch FORBIDDEN"));
    expect(denied.oneShot).toBe(true);
    expect(denied.stdout).toContain("not this");
  });

  it("does not wait for a daemon that was stopped", async () => {
    const by = given();
    await warmed(by);
    const stopped = spawn(process.execPath, [write("listen.cjs", listener), socket], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((done) => stopped.stdout?.once("data", done));
    writeFileSync(`${socket}.lock`, `${stopped.pid} here - -\n`, { mode: 0o600 });
    stopped.kill("SIGSTOP");
    const denied = await launch(by, call("touch FORBIDDEN"));
    stopped.kill("SIGKILL");
    expect(denied.oneShot).toBe(true);
    expect(denied.stdout).toContain("not this");
  });

  const saying =
    (text: (mark: string) => string) =>
    (connection: Socket, own: string): void =>
      void connection.end(text(own));
  const spoiled: readonly (readonly [string, (connection: Socket, own: string) => void])[] = [
    ["a greeting alone", (connection) => void connection.end()],
    ["garbage", (connection) => void connection.end("{}\n")],
    ["an answer with another mark", (connection) => void connection.end(`\n${mark} err\n\n${mark} end 0\n`)],
    ["too little until its time is up", () => {}],
    ["half of an answer", saying((own) => `{"a":1}\n${own} err\n\n${own} en`)],
    ["an exit code that no hook has", saying((own) => `\n${own} err\n\n${own} end 7\n`)],
    ["an answer with more behind it", saying((own) => `\n${own} err\n\n${own} end 0\nx`)],
    ["an answer without its first part", saying((own) => `${own} err\n\n${own} end 0\n`)],
    ["an answer twice", saying((own) => `\n${own} err\n\n${own} end 0\n`.repeat(2))],
    ["more than anybody reads", saying((own) => `${"x".repeat(70_000_000)}\n${own} err\n\n${own} end 0\n`)],
  ];

  it.each(spoiled)("refuses in the host's form where %s comes back", async (what, answer) => {
    await impostor((connection) => {
      connection.write("hookwarden 1\n");
      connection.once("data", (chunk) => answer(connection, String(chunk).split("\n")[0] ?? ""));
    });
    const by = [...given(), "--budget", "100"];
    // No shell holds seventy megabytes as fast as its time runs.
    const others = what.startsWith("more than") ? [] : [what.startsWith("too little") ? impatient : withoutPerl];
    for (const script of [usual, ...others]) {
      const { code, stdout, stderr } = await launch(by, call("echo hello"), { script });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("the daemon gave no whole answer");
    }
    const cline = await launch(["cline", "--budget", "100"], call("echo hello"));
    expect(cline.code).toBe(0);
    expect(JSON.parse(cline.stdout).cancel).toBe(true);
  });

  it.each(scripts)("leaves nothing waiting where nobody takes a large payload, by %s", async (script) => {
    await impostor((connection) => {
      connection.write("hookwarden 1\n");
      connection.once("data", () => connection.destroy());
    });
    const more = { transcript_path: "x".repeat(3_000_000) };
    const { code, stderr } = await launch(["claude-code"], call("echo hello", more), { script });
    expect(code).toBe(2);
    expect(stderr).toContain("the daemon gave no whole answer");
  });
});
