import { canonicalEvent, type EventName, isToolEvent } from "../schema/events.ts";
import type { WireEvent } from "../schema/generated.ts";
import { canonicalHost } from "../schema/hosts.ts";
import type { Environment, JudgedEvent, ToolName } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import { type FieldType, type PayloadField, payloadShape } from "../schema/payloads.ts";
import { bareShell } from "../schema/shells.ts";
import { canonicalTool, keysOfArguments, mcpName, toolArguments } from "../schema/tools.ts";
import { validateEvent } from "../schema/validators.generated.js";
import { keepConstant } from "./canonical.ts";
import type { KnownMessages } from "./known-messages.ts";
import { payloadMisfit, withoutFitting } from "./payload-fit.ts";
import { plainCopy } from "./plain-copy.ts";
import { ownData } from "./plain-data.ts";

/** Why a payload cannot be judged, and as much of it as is needed to answer it closed. */
export interface Malformed {
  readonly code: "HW501" | "HW504";
  readonly message: string;
  readonly event: EventName;
  readonly id: string;
}

/** A wire event as judged, with one view per reading of arguments that disagree; the first view is the event itself. */
export interface Normalised {
  readonly event: JudgedEvent;
  readonly views: readonly JudgedEvent[];
  /** The hermetic world of the event, `environment.files` of the wire. */
  readonly files: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Converts a wire event to a judged event (semantics section 3, step 1): bounded plain data, lone surrogates to U+FFFD, canonical
 * names, schema, defaults. Fields that the event's payload does not have are ignored. Keys of one argument that disagree give
 * several views, all of which are judged. Messages known from the previous event are reused (`KnownMessages`). Total for any
 * input.
 */
export function normalise(wire: unknown, known?: KnownMessages): Normalised | Malformed {
  const copied = plainCopy(wire, known);
  if (!copied.ok) return malformed(wire, "HW504", copied.message);
  const fit = fitted(copied.value);
  if ("code" in fit) return fit;
  const { given, name } = fit;
  const time = given.time === undefined ? 0 : instant(given.time);
  if (!Number.isFinite(time)) return malformed(given, "HW501", "`time` is not an RFC 3339 time");
  const tool = toolOf(given, name);
  const event = judged(given, name, time, tool);
  const views = argumentViews(event);
  if (!views) return malformed(given, "HW504", "names of the same arguments disagree in more ways than can be judged");
  return { event: views[0] as JudgedEvent, views, files: given.environment?.files };
}

/** Validates the event under its canonical name, which chooses the schema: an alias must not evade what the name requires. */
function fitted(copy: unknown): { readonly given: WireEvent; readonly name: EventName } | Malformed {
  const alias = ownData(copy, "event");
  const name = typeof alias === "string" ? canonicalEvent(alias) : undefined;
  const given: unknown = name === undefined || name === alias ? copy : { ...(copy as object), event: name };
  // Messages that fitted at an earlier event are not read again, but to say what is wrong and where.
  if (!validateEvent(withoutFitting(given)) && !validateEvent(given)) return malformed(copy, "HW501", schemaMessage());
  if (name === undefined) return malformed(copy, "HW501", `unknown event \`${String(alias).slice(0, 60)}\``);
  const event = given as WireEvent;
  const misfit = payloadMisfit(name, event);
  return misfit === undefined ? { given: event, name } : malformed(copy, "HW501", misfit);
}

/** Reads RFC 3339 with a zone, in milliseconds since the epoch; NaN for anything else, so that the machine's own zone is never used. */
function instant(time: string): number {
  return (
    usualInstant(time) ??
    (/^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/.test(time)
      ? Date.parse(time)
      : Number.NaN)
  );
}

/** Reads the usual form, `2026-01-01T00:00:00.000Z`, by position; undefined for any other form or a number that is too large. */
function usualInstant(time: string): number | undefined {
  if (time.length !== 24 || !hasMarks(time)) return undefined;
  const [year, month, day] = [digits(time, 0, 4), digits(time, 5, 7), digits(time, 8, 10)];
  const [hour, minute, second] = [digits(time, 11, 13), digits(time, 14, 16), digits(time, 17, 19)];
  const fraction = digits(time, 20, 23);
  // The first hundred years are others to `Date.UTC`; days that not every month has are left to the platform.
  const isDate = year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  if (!isDate || !(hour <= 23 && minute <= 59 && second <= 59 && fraction >= 0)) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, fraction);
}

function hasMarks(time: string): boolean {
  return (
    time[4] === "-" &&
    time[7] === "-" &&
    time[10] === "T" &&
    time[13] === ":" &&
    time[16] === ":" &&
    time[19] === "." &&
    time[23] === "Z"
  );
}

/** Reads a number from decimal digits; NaN if any character is not a digit. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

function malformed(given: unknown, code: Malformed["code"], message: string): Malformed {
  const named = ownData(given, "event");
  const id = ownData(given, "id");
  // An event that cannot even be named is answered like the one with the strictest answer.
  const event = (typeof named === "string" ? canonicalEvent(named) : undefined) ?? "tool_call";
  return { code, message, event, id: typeof id === "string" ? id.slice(0, 200).toWellFormed() : "" };
}

function schemaMessage(): string {
  const first = validateEvent.errors?.[0];
  if (!first) return "event does not fit its schema";
  const place = first.instancePath === "" ? "event" : `\`${first.instancePath.slice(1).replaceAll("/", ".")}\``;
  return `${place} ${first.message ?? "does not fit its schema"}`;
}

function toolOf(given: WireEvent, event: EventName): ToolName | undefined {
  if (event === "user_bash") return { name: "bash", host_name: "bash", server: undefined };
  if (event === "user_python") return { name: "eval", host_name: "python", server: undefined };
  if (given.tool === undefined || !(isToolEvent(event) || event.startsWith("tool_execution"))) return undefined;
  const isMcp = given.tool === "mcp" && given.server !== undefined && given.name !== undefined;
  return toolNamed(isMcp ? `mcp__${given.server}__${given.name}` : given.tool);
}

/** Tools that are remembered; names come from payloads, so that there is a bound. */
const rememberedTools = 256;
const knownTools = new Map<string, ToolName>();

function toolNamed(hostName: string): ToolName {
  const known = knownTools.get(hostName);
  if (known) return known;
  const made = Object.freeze({
    host_name: hostName,
    name: canonicalTool(hostName),
    server: mcpName(hostName)?.server,
  });
  if (knownTools.size >= rememberedTools) knownTools.clear();
  if (hostName.length <= 256) knownTools.set(hostName, made);
  return made;
}

const mainAgent: JudgedEvent["agent"] = Object.freeze({ depth: 0, id: "main", type: "" });

/** Returns the human's own command or code as arguments of the tool that an agent would use. */
function ownArguments(given: WireEvent, event: EventName): Record<string, unknown> | undefined {
  if (event === "user_bash") return { command: given.command ?? "" };
  return event === "user_python" ? { code: given.code ?? "", language: "python" } : undefined;
}

function judged(wire: WireEvent, event: EventName, time: number, tool: ToolName | undefined): JudgedEvent {
  const given = placed(wire, event);
  const { session, result } = given;
  const agent = session?.agent;
  const args = tool ? (ownArguments(given, event) ?? given.args ?? {}) : undefined;
  // Keys are in canonical order, since ordered objects are written faster (`canonicalJson`).
  const made: JudgedEvent = {
    agent: agent ? { depth: agent.depth ?? 0, id: agent.id ?? "main", type: agent.type ?? "" } : mainAgent,
    args,
    args_raw: args,
    call_id: given.call_id,
    command: given.command,
    definition: definitionOf(given),
    environment: environmentOf(given),
    event,
    exclude_from_context: wire.exclude_from_context ?? false,
    fields: fieldsOf(wire, event),
    host: canonicalHost(given.host ?? ""),
    id: given.id ?? "",
    input:
      event === "input"
        ? { images: given.images ?? [], source: given.source ?? "", text: given.text ?? "" }
        : undefined,
    messages: given.messages?.map(canonicalRole),
    prompt: given.prompt,
    result: result && {
      content: result.content ?? [],
      details: result.details,
      is_error: result.is_error ?? wire["is_error"] === true,
      structured: result.structured,
    },
    session: sessionOf(session, given.labels ?? []),
    system_prompt: Array.isArray(given.system_prompt) ? given.system_prompt.join("\n\n") : given.system_prompt,
    time,
    tool,
  };
  const { code, ignored } = given;
  return code === undefined && ignored === undefined
    ? made
    : { ...made, ...(code !== undefined && { code }), ...(ignored !== undefined && { ignored }) };
}

function sessionOf(session: WireEvent["session"], labels: readonly string[]): JudgedEvent["session"] {
  const [id, turn] = [session?.id ?? "", session?.turn ?? 0];
  return session?.parent === undefined ? { id, labels, turn } : { id, labels, parent: session.parent, turn };
}

/** Fields that are read for every event. */
const everywhere: ReadonlySet<string> = new Set(["environment", "session", "labels", "ignored", "id", "host"]);

/** Names to read from an event: those that have their own place, and the payload's other fields. */
interface Reading {
  readonly placed: ReadonlySet<string>;
  readonly fields: readonly (readonly [name: string, field: PayloadField])[];
}

const readings = new Map<EventName, Reading>();

function readingOf(event: EventName): Reading {
  const known = readings.get(event);
  if (known) return known;
  const shape = Object.entries(payloadShape(event));
  const own = shape.filter(([key, { root }]) => root !== undefined || key === "cwd").map(([key]) => key);
  const made = { placed: new Set([...everywhere, ...own]), fields: shape.filter(([, { root }]) => root === undefined) };
  readings.set(event, made);
  return made;
}

/** Names that are read from the wire event itself beforehand; they are not part of its payload. */
const apart: ReadonlySet<string> = new Set(["event", "time", "tool"]);

/** Returns the wire event with only the names that its kind of payload has: `text` of a tool call is dropped. */
function placed(wire: WireEvent, event: EventName): WireEvent {
  const { placed: names } = readingOf(event);
  const keys = Object.keys(wire);
  let all = true;
  for (const key of keys) all &&= names.has(key) || apart.has(key);
  if (all) return wire;
  const own: Record<string, unknown> = {};
  for (const key of keys) if (names.has(key)) own[key] = wire[key];
  return { ...own, event };
}

/** The payload's other fields, with their defaults. */
function fieldsOf(wire: WireEvent, event: EventName): Readonly<Record<string, unknown>> {
  let fields: Record<string, unknown> | undefined;
  for (const [key, field] of readingOf(event).fields) {
    const value = Object.hasOwn(wire, key) ? wire[key] : undefined;
    const held = value ?? field.default;
    if (held === undefined) continue;
    fields ??= Object.create(null) as Record<string, unknown>;
    fields[key] = shown(field.type, held);
  }
  return fields ?? noFields;
}

const noFields: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null) as Record<string, unknown>);

/** Roles of every host are canonical in all messages of a payload. */
function shown(type: FieldType, value: unknown): unknown {
  if (type === "message") return canonicalRole(value as { role: string });
  return type === "list(message)" ? (value as { role: string }[]).map(canonicalRole) : value;
}

/** Environments by the object that they were made from, so that equal surroundings give the same object. */
const environments = new WeakMap<object, Environment>();

function environmentOf(given: WireEvent): Environment {
  const set = given.environment;
  // Only immutable surroundings are cached.
  if (!set || given.cwd !== undefined || !Object.isFrozen(set)) return surroundings(set ?? {}, given.cwd);
  const known = environments.get(set);
  if (known) return known;
  const made = Object.freeze(surroundings(set, undefined));
  keepConstant(made);
  environments.set(set, made);
  return made;
}

const noVariables: Readonly<Record<string, string>> = Object.freeze({});

function surroundings(set: NonNullable<WireEvent["environment"]>, own: string | undefined): Environment {
  const cwd = own ?? set.cwd ?? "/workspace";
  const os = set.os ?? "linux";
  return {
    branch: set.branch,
    case_insensitive: set.case_insensitive ?? os !== "linux",
    cwd,
    default_branch: set.default_branch,
    ...(set.engine !== undefined && set.engine.length > 0 && { engine: set.engine }),
    home: set.home ?? "/home/user",
    interactive: set.interactive ?? false,
    os,
    shell: bareShell(set.shell ?? "") || "bash",
    user: set.user ?? "user",
    variables: set.variables ?? noVariables,
    workspace: set.workspace ?? cwd,
  };
}

function definitionOf(given: WireEvent): JudgedEvent["definition"] {
  const d = given.definition;
  if (!d) return undefined;
  return {
    pinned: d.pinned_digest !== undefined,
    changed: d.pinned_digest !== undefined && d.pinned_digest !== d.digest,
  };
}

const roles: Readonly<Record<string, string>> = {
  tool: "tool_result",
  toolResult: "tool_result",
  bashExecution: "bash_execution",
  compactionSummary: "compaction_summary",
  branchSummary: "branch_summary",
};

/** Messages under another role, by the message: one that is known stays one. */
const renamed = new WeakMap<object, object>();

function canonicalRole<T extends { role: string }>(message: T): T {
  const role = Object.hasOwn(roles, message.role) ? roles[message.role] : undefined;
  if (role === undefined) return message;
  const known = renamed.get(message) ?? { ...message, role };
  renamed.set(message, known);
  return known as T;
}

/**
 * Canonicalises argument names. If several keys of one argument differ, every combination that a host could mean is a view.
 * Undefined if there are too many to judge.
 */
export function argumentViews(event: JudgedEvent): readonly JudgedEvent[] | undefined {
  const shape = event.tool && toolArguments(event.tool.name);
  const raw = event.args;
  if (!shape || !raw) return [event];
  let views: Record<string, unknown>[] | undefined;
  for (const [name, keys] of keysOfArguments(shape, raw)) {
    if (keys.length === 1 && keys[0] === name) continue;
    const distinct = keys.filter((key, i) => keys.findIndex((other) => sameJson(raw[other], raw[key])) === i);
    views ??= [{ ...raw }];
    if (views.length * distinct.length > limits.argumentViews) return undefined;
    views = views.flatMap((args) => distinct.map((key) => ({ ...args, [name]: raw[key] })));
  }
  return views?.map((args) => ({ ...event, args })) ?? [event];
}

function sameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
