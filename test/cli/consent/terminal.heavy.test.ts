import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentAround } from "../../../cli/consent/agents.ts";
import { nobody, type SeenProcess } from "../../../cli/consent/surroundings.ts";
import { addonDefine, programBundle } from "../../../scripts/build/bundles.ts";
import { lazyModules } from "../../../scripts/build/lazy-modules.ts";
import { bundled } from "../../../scripts/build/program.ts";
import { type BuiltPackage, builtPackage } from "../../adapters/install/built-package.ts";
import { atTerminal, ctrlC } from "../../adapters/interrupts/at-terminal.ts";
import { spawnSync } from "../../bounded-process.ts";
import { withToken } from "../human.ts";
import { treeOf, type Verb, type VerbWorld, verbs, verbWorld } from "./verbs.ts";

/** The built command line on a real terminal, as a human's shell, an agent or a script starts it. */
const root = join(import.meta.dirname, "../../..");
const patience = { timeout: 300_000 };

let made: BuiltPackage;
let entry = "";
let world: VerbWorld;
beforeAll(async () => {
  made = await builtPackage();
  entry = join(made.root, "dist/bin/consent-entry.cjs");
  const plugins = lazyModules(root, { "import.meta.url": "moduleUrl", ...addonDefine(root, ".") }, {});
  const banner = { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' };
  const entryPoints = { "consent-entry": join(root, "test/cli/consent/entry.ts") };
  const { code } = await bundled({ ...programBundle(root, "consent"), entryPoints, banner, plugins: [...plugins] });
  writeFileSync(entry, code);
});
afterAll(() => made.remove());
beforeEach(() => {
  world = verbWorld(realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-terminal-"))));
});
afterEach(() => rmSync(world.root, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly above: readonly SeenProcess[];
}

type How = "foreground" | "background" | "none" | "reopened" | "detached";

/** Runs a program on a terminal; `by` stands before all, and starts it. */
function onTerminal(
  how: How,
  answer: string,
  program: readonly string[],
  { by = [], env = {} }: { by?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Ended {
  const words = [
    ...by,
    "python3",
    join(import.meta.dirname, "on-terminal.py"),
    how,
    answer,
    process.execPath,
    ...program,
  ];
  const ran = spawnSync(words[0] ?? "", words.slice(1), {
    cwd: world.project,
    env: { HOME: world.home, PATH: process.env["PATH"] ?? "", ...env },
    encoding: "utf8",
  });
  if (ran.status !== 0) throw new Error(`the terminal does not work: ${ran.stdout}${ran.stderr}`);
  return JSON.parse(ran.stdout) as Ended;
}

/** A program with the name of an agent's host, which runs what it is given and nothing else. */
function agentNamed(name: string): readonly string[] {
  const path = join(world.root, name);
  writeFileSync(path, '#!/bin/sh\n"$@"\nexit $?\n');
  chmodSync(path, 0o755);
  return [path];
}

/** The verb where a human has nothing but its name; the file of root is not there. */
const human = ({ args }: Verb): readonly string[] => [entry, join(world.root, "given.unattended"), "0", ...args];
const product = ({ args }: Verb): readonly string[] => [made.command, ...args];

/** Uninstalling needs what a real install has wired. */
async function prepared(verb: Verb): Promise<void> {
  if (verb.title !== "uninstall") return verb.prepare?.(world);
  const args = withToken(world.home, ["install", "claude-code"]);
  const { status } = spawnSync(process.execPath, [made.command, ...args], {
    cwd: world.project,
    env: { HOME: world.home, PATH: "/usr/bin:/bin" },
  });
  if (status !== 0) throw new Error("the host cannot be wired");
}

const each = verbs.map((verb) => [verb.title, verb] as const);

describe("a verb that changes the guard, on a real terminal", patience, () => {
  it.each(each)("%s: runs where the word is typed that is shown, and asks once", async (_, verb) => {
    await prepared(verb);
    const before = treeOf(world);
    const ran = onTerminal("foreground", "WORD", human(verb));
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.output.match(/to say yes, type/g)).toHaveLength(1);
    expect(treeOf(world)).not.toEqual(before);
  });

  it.each(each)("%s: changes nothing at another word", async (_, verb) => {
    await prepared(verb);
    const before = treeOf(world);
    const ran = onTerminal("foreground", "yes", human(verb));
    expect([ran.code, ran.output]).toEqual([1, expect.stringContaining("error[HW709]")]);
    expect(treeOf(world)).toEqual(before);
  });

  it.each(each)(
    "%s: Ctrl+C at the question changes nothing, ends it, and leaves the terminal as it was",
    async (_, verb) => {
      await prepared(verb);
      const before = treeOf(world);
      const ran = await atTerminal([process.execPath, ...human(verb)], [{ shows: "to say yes, type", press: ctrlC }], {
        cwd: world.project,
        env: { HOME: world.home, PATH: process.env["PATH"] ?? "" },
      });
      expect(ran).toMatchObject({ code: -2, forced: false, left: 0, restored: true });
      expect(treeOf(world)).toEqual(before);
    },
  );

  it.each(each)("%s: changes nothing without a terminal, whatever its input holds", async (_, verb) => {
    await prepared(verb);
    const before = treeOf(world);
    const ran = onTerminal("none", "yes", human(verb));
    expect([ran.code, ran.output]).toEqual([1, expect.stringContaining("error[HW706]")]);
    expect(treeOf(world)).toEqual(before);
  });

  it.each(each)("%s: changes nothing below an agent that has a terminal and types the word", async (_, verb) => {
    await prepared(verb);
    const by = agentNamed("claude");
    const before = treeOf(world);
    const ran = onTerminal("foreground", "WORD", product(verb), { by });
    expect([ran.code, ran.output]).toEqual([
      1,
      expect.stringMatching(/error\[HW708\].*above this process is claude-code/),
    ]);
    expect(treeOf(world)).toEqual(before);
  });

  it.each(each)("%s: changes nothing with a variable of an agent", async (_, verb) => {
    await prepared(verb);
    const before = treeOf(world);
    const ran = onTerminal("foreground", "WORD", product(verb), { env: { GEMINI_CLI: "1" } });
    expect([ran.code, ran.output]).toEqual([1, expect.stringMatching(/error\[HW708\].*`GEMINI_CLI` is set/)]);
    expect(treeOf(world)).toEqual(before);
  });

  it.each(each.filter(([, { verb }]) => verb !== "token"))(
    "%s: runs with a token, and no terminal",
    async (_, verb) => {
      await prepared(verb);
      const before = treeOf(world);
      const { args } = verb;
      const cut = args.includes("--") ? args.indexOf("--") : args.length;
      const given = [...withToken(world.home, args.slice(0, cut)), ...args.slice(cut)];
      expect(onTerminal("none", "", product({ ...verb, args: given }))).toMatchObject({ code: 0 });
      expect(treeOf(world)).not.toEqual(before);
    },
  );
});

const approve = verbs.find(({ title }) => title === "approve --once") as Verb;

describe("a terminal", patience, () => {
  it("of which another process has the foreground is not asked at", () => {
    const ran = onTerminal("background", "WORD", human(approve));
    expect([ran.code, ran.output]).toEqual([1, expect.stringContaining("types to another program")]);
  });

  it.each([
    ["claude", "claude-code"],
    ["codex", "codex"],
    ["gemini", "gemini"],
    ["goose", "goose"],
  ])("of a program that leaves %s above is known by who holds it", (name, host) => {
    const ran = onTerminal("reopened", "WORD", product(approve), { by: agentNamed(name) });
    expect(ran.code).toBe(1);
    expect(ran.output).toMatch(
      new RegExp(`error\\[HW708\\].*process \\d+ .* is ${host}|error\\[HW708\\].*above this process`),
    );
  });

  it("is known by a variable that a process above was started with, though its own has none", () => {
    const cleared = ["env", "-u", "CLAUDECODE"];
    const by = ["env", "CLAUDECODE=1", "sh", "-c", '"$@"; exit $?', "sh", ...cleared];
    const ran = onTerminal("foreground", "WORD", product(approve), { by });
    expect([ran.code, ran.output]).toEqual([
      1,
      expect.stringMatching(/error\[HW708\].*was started with `CLAUDECODE`|is claude-code/),
    ]);
  });

  it("that nobody's agent has opened is asked at by the product itself", () => {
    const ran = onTerminal("detached", "WORD", product(approve));
    // What is above the first process is the machine's, which may be an agent's.
    const machine = agentAround({}, { ...nobody, ancestors: ran.above });
    expect([ran.code, ran.output]).toEqual(
      machine === undefined
        ? [0, expect.stringContaining("the call may run once")]
        : [1, expect.stringContaining("HW708")],
    );
  });

  it("is asked at, and not the streams, which say what they like", () => {
    const path = join(world.root, "in");
    mkdirSync(world.state, { recursive: true });
    writeFileSync(path, "yes\n");
    const line = '"$@" < "$0" > "$0.out" 2>&1; code=$?; cat "$0.out"; exit $code';
    const words = [
      "python3",
      join(import.meta.dirname, "on-terminal.py"),
      "foreground",
      "WORD",
      "sh",
      "-c",
      line,
      path,
      process.execPath,
    ];
    const ran = spawnSync(words[0] ?? "", [...words.slice(1), ...human(approve)], {
      cwd: world.project,
      env: { HOME: world.home, PATH: process.env["PATH"] ?? "" },
      encoding: "utf8",
    });
    const { code, output } = JSON.parse(ran.stdout) as Ended;
    expect([code, output]).toEqual([0, expect.stringMatching(/to say yes, type \w+: \w+\s+the call may run once/)]);
  });
});

describe("root's file", patience, () => {
  it("lets the verbs that it names run where no terminal is", () => {
    const path = join(world.root, "given.unattended");
    writeFileSync(path, "approve\n", { mode: 0o644 });
    const own = `${process.getuid?.() ?? 0}`;
    const words = [entry, path, own, ...approve.args];
    expect(onTerminal("none", "", words)).toMatchObject({
      code: 0,
      output: expect.stringContaining("nobody is asked"),
    });
    chmodSync(path, 0o666);
    expect(onTerminal("none", "", words)).toMatchObject({ code: 1, output: expect.stringContaining("error[HW711]") });
  });
});
