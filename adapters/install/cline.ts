import { join } from "node:path";
import { callLine, clientOf } from "./command.ts";
import { ownFile } from "./own-file.ts";
import type { HostInstaller } from "./wiring.ts";

const events =
  "PreToolUse PostToolUse UserPromptSubmit TaskStart TaskResume TaskCancel TaskComplete SessionShutdown".split(" ");

/** Second line of every file of ours. */
const mark = "# hookwarden: written by `hookwarden install cline`, taken away by `hookwarden uninstall cline`.";

/** The reply that Cline reads as a refusal. It ignores exit codes, so this text is the only way to refuse when Node cannot start. */
const refusal = JSON.stringify({
  cancel: true,
  errorMessage: "Blocked by hookwarden: its program cannot be started; ask the human to run `hookwarden doctor cline`",
});

/** Cline, wired with one program file per event. Source: hosts page others, section 2. */
export const cline: HostInstaller = {
  name: "cline",
  row: "cline",
  files: (place) => {
    const { scope, home, project, platform, program } = place;
    if (platform === "win32")
      return {
        message: "Cline's hook files cannot be written on Windows",
        at: 0,
        help: "put MCP servers behind `hookwarden install mcp`, or use Cline where there is a POSIX shell",
      };
    const folder = scope === "user" ? join(home, ".cline/hooks") : join(project, ".clinerules/hooks");
    return events.map((event) =>
      ownFile({
        path: join(folder, event),
        text: `#!/bin/sh${place.privileged === false ? "" : " -p"}\n${mark}\n${callLine("cline", event, place)} || printf '%s\\n' '${refusal}'\n`,
        mark,
        mode: 0o755,
        targets: [program.node, program.launcher, program.daemon?.shell ?? clientOf(program)],
        event,
      }),
    );
  },
  steps: ({ scope }) => [
    "switch hooks on in Cline's settings: until then none runs",
    ...(scope === "project" ? ["Cline reads `.clinerules/hooks` of the workspace that is open"] : []),
    "Cline is tested here on the payloads of its source alone",
  ],
};
