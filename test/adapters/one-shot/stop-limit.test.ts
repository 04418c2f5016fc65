import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { goOnLimit } from "../../../adapters/go-on-limit.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { runHook } from "../../../adapters/one-shot/run.ts";
import { StopLimit } from "../../../adapters/one-shot/stop-limit.ts";
import { bodiesOf } from "../session-trail.ts";

const policy = `version: 1
policy: p
title: No end
default: allow
unknown: allow
rules:
  - { id: never, title: Never, event: [stop, subagent_stop], action: block, reason: there is more to do }
`;

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-stop-")));
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "p.yaml"), policy);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function hook(hook_event_name: string, session_id = "s", more: Payload = {}): Promise<string> {
  const payload = { session_id, transcript_path: "/t", cwd: root, hook_event_name, ...more };
  const reply = await runHook(["codex", "--policy", join(root, "p.yaml")], {
    stdin: (async function* () {
      yield Buffer.from(JSON.stringify({ ...payload, turn_id: "t1", model: "scripted" }));
    })(),
    variables: {},
    cwd: root,
    home: join(root, "home"),
    now: () => Date.now(),
  });
  return reply.stdout;
}

/** How often in a row a stop was refused, and whether the one after was not. */
async function refusals(event = "Stop", session = "s"): Promise<number> {
  for (let n = 0; n <= goOnLimit; n++) if (!(await hook(event, session)).includes('"block"')) return n;
  return Number.POSITIVE_INFINITY;
}

const trail = () => join(root, "home/.local/state/hookwarden/audit");

describe("an agent that a rule never lets stop", () => {
  it("is sent on a bounded number of times, then stops, on record, and begins anew", async () => {
    expect(await refusals()).toBe(goOnLimit);
    const notes = bodiesOf(trail(), "s").filter(({ event }) => event === "stop_limit");
    expect(notes.map(({ observations }) => observations)).toEqual([expect.objectContaining({ refusals: goOnLimit })]);
    expect(await refusals()).toBe(goOnLimit);
  });

  it("is not sent on more often by prompts, with which some hosts send it on", async () => {
    await hook("Stop");
    await hook("UserPromptSubmit", "s", { prompt: "go on" });
    expect(await refusals()).toBe(goOnLimit - 1);
  });

  it("is counted by session, and apart from its sub-agents", async () => {
    await hook("Stop");
    expect(await refusals("Stop", "other")).toBe(goOnLimit);
    expect(await refusals("SubagentStop")).toBe(goOnLimit);
    expect(await refusals()).toBe(goOnLimit - 1);
  });
});

describe("StopLimit", () => {
  it("lets an agent stop where nothing can be counted", () => {
    writeFileSync(join(root, "sessions"), "a file where the folder would be");
    expect(new StopLimit(root, "s").refuse()).toBe(false);
  });

  it.each([
    ["nothing", "", true],
    ["a count below the bound", "7", true],
    ["the bound", "8", false],
    ["a count below nothing", "-1", false],
    ["no number", "many", false],
  ])("that finds %s written refuses: %j, %j", (_, text, refuses) => {
    const limit = new StopLimit(root, "s");
    limit.refuse();
    const [name = ""] = readdirSync(join(root, "sessions"));
    writeFileSync(join(root, "sessions", name), text);
    expect(limit.refuse()).toBe(refuses);
  });
});
