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
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../engine/canonical.ts";
import { ChainVerifier } from "../../engine/chain.ts";
import type { AuditBody, AuditRecord } from "../../schema/generated.ts";
import {
  linesOfSession,
  openSegments,
  recordsOfSession,
  type SegmentOptions,
  segmentPath,
  segmentsOf,
  sessionFiles,
  sessionsIn,
} from "../../store/segments.ts";
import { body } from "../engine/session/bodies.ts";
import { brokenDisk } from "./broken-disk.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "hookwarden-segments-")), "audit");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const relaxed: SegmentOptions = { durability: "relaxed" };
const event = (id: string): AuditBody => body({}, { id, session: "s" });
const path = (number: number) => segmentPath(sessionFiles(folder, "s").segments, number);

/** Records each of these as a process of its own would. */
function write(ids: readonly string[], options: SegmentOptions = {}): void {
  for (const id of ids) {
    const trail = openSegments(folder, "s", { ...relaxed, ...options });
    trail.append(event(id), 3);
    trail.close();
  }
}

const records = (): AuditRecord[] => [...recordsOfSession(folder, "s")].map(({ record }) => record);
/** What stands in the trail: ids of events, and names of the trail's own notes. */
const told = (all: readonly AuditRecord[] = records()) => all.map((one) => one.body.id || one.body.event);
const linesIn = (number: number) => readFileSync(path(number), "utf8").split("\n").slice(0, -1);
const recordsIn = (number: number) => linesIn(number).map((line) => JSON.parse(line) as AuditRecord);
const observed = (name: string, all: readonly AuditRecord[] = records()) =>
  all.filter(({ body: one }) => one.event === name).map(({ body: one }) => one.observations[name]);

/** Checks all lines as one chain. */
function chain() {
  const verifier = new ChainVerifier();
  for (const { bytes, complete } of linesOfSession(folder, "s")) verifier.push(bytes ?? "", complete);
  return verifier.report();
}

describe("openSegments", () => {
  it("makes nothing before the first record, then private files under the digest of the session", () => {
    const trail = openSegments(folder, "../s\u0000", relaxed);
    expect(readdirSync(folder)).toEqual([]);
    trail.append(body({}, { session: "../s\u0000" }), 1);
    trail.close();
    const [name = ""] = readdirSync(folder);
    expect(sha256("../s\u0000")).toBe(`sha256:${name}`);
    expect(sessionsIn(folder)).toEqual([name]);
    for (const one of ["000001.jsonl", "lost"]) expect(statSync(join(folder, name, one)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700);
  });

  it("begins with a header that says who writes, and goes on in the same segment in other processes", () => {
    write(["a", "b"]);
    expect(told()).toEqual(["segment", "a", "b"]);
    expect(segmentsOf(folder, "s")).toEqual([{ number: 1, path: path(1), compressed: false }]);
    expect(records()[0]?.body).toMatchObject({
      kind: "note",
      session: "s",
      observations: {
        segment: { number: 1, previous: null, pid: process.pid, node: process.versions.node, hookwarden: "0.1.0" },
      },
    });
    expect(records().map(({ seal }) => [seal.seq, seal.latency_us])).toEqual([
      [0, 0],
      [1, 3],
      [2, 3],
    ]);
    expect(chain()).toMatchObject({ status: "intact", records: 3 });
  });

  it.each(["strict", "group", "relaxed"] as const)("has written a record when it returns (%s)", (durability) => {
    const trail = openSegments(folder, "s", { durability });
    trail.append(event("a"), 1);
    expect(told()).toEqual(["segment", "a"]);
    trail.append(event("b"), 1);
    expect(told()).toEqual(["segment", "a", "b"]);
    trail.close();
  });

  it("begins a segment for a long-lived process, linked to the head before, and all go on there", () => {
    write(["a"]);
    const first = openSegments(folder, "s", { ...relaxed, longLived: true });
    const second = openSegments(folder, "s", { ...relaxed, longLived: true });
    first.append(event("b"), 1);
    second.append(event("c"), 1);
    first.append(event("d"), 1);
    write(["e"]);
    second.append(event("f"), 1);
    for (const trail of [first, second]) trail.close();
    expect([1, 2, 3].map((number) => told(recordsIn(number)))).toEqual([
      ["segment", "a"],
      ["segment", "b"],
      ["segment", "c", "d", "e", "f"],
    ]);
    const head = recordsIn(1)[1]?.seal.hash;
    expect(observed("segment")[1]).toMatchObject({ number: 2, previous: { segment: 1, head } });
    expect(chain()).toMatchObject({ status: "intact", records: 9 });
  });

  it("begins a segment when the one before is full", () => {
    write(["a", "b", "c", "d"], { segmentBytes: 1_500 });
    expect([1, 2].map((number) => told(recordsIn(number)))).toEqual([
      ["segment", "a", "b"],
      ["segment", "c", "d"],
    ]);
    expect(chain()).toMatchObject({ status: "intact", records: 6 });
  });

  it("reads segments that were compressed, and goes on in another", () => {
    write(["a", "b"]);
    writeFileSync(`${path(1)}.gz`, gzipSync(readFileSync(path(1))));
    rmSync(path(1));
    write(["c"]);
    expect(told()).toEqual(["segment", "a", "b", "segment", "c"]);
    expect(chain()).toMatchObject({ status: "intact", records: 5 });
  });

  it("keeps sessions apart", () => {
    write(["a"]);
    const other = openSegments(folder, "t", relaxed);
    other.append(body({}, { id: "x", session: "t" }), 0);
    other.close();
    expect([...recordsOfSession(folder, "t")].map(({ record }) => record.seal.seq)).toEqual([0, 1]);
    expect(told()).toEqual(["segment", "a"]);
  });

  it.each<[string, () => void]>([
    ["a link as folder", () => symlinkSync(join(folder, ".."), folder)],
    ["a file as folder", () => writeFileSync(folder, "")],
  ])("refuses %s", (_, make) => {
    make();
    expect(() => openSegments(folder, "s", relaxed)).toThrow();
  });

  it("refuses a segment that is a link, and never writes through it", () => {
    write(["a"]);
    const text = readFileSync(path(1));
    const target = join(folder, "target");
    writeFileSync(target, text);
    rmSync(path(1));
    symlinkSync(target, path(1));
    expect(() => write(["b"])).toThrow(/symbolic link/);
    expect(readFileSync(target).equals(text)).toBe(true);
  });
});

describe("recovery", () => {
  it("moves an unfinished line aside, and notes its digest and size before the next record", () => {
    write(["a"]);
    const torn = '{"body":{"v":1,"ha';
    appendFileSync(path(1), torn);
    expect(told()).toEqual(["segment", "a"]);
    write(["b"]);
    expect(told()).toEqual(["segment", "a", "recovered", "b"]);
    expect(observed("recovered")).toEqual([{ file: "000001.jsonl.torn-1", digest: sha256(torn), size: torn.length }]);
    expect(readFileSync(`${path(1)}.torn-1`, "utf8")).toBe(torn);
    expect(chain().status).toBe("intact");
  });

  it("moves aside the unfinished line of a segment that it leaves", () => {
    write(["a"]);
    appendFileSync(path(1), "{");
    write(["b"], { longLived: true });
    expect(told()).toEqual(["segment", "a", "segment", "recovered", "b"]);
    expect(chain().status).toBe("intact");
  });

  it.each<[string, string]>([
    ["nothing", ""],
    ["half a header", '{"body":'],
  ])("begins a segment anew of which a process that ended wrote %s", (_, left) => {
    write(["a"]);
    writeFileSync(path(2), left, { mode: 0o600 });
    write(["b"]);
    expect(told(recordsIn(2)).filter((name) => name !== "recovered")).toEqual(["segment", "b"]);
    expect(chain()).toMatchObject({ status: "intact" });
  });

  const last = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";
  it.each<[string, (text: string) => string, number]>([
    ["its last record altered", (text) => text.replace(last(text), last(text).replace('"c"', '"C"')), 3],
    ["a forged record at its end", (text) => `${text}{"body":{},"seal":{}}\n`, 4],
    ["a line that is no text at its end", (text) => `${text}\n`, 4],
  ])("freezes a segment with %s: nothing of it is cut, and the next one says why", (_, damage, good) => {
    write(["a", "b", "c"]);
    const damaged = damage(readFileSync(path(1), "utf8"));
    writeFileSync(path(1), damaged);
    write(["d", "e"]);
    expect(readFileSync(path(1), "utf8")).toBe(damaged);
    const after = recordsIn(2);
    expect(told(after)).toEqual(["segment", "corruption", "d", "e"]);
    const head = (JSON.parse(linesIn(1)[good - 1] ?? "") as AuditRecord).seal.hash;
    expect(observed("segment", after)).toMatchObject([{ number: 2, previous: { segment: 1, head } }]);
    expect(observed("corruption", after)).toMatchObject([{ segment: 1, line: good + 1 }]);
    // Every line has a number of its own, whether it holds or not.
    expect(after[0]?.seal).toMatchObject({ seq: linesIn(1).length, prev: head });
    expect(chain()).toMatchObject({ status: "altered", problem: { line: good + 1 } });
  });
});

describe("a disk that fails", () => {
  it.each(["ENOSPC", "EIO", "EACCES", "EROFS"])(
    "says %s, leaves the file as it was, and counts for the next record",
    (code) => {
      const disk = brokenDisk();
      const trail = openSegments(folder, "s", { ...relaxed, disk, clock: { now: () => Date.UTC(2026, 0, 1) } });
      trail.append(event("a"), 0);
      const before = readFileSync(path(1), "utf8");
      for (const part of [0, 40, 100]) {
        disk.fails(code, part);
        expect(() => trail.append(event("lost"), 0)).toThrow(code);
        expect(readFileSync(path(1), "utf8")).toBe(before);
      }
      disk.works();
      trail.append(event("b"), 0);
      trail.append(event("c"), 0);
      trail.close();
      expect(told()).toEqual(["segment", "a", "gap", "b", "c"]);
      expect(observed("gap")).toEqual([{ lost: 3, since: "2026-01-01T00:00:00.000Z", why: code }]);
      expect(chain().status).toBe("intact");
    },
  );

  it("is remembered from one process to the next", () => {
    write(["a"]);
    const disk = brokenDisk();
    disk.fails("ENOSPC", 10);
    for (let i = 0; i < 2; i++) expect(() => write(["lost"], { disk })).toThrow("ENOSPC");
    write(["b", "c"]);
    expect(told()).toEqual(["segment", "a", "gap", "b", "c"]);
    expect(observed("gap")).toMatchObject([{ lost: 2, why: "ENOSPC" }]);
  });

  it("that fails before there is a trail is remembered in the process", () => {
    const disk = brokenDisk();
    const trail = openSegments(folder, "s", { ...relaxed, disk });
    disk.fails("ENOSPC", 0);
    expect(() => trail.append(event("lost"), 0)).toThrow("ENOSPC");
    disk.works();
    trail.append(event("a"), 0);
    expect(told()).toEqual(["segment", "gap", "a"]);
  });

  it("that cannot make the session's folder is an error each time, and counted", () => {
    const trail = openSegments(folder, "s", relaxed);
    const { segments } = sessionFiles(folder, "s");
    writeFileSync(segments, "in the way");
    expect(() => trail.append(event("lost"), 0)).toThrow();
    expect(() => trail.append(event("lost"), 0)).toThrow();
    rmSync(segments);
    trail.append(event("a"), 0);
    expect(observed("gap")).toMatchObject([{ lost: 2 }]);
  });

  it("that does not sync makes `strict` throw, and the record is not there", () => {
    const disk = brokenDisk();
    const trail = openSegments(folder, "s", { durability: "strict", disk });
    trail.append(event("a"), 0);
    disk.syncFails("EIO");
    expect(() => trail.append(event("lost"), 0)).toThrow("EIO");
    expect(told()).toEqual(["segment", "a"]);
    disk.works();
    trail.append(event("b"), 0);
    expect(told()).toEqual(["segment", "a", "gap", "b"]);
  });

  it("that does not sync in the background is said with the next record of `group`, once", async () => {
    const disk = brokenDisk();
    const trail = openSegments(folder, "s", { durability: "group", disk });
    disk.syncFails("EIO");
    trail.append(event("a"), 0);
    await expect.poll(() => disk.syncs).toBe(1);
    disk.works();
    expect(() => trail.append(event("lost"), 0)).toThrow("EIO");
    trail.append(event("b"), 0);
    trail.close();
    expect(told()).toEqual(["segment", "a", "gap", "b"]);
  });
});

describe("recordsOfSession", () => {
  it.each<[string, () => void, RegExp]>([
    ["a segment is missing", () => rmSync(path(2)), /segment 2 is missing/],
    ["the first segment is missing", () => rmSync(path(1)), /segment 1 is missing/],
    [
      "two segments are exchanged",
      () => {
        const [a, b] = [readFileSync(path(1)), readFileSync(path(2))];
        writeFileSync(path(1), b);
        writeFileSync(path(2), a);
      },
      /does not follow/,
    ],
    [
      "a segment is another session's",
      () => {
        const other = openSegments(folder, "t", relaxed);
        other.append(event("x"), 0);
        other.close();
        const from = segmentPath(sessionFiles(folder, "t").segments, 1);
        writeFileSync(path(3), readFileSync(from));
      },
      /does not follow/,
    ],
  ])("throws when %s", (_, damage, why) => {
    write(["a", "b", "c"], { longLived: true });
    damage();
    expect(() => records()).toThrow(why);
  });

  it("reads nothing of what is no segment", () => {
    write(["a"]);
    const { segments } = sessionFiles(folder, "s");
    for (const name of ["000000.jsonl", "2.jsonl", "000002.jsonl.torn-1", "000002.json", "x.jsonl"])
      writeFileSync(join(segments, name), "{}\n");
    mkdirSync(join(folder, "not-a-session"));
    expect(told()).toEqual(["segment", "a"]);
    expect(sessionsIn(folder)).toHaveLength(1);
    expect(sessionsIn(join(folder, "nowhere"))).toEqual([]);
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });
});
