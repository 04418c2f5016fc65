import { findNamed } from "../../facts/secrets/edits.ts";
import type { Scanner } from "../../facts/secrets/scan.ts";
import { createScanner } from "../../facts/secrets/scan.ts";
import { editText } from "../../facts/text/edit.ts";
import type { Edit } from "../../facts/text/splice.ts";
import { mapTexts, type WalkOptions } from "../../facts/text/walk.ts";
import { limits } from "../../schema/limits.ts";
import type { ActionCode, Payload, Pseudonym, RegexEngine } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { field, text, texts } from "./parameters.ts";
import { selectRedaction } from "./redact-detectors.ts";
import { withoutMedia } from "./redact-media.ts";
import { compilePatterns, inside, type Patterns, patternEdits, writtenSpans } from "./redact-patterns.ts";
import { forgedTokens, tokenOf } from "./redact-tokens.ts";
import { type Untrusted, untrustedEdits, untrustedOf } from "./redact-untrusted.ts";

export { replacementParts } from "./redact-patterns.ts";

/** Parameters made ready once for each plan and engine. */
interface Redaction {
  readonly engine: RegexEngine;
  readonly scanner: Scanner | undefined;
  readonly patterns: Patterns;
  readonly untrusted: Untrusted;
  readonly fields: readonly string[];
  readonly blocksMedia: boolean;
}

/** Fields in which text may stand, in payload order. */
const places = [
  "args",
  "content",
  "details",
  "structured",
  "messages",
  "prompt",
  "system_prompt",
  "text",
  "images",
  "command",
  "code",
] as const;

/** Names of structure, not of text: a pattern must not turn a message of one role into another's. */
const structural: ReadonlySet<string> = new Set(["role", "type"]);

/** Redacting may bring two texts together that are a find only then; it is repeated until nothing more is found. */
const maxPasses = 16;

/** From this pass on, odd characters go wherever they stand: what is left of them depends on nothing beside it. */
const strictFrom = 4;

const made = new WeakMap<object, Redaction>();

/**
 * Replaces what detectors and patterns find in all text of the payload, deep in structures and in their keys, and makes
 * untrusted text show what it holds. JSON text stays JSON. Redacting twice changes nothing more. An unknown detector, a
 * refused pattern, text over `limits.scanLength` or a payload over its bounds is an error value (HW507, HW504), which
 * closes the event. Source: semantics sections 2 and 5, threats sections 5.3 and 6.
 */
export const redact: ActionCode = {
  name: "redact",
  kind: "transform",
  transform: (payload, parameters, context) => {
    const redaction = prepare(parameters, context.regex);
    if (redaction instanceof EvaluationError) return redaction;
    return new Run(redaction, context.pseudonym).payload(payload);
  },
};

/** One redaction of one payload. */
class Run {
  readonly #redaction: Redaction;
  readonly #pseudonym: Pseudonym;
  #left: number = limits.scanLength;
  #error: EvaluationError | undefined;

  constructor(redaction: Redaction, pseudonym: Pseudonym) {
    this.#redaction = redaction;
    this.#pseudonym = pseudonym;
  }

  payload(payload: Payload): Payload | EvaluationError {
    const changes: Record<string, unknown> = {};
    for (const name of places) {
      const value = payload[name];
      if (value === undefined || value === null) continue;
      const mapped = mapTexts(value, (part, where, key) => this.#text(part, where, key, true), this.#walk(name));
      if (mapped instanceof EvaluationError) return mapped;
      if (this.#error) return this.#error;
      if (mapped.changed) changes[name] = mapped.value;
    }
    return Object.keys(changes).length === 0 ? payload : { ...payload, ...changes };
  }

  /**
   * How a field is walked. Keys of arguments belong to the tool, those of messages and content to the host: detectors
   * look at them, but a pattern such as `text` must not rename them. Keys of details are text as any other.
   */
  #walk(root: (typeof places)[number]): WalkOptions {
    const own = root === "args" || root === "content" || root === "messages" || root === "images";
    const { blocksMedia } = this.#redaction;
    return {
      root,
      keys: own ? (key, where) => this.#text(key, where, undefined, false) : true,
      ...(own && root !== "args" && { skip: structural }),
      ...(blocksMedia && { part: (value, where) => (this.#wants(where) ? withoutMedia(value) : value) }),
    };
  }

  /** True if a place is among those that the action is limited to. */
  #wants(where: string): boolean {
    const { fields } = this.#redaction;
    return fields.length === 0 || fields.some((name) => covers(name, where));
  }

  #text(original: string, where: string, key: string | undefined, patterns: boolean): string {
    if (this.#error || !this.#wants(where)) return original;
    this.#left -= original.length;
    if (this.#left < 0) return this.#fail(`text is longer than ${limits.scanLength} characters and was not scanned`);
    let current = original;
    for (let pass = 0; pass < maxPasses; pass++) {
      const next = editText(
        current,
        (part, name, across) => this.#edits(part, name, across, patterns, pass >= strictFrom),
        key,
      );
      if (next === current || this.#error) return next;
      current = next;
    }
    return this.#fail(`text still changes after it was redacted ${maxPasses} times`);
  }

  #fail(message: string): string {
    this.#error ??= new EvaluationError("HW507", message);
    return "";
  }

  #edits(
    part: string,
    key: string | undefined,
    across: boolean,
    withPatterns: boolean,
    strict: boolean,
  ): readonly Edit[] {
    const { scanner, patterns, untrusted } = this.#redaction;
    if (!across && untrusted.kinds.size > 0) {
      const found = untrustedEdits(part, untrusted, this.#pseudonym, strict);
      if (found instanceof EvaluationError) this.#error ??= found;
      else if (found.length > 0) return found;
    }
    const found = scanner ? this.#found(scanner, part, key, across) : [];
    return withPatterns && patterns.list.length > 0 ? patternEdits(part, found, patterns) : found;
  }

  /** Findings as tokens, and escapes of tokens that content made up. */
  #found(scanner: Scanner, part: string, key: string | undefined, across: boolean): Edit[] {
    const found = findNamed(scanner, part, key).map(({ start, end, detector }) => ({
      start,
      end,
      text: tokenOf(detector, part.slice(start, end), this.#pseudonym),
    }));
    const forged = across ? [] : forgedTokens(part, this.#pseudonym);
    if (forged.length === 0) return found;
    const written = writtenSpans(part, this.#redaction.patterns.written, false);
    const strange = forged.filter((edit) => !inside(written, edit) && !inside(found, edit));
    return [...found, ...strange].sort((a, b) => a.start - b.start);
  }
}

/** True if a dotted place lies at or beneath a field of the policy; `result.` and `input.` before it are optional. */
function covers(given: string, where: string): boolean {
  const name = given.replace(/^(?:result\.|input\.(?=text))/, "");
  return where === name || (where.startsWith(name) && /^[.[]/.test(where.slice(name.length)));
}

function prepare(parameters: unknown, engine: RegexEngine): Redaction | EvaluationError {
  const holder = typeof parameters === "object" && parameters !== null ? parameters : undefined;
  const known = holder && made.get(holder);
  if (known && known.engine === engine) return known;
  const { scanned, text: kinds, unknown } = selectRedaction(texts(parameters, "detectors"));
  if (unknown.length > 0) return new EvaluationError("HW507", `unknown detector \`${unknown[0]}\``);
  const scanner = scanned.length > 0 ? createScanner(engine, scanned) : undefined;
  if (scanner?.kind === "unknown_detectors") return new EvaluationError("HW507", "unknown detectors");
  const patterns = compilePatterns(field(parameters, "patterns"), engine);
  if (patterns instanceof EvaluationError) return patterns;
  const redaction: Redaction = {
    engine,
    scanner,
    patterns,
    untrusted: untrustedOf(kinds, text(parameters, "characters") === "mark" ? "mark" : "strip"),
    fields: texts(parameters, "fields"),
    blocksMedia: text(parameters, "images") === "block",
  };
  if (holder) made.set(holder, redaction);
  return redaction;
}
