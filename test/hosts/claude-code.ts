import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { programFolder } from "./guard-files.ts";
import type { InstalledHost } from "./install.ts";
import { anthropicMessages } from "./model/anthropic.ts";
import { startScriptedModel } from "./model/server.ts";
import { type HookWiring, hookedEvents, hookSeconds, type OneShotHost, usualPrompt, wireHooks } from "./one-shot.ts";
import { runToEnd } from "./process.ts";
import type { Scratch } from "./scratch.ts";

const events = "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop".split(" ");

/** The settings of a home folder in which one command is the hook of every event. */
function configure(scratch: Scratch, hook: HookWiring | undefined): void {
  wireHooks("claude-code", scratch, hook, (command) => {
    const group = [{ hooks: [{ type: "command", command: command.command, timeout: hookSeconds(command) }] }];
    const hooks = Object.fromEntries(hookedEvents(events, command).map((event) => [event, group]));
    scratch.write("home/.claude/settings.json", JSON.stringify({ hooks }));
  });
}

/** Everything that the host may know of this machine: the system's tools, the scratch folder and the scripted model. */
function environment(scratch: Scratch, model: string): Record<string, string> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: scratch.home,
    TMPDIR: join(scratch.root, "tmp"),
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: "not-a-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  };
}

/** The native program of the platform's own package: the install script that would put it in place is not run. */
function program(host: InstalledHost): string {
  const name = `claude-code-${process.platform}-${process.arch}`;
  return join(host.script, "..", "..", "..", name, "claude");
}

/** Claude Code, headless, with the scripted model in place of Anthropic's. */
export const claudeCodeHost: OneShotHost = {
  row: "claude-code",
  hook: "claude-code",
  versions: [
    { name: "claude-code", version: "2.1.330", package: "@anthropic-ai/claude-code", start: "bin/claude.exe" },
  ],
  async run(host, scratch, turns, hook, { prompt = usualPrompt, variables = {}, patience } = {}) {
    const model = await startScriptedModel(anthropicMessages(scratch.project), turns);
    // As it stands on a user's PATH: its version decides how `install` wires it.
    mkdirSync(join(scratch.root, programFolder), { recursive: true });
    symlinkSync(program(host), join(scratch.root, programFolder, "claude"));
    configure(scratch, hook);
    const fixed = ["--print", prompt, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash,Read"];
    try {
      const around = { ...environment(scratch, model.url), ...variables };
      const ended = await runToEnd([program(host), ...fixed], scratch.project, around, undefined, patience);
      return { ...ended, requests: model.requests };
    } finally {
      await model.close();
    }
  },
};
