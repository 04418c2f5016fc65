import type { PiContext, PiMessage, PiToolCallEvent, PiToolResultEvent } from "../../../adapters/pi/api.ts";
import type { Judge } from "../../../adapters/pi/guard.ts";
import type { Frame } from "../../../adapters/pi/translate.ts";
import type { Changes, Decision, WireEvent } from "../../../schema/generated.ts";

/** Event payloads as pi 0.73.1 and 0.87.1 passed them to an extension in headless runs. */

const usage = {
  input: 10,
  output: 5,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 15,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** Assistant message with one call; 0.87.1 adds `rawStopReason` and `usage.reasoning`. */
const assistant = (newer: boolean): PiMessage => ({
  role: "assistant",
  content: [{ type: "toolCall", id: "call_2_0", name: "read", arguments: { path: "notes.txt" } }],
  api: "openai-completions",
  provider: "scripted",
  model: "scripted",
  usage: newer ? { ...usage, reasoning: 0 } : usage,
  stopReason: "toolUse",
  timestamp: 1795303354828,
  responseId: "chatcmpl-1",
  ...(newer ? { rawStopReason: "tool_calls" } : {}),
});

const history = (newer: boolean): PiMessage[] => [
  { role: "user", content: [{ type: "text", text: "Please do the scripted work." }], timestamp: 1795303353823 },
  assistant(newer),
  {
    role: "toolResult",
    toolCallId: "call_2_0",
    toolName: "read",
    content: [{ type: "text", text: "first line\nAPI_KEY=abc\nlast line\n" }],
    isError: false,
    timestamp: 1795303353973,
  },
];

export const contexts: readonly { readonly version: string; readonly messages: PiMessage[] }[] = [
  { version: "0.73.1", messages: history(false) },
  { version: "0.87.1", messages: history(true) },
];

/** One message of every role that a long session holds. */
export const everyRole: readonly PiMessage[] = [
  { role: "user", content: "plain text", timestamp: 1 },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "let me think", thinkingSignature: "c2lnbmVk" },
      { type: "text", text: "I will look", textSignature: "msg_1" },
      { type: "toolCall", id: "c1", name: "bash", arguments: { command: "echo a" }, thoughtSignature: "dA==" },
    ],
    api: "anthropic-messages",
    provider: "p",
    model: "m",
    usage,
    stopReason: "toolUse",
    timestamp: 2,
  },
  {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "bash",
    content: [
      { type: "text", text: "a" },
      { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
    ],
    details: { truncation: { truncated: false }, fullOutputPath: "/tmp/x" },
    isError: false,
    timestamp: 3,
  },
  { role: "custom", customType: "note", content: "a note", display: true, details: { a: 1 }, timestamp: 4 },
  {
    role: "bashExecution",
    command: "echo b",
    output: "b",
    exitCode: 0,
    cancelled: false,
    truncated: false,
    excludeFromContext: true,
    timestamp: 5,
  },
  { role: "compactionSummary", summary: "what came before", tokensBefore: 100, timestamp: 6 },
  { role: "branchSummary", summary: "a branch", fromId: "e1", timestamp: 7 },
  { role: "fromAnotherExtension", payload: "text", timestamp: 8 },
];

export const toolCallEvent = (command = "echo hello"): PiToolCallEvent => ({
  type: "tool_call",
  toolName: "bash",
  toolCallId: "call_1_0",
  input: { command },
});

export const toolResultEvent = (more: Partial<PiToolResultEvent> = {}): PiToolResultEvent => ({
  type: "tool_result",
  toolName: "bash",
  toolCallId: "call_1_0",
  input: { command: "echo hello" },
  content: [{ type: "text", text: "raw text" }],
  details: { raw: "details" },
  isError: false,
  ...more,
});

export const frame: Frame = {
  id: "e1",
  time: "2026-11-21T20:00:00.000Z",
  host: "pi",
  environment: { cwd: "/work" },
  session: { id: "s1" },
};

/** A decision that leaves everything as it is, with what a test wants different. */
export const decision = (more: Partial<Decision> = {}): Decision => ({
  id: "e1",
  outcome: "allow",
  answered: "none",
  matched: [],
  would: [],
  changes: {},
  errors: [],
  policy_digest: "sha256:0",
  ...more,
});

export const changed = (changes: Changes): Decision => decision({ changes });

export const blockedDecision: Decision = decision({
  outcome: "block",
  answered: "rule",
  rule: "p/no",
  reason: "it is forbidden",
  guidance: "Do something else.",
  matched: [{ rule: "p/no", outcome: "block" }],
});

/** A judge that answers every event by a function and keeps what it was asked. */
export function judgeOf(answer: (event: WireEvent) => Decision): Judge & { readonly asked: WireEvent[] } {
  const asked: WireEvent[] = [];
  return {
    active: true,
    plan: undefined,
    asked,
    decide(event) {
      asked.push(structuredClone(event) as WireEvent);
      return { decision: answer(event as WireEvent) };
    },
  };
}

/** A headless context, and what it was told. */
export function contextWith(more: Partial<PiContext> = {}): PiContext & { readonly said: string[] } {
  const said: string[] = [];
  const ui = {
    confirm: () => Promise.resolve(false),
    notify: (message: string) => void said.push(message),
  };
  return { cwd: "/work", hasUI: false, ui, sessionManager: { getSessionId: () => "s1" }, said, ...more };
}
