// The test list of the seed opta-hook-system, section 6 (tasks 1 to 7): its own statements, with our imports and layout.
// Task 8, the agent loop, is test/adapters/opta/agent-loop.test.ts.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HookManager, OptaConfigSchema } from "../../../adapters/opta/index.ts";

describe("task 1: no-op path", () => {
  it("returns non-cancelled when no hooks configured", async () => {
    const mgr = HookManager.create();
    const r = await mgr.fire("session.start", { event: "session.start", session_id: "t", cwd: "/tmp" });
    expect(r.cancelled).toBe(false);
  });
  it("create([]) returns no-op manager", async () => {
    const mgr = HookManager.create([]);
    const r = await mgr.fire("tool.pre", { event: "tool.pre", session_id: "t", cwd: "/tmp", tool_name: "x" });
    expect(r.cancelled).toBe(false);
  });
});

describe("task 2: execution + env vars", () => {
  it("fires hook and passes env vars", async () => {
    const mgr = HookManager.create([{ event: "session.start", command: 'echo "$OPTA_EVENT"' }]);
    const r = await mgr.fire("session.start", { event: "session.start", session_id: "s42", cwd: "/tmp" });
    expect(r.cancelled).toBe(false);
  });
  it("skips hooks for non-matching events", async () => {
    const mgr = HookManager.create([{ event: "session.end", command: "exit 1" }]);
    const r = await mgr.fire("session.start", { event: "session.start", session_id: "t", cwd: "/tmp" });
    expect(r.cancelled).toBe(false);
  });
});

describe("task 3: matcher patterns", () => {
  it("matcher regex filters by tool name", async () => {
    const mgr = HookManager.create([{ event: "tool.pre", matcher: "edit_file|write_file", command: "exit 1" }]);
    expect(
      (await mgr.fire("tool.pre", { event: "tool.pre", session_id: "t", cwd: "/tmp", tool_name: "edit_file" }))
        .cancelled,
    ).toBe(true);
    expect(
      (await mgr.fire("tool.pre", { event: "tool.pre", session_id: "t", cwd: "/tmp", tool_name: "read_file" }))
        .cancelled,
    ).toBe(false);
  });
  it("matches MCP tool names with mcp__.*", async () => {
    const mgr = HookManager.create([{ event: "tool.pre", matcher: "mcp__.*", command: "exit 1" }]);
    const r = await mgr.fire("tool.pre", {
      event: "tool.pre",
      session_id: "t",
      cwd: "/tmp",
      tool_name: "mcp__mem__save",
    });
    expect(r.cancelled).toBe(true);
  });
});

describe("task 4: tool.pre cancellation", () => {
  it("non-zero exit on tool.pre cancels with stderr reason", async () => {
    const mgr = HookManager.create([{ event: "tool.pre", command: 'echo "Blocked" >&2 && exit 1' }]);
    const r = await mgr.fire("tool.pre", { event: "tool.pre", session_id: "t", cwd: "/tmp", tool_name: "run_command" });
    expect(r.cancelled).toBe(true);
    expect(r.reason).toContain("Blocked");
  });
  it("non-zero exit on tool.post does NOT cancel", async () => {
    const mgr = HookManager.create([{ event: "tool.post", command: "exit 1" }]);
    const r = await mgr.fire("tool.post", { event: "tool.post", session_id: "t", cwd: "/tmp", tool_name: "edit_file" });
    expect(r.cancelled).toBe(false);
  });
});

// The seed looks at the clock here. Ours look whether the hook came to its own end, which it does not on any machine.
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-opta-tasks-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("task 5: timeout", () => {
  it("kills hooks exceeding timeout", async () => {
    const command = "sleep 30; touch slept";
    const mgr = HookManager.create([{ event: "session.start", command, timeout: 200 }]);
    await mgr.fire("session.start", { event: "session.start", session_id: "t", cwd: folder });
    expect(existsSync(join(folder, "slept"))).toBe(false);
  });
});

describe("task 6: background hooks", () => {
  it("background hooks do not block", async () => {
    const command = "while [ ! -e fired ]; do sleep 0.1; done; touch ended";
    const mgr = HookManager.create([{ event: "session.end", command, background: true }]);
    await mgr.fire("session.end", { event: "session.end", session_id: "t", cwd: folder });
    writeFileSync(join(folder, "fired"), "");
    await expect.poll(() => existsSync(join(folder, "ended"))).toBe(true);
  });
});

describe("task 7: config schema", () => {
  it("parses hooks from config", () => {
    const c = OptaConfigSchema.parse({ hooks: [{ event: "tool.pre", command: "echo hi", matcher: "edit_file" }] });
    expect(c.hooks).toHaveLength(1);
  });
  it("rejects invalid event name", () => {
    expect(() => OptaConfigSchema.parse({ hooks: [{ event: "invalid", command: "x" }] })).toThrow();
  });
  it("defaults to empty array", () => {
    expect(OptaConfigSchema.parse({}).hooks).toEqual([]);
  });
});
