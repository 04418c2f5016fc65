import type { Decision } from "../../schema/generated.ts";
import { answer, specific } from "./claude-code.ts";
import { type EventReader, eventNameOf, input, plain, readClaudeForm, toolCall, toolResult } from "./claude-payload.ts";
import {
  closed,
  type Dialect,
  document,
  exitTwo,
  type HookCall,
  type HookReply,
  injectedText,
  isPayload,
  objectOf,
  type Payload,
  present,
  silent,
  textOf,
  twice,
  type Variables,
  wordsAsked,
  wordsOf,
  wordsUnasked,
  wordsUnchanged,
} from "./dialect.ts";
import { joinedText } from "./result-text.ts";

/** Returns the part of a result that the model gets, and its error. */
const modelText = (given: Payload): unknown => {
  const response = objectOf(given, "tool_response");
  const { llmContent, error } = response ?? {};
  return present({ llmContent: response ? llmContent : given["tool_response"], error });
};

const events: Readonly<Record<string, EventReader>> = {
  BeforeTool: toolCall,
  AfterTool: (given) => toolResult(modelText, objectOf(given, "tool_response")?.["error"] != null)(given),
  BeforeAgent: input,
  AfterAgent: (given) => ({
    event: "stop",
    payload: present({ active: given["stop_hook_active"] === true, last_message: textOf(given, "prompt_response") }),
  }),
  BeforeModel: modelRequest,
  SessionStart: plain("session_start", { reason: "source" }),
  SessionEnd: plain("session_shutdown", { reason: "reason" }),
  PreCompress: plain("session_before_compact", { trigger: "trigger" }),
};

/** Event names that no other host uses. */
const ownNames: ReadonlySet<string> = new Set(
  "BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection PreCompress".split(" "),
);

/** Gemini CLI (hosts page others, sections 1 and 2). Its document is flat, and it merges new arguments over the model's. */
export const gemini: Dialect = {
  host: "gemini-cli",
  budget: 10_000,
  eventFields: ["hook_event_name", "hookEventName"],
  callEvents: ["BeforeTool"],
  // An allowed call cannot carry text for the model; its result can.
  later: { from: ["tool_call"], to: ["tool_result", "input"] },
  claims: (given, variables) => ownNames.has(eventNameOf(given)) || startedBy(given, variables),
  read,
  reply,
  fault,
};

/** True if Gemini started this hook: its variable names the payload's session. A shell under another agent may inherit the variable. */
function startedBy(given: Payload, variables: Variables): boolean {
  const session = variables["GEMINI_SESSION_ID"];
  return session !== undefined && session !== "" && session === textOf(given, "session_id");
}

function read(given: Payload): ReturnType<Dialect["read"]> {
  const call = readClaudeForm(given, events, true);
  if (call === "ignored" || "unreadable" in call) return call;
  const tool = call.payload["tool"];
  const named = typeof tool === "string" ? { ...call, payload: { ...call.payload, ...mcpTool(tool, given) } } : call;
  const { text } = call.payload;
  return call.event === "input"
    ? { ...named, also: { event: "before_agent_start", payload: { prompt: text } } }
    : named;
}

/**
 * Converts `mcp_<server>_<tool>` to the name that policies use. Where the host does not name the server, its name ends at the
 * first underscore: the host asks that names of servers have none.
 */
function mcpTool(tool: string, given: Payload): Payload {
  const context = objectOf(given, "mcp_context");
  const server = context && textOf(context, "server_name");
  if (context === undefined || server === undefined) {
    const [, first, rest] = /^mcp_([^_]+)_(.+)$/s.exec(tool) ?? [];
    return first === undefined || rest === undefined ? {} : { tool: `mcp__${first}__${rest}` };
  }
  const start = `mcp_${server}_`;
  const name = textOf(context, "tool_name") ?? (tool.startsWith(start) ? tool.slice(start.length) : tool);
  return { tool: `mcp__${server}__${name}` };
}

/** Reads the texts of a request to the model; the host gives hooks no other parts. */
function modelRequest(given: Payload): ReturnType<EventReader> {
  const messages = objectOf(given, "llm_request")?.["messages"];
  if (!Array.isArray(messages)) return undefined;
  const wire = messages.map((message: unknown, ref) => {
    const { role, content } = isPayload(message) ? message : {};
    const text = typeof content === "string" ? content : JSON.stringify(content ?? "");
    const known = role === "model" ? "assistant" : role === "user" ? "user" : "custom";
    return { role: known, content: [{ type: "text", text }], ref };
  });
  return { event: "context", payload: { messages: wire } };
}

function reply(call: HookCall, decision: Decision): HookReply {
  switch (call.event) {
    case "tool_call":
      return said(decision, callFields(call, decision));
    case "tool_result":
      return answer(decision, resultFields(call.name, decision));
    case "input":
      return said(decision, promptFields(call.name, decision));
    case "context":
      return request(call, decision);
    case "stop":
      return answer(decision, decision.outcome === "allow" ? {} : denied(wordsOf(decision)));
    case "session_start":
      return answer(decision, specific(call.name, { additionalContext: injectedText(decision) }));
    default:
      return answer(decision);
  }
}

/** Makes a document, with exit code 2 if it refuses. */
function said(decision: Decision, fields: Payload): HookReply {
  return twice(answer(decision, fields), fields);
}

function denied(reason: string): Payload {
  return { decision: "deny", reason };
}

function callFields(call: HookCall, decision: Decision): Payload {
  if (decision.outcome === "block") return denied(wordsOf(decision));
  const { args } = decision.changes;
  const before = call.payload["args"] as Payload;
  // The host merges new arguments over the model's, so none can be removed.
  if (args !== undefined && Object.keys(before).some((name) => !Object.hasOwn(args, name)))
    return denied(wordsUnchanged(decision, "this call by leaving an argument out"));
  const fields = args === undefined ? {} : specific(call.name, { tool_input: args });
  return decision.outcome === "ask" ? { decision: "ask", reason: wordsAsked(decision), ...fields } : fields;
}

function resultFields(name: string, decision: Decision): Payload {
  if (decision.outcome !== "allow") return denied(wordsOf(decision));
  const { content } = decision.changes;
  const context = specific(name, { additionalContext: injectedText(decision) });
  if (content === undefined) return context;
  const text = joinedText(content);
  return { ...denied(text.trim() === "" ? "(empty)" : text), ...context };
}

function promptFields(name: string, decision: Decision): Payload {
  if (decision.outcome === "ask") return denied(wordsUnasked(decision));
  if (decision.outcome === "block") return denied(wordsOf(decision));
  const { text, prompt } = decision.changes;
  if (text !== undefined || prompt !== undefined) return denied(wordsUnchanged(decision, "this prompt"));
  return specific(name, { additionalContext: injectedText(decision) });
}

/**
 * Replies to a model request. The host matches new messages to old ones by index, and passes an old one raw if its new one
 * is missing. So the number of messages stays the same, and a message that a rule drops keeps its place without its text.
 */
function request(call: HookCall, decision: Decision): HookReply {
  if (decision.outcome !== "allow") return said(decision, denied(wordsOf(decision)));
  const context = injectedText(decision);
  const { messages: changed } = decision.changes;
  const given = objectOf(call.given, "llm_request") ?? {};
  const before = given["messages"] as readonly Payload[];
  if ((changed === undefined && context === undefined) || before.length === 0) return answer(decision);
  const texts = before.map((message) => message["content"]);
  if (changed !== undefined) {
    const kept = new Map(changed.map((message) => [(message as Payload)["ref"], message as Payload] as const));
    for (const i of before.keys()) texts[i] = textOfMessage(kept.get(i));
  }
  if (context !== undefined) texts.push(`${String(texts.pop() ?? "")}\n\n${context}`);
  const messages = before.map((message, i) => ({ ...message, content: texts[i] }));
  return answer(decision, specific(call.name, { llm_request: { ...given, messages } }));
}

function textOfMessage(message: Payload | undefined): string {
  const content = message?.["content"];
  const text = typeof content === "string" ? content : Array.isArray(content) ? joinedText(content) : "";
  return text === "" ? "(left out by a policy)" : text;
}

function fault(name: string, reason: string, given: Payload = {}): HookReply {
  switch (name || eventNameOf(given)) {
    case "BeforeTool":
    case "AfterTool":
    case "BeforeAgent":
    case "BeforeModel":
      return closed(denied(reason), reason);
    case "":
      return exitTwo(reason);
    case "AfterAgent":
      return silent;
    default:
      return document({ systemMessage: reason });
  }
}
