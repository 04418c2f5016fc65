import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Plan } from "../../engine/plan.ts";
import { linesOfSession, recordsOfSession } from "../../store/segments.ts";
import { withSession } from "../../store/session-store.ts";

/**
 * Trails written by several processes at once, and by processes that are killed: harmless ones that write records and do
 * nothing else. Short unless `HOOKWARDEN_AUDIT_FULL=1`: then 10,000 records for each of 8 writers, and 1,000 kills.
 */
const full = process.env["HOOKWARDEN_AUDIT_FULL"] === "1";
const recordsEach = full ? 10_000 : 60;
const kills = full ? 1_000 : 30;
const patience = full ? 3_600_000 : 120_000;

let root: string;
let worker: string;
let go: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-writers-"));
  worker = join(root, "worker.mjs");
  go = join(root, "go");
  buildSync({
    entryPoints: [join(import.meta.dirname, "trail-worker.ts")],
    outfile: worker,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type How = "hook" | "live" | "trail";
interface Writer {
  readonly child: ChildProcess;
  /** What it said so far, in whole lines; the first is `ready`. */
  readonly lines: () => string[];
  readonly ended: Promise<void>;
}

function start(folder: string, session: string, name: string, count: number, how: How, durability = "relaxed"): Writer {
  const child = spawn(process.execPath, [worker, folder, session, name, String(count), how, durability, go], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const parts: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (part: string) => parts.push(part));
  const ended = new Promise<void>((done) => child.on("close", () => done()));
  // A line without its line break was cut off by the end of the process, and is no acknowledgement.
  return { child, ended, lines: () => parts.join("").split("\n").slice(0, -1) };
}

const acknowledged = (writers: readonly Writer[]): string[] => writers.flatMap((one) => one.lines().slice(1));

/** Checks the whole chain of a session; gives what it says, `<id> <seq>`, notes left out. */
function recorded(folder: string, session: string): string[] {
  let due = 0;
  const said: string[] = [];
  for (const { record } of recordsOfSession(folder, session)) {
    const { body, seal } = record;
    if (seal.seq !== due++) throw new Error(`record ${seal.seq} where ${due - 1} was due`);
    if (body.session !== session) throw new Error(`a record of ${body.session}`);
    if (body.kind !== "note") said.push(`${body.id} ${seal.seq}`);
  }
  return said;
}

async function together(writers: readonly Writer[]): Promise<void> {
  await until(() => writers.every((one) => one.lines().length > 0));
  writeFileSync(go, "");
  await Promise.all(writers.map((one) => one.ended));
}

function until(holds: () => boolean): Promise<void> {
  return new Promise((done) => {
    const look = setInterval(() => {
      if (!holds()) return;
      clearInterval(look);
      done();
    }, 1);
  });
}

describe("8 processes that record at once", () => {
  it.each<[string, readonly How[]]>([
    ["bare trails", ["trail"]],
    ["live sessions", ["live"]],
    ["hooks", ["hook"]],
    ["all kinds", ["trail", "live", "hook"]],
  ])(
    "into one session lose and mix nothing (%s)",
    async (_, kinds) => {
      rmSync(go, { force: true });
      const folder = join(root, `one-${kinds.join("-")}`);
      const each = kinds.length === 1 && kinds[0] !== "trail" ? Math.ceil(recordsEach / 10) : recordsEach;
      const writers = Array.from({ length: 8 }, (__, i) =>
        start(folder, "s", `w${i}`, each, kinds[i % kinds.length] as How),
      );
      await together(writers);
      const found = recorded(folder, "s");
      expect(found).toHaveLength(8 * each);
      expect(acknowledged(writers).sort()).toEqual(found.sort());
      const state = withSession(folder, "s", (held) => held.state.data("s"), {
        plan: { digest: "sha256:plan", policies: [], rules: [] } as unknown as Plan,
        key: "key of a test",
      });
      expect(state).toMatchObject({ ok: true, value: { count: 8 * each, labels: { length: Math.min(7, each) } } });
    },
    patience,
  );

  it(
    "into several sessions keep them apart",
    async () => {
      rmSync(go, { force: true });
      const folder = join(root, "several");
      const sessions = ["a", "b", "c"];
      const writers = Array.from({ length: 8 }, (_, i) =>
        start(folder, sessions[i % 3] as string, `w${i}`, recordsEach, i % 2 === 0 ? "trail" : "live"),
      );
      await together(writers);
      const found = sessions.flatMap((session) => recorded(folder, session));
      expect(found).toHaveLength(8 * recordsEach);
      expect(acknowledged(writers).sort()).toEqual(found.sort());
    },
    patience,
  );
});

describe("a process that is killed at any moment", () => {
  it(
    "takes no record with it that it had acknowledged, and the trail goes on",
    async () => {
      writeFileSync(go, "");
      let folder = "";
      let said: string[] = [];
      for (let round = 0; round < kills; round++) {
        // Several kills in one trail, so that each writer finds what many have left.
        if (round % 25 === 0) {
          folder = join(root, `kills-${round}`);
          said = [];
        }
        const how = (["trail", "live", "hook"] as const)[round % 3] as How;
        const durability = ["relaxed", "group", "strict"][Math.floor(round / 3) % 3];
        const victim = start(folder, "s", `r${round}`, 1_000_000, how, durability);
        await until(() => victim.lines().length > 1 + (round % 6));
        await new Promise((done) => setTimeout(done, (round * 7) % 13));
        victim.child.kill("SIGKILL");
        await victim.ended;
        const next = start(folder, "s", `n${round}`, 2, round % 2 === 0 ? "hook" : "trail");
        await next.ended;
        expect(next.lines()).toHaveLength(3);
        said.push(...acknowledged([victim, next]));
        const kept = new Set(recorded(folder, "s"));
        for (const one of said) if (!kept.has(one)) throw new Error(`round ${round}: ${one} is lost`);
        expect([...linesOfSession(folder, "s")].every(({ complete }) => complete)).toBe(true);
      }
    },
    patience,
  );
});
