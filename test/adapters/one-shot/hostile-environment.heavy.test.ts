import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blankVariables } from "../../../adapters/install/blank-variables.ts";
import { hookLine } from "../../../adapters/install/command.ts";
import { type HookShell, type OpeningName, openings } from "../../../schema/hosts/hook-shells.ts";
import { execFileSync } from "../../bounded-process.ts";
import { LineWorld, passes } from "./line-world.ts";

const world = new LineWorld();
beforeAll(() => world.build(), 60_000);
afterAll(() => world.remove());

const shells = ["dash", "bash as sh", "bash", "none"] as const satisfies readonly HookShell[];
const touch = `/usr/bin/touch '${world.marker}'`;

/** A start file that lets everything pass, and leaves its mark. */
const evil = world.write("evil.sh", `${touch}\nexit 0\n`);
const functionOf = (name: string, body = `${touch}; builtin exit 0`): Record<string, string> => ({
  [`BASH_FUNC_${name}%%`]: `() { ${body}; }`,
});
const preload = world.write(
  "preload.cjs",
  `require("node:fs").writeFileSync(${JSON.stringify(world.marker)}, "x"); process.exit(0);\n`,
);
world.write("cfg/.bashrc", `${touch}\nexit 0\n`);
world.write(
  "cfg/.config/hookwarden/policy.yaml",
  "version: 1\npolicy: mine\ntitle: All may run\ndefault: allow\nrules: []\n",
);
for (const name of "sh env perl node touch timeout cat [ test echo printf kill pwd read true ulimit command".split(" "))
  world.write(`path/${name}`, `#!/bin/sh\n${touch}\nexit 0\n`, 0o755);
world.write("perl/Evil.pm", `open(F, ">", "${world.marker}"); close F; exit 0; 1;\n`);

// What is no library: a loader that finds it ends every program that wants it.
for (const name of ["libc.so.6", "libtinfo.so.6"]) world.write(`libraries/${name}`, "");

/** What is read also where it is set to nothing. */
const notBlanked: readonly OpeningName[] = ["LD_TRACE_LOADED_OBJECTS"];

/** Hostile values of each class. */
const values: Readonly<Record<OpeningName, readonly Readonly<Record<string, string>>[]>> = {
  SHELLOPTS: [{ SHELLOPTS: "noexec" }, { SHELLOPTS: "xtrace", PS4: `$(${touch})` }],
  BASH_ENV: [{ BASH_ENV: evil }],
  ENV: [{ ENV: evil }],
  "exported function `exit`": [functionOf("exit")],
  "other exported functions": [
    Object.assign(
      {},
      ..."exec env unset export printf echo case set [ /usr/bin/env /bin/sh '/bin/sh' ulimit"
        .split(" ")
        .map((name) => functionOf(name)),
    ) as Record<string, string>,
  ],
  "HOME/.bashrc": [{ HOME: join(world.root, "cfg") }],
  SHELL: [{ SHELL: join(world.root, "path/sh") }],
  "LD_PRELOAD, LD_AUDIT": [],
  "LD_DEBUG, LD_LIBRARY_PATH, GLIBC_TUNABLES, MALLOC_*": [
    { LD_DEBUG: "help" },
    { LD_LIBRARY_PATH: join(world.root, "libraries") },
    { MALLOC_TOP_PAD_: "999999999999" },
    { GLIBC_TUNABLES: "glibc.malloc.top_pad=999999999999" },
  ],
  LD_TRACE_LOADED_OBJECTS: [{ LD_TRACE_LOADED_OBJECTS: "1" }, { LD_TRACE_LOADED_OBJECTS: "" }],
  "NODE_OPTIONS, NODE_PATH": [
    { NODE_OPTIONS: `--require=${preload}` },
    { NODE_OPTIONS: `--import=${preload}` },
    { NODE_OPTIONS: "--inspect-wait=0" },
    { NODE_PATH: world.root, NODE_V8_COVERAGE: join(world.root, "FOREIGN") },
    { UV_THREADPOOL_SIZE: "0", UV_USE_IO_URING: "1", NODE_EXTRA_CA_CERTS: "/dev/zero" },
    { OPENSSL_CONF: "/dev/zero", SSLKEYLOGFILE: join(world.root, "FOREIGN"), NODE_DEBUG: "fs", NODE_REPL_HISTORY: "x" },
  ],
  PATH: [{ PATH: join(world.root, "path") }, { PATH: `${join(world.root, "path")}:%builtin` }],
  "HOME, XDG_*": [
    // A shell of level 2 reads no start file, so that the home itself is what is tried.
    { HOME: join(world.root, "cfg"), SHLVL: "2" },
    {
      XDG_STATE_HOME: join(world.root, "elsewhere"),
      XDG_CONFIG_HOME: join(world.root, "cfg/.config"),
      XDG_DATA_HOME: "/dev/null",
    },
  ],
  IFS: [{ IFS: "/-'" }],
  "LC_ALL, LOCPATH, TZ, TMPDIR": [
    { LC_ALL: "zh_CN.GBK", LOCPATH: world.root, GCONV_PATH: world.root, LANGUAGE: "xx", NLSPATH: world.root },
    { TZ: ":/dev/zero", TMPDIR: "/nonexistent", PYTHONSTARTUP: evil },
  ],
  PERL5OPT: [
    {
      PERL5OPT: `-I${join(world.root, "perl")} -MEvil`,
      PERL5LIB: join(world.root, "perl"),
      PERL5DB: "BEGIN { exit 0 }",
    },
  ],
};

/** Openings that not every build of a shell has: where one is open it is not asked for. */
const someBuilds: readonly OpeningName[] = ["HOME/.bashrc"];

const names = Object.keys(values) as OpeningName[];
const rows = shells.flatMap((shell) =>
  names.flatMap((name) => values[name].map((set, i) => [shell, name, i, set] as const)),
);

describe("a line that a hostile environment reads", () => {
  it("has every class of the table", () => {
    expect(Object.keys(values)).toEqual(Object.keys(openings));
  });

  const isClosed = (shell: HookShell, name: OpeningName): boolean => openings[name][shell].closed;

  /** Whether the forbidden call may run, or foreign code ran. */
  async function opens(shell: HookShell, set: Readonly<Record<string, string>>): Promise<boolean> {
    const ended = await world.run(shell, set, world.call("touch FORBIDDEN"));
    const ran = world.foreignRan();
    return passes(ended) || ran;
  }

  it.each(rows.filter(([shell, name]) => isClosed(shell, name)))(
    "%s: %s (%i) is closed",
    async (shell, name, _i, set) => {
      const level = name === "HOME/.bashrc" ? {} : { SHLVL: "2" };
      const ended = await world.run(shell, { ...level, ...set }, world.call("touch FORBIDDEN"));
      expect([world.foreignRan(), ended.code, ended.out.includes("not this")]).toEqual([false, 2, true]);
    },
  );

  it.each(
    shells.flatMap((shell) =>
      names
        .filter((name) => !isClosed(shell, name) && values[name].length > 0 && !someBuilds.includes(name))
        .map((name) => [shell, name] as const),
    ),
  )("%s: %s is open, so that the table says no more than is so", async (shell, name) => {
    const found = [];
    for (const set of values[name]) found.push(await opens(shell, { SHLVL: "2", ...set }));
    expect(found).toContain(true);
  });

  it.each(rows.filter(([shell, name]) => shell === "bash" && !notBlanked.includes(name)))(
    "%s: %s (%i) is closed where the entry sets it to nothing",
    async (shell, name, _i, set) => {
      const ended = await world.run(shell, { ...set, ...blankVariables }, world.call("touch FORBIDDEN"));
      expect([passes(ended), world.foreignRan(), name, ended.code]).toEqual([false, false, name, 2]);
    },
  );

  it.each(shells)("%s: nothing of it is written anywhere but where the line says", async (shell) => {
    const before = readdirSync(join(world.state, "audit"));
    const set = { XDG_STATE_HOME: join(world.root, "elsewhere"), HOME: join(world.root, "cfg"), SHLVL: "2" };
    await world.run(shell, set, world.call("echo hello").replace('"s1"', `"of ${shell}"`));
    expect(existsSync(join(world.root, "elsewhere"))).toBe(false);
    expect(existsSync(join(world.root, "cfg/.local"))).toBe(false);
    expect(readdirSync(join(world.state, "audit"))).toHaveLength(before.length + 1);
  });

  it("is read by the loader before any word of ours, which Node never is", async () => {
    const source = world.write(
      "loaded.c",
      `#include <stdio.h>\n__attribute__((constructor)) static void loaded(void) {\n  char name[64] = "";\n  FILE *of = fopen("/proc/self/comm", "r");\n  if (of) { if (!fgets(name, sizeof name, of)) name[0] = 0; fclose(of); }\n  FILE *to = fopen("${world.marker}", "a");\n  if (to) { fputs(name, to); fclose(to); }\n}\n`,
    );
    const library = join(world.root, "loaded.so");
    // Without a compiler the names of the variables that Node gets say the same, below.
    if (compiled(source, library)) {
      const ended = await world.run("dash", { LD_PRELOAD: library }, world.call("touch FORBIDDEN"));
      expect(passes(ended)).toBe(false);
      const programs = readFileSync(world.marker, "utf8").split("\n");
      expect(programs).toContain("sh");
      expect(programs.filter((name) => /node|perl|env/.test(name))).toEqual([]);
      world.foreignRan();
      const blank = await world.run("bash", { LD_PRELOAD: library, ...blankVariables }, world.call("touch FORBIDDEN"));
      expect([passes(blank), world.foreignRan()]).toEqual([false, false]);
    }
    expect(openings["LD_PRELOAD, LD_AUDIT"].dash.closed).toBe(false);
  });
});

function compiled(source: string, library: string): boolean {
  try {
    execFileSync("cc", ["-shared", "-fPIC", "-o", library, source], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("the variables of a hook", () => {
  /** A launcher that says what it was started with. */
  const telling = world.write(
    "telling/hookwarden-hook.cjs",
    `const { env, execArgv } = process;\nprocess.stdout.write(JSON.stringify({ names: Object.keys(env).sort(), execArgv, text: env.HOOKWARDEN_VARIABLES.length }));\n`,
  );
  const line = (): string => {
    const copy = join(world.root, "telling/hookwarden-client.sh");
    if (!existsSync(copy)) execFileSync("cp", [join(world.root, "bin/hookwarden-client.sh"), copy]);
    return hookLine("claude-code", "PreToolUse", world.place(telling));
  };

  it.each(shells)("%s: Node starts with two variables, whatever the host has", async (shell) => {
    const all = Object.assign({}, ...Object.values(values).flat()) as Record<string, string>;
    const harmless = Object.fromEntries(
      Object.entries(all).filter(([name]) => !/^(?:SHELLOPTS|BASH_|PS4|LD_|MALLOC_|GLIBC_)/.test(name)),
    );
    const { out } = await world.run(shell, { ...harmless, SHLVL: "2", LD_LIBRARY_PATH: "/nonexistent" }, "", line());
    expect(JSON.parse(out)).toMatchObject({ names: ["HOOKWARDEN_VARIABLES", "PATH"], execArgv: [] });
  });

  it.each(shells)("%s: are data for the judge, and large ones too", async (shell) => {
    const secret = `${"value of the secret ".repeat(3)}it's "$(touch x)\` \\ é`;
    const ask = (more: Record<string, string>) =>
      world.run(shell, { SHLVL: "2", HOOK_SECRET: secret, ...more }, world.call(`echo ${"a".repeat(20)} ${secret}`));
    for (const more of [{}, { LARGE: "x".repeat(90_000), LARGER: "é'".repeat(40_000) }]) {
      const ended = await ask(more);
      const { updatedInput } = JSON.parse(ended.out).hookSpecificOutput;
      expect([ended.code, updatedInput.command.includes("value of the secret"), ended.err]).toEqual([0, false, ""]);
    }
  });
});
