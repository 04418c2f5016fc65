import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ChainVerifier } from "../../engine/chain.ts";
import type { AuditBody } from "../../schema/generated.ts";
import { openAuditFile } from "../../store/audit-file.ts";
import { linesOfFile } from "../../store/lines.ts";
import { execFileSync } from "../bounded-process.ts";
import { brokenDisk } from "./broken-disk.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-audit-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function body(id: string): AuditBody {
  return {
    v: 1,
    event: "tool_call",
    id,
    time: "2026-01-01T00:00:00.000Z",
    host: "pi",
    session: "s",
    agent: "main",
    event_digest: "sha256:00",
    outcome: "allow",
    answered: "default",
    matched: [],
    would: [],
    transforms: [],
    errors: [],
    observations: {},
    policy_digest: "sha256:11",
    engine: "0.1.0",
    tables: {},
  };
}

function verify(path: string) {
  const verifier = new ChainVerifier();
  for (const line of linesOfFile(path, 1_000_000)) {
    if (line.bytes) verifier.push(line.bytes, line.complete);
    else verifier.pushOversized();
  }
  return verifier.report();
}

const clock = { now: () => Date.UTC(2026, 0, 1) };

describe("openAuditFile", () => {
  it("creates private folders and file, and writes one sealed line per record", () => {
    const path = join(folder, "a", "b", "audit.jsonl");
    const store = openAuditFile(path, { clock });
    const seals = [store.append(body("1"), 5.4), store.append(body("2"), 7)];
    store.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "a", "b")).mode & 0o777).toBe(0o700);
    expect(seals).toMatchObject([
      { seq: 0, written: "2026-01-01T00:00:00.000Z", latency_us: 5, pid: process.pid },
      { seq: 1, prev: seals[0]?.hash },
    ]);
    expect(verify(path)).toMatchObject({ status: "intact", records: 2, head: seals[1]?.hash });
  });

  it.each(["strict", "group", "relaxed"] as const)("goes on with the chain of an existing file (%s)", (durability) => {
    const path = join(folder, "audit.jsonl");
    for (const id of ["1", "2", "3"]) {
      const store = openAuditFile(path, { clock, durability });
      store.append(body(id), 1);
      store.close();
    }
    expect(verify(path)).toMatchObject({ status: "intact", records: 3 });
    expect(readdirSync(folder)).toEqual(["audit.jsonl"]);
  });

  it("moves an unfinished last line aside, says where, and never overwrites an earlier one", () => {
    const path = join(folder, "audit.jsonl");
    for (const torn of ['{"body":{"v', '{"other']) {
      const store = openAuditFile(path, { clock });
      store.append(body(torn), 1);
      store.close();
      appendFileSync(path, torn);
    }
    const store = openAuditFile(path, { clock });
    expect(store.torn).toBe(`${path}.torn-2`);
    store.append(body("last"), 1);
    store.close();
    expect(readFileSync(`${path}.torn-1`, "utf8")).toBe('{"body":{"v');
    expect(readFileSync(`${path}.torn-2`, "utf8")).toBe('{"other');
    expect(verify(path)).toMatchObject({ status: "intact", records: 3 });
  });

  it("refuses to go on behind an altered last record", () => {
    const path = join(folder, "audit.jsonl");
    const store = openAuditFile(path, { clock });
    store.append(body("1"), 1);
    store.close();
    writeFileSync(path, readFileSync(path, "utf8").replace('"allow"', '"block"'));
    expect(() => openAuditFile(path)).toThrow(/cannot be continued/);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("refuses a symbolic link, a folder and a device", () => {
    const target = join(folder, "target.jsonl");
    writeFileSync(target, "");
    symlinkSync(target, join(folder, "link.jsonl"));
    mkdirSync(join(folder, "directory"));
    expect(() => openAuditFile(join(folder, "link.jsonl"))).toThrow(/symbolic link/);
    expect(() => openAuditFile(join(folder, "directory"))).toThrow();
    expect(readFileSync(target, "utf8")).toBe("");
  });

  it("keeps one chain when several open stores append in turn", () => {
    const path = join(folder, "audit.jsonl");
    const stores = [openAuditFile(path), openAuditFile(path), openAuditFile(path)];
    for (let i = 0; i < 12; i++) stores[i % 3]?.append(body(String(i)), 1);
    for (const store of stores) store.close();
    expect(verify(path)).toMatchObject({ status: "intact", records: 12 });
  });

  it("keeps one chain when several processes append at once", async () => {
    const path = join(folder, "audit.jsonl");
    const script = join(folder, "writer.ts");
    const audit = new URL("../../store/audit-file.ts", import.meta.url).href;
    writeFileSync(
      script,
      `import { openAuditFile } from ${JSON.stringify(audit)};
       const store = openAuditFile(${JSON.stringify(path)}, { durability: "relaxed" });
       for (let i = 0; i < 40; i++) store.append({ ...${JSON.stringify(body("x"))}, id: process.argv[2] + "-" + i }, 1);
       store.close();`,
    );
    const { execFile } = await import("node:child_process");
    const tsx = join(import.meta.dirname, "../../node_modules/tsx/dist/cli.mjs");
    await Promise.all(
      ["a", "b", "c"].map(
        (name) =>
          new Promise<void>((done, fail) => {
            execFile(process.execPath, [tsx, script, name], (error, _, stderr) =>
              error ? fail(new Error(stderr)) : done(),
            );
          }),
      ),
    );
    expect(verify(path)).toMatchObject({ status: "intact", records: 120 });
  });

  it("takes over the lock of a process that is gone", () => {
    const path = join(folder, "audit.jsonl");
    const pid = execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim();
    const host = execFileSync(process.execPath, ["-p", "os.hostname()"], { encoding: "utf8" }).trim();
    writeFileSync(`${path}.lock`, `${pid} ${host}\n`);
    const store = openAuditFile(path);
    store.append(body("1"), 1);
    store.close();
    expect(verify(path)).toMatchObject({ status: "intact", records: 1 });
  });

  it("notes records that a failing disk took, and a clock that went back, before the next one", () => {
    const path = join(folder, "audit.jsonl");
    const disk = brokenDisk();
    let now = Date.UTC(2026, 0, 1);
    const store = openAuditFile(path, { clock: { now: () => now }, durability: "relaxed", disk });
    store.append(body("1"), 1);
    disk.fails("ENOSPC", 30);
    for (let i = 0; i < 2; i++) expect(() => store.append(body("lost"), 1)).toThrow("ENOSPC");
    disk.works();
    store.append(body("2"), 1);
    now -= 60_000;
    store.append(body("3"), 1);
    store.close();
    const bodies = readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).body);
    expect(bodies.map(({ id, event }) => (event === "tool_call" ? id : event))).toEqual([
      "1",
      "gap",
      "2",
      "clock_jump",
      "3",
    ]);
    expect(bodies[1].observations.gap).toEqual({ lost: 2, since: "2026-01-01T00:00:00.000Z", why: "ENOSPC" });
    expect(verify(path)).toMatchObject({ status: "intact", records: 5 });
  });

  it("throws after close, and for a device", () => {
    const path = join(folder, "audit.jsonl");
    const store = openAuditFile(path);
    store.close();
    expect(() => store.append(body("1"), 1)).toThrow(/closed/);
    expect(() => openAuditFile("/dev/full")).toThrow(/not a regular file/);
  });
});
