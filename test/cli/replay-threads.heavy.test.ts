import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replayParallel } from "../../authoring/replay/parallel.ts";
import { replayThrough } from "../../authoring/replay/replay.ts";
import { recordedSteps } from "../../cli/replay-steps.ts";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { threadBundle } from "../../scripts/build/bundles.ts";
import { policyFile } from "../literate/policies.ts";
import { call } from "./run.ts";

const root = join(import.meta.dirname, "..", "..");
let folder: string;
let worker: string;

/** The module of a thread in one file, since a thread cannot load TypeScript. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-replay-"));
  worker = join(folder, "worker.mjs");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  await build({ ...threadBundle(root, "cli/replay-worker.ts"), outfile: worker });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = compile({
  files: [
    policyFile(`version: 1
policy: p
labels: { seen: { kind: taint } }
rules:
  - { id: touch, event: tool_call, tool: bash, each: { c: shell.commands }, when: { c.program: touch }, action: block, reason: nothing is touched }
  - { id: mark, event: tool_call, tool: bash, when: { args.command: { contains: npm } }, action: { label: { add: [seen] } } }
  - { id: after, event: tool_call, tool: bash, when: 'session.labels.contains("seen")', action: ask, reason: after npm }
`),
  ],
}).plan as Plan;

const commands = ["ls", "touch a", "npm ci", "git status", "cat b"];
const lines = (sessions: number): string =>
  Array.from({ length: 120 }, (_, i) =>
    call(commands[(i * 7) % commands.length] as string, { id: `e${i}`, session: { id: `s${i % sessions}` } }),
  ).join("");

const source = (name: string) => ({ files: [{ path: join(folder, name), name, kind: "events" as const }] });

describe("threads of `replay`", () => {
  it.each([2, 3])("%i of them give the report of one, without and with lines that are no events", async (jobs) => {
    writeFileSync(join(folder, "events.jsonl"), `${lines(11)}no json\n\n`);
    const given = source("events.jsonl");
    const alone = await replayThrough({ plan }, recordedSteps(given));
    expect(alone).toMatchObject({ judged: 120, sessions: 11, unknown_lines: [{ count: 1 }] });
    const options = { jobs, worker, source: given, fewest: 0 };
    expect(await replayParallel({ plan }, () => recordedSteps(given), options)).toEqual(alone);
  });

  it("judge nothing by themselves once the files have changed", async () => {
    writeFileSync(join(folder, "short.jsonl"), lines(5));
    writeFileSync(join(folder, "long.jsonl"), lines(6));
    const [short, long] = [source("short.jsonl"), source("long.jsonl")];
    const alone = await replayThrough({ plan }, recordedSteps(short));
    const options = { jobs: 2, worker, source: long, fewest: 0 };
    expect(await replayParallel({ plan }, () => recordedSteps(short), options)).toEqual(alone);
  });

  it("that fail make the replay fail", async () => {
    const broken = join(folder, "broken.mjs");
    writeFileSync(broken, "throw new Error('no worker');\n");
    const given = source("events.jsonl");
    const options = { jobs: 2, worker: broken, source: given, fewest: 0 };
    await expect(replayParallel({ plan }, () => recordedSteps(given), options)).rejects.toThrow("no worker");
  });
});
