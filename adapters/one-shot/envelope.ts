import type { EventName } from "../../schema/events.ts";
import { folded } from "../../schema/tools.ts";
import { doubleKey } from "../json-text.ts";
import { secondCall } from "./call-parts.ts";
import { type Dialect, type HookCall, isPayload, type Payload, textOf } from "./dialect.ts";

/** A host's names for the parts of a call and of its result at the top of a payload. */
interface EnvelopeFields {
  readonly tool?: readonly string[];
  readonly args?: readonly string[];
  readonly result?: readonly string[];
  /** Objects that hold the parts of a call. */
  readonly inside?: readonly string[];
  /** True if these objects hold nothing but calls. */
  readonly isCallInside?: boolean;
  /** Objects that hold the result of a call. */
  readonly after?: readonly string[];
}

const claudeLike: EnvelopeFields = { tool: ["tool_name"], args: ["tool_input"], result: ["tool_response"] };

/** The fields of each host, by its name in policies. Source: hosts page others, sections 1 and 2. */
const fieldsOf: Readonly<Record<string, EnvelopeFields>> = {
  "claude-code": { ...claudeLike, result: ["tool_response", "error"] },
  codex: claudeLike,
  vscode: claudeLike,
  "gemini-cli": claudeLike,
  copilot: {
    tool: ["toolName", "tool_name"],
    args: ["toolArgs", "tool_input"],
    result: ["toolResult", "tool_result", "error"],
  },
  cursor: { tool: ["tool_name"], args: ["tool_input"], result: ["tool_output", "tool_response", "error_message"] },
  windsurf: { inside: ["tool_info"], result: ["mcp_result"] },
  cline: { inside: ["tool_call", "preToolUse"], isCallInside: true, after: ["tool_result", "postToolUse"] },
  goose: { tool: ["tool_name"], args: ["tool_input"], result: ["tool_result", "tool_output", "tool_response"] },
  opta: { tool: ["OPTA_TOOL_NAME"], args: ["OPTA_TOOL_ARGS"], result: ["OPTA_TOOL_RESULT"] },
};

/** Fields in which some host names its event. The common word `event` counts only if its value looks like an event name. */
const eventFields = ["hook_event_name", "hookName", "agent_action_name", "OPTA_EVENT", "event"] as const;
const eventWord = /^(?:(?:pre|post|before|after|session|user|task|agent|stop|subagent|tool|prompt)[._a-z]*)$/i;

/** All hosts' names for parts of calls and results, folded. */
const everyName: ReadonlySet<string> = new Set(
  Object.values(fieldsOf)
    .flatMap(({ tool = [], args = [], result = [], inside = [], after = [] }) => [
      ...tool,
      ...args,
      ...result.filter((name) => name !== "error"),
      ...inside,
      ...after,
    ])
    .map(folded),
);

/**
 * Says what is ambiguous in the envelope of a payload, independent of its event: another reader, such as the host's own,
 * could read it as another call. Undefined if nothing is. `text` is the JSON that the payload was parsed from.
 */
export function envelopeFault(dialect: Dialect, text: string, payload: Payload): string | undefined {
  return doubled(dialect, text, payload) ?? misspelled(dialect, payload) ?? foreign(dialect, payload);
}

function doubled(dialect: Dialect, text: string, payload: Payload): string | undefined {
  const key = doubleKey(text);
  if (key !== undefined)
    return `the payload has the key ${shown(key)} twice in one object, and readers differ in which they take`;
  for (const name of fieldsOf[dialect.host]?.args ?? []) {
    const inner = textOf(payload, name);
    const again = inner !== undefined && isJson(inner) ? doubleKey(inner) : undefined;
    if (again !== undefined)
      return `${shown(name)} has the key ${shown(again)} twice in one object, and readers differ in which they take`;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Finds two spellings of one field, or two of the host's names for one part, whose values differ. */
function misspelled(dialect: Dialect, payload: Payload): string | undefined {
  const { tool = [], args = [], inside = [], after = [] } = fieldsOf[dialect.host] ?? {};
  const holders = [...inside, ...after].flatMap((name) => {
    const value = own(payload, name);
    return isPayload(value) ? [value] : [];
  });
  for (const holder of [payload, ...holders]) {
    const known = new Map<string, string>();
    for (const key of Object.keys(holder)) {
      const before = known.get(folded(key));
      if (before !== undefined && !same(holder[before], holder[key])) return differing(before, key);
      known.set(folded(key), key);
    }
  }
  for (const names of [tool, args]) {
    const [first = "", ...others] = keysOf(payload, names);
    const second = others.find((key) => !same(payload[first], payload[key]));
    if (second !== undefined) return differing(first, second);
  }
  return eventTwice(dialect, payload);
}

/** Lists the keys of a payload that match one of the names in any spelling. */
function keysOf(payload: Payload, names: readonly string[]): readonly string[] {
  const known = new Set(names.map(folded));
  return Object.keys(payload).filter((key) => known.has(folded(key)));
}

/** Finds two fields that name different events, or an event field in a spelling that we do not read. */
function eventTwice({ eventFields: fields, host }: Dialect, payload: Payload): string | undefined {
  const word = (key: string): string => folded(String(payload[key]));
  const keys = keysOf(payload, fields).filter((key) => typeof payload[key] === "string");
  const [first = "", ...others] = keys;
  const second = others.find((key) => word(key) !== word(first));
  if (second !== undefined) return differing(first, second);
  if (first === "" || keys.some((key) => fields.includes(key))) return undefined;
  return `${shown(first)} names the event, and ${host} has another spelling for it`;
}

function differing(one: string, other: string): string {
  return `the payload has ${shown(one)} and ${shown(other)}, which are one field in two spellings, and they differ`;
}

/** Finds a part of a call or result, or an event, under a name that only other hosts use. */
function foreign(dialect: Dialect, payload: Payload): string | undefined {
  const { tool = [], args = [], result = [], inside = [], after = [] } = fieldsOf[dialect.host] ?? {};
  const known = new Set([...tool, ...args, ...result, ...inside, ...after, ...dialect.eventFields].map(folded));
  const events = new Set(eventFields.map(folded));
  for (const key of Object.keys(payload)) {
    const name = folded(key);
    if (known.has(name)) continue;
    const value = payload[key];
    const names = typeof value === "string" && (name !== "event" || eventWord.test(value));
    if (everyName.has(name) || (events.has(name) && names))
      return `${shown(key)} is a field of another host's payloads, and ${dialect.host} has its own for it`;
  }
  return undefined;
}

/**
 * Says what is wrong with a payload for the event that it was read as: parts that this event cannot have, or an event that
 * the hook was not wired for. `dialect` may not know the wired event; the `named` dialect of the command line does.
 */
export function eventFault(
  dialect: Dialect,
  call: HookCall,
  wired: string | undefined,
  named: Dialect,
): string | undefined {
  const known = wired === undefined ? undefined : wiredEventOf(dialect, call.given, wired);
  const asWired = known ?? (wired === undefined ? undefined : wiredEventOf(named, call.given, wired));
  if (asWired !== undefined && asWired !== familyOf(call.event))
    return `the payload says that it is \`${call.name}\`, and the hook was wired for \`${wired}\``;
  const field = call.event === "tool_call" ? resultField(dialect, call.given) : undefined;
  if (field !== undefined) return `${shown(field)} is a field of a result, and stands beside those of a call`;
  const second = secondCall(dialect.host, call);
  if (second !== undefined) return `${shown(second)} is a field of another call or of a result, and stands in this one`;
  const carried = isToolEvent(call.event) ? undefined : callField(dialect, call.given);
  return carried === undefined ? undefined : `${shown(carried)} is a field of a call, and \`${call.name}\` has none`;
}

/** Reads a payload as the event that the hook was wired for; undefined if the dialect does not know that event. */
function wiredEventOf(dialect: Dialect, payload: Payload, wired: string): string | undefined {
  const asWired = readNamed(dialect, payload, wired);
  if (asWired === "ignored") return undefined;
  return "unreadable" in asWired ? "another" : familyOf(asWired.event);
}

/** Reads a payload as if it named the given event, and only that one. */
export function readNamed(dialect: Dialect, payload: Payload, name: string): ReturnType<Dialect["read"]> {
  const [field = "", ...others] = dialect.eventFields;
  const unnamed = Object.fromEntries(Object.entries(payload).filter(([key]) => !others.includes(key)));
  return dialect.read({ ...unnamed, [field]: name });
}

/** Merges `subagent_stop` into `stop`, since some hosts use one event for both. */
function familyOf(event: EventName): string {
  return event === "subagent_stop" ? "stop" : event;
}

function isToolEvent(event: EventName): boolean {
  return event === "tool_call" || event === "tool_result";
}

function resultField({ host }: Dialect, payload: Payload): string | undefined {
  const { result = [], inside = [], after = [] } = fieldsOf[host] ?? {};
  const holders = [
    payload,
    ...inside.flatMap((name) => (isPayload(own(payload, name)) ? [own(payload, name) as Payload] : [])),
  ];
  const names = new Set([...result, ...after].map(folded));
  return holders
    .flatMap((holder) => Object.keys(holder).filter((key) => names.has(folded(key)) && !isEmpty(holder[key])))
    .at(0);
}

/** Returns the tool field of a payload that also has arguments, or the field of an object that holds a call. */
function callField({ host }: Dialect, payload: Payload): string | undefined {
  const { tool = [], args = [], inside = [], isCallInside } = fieldsOf[host] ?? {};
  const has = (names: readonly string[]): string | undefined => names.find((name) => !isEmpty(own(payload, name)));
  if (has(args) !== undefined && has(tool) !== undefined) return has(tool);
  return isCallInside === true ? has(inside) : undefined;
}

/** True if a payload that could not be read still contains a call. */
export function carriesCall(dialect: Dialect, payload: Payload): boolean {
  return callField(dialect, payload) !== undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function own(payload: Payload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Quotes a key for a message: cut short and on one line, since it comes from a payload. */
function shown(key: string): string {
  return `\`${key.slice(0, 60).replace(/[^\x20-\x7e]|`/g, "?")}\``;
}
