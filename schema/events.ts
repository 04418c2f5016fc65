import { type ChangeKey, type EventKind, type EventName, eventTable } from "./event-kinds.ts";
import { hostNamesOf } from "./hosts.ts";

export type { EventKind, EventName } from "./event-kinds.ts";

/** An event with all names under which it may come. */
interface EventEntry {
  readonly kind: EventKind;
  readonly changes: readonly ChangeKey[];
  /** Names under which hosts know the event. Accepted in policies, canonicalised by `fmt`. */
  readonly aliases: readonly string[];
}

/** Names that no host delivers today but that occur: snake case of the first names, and Opta's plan for V4. */
const furtherAliases: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  tool_call: ["pre_tool_use"],
  tool_result: ["post_tool_use"],
  input: ["prompt.pre"],
};

/** Every canonical event name, in the order of the table. */
export const eventNames = Object.keys(eventTable) as EventName[];

/** Every event, by its canonical name (that of pi), with the names other hosts give it. Source: semantics section 1. */
export const events = Object.fromEntries(
  eventNames.map((name): [EventName, EventEntry] => [
    name,
    { ...eventTable[name], aliases: [...hostNamesOf(name), ...(furtherAliases[name] ?? [])] },
  ]),
) as Readonly<Record<EventName, EventEntry>>;

const byAlias: ReadonlyMap<string, EventName> = new Map([
  ...eventNames.flatMap((name) => events[name].aliases.map((alias) => [alias, name] as const)),
  ...eventNames.map((name) => [name, name] as const),
]);

/** The canonical name of an event given by any host's name, or undefined. */
export function canonicalEvent(name: string): EventName | undefined {
  return byAlias.get(name);
}

/** Returns the kind of an event: decide, transform or observe. */
export function eventKind(name: EventName): EventKind {
  return eventTable[name].kind;
}

const calls: ReadonlySet<EventName> = new Set(["tool_call", "user_bash", "user_python"]);

/** True for an event that has a default, an answer for calls that cannot be understood, and a human to ask. */
export function isCallEvent(name: EventName): boolean {
  return calls.has(name);
}

/** True if a decision on the event may have this key in its `changes`; `labels` may always be there. */
export function mayChange(name: EventName, key: string): boolean {
  return key === "labels" || (eventTable[name].changes as readonly string[]).includes(key);
}

/** Events that carry a tool call, its name and arguments. */
export function isToolEvent(name: EventName): boolean {
  return name === "tool_call" || name === "tool_result";
}
