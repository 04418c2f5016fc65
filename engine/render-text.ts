import { Approximation, shownPath, shownText, shownUrl } from "../schema/approximation.ts";
import type { PathValue, UrlValue } from "../schema/facts.ts";
import { limits } from "../schema/limits.ts";
import { type Captured, Double, Duration, EvaluationError, Timestamp, type Value } from "../schema/ports.ts";
import { isPartlyKnown } from "./graded-values.ts";
import type { Frame } from "./link.ts";
import type { LinkedTemplate } from "./link-plan.ts";
import { reservedSlots } from "./plan.ts";
import type { UnsureMatch } from "./stance.ts";

/**
 * Renders a reason, guidance or injected text. Interpolated values are masked by the detectors, quoted as data, cut to a bound
 * and free of control characters; an error becomes `(unavailable)` (semantics section 2).
 */
export function renderText(template: LinkedTemplate, frame: Frame, mask: (text: string) => string): string {
  if (frame.match) bindMatch(frame, frame.match, mask);
  return template.map((part) => (typeof part === "string" ? part : interpolated(part(frame), mask))).join("");
}

/**
 * Returns a template's value for a payload: complete, neither masked nor escaped. A single expression keeps its type; within a
 * text every value must be text or a number. An error is an error value, never a placeholder.
 */
export function templateValue(template: LinkedTemplate, frame: Frame): unknown {
  if (frame.match) bindMatch(frame, frame.match, (text) => text);
  const [only] = template;
  if (template.length === 1 && typeof only === "function") return plainValue(only(frame));
  let text = "";
  for (const part of template) {
    const value = typeof part === "string" ? part : plainValue(part(frame));
    if (value instanceof EvaluationError) return value;
    if (typeof value !== "string" && typeof value !== "number") return notText;
    text += value;
  }
  return text;
}

const notText = new EvaluationError("HW502", "only text and numbers can be put into a text");

const notKnown = new EvaluationError("HW502", "a value that is not known cannot stand in an argument");

/** A value as arguments hold it; paths and URLs as they were written. */
function plainValue(value: Value | EvaluationError): unknown {
  if (value instanceof Double) return value.value;
  if (isPartlyKnown(value)) return notKnown;
  if (value instanceof EvaluationError || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value;
  return plainText(value) ?? new EvaluationError("HW502", "this value cannot stand in an argument");
}

/**
 * Puts the groups of a match into the slot that texts read; null for a group that took no part. A group that is part of a secret
 * may escape the detectors alone: it is null too, unless the masked whole text still contains it.
 */
function bindMatch(frame: Frame, { text = "", groups }: Captured, mask: (text: string) => string): void {
  const masked = groups ? mask(text) : "";
  // Without groups the slot holds null, which has neither items nor a text, and not what a macro left there.
  frame.slots[reservedSlots.match] =
    groups?.map((group) => (group !== undefined && masked.includes(mask(group)) ? group : null)) ?? null;
}

function interpolated(value: Value | EvaluationError, mask: (text: string) => string): string {
  if (value instanceof EvaluationError) return "(unavailable)";
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (value instanceof Double) return String(value.value);
  if (value instanceof Timestamp) return new Date(value.seconds * 1000).toISOString();
  if (value instanceof Duration) return `${value.seconds}s`;
  const text = plainText(value);
  return text === undefined ? "(unavailable)" : `"${escape(cut(mask(text)))}"`;
}

/** Returns an unknown part of a match as people see it: masked, bounded, free of invisible characters. */
export function shownUnknown(text: string, mask: (text: string) => string): string {
  return escape(cut(mask(text)));
}

/** Returns a reason with a note at its end if it is unsure whether the rule applies; what the reason names is not named again. */
export function withUnsureNote(
  reason: string,
  unsure: UnsureMatch | undefined,
  mask: (text: string) => string,
): string {
  if (!unsure) return reason;
  const shown = unsure.unknown.map((text) => shownUnknown(text, mask));
  const parts = shown.join(", ") || "part of the call";
  if (unsure.grade === "all") return `${reason} (of several: ${parts})`;
  if (unsure.grade !== "open") return `${reason} (not all is known: ${parts})`;
  const named = shown.length > 0 && shown.every((part) => reason.includes(part));
  return `${reason} ${named ? "(not certain: what ⟨…⟩ stands for is not known)" : `(not certain: it depends on ${parts})`}`;
}

function plainText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof Approximation) return shownText(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return value.map(listed).join(", ");
  const kind = Object.hasOwn(value, "kind") ? (value as { kind: unknown }).kind : undefined;
  if (kind === "path") return shownPath(value as PathValue, "lexical");
  if (kind === "url") return shownUrl(value as UrlValue);
  if (Object.hasOwn(value, "text") && typeof (value as { text: unknown }).text === "string")
    return (value as { text: string }).text;
  return undefined;
}

function listed(item: unknown): string {
  return plainText(item) ?? (item === null ? "(unavailable)" : String(item));
}

function cut(text: string): string {
  if (text.length <= limits.interpolated) return text;
  const end = limits.interpolated - 1;
  const splits = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return `${text.slice(0, splits ? end - 1 : end)}…`;
}

/** Quotes, backslashes, control, invisible and bidirectional characters as escapes. */
function escape(text: string): string {
  return text.replace(
    /["\\\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu,
    (c) =>
      c === '"' || c === "\\"
        ? `\\${c}`
        : c === "\n"
          ? "\\n"
          : c === "\t"
            ? "\\t"
            : `\\u{${(c.codePointAt(0) as number).toString(16)}}`,
  );
}
