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
} from "./dialect.ts";

/** What became of one event: the decision, and what it grants besides. */
export interface Judged {
  readonly decision: Decision;
  readonly grant: Grant;
}

/** What one hook process needs from outside. */
export interface HookPorts {
  /** Judges one wire event in its session; a fault is a closed decision, never a throw. `version` is the host's, if it says it. */
  judge(event: WireEvent, version: string | undefined): Promise<Judged> | Judged;
  /** Surroundings of the event in a folder. */
  environment(cwd: string, interactive: boolean): NonNullable<WireEvent["environment"]>;
  /** The dialect of the host that really called, by its payload. */
  caller(payload: Payload): Dialect;
  /** Keeps a text for a session until a later hook of it can deliver it. */
  keep(session: string, id: string, text: string): void;
  /** Takes what was kept for a session. */
  kept(session: string): string | undefined;
  /** Hears whom an answer is owed, as soon as that is known: for a process that fails before it can answer. */
  owed?(dialect: Dialect, name: string, payload: Payload): void;
  /** Answers an event of a host that may call two hooks of ours for it: one does the work, the other gives its answer. */
  once?(caller: Dialect, call: HookCall, work: () => Promise<HookReply>): Promise<HookReply>;
  /** Folder that the process was started in. */
  readonly cwd: string;
  /** Milliseconds in which the answer must be out; the dialect's own where none is given. */
  readonly budget?: number;
  /** Wall clock, for the event's time. */
  now(): number;
  /** Id of the event: one for each process. */
  readonly id: string;
}

/**
 * One hook: a host's payload in, the host's reply out. Total: whatever is wrong with the payload, the policy or the
 * engine becomes the strictest reply that the host has for the event, with the reason in it (semantics section 4).
 */
export async function answerHook(named: Dialect, input: string, ports: HookPorts): Promise<HookReply> {
  let dialect = named;
  let name = "";
  let given: Payload | undefined;
  try {
    const payload = payloadOf(input);
    if (typeof payload === "string") return named.fault(name, refusal(payload));
    given = payload;
    dialect = ports.caller(payload);
    const call = dialect.read(payload);
    if (call === "ignored") return silent;
    name = call.name;
    ports.owed?.(dialect, name, payload);
    if ("unreadable" in call) return dialect.fault(name, refusal(call.unreadable), payload);
    const work = (): Promise<HookReply> => answered(dialect, call, ports);
    return await (ports.once && dialect.alsoReads ? ports.once(dialect, call, work) : work());
  } catch (fault) {
    const why = refusal(fault instanceof Error ? fault.message : String(fault));
    return dialect.fault(name, why, given);
  }
}

/** The reply to a call that can be judged. */
async function answered(dialect: Dialect, call: HookCall, ports: HookPorts): Promise<HookReply> {
  const judged = await withinBudget(ports.budget ?? dialect.budget, judgeAll(dialect, call, ports));
  if (judged === "late") return dialect.fault(call.name, refusal("no decision was made in time"), call.given);
  return dialect.reply(call, withLater(dialect, call, judged.decision, ports), judged.grant);
}

/** Moves an injected text to the event that can deliver it, for hosts that take none along with a call. */
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
  const before = decision.changes.message ?? { custom_type: "hookwarden", content: "", display: false };
  const content = [kept, before.content].filter((text) => text !== "").join("\n\n");
  return { ...decision, changes: { ...decision.changes, message: { ...before, content } } };
}

/** Why a call is refused that could not be judged, in words for the model. */
export function refusal(why: string): string {
  return `Blocked by hookwarden: this could not be judged (${why})`;
}

function payloadOf(input: string): Payload | string {
  if (input.length > limits.eventBytes) return "the payload is larger than one event may be";
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

/** Both decisions where the host's event is two of ours: the second only if the first let it through. */
async function judgeAll(dialect: Dialect, call: HookCall, ports: HookPorts): Promise<Judged> {
  const version = hostVersion(dialect.version?.(call.given));
  const first = await ports.judge(wireEvent(dialect, call, ports, call.event, call.payload), version);
  if (!call.also || first.decision.outcome !== "allow") return first;
  const { event, payload } = call.also;
  const { decision } = await ports.judge(wireEvent(dialect, call, ports, event, payload), version);
  return { decision: joined(first.decision, decision), grant: noGrant };
}

/** The second decision with what the first one changed, and both injected texts. */
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

/** The answer must be out before the host stops waiting, for most hosts then go on unguarded. */
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
