import type { Changes, Decision, EventEnvironment, EventSession, Message, WireEvent } from "../../schema/generated.ts";
import type {
  PiBeforeAgentStartEvent,
  PiBeforeAgentStartReply,
  PiContextEvent,
  PiContextReply,
  PiCustomMessage,
  PiEventName,
  PiEvents,
  PiMessage,
  PiToolCallEvent,
  PiToolCallReply,
  PiToolResultEvent,
  PiToolResultReply,
  PiUserBashEvent,
  PiUserBashReply,
} from "./api.ts";
import { denialText, withheldText } from "./denial.ts";
import { fromWireContent, fromWireMessages, toWireContent, toWireMessages } from "./messages.ts";
import { withheldMessage } from "./withheld.ts";

/**
 * Translation between pi's events and the event schema, as pure functions (events page; hosts page pi-and-omp section 2). A
 * reply is undefined if the decision does not change the event.
 */

/** Fields of every wire event besides pi's payload. `time` is RFC 3339. */
export interface Frame {
  readonly id: string;
  readonly time: string;
  readonly host: string;
  readonly environment: EventEnvironment;
  readonly session: EventSession;
}

function toolCall(event: PiToolCallEvent, frame: Frame): WireEvent {
  return { event: "tool_call", ...frame, tool: event.toolName, call_id: event.toolCallId, args: event.input };
}

function toolResult(event: PiToolResultEvent, frame: Frame): WireEvent {
  const structured = event.structuredContent === undefined ? {} : { structured: event.structuredContent };
  const details = event.details === undefined ? {} : { details: event.details };
  const result = { content: toWireContent(event.content ?? []), ...details, ...structured, is_error: event.isError };
  return {
    event: "tool_result",
    ...frame,
    tool: event.toolName,
    call_id: event.toolCallId,
    args: event.input,
    result,
  };
}

function context(event: PiContextEvent, frame: Frame): WireEvent {
  return contextOf(toWireMessages(event.messages), frame);
}

/** Makes the `context` event of a conversation that is already in wire form. */
export function contextOf(messages: readonly Message[], frame: Frame): WireEvent {
  return { event: "context", ...frame, messages: messages as Message[] };
}

function beforeAgentStart(event: PiBeforeAgentStartEvent, frame: Frame): WireEvent {
  return {
    event: "before_agent_start",
    ...frame,
    prompt: event.prompt ?? "",
    ...(event.images === undefined ? {} : { images: event.images }),
    ...(event.systemPrompt === undefined ? {} : { system_prompt: event.systemPrompt }),
  };
}

function userBash(event: PiUserBashEvent, frame: Frame): WireEvent {
  return {
    event: "user_bash",
    ...frame,
    environment: { ...frame.environment, cwd: event.cwd },
    command: event.command,
    exclude_from_context: event.excludeFromContext === true,
    cwd: event.cwd,
  };
}

type Translation = { readonly [Name in PiEventName]: (event: PiEvents[Name]["event"], frame: Frame) => WireEvent };

/** Translators of pi's events into wire events. A new event needs one row here, one in `PiEvents` and one reply below. */
export const toWire: Translation = {
  tool_call: toolCall,
  tool_result: toolResult,
  context,
  before_agent_start: beforeAgentStart,
  user_bash: userBash,
};

/** Makes pi's answer that blocks a tool call. */
export function blocked(reason: string): PiToolCallReply {
  return { block: true, reason };
}

/** Makes pi's result of a user command that did not run. Semantics section 1: exit code 1, cancelled. */
export function refusedCommand(reason: string): PiUserBashReply {
  return { result: { output: reason, exitCode: 1, cancelled: true, truncated: false } };
}

/** Makes a result without any of the tool's data. Details and structured content must be set, or pi keeps the raw ones. */
export function withheldResult(event: PiToolResultEvent, why: string): PiToolResultReply {
  return {
    content: [{ type: "text", text: withheldText(why) }],
    details: { withheld: why },
    ...(event.structuredContent === undefined ? {} : { structuredContent: { withheld: why } }),
  };
}

/** Withholds every message but keeps roles and call ids. The last one says `why`, those before it say `short`. */
export function withheldContext(event: PiContextEvent, why: string, short = why): PiContextReply {
  const last = event.messages.length - 1;
  return {
    messages: event.messages.map((message, i) => withheldMessage(message, withheldText(i === last ? why : short))),
  };
}

/** Returns the message that a decision injects, as pi's custom message; undefined if there is none. */
export function injected(changes: Changes): PiCustomMessage | undefined {
  const message = changes.message;
  if (message === undefined) return undefined;
  return {
    customType: message.custom_type,
    content: message.content,
    display: message.display,
    ...(message.details === undefined ? {} : { details: message.details }),
  };
}

/** Returns the reason of a block, with the text that rules inject. */
export function refusal(decision: Decision): string {
  const extra = injected(decision.changes);
  return extra ? `${denialText(decision)}\n\n${extra.content}` : denialText(decision);
}

/** Makes the reply to a `tool_result` decision. A block without replacement withholds everything. */
export function toolResultReply(event: PiToolResultEvent, decision: Decision): PiToolResultReply | undefined {
  const { changes } = decision;
  const base = decision.outcome === "allow" ? {} : withheldResult(event, denialText(decision));
  const reply: PiToolResultReply = { ...base, ...changedResult(event, changes) };
  const extra = injected(changes);
  if (extra) reply.content = [...(reply.content ?? event.content), { type: "text", text: extra.content }];
  // On pi 1.x new content alone would drop the structured content.
  if (reply.content && reply.structuredContent === undefined && event.structuredContent !== undefined) {
    reply.structuredContent = event.structuredContent;
  }
  return Object.keys(reply).length === 0 ? undefined : reply;
}

function changedResult(event: PiToolResultEvent, changes: Changes): PiToolResultReply {
  return {
    ...(changes.content === undefined ? {} : { content: fromWireContent(changes.content, event.content ?? []) }),
    // pi falls back to the raw details for null.
    ...(Object.hasOwn(changes, "details") ? { details: changes.details ?? {} } : {}),
    ...(Object.hasOwn(changes, "structured") && event.structuredContent !== undefined
      ? { structuredContent: changes.structured ?? {} }
      : {}),
    ...(changes.is_error === undefined ? {} : { isError: changes.is_error }),
  };
}

/**
 * Makes the reply to a `context` decision. `now` is the timestamp of injected messages; `sent` is the conversation as it was
 * judged. A block without replacement withholds every message. So does a guard without a plan; the last message then says in
 * full what to do about it.
 */
export function contextReply(
  event: PiContextEvent,
  decision: Decision,
  now: number,
  sent?: readonly Message[],
): PiContextReply | undefined {
  const { changes } = decision;
  if (decision.answered === "error" && decision.policy_digest === "") {
    return withheldContext(event, decision.reason ?? denialText(decision), "there is no usable policy");
  }
  const extra = injected(changes);
  if (changes.messages === undefined && decision.outcome === "allow" && extra === undefined) return undefined;
  const messages = contextMessages(event, decision, now, sent);
  return { messages: extra ? [...messages, { role: "custom", ...extra, timestamp: now }] : messages };
}

function contextMessages(
  event: PiContextEvent,
  decision: Decision,
  now: number,
  sent?: readonly Message[],
): PiMessage[] {
  const { messages } = decision.changes;
  if (messages !== undefined) return fromWireMessages(messages, event.messages, now, sent);
  return decision.outcome === "allow" ? event.messages : withheldContext(event, denialText(decision)).messages;
}

/**
 * Makes the reply to a `before_agent_start` decision; undefined if it injects nothing. `parts` is true if the host has its
 * system prompt in parts.
 */
export function beforeAgentStartReply(decision: Decision, parts = false): PiBeforeAgentStartReply | undefined {
  const message = injected(decision.changes);
  const prompt = decision.changes.system_prompt;
  const reply: PiBeforeAgentStartReply = {
    ...(message === undefined ? {} : { message }),
    ...(prompt === undefined ? {} : { systemPrompt: parts ? [prompt].flat() : [prompt].flat().join("\n\n") }),
  };
  return Object.keys(reply).length === 0 ? undefined : reply;
}
