import { join } from "node:path";
import { hookLine } from "./command.ts";
import { hookFile } from "./json-hooks.ts";
import type { HostInstaller } from "./wiring.ts";

/** Events that may refuse; the host is configured to refuse if the hook fails. */
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
  files: (place) => [
    hookFile({
      path: join(place.scope === "user" ? place.home : place.project, ".cursor/hooks.json"),
      host: "cursor",
      platform: place.platform,
      events,
      entry: (event) => ({
        command: hookLine("cursor", event, place),
        timeout: 30,
        ...(deciding.includes(event) && { failClosed: true }),
      }),
      head: { version: 1 },
    }),
  ],
  steps: ({ scope }) => [
    ...(scope === "project" ? ["Cursor runs hooks of a project only in a workspace that you have trusted"] : []),
    "Cursor reads Claude Code's settings too: where both are wired a call is judged once, and both answer alike",
    "Cursor's first hook of a call cannot ask: an `ask` is a refusal; `hookwarden approve` in a terminal shows what waits",
    "Cursor is tested here on the payloads of its documents alone",
  ],
};
