import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ConfigPlaces, loadConfig } from "../../../adapters/gastown/config.ts";
import { inFolder } from "./fake-session.ts";

const hooks = (command: string) => ({ PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command }] }] });
const text = (command: string) => JSON.stringify(hooks(command));

const load = (folder: string, more: Partial<ConfigPlaces> = {}) =>
  loadConfig({
    option: undefined,
    variable: undefined,
    claudeSettings: false,
    gastownMode: false,
    cwd: folder,
    ...more,
  });

/** Source and commands, or source and problem. */
const seen = (folder: string, more: Partial<ConfigPlaces> = {}) => {
  const found = load(folder, more);
  if (!found) return undefined;
  return "problem" in found
    ? [found.source, found.problem]
    : [found.source, ...found.hooks.map((hook) => hook.command)];
};

describe("the source of a session's hooks", () => {
  it("is the option before the variable, and that before the built-in hooks", () =>
    inFolder((folder) => {
      writeFileSync(join(folder, "hooks.json"), text("from-file"));
      const all = { option: "hooks.json", variable: text("from-variable"), gastownMode: true };
      expect(seen(folder, all)).toEqual(["cli", "from-file"]);
      expect(seen(folder, { ...all, option: undefined })).toEqual(["env", "from-variable"]);
      expect(seen(folder, { gastownMode: true })).toEqual(["default", "gt tap guard", "gt prime", "bd sync"]);
    }));

  it("is nothing outside gastown mode when none is configured", () =>
    inFolder((folder) => {
      expect(seen(folder)).toBeUndefined();
      expect(seen(folder, { variable: " " })).toBeUndefined();
    }));

  it("is never .claude/settings*.json without the switch", () =>
    inFolder((folder) => {
      mkdirSync(join(folder, ".claude"));
      writeFileSync(join(folder, ".claude/settings.json"), JSON.stringify({ hooks: hooks("shared"), model: "x" }));
      writeFileSync(join(folder, ".claude/settings.local.json"), JSON.stringify({ hooks: hooks("own") }));
      expect(seen(folder)).toBeUndefined();
      expect(seen(folder, { gastownMode: true })?.[0]).toBe("default");
      expect(seen(folder, { claudeSettings: true, gastownMode: true })).toEqual(["claude", "shared", "own"]);
      expect(seen(folder, { claudeSettings: true, variable: text("v") })).toEqual(["env", "v"]);
      writeFileSync(join(folder, ".claude/settings.local.json"), "{");
      expect(seen(folder, { claudeSettings: true, gastownMode: true })?.[0]).toBe("claude");
      expect(seen(folder, { claudeSettings: true, gastownMode: true })?.[1]).toContain("not valid JSON");
    }));

  it("with the switch but without settings are the built-in hooks", () =>
    inFolder((folder) => {
      expect(seen(folder, { claudeSettings: true, gastownMode: true })?.[0]).toBe("default");
    }));
});

describe("a runtime configuration", () => {
  it("may be the hooks object or an object that holds it", () =>
    inFolder((folder) => {
      expect(seen(folder, { variable: text("a") })).toEqual(["env", "a"]);
      expect(seen(folder, { variable: JSON.stringify({ hooks: hooks("b"), other: 1 }) })).toEqual(["env", "b"]);
    }));

  it("has 5 seconds for a hook that says nothing else, and takes seconds", () =>
    inFolder((folder) => {
      const groups = [
        {
          hooks: [
            { type: "command", command: "a" },
            { type: "command", command: "b", timeout: 1.5 },
          ],
        },
      ];
      const found = load(folder, { variable: JSON.stringify({ Stop: groups }) });
      expect(found && "hooks" in found && found.hooks.map((hook) => hook.timeout)).toEqual([5_000, 1_500]);
    }));

  it("says which events never happen on pi", () =>
    inFolder((folder) => {
      const found = load(folder, { variable: JSON.stringify({ Notification: [] }) });
      expect(found).toMatchObject({
        source: "env",
        hooks: [],
        notes: [expect.stringContaining("`Notification` never run")],
      });
    }));

  it.each([
    ["no JSON", "{ not json", "not valid JSON"],
    ["no object", "[1]", "not a JSON object"],
    ["an unknown event", '{"PreToolUze":[]}', "`PreToolUze` is not known"],
    ["an unknown key", '{"Stop":[{"hooks":[{"type":"command","command":"a","timout":1}]}]}', "`timout` is not known"],
    ["another type", '{"Stop":[{"hooks":[{"type":"prompt","command":"a"}]}]}', "/Stop/0/hooks/0/type"],
    ["no command", '{"Stop":[{"hooks":[{"type":"command"}]}]}', "command"],
    ["a blank command", '{"Stop":[{"hooks":[{"type":"command","command":" "}]}]}', "/Stop/0/hooks/0/command"],
    ["no time", '{"Stop":[{"hooks":[{"type":"command","command":"a","timeout":0}]}]}', "/Stop/0/hooks/0/timeout"],
    ["hooks that are no list", '{"hooks":{"Stop":{}}}', "/Stop"],
    ["a matcher that is no pattern", '{"PreToolUse":[{"matcher":"Ba[sh","hooks":[]}]}', "matcher `Ba[sh`"],
  ])("with %s is refused with the reason, and nothing else runs", (_name, variable, problem) =>
    inFolder((folder) => {
      writeFileSync(join(folder, "hooks.json"), variable);
      for (const [source, more] of [
        ["env", { variable, gastownMode: true }],
        ["cli", { option: "hooks.json", variable: text("lower"), gastownMode: true }],
      ] as const) {
        const found = seen(folder, more);
        expect(found?.[0]).toBe(source);
        expect(found?.[1]).toContain(problem);
      }
    }),
  );

  it.each([
    ["a file that is not there", "gone.json", "no such file"],
    ["a folder", ".", "no regular file"],
    ["no path", true, "needs the path"],
    ["an empty path", "", "needs the path"],
  ])("named as %s is refused and falls back to nothing", (_name, option, problem) =>
    inFolder((folder) => {
      const found = seen(folder, { option, variable: text("lower"), gastownMode: true });
      expect(found).toEqual(["cli", expect.stringContaining(problem)]);
    }),
  );

  it("does not tell what its text says when it cannot be read", () =>
    inFolder((folder) => {
      expect(JSON.stringify(seen(folder, { variable: "hunter2secret" }))).not.toContain("hunter2");
    }));
});

describe("a key that stands twice", () => {
  const guard = '[{"matcher":"*","hooks":[{"type":"command","command":"exit 2"}]}]';

  it.each([
    ["an event", `{"PreToolUse":${guard},"PreToolUse":[]}`, "PreToolUse"],
    ["the hooks", `{"hooks":{"PreToolUse":${guard}},"hooks":{}}`, "hooks"],
    ["a command", `{"PreToolUse":[{"hooks":[{"type":"command","command":"exit 2","command":"true"}]}]}`, "command"],
    ["a key with an escape", `{"PreToolUse":${guard},"Pre\\u0054oolUse":[]}`, "PreToolUse"],
  ])("is a problem: %s", (_, variable, name) =>
    inFolder((folder) => {
      expect(seen(folder, { variable })).toEqual(["env", expect.stringContaining(name)]);
    }),
  );

  it("is none in two objects", () =>
    inFolder((folder) => {
      expect(seen(folder, { variable: `{"PreToolUse":${guard},"PostToolUse":${guard}}` })).toEqual([
        "env",
        "exit 2",
        "exit 2",
      ]);
    }));

  it("an event beside `hooks`, where nobody reads it, is a problem too", () =>
    inFolder((folder) => {
      const variable = `{"hooks":{},"PreToolUse":${guard}}`;
      expect(seen(folder, { variable })).toEqual(["env", expect.stringContaining("put it into `hooks`")]);
    }));
});
