import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createOptaGuard, HookManager } from "../../../adapters/opta/index.ts";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import { runAgent } from "./agent.ts";

/** The places where an agent fires hooks, in the loop that is shipped, with real tools; commands are harmless stand-ins. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opta-loop-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = join(folder, "log");
beforeEach(() => writeFileSync(log, ""));
const lines = () => readFileSync(log, "utf8").split("\n").filter(Boolean);

/** One hook for an event that writes down what it was given. */
const witness = (event: Parameters<HookManager["fire"]>[0]) =>
  ({
    event,
    command: 'printf "%s|%s|%s|%s\\n" "$OPTA_EVENT" "$OPTA_TOOL_NAME" "$OPTA_TOOL_RESULT" "$OPTA_ERROR" >> log',
  }) as const;
const witnesses = (["session.start", "tool.pre", "tool.post", "compact", "session.end", "error"] as const).map(witness);

describe("the call sites of the agent loop", () => {
  it("fires at the start, round each tool, after compaction and at the end", async () => {
    const session = await runAgent(HookManager.create(witnesses), folder, [
      { calls: [{ tool: "write_file", args: { path: "a.txt", content: "hello" } }] },
      { calls: [{ tool: "read_file", args: { path: "a.txt" } }], compact: true },
      {},
    ]);
    expect(session).toEqual({ messages: ["written", "hello"] });
    expect(lines()).toEqual([
      "session.start|||",
      "tool.pre|write_file||",
      "tool.post|write_file|written|",
      "tool.pre|read_file||",
      "tool.post|read_file|hello|",
      "compact|||",
      "session.end|||",
    ]);
  });

  it("fires after a tool that failed", async () => {
    const { messages } = await runAgent(HookManager.create(witnesses), folder, [
      { calls: [{ tool: "read_file", args: { path: "absent" } }] },
    ]);
    expect(messages[0]).toMatch(/^failed: ENOENT/);
    expect(lines()[2]).toMatch(/^tool\.post\|read_file\|failed: ENOENT/);
  });

  it("fires on an error with its message", async () => {
    const session = await runAgent(HookManager.create(witnesses), folder, [{ fails: "model is down" }]);
    expect(session.error).toBe("model is down");
    expect(lines()).toEqual(["session.start|||", "error|||model is down"]);
  });

  it("skips a cancelled tool, hands standard error to the model and goes on", async () => {
    const hooks = HookManager.create([
      { event: "tool.pre", matcher: "run_command", command: 'echo "Not that" >&2; exit 3' },
      witness("tool.post"),
    ]);
    const { messages } = await runAgent(hooks, folder, [
      { calls: [{ tool: "run_command", args: { command: "touch FORBIDDEN" } }] },
      { calls: [{ tool: "read_file", args: { path: "log" } }] },
    ]);
    expect(messages[0]).toBe("[blocked] Not that");
    expect(existsSync(join(folder, "FORBIDDEN"))).toBe(false);
    expect(lines()).toHaveLength(1);
  });

  it("fires before a prompt, and before it stops; a hook may send it on", async () => {
    const command = '[ -e sent-on ] || { touch sent-on; echo "Run the tests" >&2; exit 1; }';
    const hooks = HookManager.create([witness("prompt.pre"), { event: "stop", command }, witness("session.end")]);
    const session = await runAgent(hooks, folder, [{ text: "done" }, { text: "tested" }], "Please");
    expect(session).toEqual({ messages: ["Please", "done", "Run the tests", "tested"] });
    expect(lines()).toEqual(["prompt.pre|||", "session.end|||"]);
  });

  it("takes no prompt that a hook refuses", async () => {
    const refuses = HookManager.create([{ event: "prompt.pre", command: "echo No >&2; exit 1" }, witness("error")]);
    const session = await runAgent(refuses, folder, [{ text: "never" }], "Please");
    expect(session).toEqual({ messages: [], error: "the prompt was refused: No" });
    expect(lines()).toEqual(["error|||the prompt was refused: No"]);
  });

  it("runs the tool without hooks, as a control", async () => {
    await runAgent(HookManager.create(), folder, [
      { calls: [{ tool: "run_command", args: { command: "touch ALLOWED" } }] },
    ]);
    expect(existsSync(join(folder, "ALLOWED"))).toBe(true);
  });

  it("holds a policy beside the hooks, with redacted results", async () => {
    const text = [
      "version: 1",
      "policy: p",
      "rules:",
      "  - id: no-touch",
      "    event: tool_call",
      '    when: { args.command: { matches: "^touch " } }',
      "    action: block",
      "    reason: no touching",
      "  - id: keys",
      "    event: tool_result",
      '    action: { redact: { patterns: [{ name: k, regex: "key-[0-9]+", replacement: "[gone]" }] } }',
      "",
    ].join("\n");
    const file = { name: "p.yaml", path: "/p.yaml", bytes: new TextEncoder().encode(text) };
    const { plan, diagnostics } = compile({ files: [file] });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const guard = createOptaGuard(createEngine(plan), { hooks: HookManager.create(witnesses) });
    const { messages } = await runAgent(guard, folder, [
      { calls: [{ tool: "run_command", args: { command: "touch FORBIDDEN" } }] },
      { calls: [{ tool: "run_command", args: { command: "printf key-123" } }] },
    ]);
    expect(messages[0]).toContain("no touching");
    expect(messages[1]).toBe("[gone]");
    expect(existsSync(join(folder, "FORBIDDEN"))).toBe(false);
    expect(lines()).toContain("tool.post|run_command|[gone]|");
    expect(lines().join()).not.toContain("key-123");
  });
});
