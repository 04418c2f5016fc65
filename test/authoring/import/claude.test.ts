import { describe, expect, it } from "vitest";
import { importClaude } from "../../../authoring/import/claude.ts";
import type { Imported } from "../../../authoring/import/imported.ts";
import { isImported } from "../../../authoring/import/redact-policy.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { bash, engineOf, findingsOf } from "./judged.ts";

const regex = createRegexEngine();

function settings(value: unknown): Imported {
  const bytes = Buffer.from(typeof value === "string" ? value : JSON.stringify(value, null, 2));
  return importClaude([{ name: "settings.json", bytes }], regex);
}

const permissions = (lists: object): Imported => settings({ permissions: lists });
const left = ({ notCarried }: Imported) => notCarried.map(({ rule, field, effect }) => [rule ?? "", field, effect]);

const read = (path: string): object => ({ event: "tool_call", tool: "Read", args: { file_path: path } });
const write = (path: string): object => ({
  event: "tool_call",
  tool: "Write",
  args: { file_path: path, content: "x" },
});
const fetch = (url: string): object => ({ event: "tool_call", tool: "WebFetch", args: { url, prompt: "p" } });

/** Outcomes of events under an import, by the same engine. */
function outcomes(imported: Imported, events: readonly object[]): string[] {
  const engine = engineOf(imported);
  return events.map((event) => engine.decide(event).decision.outcome);
}

describe("importClaude, commands", () => {
  const imported = permissions({
    allow: ["Bash(npm run test:*)", "Bash(git status)", "Bash(git log *)"],
    ask: ["Bash(git push:*)"],
    deny: ["Bash(curl:*)", "Bash(rm -rf:*)", "Bash(sudo:*)", "Bash(git * --no-verify)"],
  });

  it.each([
    ["npm run test", "allow"],
    ["npm run test -- --watch", "allow"],
    ["npm run test && git status", "allow"],
    ["timeout 60 npm run test", "allow"],
    ["git log --oneline -5", "allow"],
    ["git status", "allow"],
    // More than what was allowed.
    ["npm run tests", "ask"],
    ["npm run publish", "ask"],
    ["./npm run test", "ask"],
    ["NODE_OPTIONS=--require=./x.js npm run test", "ask"],
    ["npm run test > ../out", "ask"],
    ["npm run test && make", "ask"],
    ["npm run test $(make)", "ask"],
    ["git status --short", "ask"],
    ["env -i npm run test", "ask"],
    // What is asked about or denied, however it is written.
    ["git push origin main", "ask"],
    ["git -C /srv push origin main", "ask"],
    ["curl https://example.com", "block"],
    ["/usr/bin/curl https://example.com", "block"],
    ["npm run test; curl https://example.com", "block"],
    ["bash -c 'curl https://example.com'", "block"],
    ["rm -rf build", "block"],
    ["rm -fr build", "block"],
    ["rm --recursive --force build", "block"],
    ["rm -rf -- build", "block"],
    ["sudo ls", "block"],
    ["git commit --no-verify", "block"],
    ["/usr/bin/git commit --no-verify", "block"],
    ["echo 'curl'", "ask"],
    ["rm notes.txt", "ask"],
    // What cannot be parsed is asked about.
    ["git status 'open", "ask"],
  ])("%s: %s", (command, outcome) => {
    expect(outcomes(imported, [bash(command)])).toEqual([outcome]);
  });

  it.each([
    ["several commands", "Bash(curl * | sh)"],
    ["quotes", 'Bash(echo "x":*)'],
    ["no form at all", "Bash(ls"],
    ["a part of an unknown tool", "Monitor(x)"],
  ])("%s: said, and guarding less where it was denied", (_, permission) => {
    const result = permissions({ allow: [permission, "Bash(ls)"], deny: [permission] });
    expect(left(result)).toEqual([
      [`allow ${permission}`, "allow", "guards_more"],
      [`deny ${permission}`, "deny", "guards_less"],
    ]);
    expect([result.rules, result.carried]).toEqual([3, 1]);
  });

  it("a whole tool, also as a star, and the same permission twice is one rule", () => {
    for (const tool of ["Bash", "Bash(*)"])
      expect(outcomes(permissions({ deny: [tool, tool] }), [bash("ls"), read("a")])).toEqual(["block", "allow"]);
    expect(outcomes(permissions({ allow: ["Bash"] }), [bash("ls"), bash("make x"), bash("ls 'open")])).toEqual([
      "allow",
      "allow",
      "ask",
    ]);
  });
});

describe("importClaude, paths", () => {
  it("a deny holds for what a call would do, whatever tool does it", () => {
    const imported = permissions({
      allow: ["Bash"],
      deny: ["Read(./secrets/**)", "Read(~/.ssh/**)", "Read(.env)", "Edit(//etc/**)", "Edit(/generated/)"],
    });
    const blocked = [
      read("secrets/a/b"),
      read("/home/dev/app/secrets/x"),
      bash("cat secrets/x"),
      bash("cat ~/.ssh/id_rsa"),
      read("deep/down/.env"),
      write("/etc/hosts"),
      bash("echo x > generated/a.ts"),
      bash("rm generated/a.ts"),
    ];
    expect(outcomes(imported, blocked)).toEqual(blocked.map(() => "block"));
    expect(outcomes(imported, [read("src/a"), read("src/secrets.ts"), bash("cat a")])).toEqual([
      "allow",
      "allow",
      "allow",
    ]);
    expect(left(imported)).toContainEqual(["deny Read(./secrets/**)", "deny", "guards_more"]);
  });

  it("an allow holds for the tools alone, and in the project alone", () => {
    const imported = permissions({ allow: ["Edit(/docs/**)", "Read(//srv/shared/**)"] });
    const events = [
      write("docs/a.md"),
      write("other/docs/a.md"),
      write("/srv/docs/a"),
      read("/srv/shared/x"),
      read("/srv/x"),
    ];
    expect(outcomes(imported, events)).toEqual(["allow", "ask", "ask", "allow", "ask"]);
    expect(outcomes(imported, [bash("echo x > docs/a.md")])).toEqual(["ask"]);
  });

  it("reads in the project need no permission; with acceptEdits edits neither, also in further folders", () => {
    const plain = permissions({ allow: [], ask: ["WebSearch"] });
    expect(outcomes(plain, [read("a"), read("/srv/a"), write("a"), bash("ls")])).toEqual([
      "allow",
      "ask",
      "ask",
      "ask",
    ]);
    const accept = permissions({
      defaultMode: "acceptEdits",
      additionalDirectories: ["/srv/data", "../beside"],
      ask: ["WebSearch"],
    });
    expect(outcomes(accept, [write("a"), write("/srv/data/x"), write("/srv/x"), read("/srv/data/x")])).toEqual([
      "allow",
      "allow",
      "ask",
      "allow",
    ]);
    expect(left(accept)).toEqual([["", "permissions.additionalDirectories", "guards_more"]]);
  });
});

describe("importClaude, hosts, servers and modes", () => {
  it("a deny for a host is one for its subdomains and for every tool; an allow is for this host and the fetch tool", () => {
    const imported = permissions({
      allow: ["WebFetch(domain:docs.example.com)"],
      deny: ["WebFetch(domain:evil.example)"],
    });
    const events = [
      fetch("https://docs.example.com/x"),
      fetch("https://a.docs.example.com/x"),
      bash("curl https://docs.example.com"),
      fetch("https://evil.example/"),
      fetch("https://a.evil.example/"),
      bash("curl https://evil.example/x"),
    ];
    expect(outcomes(imported, events)).toEqual(["allow", "ask", "ask", "block", "block", "block"]);
  });

  it("servers and their tools", () => {
    const imported = permissions({
      allow: ["mcp__files__read_text"],
      deny: ["mcp__db", "mcp__web__*"],
      ask: ["mcp__files__move"],
    });
    const call = (tool: string): object => ({ event: "tool_call", tool, args: {} });
    const tools = ["mcp__files__read_text", "mcp__files__move", "mcp__files__other", "mcp__db__query", "mcp__web__get"];
    expect(outcomes(imported, tools.map(call))).toEqual(["allow", "ask", "ask", "block", "block"]);
  });

  it("a kind of sub-agent", () => {
    const task = (kind: string): object => ({
      event: "tool_call",
      tool: "Task",
      args: { prompt: "x", subagent_type: kind },
    });
    const imported = permissions({ deny: ["Task(Explore)"] });
    expect(outcomes(imported, [task("Explore"), task("Plan")])).toEqual(["block", "ask"]);
  });

  it.each([
    [undefined, "ask", "ask"],
    ["plan", "ask", "ask"],
    ["dontAsk", "block", "block"],
    ["bypassPermissions", "allow", "ask"],
    ["never-heard-of", "ask", "ask"],
  ])("mode %s: %s, and %s what is not understood", (mode, other, unknown) => {
    const imported = permissions({ ...(mode && { defaultMode: mode }), deny: ["WebSearch"] });
    expect(outcomes(imported, [bash("make x"), bash("ls 'open")])).toEqual([other, unknown]);
  });
});

describe("importClaude, hooks", () => {
  const hook = (command: string, more: object = {}): object => ({ type: "command", command, ...more });

  it("become rules that run them, with matcher, time and the variable of the project", () => {
    const imported = settings({
      hooks: {
        PreToolUse: [
          { matcher: "Edit|Write", hooks: [hook('"$CLAUDE_PROJECT_DIR"/guard', { timeout: 5 })] },
          { matcher: "mcp__.*__delete", hooks: [hook("guard")] },
        ],
        Stop: [{ hooks: [hook("done", { async: true })] }],
      },
    });
    expect([imported.rules, imported.carried]).toEqual([3, 3]);
    expect(imported.policy).toContain("tool: ['edit', 'write']");
    expect(imported.policy).toContain("protocol: { exit_code: claude }");
    expect(imported.policy).toContain("timeout: 5000ms");
    expect(imported.policy).toContain('CLAUDE_PROJECT_DIR="$PWD"');
    expect(imported.policy).toContain("background: true");
    expect(imported.policy).toContain("mcp__.*__delete");
    expect(imported.policy).toContain("default: allow");
  });

  it("lists what it leaves out", () => {
    const imported = settings({
      hooks: {
        PreToolUse: [
          { matcher: "(?=x)", hooks: [hook("a")] },
          { hooks: [{ type: "prompt", prompt: "Is it safe?" }, hook("b", { if: "Bash(x)" })] },
        ],
        Notification: [{ hooks: [hook("c")] }],
      },
      model: "m",
    });
    expect(imported.carried).toBe(1);
    expect(left(imported)).toEqual([
      ["PreToolUse", "matcher", "guards_less"],
      ["PreToolUse 2", "type", "guards_less"],
      ["PreToolUse 3", "command", "guards_less"],
      ["PreToolUse 3", "if", "none"],
      ["", "Notification", "none"],
      ["", "model", "none"],
    ]);
  });

  it("are none where all are switched off", () => {
    const imported = settings({
      disableAllHooks: true,
      hooks: { Stop: [{ hooks: [hook("x")] }] },
      permissions: { deny: ["Bash"] },
    });
    expect([imported.rules, imported.carried]).toEqual([1, 1]);
  });
});

describe("importClaude, the policy", () => {
  it("is marked, formatted, without errors, and its examples hold", () => {
    const imported = permissions({
      allow: [
        "Bash(npm run build:*)",
        "Read(~/notes/**)",
        "WebFetch(domain:example.com)",
        "mcp__a",
        "Skill(x)",
        "TodoWrite",
      ],
      ask: ["Bash(docker * --privileged *)", "Edit(*.lock)"],
      deny: ["Bash(rm -rf /:*)", "Read(**/*.pem)", "Write", "WebSearch", "Read({a,b}.txt)"],
    });
    expect(imported.diagnostics).toEqual([]);
    expect(isImported(imported.policy ?? "")).toBe(true);
    expect(findingsOf(imported)).toEqual([]);
  });

  it("takes several files together", () => {
    const file = (name: string, value: object) => ({ name, bytes: Buffer.from(JSON.stringify(value)) });
    const imported = importClaude(
      [
        file("settings.json", { permissions: { allow: ["Bash(ls:*)"] } }),
        file("settings.local.json", { permissions: { deny: ["Bash(ls -a)", "Bash(x | y)"] } }),
      ],
      regex,
    );
    expect([imported.rules, imported.carried]).toEqual([3, 2]);
    expect(imported.notCarried.map(({ source }) => source.name)).toEqual(["settings.local.json"]);
    expect(outcomes(imported, [bash("ls x"), bash("ls -a")])).toEqual(["allow", "block"]);
  });

  it.each([
    ["not JSON", "permissions: {}"],
    ["half-written", '{"permissions": {"allow": ["Bash('],
    ["a list", "[]"],
    ["without permissions and hooks", '{"model": "m"}'],
    [
      "of which nothing can be carried over",
      '{"permissions": {"defaultMode": "bypassPermissions", "deny": ["Bash(a|b)"]}}',
    ],
    ["empty", ""],
  ])("a file that is %s is refused", (_, text) => {
    const imported = settings(text);
    expect(imported.policy).toBeUndefined();
    expect(imported.diagnostics.length).toBeGreaterThan(0);
  });

  it("reads CRLF, tabs and a byte order mark", () => {
    const text = JSON.stringify({ permissions: { deny: ["Bash(make:*)"] } }, null, "\t").replaceAll("\n", "\r\n");
    expect(outcomes(settings(`\ufeff${text}`), [bash("make x")])).toEqual(["block"]);
  });
});

describe("importClaude, what its allows cover", () => {
  const imported = permissions({
    allow: [
      "Bash(uv run:*)",
      "Bash(cat:*)",
      "Bash(prettier:*)",
      "Bash(git push:*)",
      "Bash(./gradlew:*)",
      "Edit(src/**)",
    ],
    deny: ["Read(./secrets/**)"],
  });
  const edit = (path: string): object => ({
    event: "tool_call",
    tool: "Edit",
    args: { file_path: path, old_string: "a", new_string: "b" },
  });

  it.each([
    ["uv run pytest", "allow"],
    ["cat a", "allow"],
    ["prettier --write src", "allow"],
    ["git push origin topic", "allow"],
    ["./gradlew build", "allow"],
    ["pytest", "ask"],
    ["cat a >> ~/.bashrc", "ask"],
    ["sudo cat a", "ask"],
    ["/srv/cat a", "ask"],
    ["uv run pytest > out", "ask"],
    ["uv run pytest -k 'a b' --maxfail=2", "allow"],
    ["uv run pytest && uv tool run other", "ask"],
    ["git push origin topic; git bisect run other", "ask"],
    ["../gradlew build", "ask"],
  ])("%s: %s", (command, outcome) => {
    expect(outcomes(imported, [bash(command)])).toEqual([outcome]);
  });

  it("an allowed edit reads what it edits, and a pattern of names reads nothing that is denied", () => {
    const glob = { event: "tool_call", tool: "Glob", args: { pattern: "**/*.ts" } };
    const found = outcomes(imported, [edit("src/a.ts"), edit("b.ts"), glob, read("secrets/key")]);
    expect([found[0], found[1], found[3]]).toEqual(["allow", "ask", "block"]);
    expect(found[2]).not.toBe("block");
  });
});
