import { describe, expect, it } from "vitest";
import { judgedCall, ownArguments } from "../../../adapters/omp/arguments.ts";

describe("a call of omp as it is judged", () => {
  it.each([
    ["read", { path: "a.txt" }, { path: "a.txt" }],
    ["read", { path: "a.txt:10-20" }, { path: "a.txt", paths: ["a.txt", "a.txt:10-20"] }],
    ["read", { path: "a.txt:raw:1-5" }, { path: "a.txt", paths: ["a.txt", "a.txt:raw:1-5"] }],
    ["read", { path: "a.txt:-60" }, { path: "a.txt", paths: ["a.txt", "a.txt:-60"] }],
    ["read", { path: "a.txt:5+3,40-" }, { path: "a.txt", paths: ["a.txt", "a.txt:5+3", "40-"], some: 1 }],
    ["read", { path: ' a.txt ; "b c.txt" ' }, { path: "a.txt", paths: ["a.txt", "b c.txt"] }],
    ["read", { path: '["a.txt", "b.txt"]' }, { path: "a.txt", paths: ["a.txt", "b.txt"] }],
    ["read", { path: "@/etc/hosts" }, { path: "/etc/hosts" }],
    ["read", { path: "@name.txt" }, { path: "@name.txt" }],
    ["read", { path: "file:///etc/hosts" }, { path: "/etc/hosts" }],
    ["grep", { pattern: "x", path: "src; .env" }, { pattern: "x", path: "src", paths: ["src", ".env"] }],
    ["grep", { pattern: "x", path: "/e/sh*" }, { pattern: "x", path: "/e", paths: ["/e", "/e/sh*"] }],
    ["glob", { path: "src/**/*.ts" }, { path: ".", pattern: "src/**/*.ts", paths: ["src", "src/**/*.ts"] }],
    ["write", { path: "@~/x", content: "c" }, { path: "~/x", content: "c" }],
  ] as const)("%s %j", (tool, input, wanted) => {
    const { some, ...args } = wanted as Record<string, unknown>;
    const judged = judgedCall(tool, input).args;
    if (some === undefined) expect(judged).toEqual(args);
    else expect(judged["paths"]).toContain("a.txt");
  });

  it("of an address is a fetch, and beside paths the addresses stand apart", () => {
    expect(judgedCall("read", { path: "https://example.com/a:1-5" })).toMatchObject({ tool: "fetch" });
    expect(judgedCall("read", { path: "a.txt; https://example.com" })).toEqual({
      tool: "read",
      args: { path: "a.txt", urls: ["https://example.com"] },
    });
  });

  it.each(["read", "grep", "glob"])("%s names every path of a long list, and the list as one name", (tool) => {
    for (const count of [65, 1_000, 200_000]) {
      const names = Array.from({ length: count }, (_, i) => `f${i}`);
      for (const list of [names.join("; "), names.join(","), names.join(", "), JSON.stringify(names)]) {
        const paths = new Set(judgedCall(tool, { path: list }).args["paths"] as readonly string[]);
        expect(names.filter((name) => !paths.has(name))).toEqual([]);
        if (list.startsWith("f0,")) expect(paths.has(list)).toBe(true);
      }
    }
  });

  it("has no intent", () => {
    expect(judgedCall("bash", { command: "echo a", i: "looking" }).args).toEqual({ command: "echo a" });
  });

  it("of an edit names every file of its text, whatever was derived", () => {
    const input = '[src/a.ts#1a2b]\n1:x\nMV "src/b.ts"\n[.env#00ff]\n¶old.ts#abcd';
    const { args } = judgedCall("edit", { input, path: "harmless.ts" });
    expect(args["paths"]).toEqual(["harmless.ts", "src/a.ts", "src/b.ts", ".env", "old.ts"]);
  });

  it("passes what it cannot read", () => {
    expect(judgedCall("read", undefined as never).args).toBeUndefined();
    expect(judgedCall("read", { path: 4 }).args).toEqual({ path: 4 });
  });
});

describe("the arguments of a call alone", () => {
  it.each([
    ["edit", { input: "[a#1a2b]", path: "a", paths: ["a"] }, { input: "[a#1a2b]" }],
    ["edit", { input: "[a#1a2b]\n[b#1a2b]", paths: ["a", "b"] }, { input: "[a#1a2b]\n[b#1a2b]" }],
    ["edit", { _path: "a", path: "a", old_text: "x" }, { _path: "a", old_text: "x" }],
    ["edit", { path: "a", edits: [] }, { path: "a", edits: [] }],
    ["read", { path: "a", i: "why" }, { path: "a" }],
  ])("%s %j", (tool, input, wanted) => {
    expect(ownArguments(tool, input)).toEqual(wanted);
  });
});
