import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChainVerifier } from "../../engine/chain.ts";
import type { AuditBody } from "../../schema/generated.ts";
import { recordsOfSession, segmentPath, sessionFiles } from "../../store/segments.ts";
import { SessionMemory } from "../../store/session-memory.ts";
import { type HeldSession, type SessionStoreOptions, withSession } from "../../store/session-store.ts";
import { body } from "../engine/session/bodies.ts";
import "../properties/seed.ts";
import { type BrokenDisk, brokenDisk } from "./broken-disk.ts";
import { usual } from "./session-options.ts";

/** Sessions that a daemon leaves open between the events of a host. */
let folder: string;
let memory: SessionMemory;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "hookwarden-memory-")), "state");
  memory = new SessionMemory();
});
afterEach(() => {
  vi.useRealTimers();
  memory.release();
  rmSync(join(folder, ".."), { recursive: true, force: true });
});

/** Records this in a session as an engine does: appended, then folded; gives its number. */
function record(session: string, state: object, options: Partial<SessionStoreOptions>, at = folder, id = "e") {
  const one: AuditBody = body({ ...state }, { session, id });
  const work = (held: HeldSession): number => {
    const { seq } = held.store.append(one, 0);
    held.state.fold(one);
    return seq;
  };
  return withSession(at, session, work, { ...usual, ...options });
}

/** From now on timers go by `later` alone. */
const stopTimers = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

/** Lets the time pass within which `group` syncs, and waits for what that begins. */
async function later(disk: BrokenDisk): Promise<void> {
  vi.advanceTimersByTime(30);
  await expect.poll(() => disk.underWay).toBe(0);
}

/** What a session's state is: its labels, calls, budgets. */
function stateOf(session: string, options: Partial<SessionStoreOptions>, at = folder): unknown {
  const read = withSession(at, session, ({ state }) => JSON.stringify(state.data(session)), { ...usual, ...options });
  return read.ok ? JSON.parse(read.value ?? "null") : read.error;
}

const newest = (session: string, at = folder) => segmentPath(sessionFiles(at, session).segments, 1);
const bodies = (session: string, at = folder) => [...recordsOfSession(at, session)].map((one) => one.record.body);

function isIntact(session: string, at = folder): boolean {
  const chain = new ChainVerifier();
  for (const line of readFileSync(newest(session, at), "utf8").split("\n").slice(0, -1)) chain.push(line);
  return chain.report().status === "intact";
}

/** Files of the folder that this process has open, where the system tells. */
function openFiles(): readonly string[] {
  if (!existsSync("/proc/self/fd")) return [];
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

describe("a session that is left open", () => {
  it("comes to the same as one that is read anew for each event, whoever else records in between", () => {
    const sessions = ["a", "b", "c"];
    const step = fc.record({
      session: fc.constantFrom(...sessions),
      remembers: fc.boolean(),
      label: fc.constantFrom("x", "y", "z"),
      spent: fc.boolean(),
    });
    let round = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const [kept, anew] = [join(folder, `kept${round}`), join(folder, `anew${round}`)];
        round += 1;
        const own = new SessionMemory();
        for (const [i, { session, remembers, label, spent }] of steps.entries()) {
          const change = {
            labels: [label],
            ...(spent && { spent: [{ rule: "p/budget", bucket: "", amount: 1 }] }),
          };
          const first = record(session, change, remembers ? { memory: own } : {}, kept, `e${i}`);
          expect(first).toEqual(record(session, change, {}, anew, `e${i}`));
        }
        for (const session of new Set(steps.map((one) => one.session))) {
          expect(stateOf(session, { memory: own }, kept)).toEqual(stateOf(session, {}, anew));
          const ids = (at: string) => bodies(session, at).map(({ id, state }) => [id, state?.labels]);
          expect(ids(kept)).toEqual(ids(anew));
          expect(isIntact(session, kept)).toBe(true);
        }
        own.release();
        for (const session of new Set(steps.map((one) => one.session)))
          expect(stateOf(session, {}, kept)).toEqual(stateOf(session, {}, anew));
      }),
      { numRuns: 15 },
    );
  });

  it("is not waited for by the disk in `group`, which has its records within milliseconds all the same", async () => {
    stopTimers();
    const disk = brokenDisk();
    const group = { memory, disk, durability: "group" } as const;
    for (let n = 0; n < 3; n++) record("s", {}, group);
    await later(disk);
    const before = disk.syncs;
    expect(record("s", {}, group)).toEqual({ ok: true, value: 4 });
    expect(disk.syncs).toBe(before);
    await later(disk);
    expect(disk.syncs).toBe(before + 1);
  });

  it("has each record on the disk before the answer in `strict`", () => {
    const disk = brokenDisk();
    const strict = { memory, disk, durability: "strict" } as const;
    record("s", {}, strict);
    for (let n = 0; n < 5; n++) {
      const before = disk.syncs;
      record("s", {}, strict);
      expect(disk.syncs).toBe(before + 1);
    }
  });

  it("says at the next record that one did not reach the disk, and that on record when it works again", async () => {
    stopTimers();
    const disk = brokenDisk();
    const group = { memory, disk, durability: "group" } as const;
    for (let n = 0; n < 3; n++) record("s", { labels: [`l${n}`] }, group);
    await later(disk);
    record("s", { labels: ["late"] }, group);
    disk.syncFails("EIO");
    await later(disk);
    disk.works();
    expect(() => record("s", { labels: ["lost"] }, group)).toThrow(/EIO/);
    expect(record("s", { labels: ["again"] }, group)).toMatchObject({ ok: true });
    expect(bodies("s").map(({ event, state }) => state?.labels?.[0] ?? event)).toEqual(
      expect.arrayContaining(["late", "gap", "again"]),
    );
    expect(bodies("s").flatMap(({ state }) => state?.labels ?? [])).not.toContain("lost");
  });

  it("brings what waits to the disk when the process ends, and closes its files", () => {
    const disk = brokenDisk();
    for (const session of ["a", "b"])
      for (let n = 0; n < 3; n++) record(session, {}, { memory, disk, durability: "group" });
    const before = disk.syncs;
    memory.release();
    expect(disk.syncs).toBe(before + 2);
    expect(openFiles()).toEqual([]);
  });

  it("has no more files open than sessions are remembered", () => {
    const few = new SessionMemory(24);
    for (let n = 0; n < 40; n++) for (const _ of [1, 2]) record(`s${n}`, {}, { memory: few });
    expect(openFiles().length).toBeLessThanOrEqual(24);
    expect(record("s0", {}, { memory: few })).toEqual({ ok: true, value: 3 });
    few.release();
  });

  it.each<[string, (path: string) => void]>([
    ["cut off", (path) => truncateSync(path, 10)],
    ["removed", (path) => rmSync(path)],
    [
      "replaced",
      (path) => {
        rmSync(path);
        appendFileSync(path, "{}\n");
      },
    ],
    ["followed by what is no record", (path) => appendFileSync(path, "{}\n")],
  ])("is closed when its records are %s meanwhile, as one that is read anew", (_, damage) => {
    for (let n = 0; n < 3; n++) record("s", { labels: ["x"] }, { memory });
    damage(newest("s"));
    expect(record("s", {}, { memory })).toMatchObject({ ok: false, error: { code: "HW515" } });
    expect(record("s", {}, {})).toMatchObject({ ok: false, error: { code: "HW515" } });
    expect(openFiles()).toEqual([]);
  });

  it("is read anew after what failed with it", () => {
    for (let n = 0; n < 3; n++) record("s", {}, { memory });
    const fail = (): never => {
      throw new Error("work failed");
    };
    expect(() => withSession(folder, "s", fail, { ...usual, memory })).toThrow("work failed");
    expect(openFiles()).toEqual([]);
    expect(record("s", {}, { memory })).toMatchObject({ ok: true });
  });
});
