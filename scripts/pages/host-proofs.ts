import type { EventName } from "../../schema/events.ts";
import type { HostAction } from "../../schema/hosts/row.ts";
import { enforceable, type HostName, hostEvent, hosts } from "../../schema/hosts.ts";

/** A test: its file, and words that name the case in it. */
export interface Proof {
  readonly file: string;
  readonly words: string;
}

/** What a human asks of a host, by the event and action of the table. */
export const capabilities = {
  "block a call": ["tool_call", "block"],
  "ask a human": ["tool_call", "ask"],
  "change arguments": ["tool_call", "redact"],
  "redact a result": ["tool_result", "redact"],
  "refuse a prompt": ["input", "block"],
  "keep a turn going": ["stop", "block"],
} as const satisfies Record<string, readonly [EventName, HostAction]>;

/** Name of such a capability. */
export type CapabilityName = keyof typeof capabilities;

const blocks = "the forbidden call does not run";
const rewrites = "a rewritten call runs as rewritten";
const hides = "the secret is in no model request";

function each(file: string, cases: Partial<Record<CapabilityName, string>>): Partial<Record<CapabilityName, Proof>> {
  return Object.fromEntries(Object.entries(cases).map(([name, words]) => [name, { file, words }]));
}

const oneShot = each("test/hosts/one-shot.ts", {
  "block a call": blocks,
  "ask a human": "ask without a human does not run",
  "change arguments": rewrites,
  "redact a result": hides,
  "refuse a prompt": "a refused prompt reaches no model",
});
const framework = each("test/hosts/frameworks.ts", {
  "block a call": blocks,
  "ask a human": "a call that nobody approves does not run",
  "change arguments": rewrites,
  "redact a result": "the secret reaches nobody",
});

/** Cases that run the real host. */
export const runs: Readonly<Partial<Record<HostName, Partial<Record<CapabilityName, Proof>>>>> = {
  pi: each("test/hosts/pi.ts", {
    "block a call": blocks,
    "ask a human": "an approved call runs",
    "redact a result": "the secret is in no model request",
  }),
  omp: each("test/hosts/omp.ts", {
    "block a call": blocks,
    "change arguments": "a rewritten call runs",
    "redact a result": hides,
  }),
  "claude-code": oneShot,
  codex: oneShot,
  "gemini-cli": oneShot,
  copilot: oneShot,
  opencode: each("test/hosts/opencode.ts", {
    "block a call": blocks,
    "ask a human": "ask without a human does not run",
    "change arguments": rewrites,
    "redact a result": hides,
  }),
  "ai-sdk": framework,
  "openai-agents": framework,
  langchain: framework,
  mastra: framework,
};

/** Tests on payloads in the shape that documents or runs recorded, and words that name their cases. */
export const recorded: Readonly<Partial<Record<HostName, Proof>>> = {
  pi: { file: "test/adapters/pi/guard.test.ts", words: "describe(" },
  omp: { file: "test/adapters/omp/guard.test.ts", words: "describe(" },
  "omp-hookapi": { file: "test/adapters/hooks/gate-events.test.ts", words: "describe(" },
  opta: { file: "test/adapters/opta/guard.test.ts", words: "describe(" },
  gastown: { file: "test/adapters/gastown/hooks.test.ts", words: "describe(" },
  "claude-code": { file: "test/adapters/one-shot/claude-code.test.ts", words: "describe(" },
  codex: { file: "test/adapters/one-shot/codex.test.ts", words: "describe(" },
  "gemini-cli": { file: "test/adapters/one-shot/gemini.test.ts", words: "describe(" },
  copilot: { file: "test/adapters/one-shot/copilot.test.ts", words: "describe(" },
  vscode: { file: "test/adapters/one-shot/vscode.test.ts", words: "describe(" },
  cursor: { file: "test/adapters/one-shot/cursor.test.ts", words: "describe(" },
  windsurf: { file: "test/adapters/one-shot/windsurf.test.ts", words: "describe(" },
  cline: { file: "test/adapters/one-shot/cline.test.ts", words: "describe(" },
  goose: { file: "test/adapters/one-shot/goose.test.ts", words: "describe(" },
  opencode: { file: "test/adapters/opencode/guard.test.ts", words: "describe(" },
  mcp: { file: "test/adapters/mcp/calls.test.ts", words: "describe(" },
  "ai-sdk": { file: "test/adapters/frameworks/tools.test.ts", words: "describe(" },
  "openai-agents": { file: "test/adapters/frameworks/tools.test.ts", words: "describe(" },
  langchain: { file: "test/adapters/frameworks/tools.test.ts", words: "describe(" },
  mastra: { file: "test/adapters/frameworks/tools.test.ts", words: "describe(" },
};

/** How well it is known that a host honours a capability. */
export type Known =
  | { readonly level: "not possible"; readonly why: string }
  | { readonly level: "run" | "recorded payload"; readonly proof: Proof }
  | { readonly level: "documents" };

/** The evidence for one host and capability: a run, else a recorded payload, else its documents alone. */
export function knownOf(host: HostName, name: CapabilityName): Known {
  const [event, action] = capabilities[name];
  const answer = enforceable(host, event, action);
  if (answer.level === "none") {
    const delivered = hostEvent(host, event) !== undefined;
    return { level: "not possible", why: delivered ? `${hosts[host].title} has no way to` : "not delivered" };
  }
  const run = runs[host]?.[name];
  if (run) return { level: "run", proof: run };
  if (answer.level === "weaker" && answer.form === "unproven") return { level: "documents" };
  const proof = recorded[host];
  return proof ? { level: "recorded payload", proof } : { level: "documents" };
}
