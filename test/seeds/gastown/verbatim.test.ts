// The two templates of an answer in the seed gastown-hooks-v1.1, read out of the seed itself: printed by a hook as they
// stand, and filled in as their words say. The hook is a stand-in that writes down its call; no tool of a call is run.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { readHookAnswer } from "../../../adapters/gastown/answer.ts";
import { builtInHooks, type ConfigPlaces, loadConfig } from "../../../adapters/gastown/config.ts";
import { createHookLog } from "../../../adapters/gastown/log.ts";
import { toolSubject } from "../../../adapters/gastown/matcher.ts";
import { type Happening, machineWorld, runHooks } from "../../../adapters/gastown/run-hooks.ts";
import { seedBlocks, withSeeds } from "../seed-text.ts";

const [decision = "", update = ""] = seedBlocks("gastown-hooks-v1.1").map(({ text }) => text);
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-gastown-seed-")));
const asked = join(scratch, "asked");
const printed = join(scratch, "printed");
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
beforeEach(() => rmSync(asked, { force: true }));

/** Stand-ins for the programs that hooks name: they write down how they were called, and print what the test put down. */
mkdirSync(join(scratch, "bin"));
for (const name of ["gt", "bd", "answer"]) {
  const lines = ["#!/bin/sh", `echo "${name} $*" >> '${asked}'`, `cat '${printed}'`];
  writeFileSync(join(scratch, "bin", name), `${lines.join("\n")}\n`);
  chmodSync(join(scratch, "bin", name), 0o755);
}
writeFileSync(join(scratch, ".profile"), `PATH='${join(scratch, "bin")}':/usr/bin:/bin; export PATH\n`);
const calls = () => (existsSync(asked) ? readFileSync(asked, "utf8").split("\n").filter(Boolean) : []);

const places: ConfigPlaces = {
  option: undefined,
  variable: undefined,
  claudeSettings: false,
  gastownMode: false,
  cwd: scratch,
};
const group = [{ hooks: [{ type: "command", command: "answer now" }] }];
const oneHook = { ...places, variable: JSON.stringify({ PreToolUse: group, PostToolUse: group }) };

/** What a real shell's hooks make of an event while they print a text. */
async function happens(event: Happening["event"], text: string, from: ConfigPlaces = oneHook) {
  writeFileSync(printed, text);
  const config = loadConfig(from);
  if (!config || "problem" in config) throw new Error("the configuration is invalid");
  const lines: Record<string, unknown>[] = [];
  const log = createHookLog({ file: (line) => void lines.push(JSON.parse(line)), screen: () => {}, verbose: false });
  const world = { ...machineWorld(log), env: { PATH: "/usr/bin:/bin", HOME: scratch } };
  const input = { command: "echo hello", timeout: 5 };
  const subject = () => toolSubject("bash", input);
  const verdict = await runHooks(config, { event, cwd: scratch, payload: () => ({}), input, subject }, world);
  const warnings = lines.filter(({ level }) => level === "warning").map(({ message }) => message);
  return { ...verdict, input, lines, warnings };
}

/** The words that a template offers for a decision. */
const choices = /"decision": "([^"]*)"/.exec(decision)?.[1]?.split(" | ") ?? [];
const chosen = (word: string) => decision.replace(choices.join(" | "), word);

withSeeds("the seed's template of a decision", () => {
  it("is valid JSON with three fields, and offers three decisions", () => {
    expect(Object.keys(JSON.parse(decision))).toEqual(["decision", "reason", "additionalContext"]);
    expect(choices).toEqual(["allow", "deny", "ask"]);
  });

  it.each(["PreToolUse", "PostToolUse"] as const)(
    "as it stands decides for nobody, and blocks at %s",
    async (event) => {
      const { denied, warnings } = await happens(event, decision);
      expect(denied).toBe("a hook printed what looks like a decision and cannot be read");
      expect(warnings).toEqual(["`decision` is none of allow, deny and ask, and cannot be read"]);
      expect(calls()).toEqual(["answer now"]);
    },
  );

  it.each([
    ["allow", undefined, []],
    ["deny", "string", []],
    ["ask", undefined, ["`ask` counts as allow: hooks have nobody to ask"]],
  ])("with %s chosen is that decision, before a tool and after it", async (word, reason, told) => {
    expect(choices).toContain(word);
    for (const event of ["PreToolUse", "PostToolUse"] as const) {
      const { denied, warnings, context, lines } = await happens(event, chosen(word));
      expect([denied, warnings, context]).toEqual([reason, told, [{ event, text: "string" }]]);
      expect(lines[0]).toMatchObject({ decision: word, reason: "string", exitCode: 0 });
    }
    expect(calls()).toEqual(["answer now", "answer now"]);
  });

  it("has each of its fields read", () => {
    expect(readHookAnswer(chosen("deny"))).toEqual({
      decision: "deny",
      reason: "string",
      context: "string",
      warnings: [],
    });
  });
});

withSeeds("the seed's template of new arguments", () => {
  const filled = (values: object) => update.replace("{ ... }", JSON.stringify(values));

  it("as it stands is no JSON: the arguments stay, and somebody is told", async () => {
    const { denied, input, warnings } = await happens("PreToolUse", update);
    expect(() => JSON.parse(update)).toThrow(SyntaxError);
    expect(input).toEqual({ command: "echo hello", timeout: 5 });
    expect(warnings).toHaveLength(1);
    expect(denied).toBeUndefined();
    expect(calls()).toEqual(["answer now"]);
  });

  it.each([
    ["nothing", {}, { command: "echo hello", timeout: 5 }],
    ["one argument", { command: "echo other" }, { command: "echo other", timeout: 5 }],
    ["a further argument", { cwd: "a" }, { command: "echo hello", timeout: 5, cwd: "a" }],
    ["the tool and the call", { toolName: "x", toolCallId: "y" }, expect.objectContaining({ command: "echo hello" })],
  ])("filled in with %s is put over the arguments", async (_name, values, expected) => {
    const { denied, input, warnings } = await happens("PreToolUse", filled(values));
    expect([denied, input, warnings]).toEqual([undefined, expected, []]);
  });

  it.each(["__proto__", "prototype", "constructor"])(
    "filled in with %s changes nothing, with a warning",
    async (key) => {
      const { input, warnings } = await happens(
        "PreToolUse",
        update.replace("{ ... }", `{"${key}": {"command": "x"}}`),
      );
      expect(input).toEqual({ command: "echo hello", timeout: 5 });
      expect(Object.keys(input)).not.toContain(key);
      expect(warnings).toEqual([`\`${key}\` is ignored`]);
    },
  );
});

describe("the built-in hooks", () => {
  it.each(Object.entries(builtInHooks))("of %s run as they stand, each by a stand-in", async (event, groups) => {
    const from = { ...places, gastownMode: true };
    await happens(event as Happening["event"], "", from);
    expect(calls().map((call) => call.trim())).toEqual(
      groups.flatMap(({ hooks }: { hooks: readonly { command: string }[] }) => hooks.map(({ command }) => command)),
    );
  });
});
