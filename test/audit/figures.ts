import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { canonicalJson } from "../../engine/canonical.ts";
import { firstPrev, sealLine } from "../../engine/chain.ts";
import type { Durability } from "../../store/audit-file.ts";
import { verifyAudit } from "../../store/audit-verify.ts";
import { openSegments } from "../../store/segments.ts";
import { spawnSync } from "../bounded-process.ts";
import { recordBody } from "./trail.ts";

/** One figure with its bar; `holds` is undefined where none is set. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly bar: string;
  readonly holds: boolean | undefined;
}

/** What the check of a file took, in a process of its own. */
interface Verified {
  readonly status: string;
  readonly records: number;
  readonly mbPerSecond: number;
  /** The same by the processor time used, which other work on the machine disturbs less. */
  readonly mbPerCpuSecond: number;
  readonly peakMiB: number;
}

const usualView = { args: { command: "ls -la /home/user/project && cat README.md".repeat(3) }, cwd: "/home/user" };

/**
 * Medians of an append, a record at a time, at each level of durability. They are stated; `npm run bench audit` judges
 * them. Levels that do not wait for the disk take turns, so that they meet the same machine, and between records the process
 * does what waits, as that of a host does: without it no sync of `group` would begin.
 */
export async function appendFigures(records: number): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-append-"));
  try {
    const fast = await appendTimes(folder, ["relaxed", "group"], records);
    const slow = await appendTimes(folder, ["strict"], records / 10);
    return [...fast, ...slow].map(({ durability, times }) => {
      const at = (share: number) => times[Math.floor(share * times.length)] ?? 0;
      return {
        name: `append, ${durability}`,
        value: `${at(0.5).toFixed(1)} µs median, ${at(0.99).toFixed(0)} µs at 99 %`,
        bar: "stated",
        holds: undefined,
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Microseconds of each append, sorted. */
interface AppendTimes {
  readonly durability: Durability;
  readonly times: readonly number[];
}

async function appendTimes(
  folder: string,
  levels: readonly Durability[],
  records: number,
): Promise<readonly AppendTimes[]> {
  const subjects = levels.map((durability) => ({
    durability,
    trail: openSegments(join(folder, durability), "s", { durability }),
    times: [] as number[],
  }));
  for (let i = -100; i < records; i++) {
    for (const { trail, times } of subjects) {
      const body = recordBody("s", `e${i}`, { view: usualView });
      await nextTurn();
      const started = performance.now();
      trail.append(body, 0);
      if (i >= 0) times.push((performance.now() - started) * 1_000);
    }
  }
  for (const { trail, times } of subjects) {
    trail.close();
    times.sort((a, b) => a - b);
  }
  return subjects;
}

/** How fast a file of that size is checked, which is stated, and how much memory that takes beside 1 MiB. */
export function verifyFigures(mebibytes: number): readonly Figure[] {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-verify-"));
  try {
    const [small, large] = [join(folder, "small.jsonl"), join(folder, "large.jsonl")];
    writeTrail(small, 1);
    writeTrail(large, mebibytes);
    const [base, found] = [verifiedApart(small), verifiedApart(large)];
    const more = found.peakMiB - base.peakMiB;
    const speed = `${found.mbPerSecond.toFixed(0)} MB/s, ${found.mbPerCpuSecond.toFixed(0)} MB per second of processor time`;
    return [
      {
        name: `verify, ${mebibytes} MiB, ${found.records} records`,
        value: speed,
        bar: "intact",
        holds: found.status === "intact",
      },
      {
        name: "verify, memory",
        value: `${found.peakMiB.toFixed(0)} MiB, ${more.toFixed(0)} MiB more than for 1 MiB`,
        bar: "64 MiB more",
        holds: more <= 64,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Checks a file and prints what that took: the whole work of a process of its own. */
export async function printVerified(path: string, bytes: number): Promise<void> {
  const before = process.cpuUsage();
  const started = performance.now();
  const { status, records } = await verifyAudit(path, "/", {});
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const found: Verified = {
    status,
    records,
    mbPerSecond: bytes / 1e6 / seconds,
    mbPerCpuSecond: bytes / (user + system),
    peakMiB: process.resourceUsage().maxRSS / 1_024,
  };
  process.stdout.write(JSON.stringify(found));
}

function verifiedApart(path: string): Verified {
  const args = ["--import", "tsx", join(import.meta.dirname, "run.ts"), "--verify", path];
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the check of ${path} ended with ${status}`);
  return JSON.parse(stdout) as Verified;
}

/** Writes a trail of about that size, quickly. */
function writeTrail(path: string, mebibytes: number): void {
  const file = openSync(path, "w");
  try {
    let prev = firstPrev;
    let size = 0;
    let text = "";
    for (let seq = 0; size < mebibytes * 1_048_576; seq++) {
      const body = canonicalJson(recordBody("s", `e${seq}`, { view: usualView }));
      const link = { seq, written: "2026-01-01T00:00:00.000Z", mono: seq, pid: 7, latency_us: 12, prev };
      const { seal, line } = sealLine(body, link);
      prev = seal.hash;
      size += Buffer.byteLength(line) + 1;
      text += `${line}\n`;
      if (text.length > 1_000_000) {
        writeSync(file, text);
        text = "";
      }
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
