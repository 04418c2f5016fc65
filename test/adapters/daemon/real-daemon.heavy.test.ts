import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildPrograms } from "../../../scripts/build/programs.ts";
import { execFileSync } from "../../bounded-process.ts";
import { launch, useLaunchers } from "./launched.ts";
import { call, home, policy, records, root, socket, useWorld, write } from "./world.ts";

useLaunchers();
useWorld();

const source = join(import.meta.dirname, "../../..");
let bin = "";
const running: ChildProcess[] = [];

/** The package's programs as a build makes them. */
beforeAll(async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-package-")));
  bin = join(folder, "dist/bin");
  await buildPrograms(source, join(folder, "dist"));
  writeFileSync(join(folder, "package.json"), '{ "name": "hookwarden", "version": "0.0.7", "type": "module" }\n');
  return () => rmSync(folder, { recursive: true, force: true });
});

afterEach(async () => {
  await Promise.all(running.splice(0).map(ended));
});

async function ended(child: ChildProcess): Promise<number | null> {
  const over = new Promise((done) => child.once("exit", done));
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    await over;
  }
  return child.exitCode;
}

/** `hookwarden serve` as a process, once it answers or has ended. */
async function serve(): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const child = spawn(process.execPath, [join(bin, "hookwarden.js"), "serve"], {
    cwd: root,
    env: { HOME: home, TMPDIR: root, PATH: "/usr/bin:/bin" },
  });
  running.push(child);
  let said = "";
  await new Promise<void>((done) => {
    const hear = (chunk: Buffer): void => {
      said += String(chunk);
      if (said.includes("answering hooks")) done();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("close", () => done());
  });
  return { child, said };
}

/** Processes that a process has started. */
function childrenOf(pid: number | undefined): number[] {
  if (!existsSync("/proc/self/stat")) {
    const rows = execFileSync("/bin/ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
    const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
    return pairs.filter(([, parent]) => parent === pid).map(([own]) => own as number);
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, "latin1").split(") ").at(-1)?.split(" ")[1] === String(pid);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const budget = "  - { id: few, event: tool_call, tool: bash, budget: { limit: 3 }, action: block, reason: enough }\n";
const hook = (command: string, id = "c1") =>
  launch(["claude-code", "--policy", join(root, "p.yaml")], call(command, { tool_use_id: id }), { folder: bin });

describe("`serve` as a process", () => {
  it("is asked by the hooks of its installation, one at each socket, until it is stopped", async () => {
    write("p.yaml", policy("FORBIDDEN"));
    const { child } = await serve();
    expect(statSync(`${socket}.lock`).mode & 0o777).toBe(0o600);
    const denied = await hook("touch FORBIDDEN");
    expect([denied.oneShot, denied.stdout]).toEqual([false, expect.stringContaining("not this")]);
    expect(await hook("echo hello")).toEqual({ code: 0, stdout: "", stderr: "", oneShot: false });
    const second = await serve();
    expect(second.said).toContain("held by another process");
    expect(second.child.exitCode).toBe(2);
    expect((await hook("echo hello")).oneShot).toBe(false);
    expect(await ended(child)).toBe(0);
    expect([existsSync(socket), existsSync(`${socket}.lock`)]).toEqual([false, false]);
    expect((await hook("touch FORBIDDEN")).oneShot).toBe(true);
    const next = await serve();
    expect(next.said).toContain("answering hooks");
    expect((await hook("touch FORBIDDEN")).oneShot).toBe(false);
  });

  it("loses nothing with a judge that is killed", async () => {
    write("p.yaml", policy("FORBIDDEN", budget));
    const { child } = await serve();
    for (const id of ["c1", "c2"]) expect((await hook("echo hello", id)).stdout).toBe("");
    const [judge = 0, ...others] = childrenOf(child.pid);
    expect(others).toEqual([]);
    process.kill(judge, "SIGKILL");
    expect(await hook("echo hello", "c3")).toMatchObject({ stdout: "", oneShot: false });
    expect((await hook("echo hello", "c4")).stdout).toContain("enough");
    expect(records("s1").map(({ event }) => event)).toEqual(["segment", ...Array(4).fill("tool_call")]);
    expect(childrenOf(child.pid)).not.toContain(judge);
  });

  it("takes its judges with it when it is killed, and the next one begins", async () => {
    write("p.yaml", policy("FORBIDDEN"));
    const { child } = await serve();
    expect((await hook("echo hello")).oneShot).toBe(false);
    const judges = childrenOf(child.pid);
    expect(judges).toHaveLength(1);
    const over = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await over;
    await expect.poll(() => judges.filter(isThere)).toEqual([]);
    expect([existsSync(socket), existsSync(`${socket}.lock`)]).toEqual([true, true]);
    const denied = await hook("touch FORBIDDEN");
    expect([denied.oneShot, denied.stdout]).toEqual([true, expect.stringContaining("not this")]);
    expect((await serve()).said).toContain("answering hooks");
    expect((await hook("touch FORBIDDEN")).oneShot).toBe(false);
  });
});
