import { canonicalEvent, eventKind } from "../../schema/events.ts";
import type { Decision, WireEvent } from "../../schema/generated.ts";
import { fromHost } from "../../schema/wire-fields.ts";
import { denialText } from "../pi/denial.ts";
import { payloadOf } from "../pi/event-payload.ts";
import { fromWireContent, fromWireMessages, toWireContent, toWireMessages } from "../pi/messages.ts";
import { type Frame, injected, refusedCommand } from "../pi/translate.ts";
import type { AgentMessage, HookMessage, ImageContent } from "./messages.ts";
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

/** The engine and its session as `gateEvents` uses them. */
export interface EventJudge {
  decide(event: WireEvent): Decision;
  /** Like `decide`, but also runs the programs that rules ask for. Absent: `decide` answers, and fails closed if one is needed. */
  judge?(event: WireEvent): Promise<Decision>;
  frame(): Frame;
  /** Asks the human. Returns why the event is refused, or undefined if it was approved. Absent: nobody can be asked. */
  ask?(event: WireEvent, decision: Decision): Promise<string | undefined>;
}

/** Methods of a gate for all events except tool calls and results, context, run start and `user_bash`. */
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
 * Makes the gate methods for the events that pi's guard does not have, judged by an engine; `engineGate` joins both.
 * If a method throws, the runner gives its event the closed outcome. Source: semantics page, sections 1 and 4.
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

/** Decides an event that can wait for programs: every event except a partial result, which is shown at once. */
function judged(judge: EventJudge, wire: WireEvent): Promise<Decision> | Decision {
  return judge.judge === undefined ? judge.decide(wire) : judge.judge(wire);
}

/** Returns why an event is refused, by a rule or by the human's answer; undefined if it may go on. */
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
  const decision = await judged(judge, wire);
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
  const decision = await judged(judge, wire);
  const reason = await refused(judge, wire, decision);
  if (reason !== undefined) return refusedCommand(reason) as UserCommandVerdict;
  const changed = (decision.changes as { readonly code?: unknown }).code ?? decision.changes.command;
  return typeof changed === "string" ? { command: changed } : undefined;
}

async function judgedSession(judge: EventJudge, event: GatedSessionEvent): Promise<SessionVerdict | undefined> {
  const wire = sessionWire(judge, event);
  const reason = await refused(judge, wire, await judged(judge, wire));
  return reason === undefined ? undefined : { cancel: true, reason };
}

/** Makes the agent continue after a block or the human's refusal. It may stop if the event could not be judged. */
async function judgedStop(judge: EventJudge, event: GatedSessionEvent): Promise<StopVerdict | undefined> {
  const wire = sessionWire(judge, event);
  const decision = await judged(judge, wire);
  if (decision.answered === "error") return undefined;
  const reason = await refused(judge, wire, decision);
  return reason === undefined ? undefined : { continue: true, reason: decision.reason ?? reason };
}

/**
 * Judges the texts that modules add to a compaction together with its messages, so that redaction reaches them. A rule
 * that injects adds its text to `context`.
 */
async function judgedCompacting(
  judge: EventJudge,
  event: GatedSessionEvent,
): Promise<SessionCompactingResult | undefined> {
  const answer = (event.result ?? {}) as SessionCompactingResult;
  const texts = [...(answer.context ?? []), ...(answer.prompt === undefined ? [] : [answer.prompt])];
  const own = texts.map(
    (content): AgentMessage => ({ role: "custom", customType: "compaction", content, display: false }),
  );
  const { messages: given, ...rest } = event;
  const messages = [...(Array.isArray(given) ? given : []), ...own] as AgentMessage[];
  const wire = { ...sessionWire(judge, rest as GatedSessionEvent), messages: toWireMessages(messages as never) };
  const decision = await judged(judge, wire);
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

/** Judges `resources_discover`. No action rewrites paths: they all stay, or none does after a block or an error. */
async function judgedResources(
  judge: EventJudge,
  event: GatedSessionEvent,
): Promise<ResourcesDiscoverResult | undefined> {
  const decision = await judged(judge, sessionWire(judge, event));
  return decision.outcome === "allow" && decision.answered !== "error" ? undefined : {};
}

async function observed(
  judge: EventJudge,
  event: Readonly<Record<string, unknown>> & { readonly type: string },
): Promise<ObserveVerdict | undefined> {
  const message = injected((await judged(judge, sessionWire(judge, event))).changes);
  return message === undefined ? undefined : { message: message as HookMessage };
}

/**
 * Returns a partial result as redacted by the policy; undefined if it must not be shown. As in a final result, only content,
 * details, structured content and error state pass, since nothing else can be judged. A result of another shape is dropped.
 */
function judgedUpdate(judge: EventJudge, event: Parameters<EventMethods["toolUpdate"]>[0]): unknown {
  const partial: unknown = event.partialResult;
  if (typeof partial !== "object" || partial === null || Array.isArray(partial)) return undefined;
  const { content = [], details, structuredContent, isError } = partial as Readonly<Record<string, unknown>>;
  if (!Array.isArray(content)) return undefined;
  const { toolName: tool, toolCallId: call_id } = event;
  const result = {
    content: toWireContent(content as never),
    ...(details !== undefined && { details }),
    ...(structuredContent !== undefined && { structured: structuredContent }),
    is_error: isError === true,
  };
  const wire = { event: "tool_result", ...judge.frame(), tool, call_id, args: {}, result } as WireEvent;
  const decision = judge.decide(wire);
  if (decision.outcome !== "allow" || decision.answered === "error") return undefined;
  const { changes } = decision;
  return {
    content: changes.content === undefined ? content : fromWireContent(changes.content, content as never),
    ...(details !== undefined && { details: Object.hasOwn(changes, "details") ? (changes.details ?? {}) : details }),
    ...(structuredContent !== undefined && {
      structuredContent: Object.hasOwn(changes, "structured") ? (changes.structured ?? {}) : structuredContent,
    }),
    ...(isError !== undefined && { isError }),
  };
}

/**
 * Translates a session or observe event into a wire event, as pi's own events are. Fields that the event's table lacks are
 * left out, and so is the modules' answer. An event unknown to the table goes without its fields; the engine says so.
 */
function sessionWire(
  judge: EventJudge,
  event: Readonly<Record<string, unknown>> & { readonly type: string },
): WireEvent {
  const key = handlerKey(event.type);
  const name = canonicalEvent(key);
  if (name === undefined) return { event: key, ...judge.frame() };
  const answered = eventKind(name) === "observe" ? {} : { result: undefined };
  return fromHost(name, payloadOf(name, { ...event, ...answered }, true), judge.frame());
}
