import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookProgram } from "../../../adapters/install/command.ts";
import { Pins } from "../../../adapters/mcp/pins.ts";
import { install } from "../../../cli/commands/install.ts";
import { uninstall } from "../../../cli/commands/uninstall.ts";
import type { Consent } from "../../../cli/consent/consent.ts";
import type { Io } from "../../../cli/io.ts";
import { runCommandLine } from "../../../cli/program.ts";
import { sourceDigest } from "../../../compiler/resolve.ts";
import { sha256 } from "../../../engine/canonical.ts";
import { makeAuditKeys } from "../../../store/audit-keys.ts";
import type { GuardVerb } from "../../../store/tokens.ts";
import { trust } from "../../../store/trust.ts";
import { MadeSession } from "../../audit/trail.ts";
import { humanWho } from "../human.ts";
import { demoPolicy } from "../run.ts";

/** A scratch home and project for one verb. */
export interface VerbWorld {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly state: string;
}

/** A command line that changes the guard, and what must be there before. */
export interface Verb {
  readonly title: string;
  readonly verb: GuardVerb | "token";
  readonly args: readonly string[];
  readonly prepare?: (world: VerbWorld) => void | Promise<void>;
  /** In this process, where the command line would fill a place from a package that was built. */
  readonly inProcess?: (io: Io, options: Consent) => Promise<number>;
}

/** Runs a verb in this process, with a token or without. */
export function runVerb({ args, inProcess }: Verb, io: Io, token?: string): Promise<number> {
  if (inProcess) return inProcess(io, token === undefined ? {} : { token });
  // What stands behind `--` is the server's.
  const cut = args.includes("--") ? args.indexOf("--") : args.length;
  const given = token === undefined ? [] : ["--token", token];
  return runCommandLine([...args.slice(0, cut), ...given, ...args.slice(cut)], io);
}

/** A world below a folder, with a policy in its project. */
export function verbWorld(root: string): VerbWorld {
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  put(join(project, ".hookwarden/policy.yaml"), demoPolicy);
  return { root, home, project, state: join(home, ".local/state/hookwarden") };
}

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A program that hosts are wired to and that nobody starts. */
const program: HookProgram = {
  node: process.execPath,
  launcher: "/srv/hookwarden/dist/bin/hookwarden-hook.cjs",
  command: "/srv/hookwarden/dist/bin/hookwarden.js",
  modules: "/srv/hookwarden/dist",
};

/** What a command of this world may touch; nothing that it says is kept. */
export function quietIo({ home, project }: VerbWorld): Io {
  return {
    cwd: project,
    home,
    env: { HOME: home },
    color: false,
    stdin: (async function* () {})(),
    out: async () => {},
    err: () => {},
  };
}

/** Every file of a world with a digest of its content, but for tokens, the key of the installation and compiled code, which a refusal may use. */
export function treeOf({ root }: VerbWorld): Readonly<Record<string, string>> {
  const names = (readdirSync(root, { recursive: true }) as string[]).sort();
  const files = names.filter(
    (name) => statSync(join(root, name)).isFile() && !/\/(?:tokens|code)\/|install\.key$|given\.|\.token$/.test(name),
  );
  return Object.fromEntries(files.map((name) => [name, sha256(readFileSync(join(root, name), "latin1"))]));
}

const key = `sha256:${"a".repeat(64)}`;
const server = ["npx", "server"];

/** Every verb of the command line that changes the guard. */
export const verbs: readonly Verb[] = [
  {
    title: "install",
    verb: "install",
    args: ["install", "claude-code"],
    inProcess: (io, options) => install("claude-code", options, io, { program, platform: "linux" }),
  },
  {
    title: "uninstall",
    verb: "uninstall",
    args: ["uninstall", "claude-code"],
    prepare: async (world) => {
      const io = { ...quietIo(world), human: async () => humanWho("yes", () => {}) };
      const code = await install("claude-code", {}, io, { program, platform: "linux" });
      if (code !== 0) throw new Error("the host cannot be wired");
    },
    inProcess: (io, options) => uninstall("claude-code", options, io, { program, platform: "linux" }),
  },
  { title: "trust", verb: "trust", args: ["trust"] },
  {
    title: "trust --remove",
    verb: "trust",
    args: ["trust", "--remove"],
    prepare: ({ state, project }) => {
      const path = join(project, ".hookwarden/policy.yaml");
      trust(state, [{ digest: sourceDigest(readFileSync(path)), path, time: "2026-11-22T00:00:00Z" }]);
    },
  },
  { title: "reload", verb: "reload", args: ["reload", "--policy", ".hookwarden/policy.yaml"] },
  { title: "approve --once", verb: "approve", args: ["approve", "--once", key] },
  {
    title: "mcp --forget",
    verb: "forget",
    args: ["mcp", "--forget", "--", ...server],
    prepare: ({ state }) => void new Pins(state, server).check([[{ tool: "t" }, "sha256:1"]]),
  },
  { title: "audit init", verb: "audit-init", args: ["audit", "init"] },
  {
    title: "audit init --rotate",
    verb: "audit-init",
    args: ["audit", "init", "--rotate"],
    prepare: ({ state }) => void makeAuditKeys(state),
  },
  {
    title: "audit prune",
    verb: "audit-prune",
    args: ["audit", "prune", "--older-than", "200"],
    prepare: ({ state }) => {
      makeAuditKeys(state);
      new MadeSession(state, "one").add(2).checkpoint();
    },
  },
  {
    title: "audit prune --compress",
    verb: "audit-prune",
    args: ["audit", "prune", "--compress"],
    prepare: ({ state }) => {
      makeAuditKeys(state);
      new MadeSession(state, "one").add(2).checkpoint().rotate().add(1).checkpoint();
    },
  },
  { title: "token", verb: "token", args: ["token", "trust", "--out", "made"] },
];
