import { describe, expect, it } from "vitest";
import { shownText } from "../../../schema/approximation.ts";
import { tool } from "./judge.ts";

/** Variables of later programs that a call sets, as settings are told. */
function set(name: string, args: Readonly<Record<string, unknown>>): readonly string[] {
  const { config = [] } = tool(name, args).effects ?? {};
  return config.map(({ target }) => shownText(target)).filter((target) => target.startsWith("environment "));
}

const written = (path: string, content: string): readonly string[] => set("write", { path, content });

describe("a written file of variables", () => {
  it.each([
    ["behind a comment", "# a comment\nNODE_OPTIONS=--require x", ["environment NODE_OPTIONS"]],
    ["in a comment", "A=1\n# NODE_OPTIONS=--require x", []],
    ["behind a comment, where carriage returns end lines", "# a\rLD_PRELOAD=x\r", ["environment LD_PRELOAD"]],
    ["behind a carriage return", "A=1\rLD_PRELOAD=x\r", ["environment LD_PRELOAD"]],
    ["behind both ends of lines", "A=1\r\n# b\r\rLD_PRELOAD=x", ["environment LD_PRELOAD"]],
    ["behind a comment that is long", `#${" a".repeat(5_000)}\nLD_PRELOAD=x`, ["environment LD_PRELOAD"]],
    ["several on one line", "A=1 LD_PRELOAD=x B=2 HOME=/x", ["environment LD_PRELOAD", "environment HOME"]],
    ["with an option of fish", "set -gx LD_PRELOAD x", ["environment LD_PRELOAD"]],
    ["with an option that exports nothing", "set -g LD_PRELOAD x", []],
    ["with everyday options of Node", "NODE_OPTIONS=--max-old-space-size=4096", []],
  ])("%s", (_, text, names) => expect(written(".bashrc", text)).toEqual(names));

  it("counts where a value goes on for longer than what is looked at", () => {
    const far = `NODE_OPTIONS=${"--trace-warnings ".repeat(100)}--require x`;
    expect(written(".env", far)).toEqual(["environment NODE_OPTIONS"]);
    expect(written(".env", `NODE_OPTIONS="--trace-warnings" # ${"a ".repeat(1_000)}`)).toEqual([]);
  });

  it("is told of as a whole where it is longer than what is looked at", () => {
    const long = `${"A=1\n".repeat(80_000)}NODE_OPTIONS=--require x\n`;
    expect(written(".env", long)).toEqual(["environment of a file that is too long to be read"]);
    expect(written("notes.txt", long)).toEqual([]);
  });

  it("is known by the end of its path", () => {
    expect(written(`${"a/".repeat(600)}.env`, "LD_PRELOAD=x")).toEqual(["environment LD_PRELOAD"]);
  });
});

describe("variables by which a host of agents takes its configuration from elsewhere", () => {
  it.each([
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_SHELL_PREFIX",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "COPILOT_HOME",
    "OPENCODE_CONFIG_DIR",
    "PI_CODING_AGENT_DIR",
    "CURSOR_CONFIG_DIR",
    "CLINE_DATA_DIR",
    "GOOSE_PATH_ROOT",
    "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
    "VSCODE_PORTABLE",
  ])("%s counts in every file of variables", (name) => {
    for (const path of [".env", ".flaskenv", ".gemini/.env", "~/.zshenv"])
      expect([path, written(path, `A=1\nexport ${name}=/tmp/x\n`)]).toEqual([path, [`environment ${name}`]]);
  });

  it.each(["GEMINI_API_KEY", "CLAUDE_MODEL", "OPENCODE_THEME", "CODEX_HOME_URL"])("%s does not", (name) => {
    expect(written(".env", `${name}=x`)).toEqual([]);
  });
});

describe("a file that sets variables in another form", () => {
  it.each([
    [".vscode/settings.json", '{"claudeCode.environmentVariables":[{"name":"CODEX_HOME","value":"/tmp/x"}]}'],
    [".devcontainer/devcontainer.json", "{'env': [{ name: 'CODEX_HOME', value: '/tmp/x' }]}"],
    ["~/.config/systemd/user/a.service", "[Service]\nEnvironment=CODEX_HOME=/tmp/x\n"],
    ["~/.config/systemd/user/a.service", '[Service]\nEnvironment="A=1" "CODEX_HOME=/tmp/x"\n'],
  ])("%s: %s", (path, content) => expect(written(path, content)).toEqual(["environment CODEX_HOME"]));
});

describe("a tool that sets variables", () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ["a name and a value", { name: "NODE_OPTIONS", value: "--import ./x.mjs" }, ["environment NODE_OPTIONS"]],
    ["a name of everyday values", { name: "NODE_OPTIONS", value: "--trace-warnings" }, []],
    ["names as keys", { LD_PRELOAD: "x" }, ["environment LD_PRELOAD"]],
    ["one word", { setting: "BASH_ENV=x" }, ["environment BASH_ENV"]],
    ["the same name many times", { list: Array.from({ length: 50 }, () => "PATH"), value: "/usr/bin:$PATH" }, []],
  ])("%s", (_, args, names) => expect([...new Set(set("mcp__x__set_env", args))]).toEqual(names));
});
