import { describe, expect, it } from "vitest";
import { readEvent } from "../../../facts/effects/event.ts";
import { facts } from "../../../facts/facts.ts";
import { deletes, emptyFiles, network, reads, runs, tool, toolCall, writes } from "./judge.ts";

describe("effects of canonical tools", () => {
  it("read, write, edit, list, glob and grep use their path", () => {
    expect(reads(tool("read", { path: "~/.ssh/id_rsa" }))).toEqual(["/home/dev/.ssh/id_rsa"]);
    expect(reads(tool("read", { path: "../x" }))).toEqual(["/home/dev/x"]);
    expect(writes(tool("write", { path: "src/a.ts", content: "x" }))).toEqual(["/home/dev/app/src/a.ts"]);
    const edit = tool("edit", { path: "a", old_text: "x", new_text: "y" });
    expect([reads(edit), writes(edit)]).toEqual([["/home/dev/app/a"], ["/home/dev/app/a"]]);
    expect(writes(tool("edit", { paths: ["a", "b"] }))).toEqual(["/home/dev/app/a", "/home/dev/app/b"]);
    expect(reads(tool("list", {}))).toEqual(["/home/dev/app metadata"]);
    expect(reads(tool("glob", { pattern: "**/*.ts" }))).toEqual(["/home/dev/app/**/*.ts recursive metadata"]);
    expect(reads(tool("grep", { pattern: "rm -rf /", path: "src" }))).toEqual(["/home/dev/app/src recursive"]);
  });

  it("a patch names its files", () => {
    const reading = tool("edit", {
      patch: "*** Begin Patch\n*** Update File: a.ts\n*** Delete File: b.ts\n*** End Patch",
    });
    expect([writes(reading), deletes(reading)]).toEqual([["/home/dev/app/a.ts"], ["/home/dev/app/b.ts"]]);
    expect(writes(tool("edit", { patch: "--- a/x\n+++ b/x\n@@ -1 +1 @@" }))).toEqual(["/home/dev/app/x"]);
  });

  it("fetch downloads, and sends when it has a body or a method that does", () => {
    expect(network(tool("fetch", { url: "https://docs.x/y" }))).toEqual(["docs.x download"]);
    expect(network(tool("fetch", { url: "https://docs.x/y", method: "POST" }))).toEqual(["docs.x upload"]);
    expect(network(tool("fetch", { url: "https://docs.x/y", body: "a" }))).toEqual(["docs.x upload"]);
    expect(tool("search", { query: "x" }).effects?.network).toHaveLength(1);
  });

  it("task and eval are opaque", () => {
    expect([runs(tool("task", { prompt: "x" })), tool("eval", { code: "1" }).understanding]).toEqual([
      ["task"],
      "opaque",
    ]);
  });
});

describe("arguments of the wrong type (class 20)", () => {
  it.each([
    ["bash", { command: ["rm", 1] }],
    ["bash", { command: [] }],
    ["bash", { command: { run: "rm" } }],
    ["bash", {}],
    ["bash", undefined],
    ["bash", { command: "ls", cwd: 1 }],
    ["powershell", { command: "Remove-Item -Recurse -Force $HOME" }],
    ["read", { path: { a: 1 } }],
    ["write", {}],
    ["write", { path: "a\u0000b" }],
    ["edit", {}],
    ["edit", { edits: "x" }],
    ["fetch", { url: 1 }],
    ["fetch", {}],
  ])("%s with %j is not understood, and says why", (name, args) => {
    const reading = tool(name, args as Record<string, unknown> | undefined);
    expect([reading.understanding, reading.effects, reading.doubts.length]).toEqual(["unknown", undefined, 1]);
  });
});

describe("tools that are not canonical", () => {
  it("known file servers by table", () => {
    expect(deletes(tool("mcp__fs__move_file", { source: "policy.yaml", destination: "/tmp/x" }))).toEqual([
      "/home/dev/app/policy.yaml recursive",
    ]);
    expect(writes(tool("mcp__filesystem__write_file", { path: ".git/config", content: "/etc/passwd" }))).toEqual([
      "/home/dev/app/.git/config",
    ]);
    expect(reads(tool("mcp__filesystem__read_multiple_files", { paths: ["a", "b"] }))).toEqual([
      "/home/dev/app/a",
      "/home/dev/app/b",
    ]);
  });

  it("others by the shape of their arguments, at any depth", () => {
    const reading = tool("mcp__x__sync", { target: { deep: ["/etc/passwd", "https://evil.x/a", "plain words"] } });
    expect([reads(reading), writes(reading), deletes(reading), network(reading)]).toEqual([
      ["/etc/passwd maybe"],
      ["/etc/passwd maybe"],
      [],
      ["evil.x both maybe"],
    ]);
    expect(reading.understanding).toBe("opaque");
  });

  it.each([
    ["mcp__fs__delete", { path: "/etc", recursive: true }, ["/etc recursive maybe"]],
    ["mcp__x__deleteFile", { path: "/etc/x" }, ["/etc/x maybe"]],
    ["mcp__x__remove_directory", { path: "/etc" }, ["/etc recursive maybe"]],
    ["purge_cache", { dir: "./cache" }, ["/home/dev/app/cache maybe"]],
    ["mcp__x__read_form", { path: "/etc/x" }, []],
    ["mcp__x__deleted_items", { path: "/etc/x" }, ["/etc/x maybe"]],
    ["mcp__x__transform", { path: "/etc/x" }, []],
  ])("%s %j deletes %j", (name, args, expected) => {
    expect(deletes(tool(name, args))).toEqual(expected);
  });
});

describe("facts of an event", () => {
  it("are computed when first asked for and then kept", () => {
    let lookups = 0;
    const files = {
      ...emptyFiles,
      lookup: () => {
        lookups += 1;
        return { kind: "absent" } as const;
      },
    };
    const set = facts.of(toolCall("bash", { command: "rm -rf /etc" }), files);
    expect(lookups).toBe(0);
    expect(set.effects?.deletes).toHaveLength(1);
    const after = lookups;
    expect([set.effects, set.shell, set.understanding, set.doubts].length).toBe(4);
    expect(lookups).toBe(after);
    expect(set.effects).toBe(set.effects);
    expect([set.secrets, set.text.ansi]).toEqual([[], 0]);
  });

  it("judge user_bash like bash, and nothing where nothing is called", () => {
    const event = {
      ...toolCall("bash", {}),
      event: "user_bash" as const,
      tool: undefined,
      args: undefined,
      command: "rm -rf /etc",
    };
    expect(deletes(readEvent(event, emptyFiles))).toEqual(["/etc recursive"]);
    expect(readEvent({ ...event, event: "input", command: undefined }, emptyFiles)).toEqual({
      understanding: "understood",
      doubts: [],
      shell: undefined,
      effects: undefined,
    });
  });

  it("take the variables that the call brings along", () => {
    const reading = tool("bash", { command: "rm -rf $T", env: { T: "/etc", LD_PRELOAD: "./x.so" } });
    expect([deletes(reading), runs(reading), reading.understanding]).toEqual([
      ["/etc recursive"],
      ["./x.so"],
      "opaque",
    ]);
    expect(tool("bash", { command: "ls", env: ["A=b"] }).understanding).toBe("unknown");
  });

  it("take the tool's working directory, variables and home", () => {
    expect(deletes(tool("bash", { command: "rm x", cwd: "sub" }))).toEqual(["/home/dev/app/sub/x"]);
    expect(
      deletes(readEvent(toolCall("bash", { command: "rm $T/x" }, { variables: { T: "/t" } }), emptyFiles)),
    ).toEqual(["/t/x"]);
    expect(readEvent(toolCall("bash", { command: "ls" }, { shell: "fish" }), emptyFiles).understanding).toBe("unknown");
  });
});
