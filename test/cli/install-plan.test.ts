import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { policiesOnDisk } from "../../adapters/plan-on-disk.ts";
import { install } from "../../cli/commands/install.ts";
import { discoverPolicies } from "../../store/discover.ts";
import { humanWho } from "./human.ts";
import { Scratch } from "./run.ts";

const scratch = new Scratch();

it("makes the plan of the policies that `install` writes, so that the first hook need not, and none when it only shows", async () => {
  const home = join(scratch.path, "home");
  mkdirSync(home, { recursive: true });
  const state = join(home, ".local/state/hookwarden");
  const io = {
    cwd: home,
    home,
    env: { HOME: home, XDG_STATE_HOME: join(home, ".local/state") },
    color: false,
    stdin: (async function* () {})(),
    out: async () => {},
    err: () => {},
    human: async () => humanWho("yes", () => undefined),
  };
  const program = {
    node: process.execPath,
    launcher: scratch.put("package/dist/bin/hookwarden-hook.cjs", ""),
    command: scratch.put("package/dist/bin/hookwarden.js", ""),
    modules: join(scratch.path, "package/dist"),
  };
  const known = (): string | undefined => {
    const { files } = discoverPolicies(["pack:shell-safety"], home, "user");
    const none = { code: "HW012", message: "none", fix: "" } as const;
    const found = policiesOnDisk({ files, broken: undefined, problem: undefined }, { set: {}, state }, none);
    return "code" in found ? found.message : found.digest;
  };
  const into = (dryRun: boolean) =>
    install("claude-code", { policy: ["pack:shell-safety"], dryRun }, io, { program, platform: "linux" });
  await into(true);
  expect(known()).toBeUndefined();
  expect(await into(false)).toBe(0);
  expect(known()).toMatch(/^sha256:/);
});
