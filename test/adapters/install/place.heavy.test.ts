import { spawn } from "node:child_process";
import {
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
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { prunePlaces } from "../../../adapters/install/place.ts";
import { spawnSync } from "../../bounded-process.ts";
import { withToken } from "../../cli/human.ts";
import { type BuiltPackage, builtPackage, newerPackage } from "./built-package.ts";

/** The built command line, wiring hosts in a scratch home as a user would; what runs are our own programs alone. */
// Every case copies a package and starts processes: how long that takes says nothing of it.
const patience = { timeout: 180_000 };

let made: BuiltPackage;
let newer: BuiltPackage;
let home = "";
beforeAll(async () => {
  made = await builtPackage();
  newer = newerPackage(made, "0.2.0");
});
afterAll(() => {
  made.remove();
  newer.remove();
});
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-homes-")));
  mkdirSync(join(home, "project"));
  put(
    "p.yaml",
    "version: 1\npolicy: p\ntitle: A policy\ndefault: allow\nrules:\n  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }\n",
  );
});
afterEach(() => {
  prunePlaces(places(), { state: join(home, "nothing") });
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, text: string): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const env = (more: Readonly<Record<string, string>> = {}) => ({ HOME: home, PATH: "/usr/bin:/bin", ...more });

function cli(by: BuiltPackage, given: readonly string[], more: Readonly<Record<string, string>> = {}): Ran {
  const asks = (given[0] === "install" || given[0] === "uninstall") && !given.includes("--dry-run");
  const words = asks ? withToken(home, given, more) : given;
  const ran = spawnSync(process.execPath, [by.command, ...words], {
    cwd: join(home, "project"),
    env: env(more),
    encoding: "utf8",
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

const wire = (by: BuiltPackage, host: string, more: Readonly<Record<string, string>> = {}): Ran =>
  cli(by, ["install", host, "--policy", join(home, "p.yaml")], more);

const places = (): string => join(home, ".local/share/hookwarden");

/** Names of the places that stand; anything else that was left there counts too. */
const standing = (): readonly string[] => (existsSync(places()) ? readdirSync(places()).sort() : []);

const settings = (): string => readFileSync(join(home, ".claude/settings.json"), "utf8");

/** Every path below the home, but for our state and caches of plans and code. */
function tree(): readonly string[] {
  return (readdirSync(home, { recursive: true }) as string[]).filter((path) => !path.includes(".local/state")).sort();
}

/** What the wired line of Claude Code says to a call, run by a shell as the host does. */
function judged(command: string): string {
  const { hooks } = JSON.parse(settings()) as { hooks: { PreToolUse: [{ hooks: [{ command: string }] }] } };
  const line = hooks.PreToolUse[0].hooks[0].command;
  const payload = {
    session_id: "s",
    cwd: join(home, "project"),
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "c",
  };
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], {
    cwd: join(home, "project"),
    env: env(),
    input: JSON.stringify(payload),
    encoding: "utf8",
  });
  if (stdout.includes('"deny"') && stdout.includes("not this")) return "denied";
  return status === 0 && stdout === "" ? "allowed" : `${status} ${stdout}${stderr}`;
}

describe("install", patience, () => {
  it("fills one place for every host of a home, twice the same, and uninstall of the last takes it away", () => {
    const before = tree();
    expect(wire(made, "claude-code")).toMatchObject({ code: 0, err: "" });
    const [first] = standing();
    expect(first).toMatch(/^0\.1\.0-[0-9a-f]{16}$/);
    const inode = statSync(join(places(), first as string)).ino;
    const text = settings();
    expect(wire(made, "claude-code").out).toContain("is as it should be");
    expect(wire(made, "codex").code).toBe(0);
    expect([standing(), settings(), statSync(join(places(), first as string)).ino]).toEqual([[first], text, inode]);
    expect(text).toContain(join(places(), first as string, "dist/bin/hookwarden-hook.cjs"));
    expect(text).not.toContain(made.root);
    expect([judged("ls"), judged("touch FORBIDDEN")]).toEqual(["allowed", "denied"]);
    expect(cli(made, ["uninstall", "claude-code"])).toMatchObject({ code: 0 });
    expect(standing()).toEqual([first]);
    expect(cli(made, ["uninstall", "codex"]).out).toContain("removed, since nothing is wired to it");
    expect(standing()).toEqual([]);
    expect(existsSync(places())).toBe(false);
    // Folders of others, such as `.local/share`, stay.
    expect(tree().filter((path) => !path.startsWith(".local"))).toEqual(before);
  });

  it("compiles a pack as the installed copy asks for it, so that the first hook compiles nothing", () => {
    const given = ["--policy", "pack:recommended", "--policy", join(home, "p.yaml")];
    expect(cli(made, ["install", "claude-code", ...given])).toMatchObject({ code: 0, err: "" });
    const plans = join(home, ".local/state/hookwarden/plans");
    const kept = (): readonly string[] =>
      readdirSync(plans).map(
        (name) => `${name} ${statSync(join(plans, name)).ino} ${statSync(join(plans, name)).mtimeMs}`,
      );
    const before = kept();
    expect(before.filter((name) => name.includes(".json "))).toHaveLength(1);
    expect([judged("ls"), judged("touch FORBIDDEN")]).toEqual(["allowed", "denied"]);
    expect(kept()).toEqual(before);
  });

  it("says in a dry run what it would write, and writes nothing", () => {
    const before = tree();
    const { code, out } = cli(made, ["install", "claude-code", "--policy", join(home, "p.yaml"), "--dry-run"]);
    expect([code, tree()]).toEqual([0, before]);
    expect(out).toContain(join(places(), "0.1.0-"));
  });

  it("of a new version makes a place beside the old one, which goes when the last wiring has left it", () => {
    wire(made, "claude-code");
    wire(made, "codex");
    const [old] = standing();
    expect(wire(newer, "claude-code")).toMatchObject({ code: 0, err: "" });
    const both = standing();
    expect([both.length, both[0], both[1]?.startsWith("0.2.0-")]).toEqual([2, old, true]);
    expect(settings()).toContain(both[1]);
    expect(settings()).not.toContain(old);
    const seen = cli(newer, ["doctor", "codex"]).out;
    expect(seen).toContain(`which is not the place of this version`);
    expect(seen).toContain("run `hookwarden install codex` again");
    const { out } = wire(newer, "codex");
    expect(out).toContain(`${join(places(), old as string)}: removed, since nothing is wired to it`);
    expect(standing()).toEqual([both[1]]);
    expect(judged("touch FORBIDDEN")).toBe("denied");
  });

  it("keeps a place that another project is wired to", () => {
    mkdirSync(join(home, "other"));
    const given = ["install", "claude-code", "--policy", join(home, "p.yaml"), "--scope", "project"];
    spawnSync(process.execPath, [made.command, ...withToken(home, given)], { cwd: join(home, "other"), env: env() });
    const [old] = standing();
    wire(made, "claude-code");
    cli(made, ["uninstall", "claude-code"]);
    expect(standing()).toEqual([old]);
    const back = withToken(home, ["uninstall", "claude-code", "--scope", "project"]);
    const ended = spawnSync(process.execPath, [made.command, ...back], {
      cwd: join(home, "other"),
      env: env(),
    });
    expect([ended.status, standing()]).toEqual([0, []]);
  });

  it("of several at once leaves one whole place and nothing else", async () => {
    const hosts = ["claude-code", "codex", "gemini", "copilot"];
    const ends = hosts.map(
      (host) =>
        new Promise<number | null>((done) => {
          const given = [made.command, ...withToken(home, ["install", host, "--policy", join(home, "p.yaml")])];
          const child = spawn(process.execPath, given, { cwd: join(home, "project"), env: env(), stdio: "ignore" });
          child.on("close", done);
        }),
    );
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
    expect(standing()).toHaveLength(1);
    expect(cli(made, ["doctor"]).out).toMatch(/ok {3}place: .* files are what was installed/);
    expect(judged("touch FORBIDDEN")).toBe("denied");
  });

  it("clears away what an install that was ended has left", () => {
    put(`.local/share/hookwarden/.filling-${"0".repeat(18)}/dist/x`, "half");
    put(".local/share/hookwarden/notes.txt", "mine");
    wire(made, "claude-code");
    expect(standing().filter((name) => !name.startsWith("0.1.0-"))).toEqual(["notes.txt"]);
  });

  it("from the place itself fills no other", () => {
    wire(made, "claude-code");
    const before = standing();
    const command = join(places(), before[0] as string, "dist/bin/hookwarden.js");
    expect(cli({ ...made, command }, ["install", "codex", "--policy", join(home, "p.yaml")])).toMatchObject({
      code: 0,
      err: "",
    });
    expect(standing()).toEqual(before);
    expect(cli({ ...made, command }, ["uninstall", "codex"]).code).toBe(0);
    expect(cli({ ...made, command }, ["uninstall", "claude-code"]).code).toBe(0);
    expect(standing()).toEqual([]);
  });

  it("wires modules of hosts into the place too, and doctor proves each by its canary", () => {
    for (const host of ["pi", "omp", "opencode", "gastown"]) {
      expect(wire(made, host)).toMatchObject({ code: 0, err: "" });
      const { out } = cli(made, ["doctor", host]);
      expect(out.split("\n").filter((line) => line.startsWith("act ") && line.includes("canary"))).toEqual([]);
      expect(out).toContain(`${host} canary block`);
    }
  });
});

describe("wiring of before there were places", patience, () => {
  it("is found by doctor, and mended by install", () => {
    wire(made, "claude-code");
    const [name] = standing();
    const old = settings()
      .replaceAll(join(places(), name as string, "dist"), join(made.root, "dist"))
      .replaceAll(join(places(), name as string, "node"), process.execPath);
    writeFileSync(join(home, ".claude/settings.json"), old);
    const { out } = cli(made, ["doctor", "claude-code"]);
    expect(out).toContain("which is in no place of hookwarden's own");
    expect(out).toContain("run `hookwarden install claude-code` again");
    expect(wire(made, "claude-code").code).toBe(0);
    expect(settings()).not.toContain(made.root);
    expect(cli(made, ["doctor", "claude-code"]).out).not.toContain("in no place");
  });
});

describe("a home where no place can be", patience, () => {
  const refused: readonly (readonly [string, RegExp, () => Readonly<Record<string, string>>])[] = [
    ["a file stands where the folder would be", /move it away/, () => (put(".local/share", "a file"), {})],
    [
      "others may write to the folder of places",
      /others may write there.*chmod go-w/s,
      () => {
        mkdirSync(places(), { recursive: true });
        chmodSync(places(), 0o777);
        return {};
      },
    ],
    [
      "others may write above it",
      /others may write there/,
      () => {
        mkdirSync(join(home, "open/data"), { recursive: true });
        chmodSync(join(home, "open"), 0o777);
        return { XDG_DATA_HOME: join(home, "open/data") };
      },
    ],
    [
      "a link leads to a folder that others may write to",
      /others may write there/,
      () => {
        mkdirSync(join(home, "open"));
        chmodSync(join(home, "open"), 0o777);
        mkdirSync(join(home, ".local"));
        symlinkSync(join(home, "open"), join(home, ".local/share"));
        return {};
      },
    ],
  ];

  it.each(refused)("%s: it is refused with the next step, and nothing is wired", (_, words, prepare) => {
    const more = prepare();
    const { code, err } = wire(made, "claude-code", more);
    expect([code, err]).toEqual([2, expect.stringMatching(words)]);
    expect(err).toMatch(/HW707/);
    expect(existsSync(join(home, ".claude"))).toBe(false);
  });

  it("the folder belongs to another user: it is refused with the next step", () => {
    mkdirSync(places(), { recursive: true });
    if (process.getuid?.() !== 0) return expect(() => chownSync(places(), 65_534, 65_534)).toThrow("EPERM");
    chownSync(places(), 65_534, 65_534);
    const { code, err } = wire(made, "claude-code");
    return expect([code, err, existsSync(join(home, ".claude"))]).toEqual([
      2,
      expect.stringContaining("belongs to another user"),
      false,
    ]);
  });

  it("a failure of the wiring takes the new place away again", () => {
    mkdirSync(join(home, ".claude"));
    mkdirSync(join(home, ".claude/settings.json"));
    expect(wire(made, "claude-code").code).toBe(2);
    expect(standing()).toEqual([]);
  });

  it("follows a link of the user's own to where the place really is", () => {
    mkdirSync(join(home, "data"));
    mkdirSync(join(home, ".local"));
    symlinkSync(join(home, "data"), join(home, ".local/share"));
    expect(wire(made, "claude-code")).toMatchObject({ code: 0, err: "" });
    expect(settings()).toContain(join(home, "data/hookwarden/0.1.0-"));
    expect(settings()).not.toContain(".local/share");
    expect(judged("touch FORBIDDEN")).toBe("denied");
  });
});

describe("the Node of a place", patience, () => {
  it("is a link of its own where the file system allows, and its path with what it was where not", () => {
    wire(made, "claude-code");
    const folder = join(places(), standing()[0] as string);
    const link = join(folder, "node");
    const identity = readFileSync(join(folder, "identity"), "utf8")
      .split("\n")
      .filter((line) => line !== "");
    if (existsSync(link)) {
      expect(lstatSync(link).ino).toBe(statSync(realpathSync(process.execPath)).ino);
      expect(settings()).toContain(link);
    } else {
      expect(identity.some((line) => line.endsWith(` ${realpathSync(process.execPath)}`))).toBe(true);
      expect(settings()).toContain(realpathSync(process.execPath));
    }
    for (const line of identity) expect(line).toMatch(/^\d+ [0-7]+ \d+ \d+ \d+ .+$/);
  });

  it("is another place for another Node", () => {
    wire(made, "claude-code");
    const [first] = standing();
    const other = join(home, "bin/node");
    mkdirSync(dirname(other));
    cpSync(realpathSync(process.execPath), other);
    // The same program with a byte more behind it is another Node to every digest, and starts as well.
    writeFileSync(other, Buffer.concat([readFileSync(other), Buffer.from("\n")]));
    const ran = spawnSync(
      other,
      [made.command, ...withToken(home, ["install", "claude-code", "--policy", join(home, "p.yaml")])],
      {
        cwd: join(home, "project"),
        env: env(),
        encoding: "utf8",
      },
    );
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    expect(standing()).toHaveLength(1);
    expect(standing()).not.toEqual([first]);
    rmSync(other);
    expect(judged("touch FORBIDDEN")).toBe("denied");
  });
});
