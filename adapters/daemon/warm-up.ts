import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { defaultRoots } from "../../store/discover.ts";
import { HookMemory } from "../one-shot/memory.ts";
import { runHook } from "../one-shot/run.ts";

/** Approximate number of hooks until the code runs at full speed, and the limit of the attempt, in milliseconds. */
const hooks = 3_000;
const most = 7_000;

/** Milliseconds of work before a pause, of each pause, and before the first hook. */
const stretch = 4;
const breath = 2;
const start = 250;

/** Typical calls of agents. They are judged, never run. */
const commands = [
  "ls -la src",
  "git status --short",
  "git diff HEAD~1 -- src/index.ts",
  "npm test -- --run",
  "cat package.json | head -n 20",
  'grep -rn "createServer" --include="*.ts" src',
  "cd packages/core && npm run build 2>&1 | tail -n 5",
  "mkdir -p out && cp README.md out/",
];

/**
 * Answers made-up hooks until the code for real ones is loaded and compiled: otherwise an agent's first hooks take several
 * times as long. All of it happens in a scratch folder that is removed again; nothing written or remembered there is used
 * for anything else. Only a shipped pack judges them, so no program runs; if the machine has policies for everybody, no
 * hooks are made up. It waits while somebody asks, and ends when `isOver`. Never rejects: if it fails, the daemon is only
 * slower at first.
 */
export async function warmUp(isBusy: () => boolean, isOver: () => boolean): Promise<void> {
  const memory = new HookMemory();
  const until = performance.now() + start + most;
  let folder: string | undefined;
  // A client that starts a daemon because a hook waits is answered first.
  await pause(start);
  try {
    folder = mkdtempSync(join(tmpdir(), "hookwarden-warm-up-"));
    // A separate project: no folder above it is searched.
    mkdirSync(join(folder, ".git"));
    const { managed } = defaultRoots(folder, folder);
    for (let n = 0, heard = 0; n < hooks && performance.now() < until && !isOver(); n++) {
      if (existsSync(managed)) break;
      while (isBusy() && !isOver()) await pause(breath);
      await runHook(["claude-code", "--policy", "pack:recommended"], {
        stdin: once(payload(folder, n)),
        variables: { HOME: folder, PATH: "/usr/bin:/bin" },
        cwd: folder,
        home: folder,
        now: () => Date.now(),
        memory,
      });
      if (performance.now() - heard < stretch) continue;
      await pause(breath);
      heard = performance.now();
    }
  } catch {
    // Real hooks report the faults of packs and machine.
  }
  memory.sessions.release();
  try {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is among the machine's temporary files.
  }
}

function payload(cwd: string, n: number): string {
  return JSON.stringify({
    session_id: `warm-up-${n % 2}`,
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: commands[n % commands.length] },
    tool_use_id: `warm-up-${n}`,
  });
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, "utf8");
}
