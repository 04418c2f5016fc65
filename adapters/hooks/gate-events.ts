import type { Decision, WireEvent } from "../../schema/generated.ts";
import { denialText } from "../pi/denial.ts";
import { fromWireContent, fromWireMessages, toWireContent, toWireMessages } from "../pi/messages.ts";
import { type Frame, injected, refusedCommand } from "../pi/translate.ts";
import type { AgentMessage, ContentPart, HookMessage, ImageContent } from "./messages.ts";
import type {
  GatedSessionEvent,
  InputVerdict,
  ObserveVerdict,
  PolicyGate,
  SessionVerdict,
  StopVerdict,
  UserCommandVerdict,
} from "./policy-gate.ts";
import { handlerKey } from "./profiles.ts";
import type { ResourcesDiscoverResult, SessionCompactingResult } from "./results.ts";

/** What the translation needs of an engine and its session. */
export interface EventJudge {
  decide(event: WireEvent): Decision;
  frame(): Frame;
  /** Why the human's answer refuses the event, or undefined when it was approved. Absent: nobody can be asked. */
  ask?(event: WireEvent, decision: Decision): Promise<string | undefined>;
}

/** The methods of a gate for the events beside tools, context and the start of a run. */
export type EventMethods = Required<
  Pick<
    PolicyGate,
    | "input"
    | "userPython"
    | "sessionBefore"
    | "stop"
    | "sessionCompacting"
    | "resourcesDiscover"
    | "observe"
    | "toolUpdate"
  >
>;

/**
 * The events of the hook runtime that pi's guard does not have, judged by an engine: `{ ...gate, ...gateEvents(judge) }`.
 * A method that throws yields the closed outcome of its event in the runner. Source: semantics page, sections 1 and 4.
 */
export function gateEvents(judge: EventJudge): EventMethods {
  return {
    input: (event) => judgedInput(judge, event),
    userPython: (event) => judgedPython(judge, event),
    sessionBefore: (event) => judgedSession(judge, event),
    stop: (event) => judgedStop(judge, event),
    sessionCompacting: (event) => judgedCompacting(judge, event),
    resourcesDiscover: (event) => judgedResources(judge, event),
    observe: (event) => observed(judge, event),
    toolUpdate: (event) => judgedUpdate(judge, event),
  };
}

/** Why a deciding event is refused: its rule, or the human's answer; undefined when it may go on. */
async function refused(judge: EventJudge, wire: WireEvent, decision: Decision): Promise<string | undefined> {
  if (decision.outcome === "allow") return undefined;
  if (decision.outcome === "block" || judge.ask === undefined) return denialText(decision);
  return judge.ask(wire, decision);
}

async function judgedInput(
  judge: EventJudge,
  event: Parameters<EventMethods["input"]>[0],
): Promise<InputVerdict | undefined> {
  const { type: name, text, source } = event;
  const images = event.images === undefined ? {} : { images: [...event.images] };
  const wire: WireEvent = { event: name, ...judge.frame(), text, source, ...images };
  const decision = judge.decide(wire);
  const reason = await refused(judge, wire, decision);
  if (reason !== undefined) return { block: true, reason };
  const { changes } = decision;
  const message = injected(changes);
  return {
    ...(changes.text === undefined ? {} : { text: changes.text }),
    ...(changes.images === undefined ? {} : { images: changes.images as ImageContent[] }),
    ...(message === undefined ? {} : { message: message as HookMessage }),
  };
}

async function judgedPython(
  judge: EventJudge,
  event: Parameters<EventMethods["userPython"]>[0],
): Promise<UserCommandVerdict | undefined> {
  const frame = judge.frame();
  const { type: name, code, cwd, excludeFromContext } = event;
  const environment = { ...frame.environment, cwd };
  const wire: WireEvent = { event: name, ...frame, environment, code, exclude_from_context: excludeFromContext, cwd };
  const decision = judge.decide(wire);
  const reason = await refused(judge, wire, decision);
  if (reason !== undefined) return refusedCommand(reason) as UserCommandVerdict;
  const changed = (decision.changes as { readonly code?: unknown }).code ?? decision.changes.command;
  return typeof changed === "string" ? { command: changed } : undefined;
}

async function judgedSession(judge: EventJudge, event: GatedSessionEvent): Promise<SessionVerdict | undefined> {
  const wire = sessionWire(judge, event);
  const reason = await refused(judge, wire, judge.decide(wire));
  return reason === undefined ? undefined : { cancel: true, reason };
}

/** A block sends the agent on; where a human is asked, a refusal does. What could not be judged lets it stop. */
async function judgedStop(judge: EventJudge, event: GatedSessionEvent): Promise<StopVerdict | undefined> {
  const wire = sessionWire(judge, event);
  const decision = judge.decide(wire);
  if (decision.answered === "error") return undefined;
  const reason = await refused(judge, wire, decision);
  return reason === undefined ? undefined : { continue: true, reason: decision.reason ?? reason };
}

/**
 * Texts that modules add to a compaction are judged as messages of it, so that redaction reaches them; a rule that
 * injects adds its text to `context`.
 */
function judgedCompacting(judge: EventJudge, event: GatedSessionEvent): SessionCompactingResult | undefined {
  const answer = (event.result ?? {}) as SessionCompactingResult;
  const texts = [...(answer.context ?? []), ...(answer.prompt === undefined ? [] : [answer.prompt])];
  const own = texts.map(
    (content): AgentMessage => ({ role: "custom", customType: "compaction", content, display: false }),
  );
  const { messages: given, result: _result, ...rest } = event;
  const messages = [...(Array.isArray(given) ? given : []), ...own] as AgentMessage[];
  const wire = { ...sessionWire(judge, { ...rest, result: undefined }), messages: toWireMessages(messages as never) };
  const decision = judge.decide(wire);
  if (decision.answered === "error") return {};
  const { changes } = decision;
  const added = injected(changes);
  if (changes.messages === undefined && added === undefined) return undefined;
  const final = fromWireMessages(changes.messages ?? wire.messages, messages as never, 0).slice(
    -own.length || messages.length,
  );
  const kept = own.length === 0 ? [] : final.map((message) => textOf(message));
  const context = kept.slice(0, answer.context?.length ?? 0);
  const prompt = answer.prompt === undefined ? {} : { prompt: kept.at(-1) ?? "" };
  return { ...answer, ...prompt, context: [...context, ...(added === undefined ? [] : [added.content])] };
}

function textOf(message: object): string {
  const { content } = message as { readonly content?: unknown };
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join("");
}

/** Paths are not rewritten by any action; the event is judged so that it is on record, and closed where it must be. */
function judgedResources(judge: EventJudge, event: GatedSessionEvent): ResourcesDiscoverResult | undefined {
  const decision = judge.decide(sessionWire(judge, event));
  return decision.outcome === "allow" && decision.answered !== "error" ? undefined : {};
}

function observed(
  judge: EventJudge,
  event: Readonly<Record<string, unknown>> & { readonly type: string },
): ObserveVerdict | undefined {
  const message = injected(judge.decide(sessionWire(judge, event)).changes);
  return message === undefined ? undefined : { message: message as HookMessage };
}

/** A partial result is judged as a result: what a rule redacts there, it redacts while it streams. */
function judgedUpdate(judge: EventJudge, event: Parameters<EventMethods["toolUpdate"]>[0]): unknown {
  const partial = (event.partialResult ?? {}) as { content?: unknown; details?: unknown };
  const content = (Array.isArray(partial.content) ? partial.content : []) as ContentPart[];
  const details = partial.details === undefined ? {} : { details: partial.details };
  const { toolName: tool, toolCallId: call_id } = event;
  const result = { content: toWireContent(content as never), ...details, is_error: false };
  const decision = judge.decide({ event: "tool_result", ...judge.frame(), tool, call_id, args: {}, result });
  if (decision.outcome !== "allow" || decision.answered === "error") return undefined;
  const { changes } = decision;
  return {
    ...partial,
    ...(changes.content === undefined ? {} : { content: fromWireContent(changes.content, content as never) }),
    ...(Object.hasOwn(changes, "details") ? { details: changes.details ?? {} } : {}),
  };
}

/** Fields that are bodies of their own in the wire event, or that are no data. */
const notPayload: ReadonlySet<string> = new Set(["type", "signal", "result"]);

/** A session or observe event: its own fields in snake case, messages in wire form. */
function sessionWire(
  judge: EventJudge,
  event: Readonly<Record<string, unknown>> & { readonly type: string },
): WireEvent {
  const fields: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(event)) {
    if (notPayload.has(key)) continue;
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const value = event[key];
    const isList = Array.isArray(value) && (key === "messages" || key === "toolResults");
    if (isList) fields[snake] = toWireMessages(value as never);
    else if (key === "message") fields[snake] = toWireMessages([value] as never)[0];
    else fields[snake] = value;
  }
  return { ...fields, event: handlerKey(event.type), ...judge.frame() };
}
