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
      { note: "any non-zero exit cancels; a program that cannot be started does not" },
    ),
    tool_result: on("tool.post", {}, { fails: { crash: "open" }, note: "sees the first 2048 characters" }),
    session_start: on("session.start", {}, { fails: { crash: "open" } }),
    agent_end: on("session.end", {}, { note: "the end of the agent's loop, not of the process" }),
    session_compact: on("compact", {}, { note: "fires after the history was compacted" }),
    error: on("error"),
  },
  tools: { bash: ["run_command"], edit: ["edit_file"], write: ["write_file"], read: ["read_file"] },
  notes: ["variables of the environment alone: no standard input, and nothing read from standard output"],
};

/** Gastown's hooks as pi-mono's fork specifies them. Sources: seed gastown-hooks-v1.1; hosts page, section 7. */
export const gastown: HostRow = {
  title: "Gastown",
  versions: ["v1.1"],
  evidence: "docs",
  kind: "command",
  ask: { by: "none", headless: "blocks" },
  fails: { crash: "open", timeout: "open", malformed: "open" },
  events: {
    tool_call: on(
      "PreToolUse",
      { block: "full", ask: "blocks", allow: "full", modify: "unproven", redact: "unproven", inject_message: "later" },
      { note: "exit 2 blocks; answers in JSON are specified and pending, and `ask` counts as allow there" },
    ),
    tool_result: on("PostToolUse", { inject_message: "later" }),
    session_start: on("SessionStart", { inject_message: "later" }),
    session_before_compact: on("PreCompact"),
    input: on("UserPromptSubmit", { inject_message: "later" }),
    stop: on("Stop"),
  },
  tools: { bash: ["Bash"] },
  notes: ["an invalid configuration disables all hooks of the session", "a missing program is skipped"],
};
