import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { liveSecretValues, wrapTools } from "../../adapters/frameworks/index.ts";
import { runHook } from "../../adapters/one-shot/run.ts";
import type { ToolOutput } from "../../adapters/opencode/api.ts";
import { createPlugin } from "../../adapters/opencode/plugin.ts";
import { compile } from "../../index.ts";
import { createEngine } from "../../runtime.ts";
import { makePlace, Proxied } from "./mcp/proxied.ts";

/** Words that no detector knows: only a rule that names the value finds them. */
const ofVariable = "plum-orchard-velvet-anchor";
const ofFile = "quiet lantern meadow harbour";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const said = [ofVariable, base64(ofVariable), ofFile, base64(ofFile)];

let root = "";
let policy = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-values-")));
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "secrets.txt"), `${ofFile}\n`, { mode: 0o600 });
  const values = JSON.stringify({ env: ["PHRASE_OF_THE_TEST"], file: join(root, "secrets.txt") });
  const lines = [
    "version: 1",
    "policy: p",
    "title: Values that are known",
    "default: allow",
    "rules:",
    `  - { id: hide, title: Hide, event: tool_result, action: { redact: { values: ${values} } } }`,
    "",
  ];
  policy = lines.join("\n");
  writeFileSync(join(root, "p.yaml"), policy);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** What came out has tokens where the values stood, and the rest as it was. */
function expectRedacted(text: string): void {
  for (const value of said) expect(text).not.toContain(value);
  expect(text.match(/\[REDACTED:known-value/g)).toHaveLength(said.length);
  expect(text).toContain("first");
  expect(text).toContain("last");
}

const output = (): string => `first ${said.join(" , ")} last`;

describe("values that a policy names are redacted", () => {
  it("by a one-shot hook", async () => {
    const payload = {
      session_id: "s1",
      transcript_path: "/t",
      cwd: root,
      permission_mode: "default",
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "cat notes.txt" },
      tool_use_id: "c1",
      tool_response: { stdout: output(), stderr: "", interrupted: false },
    };
    const reply = await runHook(["claude-code", "--policy", join(root, "p.yaml")], {
      stdin: (async function* () {
        yield Buffer.from(JSON.stringify(payload));
      })(),
      variables: { PHRASE_OF_THE_TEST: ofVariable },
      cwd: root,
      home: join(root, "home"),
      now: () => Date.now(),
    });
    expectRedacted(reply.stdout);
  });

  it("by the MCP proxy", async () => {
    const result = { content: [{ type: "text", text: output() }] };
    const tool = { name: "echo", description: "says", inputSchema: { type: "object" } };
    const place = makePlace({ tools: [tool], results: { "tools/call echo": result } });
    const proxy = new Proxied(place, policy, { variables: { PHRASE_OF_THE_TEST: ofVariable } });
    try {
      await proxy.hello();
      expectRedacted(JSON.stringify(await proxy.call("echo")));
    } finally {
      await proxy.close();
      place.remove();
    }
  });

  it("by the OpenCode plugin", async () => {
    vi.stubEnv("PHRASE_OF_THE_TEST", ofVariable);
    vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
    const hooks = await createPlugin({ policies: [join(root, "p.yaml")] })({ directory: root });
    const answer: ToolOutput = { output: output(), metadata: {} };
    await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "c1", args: {} }, answer);
    expectRedacted(String(answer.output));
  });

  it("in front of an application's own tools", async () => {
    const { plan } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(policy) }] });
    const engine = createEngine(plan, { secretValues: liveSecretValues({ PHRASE_OF_THE_TEST: ofVariable }) });
    const tools = wrapTools({ echo: { execute: async (_input: object) => output() } }, engine, { cwd: root });
    expectRedacted(await tools.echo.execute({}));
  });
});
