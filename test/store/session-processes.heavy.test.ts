import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { recordsOfSession } from "../../store/segments.ts";
import { withSession } from "../../store/session-store.ts";

/** Sessions shared by plain processes: harmless ones that judge calls of `read` and do nothing else. */

const policy = `version: 1
policy: p
labels: { seen: { kind: mark } }
rules:
  - { id: ten, event: tool_call, tool: read, budget: { limit: 10, executed: true }, action: block, reason: ten a session }
  - { id: seen, event: tool_call, tool: read, action: { label: { add: [seen], when_blocked: true } } }
`;

let root: string;
let worker: string;
let plan: Plan;
let planFile: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-processes-"));
  worker = join(root, "worker.mjs");
  buildSync({
    entryPoints: [join(import.meta.dirname, "session-worker.ts")],
    outfile: worker,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["re2"],
    logLevel: "silent",
  });
  const made = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: new TextEncoder().encode(policy) }] });
  plan = made.plan as Plan;
  planFile = join(root, "plan.json");
  writeFileSync(planFile, JSON.stringify(plan));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Worker {
  readonly child: ChildProcess;
  /** Lines so far; the first is `ready`. */
  readonly lines: () => string[];
  readonly ended: Promise<void>;
}

function start(folder: string, session: string, name: string, calls: number): Worker {
  const child = spawn(process.execPath, [worker, folder, planFile, session, name, String(calls)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const ended = new Promise<void>((done) => child.on("close", () => done()));
  // A line without its line break was cut off by the end of the process, and is no acknowledgement.
  return { child, ended, lines: () => text.split("\n").slice(0, -1) };
}

const answers = (workers: readonly Worker[]): string[] => workers.flatMap((one) => one.lines().slice(1));

/** Checks the chain of a session, contiguous from zero, each following the one before; gives what is no note of the trail's own. */
function recordsIn(folder: string, session: string) {
  const records = [...recordsOfSession(folder, session)].map(({ record }) => record);
  expect(records.map(({ seal }) => seal.seq)).toEqual(records.map((_, i) => i));
  return records.filter(({ body }) => body.kind !== "note");
}

function go(): void {
  writeFileSync(`${planFile}.go`, "");
}

function until(holds: () => boolean): Promise<void> {
  return new Promise((done) => {
    const look = setInterval(() => {
      if (!holds()) return;
      clearInterval(look);
      done();
    }, 2);
  });
}

describe("processes that share a session", () => {
  it("lose nothing and mix nothing: every record follows the one before, and a budget lets exactly its limit through", async () => {
    const folder = join(root, "shared");
    const workers = Array.from({ length: 8 }, (_, i) => start(folder, "s", `w${i}`, 25));
    await until(() => workers.every((one) => one.lines().length > 0));
    go();
    await Promise.all(workers.map((one) => one.ended));
    const records = recordsIn(folder, "s");
    expect(records).toHaveLength(200);
    const said = answers(workers);
    expect(said.sort()).toEqual(records.map(({ body, seal }) => `${body.id} ${body.outcome} ${seal.seq}`).sort());
    expect(records.map(({ body }) => body.outcome)).toEqual(records.map((_, i) => (i < 10 ? "allow" : "block")));
    expect(new Set(records.map(({ seal }) => seal.pid)).size).toBe(8);
    expect(records.filter(({ body }) => body.state?.labels?.includes("seen"))).toHaveLength(1);
  });

  it("that are killed at any moment lose no record that was acknowledged, and leave a state that can be used", async () => {
    go();
    for (let round = 0; round < 30; round++) {
      const folder = join(root, `round${round}`);
      const workers = [start(folder, "s", "a", 200), start(folder, "s", "b", 12)];
      const [victim, other] = workers as [Worker, Worker];
      // Each round ends the process another number of answers and of milliseconds later.
      await until(() => victim.lines().length > 1 + (round % 5));
      await new Promise((done) => setTimeout(done, (round * 7) % 11));
      victim.child.kill("SIGKILL");
      await Promise.all(workers.map((one) => one.ended));
      const records = recordsIn(folder, "s");
      const kept = new Set(records.map(({ body, seal }) => `${body.id} ${body.outcome} ${seal.seq}`));
      for (const said of answers(workers)) expect(kept.has(said), `round ${round}: ${said}`).toBe(true);
      expect(other.lines()).toHaveLength(13);
      const allowed = records.filter(({ body }) => body.outcome === "allow");
      expect(allowed.length).toBe(Math.min(10, records.length));
      const after = withSession(folder, "s", ({ state }) => state.data("s")?.count, { plan, key: "key of a test" });
      expect(after).toEqual({ ok: true, value: records.length });
    }
  });
});
