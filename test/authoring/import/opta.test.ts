import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createPrograms } from "../../../adapters/programs.ts";
import type { GitleaksImport } from "../../../authoring/import/gitleaks.ts";
import { importOpta } from "../../../authoring/import/opta.ts";
import { isImported } from "../../../authoring/import/redact-policy.ts";
import { compile } from "../../../compiler/compile.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine } from "../../../runtime.ts";
import { run, Scratch } from "../../cli/run.ts";

const regex = createRegexEngine();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-import-opta-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const imported = (hooks: unknown, more: object = {}): GitleaksImport =>
  importOpta("config.json", Buffer.from(JSON.stringify({ ...more, hooks }, null, 2)), regex);
const left = ({ notCarried }: GitleaksImport) => notCarried.map(({ rule, field, effect }) => [rule, field, effect]);

/** What an event comes to under the imported policy, programs run for real. */
async function judged(result: GitleaksImport, event: object) {
  const file = { name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(result.policy ?? "") };
  const { plan, diagnostics } = compile({ files: [file], regex });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const engine = createEngine(plan, { regex, programs: createPrograms() });
  return (await engine.judge({ environment: { cwd: folder, workspace: folder }, session: { id: "s1" }, ...event }))
    .decision;
}

describe("importOpta", () => {
  it("writes a policy that says where it comes from, and is formatted", () => {
    const result = imported([{ event: "tool.pre", matcher: "run_command", command: "exit 1", timeout: 500 }]);
    expect(result).toMatchObject({ rules: 1, carried: 1, notCarried: [], diagnostics: [] });
    expect(isImported(result.policy ?? "")).toBe(true);
    expect(result.policy).toContain("protocol: { exit_code: opta }");
    expect(result.policy).toContain("timeout: 500ms");
  });

  it("a hook that cancels by its time-out is carried over without that, and the import says so", () => {
    const hook = { event: "tool.pre", command: "exit 1", on_timeout: "cancel" };
    expect(left(imported([hook]))).toEqual([["tool-pre-1", "on_timeout", "guards_less"]]);
    expect(left(imported([{ ...hook, on_timeout: "continue" }]))).toEqual([]);
  });

  it("a hook cancels under the policy as it does in Opta, on Opta's tool and on the same tool elsewhere", async () => {
    const result = imported([
      { event: "tool.pre", matcher: "run_command", command: 'echo "Why $OPTA_TOOL_NAME" >&2; exit 3' },
    ]);
    for (const tool of ["run_command", "Bash"]) {
      const decision = await judged(result, { event: "tool_call", tool, args: { command: "ls" } });
      expect(decision).toMatchObject({ outcome: "block", rule: "opta-hooks/tool-pre-1", reason: `Why ${tool}` });
    }
    const other = { event: "tool_call", tool: "read_file", args: { path: "a" } };
    expect((await judged(result, other)).outcome).toBe("allow");
  });

  it.each([
    [
      "tool.post",
      {
        event: "tool_result",
        tool: "edit_file",
        args: { path: "a" },
        result: { content: [{ type: "text", text: "ok" }] },
      },
      'edit_file|{"path":"a"}|ok|',
    ],
    ["error", { event: "error", message: "bad" }, "|||bad"],
    ["compact", { event: "session_compact" }, "|||"],
    ["session.end", { event: "agent_end" }, "|||"],
    ["prompt.pre", { event: "input", text: "hi" }, "|||"],
  ])("%s has Opta's variables", async (event, wire, expected) => {
    const name = `seen-${event}`;
    const rest = '"$OPTA_TOOL_NAME|$OPTA_TOOL_ARGS|$OPTA_TOOL_RESULT|$OPTA_ERROR"';
    const command = `printf '%s %s ' "$OPTA_EVENT" "$OPTA_SESSION_ID" > ${name}; printf '%s' ${rest} >> ${name}`;
    expect((await judged(imported([{ event, command }]), wire)).errors).toEqual([]);
    expect(readFileSync(join(folder, name), "utf8")).toBe(`${event} s1 ${expected}`);
  });

  it("keeps background and status, and any text of a command", async () => {
    const command = "printf '%s' \"it's: #\\n\" > quoted; # \u2028 end";
    const result = imported([{ event: "compact", command, background: true, statusMessage: "a: b" }]);
    expect(result.policy).toMatch(/background: true/);
    expect(result.policy).toMatch(/status_message: /);
    await judged(result, { event: "session_compact" });
    await expect.poll(() => readFileSync(join(folder, "quoted"), "utf8")).toBe("it's: #\\n");
  });

  it("lists what it leaves out, with what that means", () => {
    const result = imported(
      [
        { event: "tool.pre", command: "exit 1", color: "red" },
        { event: "tool.pre", prompt: "Is this harmless?" },
        { event: "tool.pre", command: "x", protocol: "json" },
        { event: "tool.pre", command: "x", matcher: "(?=a)" },
        { event: "compact", command: "x", matcher: "a" },
        { event: "tool.post", prompt: "Was this harmless?" },
      ],
      { model: "m" },
    );
    expect([result.rules, result.carried]).toEqual([6, 2]);
    expect(left(result)).toEqual([
      [undefined, "model", "none"],
      ["tool-pre-1", "color", "none"],
      ["tool-pre-2", "prompt", "guards_less"],
      ["tool-pre-3", "protocol", "guards_less"],
      ["tool-pre-4", "matcher", "guards_less"],
      ["compact-5", "matcher", "none"],
      ["tool-post-6", "prompt", "none"],
    ]);
    const [, color] = result.notCarried;
    expect(result.source?.text.slice(color?.span.start, color?.span.end)).toBe('"color"');
  });

  it.each([
    ["is not JSON", "hooks: []"],
    ["is no object", "1"],
    ["has a hook of an unknown event", '{"hooks":[{"event":"never","command":"x"}]}'],
    ["has nothing that can be carried over", '{"hooks":[]}'],
    ["is empty", ""],
  ])("a file that %s is refused", (_name, text) => {
    const result = importOpta("config.json", Buffer.from(text), regex);
    expect(result.policy).toBeUndefined();
    expect(result.diagnostics.length).toBeGreaterThan(0);
  });
});

describe("import opta", () => {
  it("prints the policy, and the report beside it", async () => {
    const scratch = new Scratch();
    scratch.put("config.json", '{"hooks":[{"event":"tool.pre","command":"exit 1"},{"event":"stop","prompt":"Done?"}]}');
    const ran = await run(["import", "opta", "config.json"], { cwd: scratch.path });
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("- id: tool-pre-1");
    expect(ran.err).toContain("config.json: 1 of 2 hooks became rules; not carried over:");
    expect(ran.err).toContain("stop-2: prompt: no rule asks a judge of the host; the hook is left out (guards less)");
  });
});
