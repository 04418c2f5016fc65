import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  claudeAgentHooks,
  openSessions,
  type StoredSessionsOptions,
  wrapTools,
} from "../../../adapters/frameworks/index.ts";
import { compile } from "../../../index.ts";
import { createEngine, type Engine } from "../../../runtime.ts";
import { bodiesOf } from "../session-trail.ts";

let root = "";
let state = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-frameworks-")));
  state = join(root, "state");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const policy = (program = "/nowhere") => `version: 1
policy: p
title: Rules of these tests
default: allow
unknown: allow
labels: { seen: { kind: taint }, downloaded: { kind: mark } }
rules:
  - { id: notes, title: Notes, event: tool_call, tool: read, when: { args.path: notes.txt }, action: { label: { add: [seen] } } }
  - { id: after, title: After, event: tool_call, tool: bash, when: { session.labels: { contains: seen } }, action: block, reason: the session has seen the notes }
  - { id: few, title: Few, event: tool_call, tool: grep, budget: { limit: 1 }, action: block, reason: one search a session }
  - { id: mark, title: Mark, event: tool_call, tool: write, action: { label: { add: [downloaded], on: path } } }
  - { id: marked, title: Marked, event: tool_call, tool: bash, each: { r: effects.reads }, when: 'paths.labels(r.path).contains("downloaded")', action: block, reason: the file came from outside }
  - { id: asks, title: Asks, event: tool_call, tool: edit, action: { ask: { remember: session } }, reason: an edit }
  - { id: program, title: Program, event: tool_call, tool: fetch, action: { run: { command: ["${program}"], protocol: exit_code } } }
`;

function planOf(text = policy()): Engine["plan"] {
  const { plan, diagnostics } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(text) }] });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return plan;
}

/** A process with the tools of an agent: "ran", or why not. */
function startAgent(
  session: string | undefined = "run-1",
  {
    plan = planOf(),
    approve,
    ...options
  }: StoredSessionsOptions & { plan?: Engine["plan"]; approve?: () => boolean } = {},
) {
  const sessions = openSessions(plan, { state, ...options });
  const names = ["read", "bash", "grep", "write", "edit", "fetch"] as const;
  const execute = async (_input: object): Promise<string> => "ran";
  const tools = wrapTools(
    names.map((name) => ({ name, execute })),
    sessions,
    {
      cwd: root,
      ...(session !== "" && { session }),
      ...(approve && { approve }),
    },
  );
  const call = async (name: (typeof names)[number], input: object): Promise<string> => {
    try {
      return await (tools[names.indexOf(name)] as (typeof tools)[number]).execute(input);
    } catch (error) {
      return (error as Error).message;
    }
  };
  return { sessions, call };
}

const bodies = (session: string) => bodiesOf(join(state, "audit"), session);

describe.each(["is ended", "is left"])("a stored session that %s", (how) => {
  const leave = ({ sessions }: ReturnType<typeof startAgent>): void => {
    if (how === "is ended") sessions.end("run-1");
  };

  it("keeps its labels for the next process, and no other session has them", async () => {
    const first = startAgent();
    expect(await first.call("bash", { command: "echo hello" })).toBe("ran");
    expect(await first.call("read", { path: "notes.txt" })).toBe("ran");
    leave(first);
    expect(await startAgent().call("bash", { command: "echo hello" })).toContain("the session has seen the notes");
    expect(await startAgent("run-2").call("bash", { command: "echo hello" })).toBe("ran");
    expect(startAgent().sessions.labels("run-1")).toEqual(["seen"]);
  });

  it("keeps its budgets and approvals", async () => {
    const first = startAgent("run-1", { approve: () => true });
    expect(await first.call("grep", { pattern: "a" })).toBe("ran");
    expect(await first.call("edit", { path: "a", edits: [] })).toBe("ran");
    leave(first);
    const second = startAgent();
    expect(await second.call("grep", { pattern: "a" })).toContain("one search a session");
    expect(await second.call("edit", { path: "a", edits: [] })).toBe("ran");
  });
});

describe("stored sessions", () => {
  it("share labels of files with every session", async () => {
    await startAgent().call("write", { path: join(root, "got.sh"), content: "x" });
    const { call } = startAgent("run-2");
    expect(await call("bash", { command: `cat ${join(root, "got.sh")}` })).toContain("the file came from outside");
  });

  it("without a name end with their process", async () => {
    const first = startAgent("");
    await first.call("read", { path: "notes.txt" });
    expect(await first.call("bash", { command: "echo hello" })).toContain("the session has seen the notes");
    expect(await startAgent("").call("bash", { command: "echo hello" })).toBe("ran");
  });

  it("run the programs of rules", async () => {
    const program = join(root, "program.sh");
    const ran = join(root, "RAN");
    writeFileSync(program, `#!/bin/sh\ntouch ${ran}\necho "the program refuses" >&2\nexit 2\n`);
    chmodSync(program, 0o755);
    const plan = planOf(policy(program));
    // A program in the folder of the agent would need a digest.
    const cwd = join(root, "elsewhere");
    mkdirSync(cwd);
    const sessions = openSessions(plan, { state, workspace: cwd });
    const tools = wrapTools({ fetch: { execute: async (_: object) => "ran" } }, sessions, { cwd, session: "run-1" });
    await expect(tools.fetch.execute({ url: "https://example.com" })).rejects.toThrow("the program refuses");
    expect(existsSync(ran)).toBe(true);
  });

  it("put the adapter and the framework's version on record", async () => {
    await startAgent("run-1", { caller: { adapter: "my-agent", host_version: "7.0.1" } }).call("grep", {
      pattern: "a",
    });
    await startAgent("run-2").call("grep", { pattern: "a" });
    const calls = ["run-1", "run-2"].map((id) => bodies(id).find(({ event }) => event === "tool_call"));
    expect(calls[0]).toMatchObject({ adapter: "my-agent", host_version: "7.0.1" });
    expect(calls[1]).toMatchObject({ adapter: "frameworks", session: "run-2" });
  });

  it("serve the hooks of the Claude Agent SDK, by the SDK's own session", async () => {
    const fire = async (tool_name: string, tool_input: object) => {
      const { PreToolUse } = claudeAgentHooks(openSessions(planOf(), { state }), { cwd: root });
      const input = {
        hook_event_name: "PreToolUse",
        session_id: "s1",
        cwd: root,
        tool_name,
        tool_input,
        tool_use_id: "t",
      };
      return JSON.stringify(await PreToolUse[0]?.hooks[0]?.(input));
    };
    expect(await fire("Read", { file_path: "notes.txt" })).not.toContain("deny");
    expect(await fire("Bash", { command: "echo hello" })).toContain("the session has seen the notes");
  });

  it("refuse every call without a plan", async () => {
    const engine = openSessions(undefined, { state });
    expect(engine.decide({}).decision).toMatchObject({ outcome: "block", answered: "error" });
    engine.end("run-1");
  });

  it("say how much of the last session could not be delivered", async () => {
    expect(openSessions(undefined, { state }).undelivered("run-1")).toBeUndefined();
    const engine = openSessions(planOf(), { state });
    expect(engine.undelivered("run-1")).toBeUndefined();
    const segment = join(state, "audit", "a".repeat(64), "000001.jsonl");
    mkdirSync(dirname(segment), { recursive: true });
    const text = '{"body":{"host":"langchain","on_host":{"delivered":"weaker","short":[]}},"seal":{}}\n';
    writeFileSync(segment, text, { mode: 0o600 });
    expect(engine.undelivered("run-1")).toBeUndefined();
    expect(engine.undelivered("run-1", "langchain")).toMatch(/^1 decision of the last session on langchain could not/);
  });

  it("refuse calls while their state cannot be used, and go on when it can", async () => {
    await startAgent().call("read", { path: "notes.txt" });
    const key = join(state, "keys/install.key");
    chmodSync(key, 0o644);
    const agent = startAgent();
    expect(await agent.call("grep", { pattern: "a" })).toContain("HW515");
    chmodSync(key, 0o600);
    expect(await agent.call("grep", { pattern: "a" })).toBe("ran");
  });

  it.each([undefined, null, 1, "text", {}, { session: null }, { session: { id: 5 } }])(
    "answer %j closed",
    async (event) => {
      const engine = openSessions(planOf(), { state });
      expect(engine.decide(event).decision).toMatchObject({ outcome: "block", answered: "error" });
      expect((await engine.judge(event)).decision).toMatchObject({ outcome: "block", answered: "error" });
    },
  );
});

describe("an engine that an application made", () => {
  it("is named in records by the adapter, unless it has a caller", async () => {
    const bodiesWith = async (options: Parameters<typeof createEngine>[1]) => {
      const found: object[] = [];
      const seal = { seq: 0, written: "", pid: 0, latency_us: 0, mono: 0, prev: "", hash: "" };
      const store = { append: (body: object) => (found.push(body), seal) };
      const engine = createEngine(planOf(), { ...options, store });
      const tools = wrapTools({ grep: { execute: async () => "ran" } }, engine, { session: "s", hostVersion: "7.1" });
      await (tools.grep.execute as (input: object) => Promise<unknown>)({ pattern: "a" });
      expect(engine.labels("s")).toEqual([]);
      return found[0];
    };
    expect(await bodiesWith({})).toMatchObject({ adapter: "frameworks", host_version: "7.1" });
    expect(await bodiesWith({ caller: { adapter: "mine" } })).toMatchObject({ adapter: "mine" });
  });
});
