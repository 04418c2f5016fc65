import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ompFamily } from "../../../adapters/omp/family.ts";
import type { PiContext } from "../../../adapters/pi/api.ts";
import type { AuditPlace } from "../../../adapters/pi/audit.ts";
import type { Family } from "../../../adapters/pi/family.ts";
import { guardWithPlan } from "../../../adapters/pi/plan-file.ts";
import { compile } from "../../../compiler/compile.ts";
import { ChainVerifier } from "../../../engine/chain.ts";
import { contextWith, toolCallEvent } from "./payloads.ts";

/** Guards one after the other over one state folder, as processes of a host are. */

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-sessions-"));
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  // A judge process that was let go may write its last record meanwhile.
  rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

const policy = `version: 1
policy: p
default: allow
unknown: allow
labels: { seen: { kind: taint }, downloaded: { kind: mark } }
rules:
  - { id: notes, event: tool_call, tool: read, when: { args.path: notes.txt }, action: { label: { add: [seen] } } }
  - { id: after, event: tool_call, tool: bash, when: { session.labels: { contains: seen } }, action: block, reason: the session has seen the notes }
  - { id: few, event: tool_call, tool: grep, budget: { limit: 2 }, action: block, reason: two searches a session }
  - { id: order, event: tool_call, tool: ls, sequence: { after: [{ tool: find }] }, action: block, reason: no listing after a search }
  - { id: once, event: tool_call, tool: edit, action: { ask: { remember: session } }, reason: an edit }
  - { id: mark, event: tool_call, tool: write, action: { label: { add: [downloaded], on: path } } }
  - { id: marked, event: tool_call, tool: bash, each: { r: effects.reads }, when: 'paths.labels(r.path).contains("downloaded")', action: block, reason: "the file came from outside" }
`;

function planOf(text: string) {
  const { plan, diagnostics } = compile({
    files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(text) }],
  });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return plan;
}
const plan = planOf(policy);

interface Given {
  readonly id?: string;
  readonly parentSession?: string;
  readonly file?: string;
  readonly audit?: AuditPlace | false;
  readonly family?: Family;
  readonly more?: Partial<PiContext>;
  readonly plan?: typeof plan;
}

/** A process of the host with one session, and what its tools get to hear: "runs", or why not. */
function startHost(given: Given = {}) {
  const handlers = new Map<string, (event: unknown, context: PiContext) => unknown>();
  const { id = "s1", parentSession, file, audit, family } = given;
  guardWithPlan(
    { on: (name: string, handler: unknown) => void handlers.set(name, handler as never) },
    { plan: given.plan ?? plan, ...(audit !== undefined && { audit }) },
    { ...(family && { family }) },
  );
  const sessionManager = {
    getSessionId: () => id,
    getSessionFile: () => file,
    getHeader: () => (parentSession === undefined ? null : { parentSession }),
  };
  const context = contextWith({ cwd: root, sessionManager, ...given.more });
  const fire = async (name: string, event: object) => handlers.get(name)?.({ type: name, ...event }, context);
  let calls = 0;
  const call = async (toolName: string, input: object): Promise<string> => {
    const reply = (await fire("tool_call", { toolName, toolCallId: `c${++calls}`, input })) as
      | { block?: boolean; reason?: string }
      | undefined;
    return reply?.block === true ? String(reply.reason) : "runs";
  };
  return {
    context,
    fire,
    call,
    read: (path: string) => call("read", { path }),
    bash: (command = "echo hello") => call("bash", { command }),
    end: () => fire("session_shutdown", { reason: "quit" }),
  };
}

const sessionsFolder = () => join(root, "state", "hookwarden", "audit");
const header = (id: string, more: object = {}) => `${JSON.stringify({ type: "session", id, ...more })}\n`;

describe.each(["ends well", "is killed"])("a session that goes on in another process, when the first %s", (how) => {
  const leave = async (host: ReturnType<typeof startHost>): Promise<void> => {
    if (how === "ends well") await host.end();
  };

  it("keeps its labels", async () => {
    const first = startHost();
    expect(await first.bash()).toBe("runs");
    expect(await first.read("notes.txt")).toBe("runs");
    await leave(first);
    expect(await startHost().bash()).toContain("p/after");
    expect(await startHost({ id: "another" }).bash()).toBe("runs");
  });

  it("keeps what of a budget is used up", async () => {
    const first = startHost();
    expect(await first.call("grep", { pattern: "a" })).toBe("runs");
    await leave(first);
    const second = startHost();
    expect(await second.call("grep", { pattern: "a" })).toBe("runs");
    expect(await second.call("grep", { pattern: "a" })).toContain("p/few");
  });

  it("keeps its sequences", async () => {
    const first = startHost();
    expect(await first.call("ls", { path: "." })).toBe("runs");
    expect(await first.call("find", { pattern: "a" })).toBe("runs");
    await leave(first);
    expect(await startHost().call("ls", { path: "." })).toContain("p/order");
  });

  it("keeps a human's answers", async () => {
    const edit = { path: "a.txt", edits: [{ oldText: "a", newText: "b" }] };
    const asked: string[] = [];
    const ui = { notify: () => undefined, confirm: async (title: string) => asked.push(title) > 0 };
    const first = startHost({ more: { hasUI: true, ui } });
    expect(await first.call("edit", edit)).toBe("runs");
    await leave(first);
    expect(await startHost({ more: { hasUI: true, ui } }).call("edit", edit)).toBe("runs");
    expect(asked).toHaveLength(1);
  });
});

describe("a session that comes from another", () => {
  it("begins with what that one has come to, and is one of its own from then on", async () => {
    writeFileSync(join(root, "one.jsonl"), header("s1"));
    const first = startHost();
    await first.call("grep", { pattern: "a" });
    await first.read("notes.txt");
    await first.end();
    const fork = startHost({ id: "s2", parentSession: join(root, "one.jsonl") });
    expect(await fork.bash()).toContain("p/after");
    expect(await fork.call("grep", { pattern: "a" })).toBe("runs");
    expect(await fork.call("grep", { pattern: "a" })).toContain("p/few");
    await fork.end();
    expect(await startHost({ id: "s2" }).bash()).toContain("p/after");
    expect(await startHost().call("grep", { pattern: "a" })).toBe("runs");
  });

  it("gives its labels back to the session that started it as a sub-agent, while that one runs", async () => {
    mkdirSync(join(root, "one"));
    writeFileSync(join(root, "one.jsonl"), header("s1"));
    const main = startHost({ family: ompFamily, file: join(root, "one.jsonl") });
    expect(await main.call("grep", { pattern: "a" })).toBe("runs");
    expect(await main.call("bash", { command: "echo" })).toBe("runs");
    const file = join(root, "one", "Helper.jsonl");
    const helper = startHost({ id: "s2", family: ompFamily, file });
    expect(await helper.read("notes.txt")).toBe("runs");
    expect(await helper.bash()).toContain("p/after");
    expect(await main.bash()).toContain("p/after");
    const nested = startHost({ id: "s3", family: ompFamily, file });
    expect(await nested.bash()).toContain("p/after");
  });
});

describe("labels of files", () => {
  it("are known to later sessions, until then to nobody else", async () => {
    const first = startHost();
    expect(await first.bash("cat a.txt")).toBe("runs");
    const before = startHost({ id: "before" });
    expect(await before.bash("cat a.txt")).toBe("runs");
    expect(await first.call("write", { path: "a.txt", content: "x" })).toBe("runs");
    expect(await first.bash("cat a.txt")).toContain("p/marked");
    await first.end();
    const later = startHost({ id: "later" });
    expect(await later.bash("cat a.txt")).toContain("p/marked");
    expect(await later.bash("cat b.txt")).toBe("runs");
    expect(await startHost({ id: "later" }).bash("cat a.txt")).toContain("p/marked");
  });

  it("are not learned by a plan that asks for none", async () => {
    const first = startHost();
    await first.call("write", { path: "a.txt", content: "x" });
    const other = planOf("version: 1\npolicy: q\nrules: [{ id: a, event: tool_call, tool: ls, action: block }]\n");
    await startHost({ id: "later", plan: other }).bash("cat a.txt");
    const texts = trails(sessionsFolder()).map((path) => readFileSync(path, "utf8"));
    expect(texts.filter((text) => text.includes("path_labels"))).toEqual([]);
  });

  it("that cannot be kept close the session", async () => {
    const first = startHost();
    expect(await first.bash()).toBe("runs");
    mkdirSync(join(root, "state", "hookwarden", "labels", "paths.json"), { recursive: true });
    expect(await first.call("write", { path: "a.txt", content: "x" })).toContain("HW515");
    expect(await first.call("read", { path: "a.txt" })).toContain("HW515");
  });
});

describe("the trail", () => {
  it("is the session's own, verifies, and holds what the guard itself saw", async () => {
    const first = startHost();
    await first.read("notes.txt");
    await first.fire("tool_result", {
      toolName: "bash",
      toolCallId: "never judged",
      input: { command: "echo" },
      content: [],
      isError: false,
    });
    await first.end();
    const second = startHost();
    await second.bash();
    await second.end();
    const lines = trails(sessionsFolder()).flatMap((path) => readFileSync(path, "utf8").split("\n").slice(0, -1));
    const chain = new ChainVerifier();
    for (const line of lines) chain.push(line);
    expect(chain.report()).toMatchObject({ status: "intact", records: lines.length });
    expect(lines.some((line) => line.includes("HW511"))).toBe(true);
    expect(lines.some((line) => line.includes("p/after"))).toBe(true);
  });

  it("in a file of the user's own has every record too, and the session goes on all the same", async () => {
    const file = join(root, "trail.jsonl");
    const first = startHost({ audit: { file } });
    await first.read("notes.txt");
    await first.end();
    expect(await startHost({ audit: { file } }).bash()).toContain("p/after");
    const text = readFileSync(file, "utf8");
    expect(text).toContain("p/notes");
    expect(text).toContain("p/after");
  });

  it("in a folder of the user's own is where the sessions are", async () => {
    const folder = join(root, "own");
    const first = startHost({ audit: { folder } });
    await first.read("notes.txt");
    await first.end();
    expect(existsSync(sessionsFolder())).toBe(false);
    expect(await startHost({ audit: { folder } }).bash()).toContain("p/after");
  });

  it("that is not wanted leaves no session behind", async () => {
    const first = startHost({ audit: false });
    await first.read("notes.txt");
    expect(await first.bash()).toContain("p/after");
    expect(existsSync(sessionsFolder())).toBe(false);
    expect(await startHost({ audit: false }).bash()).toBe("runs");
  });
});

describe("state that cannot be used", () => {
  it("closes the session with HW515, says so in the footer, and is tried again", async () => {
    mkdirSync(join(root, "state", "hookwarden"), { recursive: true });
    writeFileSync(sessionsFolder(), "a file where the folder would be");
    const footer: (string | undefined)[] = [];
    const said: string[] = [];
    const ui = {
      confirm: async () => true,
      notify: (message: string) => void said.push(message),
      setStatus: (_key: string, text: string | undefined) => void footer.push(text),
    };
    const host = startHost({ more: { hasUI: true, ui } });
    await host.fire("session_start", { reason: "startup" });
    expect(await host.bash()).toContain("HW515");
    expect(await host.read("notes.txt")).toContain("HW515");
    expect(footer.at(-1)).toContain("closed");
    expect(footer.at(-1)).toContain("session state cannot be used");
    expect(said.filter((text) => text.includes("HW515"))).toHaveLength(1);
    rmSync(sessionsFolder());
    expect(await host.bash()).toBe("runs");
    expect(footer.at(-1)).toContain("7 rules");
  });

  it("is that of a session whose records were altered", async () => {
    const first = startHost();
    await first.read("notes.txt");
    await first.end();
    for (const path of trails(sessionsFolder()))
      writeFileSync(path, readFileSync(path, "utf8").replaceAll('"seen"', '"else"'));
    for (const path of below(sessionsFolder())) if (path.endsWith("state.json")) rmSync(path);
    expect(await startHost().bash()).toContain("HW515");
    expect(await startHost({ id: "another" }).bash()).toBe("runs");
  });

  it("is that of an installation whose key is broken", async () => {
    mkdirSync(join(root, "state", "hookwarden", "keys"), { recursive: true });
    writeFileSync(join(root, "state", "hookwarden", "keys", "install.key"), "no key");
    expect(await startHost().bash()).toMatch(/HW515.*install\.key/s);
    expect(await startHost({ audit: false }).bash()).toBe("runs");
  });
});

it("a host without ids of sessions has one of its own for each process", async () => {
  const first = startHost({ id: "" });
  await first.read("notes.txt");
  expect(await first.bash()).toContain("p/after");
  expect(await startHost({ id: "" }).bash()).toBe("runs");
});

it("a session that goes on after its end is opened again", async () => {
  const first = startHost();
  await first.read("notes.txt");
  await first.end();
  expect(await first.bash()).toContain("p/after");
  expect(await first.fire("tool_call", toolCallEvent())).toMatchObject({ block: true });
});

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function trails(folder: string): string[] {
  return below(folder)
    .filter((path) => path.endsWith(".jsonl"))
    .sort();
}
