import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookReply, Payload } from "../../../adapters/one-shot/dialect.ts";
import { runHook } from "../../../adapters/one-shot/run.ts";
import { unjudgedOf } from "../../../store/unjudged.ts";

const policy = `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }
  - { id: hide, event: tool_result, action: { redact: { patterns: [{ name: k, regex: "key[0-9]+" }] } } }
`;

let root = "";
let state = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-unjudged-")));
  state = join(root, "home/.local/state/hookwarden");
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "p.yaml"), policy);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** One hook process, in this one; `more` are words of its line. */
function hook(payload: Payload, ...more: readonly string[]): Promise<HookReply> {
  return runHook(["claude-code", ...more, "--policy", join(root, "p.yaml")], {
    stdin: (async function* () {
      yield Buffer.from(JSON.stringify(payload));
    })(),
    variables: {},
    cwd: root,
    home: join(root, "home"),
    now: () => Date.now(),
  });
}

const notified = (name: string): Payload => ({ session_id: "s1", cwd: root, hook_event_name: name });
const call = (command: string, more: Payload = {}): Payload => ({
  ...notified("PreToolUse"),
  tool_name: "Bash",
  tool_input: { command },
  ...more,
});

interface Body {
  readonly event: string;
  readonly outcome: string;
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  readonly observations: object;
}

const recorded = (): Body[] =>
  readFileSync(join(state, "audit", createHash("sha256").update("s1").digest("hex"), "000001.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { body: Body }).body);

describe("an event that is not judged", () => {
  it("is answered with nothing where no rule is about it, and counted on record", async () => {
    for (let i = 0; i < 5; i++)
      expect(await hook(notified("Notification"))).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    expect(unjudgedOf(state, "claude-code")).toMatchObject([{ name: "Notification", times: 5 }]);
    const notes = recorded().filter(({ event }) => event === "not_judged");
    expect(notes.map(({ observations }) => observations)).toEqual(
      [1, 2, 4].map((times) => ({ name: "Notification", times })),
    );
  });

  it("is judged where it has the shape of a call, whatever it is called", async () => {
    for (const name of ["Notification", "PermissionRequest", "SomethingNew"])
      expect((await hook(call("touch FORBIDDEN", { hook_event_name: name }))).exitCode).toBe(2);
    expect(unjudgedOf(state, "claude-code")).toEqual([]);
  });

  it("is on record where its payload is refused", async () => {
    expect((await hook(call("touch HARMLESS", { toolName: "Read" }), "--event", "PreToolUse")).exitCode).toBe(2);
    const { outcome, errors } = recorded().at(-1) as Body;
    expect([outcome, errors[0]?.code, errors[0]?.message]).toEqual([
      "block",
      "HW501",
      expect.stringContaining("toolName"),
    ]);
  });

  it("is told at the beginning of the next session", async () => {
    const begins = { ...notified("SessionStart"), source: "startup" };
    expect((await hook(begins)).stdout).toBe("");
    await hook(notified("SomethingNew"));
    const { systemMessage, hookSpecificOutput } = JSON.parse((await hook(begins)).stdout);
    for (const text of [systemMessage, hookSpecificOutput.additionalContext])
      expect(text).toMatch(/1 event of claude-code .*`SomethingNew` 1.*hookwarden doctor claude-code/);
  });
});

describe("what could not be delivered as it was decided", () => {
  const failed = { ...call("cat x"), hook_event_name: "PostToolUseFailure", tool_use_id: "t1", error: "no key12" };
  const begins = (session: string): Payload => ({
    ...notified("SessionStart"),
    session_id: session,
    source: "startup",
  });

  it("is told at the beginning of the next session, and of no other", async () => {
    await hook(failed);
    expect(recorded().at(-1)).toMatchObject({ event: "tool_result", on_host: { delivered: "no" } });
    expect((await hook(begins("s1"))).stdout).toBe("");
    const { systemMessage, hookSpecificOutput } = JSON.parse((await hook(begins("s2"))).stdout);
    for (const text of [systemMessage, hookSpecificOutput.additionalContext])
      expect(text).toMatch(/1 decision of the last session on claude-code .*audit verify --gaps/);
    expect((await hook(begins("s3"))).stdout).toBe("");
  });
});
