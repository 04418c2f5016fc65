import { join } from "node:path";
import { geminiStream } from "./model/gemini-stream.ts";
import { startScriptedModel } from "./model/server.ts";
import { type HookWiring, hookedEvents, hookSeconds, type OneShotHost, usualPrompt, wireHooks } from "./one-shot.ts";
import { runToEnd } from "./process.ts";
import type { Scratch } from "./scratch.ts";

const events = "BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel SessionStart SessionEnd".split(" ");

/** The settings of a home folder in which one command is the hook of every event. Time-outs are milliseconds here. */
function configure(scratch: Scratch, hook: HookWiring | undefined): void {
  const settings = {
    general: { disableAutoUpdate: true, enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  };
  const write = (hooks: object): string =>
    scratch.write("home/.gemini/settings.json", JSON.stringify({ ...settings, hooks }));
  write({});
  wireHooks("gemini", scratch, hook, (command) => {
    const group = [{ hooks: [{ type: "command", command: command.command, timeout: hookSeconds(command) * 1_000 }] }];
    write(Object.fromEntries(hookedEvents(events, command).map((event) => [event, group])));
  });
}

/** Gemini CLI, headless, with the scripted model in place of Google's. */
export const geminiHost: OneShotHost = {
  row: "gemini-cli",
  hook: "gemini",
  versions: [{ name: "gemini", version: "0.61.0", package: "@google/gemini-cli", start: "bundle/gemini.js" }],
  async run(host, scratch, turns, hook, { prompt = usualPrompt, variables = {}, patience } = {}) {
    const model = await startScriptedModel(geminiStream, turns);
    configure(scratch, hook);
    const fixed = ["--prompt", prompt, "--model", "gemini-2.5-flash", "--approval-mode", "yolo"];
    const environment = {
      PATH: "/usr/bin:/bin",
      HOME: scratch.home,
      TMPDIR: join(scratch.root, "tmp"),
      LANG: "C.UTF-8",
      GEMINI_API_KEY: "not-a-key",
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_CLI_NO_RELAUNCH: "true",
      ...variables,
    };
    try {
      const ended = await runToEnd(
        [host.node, host.script, ...fixed],
        scratch.project,
        environment,
        undefined,
        patience,
      );
      return { ...ended, requests: model.requests };
    } finally {
      await model.close();
    }
  },
};
