import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import type { HostInstaller } from "./wiring.ts";

/** Events that may refuse; the host is told to refuse where the hook fails. */
const deciding =
  "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead beforeSubmitPrompt".split(" ");

/** Only documented names: an unknown one voids the whole file. */
const events = [
  ...deciding,
  ..."postToolUse postToolUseFailure sessionStart sessionEnd stop subagentStart subagentStop preCompact afterAgentResponse".split(
    " ",
  ),
];

/** Cursor. Source: hosts page others, section 2. */
export const cursor: HostInstaller = {
  name: "cursor",
  row: "cursor",
  files: ({ scope, home, project, platform, program, by }) => [
    hookFile({
      path: join(scope === "user" ? home : project, ".cursor/hooks.json"),
      host: "cursor",
      platform,
      events,
      entry: (event) => ({
        command: hookLine("cursor", program, by, platform),
        timeout: 30,
        ...(deciding.includes(event) && { failClosed: true }),
      }),
      head: { version: 1 },
    }),
  ],
  steps: ({ scope }) => [
    ...(scope === "project" ? ["Cursor runs hooks of a project only in a workspace that you have trusted"] : []),
    "Cursor reads Claude Code's settings too: where both are wired a call is judged once, and both answer alike",
    "Cursor's first hook of a call cannot ask: an `ask` is a refusal with a key for `hookwarden approve --once`",
    "Cursor is tested here on the payloads of its documents alone",
  ],
};
