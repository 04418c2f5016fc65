import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { launcherFile } from "../hosts/guard-files.ts";
import { runProgram, type Said, type Started } from "./processes.ts";

/** A home and a project of their own for hook processes. */
export interface HookPlace {
  readonly home: string;
  readonly project: string;
}

/** Scratch folders of one section. */
export class HookPlaces {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-bench-hook-")));
  #made = 0;

  /** A home in which nothing is cached, and a project with a file. */
  make(): HookPlace {
    const folder = join(this.root, String(this.#made++));
    const place = { home: join(folder, "home"), project: join(folder, "project") };
    mkdirSync(place.home, { recursive: true });
    mkdirSync(join(place.project, "src"), { recursive: true });
    writeFileSync(join(place.project, "src/index.ts"), "export const one = 1;\n");
    return place;
  }

  /** A file in the scratch folder. */
  write(name: string, text: string): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The hook of a pack as `install` wires it, before a harmless call of bash. */
export function hookOf(pack: string, place: HookPlace): Started {
  return {
    command: [process.execPath, launcherFile, "claude-code", "--policy", `pack:${pack}`],
    cwd: place.project,
    home: place.home,
    input: callPayload(place.project),
  };
}

/** What Claude Code says before a call. */
export function callPayload(cwd: string): string {
  return JSON.stringify({
    session_id: "bench-session",
    transcript_path: join(cwd, "transcript.jsonl"),
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls -la src", description: "List the sources" },
    tool_use_id: "toolu_bench",
  });
}

/** Runs a hook once and throws unless it let the call through as it should. */
export function allowed(started: Started): Said {
  const said = runProgram(started);
  if (said.status !== 0 || /"permissionDecision":"(?:deny|ask)"|"decision":"block"/.test(said.stdout))
    throw new Error(`the hook did not let the call through: ${said.status} ${said.stdout} ${said.stderr}`);
  return said;
}

/** Decisions on record in a home. */
export function recordsIn({ home }: HookPlace): number {
  const audit = join(home, ".local/state/hookwarden/audit");
  const files = readdirSync(audit, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(".jsonl"),
  );
  const lines = files.flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8").split("\n"));
  return lines.filter((line) => line.includes('"event":"tool_call"')).length;
}
