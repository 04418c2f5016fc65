import {
  appendFileSync,
  chmodSync,
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
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SessionState, sessionRules } from "../../engine/session-state.ts";
import type { AuditBody } from "../../schema/generated.ts";
import { recordsOfSession, segmentPath, sessionFiles } from "../../store/segments.ts";
import { type HeldSession, type SessionStoreOptions, withSession } from "../../store/session-store.ts";
import { body, judged } from "../engine/session/bodies.ts";
import { plan, usual } from "./session-options.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "hookwarden-session-")), "state");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

/** Records this in a session as an engine does: appended, then folded. */
function add({ state, store }: HeldSession, one: AuditBody): number {
  const seal = store.append(one, 0);
  state.fold(one);
  return seal.seq;
}

function record(
  session: string,
  state: object = {},
  options: Partial<SessionStoreOptions> = {},
  rest: Partial<AuditBody> = {},
) {
  const { parent } = options;
  const one = body({ ...(parent !== undefined && { parent }), ...state }, { session, ...rest });
  return withSession(folder, session, (held) => add(held, one), { ...usual, ...options });
}

function labels(session: string, options: Partial<SessionStoreOptions> = {}): readonly string[] | string {
  const result = withSession(folder, session, ({ state }) => state.labels(session), { ...usual, ...options });
  return result.ok ? result.value : `${result.error.code} ${result.error.message}`;
}

/** Files of a session, with its first segment. */
const files = (session: string) => {
  const found = sessionFiles(folder, session);
  return { ...found, records: segmentPath(found.segments, 1) };
};
/** Records of a session that say something of it: no headers of segments. */
const bodies = (session: string): AuditBody[] =>
  [...recordsOfSession(folder, session)].map(({ record: one }) => one.body).filter(({ event }) => event !== "segment");

describe("withSession", () => {
  it("gives the next call what the one before has left", () => {
    expect(record("s", { labels: ["x"], at: 5 })).toEqual({ ok: true, value: 1 });
    expect(
      record("s", {
        steps: [{ rule: "p/seq", items: [0] }],
        spent: [{ rule: "p/budget", bucket: "session", amount: 2 }],
      }),
    ).toEqual({ ok: true, value: 2 });
    const seen = withSession(folder, "s", ({ state }) => state.view(judged()), usual);
    expect(seen).toMatchObject({ ok: true, value: { labels: ["x"], now: 5 } });
    const view = seen.ok ? seen.value : undefined;
    expect(view?.calls).toHaveLength(2);
    expect(view?.sequenceHolds("p/seq")).toBe(true);
    expect(view?.budgetLeft("p/budget", "session")).toBe(1);
    expect(labels("another")).toEqual([]);
  });

  it("keeps files to their owner, under names that no session id can choose", () => {
    const id = "../../escape/__proto__\u0000";
    expect(record(id)).toMatchObject({ ok: true });
    const [own = "", ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(own).toMatch(/^[0-9a-f]{64}$/);
    for (const path of [folder, join(folder, own)]) expect(statSync(path).mode & 0o777).toBe(0o700);
    const found = readdirSync(join(folder, own));
    expect(found.sort()).toEqual(["000001.jsonl", "lost", "state.json"]);
    for (const name of found) expect(statSync(join(folder, own, name)).mode & 0o777).toBe(0o600);
  });

  it("closes an open folder to others", () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    record("s");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("throws what the work throws, keeps what it recorded, and frees the lock", () => {
    const failing = () =>
      withSession(
        folder,
        "s",
        (held) => {
          add(held, body({ labels: ["x"] }));
          throw new Error("work failed");
        },
        usual,
      );
    expect(failing).toThrow("work failed");
    expect(labels("s")).toEqual(["x"]);
    expect(existsSync(files("s").lock)).toBe(false);
  });

  it("writes no files of a session that is only looked at", () => {
    labels("s");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("refuses a record of a session whose lock it does not hold", () => {
    expect(() => withSession(folder, "s", (held) => add(held, body({}, { session: "t" })), usual)).toThrow(/not held/);
  });

  it("saves no state that could not be recorded", () => {
    record("s");
    withSession(
      folder,
      "s",
      ({ state }) => {
        state.fold(body({ labels: ["unrecorded"] }));
      },
      usual,
    );
    expect(labels("s")).toEqual([]);
  });
});

describe("a snapshot", () => {
  it("gives the same state as the records alone", () => {
    record("s", { labels: ["x", "y"], at: 7, turn: 2, shadow: ["d"] });
    record(
      "s",
      { question: { key: "k", remember: "session" }, paths: [{ path: "/a", labels: ["x"] }] },
      {},
      { outcome: "ask", id: "10" },
    );
    record("s", { question: { key: "l", remember: "never" } }, {}, { outcome: "ask", id: "9" });
    record("s", {
      steps: [{ rule: "p/seq", items: [0] }],
      spent: [{ rule: "p/budget", bucket: "session", amount: 1 }],
    });
    const rebuilt = new SessionState(sessionRules(plan));
    for (const one of bodies("s")) rebuilt.fold(one);
    const read = withSession(folder, "s", ({ state }) => structuredClone(state.data("s")), usual);
    expect(read).toEqual({ ok: true, value: rebuilt.data("s") });
    expect([...(rebuilt.data("s")?.questions.keys() ?? [])]).toEqual(["10", "9"]);
  });

  const spoil: [string, (path: string) => void][] = [
    ["is gone", (path) => rmSync(path)],
    ["is empty", (path) => writeFileSync(path, "")],
    ["is no JSON", (path) => writeFileSync(path, "{")],
    ["is not UTF-8", (path) => writeFileSync(path, new Uint8Array([0xff, 0xfe]))],
    ["is a list", (path) => writeFileSync(path, "[]")],
    [
      "has another label",
      (path) => writeFileSync(path, readFileSync(path, "utf8").replace('"labels":["x"]', '"labels":[]')),
    ],
    ["has no MAC", (path) => writeFileSync(path, readFileSync(path, "utf8").replace(/,"mac":"[0-9a-f]+"/, ""))],
    [
      "has half a MAC",
      (path) => writeFileSync(path, readFileSync(path, "utf8").replace(/("mac":"[0-9a-f]{8})[0-9a-f]+/, "$1")),
    ],
  ];
  it.each(spoil)("that %s is thrown away, and the state rebuilt", (_, change) => {
    record("s", { labels: ["x"] });
    record("s");
    change(files("s").snapshot);
    expect(labels("s")).toEqual(["x"]);
    expect(record("s")).toEqual({ ok: true, value: 3 });
  });

  it.each<[string, Partial<SessionStoreOptions>]>([
    ["another key", { key: "another key" }],
    ["another plan", { plan: { ...plan, digest: "sha256:other" } }],
  ])("of %s is of no use", (_, options) => {
    record("s", { labels: ["x"] });
    writeFileSync(files("s").records, readFileSync(files("s").records));
    expect(labels("s", options)).toEqual(["x"]);
  });

  it("of another session is of no use", () => {
    record("s", { labels: ["x"] });
    record("t");
    writeFileSync(files("t").snapshot, readFileSync(files("s").snapshot));
    expect(labels("t")).toEqual([]);
  });

  it("that is older than the records is completed from them", () => {
    record("s", { labels: ["x"] });
    const old = readFileSync(files("s").snapshot);
    record("s", { labels: ["y"] });
    writeFileSync(files("s").snapshot, old);
    expect(labels("s")).toEqual(["x", "y"]);
  });

  it("is written after an unfinished record of a process that ended, which nobody was told of", () => {
    record("s", { labels: ["x"] });
    appendFileSync(files("s").records, '{"body":{"labels":["half');
    expect(record("s", { labels: ["y"] })).toEqual({ ok: true, value: 3 });
    expect(labels("s")).toEqual(["x", "y"]);
    expect(bodies("s").map(({ event }) => event)).toEqual(["tool_call", "recovered", "tool_call"]);
  });
});

describe("state that cannot be had is the error HW515", () => {
  const lines = (session: string) => readFileSync(files(session).records, "utf8").split("\n");
  const broken: [string, () => void][] = [
    ["the last record is removed", () => writeFileSync(files("s").records, `${lines("s").slice(0, 2).join("\n")}\n`)],
    ["all records are removed", () => writeFileSync(files("s").records, "")],
    ["the trail is removed", () => rmSync(files("s").records)],
    [
      "the last record is altered",
      () => writeFileSync(files("s").records, lines("s").join("\n").replace(/"z"/, '"w"')),
    ],
    [
      "an earlier record is altered and the snapshot is gone",
      () => {
        rmSync(files("s").snapshot);
        writeFileSync(files("s").records, lines("s").join("\n").replace(/"x"/, '"w"'));
      },
    ],
    [
      "records stand in another order and the snapshot is gone",
      () => {
        rmSync(files("s").snapshot);
        const [a, b, c] = lines("s");
        writeFileSync(files("s").records, `${[b, a, c].join("\n")}\n`);
      },
    ],
    [
      "the records are those of another session",
      () => {
        record("t", { labels: ["t"] });
        rmSync(files("s").snapshot);
        writeFileSync(files("s").records, readFileSync(files("t").records));
      },
    ],
    [
      "the records are a link",
      () => {
        writeFileSync(join(folder, "elsewhere"), readFileSync(files("s").records));
        rmSync(files("s").records);
        symlinkSync(join(folder, "elsewhere"), files("s").records);
      },
    ],
    [
      "the snapshot is a link",
      () => {
        writeFileSync(join(folder, "elsewhere"), readFileSync(files("s").snapshot));
        rmSync(files("s").snapshot);
        symlinkSync(join(folder, "elsewhere"), files("s").snapshot);
      },
    ],
    ["the lock is held by a process that runs", () => writeFileSync(files("s").lock, `${process.pid} ${hostname()}\n`)],
    ["the lock is another machine's", () => writeFileSync(files("s").lock, "1 another-machine\n")],
    ["the lock is a link", () => symlinkSync(join(folder, "nowhere"), files("s").lock)],
  ];
  it.each(broken)("when %s", (_, breakIt) => {
    for (const label of ["x", "y", "z"]) record("s", { labels: [label] });
    breakIt();
    expect(labels("s")).toMatch(/^HW515 session state cannot be used: /);
  });

  it("when the folder is a link, or a file", () => {
    mkdirSync(join(folder, "..", "real"));
    symlinkSync(join(folder, "..", "real"), folder);
    expect(labels("s")).toMatch(/^HW515 /);
    rmSync(folder);
    writeFileSync(folder, "");
    expect(labels("s")).toMatch(/^HW515 /);
  });

  it("after the wait that was agreed, which may be none", () => {
    record("s");
    writeFileSync(files("s").lock, `${process.pid} ${hostname()}\n`);
    // A clock that goes on by what is waited, and by nothing else.
    let now = 0;
    vi.spyOn(process, "hrtime").mockImplementation(() => [0, now * 1_000_000]);
    vi.spyOn(Atomics, "wait").mockImplementation((_list, _at, _value, milliseconds = 0) => {
      now += milliseconds;
      return "timed-out";
    });
    try {
      expect(labels("s", { patience: 100 })).toMatch(/is held by another process/);
      expect([now > 100, now < 103]).toEqual([true, true]);
      now = 0;
      expect(labels("s", { patience: 0 })).toMatch(/is held by another process/);
      expect(now).toBeLessThan(3);
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe("a session with a parent, between processes", () => {
  const child = { parent: "p" };

  it("starts with the parent's state, which stands in its own records", () => {
    record("p", { labels: ["x"], spent: [{ rule: "p/budget", bucket: "session", amount: 2 }], at: 9 });
    record("c", { labels: ["y"] }, child);
    record("p", { labels: ["later"] });
    expect(labels("c")).toEqual(["x", "y"]);
    expect(bodies("c").map((one) => one.event)).toEqual(["session_inherit", "tool_call"]);
    const left = withSession(
      folder,
      "c",
      ({ state }) => state.view(judged({ id: "c" })).budgetLeft("p/budget", "session"),
      usual,
    );
    expect(left).toEqual({ ok: true, value: 1 });
  });

  it("is rebuilt from records alone as it began, whatever the parent did later", () => {
    record("p", { labels: ["x"] });
    record("c", {}, child);
    record("p", { labels: ["later"] });
    rmSync(files("c").snapshot);
    rmSync(files("p").snapshot);
    expect(labels("c")).toEqual(["x"]);
  });

  it("gives its labels to all of its ancestors", () => {
    record("g");
    record("p", {}, { parent: "g" });
    record("c", { labels: ["deep"], shadow: ["dim"] }, child);
    for (const id of ["g", "p", "c"]) expect(labels(id)).toEqual(["deep"]);
    expect(bodies("g").map((one) => one.event)).toEqual(["tool_call", "session_join"]);
    record("c", { labels: ["deep"] }, child);
    expect(bodies("p").filter((one) => one.event === "session_join")).toHaveLength(1);
  });

  it("gives labels to a parent that begins later, and to the parent's own parents", () => {
    record("c", { labels: ["early"] }, child);
    record("g");
    record("p", {}, { parent: "g" });
    for (const id of ["g", "p"]) expect(labels(id)).toEqual(["early"]);
  });

  it("is closed when its labels cannot reach the parent", () => {
    record("p");
    record("c", {}, child);
    writeFileSync(files("p").lock, `${process.pid} ${hostname()}\n`);
    expect(record("c", {}, child)).toMatchObject({ ok: true });
    expect(() => record("c", { labels: ["x"] }, child)).toThrow(/HW515|held by another process/);
    expect(bodies("c")).toHaveLength(3);
    const caught = withSession(
      folder,
      "c",
      (held) => {
        // An engine whose audit is best effort goes on without a record; the answer must not be used all the same.
        try {
          add(held, body({ labels: ["x"] }, { session: "c" }));
        } catch {
          return "went on";
        }
        return "recorded";
      },
      usual,
    );
    expect(caught).toMatchObject({ ok: false, error: { code: "HW515" } });
    expect(labels("c")).toEqual([]);
  });

  it("is closed when the parent's records are gone that it began with, and its own snapshot too", () => {
    record("p", { labels: ["x"] });
    record("c", {}, child);
    rmSync(files("c").snapshot);
    rmSync(files("p").records);
    expect(labels("c")).toMatch(/^HW515 /);
  });

  it("may come from itself, or in a circle", () => {
    expect(record("a", { labels: ["x"] }, { parent: "a" })).toMatchObject({ ok: true });
    expect(record("b", { labels: ["y"] }, { parent: "d" })).toMatchObject({ ok: true });
    expect(record("d", { labels: ["z"] }, { parent: "b" })).toMatchObject({ ok: true });
    expect(labels("d")).toEqual(["y", "z"]);
  });

  it("has a bounded number of ancestors", () => {
    record("n0");
    for (let i = 1; i < 40; i++) record(`n${i}`, {}, { parent: `n${i - 1}` });
    rmSync(files("n39").snapshot);
    for (let i = 0; i < 39; i++) rmSync(files(`n${i}`).snapshot);
    expect(labels("n39")).toMatch(/^HW515 .*ancestors/);
    expect(labels("n20")).toEqual([]);
  });
});
