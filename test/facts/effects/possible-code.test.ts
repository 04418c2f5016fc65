import { describe, expect, it } from "vitest";
import { tool } from "./judge.ts";

/** Code that a call hands to something else: commands in arguments of unmapped tools, and code written to files. */
const deletes = (name: string, args: Record<string, unknown>): string[] =>
  (tool(name, args).effects?.deletes ?? []).map((one) => `${one.path.lexical}${one.certain ? "" : " maybe"}`);

describe("commands in arguments of unmapped tools", () => {
  it.each([
    ["mcp__shell__run", { command: "rm -rf /etc" }, ["/etc maybe"]],
    ["mcp__box__execute_command", { cmd: "cd /srv && rm -rf x" }, ["/srv/x maybe"]],
    ["mcp__terminal__send", { command_line: "rm -rf /etc" }, ["/etc maybe"]],
    ["mcp__notes__save", { command: "rm -rf /etc" }, []],
    ["mcp__shell__run", { note: "rm -rf /etc" }, []],
    ["mcp__shell__run", { command: "echo 'open" }, []],
  ])("%s %j deletes %j", (name, args, wanted) => {
    expect(deletes(name, args)).toEqual(wanted);
  });
});

describe("code written to files", () => {
  it.each([
    ["a.py", "import shutil\nshutil.rmtree('/etc')\n", ["/etc maybe"]],
    ["a.js", "require('fs').rmSync('/etc', { recursive: true })", ["/etc maybe"]],
    ["a.py", "import shutil\nshutil.rmtree(path)\n", []],
    ["a.py", "print('rm -rf /etc')\n", []],
    ["a.md", "import shutil\nshutil.rmtree('/etc')\n", []],
    ["a.py", "it's not python", []],
  ])("%s with %j deletes %j", (path, content, wanted) => {
    expect(deletes("write", { path, content })).toEqual(wanted);
  });
});
