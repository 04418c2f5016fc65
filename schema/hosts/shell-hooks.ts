import { type HostRow, on } from "./row.ts";

/** Opta. Sources: seed opta-hook-system; hosts page pi-and-omp, sections 6 and 7. */
export const opta: HostRow = {
  title: "Opta",
  versions: ["V3"],
  evidence: "docs",
  kind: "command",
  ask: { by: "none", headless: "blocks" },
  fails: { crash: "closed", timeout: "open", malformed: "none" },
  events: {
    tool_call: on(
      "tool.pre",
      { block: "full", ask: "blocks", allow: "full" },
      { note: "any non-zero exit cancels; a time-out does not, nor does a program that cannot be started" },
    ),
    tool_result: on("tool.post", {}, { fails: { crash: "open" }, note: "sees the first 2 KB" }),
    session_start: on("session.start", {}, { fails: { crash: "open" } }),
    agent_end: on("session.end", {}, { note: "the end of the agent's loop, not of the process" }),
    session_compact: on("compact", {}, { note: "fires after the history was compacted" }),
    error: on("error"),
  },
  tools: { bash: ["run_command"], edit: ["edit_file", "multi_edit"], write: ["write_file"], read: ["read_file"] },
  notes: [
    "variables of the environment alone: no standard input, and nothing read from standard output",
    "with `hookwarden/opta` in its loop a policy also asks, rewrites arguments and redacts results (docs/guide/opta.md)",
  ],
};

/** Gastown's hooks as `hookwarden/gastown` runs them in pi (`test/hosts/gastown.ts`). Sources: seed gastown-hooks-v1.1; hosts page, section 7. */
export const gastown: HostRow = {
  title: "Gastown",
  versions: ["v1.1"],
  evidence: "run",
  kind: "command",
  ask: { by: "none", headless: "blocks" },
  fails: { crash: "open", timeout: "open", malformed: "open" },
  events: {
    tool_call: on(
      "PreToolUse",
      { block: "full", ask: "blocks", allow: "full", modify: "merged", redact: "merged", inject_message: "later" },
      { note: "a deny in JSON and exit 2 block; a hook's `ask` counts as allow there" },
    ),
    tool_result: on("PostToolUse", { inject_message: "later" }, { note: "a deny withholds the result" }),
    session_start: on("SessionStart", { inject_message: "later" }),
    session_before_compact: on("PreCompact"),
    input: on("UserPromptSubmit", { inject_message: "later" }),
    stop: on("Stop"),
  },
  tools: { bash: ["Bash"] },
  notes: [
    "an invalid configuration disables all hooks of the session",
    "a missing program is skipped",
    "policies that run behind the hooks are judged as on `pi`",
  ],
};
