import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../adapters/gastown/config.ts";
import { createOptaGuard, loadOptaHooks } from "../../adapters/opta/index.ts";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";

/** The pages on Opta and Gastown, followed word for word: their configurations are loaded and their code is run. */
const root = join(import.meta.dirname, "../..");
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-pages-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const page = (name: string): string => readFileSync(join(root, "docs/guide", name), "utf8");
/** Fenced blocks of a language, in their order. */
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, kind, block = ""]) =>
    kind === language ? [block] : [],
  );

describe("docs/guide/opta.md", () => {
  const text = page("opta.md");
  const [configuration = ""] = blocks(text, "json");
  const [home, project] = [join(scratch, "home"), join(scratch, "project")];
  const put = (path: string, content: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o755 });
  };
  beforeEach(() => {
    for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true });
    mkdirSync(project, { recursive: true });
  });

  it("has one configuration, which loads as the user's without a finding", () => {
    put(join(home, ".config/opta/config.json"), configuration);
    const { findings, hooks, manager } = loadOptaHooks({ home, project });
    expect([blocks(text, "json").length, findings]).toEqual([1, []]);
    expect(hooks.map(({ definition }) => definition.event)).toEqual(["tool.pre", "tool.post", "session.end"]);
    expect(manager.list()).toHaveLength(3);
  });

  it("has one as a project's too, where `passEnv` alone is a finding, as the page says", () => {
    put(join(project, ".opta/config.json"), configuration);
    const { findings, hooks } = loadOptaHooks({ home, project });
    expect(findings.map(({ severity, at }) => [severity, at])).toEqual([["warning", "/passEnv"]]);
    expect(hooks).toHaveLength(3);
  });

  it("names every field that a hook has, and no other", () => {
    const table = text.slice(text.indexOf("| field | meaning |"));
    const named = [...table.slice(0, table.indexOf("\n\n")).matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    const schema = JSON.parse(readFileSync(join(root, "schema/opta-config.schema.json"), "utf8"));
    const fields = Object.keys(schema.definitions.OptaHook.properties);
    // `prompt` stands in the row of `command`, whose place it takes.
    expect([...named, "prompt"].sort()).toEqual(fields.sort());
  });

  const rule =
    "{ id: r, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not that }";
  const source = `version: 1\npolicy: p\nrules:\n  - ${rule}\n`;
  /** Runs the page's code about a call; what it did. */
  async function followed(command: string): Promise<unknown> {
    const [snippet = ""] = blocks(text, "ts");
    const body = snippet
      .split("\n")
      .filter((line) => !line.startsWith("import "))
      .join("\n");
    const { plan } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(source) }] });
    const args = { command };
    const given = {
      createOptaGuard,
      loadOptaHooks: (options: object) => loadOptaHooks({ ...options, home }),
      engine: createEngine(plan),
      ui: undefined,
      cwd: project,
      session_id: "s",
      tool_name: "run_command",
      tool_args: JSON.stringify(args),
      args,
      tellModel: (reason: string) => done.push(["told", reason]),
      run: (final: object) => done.push(["ran", final]),
    };
    const done: unknown[] = [];
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
    await new AsyncFunction(...Object.keys(given), body)(...Object.values(given));
    return done;
  }

  it.each([
    ["a call that nobody minds runs", "ls", [["ran", { command: "ls" }]]],
    ["a hook's refusal is told", "not this", [["told", expect.stringContaining("hook says no")]]],
    ["a policy's refusal is told", "touch FORBIDDEN", [["told", expect.stringContaining("not that")]]],
  ])("its code guards an agent: %s", async (_title, command, expected) => {
    const hook = 'case "$OPTA_TOOL_ARGS" in *"not this"*) echo "hook says no" >&2; exit 1 ;; esac';
    put(join(project, ".opta/config.json"), JSON.stringify({ hooks: [{ event: "tool.pre", command: hook }] }));
    expect(await followed(command)).toEqual(expected);
  });

  it("names files that a user can copy", () => {
    for (const name of ["agent.mjs", "judge.mjs", "block-rm.sh", "auto-lint.sh", "auto-test.sh", "config.json"])
      expect(existsSync(join(root, "examples/opta", name))).toBe(true);
  });
});

describe("docs/guide/gastown.md", () => {
  const text = page("gastown.md");
  const shown = blocks(text, "json");
  const loaded = (option: string) =>
    loadConfig({ option, variable: undefined, claudeSettings: false, gastownMode: false, cwd: scratch });

  it.each(shown.map((block, index) => [index + 1, block] as const))(
    "configuration %i loads by the option, without a note",
    (_index, block) => {
      writeFileSync(join(scratch, "hooks.json"), block);
      const config = loaded("hooks.json");
      expect(config).toMatchObject({ source: "cli", notes: [] });
      const groups = Object.values(JSON.parse(block) as Record<string, { hooks: unknown[] }[]>).flat();
      expect(config).toHaveProperty("hooks.length", groups.flatMap(({ hooks }) => hooks).length);
    },
  );

  it("shows of Gastown's base configuration nothing but what it has", () => {
    const base = JSON.parse(readFileSync(join(root, "test/adapters/gastown/base-hooks.json"), "utf8")).hooks;
    expect(shown).toHaveLength(2);
    const groups = Object.entries(JSON.parse(shown[1] ?? "{}") as Record<string, unknown[]>);
    expect(groups.map(([event]) => event).sort()).toEqual(Object.keys(base).sort());
    for (const [event, listed] of groups) expect(base[event]).toEqual(expect.arrayContaining(listed));
  });

  it("lists the events that a configuration may have", () => {
    const [, list = ""] = /^Events: (.*?)\. Other/ms.exec(text) ?? [];
    const events = [...list.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
    expect(events).toHaveLength(7);
    const hooks = [{ hooks: [{ type: "command", command: "true" }] }];
    writeFileSync(join(scratch, "all.json"), JSON.stringify(Object.fromEntries(events.map((name) => [name, hooks]))));
    expect(loaded("all.json")).toMatchObject({ notes: [], hooks: { length: 7 } });
    writeFileSync(join(scratch, "other.json"), JSON.stringify({ Notification: hooks }));
    expect(loaded("other.json")).toMatchObject({ notes: [expect.stringContaining("Notification")] });
  });
});
