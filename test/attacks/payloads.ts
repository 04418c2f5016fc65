import { canaryForms } from "../../adapters/install/canary-payloads.ts";

/** A call of a tool other than the shell, as a host puts it. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How the payload of one host holds a call and a result. */
interface PayloadForm {
  /** Event that the hook of a result is wired for; undefined where a host cannot take another result. */
  readonly after?: string;
  /** Event that the hook of a call is wired for. */
  readonly before: string;
  call(call: ToolCall, cwd: string): Readonly<Record<string, unknown>> | undefined;
  result?(text: string, cwd: string): Readonly<Record<string, unknown>>;
}

type Body = Readonly<Record<string, unknown>>;

const shellCall = (host: string, cwd: string): Body => {
  const form = canaryForms[host];
  if (!form) throw new Error(`no payload of ${host}`);
  return form.payload("true", cwd);
};

/** Hosts that name tool and arguments at the top of the payload. */
const flat =
  (host: string, tool = "tool_name", args = "tool_input") =>
  (call: ToolCall, cwd: string): Body => ({ ...shellCall(host, cwd), [tool]: call.tool, [args]: call.args });

const claudeResult =
  (host: string, response: (text: string) => unknown) =>
  (text: string, cwd: string): Body => ({
    ...shellCall(host, cwd),
    hook_event_name: "PostToolUse",
    tool_response: response(text),
  });

const printed = (stdout: string): Body => ({ stdout, stderr: "", interrupted: false, isImage: false });

function windsurfCall({ tool, args }: ToolCall, cwd: string): Body | undefined {
  const made = (agent_action_name: string, tool_info: Body): Body => ({
    ...shellCall("windsurf", cwd),
    agent_action_name,
    tool_info,
  });
  const [kind, server, name] = tool.split("__");
  if (kind === "mcp")
    return made("pre_mcp_tool_use", { mcp_server_name: server, mcp_tool_name: name, mcp_tool_arguments: args });
  if (tool === "Bash") return made("pre_run_command", { command_line: args["command"], cwd });
  const edits = args["edits"] ?? [{ old_string: "", new_string: args["content"] }];
  return tool === "Write" || tool === "MultiEdit"
    ? made("pre_write_code", { file_path: args["file_path"], edits })
    : undefined;
}

/** Hosts whose hooks are processes, and which take a payload on standard input. */
export const payloadForms: Readonly<Record<string, PayloadForm>> = {
  "claude-code": {
    before: "PreToolUse",
    after: "PostToolUse",
    call: flat("claude-code"),
    result: claudeResult("claude-code", printed),
  },
  codex: {
    before: "PreToolUse",
    after: "PostToolUse",
    // A patch comes as the `command` of its tool.
    call: ({ tool, args }, cwd) => {
      const { patch, ...rest } = args;
      const named = tool === "apply_patch" ? { ...rest, command: patch } : args;
      return flat("codex")({ tool, args: named }, cwd);
    },
    result: claudeResult("codex", (text) => text),
  },
  vscode: { before: "PreToolUse", call: flat("vscode") },
  gemini: {
    before: "BeforeTool",
    after: "AfterTool",
    call: flat("gemini"),
    result: (text, cwd) => ({
      ...shellCall("gemini", cwd),
      hook_event_name: "AfterTool",
      tool_response: { llmContent: text, returnDisplay: "" },
    }),
  },
  copilot: {
    before: "preToolUse",
    after: "postToolUse",
    call: flat("copilot", "toolName", "toolArgs"),
    result: (text, cwd) => ({
      ...shellCall("copilot", cwd),
      toolResult: { resultType: "success", textResultForLlm: text },
    }),
  },
  cursor: { before: "preToolUse", call: flat("cursor") },
  windsurf: { before: "pre_run_command", call: windsurfCall },
  cline: {
    before: "PreToolUse",
    call: ({ tool, args }, cwd) => ({
      ...shellCall("cline", cwd),
      tool_call: { id: "canary", name: tool, input: args },
    }),
  },
  goose: {
    before: "PreToolUse",
    call: (call, cwd) => ({ ...flat("goose")(call, cwd), matcher_context: call.tool }),
  },
};

/** A payload that is large in one way, and does what is forbidden; the small form of it does the same. */
export interface PayloadShape {
  readonly id: string;
  readonly title: string;
  /** The call, at a size. */
  call(size: number, file: string): ToolCall;
  /** How large the attack is, and its control. */
  readonly sizes: readonly [large: number, small: number];
  /** The folder that the call says it is in. */
  cwd?(size: number, project: string): string;
  /** Changes the text of the payload, for what no object has. */
  text?(text: string, size: number): string;
}

const list = <T>(size: number, of: (n: number) => T): T[] => Array.from({ length: size }, (_, n) => of(n));

const write = (file: string, content: string, more: Body = {}): ToolCall => ({
  tool: "Write",
  args: { file_path: file, content, ...more },
});

/** A value with so many lists around it. */
function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let n = 0; n < depth; n++) value = [value];
  return value;
}

/** Where a shape changes the text of its payload. */
const place = "HERE-IS-MORE";

export const payloadShapes: readonly PayloadShape[] = [
  {
    id: "patch-sections",
    title: "`apply_patch` of 12,000 files",
    sizes: [12_000, 3],
    call: (size, file) => ({
      tool: "apply_patch",
      args: {
        patch: `*** Begin Patch\n${list(size, (n) => `*** Update File: f${n}\n@@\n-a\n+b\n`).join("")}*** Add File: ${file}\n+x\n*** End Patch\n`,
      },
    }),
  },
  {
    id: "edits",
    title: "`MultiEdit` of 5,000 edits",
    sizes: [5_000, 2],
    call: (size, file) => ({
      tool: "MultiEdit",
      args: { file_path: file, edits: list(size, (n) => ({ old_string: `a${n}`, new_string: `b${n}` })) },
    }),
  },
  {
    id: "working-folder",
    title: "a working folder of 30,000 names",
    sizes: [30_000, 2],
    call: (_, file) => ({ tool: "Bash", args: { command: `touch ${file}` } }),
    cwd: (size, project) => `${project}${"/a".repeat(size)}`,
  },
  {
    id: "arguments",
    title: "a call of an MCP server with 200,000 arguments",
    sizes: [200_000, 3],
    call: (size, file) => ({
      tool: "mcp__files__store",
      args: { ...Object.fromEntries(list(size, (n) => [`k${n}`, n])), path: file },
    }),
  },
  {
    id: "values",
    title: "an argument of 600,000 values",
    sizes: [600_000, 3],
    call: (size, file) => write(file, "x", { more: list(size, () => 0) }),
  },
  {
    id: "many-values",
    title: "an argument of 450,000 values, which an event may have",
    sizes: [450_000, 3],
    call: (size, file) => write(file, "x", { more: list(size, () => 0) }),
  },
  {
    id: "depth",
    title: "an argument 120 deep, which an event may have",
    sizes: [120, 3],
    call: (size, file) => write(file, "x", { more: nested(size) }),
  },
  {
    id: "too-deep",
    title: "an argument 100,000 deep",
    sizes: [100_000, 3],
    call: (_, file) => write(file, "x", { more: place }),
    text: (text, size) => text.replace(JSON.stringify(place), () => `${"[".repeat(size)}0${"]".repeat(size)}`),
  },
  {
    id: "long-text",
    title: "a file of 15 MB",
    sizes: [15_000_000, 3],
    call: (size, file) => write(file, "a".repeat(size)),
  },
  {
    id: "too-long-text",
    title: "a file of 17 MB, more than an event may have",
    sizes: [17_000_000, 3],
    call: (size, file) => write(file, "a".repeat(size)),
  },
  {
    id: "script",
    title: "a script of 12,000 lines",
    sizes: [12_000, 3],
    call: (size, file) => write(`${file}.sh`, `#!/bin/sh\n${list(size, (n) => `echo line ${n}\n`).join("")}`),
  },
  {
    id: "same-names",
    title: "one argument 50,000 times, the last of which counts",
    sizes: [50_000, 3],
    call: (_, file) => write(file, "x"),
    // A reader takes the last of equal names: the forbidden one stands behind all others.
    text: (text, size) => text.replace(/"file_path":/, () => `${'"file_path":"other",'.repeat(size)}"file_path":`),
  },
  {
    id: "long-names",
    title: "an argument whose name has 5 MB",
    sizes: [5_000_000, 3],
    call: (size, file) => write(file, "x", { ["k".repeat(size)]: 0 }),
  },
  {
    id: "names-that-disagree",
    title: "2,000 paths under two names, which disagree",
    sizes: [2_000, 2],
    call: (size, file) =>
      write(file, "x", { path: file, ...Object.fromEntries(list(size, (n) => [`path${n}`, `f${n}`])) }),
  },
];

/** Text of a result with a secret among so many words that look like the names of secrets. */
export function keyLikeWords(count: number, secret: string): string {
  const words = list(count, (n) => (n % 2 === 0 ? "api_key" : "password"));
  return `${words.join(" ")}\nAPI_KEY=${secret}\n${words.slice(0, 10).join(" ")}\n`;
}
