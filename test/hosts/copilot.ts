import { join } from "node:path";
import type { InstalledHost } from "./install.ts";
import { openaiChat } from "./model/openai-chat.ts";
import { startScriptedModel } from "./model/server.ts";
import { type HookWiring, hookedEvents, hookSeconds, type OneShotHost, usualPrompt, wireHooks } from "./one-shot.ts";
import { runToEnd } from "./process.ts";
import type { Scratch } from "./scratch.ts";

/** Both ways in which the host's settings name events: payloads follow the spelling. */
const spellings = {
  camel:
    "preToolUse postToolUse postToolUseFailure userPromptSubmitted userPromptTransformed sessionStart sessionEnd agentStop",
  pascal: "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop",
} as const;

/** Hook files of a home folder in which one command is the hook of every event. */
function configure(scratch: Scratch, hook: HookWiring | undefined, events: string): void {
  wireHooks("copilot", scratch, hook, (command) => {
    const entry = [{ type: "command", bash: command.command, timeoutSec: hookSeconds(command) }];
    const hooks = Object.fromEntries(hookedEvents(events.split(" "), command).map((event) => [event, entry]));
    scratch.write("home/.copilot/hooks/hookwarden.json", JSON.stringify({ version: 1, hooks }));
  });
}

/** Everything that the host may know of this machine: the system's tools, the scratch folder and the scripted model. */
function environment(scratch: Scratch, model: string): Record<string, string> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: scratch.home,
    TMPDIR: join(scratch.root, "tmp"),
    LANG: "C.UTF-8",
    COPILOT_HOME: join(scratch.home, ".copilot"),
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_API_KEY: "not-a-key",
    COPILOT_MODEL: "scripted",
  };
}

/** The native program of the platform's own package, which the start file would look for. */
function program(host: InstalledHost): string {
  return join(host.script, "..", "..", `copilot-${process.platform}-${process.arch}`, "copilot");
}

function copilotHost(spelling: keyof typeof spellings): OneShotHost {
  return {
    row: "copilot",
    hook: "copilot",
    exitTwoSays: "hook exited with code 2",
    versions: [{ name: "copilot", version: "1.0.102", package: "@github/copilot", start: "npm-loader.js" }],
    async run(host, scratch, turns, hook, { prompt = usualPrompt, variables = {}, patience } = {}) {
      const api = openaiChat(({ name, args }) =>
        name === "bash"
          ? { name: "bash", args: { command: args["command"], description: "a stand-in" } }
          : { name: "view", args: { path: join(scratch.project, String(args["path"])) } },
      );
      const model = await startScriptedModel(api, turns);
      configure(scratch, hook, spellings[spelling]);
      const command = [program(host), "-p", prompt, "--allow-all-tools", "--allow-all-paths", "--no-color"];
      try {
        const ended = await runToEnd(
          command,
          scratch.project,
          { ...environment(scratch, model.url), ...variables },
          undefined,
          patience,
        );
        return { ...ended, requests: model.requests };
      } finally {
        await model.close();
      }
    },
  };
}

/** Copilot CLI, headless and without an account, with the scripted model as its provider; events in camel case. */
export const copilot: OneShotHost = copilotHost("camel");

/** The same with events in Pascal case, as files in Claude Code's form have them. */
export const copilotPascal: OneShotHost = copilotHost("pascal");
