import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ToolOutput } from "../../../adapters/opencode/api.ts";
import { createPlugin } from "../../../adapters/opencode/plugin.ts";

const secret = ["sk_live", "51HqLyj2x9KaZ4bQmT7wRvNc8UeXfG3sPdYo6B"].join("_");

let root = "";
let file = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opencode-")));
  file = join(root, "p.yaml");
  const lines = [
    "version: 1",
    "policy: p",
    "title: Rules of these tests",
    "default: allow",
    "rules:",
    '  - { id: hide, title: Hide, event: tool_result, action: { redact: { detectors: ["secrets/*"] } } }',
    "",
  ];
  writeFileSync(file, lines.join("\n"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** The token of the secret in a host that was started anew, with its state in this folder. */
async function token(state: string, sessionID: string): Promise<string> {
  vi.stubEnv("XDG_STATE_HOME", join(root, state));
  const hooks = await createPlugin({ policies: [file] })({ directory: root });
  const output: ToolOutput = { output: `a ${secret} b`, metadata: {} };
  await hooks["tool.execute.after"]({ tool: "read", sessionID, callID: "c1", args: {} }, output);
  return String(output.output);
}

describe("OpenCode's plugin", () => {
  it("has the same tokens for a session when the host runs again", async () => {
    const first = await token("one", "s1");
    expect(first).toMatch(/^a \[REDACTED:stripe-[\w-]+:[0-9a-f]{10}\] b$/);
    expect(await token("one", "s1")).toBe(first);
  });

  it("has others for another session and for another installation", async () => {
    const tokens = [await token("one", "s1"), await token("one", "s2"), await token("two", "s1")];
    expect(new Set(tokens).size).toBe(3);
  });

  it("knows its own tokens of before a restart", async () => {
    const first = await token("one", "s1");
    const hooks = await createPlugin({ policies: [file] })({ directory: root });
    const output: ToolOutput = { output: first, metadata: {} };
    await hooks["tool.execute.after"]({ tool: "read", sessionID: "s1", callID: "c2", args: {} }, output);
    expect(output.output).toBe(first);
  });

  it("refuses every call where the key of the installation cannot be used", async () => {
    await token("one", "s1");
    chmodSync(join(root, "one/hookwarden/keys/install.key"), 0o644);
    const hooks = await createPlugin({ policies: [file] })({ directory: root });
    const call = { tool: "bash", sessionID: "s1", callID: "c1" };
    await expect(hooks["tool.execute.before"](call, { args: { command: "ls" } })).rejects.toThrow("install.key");
  });
});
