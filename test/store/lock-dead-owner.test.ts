import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { locked } from "../../store/lock.ts";

/** A lock whose owner is gone, with real processes: one that is killed while it has the lock, and several that want it. */
const takers = 6;

const program = `
  import { existsSync, mkdirSync, rmdirSync } from "node:fs";
  import { holdLock, locked } from "./store/lock.ts";
  const [mode, lock, go] = process.argv.slice(2);
  if (mode === "hold") {
    holdLock(lock);
    process.stdout.write("held\\n");
    setInterval(() => {});
  } else {
    process.stdout.write("ready\\n");
    while (!existsSync(go)) await new Promise((done) => setTimeout(done, 1));
    // Two that are inside at once would both make the folder, and one of them could not.
    locked(lock, () => {
      mkdirSync(lock + ".inside");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      rmdirSync(lock + ".inside");
    });
  }
`;

let folder: string;
let worker: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-dead-"));
  worker = join(folder, "worker.mjs");
  const resolveDir = join(import.meta.dirname, "../..");
  const stdin = { contents: program, resolveDir, loader: "ts" } as const;
  buildSync({ stdin, outfile: worker, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(
  mode: string,
  lock: string,
  go: string,
): { child: ChildProcess; said: Promise<void>; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [worker, mode, lock, go], { stdio: ["ignore", "pipe", "inherit"] });
  const said = new Promise<void>((done) => child.stdout?.once("data", () => done()));
  const ended = new Promise<number | null>((done) => child.once("close", (code) => done(code)));
  return { child, said, ended };
}

/** A lock that a process had when it was killed. */
async function leftBehind(name: string): Promise<string> {
  const lock = join(folder, name);
  const owner = start("hold", lock, "");
  await owner.said;
  owner.child.kill("SIGKILL");
  await owner.ended;
  expect(existsSync(lock)).toBe(true);
  return lock;
}

describe("a lock whose owner was killed", () => {
  it("is taken over by the next one that wants it", { timeout: 300_000 }, async () => {
    const lock = await leftBehind("one.lock");
    expect(locked(lock, () => readFileSync(lock, "utf8"))).toMatch(new RegExp(`^${process.pid} `));
    expect(existsSync(lock)).toBe(false);
  });

  it.each([1, 2, 3])(
    "is taken over by one at a time of several that want it at once (round %i)",
    { timeout: 300_000 },
    async (round) => {
      const lock = await leftBehind(`many-${round}.lock`);
      const go = join(folder, `go-${round}`);
      const all = Array.from({ length: takers }, () => start("take", lock, go));
      await Promise.all(all.map(({ said }) => said));
      writeFileSync(go, "");
      expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => 0));
      expect([lock, `${lock}.break`, `${lock}.inside`].filter((path) => existsSync(path))).toEqual([]);
    },
  );
});

describe("a lock that cannot be taken over", () => {
  it.each([
    ["of another machine", "77 another-machine\n", "if process 77 runs no more on `another-machine`"],
    [
      "of a process that runs",
      `${process.pid} ${hostname()}\n`,
      `if process ${process.pid} runs no more on this machine`,
    ],
  ])("%s names its file, its owner, and what a human can do", (name, text, said) => {
    const lock = join(folder, `${name.replaceAll(" ", "-")}.lock`);
    writeFileSync(lock, text);
    expect(() => locked(lock, () => "done", 30)).toThrow(
      `\`${lock}\` is held by another process (${text.trim()}); ${said}`,
    );
    expect(() => locked(lock, () => "done", 30)).toThrow("a human can remove this one file, no trail is in it");
    expect(existsSync(lock)).toBe(true);
  });
});
