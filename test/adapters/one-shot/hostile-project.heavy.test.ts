import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../schema/limits.ts";
import { execFileSync, spawnSync } from "../../bounded-process.ts";
import { largeProjects, manyRules } from "../../compiler/large-projects.ts";
import { blocksOfProcesses } from "../../work.ts";

/** The hook as it is built; the machine's own settings are never read, since home is a scratch folder. */
const launcher = join(import.meta.dirname, "../../../dist/bin/hookwarden-hook.cjs");

let root = "";
let home = "";
let project = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-hostile-")));
  home = join(root, "home");
  project = join(root, "project");
  mkdirSync(join(home, ".config/hookwarden"), { recursive: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(
    join(home, ".config/hookwarden/policy.yaml"),
    "version: 1\npolicy: mine\nrules:\n  - { id: no, event: tool_call, tool: bash, when: { args.command: { contains: FORBIDDEN } }, action: block, reason: mine }\n",
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

let hooks = 0;

/** One real hook: its answer, and the executed blocks that it took. */
function hook(command: string, session: string): { answer: string; why: string; blocks: number } {
  const payload = {
    session_id: session,
    transcript_path: "/t",
    cwd: project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "c1",
  };
  const counts = join(root, `counts${++hooks}`);
  const ran = spawnSync(process.execPath, ["--no-opt", launcher, "claude-code"], {
    cwd: project,
    env: { PATH: "/usr/bin:/bin", HOME: home, NODE_V8_COVERAGE: counts },
    input: JSON.stringify(payload),
    encoding: "utf8",
    // Whoever is not back by then never answers; on a loaded machine the slowest takes a tenth.
    timeout: 280_000,
  });
  const reply = ran.stdout === "" ? {} : (JSON.parse(ran.stdout).hookSpecificOutput ?? {});
  return {
    answer: reply.permissionDecision ?? (ran.status === 0 ? "allow" : `exit ${ran.status}`),
    why: reply.permissionDecisionReason ?? "",
    blocks: blocksOfProcesses(counts),
  };
}

function file(name: string, text: string): string {
  const path = join(project, ".hookwarden", name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function texts(given: readonly string[]): void {
  for (const [i, text] of given.entries()) file(`p${i}.yaml`, text);
}

function folders(count: number): void {
  for (let i = 0; i < count; i++) mkdirSync(join(project, ".hookwarden", `d${i}`), { recursive: true });
}

/** What a repository may hold, by name, and whether its user is asked about what has effects. */
const trees: readonly (readonly [name: string, make: () => void, asked: boolean])[] = [
  ["80 files of 1,000 rules", () => texts(manyRules(80, 1_000)), true],
  ["patterns that are large together", () => texts(shape("large patterns")), true],
  ["conditions in each other", () => texts(shape("conditions in each other, for rules of many tools")), true],
  ["an alias bomb", () => texts(shape("an alias bomb")), true],
  ["a list that every rule repeats", () => texts(shape("a list that every rule repeats")), true],
  ["more entries than are looked at", () => folders(limits.policyEntries + 1), true],
  [
    "many tiny files",
    () => texts(Array.from({ length: 300 }, (_, i) => `version: 1\npolicy: p-${i}\nrules: []\n`)),
    true,
  ],
  ["a named pipe", () => pipe("p.yaml"), true],
  ["a named pipe one level down", () => pipe("d/policy.yaml"), true],
  ["a link to /dev/zero", () => symlinkSync("/dev/zero", join(made(), "p.yaml")), true],
  ["a link to itself", () => symlinkSync("p.yaml", join(made(), "p.yaml")), true],
  ["a folder that leads back to itself", () => symlinkSync("..", join(made(), "d")), true],
  ["links that lead nowhere", () => dangling(1_000), true],
  ["a file with a hole of 8 GB", () => truncateSync(file("p.yaml", "x"), 8 * 2 ** 30), true],
  ["a link in the place of the folder", () => symlinkSync("/proc", join(project, ".hookwarden")), true],
  ["a pipe in the place of the folder", () => void execFileSync("mkfifo", [join(project, ".hookwarden")]), true],
  ["an import of a pipe", () => importOf("pipe", () => pipe("deep/x.yaml")), true],
  ["imports in a row", () => importsInARow(80), true],
  ["a policy of a usual size", () => texts(manyRules(1, 20)), false],
];

function shape(name: string): readonly string[] {
  return largeProjects.find((one) => one.name === name)?.texts ?? [];
}

function made(): string {
  const folder = join(project, ".hookwarden");
  mkdirSync(folder, { recursive: true });
  return folder;
}

function pipe(name: string): void {
  const path = join(made(), name);
  mkdirSync(join(path, ".."), { recursive: true });
  execFileSync("mkfifo", [path]);
}

function dangling(count: number): void {
  for (let i = 0; i < count; i++) symlinkSync(`none${i}`, join(made(), `p${i}.yaml`));
}

function importOf(_what: string, make: () => void): void {
  make();
  file("p.yaml", "version: 1\npolicy: p\nimports: [{ file: ./deep/x.yaml }]\nrules: []\n");
}

function importsInARow(count: number): void {
  for (let i = 0; i <= count; i++) {
    const next = i < count ? `imports: [{ file: ./${i === 0 ? "deep/" : ""}i${i + 1}.yaml }]\n` : "";
    file(i === 0 ? "p.yaml" : `deep/i${i}.yaml`, `version: 1\npolicy: p-${i}\n${next}rules: []\n`);
  }
}

/**
 * Times the blocks of the control, which compiles its user's policy, that a hook may take: 19 were seen, by processor time 1.8,
 * since a process takes most of its time to start, in native code. A hook that compiles nothing takes less than the control.
 */
const most = 25;

describe("a repository that nobody has trusted", () => {
  it("is built", () => expect(existsSync(launcher)).toBe(true));

  it.each(trees)(
    "neither delays nor lifts what its user wrote: %s",
    (_name, make, asked) => {
      const control = hook("touch FORBIDDEN", "control");
      expect(control).toMatchObject({ answer: "deny", why: expect.stringContaining("mine") });
      expect(hook("touch other", "control").answer).toBe("allow");
      make();
      // The session that runs compiles nothing, and keeps the plan that it began with.
      const pinned = hook("touch FORBIDDEN", "control");
      expect(pinned).toMatchObject({ answer: "deny", why: expect.stringContaining("mine") });
      const plans = readdirSync(join(home, ".local/state/hookwarden/plans")).filter((name) => name.endsWith(".json"));
      expect(plans).toHaveLength(1);
      expect(hook("touch other", "control").answer).toBe("allow");
      const fresh = hook("touch FORBIDDEN", "fresh");
      expect(fresh).toMatchObject({ answer: "deny", why: expect.stringContaining("mine") });
      const other = hook("touch other", "fresh");
      expect(other.answer).toBe(asked ? "ask" : "allow");
      if (asked) expect(other.why).toMatch(/HW\d{3}/);
      // What was found out once is not found out again.
      const next = hook("touch other", "next");
      expect(next.answer).toBe(asked ? "ask" : "allow");
      expect(control.blocks).toBeGreaterThan(10_000);
      const share = ({ blocks }: { readonly blocks: number }): number => blocks / control.blocks;
      const times = { pinned: share(pinned), fresh: share(fresh), next: share(next) };
      if (process.env["HOOKWARDEN_SHOW_TIMES"] !== undefined)
        process.stdout.write(`${_name} ${JSON.stringify(times)}\n`);
      const within = [times.pinned < 1, times.fresh < most, times.next < 1];
      expect(within, JSON.stringify(times)).toEqual([true, true, true]);
    },
    600_000,
  );
});

describe("a home on a file system that says a folder is missing", () => {
  it.each(["/proc", "/proc/self"])(
    "is refused in time: %s",
    (place) => {
      if (!existsSync(place)) return;
      home = place;
      expect(hook("touch other", "s").answer).toBe("deny");
    },
    300_000,
  );
});
