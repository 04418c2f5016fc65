/** Marks of a process that is an agent's host, or was started by one. */
export interface HostMarks {
  /** Variables that the host sets for commands that it runs, and that no terminal of a human has. */
  readonly variables?: readonly string[];
  /** Names of its program. None for an editor, in whose terminals a human types. */
  readonly programs?: readonly string[];
  /** Packages that contain its program. */
  readonly packages?: readonly string[];
}

/**
 * Marks of hosts, by the name that people know. Variables and packages of Claude Code, Gemini, OpenCode, pi and omp were read
 * in the packages that the tests install, those of Codex, Copilot and Cursor in Claude Code, which looks for them too; the rest
 * is from documents.
 */
export const hostMarks: Readonly<Record<string, HostMarks>> = {
  "claude-code": {
    variables: ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"],
    programs: ["claude"],
    packages: ["@anthropic-ai/claude-code", "@anthropic-ai/claude-agent-sdk"],
  },
  codex: {
    variables: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"],
    programs: ["codex"],
    packages: ["@openai/codex"],
  },
  gemini: { variables: ["GEMINI_CLI"], programs: ["gemini"], packages: ["@google/gemini-cli"] },
  copilot: { variables: ["COPILOT_CLI"], programs: ["copilot"], packages: ["@github/copilot"] },
  opencode: { variables: ["OPENCODE"], programs: ["opencode"], packages: ["opencode-ai"] },
  pi: {
    variables: ["PI_CODING_AGENT"],
    programs: ["pi"],
    packages: ["@mariozechner/pi-coding-agent", "@earendil-works/pi-coding-agent"],
  },
  omp: { variables: ["OMPCODE"], programs: ["omp"], packages: ["@oh-my-pi/pi-coding-agent"] },
  cursor: { variables: ["CURSOR_AGENT"], programs: ["cursor-agent"] },
  cline: { variables: ["CLINE_ACTIVE"], programs: ["cline"], packages: ["cline"] },
  goose: { variables: ["GOOSE_TERMINAL"], programs: ["goose", "goosed"] },
  qwen: { variables: ["QWEN_CODE"], programs: ["qwen"], packages: ["@qwen-code/qwen-code"] },
  aider: { programs: ["aider"] },
  amp: { variables: ["AMP_CURRENT_THREAD_ID"], programs: ["amp"], packages: ["@sourcegraph/amp", "@ampcode/cli"] },
  auggie: { variables: ["AUGMENT_AGENT"], programs: ["auggie"], packages: ["@augmentcode/auggie"] },
  crush: { programs: ["crush"], packages: ["@charmland/crush"] },
  droid: { programs: ["droid"], packages: ["droid"] },
  letta: { programs: ["letta"], packages: ["@letta-ai/letta-code"] },
  continue: { programs: ["cn"], packages: ["@continuedev/cli"] },
  kilo: { programs: ["kilo", "kilocode"], packages: ["@kilocode/cli"] },
  kiro: { programs: ["kiro-cli"] },
  antigravity: { variables: ["ANTIGRAVITY_AGENT"] },
  openclaw: { programs: ["openclaw"], packages: ["openclaw"] },
  "an agent": { variables: ["AI_AGENT"] },
};
