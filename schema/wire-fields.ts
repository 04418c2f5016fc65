import { canonicalEvent, type EventName } from "./events.ts";
import type { WireEvent } from "./generated.ts";
import { payloadShape } from "./payloads.ts";

/** Fields that every wire event may have besides its payload: the event's name, and the adapter's frame. */
export const frameFields = ["event", "id", "time", "host", "environment", "session", "labels", "ignored"] as const;

/**
 * Fields that only adapters and tests set (events page). In a host's payload they are ignored and recorded: the payload's
 * author could otherwise choose the files, labels and approvals by which it is judged.
 */
export const trustedFields = [
  "environment",
  "session",
  "labels",
  "definition",
  "repeat",
  "every",
  "approval",
  "files",
  "ignored",
] as const;

/** The fields that an event may have on the wire; another is ignored from a host, and an error in a suite. */
export function wireFields(name: EventName): ReadonlySet<string> {
  return new Set<string>([...frameFields, ...Object.keys(payloadShape(name))]);
}

/** Fields of an event that the adapter itself provides: everything that a host's payload cannot say. */
export type Frame = Pick<WireEvent, "id" | "time" | "host" | "environment" | "session" | "labels" | "definition">;

const forbidden: ReadonlySet<string> = new Set(trustedFields);
const framed: ReadonlySet<string> = new Set(frameFields);

/**
 * Makes the wire event of a host's payload, which is already in wire spelling: the payload's fields of the event's table, with
 * the adapter's frame. Unknown fields are left out; so are trusted ones, which `ignored` names. No value is read: an accessor,
 * function or proxy stays unchanged, and the engine refuses it. A payload that cannot even be listed becomes an event that the
 * engine refuses. Never throws.
 */
export function fromHost(event: string, payload: object, frame: Frame): WireEvent {
  const name = canonicalEvent(event);
  const known = name === undefined ? framed : wireFields(name);
  const wire: Record<string, unknown> & { event: string } = { event };
  const ignored: string[] = [];
  try {
    for (const key of Object.keys(payload)) {
      if (forbidden.has(key)) ignored.push(key);
      else if (known.has(key) && !framed.has(key)) carry(payload, key, wire);
    }
  } catch {
    // Nothing but a hostile object can throw here. A symbol is no data, so the engine refuses the event.
    wire["payload"] = Symbol("unreadable");
  }
  for (const key of Object.keys(frame)) carry(frame, key, wire);
  if (ignored.length > 0) wire["ignored"] = ignored.sort();
  return wire;
}

/** Takes a property over as it is, without reading it: a getter is not run. */
function carry(from: object, key: string, to: object): void {
  const property = Object.getOwnPropertyDescriptor(from, key);
  if (property) Object.defineProperty(to, key, { ...property, configurable: true });
}
