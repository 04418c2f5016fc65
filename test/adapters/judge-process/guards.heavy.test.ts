import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RemoteOptions } from "../../../adapters/judge-process/remote-judge.ts";
import { ConnectionJudge } from "../../../adapters/mcp/judge.ts";
import { ompFamily } from "../../../adapters/omp/family.ts";
import { pluginOf } from "../../../adapters/opencode/with-plan.ts";
import type { PiContext } from "../../../adapters/pi/api.ts";
import { piFamily } from "../../../adapters/pi/family.ts";
import { guardWithPlan } from "../../../adapters/pi/plan-file.ts";
import { compile } from "../../../compiler/compile.ts";
import type { AuditBody } from "../../../schema/generated.ts";
import { contextWith } from "../pi/payloads.ts";
import { bodiesOf } from "../session-trail.ts";

/**
 * The real guards of hosts that load us into their own process, with a judge process whose engine does what nobody foresaw:
 * the host gets its own form of a refusal, its thread stays free, and the next call is judged as if nothing had been.
 */

const policy = `version: 1
policy: p
default: allow
unknown: allow
labels: { seen: { kind: taint } }
rules:
  - { id: notes, event: tool_call, tool: read, when: { args.path: notes.txt }, action: { label: { add: [seen] } } }
  - { id: after, event: tool_call, tool: bash, when: { session.labels: { contains: seen } }, action: block, reason: the session has seen the notes }
  - { id: few, event: tool_call, tool: grep, budget: { limit: 2 }, action: block, reason: two searches a session }
  - { id: order, event: tool_call, tool: ls, sequence: { after: [{ tool: find }] }, action: block, reason: no listing after a search }
`;

function planOf(text: string) {
  const { plan, diagnostics } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(text) }] });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return plan;
}
const plan = planOf(policy);

/** What is not answered in this time is not answered; a start of the process on a machine with much to do is within it. */
const budget = 2_000;
const hostile: RemoteOptions = {
  budget,
  command: {
    command: [process.execPath, "--max-old-space-size=64", join(import.meta.dirname, "hostile-judge.mjs")],
    cwd: "/",
    variables: { PATH: "/usr/bin:/bin" },
  },
};

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-judge-")));
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const name of ["", "-program", "-program.event"])
    rmSync(`${root}${name}`, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const records = (session = "s1"): readonly AuditBody[] => bodiesOf(join(root, "state/hookwarden/audit"), session);

/** What a host is asked to run, and what becomes of it: "runs", or the words of the refusal. */
interface Host {
  call(tool: string, args: Readonly<Record<string, unknown>>, session?: string): Promise<string>;
  /** What is left of a result of a tool. */
  result(text: string, args: Readonly<Record<string, unknown>>): Promise<string>;
}

function ofFamily(family: typeof piFamily, audit?: false, by = plan): Host {
  const handlers = new Map<string, (event: unknown, context: PiContext) => unknown>();
  const api = { on: (name: string, handler: unknown) => void handlers.set(name, handler as never) };
  guardWithPlan(api, { plan: by, ...(audit === false && { audit }) }, { family, ...hostile });
  const fire = (name: string, event: object, session: string) =>
    handlers.get(name)?.(
      { type: name, ...event },
      contextWith({ cwd: root, sessionManager: { getSessionId: () => session } }),
    );
  let calls = 0;
  return {
    async call(toolName, input, session = "s1") {
      const reply = await fire("tool_call", { toolName, toolCallId: `c${++calls}`, input: { ...input } }, session);
      const { block, reason } = (reply ?? {}) as { block?: boolean; reason?: string };
      return block === true ? String(reason) : "runs";
    },
    async result(text, input) {
      const call = { toolName: "bash", toolCallId: "c0", input: { ...input }, isError: false, details: {} };
      const reply = await fire("tool_result", { ...call, content: [{ type: "text", text }] }, "s1");
      const { content } = (reply ?? { content: [{ text }] }) as { content: readonly { text: string }[] };
      return content.map((part) => part.text).join("");
    },
  };
}

function ofOpenCode(): Host {
  const hooks = pluginOf(async () => ({ plan }), hostile)({ directory: root });
  let calls = 0;
  return {
    async call(tool, args, sessionID = "s1") {
      try {
        await (await hooks)["tool.execute.before"]({ tool, sessionID, callID: `c${++calls}` }, { args: { ...args } });
        return "runs";
      } catch (error) {
        return (error as Error).message;
      }
    },
    async result(text, args) {
      const output = { title: "t", output: text, metadata: { text } };
      await (await hooks)["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "c0", args }, output);
      return JSON.stringify(output);
    },
  };
}

/** The deeds after which there is no answer, and those that end in a fault or with the process. */
const hangs = [
  "busy",
  "busy after an await",
  "no answer after an await",
  "a native call",
  ...(process.platform === "linux" ? ["a folder that cannot be made", "a pipe that nobody writes"] : []),
];
const breaks = ["throws", "rejects", "memory without end", "exits", "is killed", "speaks nonsense", "half an answer"];

/** The first has all of it; the process is the same for all, so others are shown one of each kind. */
const hosts: readonly (readonly [string, () => Host, readonly string[], readonly string[]])[] = [
  ["pi", () => ofFamily(piFamily), hangs, breaks],
  ["omp", () => ofFamily(ompFamily), ["busy"], ["is killed"]],
  ["OpenCode", ofOpenCode, ["busy", "no answer after an await"], ["throws", "is killed"]],
];

/** Asks until the process that takes the place of another is there, however long that takes it on this machine. */
async function untilRuns(call: () => Promise<string>): Promise<void> {
  let said = "";
  for (let tries = 0; tries < 20 && said !== "runs"; tries++) said = await call();
  expect(said).toBe("runs");
}

describe.each(hosts)("%s, whose engine", (_host, start, hanging, breaking) => {
  it.each(hanging)("hangs (%s), refuses in words and goes on", async (comment) => {
    const host = start();
    await untilRuns(() => host.call("find", { pattern: "x" }));
    let turns = 0;
    const beat = setInterval(() => turns++, 10);
    const said = await host.call("bash", { command: "true", comment });
    clearInterval(beat);
    expect(said).toContain(`no decision was made within ${budget} ms`);
    expect(turns).toBeGreaterThan(5);
    await untilRuns(() => host.call("bash", { command: "true" }));
    const fault = records().find(({ event }) => event === "error");
    expect(fault).toMatchObject({
      outcome: "block",
      errors: [{ code: "HW506" }],
      observations: { failed: "tool_call" },
    });
  });

  it.each(breaking)("breaks (%s), refuses in words and goes on", async (comment) => {
    const host = start();
    await untilRuns(() => host.call("find", { pattern: "x" }));
    expect(await host.call("bash", { command: "true", comment })).toMatch(
      /on purpose|the judge process gave no answer/,
    );
    await untilRuns(() => host.call("bash", { command: "true" }));
    expect(records().map(({ event }) => event)).toContain("error");
  });

  it("hangs over a result, withholds it", async () => {
    const host = start();
    await untilRuns(() => host.call("bash", { command: "true" }));
    expect(await host.result("RESULT-OF-THE-TOOL", { command: "true", comment: "busy" })).not.toContain(
      "RESULT-OF-THE-TOOL",
    );
  });

  it("hangs, knows afterwards what the session came to", async () => {
    const host = start();
    await untilRuns(() => host.call("find", { pattern: "x" }));
    expect(await host.call("read", { path: "notes.txt", filePath: "notes.txt" })).toBe("runs");
    expect(await host.call("grep", { pattern: "a" })).toBe("runs");
    expect(await host.call("write", { path: "a", filePath: "a", content: "", comment: "busy" })).toContain(
      "no decision",
    );
    await untilRuns(() => host.call("write", { path: "a", filePath: "a", content: "" }));
    expect(await host.call("bash", { command: "true" })).toContain("the session has seen the notes");
    expect(await host.call("ls", { path: "." })).toContain("no listing after a search");
    expect(await host.call("grep", { pattern: "a" })).toBe("runs");
    expect(await host.call("grep", { pattern: "a" })).toContain("two searches a session");
    expect(await host.call("bash", { command: "true" }, "s2")).toBe("runs");
  });

  it("hangs at one of several calls, refuses those that wait behind it", async () => {
    const host = start();
    await untilRuns(() => host.call("find", { pattern: "x" }));
    const said = await Promise.all([
      host.call("bash", { command: "true", comment: "busy" }),
      host.call("bash", { command: "true" }, "s2"),
      host.call("bash", { command: "true" }, "s3"),
    ]);
    expect(said.filter((one) => one === "runs")).toEqual([]);
    await untilRuns(() => host.call("bash", { command: "true" }, "s2"));
  });
});

describe("a program of a rule", () => {
  it("may take longer than an answer, and one that is ended is no fault of the process", {
    timeout: 300_000,
  }, async () => {
    // Outside of the folder that the agent works in.
    const program = `${root}-program`;
    const text = `#!/bin/sh\ncat > "$0.event"; if grep -q forever "$0.event"; then sleep 600; fi; sleep ${(2 * budget) / 1_000}\n`;
    writeFileSync(program, text, { mode: 0o755 });
    const waiting = planOf(`version: 1
policy: p
default: allow
unknown: allow
rules:
  - { id: program, event: tool_call, tool: bash, action: { run: { command: ["${program}"], protocol: exit_code, timeout: 12s } } }
`);
    const host = ofFamily(piFamily, undefined, waiting);
    await untilRuns(() => host.call("find", { pattern: "x" }));
    expect(await host.call("bash", { command: "true" })).toBe("runs");
    const late = await host.call("bash", { command: "echo forever" });
    expect(late).toContain("HW513");
    expect(late).not.toContain("judge process");
    expect(records().filter(({ event }) => event === "error")).toEqual([]);
  });
});

describe("a session without an audit trail", () => {
  it("is closed after a hang, because what it came to is lost, and another one is not", {
    timeout: 300_000,
  }, async () => {
    const host = ofFamily(piFamily, false);
    await untilRuns(() => host.call("bash", { command: "true" }));
    expect(await host.call("bash", { command: "true", comment: "busy" })).toContain("no decision");
    expect(await host.call("bash", { command: "true" })).toContain("begin a new session");
    await untilRuns(() => host.call("bash", { command: "true" }, "another"));
  });
});

describe("a judge process that cannot be started", () => {
  it.each([
    ["is not there", ["/nonexistent/node", "x"]],
    ["ends at once", [process.execPath, "--eval", "process.exit(3)"]],
    ["is another program", [process.execPath, "--eval", "console.log('hello')"]],
  ])("because it %s refuses every call", async (_name, command) => {
    const handlers = new Map<string, (event: unknown, context: PiContext) => unknown>();
    const given = { command: command as [string, ...string[]], cwd: "/", variables: {} };
    guardWithPlan(
      { on: (name: string, handler: unknown) => void handlers.set(name, handler as never) },
      { plan },
      { command: given, budget },
    );
    const event = { type: "tool_call", toolName: "bash", toolCallId: "c", input: { command: "true" } };
    const reply = await handlers.get("tool_call")?.(event, contextWith({ cwd: root }));
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("the judge process gave no answer") });
  });
});

describe("the MCP proxy", () => {
  const open = () =>
    ConnectionJudge.open({
      policies: ["pack:recommended"],
      set: {},
      cwd: root,
      home: join(root, "home"),
      variables: { HOME: join(root, "home") },
      server: "small",
      log: () => undefined,
      now: () => Date.now(),
      remote: hostile,
    });

  it("refuses a call over which the engine hangs, and goes on", async () => {
    const judge = await open();
    const call = async (comment: string) => {
      const { refused } = await judge.call({ name: "echo", args: { word: "x", comment } });
      return refused ?? "runs";
    };
    await untilRuns(() => call("none"));
    expect(await call("busy")).toContain("no decision was made within");
    await untilRuns(() => call("none"));
    await judge.close();
    const trail = bodiesOf(join(root, "home/.local/state/hookwarden/audit"), judge.session);
    expect(trail.map(({ event }) => event)).toContain("error");
  });

  it("withholds a result over which the engine hangs", async () => {
    const judge = await open();
    await untilRuns(async () => (await judge.call({ name: "echo", args: {} })).refused ?? "runs");
    const result = { content: [{ type: "text" as const, text: "RESULT" }], is_error: false };
    const decision = await judge.result({ name: "echo", args: { comment: "busy" } }, result);
    expect(decision.answered).toBe("error");
    expect(JSON.stringify(decision.changes)).not.toContain("RESULT");
    expect(Object.hasOwn(decision.changes, "content")).toBe(true);
    await judge.close();
  });
});
