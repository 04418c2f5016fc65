import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { refusalOf } from "../../../adapters/daemon/refusals.ts";
import type { HookReply, Payload, Variables } from "../../../adapters/one-shot/dialect.ts";
import { eventFor, ownRefusal, refusalOfLine } from "../../../adapters/one-shot/own-refusal.ts";
import { dialects, hookHosts } from "../../../adapters/one-shot/registry.ts";
import { runHook } from "../../../adapters/one-shot/run.ts";
import { limits } from "../../../schema/limits.ts";
import { wiredEvents } from "./wired-events.ts";

/** What must not reach the model: it stands in every result. */
const secret = "RAW-RESULT-OF-THE-TOOL";

const root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-unreadable-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, "home"));
// What can be read all the same is refused in the form of the event too, since no policy loads.
writeFileSync(join(root, "policy.yaml"), "version: 99\n");

/** A payload of any event of a host; `value` is what the tool gave, was given, or the user said. */
function payloadOf(host: string, event: string, value: unknown): Payload {
  const name = { hook_event_name: event, session_id: "s", cwd: root, transcript_path: "/dev/null" };
  const call = { tool_name: "mcp__x__y", tool_input: { a: value }, tool_use_id: "t" };
  const claude = { ...name, ...call, tool_response: [{ type: "text", text: value }], prompt: value };
  switch (host) {
    case "gemini":
      return {
        ...claude,
        tool_response: { llmContent: value },
        llm_request: { messages: [{ role: "user", content: value }] },
      };
    case "copilot": {
      const base = { sessionId: "s", timestamp: 1, cwd: root, toolName: "x-y", toolArgs: { a: value }, prompt: value };
      const result = event === "postToolUse" ? { toolResult: { resultType: "success", textResultForLlm: value } } : {};
      return { ...base, ...result, transformedPrompt: value };
    }
    case "cursor":
      return {
        ...claude,
        cursor_version: "1",
        conversation_id: "s",
        tool_name: "MCP:y",
        tool_output: value,
        command: value,
        file_path: "/w/f",
        content: value,
      };
    case "windsurf": {
      const info = {
        file_path: "/w/f",
        edits: [],
        command_line: value,
        mcp_server_name: "x",
        mcp_tool_name: "y",
        mcp_tool_arguments: { a: value },
        mcp_result: value,
        user_prompt: value,
      };
      return { agent_action_name: event, trajectory_id: "s", tool_info: info };
    }
    case "cline":
      return {
        hookName: event,
        clineVersion: "4",
        taskId: "s",
        tool_call: { name: "y", input: { a: value } },
        tool_result: { name: "y", input: { a: value }, output: value },
        prompt: value,
      };
    case "goose":
      return {
        event,
        session_id: "s",
        working_dir: root,
        tool_name: "x__y",
        tool_input: { a: value },
        tool_result: value,
        message: value,
      };
    case "codex":
      return { ...claude, turn_id: "t", model: "m" };
    case "vscode":
      return { ...claude, timestamp: "2026-01-01T00:00:00.000Z" };
    default:
      return { ...claude, permission_mode: "default" };
  }
}

type Kind = (host: string, event: string) => Uint8Array | string;
const good: Kind = (host, event) => JSON.stringify(payloadOf(host, event, secret));
const nested =
  (depth: number): Kind =>
  (host, event) =>
    JSON.stringify(payloadOf(host, event, "@")).replaceAll(
      '"@"',
      `${"[".repeat(depth)}"${secret}"${"]".repeat(depth)}`,
    );

/** Every way in which a payload cannot be read, or is not what it should be. */
const kinds: Readonly<Record<string, Kind>> = {
  "no JSON": () => `${secret} {`,
  "cut short": (host, event) => good(host, event).slice(0, -3),
  "two documents": (host, event) => `${good(host, event)}${good(host, event)}`,
  "a byte order mark": (host, event) => `\ufeff${good(host, event)}`,
  nothing: () => "",
  space: () => " \n",
  "a list": (host, event) => `[${good(host, event)}]`,
  "a text": () => JSON.stringify(secret),
  null: () => "null",
  "no field": () => "{}",
  "no field but the event": (host, event) => JSON.stringify({ [dialects[host]?.eventFields[0] ?? ""]: event }),
  "200 deep": nested(200),
  "100,000 deep": nested(100_000),
  "too large": () => `{"x":"${"x".repeat(limits.eventBytes)}"}`,
  "bytes that are no UTF-8": (host, event) =>
    Buffer.from(String(good(host, event)).replaceAll(secret, `${secret}\u00ff`), "latin1"),
  "a raw NUL": (host, event) => String(good(host, event)).replaceAll(secret, `${secret}\0`),
  "a NUL": (host, event) => JSON.stringify(payloadOf(host, event, `${secret}\0`)),
  "half a pair": (host, event) => JSON.stringify(payloadOf(host, event, `${secret}\ud800`)),
  "a key twice": (host, event) => String(good(host, event)).replace("{", '{"cwd":5,'),
  "a prototype": (host, event) => String(good(host, event)).replace("{", '{"__proto__":{"a":1},'),
  "an event that nobody knows": (host, event) => {
    const [field = ""] = dialects[host]?.eventFields ?? [];
    return JSON.stringify({ ...payloadOf(host, event, secret), [field]: "SomethingNew" });
  },
  "fields that are numbers": (host, event) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(payloadOf(host, event, secret)).map(([key, value]) => [key, key === "tool_info" ? value : 7]),
      ),
    ),
};

const exitTwo = ({ exitCode, stderr }: HookReply): boolean => exitCode === 2 && stderr.trim() !== "";

function document({
  stdout,
  exitCode,
}: HookReply): Record<string, Record<string, unknown> | string | boolean | undefined> {
  return exitCode === 0 && stdout !== "" ? JSON.parse(stdout) : {};
}

/** A result in whose place the model reads another: by Claude Code only where it has the tool's form, or the agent stops. */
function replacedForClaude(reply: HookReply): boolean {
  const { hookSpecificOutput, continue: goesOn } = document(reply);
  const made = (hookSpecificOutput as Record<string, unknown> | undefined)?.["updatedToolOutput"];
  return made !== undefined && (goesOn === false || Array.isArray(made) || JSON.stringify(made).includes("hookwarden"));
}

const blocks = (reply: HookReply): boolean => exitTwo(reply) || document(reply)["decision"] === "block";
const denies = (reply: HookReply): boolean => exitTwo(reply) || document(reply)["decision"] === "deny";
const stops = (reply: HookReply): boolean => exitTwo(reply) || document(reply)["continue"] === false;
const cancels = (reply: HookReply): boolean => document(reply)["cancel"] === true;

/** What each host takes for a refusal or a replacement, by its documents; every other event can only be looked at. */
const held: Readonly<Record<string, Readonly<Record<string, (reply: HookReply) => boolean>>>> = {
  "claude-code": { PreToolUse: exitTwo, PostToolUse: replacedForClaude, UserPromptSubmit: blocks },
  codex: { PreToolUse: exitTwo, PostToolUse: blocks, UserPromptSubmit: blocks },
  vscode: { PreToolUse: exitTwo, PostToolUse: blocks, UserPromptSubmit: stops },
  gemini: {
    BeforeTool: denies,
    AfterTool: denies,
    BeforeAgent: denies,
    BeforeModel: (reply) => denies(reply) || reply.stdout.includes("(left out by a policy)"),
  },
  copilot: {
    preToolUse: exitTwo,
    postToolUse: (reply) => typeof document(reply)["modifiedResult"] === "object",
    userPromptSubmitted: (reply) => document(reply)["decision"] === "block",
    userPromptTransformed: (reply) => typeof document(reply)["modifiedTransformedPrompt"] === "string",
  },
  cursor: {
    ...Object.fromEntries(
      ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "beforeTabFileRead"].map(
        (name) => [name, (reply: HookReply) => exitTwo(reply) || document(reply)["permission"] === "deny"],
      ),
    ),
    beforeSubmitPrompt: stops,
    postToolUse: (reply) => document(reply)["updated_mcp_tool_output"] !== undefined,
  },
  windsurf: Object.fromEntries(
    ["pre_read_code", "pre_write_code", "pre_run_command", "pre_mcp_tool_use", "pre_user_prompt"].map((name) => [
      name,
      exitTwo,
    ]),
  ),
  cline: { PreToolUse: cancels, PostToolUse: cancels, UserPromptSubmit: cancels },
  goose: { PreToolUse: blocks },
  opta: { "tool.pre": exitTwo },
};

const wired = hookHosts.flatMap((host) => wiredEvents(host).map((event) => [host, event] as const));

function answered(
  host: string,
  event: string,
  input: Uint8Array | string,
  variables: Variables = {},
): Promise<HookReply> {
  const options = ["--event", event, "--state", join(root, "state"), "--home", join(root, "home")];
  return runHook([host, ...options, "--policy", join(root, "policy.yaml")], {
    stdin: (async function* () {
      yield Buffer.from(input);
    })(),
    variables,
    cwd: root,
    home: join(root, "home"),
    now: () => 0,
  });
}

describe("what cannot be read is answered in the form that the host has for the event", () => {
  it("knows every event that a host is wired for, and only these", () => {
    for (const host of hookHosts)
      expect(wiredEvents(host)).toEqual(expect.arrayContaining(Object.keys(held[host] ?? { none: 1 })));
    for (const [host, event] of wired) {
      const dialect = dialects[host] ?? never(host);
      const ignored = dialect.read({ [dialect.eventFields[0] ?? ""]: event }) === "ignored";
      expect([host, eventFor(dialect, undefined, event)]).toEqual([host, ignored ? "" : event]);
      expect([host, event, ignored && Object.hasOwn(held[host] ?? {}, event)]).toEqual([host, event, false]);
    }
  });

  it.each(wired.filter(([host]) => host !== "opta"))("%s %s", async (host, event) => {
    for (const [kind, made] of Object.entries(kinds)) {
      const reply = await answered(host, event, made(host, event));
      expect([kind, held[host]?.[event]?.(reply) ?? true, reply]).toEqual([kind, true, reply]);
      expect([kind, `${reply.stdout}${reply.stderr}`.includes(secret)]).toEqual([kind, false]);
    }
  });

  it("opta tool.pre: variables that say no call", async () => {
    for (const args of [undefined, "", "{", "[]", "[".repeat(100_000), '{"a":1'])
      expect(
        exitTwo(
          await answered("opta", "tool.pre", "", {
            OPTA_EVENT: "tool.pre",
            OPTA_TOOL_NAME: "bash",
            OPTA_TOOL_ARGS: args,
          }),
        ),
      ).toBe(true);
  });

  it.each(wired)("%s %s: so are a line that is wrong, a refusal on the line and a daemon's", async (host, event) => {
    const { variables } = dialects[host] ?? never(host);
    const line = [host, "--event", event, "--refuse", "the payload is larger than one event may be"];
    const world = {
      stdin: (async function* () {})(),
      variables: {},
      cwd: root,
      home: join(root, "home"),
      now: () => 0,
    };
    const mark = "hookwarden-1-2";
    const request = (payload: string): Buffer =>
      Buffer.from([mark, root, "3", host, "--event", event, "export A='b'", mark, payload, mark, ""].join("\n"));
    const told = (text: string): HookReply => {
      const [, stdout = "", stderr = "", code = ""] =
        new RegExp(`^([^]*)\n${mark} err\n([^]*)\n${mark} end (\\d)\n$`).exec(text) ?? [];
      return { stdout, stderr, exitCode: Number(code) };
    };
    const replies = {
      wrong: await runHook([host, "--event", event, "--what", "x"], world),
      relative: await runHook([host, "--event", event, "--state", "x"], world),
      refused: await runHook(line, world),
      "a daemon that could not read": told(refusalOf(request("["), "x")),
      "a daemon that read too much": told(refusalOf(request("{}").subarray(0, -3), "x")),
      line: refusalOfLine([host, "--event", event], "hookwarden"),
    };
    for (const [what, reply] of Object.entries(replies))
      if (!variables || event === "tool.pre")
        expect([what, held[host]?.[event]?.(reply) ?? true, reply]).toEqual([what, true, reply]);
  });

  it.each(["--state", "--home"])("says that %s must be an absolute path", async (option) => {
    const world = { stdin: (async function* () {})(), variables: {}, cwd: root, home: root, now: () => 0 };
    const { stderr } = await runHook(["claude-code", "--event", "PreToolUse", option, "./.local/state"], world);
    expect(stderr).toContain(`\`${option} ./.local/state\` must name an absolute path`);
  });

  it("in the strict form where neither payload nor line says an event that the host has", () => {
    for (const host of hookHosts)
      for (const event of [undefined, "", "SomethingNew"]) {
        const reply = ownRefusal(
          dialects[host] ?? never(host),
          { wired: event, payload: {}, variables: {} },
          "hookwarden",
        );
        expect([host, exitTwo(reply) || cancels(reply)]).toEqual([host, true]);
      }
  });

  it("in the form of the host that called, where it reads the file of another", () => {
    const copilot = { ...payloadOf("copilot", "postToolUse", secret) };
    const reply = ownRefusal(
      dialects["claude-code"] ?? never(""),
      { wired: "PostToolUse", payload: copilot, variables: {} },
      "no",
    );
    expect(held["copilot"]?.["postToolUse"]?.(reply)).toBe(true);
    const cursor = { cursor_version: "1", conversation_id: "s" };
    const other = ownRefusal(
      dialects["claude-code"] ?? never(""),
      { wired: "PostToolUse", payload: cursor, variables: {} },
      "no",
    );
    expect(held["cursor"]?.["postToolUse"]?.(other)).toBe(true);
  });
});

function never(host: string): never {
  throw new Error(`no dialect ${host}`);
}
