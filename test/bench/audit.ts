import { createHash } from "node:crypto";
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { canonicalJson } from "../../engine/canonical.ts";
import { firstPrev, sealLine } from "../../engine/chain.ts";
import type { Durability } from "../../store/audit-file.ts";
import { openSegments } from "../../store/segments.ts";
import { recordBody } from "../audit/trail.ts";
import { spawnSync } from "../bounded-process.ts";
import type { Verified } from "./audit-verify.ts";
import { atLeast, atMost, type Bar, digits } from "./bars.ts";
import { measure, quantile, type Report, type Subject, shownTime, type Timing, table, wallClock } from "./measure.ts";
import { isQuick } from "./options.ts";

const view = { args: { command: "ls -la /home/user/project && cat README.md".repeat(3) }, cwd: "/home/user" };
const body = (id: string): ReturnType<typeof recordBody> => recordBody("s", id, { view });

/** The audit trail: what appending a record costs at each level of durability, and what checking a large file takes. */
export async function benchAudit(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-bench-audit-"));
  try {
    const appends = await benchAppend(folder);
    const verified = benchVerify(folder, isQuick() ? 32 : 1_024);
    return {
      text: `${appends.text}\n${verified.text}`,
      numbers: { append: appends.numbers, verify: verified.numbers },
      bars: [...(appends.bars ?? []), ...(verified.bars ?? [])],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A record at a time, of about 900 bytes, beside what it needs at the least, with and without waiting for the disk. */
async function benchAppend(folder: string): Promise<Report> {
  const length = Buffer.byteLength(sealLine(canonicalJson(body("e")), link(0, firstPrev)).line);
  const plain = openSync(join(folder, "plain"), "w");
  const synced = openSync(join(folder, "synced"), "w");
  const lock = join(folder, "lock");
  const line = `${"x".repeat(length)}\n`;
  const trail = (durability: Durability): Required<Subject<ReturnType<typeof body>>> & { close(): void } => {
    const segments = openSegments(join(folder, durability), "s", { durability });
    let next = 0;
    return {
      name: `append, ${durability}`,
      prepare: () => body(`e${next++}`),
      run: (record) => segments.append(record, 0),
      close: () => segments.close(),
    };
  };
  const write: Required<Subject<ReturnType<typeof body>>> = {
    name: "lock file, JSON, SHA-256 and write, native",
    prepare: () => body("e"),
    run: (record) => {
      closeSync(openSync(lock, "wx"));
      const text = JSON.stringify(record);
      writeSync(plain, `${text}${createHash("sha256").update(text).digest("hex")}\n`);
      unlinkSync(lock);
    },
  };
  const [relaxed, group, strict] = [trail("relaxed"), trail("group"), trail("strict")];
  const fast = await measureTurns([write, relaxed, group], isQuick() ? 2_000 : 10_000, 500);
  const sync: Subject = {
    name: "write and fdatasync",
    run: () => {
      writeSync(synced, line);
      fdatasyncSync(synced);
    },
  };
  const slow = measure([sync, strict as Subject], isQuick() ? 50 : 300, 20);
  for (const one of [relaxed, group, strict]) one.close();
  for (const file of [plain, synced]) closeSync(file);
  return {
    text: `${table("one record", fast)}\n${table("one record, on disk before the answer", slow)}`,
    numbers: { fast, slow },
    bars: appendBars(fast, slow),
  };
}

/**
 * As `measure`, and before each record the process does what waits, as that of a host does: without it no sync of `group`
 * would begin.
 */
async function measureTurns<T>(
  subjects: readonly Required<Subject<T>>[],
  rounds: number,
  warmUp: number,
): Promise<readonly Timing[]> {
  const times = subjects.map(() => [] as number[]);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, { prepare, run }] of subjects.entries()) {
      const input = prepare();
      await nextTurn();
      const elapsed = wallClock();
      run(input);
      const time = elapsed();
      if (round >= 0) times[i]?.push(time);
    }
  }
  return subjects.map(({ name }, i) => {
    const [lower, median, upper] = [0.25, 0.5, 0.75].map((part) => quantile(times[i] ?? [], part));
    return { name, lower: lower ?? 0, median: median ?? 0, upper: upper ?? 0 };
  });
}

function appendBars([write, , group]: readonly Timing[], [sync, strict]: readonly Timing[]): readonly Bar[] {
  const median = group?.median ?? Number.NaN;
  const ofStrict = strict?.median ?? Number.NaN;
  return [
    atMost("audit/append", "append of an audit record, `group`, median", median * 1_000, 50, {
      unit: " µs",
      ratio: median / (write?.median || 1),
    }),
    {
      id: "audit/append-strict",
      what: "append of an audit record, `strict`, median",
      bar: "stated",
      measured: `${shownTime(ofStrict)}, ${digits(ofStrict / (sync?.median || 1))} times a write and fdatasync`,
      met: undefined,
    },
  ];
}

/** Checking a whole file, in a process of its own, beside reading it and digesting each line. */
function benchVerify(folder: string, mebibytes: number): Report {
  const [small, large] = [join(folder, "small.jsonl"), join(folder, "large.jsonl")];
  writeTrail(small, 1);
  writeTrail(large, mebibytes);
  const [base, found] = [verified(small), verified(large)];
  rmSync(large);
  const speed = found.bytes / 1e6 / found.seconds;
  const more = found.peakMiB - base.peakMiB;
  return {
    text: [
      `audit verify, ${mebibytes} MiB, ${found.records} records: ${found.status}, ${digits(speed)} MB/s`,
      `  reading it and SHA-256 of each line: ${digits(found.bytes / 1e6 / found.floorSeconds)} MB/s`,
      `  memory ${digits(found.peakMiB)} MiB, ${digits(more)} MiB more than for 1 MiB`,
    ].join("\n"),
    numbers: { mebibytes, small: base, large: found },
    bars: [
      atLeast("audit/verify", "`audit verify`", found.status === "intact" ? speed : 0, 100, {
        unit: " MB/s",
        ratio: found.seconds / found.floorSeconds,
      }),
      atMost("audit/verify-memory", `\`audit verify\`, memory for ${mebibytes} MiB above that for 1 MiB`, more, 64, {
        unit: " MiB",
      }),
    ],
  };
}

function verified(path: string): Verified {
  const [bench = ""] = process.argv.slice(1);
  const { stdout, status } = spawnSync(process.execPath, [bench, "audit-verify", path], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the check of an audit file of ${statSync(path).size} bytes ended with ${status}`);
  return JSON.parse(stdout) as Verified;
}

const link = (seq: number, prev: string) => ({
  seq,
  written: "2026-01-01T00:00:00.000Z",
  mono: seq,
  pid: 7,
  latency_us: 12,
  prev,
});

/** Writes a trail of about that size. */
function writeTrail(path: string, mebibytes: number): void {
  const file = openSync(path, "w");
  try {
    let prev = firstPrev;
    let text = "";
    for (let seq = 0, size = 0; size < mebibytes * 1_048_576; seq++) {
      const { seal, line } = sealLine(canonicalJson(body(`e${seq}`)), link(seq, prev));
      prev = seal.hash;
      size += line.length + 1;
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
