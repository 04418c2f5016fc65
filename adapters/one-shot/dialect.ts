import type { EventName } from "../../schema/events.ts";
import type { Decision } from "../../schema/generated.ts";
import type { HostName } from "../../schema/hosts.ts";
import { denialText, unaskedText } from "../pi/denial.ts";

/** What the host reads of a hook's process: both streams and the exit code. */
export interface HookReply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** One call of a hook, read from the host's payload. */
export interface HookCall {
  /** The event as the host names it: replies repeat it. */
  readonly name: string;
  readonly event: EventName;
  /** Payload in wire spelling (`event.schema.json`): only what the event's table has. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Session as the host names it; empty where it names none. */
  readonly session: string;
  /** Working folder of the agent, absolute; undefined where the host does not say. */
  readonly cwd: string | undefined;
  /** Sub-agent that acts, where the host says so. */
  readonly agent?: { readonly id: string; readonly type?: string };
  /** True if the host can put a question to a human now. */
  readonly interactive: boolean;
  /** The payload as it came, to redact inside the host's own shapes. */
  readonly given: Payload;
  /** What the host's event is besides: judged after `event`, unless that was refused. */
  readonly also?: { readonly event: EventName; readonly payload: Payload };
}

/** A host's payload, or an object in it: JSON that came from outside. */
export type Payload = Readonly<Record<string, unknown>>;

/** What a reply may rest on besides the decision. */
export interface Grant {
  /** True if a managed or user rule that allows the call says `skip_host_prompt`. */
  readonly skipPrompt: boolean;
}

/** A grant of nothing: the host asks its human as it would without hooks. */
export const noGrant: Grant = { skipPrompt: false };

/** Why a payload is no call of a hook: nothing of it can be judged. */
export interface Unreadable {
  readonly unreadable: string;
  /** The event, as far as it is known. */
  readonly name: string;
}

/**
 * What one host's hooks speak. A dialect is pure: it reads payloads and writes replies, and knows neither policies nor
 * files. Facts: hosts page others, sections 1 to 3.
 */
export interface Dialect {
  readonly host: HostName;
  /** Milliseconds in which an answer must be out: well below the time-out that `install` writes for this host. */
  readonly budget: number;
  /** Events whose injected text the host takes with a later one only, and the events that can deliver it. */
  readonly later?: { readonly from: readonly EventName[]; readonly to: readonly EventName[] };
  /**
   * True for a payload that this host alone can have sent. Hosts read each other's files, and are then answered in their
   * own dialect. `variables` are of use only beside the payload: what an agent starts inherits them.
   */
  claims(payload: Payload, variables: Variables): boolean;
  /** Fields in which a payload names its event, the one that counts first. */
  readonly eventFields: readonly string[];
  /** Events that are a call about to run: what has the shape of one under a name that nobody knows is read as the first that fits. */
  readonly callEvents: readonly string[];
  /** True for a host whose refusals let a call run on any other: a payload that only looks like its own is not answered so. */
  readonly alone?: boolean;
  /** Dialects whose files the host reads besides its own: it may call two hooks of ours for one event. */
  readonly alsoReads?: readonly HostName[];
  /** The host's version, for a host whose payloads say it. */
  version?(payload: Payload): unknown;
  /** The payload, for a host that gives it in variables and nothing on standard input. */
  variables?(variables: Variables): Payload;
  /** The call that a payload is; `ignored` for an event that no rule can be about. */
  read(payload: Payload): HookCall | Unreadable | "ignored";
  /** The reply to a decision, in exactly the keys that the host knows. */
  reply(call: HookCall, decision: Decision, grant: Grant): HookReply;
  /** The strictest reply that the event has, for our own faults; event and payload as far as they are known. */
  fault(name: string, reason: string, given?: Payload): HookReply;
}

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The reply that says nothing: the host goes on as if no hook were there. */
export const silent: HookReply = { stdout: "", stderr: "", exitCode: 0 };

/** A reply of one JSON document. */
export function document(value: unknown, exitCode = 0): HookReply {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: "", exitCode };
}

/** Exit 2 with a text: what blocks on most hosts when nothing else can be said. */
export function exitTwo(reason: string): HookReply {
  return { stdout: "", stderr: `${reason}\n`, exitCode: 2 };
}

/** A deny document that leaves with exit 2 and text on standard error: one of the two blocks, whatever else went wrong. */
export function closed(value: unknown, reason: string): HookReply {
  return { ...document(value, 2), stderr: `${reason}\n` };
}

/**
 * A reply whose document refuses what is about to happen, with exit 2 and the reason on standard error besides: for hosts
 * that read both, so that each holds where the other is spoiled, as by a preload that prints a line.
 */
export function twice(reply: HookReply, document: Payload): HookReply {
  const denies = document["permissionDecision"] === "deny" || ["deny", "block"].includes(String(document["decision"]));
  const reason = document["permissionDecisionReason"] ?? document["reason"];
  return denies && typeof reason === "string" ? { ...reply, stderr: `${reason}\n`, exitCode: 2 } : reply;
}

/** What the model or human is told of a decision that is not a plain allow; never empty. */
export function wordsOf(decision: Decision): string {
  return withInjected(denialText(decision), decision);
}

function withInjected(text: string, decision: Decision): string {
  const extra = injectedText(decision);
  return extra === undefined ? text : `${text}\n\n${extra}`;
}

/** As `wordsOf`, where the host can ask nobody: an `ask` says that a human can still let it through. */
export function wordsUnasked(decision: Decision): string {
  return decision.outcome === "ask" ? withInjected(unaskedText(decision), decision) : wordsOf(decision);
}

/** What the human of the host is asked; the host itself shows the call. */
export function wordsAsked(decision: Decision): string {
  const asking = decision.matched.filter(({ outcome }) => outcome === "ask").map(({ rule }) => rule);
  const by = asking.length === 0 ? decision.answered : [...new Set(asking)].join(", ");
  const doubt = decision.doubts?.[0];
  const why = decision.ask?.prompts ?? [decision.reason ?? doubt ?? "the policy asks a human"];
  return [`hookwarden asks (${by}): ${[...new Set(why)].join("; ")}`, decision.guidance ?? ""].join("\n").trim();
}

/** As `wordsOf`, for what a rule rewrites where the host takes it only as it is. */
export function wordsUnchanged(decision: Decision, what: string): string {
  const rule = decision.matched.find(({ outcome }) => outcome === "redact" || outcome === "modify")?.rule;
  const reason = `a rule rewrites ${what}, and this host can take it only as it is`;
  return wordsOf({ ...decision, ...(rule !== undefined && { rule }), reason });
}

/** Texts that rules hand to the model. */
export function injectedText({ changes }: Decision): string | undefined {
  const system = changes.system_prompt;
  const texts = [typeof system === "string" ? system : system?.join("\n\n"), changes.message?.content];
  const given = texts.filter((text) => text !== undefined && text !== "");
  return given.length === 0 ? undefined : given.join("\n\n");
}

/** What the human is told: what rules say, and why an event that is only seen could not be judged. */
export function noticeText({ notices, errors, outcome, answered }: Decision): string | undefined {
  const lines = (notices ?? []).map(({ rule, message }) => `${message} [${rule}]`);
  if (outcome === "allow" && answered === "error")
    lines.push(...errors.map(({ code, message }) => `hookwarden ${code}: ${message}`));
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** An own text of a payload. */
export function textOf(payload: Payload, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** An own object of a payload. */
export function objectOf(payload: Payload, ...names: readonly string[]): Payload | undefined {
  for (const name of names) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (isPayload(value)) return value;
  }
  return undefined;
}

/** True for an object that is no list. */
export function isPayload(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object that are not undefined. */
export function present(fields: Payload): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
