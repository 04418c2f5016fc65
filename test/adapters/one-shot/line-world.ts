import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { directCall, hookLine, type LinePlace } from "../../../adapters/install/command.ts";
import { runHook } from "../../../adapters/one-shot/run.ts";
import type { HookShell } from "../../../schema/hosts/hook-shells.ts";
import { buildLauncher } from "../../../scripts/build/launcher.ts";

/** What a hook's process came to. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Milliseconds from its start to its end. */
}

const usualPolicy = `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }
  - { id: hide, event: tool_call, tool: bash, action: { redact: { values: { env: [HOOK_SECRET] } } } }
`;

/** A scratch folder with the built hook, a policy, and shells under the names that hosts start. */
export class LineWorld {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-line-")));
  readonly home = join(this.root, "home");
  readonly state = join(this.home, ".local/state/hookwarden");
  readonly project = join(this.root, "project");
  /** What foreign code leaves behind where it runs. */
  readonly marker = join(this.root, "FOREIGN");

  constructor() {
    for (const folder of [this.home, this.project, join(this.root, "shells")]) mkdirSync(folder, { recursive: true });
    symlinkSync("/bin/bash", join(this.root, "shells/sh"));
  }

  /** Builds the hook into it, and judges once by the compiler, so that a plan stands in the cache. */
  async build(policy = usualPolicy): Promise<void> {
    await buildLauncher(join(import.meta.dirname, "../../.."), join(this.root, "bin"));
    this.write("policy.yaml", policy);
    await runHook(["claude-code", ...this.options("PreToolUse")], {
      stdin: (async function* () {})(),
      variables: {},
      cwd: this.project,
      home: this.home,
      now: () => Date.now(),
    });
    await runHook(["claude-code", ...this.options("PreToolUse")], {
      stdin: bytes(this.call("echo hello")),
      variables: {},
      cwd: this.project,
      home: this.home,
      now: () => Date.now(),
    });
  }

  write(path: string, text: string, mode = 0o644): string {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text, { mode });
    return full;
  }

  get launcher(): string {
    return join(this.root, "bin/hookwarden-hook.cjs");
  }

  options(event: string): string[] {
    const policy = join(this.root, "policy.yaml");
    return ["--event", event, "--state", this.state, "--home", this.home, "--policy", policy];
  }

  /** Where a line is written for; another launcher stands for what ours is not allowed to do. */
  place(launcher = this.launcher): LinePlace {
    return {
      program: { node: process.execPath, launcher, command: "", modules: "" },
      by: { policies: [join(this.root, "policy.yaml")], set: {} },
      platform: "linux",
      home: this.home,
      state: this.state,
    };
  }

  /** A call as Claude Code puts it. */
  call(command: string): string {
    return JSON.stringify({
      session_id: "s1",
      transcript_path: "/t",
      cwd: this.project,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: "c1",
    });
  }

  /** The line as `install` writes it, run as a host runs it whose lines that shell reads. */
  run(
    shell: HookShell,
    variables: Readonly<Record<string, string>>,
    input: string,
    line = hookLine("claude-code", "PreToolUse", this.place()),
  ): Promise<Ended> {
    const asSh = join(this.root, "shells/sh");
    const mine = shell === "bash as sh" ? line.replaceAll("'/bin/sh'", `'${asSh}'`) : line;
    const direct = directCall(mine);
    const started: Readonly<Record<HookShell, readonly string[]>> = {
      dash: ["/bin/sh", "-c", mine],
      "bash as sh": [asSh, "-c", mine],
      bash: ["/bin/bash", "-c", mine],
      none: [direct.command, ...direct.args],
    };
    return this.start(started[shell], { HOME: this.home, PATH: "/usr/bin:/bin", ...variables }, input);
  }

  start(words: readonly string[], env: Readonly<Record<string, string>>, input: string): Promise<Ended> {
    const [program = "", ...args] = words;
    return new Promise((resolve) => {
      const child = spawn(program, args, { cwd: this.project, env, stdio: ["pipe", "pipe", "pipe"] });
      const text = { out: "", err: "" };
      child.stdout.on("data", (chunk) => {
        text.out += String(chunk);
      });
      child.stderr.on("data", (chunk) => {
        text.err += String(chunk);
      });
      child.stdin.on("error", () => undefined);
      child.on("close", (code) => resolve({ code, ...text }));
      child.stdin.end(input);
    });
  }

  /** True where foreign code ran since the last time this was asked. */
  foreignRan(): boolean {
    const ran = existsSync(this.marker);
    rmSync(this.marker, { force: true });
    return ran;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Whether a host would let the call run: by its exit code, or by the document where that can be read. */
export function passes({ code, out }: Ended): boolean {
  if (code === 2) return false;
  try {
    return !out.includes("{") || JSON.parse(out).hookSpecificOutput?.permissionDecision !== "deny";
  } catch {
    return true;
  }
}
