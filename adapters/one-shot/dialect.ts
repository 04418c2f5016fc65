import type { EventName } from "../../schema/events.ts";
import type { Decision } from "../../schema/generated.ts";
import type { HostName } from "../../schema/hosts.ts";
import { denialText, unaskedText } from "../pi/denial.ts";

/** Output of a hook's process that the host reads: both streams and the exit code. */
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
  /** The host's id of the session; empty if it gives none. */
  readonly session: string;
  /** Working folder of the agent, absolute; undefined if the host does not say. */
  readonly cwd: string | undefined;
  /** The sub-agent that acts, if the host names one. */
  readonly agent?: { readonly id: string; readonly type?: string };
  /** True if the host can put a question to a human now. */
  readonly interactive: boolean;
  /** The payload as it came, to redact inside the host's own shapes. */
  readonly given: Payload;
  /** A second event that the host's event also is; judged after `event`, unless that was refused. */
  readonly also?: { readonly event: EventName; readonly payload: Payload };
}

/** A host's payload, or an object in it: JSON that came from outside. */
export type Payload = Readonly<Record<string, unknown>>;

/** Permissions that a reply may use besides the decision. */
export interface Grant {
  /** True if a managed or user rule that allows the call says `skip_host_prompt`. */
  readonly skipPrompt: boolean;
}

/** A grant of nothing: the host asks its human as it would without hooks. */
export const noGrant: Grant = { skipPrompt: false };

/** Why a payload cannot be read as a call of a hook, so that it cannot be judged. */
export interface Unreadable {
  readonly unreadable: string;
  /** The event, as far as it is known. */
  readonly name: string;
}

/**
 * The protocol of one host's hooks. A dialect is pure: it reads payloads and writes replies, and knows neither policies nor
 * files. Facts: hosts page others, sections 1 to 3.
 */
export interface Dialect {
  readonly host: HostName;
  /** Milliseconds within which an answer must be written: well below the time-out that `install` writes for this host. */
  readonly budget: number;
  /** Events whose injected text the host accepts only with a later event, and the events that can deliver it. */
  readonly later?: { readonly from: readonly EventName[]; readonly to: readonly EventName[] };
  /**
   * True for a payload that only this host can have sent. Hosts read each other's files, and are then answered in their
   * own dialect. `variables` prove nothing without the payload, since every process that an agent starts inherits them.
   */
  claims(payload: Payload, variables: Variables): boolean;
  /** Fields in which a payload may name its event, in order of precedence. */
  readonly eventFields: readonly string[];
  /** Events of a call about to run. A payload with an unknown event name is read as the first of these whose shape it has. */
  readonly callEvents: readonly string[];
  /** True for a host whose refusals would let a call run on any other host. It is then never chosen by its payload alone. */
  readonly alone?: boolean;
  /** Hosts whose files this host reads besides its own; it may call two hooks of ours for one event. */
  readonly alsoReads?: readonly HostName[];
  /** Returns the host's version, if its payloads contain it. */
  version?(payload: Payload): unknown;
  /** Builds the payload, for a host that passes it in variables and nothing on standard input. */
  variables?(variables: Variables): Payload;
  /** Reads the call in a payload; `ignored` for an event that no rule can match. */
  read(payload: Payload): HookCall | Unreadable | "ignored";
  /** Makes the reply to a decision, using only keys that the host knows. */
  reply(call: HookCall, decision: Decision, grant: Grant): HookReply;
  /** Makes the strictest reply for the event, for our own faults; event and payload as far as they are known. */
  fault(name: string, reason: string, given?: Payload): HookReply;
}

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The empty reply: the host goes on as if there were no hook. */
export const silent: HookReply = { stdout: "", stderr: "", exitCode: 0 };

/** Makes a reply of one JSON document. */
export function document(value: unknown, exitCode = 0): HookReply {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: "", exitCode };
}

/** Makes a reply with exit code 2 and a text on standard error, which blocks on most hosts without a document. */
export function exitTwo(reason: string): HookReply {
  return { stdout: "", stderr: `${reason}\n`, exitCode: 2 };
}

/** Makes a deny document with exit code 2 and text on standard error: one of the two blocks, whatever else went wrong. */
export function closed(value: unknown, reason: string): HookReply {
  return { ...document(value, 2), stderr: `${reason}\n` };
}

/**
 * Adds exit code 2 and the reason on standard error to a reply whose document refuses. For hosts that read both: each refuses
 * even if the other is spoiled, for example by a preload that prints a line.
 */
export function twice(reply: HookReply, document: Payload): HookReply {
  const denies = document["permissionDecision"] === "deny" || ["deny", "block"].includes(String(document["decision"]));
  const reason = document["permissionDecisionReason"] ?? document["reason"];
  return denies && typeof reason === "string" ? { ...reply, stderr: `${reason}\n`, exitCode: 2 } : reply;
}

/** Returns the text for the model or the human about a decision that is not a plain allow; never empty. */
export function wordsOf(decision: Decision): string {
  return withInjected(denialText(decision), decision);
}

function withInjected(text: string, decision: Decision): string {
  const extra = injectedText(decision);
  return extra === undefined ? text : `${text}\n\n${extra}`;
}

/** Like `wordsOf`, for a host that can ask nobody: the text of an `ask` says that a human can still let it through. */
export function wordsUnasked(decision: Decision): string {
  return decision.outcome === "ask" ? withInjected(unaskedText(decision), decision) : wordsOf(decision);
}

/** Returns the question for the host's human; the host itself shows the call. */
export function wordsAsked(decision: Decision): string {
  const asking = decision.matched.filter(({ outcome }) => outcome === "ask").map(({ rule }) => rule);
  const by = asking.length === 0 ? decision.answered : [...new Set(asking)].join(", ");
  const doubt = decision.doubts?.[0];
  const why = decision.ask?.prompts ?? [decision.reason ?? doubt ?? "the policy asks a human"];
  return [`hookwarden asks (${by}): ${[...new Set(why)].join("; ")}`, decision.guidance ?? ""].join("\n").trim();
}

/** Like `wordsOf`, for an event that a rule rewrites but the host cannot change. */
export function wordsUnchanged(decision: Decision, what: string): string {
  const rule = decision.matched.find(({ outcome }) => outcome === "redact" || outcome === "modify")?.rule;
  const reason = `a rule rewrites ${what}, and this host can take it only as it is`;
  return wordsOf({ ...decision, ...(rule !== undefined && { rule }), reason });
}

/** Returns the texts that rules inject for the model; undefined if there are none. */
export function injectedText({ changes }: Decision): string | undefined {
  const system = changes.system_prompt;
  const texts = [typeof system === "string" ? system : system?.join("\n\n"), changes.message?.content];
  const given = texts.filter((text) => text !== undefined && text !== "");
  return given.length === 0 ? undefined : given.join("\n\n");
}

/** Returns the notices for the human: those of rules, and why an allowed event could not be judged. Undefined if there are none. */
export function noticeText({ notices, errors, outcome, answered }: Decision): string | undefined {
  const lines = (notices ?? []).map(({ rule, message }) => `${message} [${rule}]`);
  if (outcome === "allow" && answered === "error")
    lines.push(...errors.map(({ code, message }) => `hookwarden ${code}: ${message}`));
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** Returns the first text among the named own fields of a payload. */
export function textOf(payload: Payload, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** Returns the first object among the named own fields of a payload. */
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

/** Drops the fields of an object that are undefined. */
export function present(fields: Payload): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
