import { validateEvent } from "../schema/validators.generated.js";
import type { Line } from "../store/lines.ts";

/** Content of one line of an event file. */
export interface EventLine {
  /** Events to judge: none for a blank line or an approval, several for `repeat`. */
  readonly events: readonly unknown[];
  /** The reason why the line could not be read as an event; `events` then holds an event that closes. */
  readonly problem?: { readonly code: "HW501" | "HW504"; readonly message: string };
  /** A human's answer to an earlier event that asked. */
  readonly approval?: { readonly of: string; readonly answer: "allow" | "deny"; readonly by: string };
}

/** Reads a line: one JSON object. An absent id becomes the line number. Source: events page. */
export function readEventLine(line: Line): EventLine {
  const id = String(line.number);
  if (!line.bytes) return closed(id, "HW504", "the line is longer than one event may be");
  const text = decode(line.bytes);
  if (text === undefined) return closed(id, "HW501", "the line is not UTF-8");
  if (text.trim() === "") return { events: [] };
  const value = parse(text);
  if (value instanceof Error) return closed(id, "HW501", `the line is not JSON${position(value)}`);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return closed(id, "HW501", "an event must be a JSON object");
  const event = value as Record<string, unknown>;
  if (event["event"] === "approval") return approval(event);
  const placed = withFiles(event);
  if (placed === undefined) return closed(id, "HW501", "`files` stands beside `environment.files`; keep one of them");
  return { events: copies(placed["id"] === undefined ? { ...placed, id } : placed) };
}

/**
 * Returns the event with `files` inside its environment, their place on the wire; examples and suites may write them beside
 * the other fields. Undefined if both exist.
 */
function withFiles(event: Record<string, unknown>): Record<string, unknown> | undefined {
  if (!Object.hasOwn(event, "files")) return event;
  const { files, ...rest } = event;
  const environment = rest["environment"] ?? {};
  if (typeof environment !== "object" || Array.isArray(environment)) return rest;
  return Object.hasOwn(environment, "files") ? undefined : { ...rest, environment: { ...environment, files } };
}

/** Returns the event for an unreadable line: it names nothing, so every engine answers it closed. */
function closed(id: string, code: "HW501" | "HW504", message: string): EventLine {
  return { events: [{ id }], problem: { code, message } };
}

/** Reads an approval, which prints no decision, whether it is valid or not. */
function approval(event: Record<string, unknown>): EventLine {
  if (validateEvent(event)) {
    const by = typeof event["by"] === "string" ? event["by"] : "user";
    return {
      events: [],
      approval: { of: String(event["of"]), answer: event["answer"] === "allow" ? "allow" : "deny", by },
    };
  }
  return {
    events: [],
    problem: { code: "HW501", message: "an approval needs `of` (an event's id) and `answer` (allow or block)" },
  };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** Latest time of a JavaScript date, in milliseconds. */
const endOfTime = 8_640_000_000_000_000;

/** Returns `repeat` copies, each `every` later than the one before. The engine refuses a repeat that does not fit its schema. */
function copies(event: Record<string, unknown>): readonly unknown[] {
  const { repeat, every, ...rest } = event;
  if (repeat === undefined || !validateEvent(event)) return [event];
  const step = stepOf(every);
  const start = typeof rest["time"] === "string" ? Date.parse(rest["time"]) : 0;
  return Array.from({ length: repeat as number }, (_, i) => {
    const time = start + i * step;
    return step > 0 && time <= endOfTime ? { ...rest, time: new Date(time).toISOString() } : rest;
  });
}

function stepOf(every: unknown): number {
  const match = typeof every === "string" ? /^(\d+)(ms|s|m|h)$/.exec(every) : null;
  return match ? Number(match[1]) * (units[match[2] as string] as number) : 0;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error as Error;
  }
}

/** Returns the offset at which the parser stopped. Its message may quote the line, which may hold a secret. */
function position(error: Error): string {
  const at = /at position (\d+)/.exec(error.message)?.[1];
  return at === undefined ? "" : ` (column ${Number(at) + 1})`;
}
