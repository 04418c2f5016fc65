import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";

/** Ways to carry a call that were written down after the code that finds them, judged by the pack that most people use. */
const { files } = discoverPolicies(["pack:recommended"], process.cwd());
const engine = createEngine(compile({ files, resolveImport }).plan);

function outcome(tool: string, args: object): string {
  return engine.decide({
    event: "tool_call",
    tool,
    args: args as Record<string, unknown>,
    environment: { cwd: "/w", workspace: "/w", home: "/home/dev", branch: "main" },
  }).decision.outcome;
}

const push = "git push --force origin main";
const [git = "", ...rest] = push.split(" ");

describe("a forced push that another call carries", () => {
  it.each<[string, string, object]>([
    ["workflow steps", "run_workflow", { steps: [{ tool: "shell", args: { command: push } }] }],
    [
      "a plan of calls by id",
      "execute_plan",
      { plan: { nodes: [{ id: 1, toolName: "Bash", toolInput: { command: push } }] } },
    ],
    ["a queue of JSON texts", "enqueue", { jobs: [JSON.stringify({ tool: "Bash", arguments: { command: push } })] }],
    ["arguments twice encoded", "invoke", { name: "Bash", arguments: JSON.stringify({ command: push }) }],
    [
      "a namespaced recipient",
      "multi_tool_use.parallel",
      { tool_uses: [{ recipient_name: "functions.shell", parameters: { command: [git, ...rest] } }] },
    ],
    [
      "an MCP shell inside a proxy",
      "mcp__gateway__call",
      { server: "shell", tool: "run", arguments: { command: push } },
    ],
    ["kebab-case names", "relay", { call: { "tool-name": "Bash", "tool-input": { command: push } } }],
    ["a child process", "mcp__node__spawn", { file: git, args: rest }],
    ["a container's words", "mcp__docker__exec", { container: "x", cmd: [git, ...rest] }],
    ["a working folder beside it", "mcp__sh__run", { executable: git, argv: rest, cwd: "/w" }],
    ["keys with Enter", "mcp__tmux__send", { keys: `${push}\n` }],
    ["input of a terminal", "terminal_input", { data: `${push}\r` }],
    ["a line of a console", "console_write", { line: `cd /w && ${push}` }],
    ["a REPL's code", "REPL", { code: `require("child_process").execSync("${push}")` }],
    ["a shell's input", "Bash", { command: "bash -s", stdin: push }],
    ["a shell's input as a here text", "exec_command", { cmd: "sh", input: `${push}\n` }],
    ["words in a string", "Bash", { command: git, args: rest.join(" ") }],
    ["a list of scripts", "run_scripts", { scripts: [{ script: push }] }],
    ["a prefix of variables", "mcp__x__y", { payload: `GIT_TRACE=1 ${push}` }],
    ["behind sudo", "mcp__x__y", { payload: `sudo ${push}` }],
  ])("is not let through: %s", (_, tool, args) => {
    expect(outcome(tool, args)).not.toBe("allow");
    const harmless = JSON.parse(
      JSON.stringify(args)
        .replaceAll("push --force origin main", "status")
        .replaceAll('"push","--force","origin","main"', '"status"'),
    );
    expect(outcome(tool, harmless)).toBe(
      outcome(tool, JSON.parse(JSON.stringify(harmless).replaceAll("status", "log"))),
    );
  });
});

describe("everyday calls of servers", () => {
  it.each<[string, object]>([
    [
      "mcp__github__create_pull_request",
      { title: "Fix: git push --force docs", body: "run `npm install`", head: "a", base: "main" },
    ],
    ["mcp__github__get_file_contents", { owner: "o", repo: "r", path: "src/index.ts", ref: "main" }],
    ["mcp__wiki__note", { channel: "C1", text: "deploy is done, see https://a.example/x for more" }],
    ["mcp__notion__append", { block: { paragraph: { text: "1. make coffee 2. read docs/a.md" } } }],
    ["mcp__jira__search", { jql: "project = X and status = Open" }],
    ["mcp__postgres__query", { sql: "select * from t where a > 3; select 1" }],
    ["mcp__playwright__browser_type", { ref: "e1", text: "cat pictures" }],
    ["mcp__playwright__browser_press_key", { key: "Enter" }],
    ["mcp__figma__get_node", { file: "abc", node: "1:2" }],
    ["TodoWrite", { todos: [{ content: "git push origin main", status: "pending" }] }],
    ["Bash", { command: "ls -la", description: "git push --force origin main" }],
    ["Monitor", { command: "tail -f log.txt", description: "watch" }],
    ["mcp__calendar__create", { name: "call", arguments: { title: "x" } }],
  ])("%s %j is let through as before", (tool, args) => {
    expect(outcome(tool, args)).toBe("allow");
  });
});
