import { resolve } from "node:path";
import type { EventName } from "../../schema/events.ts";
import type { Decision, WireEvent } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import { fromHost } from "../../schema/wire-fields.ts";
import { hostVersion } from "../host-version.ts";
import {
  type Dialect,
  type Grant,
  type HookCall,
  type HookReply,
  injectedText,
  noGrant,
  type Payload,
  silent,
  textOf,
} from "./dialect.ts";
import { carriesCall, envelopeFault, eventFault, readNamed } from "./envelope.ts";
import { eventFor } from "./own-refusal.ts";
import { nameOf } from "./registry.ts";

/** Result of judging one event: the decision, and what it grants besides. */
export interface Judged {
  readonly decision: Decision;
  readonly grant: Grant;
}

/** Ports of one hook process to the outside. */
export interface HookPorts {
  /** Judges one wire event in its session; a fault is a closed decision, never a throw. `version` is the host's, if it says it. */
  judge(event: WireEvent, version: string | undefined): Promise<Judged> | Judged;
  /** Returns the environment of the event in a folder. */
  environment(cwd: string, interactive: boolean): NonNullable<WireEvent["environment"]>;
  /** Returns the dialect of the host that really called, by its payload. */
  caller(payload: Payload): Dialect;
  /** Keeps a text for a session until a later hook of it can deliver it. */
  keep(session: string, id: string, text: string): void;
  /** Takes the texts kept for a session. */
  kept(session: string): string | undefined;
  /** Called with the host and event that wait for an answer, as soon as they are known, in case the process fails. */
  owed?(dialect: Dialect, name: string, payload: Payload): void;
  /** Answers an event of a host that may call two hooks of ours for it: one does the work, the other returns its answer. */
  once?(caller: Dialect, call: HookCall, work: () => Promise<HookReply>): Promise<HookReply>;
  /** Called with an event that no rule can match, by its name in the payload. */
  ignored?(dialect: Dialect, name: string, payload: Payload): Promise<void> | void;
  /** Called with the reason why a payload is refused without being judged. */
  refused?(dialect: Dialect, why: string, payload: Payload): Promise<void> | void;
  /** Says in words which of the host's events were not judged until now; undefined if all were. */
  unjudged?(dialect: Dialect): string | undefined;
  /** Says in words what could not be delivered to the host in the session before this one; undefined if nothing. */
  undelivered?(dialect: Dialect, session: string): string | undefined;
  /** The event that the hook was wired for, as the named host's configuration calls it. */
  readonly event?: string;
  /** Folder that the process was started in. */
  readonly cwd: string;
  /** Milliseconds within which the answer must be written; default the dialect's budget. */
  readonly budget?: number;
  /** Wall clock, for the event's time. */
  now(): number;
  /** Id of the event: one for each process. */
  readonly id: string;
}

/**
 * Answers one hook: takes a host's payload and returns the host's reply. Never rejects: any fault of the payload, the policy
 * or the engine becomes the host's strictest reply for the event, with the reason (semantics section 4).
 */
export async function answerHook(named: Dialect, input: string, ports: HookPorts): Promise<HookReply> {
  let dialect = named;
  let name = ports.event ?? "";
  let given: Payload | undefined;
  try {
    name = eventFor(named, undefined, ports.event);
    const payload = payloadOf(input);
    if (typeof payload === "string") return named.fault(name, refusal(payload));
    given = payload;
    dialect = ports.caller(payload);
    name = eventFor(dialect, payload, ports.event);
    ports.owed?.(dialect, name, payload);
    const unsound = envelopeFault(dialect, input, payload);
    if (unsound !== undefined) {
      await ports.refused?.(dialect, unsound, payload);
      return unsoundReply(dialect, unsound, ports.event, payload);
    }
    const call = readAs(dialect, payload, dialect === named ? ports.event : undefined);
    if (call === "ignored") {
      await ports.ignored?.(dialect, textOf(payload, ...dialect.eventFields) ?? "", payload);
      return silent;
    }
    // A payload without a known event name was read as the event that the hook was wired for.
    name = call.name || name;
    ports.owed?.(dialect, name, payload);
    if ("unreadable" in call) {
      await ports.refused?.(dialect, call.unreadable, payload);
      if (carriesCall(dialect, payload))
        name = eventFor(dialect, undefined, ports.event) || (dialect.callEvents[0] ?? name);
      return dialect.fault(name, misread(dialect, call.unreadable), payload);
    }
    const misplaced = eventFault(dialect, call, ports.event, named);
    if (misplaced !== undefined) {
      await ports.refused?.(dialect, misplaced, payload);
      const reader = ports.event === undefined || reads(dialect, named) ? dialect : named;
      return unsoundReply(reader, misplaced, ports.event ?? strictestOf(dialect, call), payload);
    }
    const work = (): Promise<HookReply> => answered(dialect, call, ports);
    return await (ports.once && dialect.alsoReads ? ports.once(dialect, call, work) : work());
  } catch (fault) {
    const why = refusal(fault instanceof Error ? fault.message : String(fault));
    return dialect.fault(name, why, given);
  }
}

/**
 * Reads the call in a payload. If it names no event, or none that we know, it is read as the event that the hook was wired
 * for: a host that renames its events must not disarm us. If that fails too, a payload with the shape of a call is read as
 * a call.
 */
function readAs(dialect: Dialect, payload: Payload, wired: string | undefined): ReturnType<Dialect["read"]> {
  const isNamed = (textOf(payload, ...dialect.eventFields) ?? "") !== "";
  const found = wired !== undefined && !isNamed ? "ignored" : dialect.read(payload);
  if (found !== "ignored") return found;
  const asWired = wired === undefined ? "ignored" : readNamed(dialect, payload, wired);
  if (asWired !== "ignored") return asWired;
  const asCall = dialect.callEvents
    .map((name) => readNamed(dialect, payload, name))
    .find((call) => call !== "ignored" && !("unreadable" in call));
  return asCall ?? dialect.read(payload);
}

/**
 * Refuses a payload that another reader could read as another call. The event it names is not trusted: the answer has the
 * form of the event that the hook was wired for, or the strictest form.
 */
function unsoundReply(dialect: Dialect, why: string, wired: string | undefined, payload: Payload): HookReply {
  const name = eventFor(dialect, undefined, wired);
  return dialect.fault(name, misread(dialect, why), name === "" ? undefined : payload);
}

/** Says why a payload is refused that no known host writes, and what the human can do. */
function misread(dialect: Dialect, why: string): string {
  return `${refusal(why)}; if the agent's host wrote it so, ask the human to run \`hookwarden doctor ${nameOf(dialect)}\``;
}

/** True if the caller is the named host or also reads its files, and so is answered in its own form. */
function reads(caller: Dialect, named: Dialect): boolean {
  return caller === named || caller.alsoReads?.includes(named.host) === true;
}

/** Returns the event in whose form a payload with parts of another event is refused; never one that lets a call run. */
function strictestOf({ callEvents: [first = ""] }: Dialect, { event, name }: HookCall): string {
  return event === "tool_call" ? name : first;
}

/** Judges a readable call and makes the reply. */
async function answered(dialect: Dialect, call: HookCall, ports: HookPorts): Promise<HookReply> {
  const judged = await withinBudget(ports.budget ?? dialect.budget, judgeAll(dialect, call, ports));
  if (judged === "late") return dialect.fault(call.name, refusal("no decision was made in time"), call.given);
  const decision = withBeforehand(dialect, call, judged.decision, ports);
  return dialect.reply(call, withLater(dialect, call, decision, ports), judged.grant);
}

/** Adds reports about earlier sessions to a session's start: as notices for the human and as text for the model. */
function withBeforehand(dialect: Dialect, call: HookCall, decision: Decision, ports: HookPorts): Decision {
  if (call.event !== "session_start") return decision;
  const unjudged = ports.unjudged?.(dialect);
  const texts = [
    unjudged && `${unjudged}; run \`hookwarden doctor ${nameOf(dialect)}\``,
    ports.undelivered?.(dialect, call.session),
  ];
  const lines = texts.filter((text) => text !== undefined && text !== "").map((text) => `hookwarden: ${text}`);
  if (lines.length === 0) return decision;
  const told = lines.map((message) => ({ rule: "hookwarden", level: "warning", message }) as const);
  const notices = [...(decision.notices ?? []), ...told];
  return { ...decision, notices, changes: withText(decision.changes, lines.join("\n"), "after") };
}

/** Adds one more text for the model to the changes. */
function withText(changes: Decision["changes"], text: string, place: "before" | "after"): Decision["changes"] {
  const known = changes.message ?? { custom_type: "hookwarden", content: "", display: false };
  const texts = place === "before" ? [text, known.content] : [known.content, text];
  return { ...changes, message: { ...known, content: texts.filter((one) => one !== "").join("\n\n") } };
}

/** Moves an injected text to an event that can deliver it, for hosts that accept none with a call. */
function withLater(dialect: Dialect, call: HookCall, decision: Decision, ports: HookPorts): Decision {
  const { later } = dialect;
  if (!later || decision.outcome === "block") return decision;
  if (later.from.includes(call.event)) {
    const text = injectedText(decision);
    if (text !== undefined) ports.keep(call.session, ports.id, text);
    return decision;
  }
  const kept = later.to.includes(call.event) ? ports.kept(call.session) : undefined;
  if (kept === undefined) return decision;
  return { ...decision, changes: withText(decision.changes, kept, "before") };
}

/** Tells the model why a call that could not be judged is refused. */
export function refusal(why: string): string {
  return `Blocked by hookwarden: this could not be judged (${why})`;
}

function payloadOf(input: string): Payload | string {
  if (input.length > limits.eventBytes) return "the payload is larger than one event may be; do it in smaller parts";
  if (hasMoreValues(input, limits.payloadNodes))
    return "the payload has more values than one event may have; do it in smaller parts";
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    return "the payload is not JSON";
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Payload)
    : "the payload is not a JSON object";
}

/** True for a JSON text with more values than `most`. Counting is fast, while parsing that many object keys takes seconds. */
function hasMoreValues(text: string, most: number): boolean {
  // Each value takes at least two characters.
  if (text.length <= 2 * most) return false;
  let values = 0;
  for (let at = 0; at < text.length && values <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === comma || code === openList || code === openObject) values += 1;
    else if (code === quote) at = endOfString(text, at);
  }
  return values > most;
}

/** Returns the index of the quote that ends the string begun at `start`; the text's length if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

const [quote, comma, openList, backslash, openObject] = [34, 44, 91, 92, 123];

/** Judges the event, and then a second event of ours (`also`) if there is one and the first was allowed. */
async function judgeAll(dialect: Dialect, call: HookCall, ports: HookPorts): Promise<Judged> {
  const version = hostVersion(dialect.version?.(call.given));
  const first = await ports.judge(wireEvent(dialect, call, ports, call.event, call.payload), version);
  if (!call.also || first.decision.outcome !== "allow") return first;
  const { event, payload } = call.also;
  const { decision } = await ports.judge(wireEvent(dialect, call, ports, event, payload), version);
  return { decision: joined(first.decision, decision), grant: noGrant };
}

/** Merges two decisions: the second, with the changes of the first and both injected texts. */
function joined(first: Decision, second: Decision): Decision {
  const before = first.changes.message;
  const after = second.changes.message;
  const message = before && after ? { ...after, content: `${before.content}\n\n${after.content}` } : (after ?? before);
  return {
    ...second,
    notices: [...(first.notices ?? []), ...(second.notices ?? [])],
    changes: { ...first.changes, ...second.changes, ...(message && { message }) },
  };
}

function wireEvent(dialect: Dialect, call: HookCall, ports: HookPorts, event: EventName, payload: Payload): WireEvent {
  const cwd = call.cwd === undefined ? ports.cwd : resolve(ports.cwd, call.cwd);
  const agent = call.agent && {
    id: call.agent.id,
    depth: 1,
    ...(call.agent.type !== undefined && { type: call.agent.type }),
  };
  return fromHost(event, payload, {
    id: event === call.event ? ports.id : `${ports.id}-${event}`,
    time: new Date(ports.now()).toISOString(),
    host: dialect.host,
    environment: ports.environment(cwd, call.interactive),
    session: { id: call.session, ...(agent && { agent }) },
  });
}

/** Awaits work for a limited time, because most hosts go on unguarded once they stop waiting. */
async function withinBudget<T>(milliseconds: number, work: Promise<T>): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((done) => {
    timer = setTimeout(() => done("late"), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
