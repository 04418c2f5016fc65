import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Frontier, leafHash } from "../../engine/audit/merkle.ts";
import { ChainVerifier } from "../../engine/chain.ts";
import type { Plan } from "../../engine/plan.ts";
import type { AuditRecord } from "../../schema/generated.ts";
import { compressSegments } from "../../store/compression.ts";
import { linesOfFile } from "../../store/lines.ts";
import { type RetireOptions, retireSessions } from "../../store/retention.ts";
import { linesOfSession, openSegments, segmentPath, sessionDigest, sessionFiles } from "../../store/segments.ts";
import { withSession } from "../../store/session-store.ts";
import { body } from "../engine/session/bodies.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "hookwarden-retention-")), "audit");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const day = 86_400_000;
const now = Date.UTC(2027, 0, 1);

/** Records this many events of a session, so many days ago, each by a process that begins a segment. */
function session(name: string, daysAgo: number, events = 2): void {
  for (let i = 0; i < events; i++) {
    const clock = { now: () => now - daysAgo * day };
    const trail = openSegments(folder, name, { durability: "relaxed", longLived: true, clock });
    trail.append(body({}, { id: `${name}${i}`, session: name }), 0);
    trail.close();
  }
}

const retire = (options: Partial<RetireOptions> = {}) => retireSessions(folder, { now, patience: 50, ...options });
const retired = (): AuditRecord[] => {
  const path = join(folder, "retired.jsonl");
  if (!existsSync(path)) return [];
  return [...linesOfFile(path, 1_000_000)].map(({ bytes }) => JSON.parse(Buffer.from(bytes ?? []).toString("utf8")));
};
const stands = (name: string) => existsSync(sessionFiles(folder, name).segments);

describe("retireSessions", () => {
  it("takes whole sessions whose last record is old, and keeps head, count and roots on record", () => {
    session("old", 500);
    session("young", 399);
    session("old", 401);
    const tree = new Frontier();
    for (const { bytes, segment } of linesOfSession(folder, "old"))
      if (segment.number === 1) tree.add(leafHash(bytes as Uint8Array));
    const chain = new ChainVerifier();
    for (const { bytes } of linesOfSession(folder, "old")) chain.push(bytes as Uint8Array);
    const report = retire();
    expect(report).toMatchObject({ kept: 1, left: [] });
    expect([stands("old"), stands("young")]).toEqual([false, true]);
    const record = retired();
    expect(record.map(({ body: one }) => one.event)).toEqual(["retired"]);
    expect(record[0]?.body.observations["retired"]).toEqual(report.retired[0]);
    expect(report.retired).toMatchObject([
      {
        session: sessionDigest("old"),
        records: 8,
        head: chain.report().head,
        last: new Date(now - 401 * day).toISOString(),
      },
    ]);
    expect(report.retired[0]?.segments).toHaveLength(4);
    expect(report.retired[0]?.segments[0]).toEqual({
      number: 1,
      size: 2,
      root: Buffer.from(tree.root()).toString("base64"),
    });
    // This process has its file for locks there.
    const left = readdirSync(folder).filter((name) => name !== "owners");
    expect(left.sort()).toEqual([sessionDigest("young"), "retired.jsonl"].sort());
  });

  it("chains what it retires later to what it has retired", () => {
    session("a", 900);
    session("b", 450);
    expect(retire({ olderThanDays: 800 }).retired).toHaveLength(1);
    expect(retire().retired).toHaveLength(1);
    expect(retired().map(({ seal }) => seal.seq)).toEqual([0, 1]);
    expect(retire()).toEqual({ retired: [], kept: 0, left: [] });
  });

  it("refuses fewer than 180 days unless that is forced", () => {
    session("a", 100);
    for (const olderThanDays of [179, 0, -1, Number.NaN]) expect(() => retire({ olderThanDays })).toThrow(/180 days/);
    expect(() => retire({ olderThanDays: -1, forceShort: true })).toThrow(/180 days/);
    expect(retire({ olderThanDays: 180 }).retired).toHaveLength(0);
    expect(retire({ olderThanDays: 90, forceShort: true }).retired).toHaveLength(1);
  });

  it("says what would go without taking it", () => {
    session("a", 500);
    expect(retire({ dryRun: true }).retired).toHaveLength(1);
    expect(stands("a")).toBe(true);
    expect(retired()).toEqual([]);
  });

  it.each<[string, (path: string) => void, RegExp]>([
    ["are altered", (path) => writeFileSync(path, readFileSync(path, "utf8").replace("a0", "A0")), /do not hold/],
    ["end in the middle of a line", (path) => appendFileSync(path, "{"), /not finished/],
    ["miss a segment", (path) => rmSync(path), /segment 1 is missing/],
    ["are in use", () => writeFileSync(sessionFiles(folder, "a").lock, `${process.pid} ${hostname()}\n`), /is held/],
  ])("leaves a session alone whose records %s", (_, damage, why) => {
    session("a", 500);
    damage(segmentPath(sessionFiles(folder, "a").segments, 1));
    const before = readdirSync(sessionFiles(folder, "a").segments);
    const report = retire();
    expect(report).toMatchObject({ retired: [], left: [{ name: sessionDigest("a") }] });
    expect(report.left[0]?.why).toMatch(why);
    expect(readdirSync(sessionFiles(folder, "a").segments)).toEqual(before);
  });

  it("keeps what a kept session began from, however far up", () => {
    const plan = { digest: "d", policies: [], rules: [] } as unknown as Plan;
    const begin = (name: string, parent: string | undefined, daysAgo: number) =>
      withSession(
        folder,
        name,
        ({ state, store }) => {
          const one = body({ ...(parent !== undefined && { parent }) }, { session: name });
          store.append(one, 0);
          state.fold(one);
        },
        { plan, key: "k", clock: { now: () => now - daysAgo * day }, ...(parent !== undefined && { parent }) },
      );
    begin("grandparent", undefined, 900);
    begin("parent", "grandparent", 800);
    begin("child", "parent", 10);
    begin("alone", undefined, 900);
    expect(retire()).toMatchObject({ kept: 3, retired: [{ session: sessionDigest("alone") }] });
  });

  it("removes no file that is not its own, and finishes what an earlier run began", () => {
    session("a", 500);
    const { segments } = sessionFiles(folder, "a");
    writeFileSync(join(segments, "notes.txt"), "mine");
    mkdirSync(join(folder, `retiring-${"0".repeat(64)}`));
    retire();
    expect(readdirSync(join(folder, `retiring-${sessionDigest("a")}`))).toEqual(["notes.txt"]);
    expect(existsSync(join(folder, `retiring-${"0".repeat(64)}`))).toBe(false);
  });

  it("takes nothing when the trail of retired sessions cannot be written", () => {
    session("a", 500);
    mkdirSync(join(folder, "retired.jsonl"));
    expect(() => retire()).toThrow();
    expect(stands("a")).toBe(true);
  });

  it("finds nothing in a folder that is not there", () => {
    expect(retire()).toEqual({ retired: [], kept: 0, left: [] });
  });
});

describe("compressSegments", () => {
  const names = (name: string) => readdirSync(sessionFiles(folder, name).segments).sort();

  it("compresses all segments but the newest, which are read as before", () => {
    session("a", 1, 3);
    const before = [...linesOfSession(folder, "a")].map(({ bytes }) => Buffer.from(bytes ?? []).toString("utf8"));
    const report = compressSegments(folder);
    expect(report.left).toEqual([]);
    expect(report.compressed).toHaveLength(2);
    expect(names("a")).toEqual(["000001.jsonl.gz", "000002.jsonl.gz", "000003.jsonl", "lost"]);
    expect(statSync(join(sessionFiles(folder, "a").segments, "000001.jsonl.gz")).mode & 0o777).toBe(0o600);
    expect([...linesOfSession(folder, "a")].map(({ bytes }) => Buffer.from(bytes ?? []).toString("utf8"))).toEqual(
      before,
    );
    expect(compressSegments(folder).compressed).toEqual([]);
    session("a", 0, 1);
    expect(retire({ olderThanDays: 0, forceShort: true, now: now + day }).retired).toMatchObject([{ records: 8 }]);
  });

  it("leaves alone what ends with an unfinished line, and says so", () => {
    session("a", 1, 2);
    appendFileSync(segmentPath(sessionFiles(folder, "a").segments, 1), "{");
    expect(compressSegments(folder)).toMatchObject({
      compressed: [],
      left: [{ why: expect.stringMatching(/unfinished/) }],
    });
    expect(names("a")).toContain("000001.jsonl");
  });

  it("says what it would do without doing it", () => {
    session("a", 1, 2);
    expect(compressSegments(folder, { dryRun: true }).compressed).toHaveLength(1);
    expect(names("a")).toContain("000001.jsonl");
  });
});
