import { join } from "node:path";
import { openaiResponses } from "./model/openai-responses.ts";
import { startScriptedModel } from "./model/server.ts";
import { type HookWiring, hookedEvents, hookSeconds, type OneShotHost, usualPrompt, wireHooks } from "./one-shot.ts";
import { runToEnd } from "./process.ts";
import type { Scratch } from "./scratch.ts";

const events = "PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop".split(" ");

/** The host's own folder: the scripted model as its only provider, and one command as the hook of every event. */
function configure(scratch: Scratch, model: string, hook: HookWiring | undefined): void {
  const lines = [
    'model = "scripted"',
    'model_provider = "scripted"',
    'web_search = "disabled"',
    "check_for_update_on_startup = false",
    "[analytics]",
    "enabled = false",
    "[model_providers.scripted]",
    'name = "scripted"',
    `base_url = ${JSON.stringify(`${model}/v1`)}`,
    'wire_api = "responses"',
    "requires_openai_auth = false",
    "request_max_retries = 0",
    "stream_max_retries = 0",
    "",
  ];
  scratch.write("home/.codex/config.toml", lines.join("\n"));
  wireHooks("codex", scratch, hook, (command) => {
    const group = [{ hooks: [{ type: "command", command: command.command, timeout: hookSeconds(command) }] }];
    const hooks = Object.fromEntries(hookedEvents(events, command).map((event) => [event, group]));
    scratch.write("home/.codex/hooks.json", JSON.stringify({ hooks }));
  });
}

/** Codex CLI, headless, with the scripted model in place of OpenAI's. */
export const codexHost: OneShotHost = {
  row: "codex",
  hook: "codex",
  versions: [{ name: "codex", version: "0.169.0", package: "@openai/codex", start: "bin/codex.js" }],
  async run(host, scratch, turns, hook, { prompt = usualPrompt, variables = {}, patience } = {}) {
    const model = await startScriptedModel(openaiResponses, turns);
    configure(scratch, model.url, hook);
    // Hooks that no human has reviewed are skipped without a word, and nobody can review here.
    const flags = ["--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"];
    const command = [host.node, host.script, "exec", "--skip-git-repo-check", ...flags, prompt];
    const environment = {
      PATH: "/usr/bin:/bin",
      HOME: scratch.home,
      CODEX_HOME: join(scratch.home, ".codex"),
      TMPDIR: join(scratch.root, "tmp"),
      LANG: "C.UTF-8",
      ...variables,
    };
    try {
      const ended = await runToEnd(command, scratch.project, environment, undefined, patience);
      return { ...ended, requests: model.requests };
    } finally {
      await model.close();
    }
  },
};
