import { describe, expect, it } from "vitest";
import { canaryForms } from "../../../adapters/install/canary-payloads.ts";
import type { HookReply, Payload } from "../../../adapters/one-shot/dialect.ts";
import { dialects } from "../../../adapters/one-shot/registry.ts";
import type { Decision } from "../../../schema/generated.ts";
import { asked, blocked, decision, said } from "./decisions.ts";

/** Hosts of which both the document and exit code 2 with a reason are known to refuse a call. */
const both = ["claude-code", "codex", "gemini", "copilot", "vscode", "goose"];
/** Hosts that read one of them alone: exit codes, or the document, which Cursor is told to take for a refusal if it is spoiled. */
const byCode = ["windsurf", "opta"];
const byDocument = ["cursor", "cline"];

const reply = (host: string, made: Decision): HookReply => {
  const dialect = dialects[host];
  const form = canaryForms[host];
  if (!dialect || !form) throw new Error(`no host ${host}`);
  return said(dialect, form.payload("touch x", "/w"), made).reply;
};

const prompts: Readonly<Record<string, Payload>> = {
  "claude-code": { session_id: "s", cwd: "/w", hook_event_name: "UserPromptSubmit", prompt: "hi" },
  codex: { session_id: "s", cwd: "/w", hook_event_name: "UserPromptSubmit", prompt: "hi", turn_id: "t", model: "m" },
  vscode: { sessionId: "s", cwd: "/w", hookEventName: "UserPromptSubmit", prompt: "hi", timestamp: "t" },
  gemini: { session_id: "s", cwd: "/w", hook_event_name: "BeforeAgent", prompt: "hi", timestamp: "t" },
};

describe("a refusal survives output that was spoiled", () => {
  it("names every host once", () => {
    expect([...both, ...byCode, ...byDocument].sort()).toEqual(Object.keys(dialects).sort());
  });

  it.each(both)("%s: a refused call leaves as a document and with exit 2 and the same reason", (host) => {
    const { stdout, stderr, exitCode } = reply(host, blocked);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Blocked by hookwarden \(rule p\/no\): not this/);
    const written = JSON.stringify(JSON.parse(stdout));
    expect(written).toContain(JSON.stringify(stderr.trimEnd()).slice(1, -1));
  });

  it.each(Object.keys(prompts))("%s: so does a refused prompt", (host) => {
    const dialect = dialects[host];
    if (!dialect) throw new Error(host);
    const { stdout, stderr, exitCode } = said(dialect, prompts[host] as Payload, blocked).reply;
    expect([exitCode, stdout.includes("not this"), stderr.includes("not this")]).toEqual([2, true, true]);
  });

  it.each(byCode)("%s: leaves with exit 2 and the reason, and no document", (host) => {
    expect(reply(host, blocked)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("not this"),
      stdout: "",
    });
  });

  it.each(byDocument)("%s: leaves as its document", (host) => {
    expect(reply(host, blocked)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("not this") });
  });

  it.each([...both, ...byDocument])("%s: what passes, and what a human is asked, never leaves with exit 2", (host) => {
    expect(reply(host, decision()).exitCode).toBe(0);
    const question = reply(host, asked);
    const refuses = /"(?:deny|block)"/.test(question.stdout);
    expect(question.exitCode).toBe(refuses && both.includes(host) ? 2 : 0);
  });
});
