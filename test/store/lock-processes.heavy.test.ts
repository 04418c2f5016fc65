import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Locks that are taken by several processes as fast as they can. */
const processes = 8;
const times = 60_000;

let folder: string;
let worker: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-lock-"));
  worker = join(folder, "worker.mjs");
  const entryPoints = [join(import.meta.dirname, "lock-worker.ts")];
  buildSync({ entryPoints, outfile: worker, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a lock that processes take again and again", () => {
  it("is one process's at a time, however long ago the file was made that it is a name of", async () => {
    const [lock, go] = [join(folder, "lock"), join(folder, "go")];
    const ends = Array.from({ length: processes }, () => {
      const child = spawn(process.execPath, [worker, lock, String(times), go], { stdio: "inherit" });
      return new Promise((done) => child.on("close", done));
    });
    // Each has the file that its locks are names of, longer than a lock may be without a name.
    const owners = join(folder, "owners");
    const ages = (): readonly number[] =>
      existsSync(owners) ? readdirSync(owners).map((name) => Date.now() - statSync(join(owners, name)).mtimeMs) : [];
    await expect.poll(() => ages().filter((age) => age > 2_000)).toHaveLength(processes);
    writeFileSync(go, "");
    expect(await Promise.all(ends)).toEqual(ends.map(() => 0));
  });
});
