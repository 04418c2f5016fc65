import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fillPlace, prunePlaces, withPlaces } from "../../../adapters/install/place.ts";
import { type PlacePlan, placePlan } from "../../../adapters/install/place-plan.ts";
import { spawnSync } from "../../bounded-process.ts";
import { withToken } from "../../cli/human.ts";
import { type BuiltPackage, builtPackage } from "./built-package.ts";

/** A place that a built command line fills in a scratch home, and what happens to hooks once somebody changes it. */
// Every case copies a package and starts processes: how long that takes says nothing of it.
const patience = { timeout: 180_000 };

let made: BuiltPackage;
let plan: PlacePlan;
let home = "";
beforeAll(async () => {
  made = await builtPackage();
  const found = placePlan(made.root, process.execPath, "/");
  if ("message" in found) throw new Error(found.message);
  plan = found;
});
afterAll(() => made.remove());
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden place ü'\"-")));
  mkdirSync(join(home, "project"));
  writeFileSync(
    join(home, "p.yaml"),
    'version: 1\npolicy: p\ntitle: A policy\ndefault: allow\nrules:\n  - { id: no, event: tool_call, tool: bash, when: { args.command: { matches: "touch F[A-Z]+N" } }, action: block, reason: not this }\n',
  );
  const folder = join(places(), basename(plan.folder));
  const filled = withPlaces(places(), () => fillPlace({ ...plan, folder }));
  expect(filled).toMatchObject({ launcher: join(folder, "dist/bin/hookwarden-hook.cjs") });
});
afterEach(() => {
  prunePlaces(places(), { state: home });
  rmSync(home, { recursive: true, force: true });
});

function put(name: string, text: string): string {
  writeFileSync(join(home, name), text);
  return join(home, name);
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function started(node: string, given: readonly string[], input = ""): Ran {
  const env = { HOME: home, PATH: "/usr/bin:/bin" };
  const ran = spawnSync(node, given, { cwd: join(home, "project"), env, input, encoding: "utf8" });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

function cli(...given: readonly string[]): Ran {
  return started(process.execPath, [made.command, ...given]);
}

const places = (): string => join(home, ".local/share/hookwarden");
const place = (): string => join(places(), basename(plan.folder));
const bin = (): string => join(place(), "dist/bin");
const inBin = (name: RegExp): string => {
  const found = readdirSync(bin()).find((each) => name.test(each));
  if (found === undefined) throw new Error(`no ${name}`);
  return join(bin(), found);
};
const addon = /^re2-.*\.node$/;
const program = /^hookwarden-hook\..*\.program$/;
const compiler = /^hookwarden\..*\.program$/;
const execa = /^hookwarden-execa\.mjs$/;

/** The hook that Claude Code would start: the launcher with the Node of the place. */
function hook(command = "touch FORBIDDEN", event: "PreToolUse" | "PostToolUse" = "PreToolUse"): Ran {
  const common = { session_id: "s", cwd: join(home, "project"), hook_event_name: event, tool_use_id: "c" };
  const result = event === "PostToolUse" ? { tool_response: { stdout: "x", stderr: "" } } : {};
  const payload = { ...common, tool_name: "Bash", tool_input: { command }, ...result };
  const given = [join(bin(), "hookwarden-hook.cjs"), "claude-code", "--policy", join(home, "p.yaml")];
  return started(nodeOfPlace(), given, JSON.stringify(payload));
}

const nodeOfPlace = (): string => (existsSync(join(place(), "node")) ? join(place(), "node") : process.execPath);

/** What a call that passes and one that is forbidden come to now. */
function answers(): readonly string[] {
  return [hook("ls"), hook()].map(({ code, out, err }) => {
    if (code === 2 && /HW517.*hookwarden install/s.test(err))
      return err.includes("internal error") ? "refused" : "refused in form";
    if (out.includes('"deny"')) return "denied";
    return code === 0 && out === "" ? "allowed" : `${code} ${out} ${err}`;
  });
}

/** Changes bytes of a file in place, and leaves size and time of change as they were. */
function flip(path: string): void {
  const { mode, atimeMs, mtimeMs } = lstatSync(path);
  chmodSync(path, 0o644);
  const bytes = readFileSync(path);
  bytes[bytes.length - 2] = (bytes.at(-2) as number) ^ 1;
  writeFileSync(path, bytes);
  utimesSync(path, atimeMs / 1_000, mtimeMs / 1_000);
  chmodSync(path, mode & 0o7777);
}

function replace(path: string, text: string): void {
  chmodSync(join(path, ".."), 0o755);
  rmSync(path);
  writeFileSync(path, text, { mode: 0o444 });
  chmodSync(join(path, ".."), 0o555);
}

describe("a place as it was installed", patience, () => {
  it("judges, by files that nobody may write, and by a Node of its own", () => {
    expect(answers()).toEqual(["allowed", "denied"]);
    const modes = new Set(
      (readdirSync(place(), { recursive: true }) as string[])
        .filter((path) => path !== "node")
        .map((path) => (lstatSync(join(place(), path)).mode & 0o222).toString(8)),
    );
    expect([...modes]).toEqual(["0"]);
  });

  it("needs nothing of the installation that filled it", () => {
    renameSync(made.root, `${made.root}.away`);
    try {
      expect(answers()).toEqual(["allowed", "denied"]);
    } finally {
      renameSync(`${made.root}.away`, made.root);
    }
  });

  it("is well to doctor", () => {
    const { checks } = JSON.parse(cli("doctor", "--format", "json").out) as {
      checks: { check: string; ok: boolean }[];
    };
    expect(checks.filter(({ check }) => check === "place").map(({ ok }) => ok)).toEqual([true]);
  });
});

/** Each attack with whether the program itself can still refuse in the form of the host. */
const attacks: readonly (readonly [string, "refused" | "refused in form", () => void])[] = [
  ["the program is another file", "refused", () => replace(inBin(program), "(function(){process.exit(0)})")],
  ["the program is written in place", "refused", () => appendFileSync(writable(inBin(program)), "\n")],
  ["the program is gone", "refused", () => rmSync(unlocked(inBin(program)))],
  ["the program is a link to the same bytes", "refused", () => linked(inBin(program))],
  ["the program has another time", "refused", () => utimesSync(inBin(program), 1_000, 1_000)],
  ["the program may be written by the group", "refused", () => chmodSync(inBin(program), 0o464)],
  ["the program may be written by others", "refused", () => chmodSync(inBin(program), 0o446)],
  [
    "the launcher has a line more",
    "refused in form",
    () => appendFileSync(writable(inBin(/^hookwarden-hook\.cjs$/)), "\n"),
  ],
  ["the launcher has another time", "refused in form", () => utimesSync(inBin(/^hookwarden-hook\.cjs$/), 1_000, 1_000)],
  ["the compiler is another file", "refused in form", () => replace(inBin(compiler), "process.exit(0)")],
  ["what runs programs is another file", "refused in form", () => replace(inBin(execa), "process.exit(0)")],
  [
    "a pack is written in place",
    "refused in form",
    () => appendFileSync(writable(join(place(), "dist/policies/recommended/policy.yaml")), "# more\n"),
  ],
  ["a file more lies beside the launcher", "refused in form", () => planted("re2-9.9.9.node")],
  ["a file more lies in the place", "refused in form", () => plantedAbove("node_modules")],
  ["identity is gone", "refused", () => rmSync(unlockedAt(place(), "identity"))],
  ["identity says nothing", "refused", () => writeFileSync(writable(join(place(), "identity")), "")],
  ["identity says something else", "refused", () => appendFileSync(writable(join(place(), "identity")), "what\n")],
  ["identity may be written by others", "refused", () => chmodSync(join(place(), "identity"), 0o666)],
  ["the folder may be written by others", "refused in form", () => chmodSync(bin(), 0o777)],
  ["the folder above may be written by others", "refused", () => chmodSync(places(), 0o777)],
  ["the home may be written by others", "refused", () => chmodSync(home, 0o777)],
];

function writable(path: string): string {
  chmodSync(path, 0o644);
  return path;
}
function unlocked(path: string): string {
  chmodSync(join(path, ".."), 0o755);
  return path;
}
function unlockedAt(folder: string, name: string): string {
  return unlocked(join(folder, name));
}
function linked(path: string): void {
  const copy = join(home, "copy");
  cpSync(path, copy);
  rmSync(unlocked(path));
  symlinkSync(copy, path);
}
function planted(name: string): void {
  writeFileSync(unlockedAt(bin(), name), "");
  chmodSync(bin(), 0o555);
}
function plantedAbove(name: string): void {
  mkdirSync(unlockedAt(place(), name));
  chmodSync(place(), 0o555);
}

describe("a place that somebody changed", patience, () => {
  it.each(attacks)("%s: every call is %s", (_, how, attack) => {
    attack();
    expect(answers()).toEqual([how, how]);
  });

  it.each([
    ["the program", "refused", () => inBin(program)],
    ["the launcher", "refused in form", () => inBin(/^hookwarden-hook\.cjs$/)],
    ["identity", "refused", () => join(place(), "identity")],
    ["the compiler", "refused in form", () => inBin(compiler)],
  ] as const)("%s belongs to another user: every call is %s", (_, how, path) => {
    // Only root can give files away; who is not learns here that nobody else can.
    if (process.getuid?.() !== 0) return expect(() => chownSync(path(), 65_534, 65_534)).toThrow("EPERM");
    chownSync(path(), 65_534, 65_534);
    return expect(answers()).toEqual([how, how]);
  });

  it("the addon is another file: every call is refused, and the file does not run", () => {
    const marker = join(home, "RAN");
    replace(inBin(addon), `require("fs").writeFileSync(${JSON.stringify(marker)}, "")`);
    expect([...answers(), existsSync(marker)]).toEqual(["refused in form", "refused in form", false]);
  });

  /** The hook as it is wired: the client starts the launcher with the Node that it is given. */
  function wired(node: string): string {
    const payload = {
      session_id: "s",
      cwd: join(home, "project"),
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "touch FORBIDDEN" },
      tool_use_id: "c",
    };
    const given = ["-p", join(bin(), "hookwarden-client.sh"), node, join(bin(), "hookwarden-hook.cjs"), "claude-code"];
    const options = ["--event", "PreToolUse", "--policy", join(home, "p.yaml"), "--home", home];
    const { code, out, err } = started("/bin/sh", [...given, ...options], JSON.stringify(payload));
    if (code === 2 && /HW517.*hookwarden install/s.test(err)) return "refused";
    return out.includes('"deny"') ? "denied" : `${code} ${out}${err}`;
  }

  const marker = (): string => join(home, "RAN");

  it("a launcher or a Node that is not what was installed is not even started by the client", () => {
    const node = nodeOfPlace();
    const launcher = inBin(/^hookwarden-hook\.cjs$/);
    const evil = `require("node:fs").writeFileSync(${JSON.stringify(marker())}, ""); process.exit(0);\n`;
    expect(wired(node)).toBe("denied");
    replace(launcher, evil);
    // Started by itself it would let everything pass.
    expect([hook().code, existsSync(marker())]).toEqual([0, true]);
    rmSync(marker());
    const held = existsSync("/usr/bin/perl") ? ["refused", false] : ["0 ", true];
    expect([wired(node), existsSync(marker())]).toEqual(held);
  });

  it("a Node in place of the linked one is not even started by the client", () => {
    const node = join(place(), "node");
    if (!existsSync(node) || !existsSync("/usr/bin/perl")) return;
    const evil = put("evil-node", `#!/bin/sh\n: > '${marker().replaceAll("'", "'\\''")}'\n`);
    chmodSync(evil, 0o755);
    rmSync(unlocked(node));
    cpSync(evil, node);
    chmodSync(place(), 0o555);
    started(node, []);
    expect(existsSync(marker())).toBe(true);
    rmSync(marker());
    expect([wired(node), existsSync(marker())]).toEqual(["refused", false]);
    chmodSync(place(), 0o755);
    rmSync(node);
    symlinkSync(evil, node);
    expect([wired(node), existsSync(marker())]).toEqual(["refused", false]);
    expect([wired(evil), existsSync(marker())]).toEqual(["refused", false]);
  });

  it("the Node is another file, a link or another Node: every call that a good Node judges is refused", () => {
    const node = join(place(), "node");
    if (!existsSync(node)) return;
    const launcher = join(bin(), "hookwarden-hook.cjs");
    const ask = (by: string): string => {
      const ran = started(by, [launcher, "claude-code", "--policy", join(home, "p.yaml")], "{}");
      return /HW517/.test(`${ran.out}${ran.err}`) ? "refused" : `${ran.code} ${ran.out}`;
    };
    expect(ask(process.execPath)).toBe("refused");
    rmSync(unlocked(node));
    symlinkSync(process.execPath, node);
    chmodSync(place(), 0o555);
    expect(ask(node)).toBe("refused");
  });

  it.each(["pi", "omp", "gastown", "opencode"])(
    "the module of another host was changed: that for %s refuses every call",
    (host) => {
      const module = host === "opencode" ? "opencode/plugin.js" : `${host}/entry.js`;
      const other = host === "pi" ? "omp" : "pi";
      const ask = (): string => {
        const probe = join(place(), "dist/adapters/install/probe.js");
        const given = [probe, host, join(place(), "dist/adapters", module), join(home, "p.yaml"), join(home, "p.yaml")];
        return started(process.execPath, given).out;
      };
      expect(JSON.parse(ask())).toMatchObject({ pass: null });
      replace(join(place(), `dist/adapters/${other}/entry.js`), "process.exit(0)");
      expect(JSON.parse(ask())).toMatchObject({
        block: expect.stringMatching(/HW517/),
        pass: expect.stringMatching(/HW517/),
      });
    },
  );

  it("digests were written anew: doctor says so", () => {
    appendFileSync(writable(join(place(), "digests")), "\n");
    expect(cli("doctor").out).toContain(`${join(place(), "digests")} does not hold the digests`);
  });

  it("withholds a result in the form of the host, where the program is as it was", () => {
    replace(inBin(compiler), "");
    const { out, code } = hook("ls", "PostToolUse");
    expect([code, out.includes("updatedToolOutput"), out.includes("HW517")]).toEqual([0, true, true]);
  });

  it("bytes that change and leave every time and size as it was: doctor names the file, and install heals it", () => {
    const path = inBin(compiler);
    flip(path);
    const before = cli("doctor");
    expect(before.out).toContain(`${path} has other content than was installed`);
    expect(cli(...withToken(home, ["install", "claude-code", "--policy", join(home, "p.yaml")]))).toMatchObject({
      code: 0,
      err: "",
    });
    expect(cli("doctor").out).not.toContain("other content");
    expect(answers()).toEqual(["allowed", "denied"]);
  });

  it("is healed by install, whatever it was", () => {
    for (const attack of [
      () => flip(inBin(compiler)),
      () => chmodSync(bin(), 0o777),
      () => plantedAbove("node_modules"),
      () => rmSync(unlocked(inBin(program))),
      () => rmSync(unlockedAt(place(), "identity")),
    ])
      attack();
    expect(cli(...withToken(home, ["install", "claude-code", "--policy", join(home, "p.yaml")]))).toMatchObject({
      code: 0,
      err: "",
    });
    expect(answers()).toEqual(["allowed", "denied"]);
    expect(readdirSync(places()).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("installs nothing from itself, and the daemon does not begin from it", () => {
    const command = join(bin(), "hookwarden.js");
    flip(inBin(execa));
    const installed = started(nodeOfPlace(), [command, ...withToken(home, ["install", "codex"])]);
    expect([installed.code, installed.err]).toEqual([2, expect.stringContaining("not as it was installed")]);
    expect(existsSync(join(home, ".codex"))).toBe(false);
    const served = started(nodeOfPlace(), [command, "serve", "--idle", "1"]);
    expect([served.code, served.err]).toEqual([2, expect.stringMatching(/HW517.*hookwarden-execa\.mjs/s)]);
  });
});
