import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPlugin } from "../../../adapters/opencode/plugin.ts";
import { bodiesOf } from "../session-trail.ts";

/** Plugins one after the other over one state folder, as processes of the host are. */

const policy = `version: 1
policy: p
title: What outlives a process
default: allow
unknown: allow
labels: { seen: { kind: taint }, downloaded: { kind: mark } }
rules:
  - { id: notes, title: Notes, event: tool_call, tool: read, when: { args.path: notes.txt }, action: { label: { add: [seen] } } }
  - { id: after, title: After, event: tool_call, tool: bash, when: { session.labels: { contains: seen } }, action: block, reason: the session has seen the notes }
  - { id: few, title: Few, event: tool_call, tool: grep, budget: { limit: 2 }, action: block, reason: two searches a session }
  - { id: mark, title: Mark, event: tool_call, tool: write, action: { label: { add: [downloaded], on: path } } }
  - { id: marked, title: Marked, event: tool_call, tool: bash, each: { r: effects.reads }, when: 'paths.labels(r.path).contains("downloaded")', action: block, reason: the file came from outside }
`;

let root = "";
let file = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opencode-")));
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
  file = join(root, "p.yaml");
  writeFileSync(file, policy);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** A process of the host: what becomes of its calls, "runs" or why not. */
async function startHost(options: Parameters<typeof createPlugin>[0] = {}) {
  const hooks = await createPlugin({ policies: [file], ...options })({ directory: root });
  let calls = 0;
  const call = async (sessionID: string, tool: string, args: Record<string, unknown>): Promise<string> => {
    try {
      await hooks["tool.execute.before"]({ tool, sessionID, callID: `c${++calls}` }, { args });
      return "runs";
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    hooks,
    read: (session: string) => call(session, "read", { filePath: "notes.txt" }),
    bash: (session: string, command = "echo hello") => call(session, "bash", { command }),
    search: (session: string) => call(session, "grep", { pattern: "a" }),
    write: (session: string, path: string) => call(session, "write", { filePath: join(root, path), content: "x" }),
    created: (id: string, parentID?: string) =>
      hooks.event({
        event: {
          type: "session.created",
          properties: { info: { id, version: "1.18.33", ...(parentID && { parentID }) } },
        },
      }),
    deleted: (id: string) => hooks.event({ event: { type: "session.deleted", properties: { info: { id } } } }),
  };
}

const folder = () => join(root, "state/hookwarden/audit");
const bodies = (session: string) => bodiesOf(folder(), session);

describe("a session of OpenCode that goes on in another process", () => {
  it("keeps its labels, which are no other session's", async () => {
    const first = await startHost();
    expect(await first.bash("s1")).toBe("runs");
    expect(await first.read("s1")).toBe("runs");
    const second = await startHost();
    expect(await second.bash("s1")).toContain("the session has seen the notes");
    expect(await second.bash("s2")).toBe("runs");
  });

  it("keeps what of a budget is used up", async () => {
    expect(await (await startHost()).search("s1")).toBe("runs");
    const second = await startHost();
    expect(await second.search("s1")).toBe("runs");
    expect(await second.search("s1")).toContain("two searches a session");
  });

  it("goes on where it was after the host deleted it", async () => {
    const host = await startHost();
    await host.read("s1");
    await host.deleted("s1");
    expect(await host.bash("s1")).toContain("the session has seen the notes");
  });

  it("begins anew where nothing is recorded", async () => {
    await (await startHost({ audit: false })).read("s1");
    expect(await (await startHost({ audit: false })).bash("s1")).toBe("runs");
  });
});

describe("labels of files in OpenCode", () => {
  it("count in another session of another process", async () => {
    expect(await (await startHost()).write("s1", "got.sh")).toBe("runs");
    const second = await startHost();
    expect(await second.bash("s2", `cat ${join(root, "got.sh")}`)).toContain("the file came from outside");
    expect(await second.bash("s2", `cat ${join(root, "other.sh")}`)).toBe("runs");
  });
});

describe("a sub-agent's session in OpenCode", () => {
  it("has the labels of the session that began it", async () => {
    const host = await startHost();
    await host.read("s1");
    await host.created("child", "s1");
    await host.created("stranger");
    expect(await host.bash("child")).toContain("the session has seen the notes");
    expect(await host.bash("stranger")).toBe("runs");
  });

  it("gives its labels to the session that began it", async () => {
    const host = await startHost();
    expect(await host.bash("s1")).toBe("runs");
    await host.created("child", "s1");
    await host.read("child");
    expect(await host.bash("s1")).toContain("the session has seen the notes");
  });
});

describe("the trail of a session in OpenCode", () => {
  it("is the session's own, and names the adapter and the host's version", async () => {
    const host = await startHost();
    await host.created("s1");
    await host.bash("s1");
    const decisions = bodies("s1").filter(({ kind }) => kind !== "note");
    expect(decisions.map(({ event }) => event)).toEqual(["session_start", "tool_call"]);
    for (const body of decisions) expect(body).toMatchObject({ adapter: "opencode", host_version: "1.18.33" });
  });

  it("begins with what could not be delivered in the last one, which a sub-agent's does not repeat", async () => {
    const segment = join(folder(), "a".repeat(64), "000001.jsonl");
    mkdirSync(dirname(segment), { recursive: true });
    const text = '{"body":{"host":"opencode","on_host":{"delivered":"no","short":[]}},"seal":{}}\n';
    writeFileSync(segment, text, { mode: 0o600 });
    const host = await startHost();
    const said: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((line) => said.push(String(line)) > 0);
    await host.created("s1");
    await host.created("child", "s1");
    vi.restoreAllMocks();
    const told = said.filter((line) => line.includes("delivered"));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^hookwarden: 1 decision of the last session on opencode could not .*--gaps/);
  });

  it("holds a change of the policies on disk", async () => {
    const host = await startHost();
    await host.bash("s1");
    writeFileSync(file, policy.replace("two searches", "2 searches"));
    await host.bash("s1");
    expect(bodies("s1").map(({ event }) => event)).toContain("reload_pending");
  });

  it("stands in a file of the user's own too", async () => {
    const own = join(root, "own.jsonl");
    const host = await startHost({ audit: { file: own } });
    await host.bash("s1");
    expect(readFileSync(own, "utf8")).toContain('"tool_call"');
    expect(bodies("s1").map(({ event }) => event)).toContain("tool_call");
  });
});
