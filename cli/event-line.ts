import { copies } from "../authoring/event-copies.ts";
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
  const given = value as Record<string, unknown>;
  if (given["event"] === "approval") return approval(given);
  const placed = withFiles(given);
  if (placed === undefined) return closed(id, "HW501", "`files` stands beside `environment.files`; keep one of them");
  const event = placed["id"] === undefined ? { ...placed, id } : placed;
  return { events: validateEvent(event) ? copies(event) : [event] };
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
