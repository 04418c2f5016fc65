import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookProgram } from "../../adapters/install/command.ts";
import { install } from "../../cli/commands/install.ts";
import type { Io } from "../../cli/io.ts";
import { whyUnwritten } from "../../cli/unwritten.ts";
import { humanWho } from "./human.ts";
import { demoPolicy, type Ran, run, Scratch } from "./run.ts";

/**
 * What may be wrong in the first hour: each is a sentence that names the file and the next step, the exit code that is
 * documented, and nothing that stood there is changed.
 */
const scratch = new Scratch();
const at = (name: string): string => join(scratch.path, name);

function person() {
  for (const folder of ["home", "shop"]) mkdirSync(at(folder), { recursive: true });
  const env = { HOME: at("home"), PATH: "" };
  return (args: readonly string[], cwd = at("shop")): Promise<Ran> => run(args, { cwd, home: at("home"), env });
}

/** Every file below the scratch folder with its text. */
function files(): Record<string, string> {
  const names = (readdirSync(scratch.path, { recursive: true, withFileTypes: true }) ?? []).filter((e) => e.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );
}

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  /** Files that are there, by their names below the scratch folder. */
  readonly there?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly names: string;
  readonly next: string;
}

const shop = (name: string, text: string): Readonly<Record<string, string>> => ({ [`shop/${name}`]: text });
const others = {
  "shop/other/compose.yaml": "services:\n  web: { image: nginx }\n",
  "shop/other/list.yaml": "- a\n- b\n",
};
const call = ["explain", "--policy", "pack:secrets"];

const cases: readonly Case[] = [
  {
    what: "`init` where a policy is",
    args: ["init"],
    there: shop(".hookwarden/policy.yaml", demoPolicy),
    code: 2,
    names: "error[HW702]: `.hookwarden/policy.yaml` is there already",
    next: "add to it with `hookwarden new rule <id>`; nothing was written",
  },
  {
    what: "`init` where a policy of another name is",
    args: ["init", "--packs", "recommended"],
    there: shop(".hookwarden/mine.yaml", demoPolicy),
    code: 2,
    names: "error[HW702]: `.hookwarden/mine.yaml` is there already",
    next: "`hookwarden new rule <id> --policy .hookwarden/mine.yaml`",
  },
  {
    what: "`init` where a policy is that cannot be understood",
    args: ["init"],
    there: shop(".hookwarden/policy.yaml", "mine\n"),
    code: 2,
    names: "`.hookwarden/policy.yaml` is there already",
    next: "nothing was written",
  },
  {
    what: "`init` where only a suite is",
    args: ["init"],
    there: shop(".hookwarden/policy.test.yaml", "mine\n"),
    code: 2,
    names: "`.hookwarden/policy.test.yaml` is there already",
    next: "move it away, and run this again; nothing was written",
  },
  {
    what: "`init` where a file is called as its folder",
    args: ["init"],
    there: shop(".hookwarden", "mine\n"),
    code: 2,
    names: "`.hookwarden/policy.yaml` cannot be written: a file stands where its folder should be",
    next: "move away what stands there, or choose a folder that you may write to, and run this there",
  },
  {
    what: "`install` for a host that there is not",
    args: ["install", "vim"],
    code: 2,
    names: "error[HW701]: there is no host `vim`",
    next: "known here: `claude-code`",
  },
  {
    what: "`install` for a host that is nearly right",
    args: ["install", "claud-code"],
    code: 2,
    names: "there is no host `claud-code`",
    next: "did you mean `claude-code`?",
  },
  {
    what: "`doctor` before `install`",
    args: ["doctor", "cursor"],
    there: shop(".hookwarden/policy.yaml", demoPolicy),
    code: 2,
    names: "act  cursor: hookwarden is not wired into it",
    next: "run `hookwarden install cursor`",
  },
  {
    what: "`doctor` before anything",
    args: ["doctor"],
    code: 2,
    names: "act  policies: none (looked at managed",
    next: "run `hookwarden init` in your project",
  },
  {
    what: "`doctor` of a host that there is not",
    args: ["doctor", "emacs"],
    code: 2,
    names: "there is no host `emacs`",
    next: "known here: `claude-code`",
  },
  {
    what: "`explain` of arguments that are no JSON",
    args: [...call, "--tool", "bash", "--args", "{"],
    code: 2,
    names: "error[HW701]: `--args` is not a JSON object",
    next: 'write it as in --args \'{"command": "git status"}\'',
  },
  {
    what: "`explain` of a file that is no JSON",
    args: [...call, "--event", "event.json"],
    there: shop("event.json", "no json"),
    code: 2,
    names: "--> event.json",
    next: "give one event",
  },
  {
    what: "`explain` of a file that is not there",
    args: [...call, "--event", "evnt.json"],
    there: shop("event.json", "{}"),
    code: 2,
    names: "error[HW703]: `evnt.json` does not exist",
    next: "did you mean `event.json`?",
  },
  {
    what: "`explain` without a policy",
    args: ["explain", "--tool", "bash", "--args", '{"command":"ls"}'],
    code: 2,
    names: "error[HW012]: no policy found here\n  --> .hookwarden",
    next: "`hookwarden init` writes `.hookwarden/policy.yaml`",
  },
  {
    what: "`check` of an empty folder",
    args: ["check"],
    code: 2,
    names: "error[HW012]: no policy found here",
    next: "`hookwarden init` writes",
  },
  {
    what: "`check` of an empty folder that is named",
    args: ["check", "none"],
    there: shop("none/readme.md", "x\n"),
    code: 2,
    names: "error[HW012]: no policy found in `none`",
    next: "`hookwarden init` writes one",
  },
  {
    what: "`check` of a folder of other YAML",
    args: ["check", "other"],
    there: others,
    code: 2,
    names: "error[HW103]: the file is no policy: it has none of `version`, `policy` and `rules`",
    next: "keep other files elsewhere, or name the policies; `hookwarden init` writes a first one",
  },
  {
    what: "`test` of a folder without a suite",
    args: ["test"],
    code: 2,
    names: "error[HW014]: no suite found in `.`",
    next: "`hookwarden init`",
  },
  {
    what: "`compile` without a policy",
    args: ["compile", "-o", "plan.json"],
    code: 2,
    names: "error[HW012]: no policy found here",
    next: "`hookwarden init` writes",
  },
  {
    what: "`compile` into a folder that is not there",
    args: ["compile", "--policy", "pack:secrets", "-o", "none/plan.json"],
    code: 2,
    names: "`none/plan.json` cannot be written: its folder is not there",
    next: "name a file in a folder that is there",
  },
];

describe("what may be wrong in the first hour", () => {
  it.each(cases.map((one) => [one.what, one] as const))("%s", async (_, { args, there = {}, code, names, next }) => {
    const types = person();
    for (const [name, text] of Object.entries(there)) scratch.put(name, text);
    const before = files();
    const ran = await types(args);
    const text = ran.out + ran.err;
    expect([ran.code, text]).toEqual([code, expect.stringContaining(names)]);
    expect(text).toContain(next);
    expect(text).not.toMatch(/HW506|\bat \S+:\d+|E[A-Z]{4,}/);
    expect(files()).toEqual(before);
  });

  it("other YAML is one finding for each file", async () => {
    const types = person();
    for (const [name, text] of Object.entries(others)) scratch.put(name, text);
    expect((await types(["check", "other"])).out.match(/^error\[/gm)).toHaveLength(2);
  });

  it.each([
    ["EACCES", "permission denied"],
    ["EROFS", "its file system is read-only"],
    ["ENOSPC", "no room is left"],
    ["EMFILE", "too many open files"],
  ])("why a file cannot be written is told in words: %s", (code, words) => {
    expect(whyUnwritten(Object.assign(new Error("too many open files"), { code }))).toBe(words);
  });

  it("`init` in the home folder says what it holds for, and where the policies for every project stand", async () => {
    const ran = await person()(["init"], at("home"));
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("This is your home folder") });
    expect(ran.out).toContain("~/.config/hookwarden/");
    expect((await person()(["init"])).out).not.toContain("home folder");
  });
});

describe("install", () => {
  /** With a stand-in for the program that hosts are wired to, so that no package has to be built. */
  async function installs(): Promise<Ran> {
    person();
    const program: HookProgram = {
      node: process.execPath,
      launcher: scratch.put("package/dist/bin/hookwarden-hook.cjs", ""),
      command: scratch.put("package/dist/bin/hookwarden.js", ""),
      modules: at("package/dist"),
    };
    const said = { out: "", err: "" };
    const io: Io = {
      cwd: at("shop"),
      home: at("home"),
      env: { HOME: at("home"), PATH: "" },
      color: false,
      stdin: (async function* () {})(),
      out: async (more) => void (said.out += more),
      err: (more) => void (said.err += more),
      human: async () => humanWho("yes", () => {}),
    };
    return { code: await install("codex", {}, io, { program, platform: "linux" }), ...said };
  }

  it("a second time changes nothing, and says so", async () => {
    expect((await installs()).code).toBe(0);
    const before = files();
    const again = await installs();
    expect(again).toMatchObject({ code: 0, err: "", out: expect.stringContaining("hooks.json: is as it should be\n") });
    expect(again.out).toContain("`hookwarden doctor codex`");
    expect(files()).toEqual(before);
  });

  it("over settings that are broken writes nothing, and names the file and the place", async () => {
    scratch.put("home/.codex/hooks.json", "{ broken");
    const before = readFileSync(at("home/.codex/hooks.json"), "utf8");
    const ran = await installs();
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining("error[HW707]: it is no JSON") });
    expect(ran.err).toContain(at("home/.codex/hooks.json"));
    expect(ran.err).toContain("mend the file, then run this again; nothing was written");
    expect(readFileSync(at("home/.codex/hooks.json"), "utf8")).toBe(before);
  });
});
