import type { ActionCode, ActionContext, Payload } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { MessageMemo } from "./message-memo.ts";
import { field, text } from "./parameters.ts";

/** Marker of `truncate` where none is given. */
export const defaultMarker = "[… {omitted} of {total} characters left out]";

interface Truncation {
  readonly max: number;
  readonly keep: "head" | "tail" | "both";
  readonly marker: string;
}

/**
 * Shortens each text part of a result, and of messages that `where` holds for (by default those of role
 * `tool_result`), to `max_chars` code points. The marker says by how much and counts within, so a shortened text
 * is never shortened again. Source: semantics section 2; seed omp-authoring-hooks, context filter.
 */
export const truncate: ActionCode = {
  name: "truncate",
  kind: "transform",
  transform: (payload, parameters, context) => {
    const how = read(parameters);
    if (!how) return new EvaluationError("HW502", "`max_chars` of `truncate` is no number");
    const content = payload.content && parts(payload.content, how);
    const messages =
      payload.messages && truncateMessages(payload.messages, how, field(parameters, "where") !== undefined, context);
    if (messages instanceof EvaluationError) return messages;
    if (content === payload.content && messages === payload.messages) return payload;
    return { ...payload, ...(content && { content }), ...(messages && { messages }) } satisfies Payload;
  },
};

function read(parameters: unknown): Truncation | undefined {
  const max = field(parameters, "max_chars");
  const keep = text(parameters, "keep");
  if (typeof max !== "number" || !(max >= 1)) return undefined;
  const marker = text(parameters, "marker") ?? defaultMarker;
  return {
    max: Math.floor(max),
    keep: keep === "tail" || keep === "both" ? keep : "head",
    marker: marker.includes("{omitted}") ? marker : `${marker} ({omitted} of {total} characters)`,
  };
}

function truncateMessages(
  messages: readonly unknown[],
  how: Truncation,
  conditioned: boolean,
  context: ActionContext,
): readonly unknown[] | EvaluationError {
  let copy: unknown[] | undefined;
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i];
    const wanted = conditioned ? context.test("where", message) : isToolResult(message);
    if (wanted instanceof EvaluationError) return wanted;
    const next = wanted ? truncateMessage(message, how) : message;
    if (next === message) continue;
    copy ??= [...messages];
    copy[i] = next;
  }
  return copy ?? messages;
}

/** Role `tool_result` by its name and the names that hosts give it. */
function isToolResult(message: unknown): boolean {
  const role = text(message, "role");
  return role === "tool_result" || role === "tool" || role === "toolResult";
}

const shortened = new MessageMemo<unknown>();

/** Shortens the `content` (text or parts) and the `text` of a message; the result for a known message is reused. */
function truncateMessage(message: unknown, how: Truncation): unknown {
  const key = `${how.max} ${how.keep} ${how.marker}`;
  const known = shortened.find(message, key);
  if (known) return known.value;
  const made = shortenedMessage(message, how);
  shortened.keep(message, key, made);
  return made;
}

function shortenedMessage(message: unknown, how: Truncation): unknown {
  const changes: Record<string, unknown> = {};
  for (const name of ["content", "text"]) {
    const value = field(message, name);
    const next = typeof value === "string" ? shorten(value, how) : Array.isArray(value) ? parts(value, how) : value;
    if (next !== value) changes[name] = next;
  }
  return Object.keys(changes).length === 0 ? message : { ...(message as object), ...changes };
}

/** Content parts with their texts shortened; the list itself when none was too long. */
function parts(content: readonly unknown[], how: Truncation): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < content.length; i++) {
    const next = part(content[i], how);
    if (next === content[i]) continue;
    copy ??= [...content];
    copy[i] = next;
  }
  return copy ?? content;
}

/** Shortens a part that is text, contains text, or contains parts (a tool result inside a message). */
function part(value: unknown, how: Truncation): unknown {
  if (typeof value === "string") return shorten(value, how);
  const own = text(value, "text");
  if (own !== undefined) {
    const next = shorten(own, how);
    return next === own ? value : { ...(value as object), text: next };
  }
  const inner = field(value, "content");
  const next =
    typeof inner === "string"
      ? shorten(inner, how)
      : Array.isArray(inner)
        ? inner.map((item) => leaf(item, how))
        : inner;
  const changed = Array.isArray(next) ? next.some((item, i) => item !== (inner as unknown[])[i]) : next !== inner;
  return changed ? { ...(value as object), content: next } : value;
}

/** A text part inside a part. */
function leaf(value: unknown, how: Truncation): unknown {
  const own = text(value, "text");
  const next = own === undefined ? undefined : shorten(own, how);
  return next === own ? value : { ...(value as object), text: next };
}

/** Cuts a text to `max` code points, including the marker and its line break. */
function shorten(whole: string, how: Truncation): string {
  // No text has more code points than UTF-16 units.
  if (whole.length <= how.max) return whole;
  const total = countCodePoints(whole);
  if (total <= how.max) return whole;
  const breaks = how.keep === "both" ? 2 : 1;
  let marker = fill(how.marker, total, total);
  let room = Math.max(0, how.max - countCodePoints(marker) - breaks);
  marker = fill(how.marker, total - room, total);
  // The first marker had the most digits; where the second is shorter, the room it leaves is not used.
  if (room === 0) return head(marker, how.max);
  room = Math.min(room, how.max - countCodePoints(marker) - breaks);
  if (how.keep === "head") return `${head(whole, room)}\n${marker}`;
  if (how.keep === "tail") return `${marker}\n${tail(whole, room)}`;
  return `${head(whole, Math.ceil(room / 2))}\n${marker}\n${tail(whole, Math.floor(room / 2))}`;
}

function fill(marker: string, omitted: number, total: number): string {
  return marker.replaceAll("{omitted}", String(omitted)).replaceAll("{total}", String(total));
}

/** A text without surrogates has as many code points as UTF-16 units, and this test is much faster than counting. */
const surrogate = /[\ud800-\udfff]/;

function countCodePoints(value: string): number {
  if (!surrogate.test(value)) return value.length;
  let count = value.length;
  for (let at = 0; at < value.length; at++) if ((value.codePointAt(at) as number) > 0xffff) count -= 1;
  return count;
}

/** The first code points of a text. */
function head(value: string, count: number): string {
  if (!surrogate.test(value)) return value.slice(0, count);
  let at = 0;
  for (let left = count; left > 0 && at < value.length; left--)
    at += (value.codePointAt(at) as number) > 0xffff ? 2 : 1;
  return value.slice(0, at);
}

/** The last code points of a text. */
function tail(value: string, count: number): string {
  if (!surrogate.test(value)) return value.slice(Math.max(0, value.length - count));
  let at = value.length;
  for (let left = count; left > 0 && at > 0; left--)
    at -= at > 1 && (value.codePointAt(at - 2) as number) > 0xffff ? 2 : 1;
  return value.slice(at);
}
