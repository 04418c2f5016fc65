import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { answerHook, type HookPorts } from "../../../adapters/one-shot/hook.ts";
import { callerOf, dialectOf, dialects } from "../../../adapters/one-shot/registry.ts";
import { runHook } from "../../../adapters/one-shot/run.ts";
import { limits } from "../../../schema/limits.ts";
import { approveOnce, requestReload } from "../../../store/human-decisions.ts";
import { waitingKey } from "../../cli/human.ts";
import { decision } from "./decisions.ts";

let root = "";
let project = "";
let state = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-hook-")));
  project = join(root, "project");
  state = join(root, "home/.local/state/hookwarden");
  mkdirSync(project, { recursive: true });
  mkdirSync(join(root, "home"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const policy = (...rules: string[]): string =>
  ["version: 1", "policy: p", "title: A policy of these tests", "default: allow", "rules:", ...rules, ""].join("\n");

const no =
  "  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }";
const asks =
  "  - { id: asks, event: tool_call, tool: bash, when: { args.command: touch ASKED }, action: ask, reason: is it meant }";

const call = (command: string, more: Payload = {}): Payload => ({
  session_id: "s1",
  transcript_path: "/t",
  cwd: project,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: "c1",
  ...more,
});

/** One hook process, in this one. */
async function hook(given: readonly string[], payload: Payload | string, variables: Record<string, string> = {}) {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const reply = await runHook(given, {
    stdin: (async function* () {
      yield Buffer.from(text);
    })(),
    variables,
    cwd: project,
    home: join(root, "home"),
    now: () => Date.now(),
  });
  return { ...reply, answer: answerOf(reply.stdout) };
}

/** What a reply comes to on Claude Code: allow where it says nothing. */
function answerOf(stdout: string): string {
  const specific = stdout === "" ? {} : ((JSON.parse(stdout) as Payload)["hookSpecificOutput"] as Payload | undefined);
  return String(specific?.["permissionDecision"] ?? "allow");
}

const trail = (session = "s1"): string => {
  const name = createHash("sha256").update(session).digest("hex");
  return readFileSync(join(state, "audit", name, "000001.jsonl"), "utf8");
};

describe("a hook", () => {
  it("judges by the policy of its command line, and keeps a record", async () => {
    const file = write("p.yaml", policy(no));
    expect(await hook(["claude-code", "--policy", file], call("touch FORBIDDEN"))).toMatchObject({ answer: "deny" });
    expect(await hook(["claude-code", "--policy", file], call("touch HARMLESS"))).toMatchObject({ answer: "allow" });
    const events = trail()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).body.event);
    expect(events).toEqual(["segment", "tool_call", "tool_call"]);
    expect(trail()).toContain('"p/no"');
  });

  it("also judges by the user's and the project's policy, from any folder of the project", async () => {
    write("home/.config/hookwarden/u.yaml", policy(no));
    write("project/.hookwarden/policy.yaml", policy(asks).replace("policy: p", "policy: q"));
    mkdirSync(join(project, "deep/er"), { recursive: true });
    mkdirSync(join(project, ".git"));
    const deep = { cwd: join(project, "deep/er") };
    expect((await hook(["claude-code"], call("touch FORBIDDEN", deep))).answer).toBe("deny");
    expect((await hook(["claude-code"], call("touch ASKED", deep))).answer).toBe("ask");
  });

  it("takes no policy from the environment", async () => {
    const file = write("p.yaml", policy(no));
    const { answer, stdout } = await hook(["claude-code"], call("echo hello"), { HOOKWARDEN_POLICY: file });
    expect(answer).toBe("deny");
    expect(stdout).toContain("HW012");
  });

  it.each([
    ["a policy that is not there", ["claude-code", "--policy", "gone.yaml"]],
    ["an option that there is not", ["claude-code", "--live", "x"]],
    ["an option without its value", ["claude-code", "--policy"]],
    ["a budget that is none", ["claude-code", "--budget", "soon"]],
  ])("refuses because of %s", async (_, given) => {
    expect((await hook(given, call("echo hello"))).answer).toBe("deny");
  });

  it("refuses by exit code for a host that there is not", async () => {
    const { exitCode, stderr } = await hook(["nobody"], call("echo hello"));
    expect(exitCode).toBe(2);
    expect(stderr).toContain("claude-code");
  });

  it.each([
    ["no JSON", "{ garbage"],
    ["no object", "[1]"],
    ["nothing", ""],
    ["no event", "{}"],
  ])("refuses a payload that is %s, by exit code", async (_, text) => {
    const { exitCode, stderr } = await hook(["claude-code", "--policy", write("p.yaml", policy(no))], text);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("could not be judged");
  });

  it("refuses where its state cannot be kept", async () => {
    write("home/.local/state/hookwarden", "a file");
    const { answer, stdout } = await hook(["claude-code", "--policy", write("p.yaml", policy(no))], call("echo hello"));
    expect(answer).toBe("deny");
    expect(stdout).toContain("hookwarden");
  });
});

describe("sessions over several hooks", () => {
  it("remember what came before", async () => {
    const rules = [
      "  - { id: seen, event: tool_result, action: { label: { add: [seen] } } }",
      "  - { id: after, event: tool_call, when: { session.labels: { contains: seen } }, action: block, reason: too late }",
    ];
    const text = policy(...rules).replace("rules:", "labels: { seen: { kind: mark } }\nrules:");
    const given = ["claude-code", "--policy", write("p.yaml", text)];
    const result = { hook_event_name: "PostToolUse", tool_response: { stdout: "x", stderr: "" } };
    expect((await hook(given, call("echo hello"))).answer).toBe("allow");
    await hook(given, call("echo hello", result));
    expect((await hook(given, call("echo hello"))).answer).toBe("deny");
    expect((await hook(given, call("echo hello", { session_id: "s2" }))).answer).toBe("allow");
  });

  it("keep the plan that they began with, until a human says otherwise", async () => {
    const file = write("p.yaml", policy(no));
    const given = ["claude-code", "--policy", file];
    expect((await hook(given, call("touch FORBIDDEN"))).answer).toBe("deny");
    writeFileSync(file, policy(asks));
    expect((await hook(given, call("touch FORBIDDEN"))).answer).toBe("deny");
    expect((await hook(given, call("touch FORBIDDEN"))).answer).toBe("deny");
    expect(trail().split('"reload_pending"')).toHaveLength(2);
    expect((await hook(given, call("touch FORBIDDEN", { session_id: "s2" }))).answer).toBe("allow");
    expect(trail()).toMatch(/"policies":"sha256:[0-9a-f]{64}"/);
    // The other session has compiled what stands on disk; for this one nothing was.
    const heads = readdirSync(join(state, "plans")).filter((name) => name.endsWith(".json"));
    const plans = heads.map(
      (name) => /"digest":"(sha256:[0-9a-f]{64})"/.exec(readFileSync(join(state, "plans", name), "utf8"))?.[1] ?? "",
    );
    expect(plans).toHaveLength(2);
    for (const plan of plans) requestReload(state, plan, Date.now());
    expect((await hook(given, call("touch FORBIDDEN"))).answer).toBe("allow");
    expect(trail()).toContain('"reloaded"');
  });

  it("let a call run once that a human let through outside", async () => {
    const given = ["codex", "--policy", write("p.yaml", policy(asks))];
    const payload = call("touch ASKED", { turn_id: "t", model: "m" });
    const refused = await hook(given, payload);
    expect(refused.answer).toBe("deny");
    expect(refused.stdout).not.toMatch(/sha256|hookwarden approve/);
    const key = waitingKey(state);
    approveOnce(state, key, Date.now());
    expect((await hook(given, payload)).answer).toBe("allow");
    expect((await hook(given, payload)).answer).toBe("deny");
    expect(trail()).toContain('"break-glass"');
  });
});

describe("a text for the model that the host takes later", () => {
  it("comes with the result of the call, once", async () => {
    const rule = "  - { id: note, event: tool_call, tool: bash, action: { inject: { content: mind the gap } } }";
    const given = ["gemini", "--policy", write("p.yaml", policy(rule))];
    const payload = { ...call("echo hello"), hook_event_name: "BeforeTool", tool_name: "run_shell_command" };
    const result = { ...payload, hook_event_name: "AfterTool", tool_response: { llmContent: "hello" } };
    expect((await hook(given, payload)).stdout).toBe("");
    expect((await hook(given, result)).stdout).toContain("mind the gap");
    expect((await hook(given, result)).stdout).toBe("");
  });
});

describe("the plan cache", () => {
  const entries = (): string[] => readdirSync(join(state, "plans")).map((name) => join(state, "plans", name));

  it("serves new sessions, and is made anew when it was altered", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy(no))];
    await hook(given, call("touch FORBIDDEN"));
    const [entry = ""] = entries();
    const text = readFileSync(entry, "utf8");
    chmodSync(entry, 0o600);
    writeFileSync(entry, text.replace("touch FORBIDDEN", "touch FORBODDEN"));
    expect((await hook(given, call("touch FORBIDDEN", { session_id: "s2" }))).answer).toBe("deny");
    expect(readFileSync(entry, "utf8")).toBe(text);
  });

  it("does not serve when an import changed", async () => {
    write("part.yaml", policy(no).replace("policy: p", "policy: part"));
    const top = policy(asks).replace("rules:", "imports: [{ file: ./part.yaml }]\nrules:");
    const given = ["claude-code", "--policy", write("p.yaml", top)];
    expect((await hook(given, call("touch FORBIDDEN"))).answer).toBe("deny");
    write("part.yaml", policy(asks).replace("policy: p", "policy: part"));
    expect((await hook(given, call("touch FORBIDDEN", { session_id: "s2" }))).answer).toBe("allow");
  });
});

describe("programs of rules", () => {
  const running = (program: string): string[] => {
    const command = JSON.stringify([process.execPath, write("program.mjs", program)]);
    const rule = `  - { id: program, event: tool_call, tool: bash, action: { run: { command: ${command}, protocol: json, timeout: 60s } } }`;
    return ["claude-code", "--policy", write("p.yaml", policy(rule)), "--budget", "60000"];
  };

  it.each([
    ["crashes", "process.exit(1);\n"],
    ["answers garbage", 'process.stdout.write("this is { no answer");\n'],
    ["answers an unknown decision", 'process.stdout.write(JSON.stringify({ decision: "perhaps" }));\n'],
  ])("refuse the call where one %s, and say so", async (_title, program) => {
    const { answer, stdout } = await hook(running(program), call("echo hello"));
    expect(answer).toBe("deny");
    expect(stdout).toContain("HW513");
  });

  it("answer for their rule, and the answer is on record", async () => {
    const given = running('process.stdout.write(JSON.stringify({ decision: "block", reason: "says the program" }));\n');
    const { answer, stdout } = await hook(given, call("echo hello"));
    expect(answer).toBe("deny");
    expect(stdout).toContain("says the program");
    expect(trail()).toContain("says the program");
  });

  it("that answer too late are a refusal in time", async () => {
    const given = [...running("setTimeout(() => undefined, 240000);\n").slice(0, -1), "600"];
    const { answer, stdout } = await hook(given, call("echo hello"));
    expect(answer).toBe("deny");
    expect(stdout).toContain("no decision was made in time");
  });
});

describe("the host that really called", () => {
  const claude = call("ls");
  const rows: readonly [string, Payload, Record<string, string>, string][] = [
    ["claude-code", claude, {}, "claude-code"],
    ["codex", claude, {}, "claude-code"],
    ["claude-code", { ...claude, turn_id: "t", model: "m" }, {}, "codex"],
    ["claude-code", { ...claude, hook_event_name: "BeforeTool" }, {}, "gemini"],
    ["claude-code", { hook_event_name: "SessionStart", session_id: "g" }, { GEMINI_SESSION_ID: "g" }, "gemini"],
    ["claude-code", { ...claude, permission_mode: undefined, timestamp: "2026-11-22T00:00:00Z" }, {}, "vscode"],
  ];
  it.each(rows)("named %s, payload %#", (named, payload, variables, expected) => {
    const dialect = dialectOf(named);
    const given = JSON.parse(JSON.stringify(payload)) as Payload;
    expect(dialect && callerOf(dialect, given, variables)).toBe(dialects[expected]);
  });

  it("is not told by variables that an agent's own children inherit", () => {
    const dialect = dialectOf("claude-code");
    const variables = { GEMINI_SESSION_ID: "another", CURSOR_VERSION: "1", CLAUDE_PROJECT_DIR: "/w" };
    expect(dialect && callerOf(dialect, claude, variables)).toBe(dialects["claude-code"]);
  });

  it("is answered in its own dialect", async () => {
    const given = ["claude-code", "--policy", write("p.yaml", policy(no))];
    const payload = { ...call("touch FORBIDDEN"), hook_event_name: "BeforeTool", tool_name: "run_shell_command" };
    const { stdout } = await hook(given, payload);
    expect(JSON.parse(stdout)).toMatchObject({ decision: "deny" });
  });
});

describe("a payload of very many values", () => {
  const given = () => ["claude-code", "--event", "PreToolUse", "--policy", write("p.yaml", policy(no))];
  const within = (input: string) => JSON.stringify({ ...call("touch HARMLESS"), more: 0 }).replace('"more":0', input);

  it.each([
    ["keys", `"more":{${Array.from({ length: limits.payloadNodes }, (_, i) => `"k${i}":0`).join()}}`],
    ["items", `"more":[${"0,".repeat(limits.payloadNodes)}0]`],
    ["lists", `"more":[${"[],".repeat(limits.payloadNodes)}0]`],
  ])("is refused before it is parsed: %s", async (_, more) => {
    const { answer, stdout } = await hook(given(), within(more));
    expect([answer, stdout.includes("more values than one event may have")]).toEqual(["deny", true]);
  });

  it.each(['"', "\\", '\\"', '\\\\"'])("is not one whose text holds as many commas, and ends in %j", async (end) => {
    const { answer } = await hook(given(), within(`"more":${JSON.stringify(",[{".repeat(limits.payloadNodes) + end)}`));
    expect(answer).toBe("allow");
  });
});

describe("a fault of ours", () => {
  const ports = (judge: HookPorts["judge"]): HookPorts => ({
    judge,
    environment: () => ({ cwd: "/w" }),
    caller: () => dialects["claude-code"] as NonNullable<ReturnType<typeof dialectOf>>,
    keep: () => undefined,
    kept: () => undefined,
    cwd: "/w",
    budget: 200,
    now: () => 0,
    id: "e1",
  });
  const named = dialects["claude-code"] as NonNullable<ReturnType<typeof dialectOf>>;

  it.each<[string, HookPorts["judge"], string]>([
    [
      "throws",
      () => {
        throw new Error("gone wrong");
      },
      "gone wrong",
    ],
    ["rejects", () => Promise.reject(new Error("gone wrong")), "gone wrong"],
    ["never answers", () => new Promise(() => undefined), "in time"],
  ])("that %s is a refusal with the reason", async (_, judge, words) => {
    const { stdout, exitCode } = await answerHook(named, JSON.stringify(call("ls")), ports(judge));
    expect(answerOf(stdout)).toBe("deny");
    expect(stdout).toContain(words);
    expect(exitCode).toBe(2);
  });

  it("does not keep the event from being judged as the host says", async () => {
    const judge: HookPorts["judge"] = (event) => {
      expect(event).toMatchObject({ event: "tool_call", host: "claude-code", tool: "Bash", session: { id: "s1" } });
      return { decision: decision(), grant: { skipPrompt: false } };
    };
    expect(await answerHook(named, JSON.stringify(call("ls", { environment: { files: {} } })), ports(judge))).toEqual({
      stdout: "",
      stderr: "",
      exitCode: 0,
    });
  });
});
