import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookProgram } from "../../adapters/install/command.ts";
import { doctor } from "../../cli/commands/doctor.ts";
import { install } from "../../cli/commands/install.ts";
import type { Io } from "../../cli/io.ts";
import { humanWho } from "./human.ts";
import { type Ran, run, Scratch } from "./run.ts";

/** The first hour of a user with one host, without the canary; `first-hour.heavy.test.ts` has five hosts and real processes. */
const scratch = new Scratch();

/** A home and an empty project, and a stand-in for the program that hosts are wired to. */
function world() {
  const [home, project] = [join(scratch.path, "home"), join(scratch.path, "shop")];
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  const modules = join(scratch.path, "package/dist");
  scratch.put("package/dist/bin/hookwarden-client.sh", "");
  const program: HookProgram = {
    node: process.execPath,
    launcher: scratch.put("package/dist/bin/hookwarden-hook.cjs", ""),
    command: scratch.put("package/dist/bin/hookwarden.js", ""),
    modules,
  };
  const machine = { program, platform: "linux" } as const;
  const wired = async (command: (io: Io) => Promise<number>): Promise<Ran> => {
    const text = { out: "", err: "" };
    const io: Io = {
      cwd: project,
      home,
      env: { HOME: home, PATH: "" },
      color: false,
      stdin: (async function* () {})(),
      out: async (more) => void (text.out += more),
      err: (more) => void (text.err += more),
      human: async () => humanWho("yes", () => {}),
    };
    return { code: await command(io), ...text };
  };
  return {
    here: (...args: readonly string[]) => run(args, { cwd: project, home, env: { HOME: home, PATH: "" } }),
    install: (options = {}) => wired((io) => install("codex", options, io, machine)),
    doctor: () => wired((io) => doctor(undefined, { format: "pretty" }, io, machine)),
  };
}

const harmless = JSON.stringify({ command: "ls" });

describe("the first hour, from an empty folder", () => {
  it.each([
    ["the defaults", ["init"], "it imports shell-safety and secrets.", "1 action of imported packs waits"],
    [
      "the whole set",
      ["init", "--packs", "recommended"],
      "it imports recommended.",
      "7 actions of imported packs wait",
    ],
  ])("goes without a stumble with %s, and each command says the next", async (_, init, imports, waiting) => {
    const { here, install: wire, doctor: look } = world();
    const begun = await here(...init);
    expect(begun).toMatchObject({ code: 0, err: "" });
    expect(begun.out).toContain(imports);
    expect(begun.out).toContain("Nothing is enforced yet");
    for (const step of ["check", "test", "install <host>", "doctor <host>"])
      expect(begun.out).toContain(`  hookwarden ${step} `);
    const checked = await here("check");
    expect(checked).toMatchObject({ code: 0, err: "", out: expect.stringContaining("`hookwarden install <host>`") });
    expect(checked.out).toContain(
      `${waiting} for a human to run \`hookwarden trust\`. Blocks and questions work now.\n`,
    );
    expect(checked.out).not.toContain("HW606");
    expect(await here("test")).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("`hookwarden explain`"),
    });
    expect(await here("explain", "--tool", "bash", "--args", harmless)).toMatchObject({ code: 0, err: "" });
    const wired = await wire();
    expect(wired).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/`hookwarden doctor codex`\n$/) });
    expect(wired.out).not.toContain("hookwarden init");
    const looked = await look();
    expect([looked.code, looked.err], looked.out).toEqual([0, ""]);
    expect(looked.out).toMatch(/\nall is well: `hookwarden doctor <host>` .*\n$/);
  });

  it("is well too where the policy is named at `install`, and says where", async () => {
    const { install: wire, doctor: look } = world();
    expect((await wire({ policy: ["pack:recommended"] })).code).toBe(0);
    const { code, out } = await look();
    expect(code).toBe(0);
    expect(out).toMatch(
      /^ok {3}policies: 1 policy, plan sha256:\w+; pack:recommended, named in ~\/\.codex\/hooks\.json$/m,
    );
  });

  it("says that a host without a policy has every call refused, and what to do", async () => {
    const { install: wire, doctor: look } = world();
    expect((await wire()).out).toContain("run `hookwarden init` in your project");
    const { code, out } = await look();
    expect(code).toBe(2);
    expect(out).toContain("hookwarden refuses every call of codex (~/.codex/hooks.json), which finds no policy here");
    expect(out).toMatch(/to act on: follow each help line, then run `hookwarden doctor` again\n$/);
  });
});

describe("compile", () => {
  it.each([["plan", "plan.json", "hookwarden install <host>"]])("says what takes a %s", async (target, out, said) => {
    const { here } = world();
    await here("init");
    const made = await here("compile", "--target", target, "-o", out);
    expect(made).toMatchObject({ code: 0, err: expect.stringMatching(/\nnext: .*\n$/) });
    expect(made.err).toContain(said);
  });
});
