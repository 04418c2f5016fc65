import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sourcesIn, stepsOf } from "../../../authoring/replay/sources.ts";
import type { Step } from "../../../authoring/replay/step.ts";
import { validateEvent } from "../../../schema/validators.generated.js";

/** Transcripts of hosts as steps of a replay. The shapes are those that the hosts document. */
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-transcripts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, entries: readonly object[], pack = false): void {
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), pack ? gzipSync(text) : text);
}

async function steps(...names: string[]): Promise<{ kinds: string[]; problems: string[]; steps: Step[] }> {
  const { files, problems } = await sourcesIn(names, folder);
  const found: Step[] = [];
  for await (const step of stepsOf(files, () => [], { home: "/home/dev" })) found.push(step);
  for (const step of found)
    if (step.kind === "event") expect([validateEvent(step.wire), step.wire]).toEqual([true, step.wire]);
  return { kinds: files.map(({ kind }) => kind), problems: problems.map(({ why }) => why), steps: found };
}

/** Events in short: the wire without what is checked once. */
function wires(list: readonly Step[]): object[] {
  return list.flatMap((step) => {
    if (step.kind !== "event") return [];
    const { environment: _environment, time: _time, ...rest } = step.wire as Record<string, unknown>;
    return [rest];
  });
}

const at = (second: number): string => new Date(1_790_000_000_000 + second * 1000).toISOString();
const text = (words: string): object => ({ type: "text", text: words });

const header = { type: "session", version: 3, id: "0a1b", timestamp: at(0), cwd: "/home/dev/app" };
const entry = (id: string, second: number, message: object): object => ({
  type: "message",
  id,
  parentId: null,
  timestamp: at(second),
  message,
});
const piEntries: object[] = [
  header,
  { type: "model_change", id: "m0", parentId: null, timestamp: at(0), provider: "openai", modelId: "x" },
  entry("m1", 1, { role: "user", content: "look around", timestamp: 1 }),
  entry("m2", 2, {
    role: "assistant",
    content: [
      text("yes"),
      { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } },
      { type: "toolCall", id: "c2", name: "read", arguments: { path: "@src/a.ts" } },
    ],
    stopReason: "toolUse",
  }),
  entry("m3", 3, { role: "toolResult", toolCallId: "c1", toolName: "bash", content: [text("a.ts")], isError: false }),
  entry("m4", 4, { role: "toolResult", toolCallId: "c2", toolName: "read", content: [text("no")], isError: true }),
  entry("m5", 5, { role: "bashExecution", command: "pwd", output: "/", exitCode: 0, excludeFromContext: true }),
  {
    type: "compaction",
    id: "m6",
    parentId: "m5",
    timestamp: at(6),
    summary: "…",
    firstKeptEntryId: "m5",
    tokensBefore: 1,
  },
];

describe("a session file of pi", () => {
  it("gives its prompts, calls, results and the human's commands, in order", async () => {
    put("s.jsonl", piEntries);
    const found = await steps("s.jsonl");
    expect(found.kinds).toEqual(["pi"]);
    const session = { id: "0a1b", turn: 1 };
    expect(wires(found.steps)).toEqual([
      { event: "input", text: "look around", id: "m1", host: "pi", session },
      { event: "tool_call", tool: "bash", args: { command: "ls" }, call_id: "c1", id: "m2.1", host: "pi", session },
      { event: "tool_call", tool: "read", args: { path: "src/a.ts" }, call_id: "c2", id: "m2.2", host: "pi", session },
      {
        event: "tool_result",
        tool: "bash",
        args: { command: "ls" },
        call_id: "c1",
        result: { content: [{ type: "text", text: "a.ts", ref: 0 }], is_error: false },
        id: "m3",
        host: "pi",
        session,
      },
      {
        event: "tool_result",
        tool: "read",
        args: { path: "src/a.ts" },
        call_id: "c2",
        result: { content: [{ type: "text", text: "no", ref: 0 }], is_error: true },
        id: "m4",
        host: "pi",
        session,
      },
      { event: "user_bash", command: "pwd", exclude_from_context: true, id: "m5", host: "pi", session },
    ]);
    expect(found.steps.filter(({ kind }) => kind === "passed")).toHaveLength(3);
  });

  it("carries the time, the folder and the home that was given", async () => {
    put("s.jsonl", piEntries);
    const [first] = (await steps("s.jsonl")).steps.filter((step) => step.kind === "event");
    expect(first).toMatchObject({
      wire: { time: at(1), environment: { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" } },
      place: { file: "s.jsonl", line: 3 },
    });
  });

  it("names the session that it was forked from", async () => {
    put("s.jsonl", [{ ...header, parentSession: "/x/2026-01-01_9f9f.jsonl" }, piEntries[2] as object]);
    expect(wires((await steps("s.jsonl")).steps)).toMatchObject([{ session: { id: "0a1b", parent: "9f9f" } }]);
  });

  it("counts what it does not know, and what lacks a part", async () => {
    put("s.jsonl", [
      header,
      { type: "from_the_future", id: "x" },
      entry("y", 1, { role: "oracle", content: "?" }),
      entry("z", 2, { role: "assistant", content: [{ type: "toolCall", id: "c", arguments: {} }] }),
    ]);
    const unknown = (await steps("s.jsonl")).steps.filter(({ kind }) => kind === "unknown");
    expect(unknown.map((step) => [step.place.line, "why" in step && step.why])).toEqual([
      [2, "the entry is of no known type"],
      [3, "the message is of no known role"],
      [4, "the call has no name or no arguments"],
    ]);
  });
});

describe("a session file of omp", () => {
  it.each<[string, object[]]>([
    ["by its title slot", [{ type: "title", v: 1, title: "", updatedAt: at(0), pad: "" }, header]],
    ["by its header", [{ ...header, title: "work" }]],
    ["by a later entry", [header, { type: "model_change", id: "m", parentId: null, timestamp: at(0), model: "p/x" }]],
  ])("is told %s", async (_, start) => {
    put("s.jsonl", [...start, entry("m1", 1, { role: "user", content: [text("hi")] })]);
    const found = await steps("s.jsonl");
    expect(found.kinds).toEqual(["omp"]);
    expect(wires(found.steps)).toMatchObject([{ event: "input", text: "hi", host: "omp" }]);
  });

  it("has its calls judged as its adapter does, and the human's code", async () => {
    put("s.jsonl", [
      { ...header, title: "work" },
      entry("m1", 1, {
        role: "assistant",
        content: [
          { type: "toolCall", id: "c1", name: "read", arguments: { path: "a.ts:10-20", i: "why" } },
          { type: "toolCall", id: "c2", name: "read", arguments: { path: "https://example.com/" } },
        ],
      }),
      entry("m2", 2, { role: "pythonExecution", code: "1 + 1", output: "2" }),
    ]);
    expect(wires((await steps("s.jsonl")).steps)).toMatchObject([
      { event: "tool_call", tool: "read", args: { path: "a.ts", paths: ["a.ts", "a.ts:10-20"] } },
      { event: "tool_call", tool: "fetch", args: { url: "https://example.com/" } },
      { event: "user_python", code: "1 + 1" },
    ]);
  });
});

describe("a transcript of Claude Code", () => {
  const common = { sessionId: "s1", cwd: "/home/dev/app", gitBranch: "main", isSidechain: false };
  const line = (type: string, second: number, message: object, extra: object = {}): object => ({
    type,
    uuid: `u${second}`,
    parentUuid: null,
    timestamp: at(second),
    ...common,
    message,
    ...extra,
  });
  const use = (id: string, name: string, input: object): object => ({ type: "tool_use", id, name, input });
  const result = (id: string, content: unknown, failed = false): object => ({
    type: "tool_result",
    tool_use_id: id,
    content,
    ...(failed && { is_error: true }),
  });

  it("gives prompts, calls, and results as its hooks are given them", async () => {
    put("projects/-home-dev-app/s1.jsonl", [
      { type: "file-history-snapshot", messageId: "x", snapshot: {} },
      { type: "permission-mode", permissionMode: "default", sessionId: "s1" },
      line("user", 1, { role: "user", content: "look around" }),
      line("user", 2, { role: "user", content: "caveat" }, { isMeta: true }),
      line("assistant", 3, { role: "assistant", content: [text("yes"), use("t1", "Bash", { command: "ls" })] }),
      line(
        "user",
        4,
        { role: "user", content: [result("t1", "a.ts")] },
        {
          toolUseResult: { stdout: "a.ts", stderr: "odd", interrupted: false, isImage: false },
        },
      ),
      line("assistant", 5, { role: "assistant", content: [use("t2", "Read", { file_path: "/b" })] }),
      line(
        "user",
        6,
        { role: "user", content: [result("t2", [text("gone")], true)] },
        { toolUseResult: "Error: gone" },
      ),
    ]);
    const found = await steps("projects");
    expect(found.kinds).toEqual(["claude-code"]);
    const base = { host: "claude-code", session: { id: "s1", turn: 1 } };
    expect(wires(found.steps)).toEqual([
      { event: "input", text: "look around", id: "u1", ...base },
      { event: "tool_call", tool: "Bash", args: { command: "ls" }, call_id: "t1", id: "u3.1", ...base },
      {
        event: "tool_result",
        tool: "Bash",
        args: { command: "ls" },
        call_id: "t1",
        result: {
          content: [
            { type: "text", text: "a.ts", ref: 0 },
            { type: "text", text: "odd", ref: 1 },
          ],
          is_error: false,
        },
        id: "u4.0",
        ...base,
      },
      { event: "tool_call", tool: "Read", args: { file_path: "/b" }, call_id: "t2", id: "u5.0", ...base },
      {
        event: "tool_result",
        tool: "Read",
        args: { file_path: "/b" },
        call_id: "t2",
        result: { content: [{ type: "text", text: "gone", ref: 0 }], is_error: true },
        id: "u6.0",
        ...base,
      },
    ]);
    expect(found.steps.find((step) => step.kind === "event")).toMatchObject({
      wire: { environment: { cwd: "/home/dev/app", branch: "main" } },
    });
    expect(found.steps.filter(({ kind }) => kind === "passed")).toHaveLength(3);
  });

  it("names the sub-agent of a side chain, whose first message is no input", async () => {
    const side = { isSidechain: true, agentId: "a7" };
    put("s1.jsonl", [
      line("user", 1, { role: "user", content: "do this part" }, side),
      line("assistant", 2, { role: "assistant", content: [use("t1", "Bash", { command: "ls" })] }, side),
    ]);
    expect(wires((await steps("s1.jsonl")).steps)).toMatchObject([
      { event: "tool_call", session: { id: "s1", agent: { id: "a7" } } },
    ]);
  });

  it("counts a result of a call that it does not hold, and entries it does not know", async () => {
    put("s1.jsonl", [
      line("user", 1, { role: "user", content: [result("t9", "?")] }),
      { type: "from-the-future", sessionId: "s1" },
    ]);
    const unknown = (await steps("s1.jsonl")).steps.filter(({ kind }) => kind === "unknown");
    expect(unknown.map((step) => "why" in step && step.why)).toEqual([
      "the result is of no known call",
      "the entry is of no known type",
    ]);
  });
});

describe("sources", () => {
  it("are told by content, compressed or not, and in folders by name", async () => {
    put("a/pi.jsonl.gz", piEntries, true);
    put("a/events.jsonl", [{ event: "tool_call", tool: "bash", args: { command: "ls" } }]);
    put("a/other.jsonl", [{ neither: 1 }]);
    put("a/empty.jsonl", []);
    put("a/notes.txt", [{ event: "input" }]);
    const found = await steps("a");
    expect(found.kinds).toEqual(["events", "pi"]);
    expect(found.problems).toEqual(["it holds no audit records, events or transcript that is known"]);
    expect(wires(found.steps)).toHaveLength(6);
  });

  it("that are damaged or missing are problems, not faults", async () => {
    writeFileSync(join(folder, "bad.jsonl.gz"), Buffer.from([0x1f, 0x8b, 1, 2, 3]));
    const { problems } = await sourcesIn(["bad.jsonl.gz", "absent"], folder);
    expect(problems.map(({ file }) => file).sort()).toEqual(["absent", "bad.jsonl.gz"]);
  });
});
