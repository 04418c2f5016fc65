import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type BuiltPackage, builtPackage } from "../adapters/install/built-package.ts";
import { spawnSync } from "../bounded-process.ts";
import { withToken } from "./human.ts";
import { Scratch } from "./run.ts";

/** The first hour of a user, as processes of the built package, in a scratch home and with no host on `PATH`. */
const scratch = new Scratch();
let built: BuiltPackage;

beforeAll(async () => {
  built = await builtPackage();
  return () => built.remove();
});

const hosts = ["claude-code", "codex", "gemini", "cursor", "pi"];
const sets: readonly (readonly string[])[] = [["init"], ["init", "--packs", "recommended"]];
const chains = hosts.flatMap((host) => sets.map((set) => [host, set] as const));

function person() {
  const [home, project, path] = ["home", "shop", "bin"].map((name) => join(scratch.path, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, path]) mkdirSync(folder, { recursive: true });
  const env = { PATH: path, HOME: home, NO_COLOR: "1" };
  const types = (...args: readonly string[]): { code: number | null; text: string } => {
    const options = { cwd: project, env, encoding: "utf8", timeout: 120_000 } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [built.command, ...args], options);
    return { code: status, text: stdout + stderr };
  };
  return { types, installs: (...args: readonly string[]) => types(...withToken(home, ["install", ...args])) };
}

const explained = ["explain", "--tool", "bash", "--args", JSON.stringify({ command: "ls" })];

describe("the first hour, from an empty folder", () => {
  it.each(chains)("%s after %j: no exit code but 0", (host, init) => {
    const { types, installs } = person();
    const steps = [
      types(...init),
      types("check"),
      types("test"),
      types(...explained),
      installs(host),
      types("doctor", host),
    ];
    const codes = steps.map(({ code }) => code);
    expect(codes, steps.map(({ text }) => text).join("\n---\n")).toEqual([0, 0, 0, 0, 0, 0]);
    expect(steps.at(-1)?.text).toMatch(/\nall is well: ask [\w-]+ once for a call that your policy forbids\n$/);
  });

  it.each(hosts)("%s with a pack that `install` names: doctor is content, and says where it is named", (host) => {
    const { types, installs } = person();
    expect(installs(host, "--policy", "pack:recommended").code).toBe(0);
    const { code, text } = types("doctor", host);
    expect(code, text).toBe(0);
    expect(text).toMatch(/^ok {3}policies: .*; pack:recommended, named in ~\/\S+$/m);
  });
});
