import { spend, spendText, unitsLeft } from "../../facts/meter.ts";
import { DigestCache } from "../../facts/secrets/cache.ts";
import { findNamed } from "../../facts/secrets/edits.ts";
import type { Scanner } from "../../facts/secrets/scan.ts";
import { createScanner, unscannedId } from "../../facts/secrets/scan.ts";
import { type FindPlaces, isJson, jsonEdits, plainEdits } from "../../facts/text/edit.ts";
import { type Edit, splice } from "../../facts/text/splice.ts";
import { type Mapped, type MapText, mapTexts, type WalkOptions } from "../../facts/text/walk.ts";
import { limits } from "../../schema/limits.ts";
import type { ActionCode, Payload, Pseudonym, RegexEngine } from "../../schema/ports.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { MessageMemo } from "./message-memo.ts";
import { field, text, texts } from "./parameters.ts";
import { QuietTexts } from "./record-quiet.ts";
import { selectRedaction } from "./redact-detectors.ts";
import { withoutMedia } from "./redact-media.ts";
import { compilePatterns, inside, type Patterns, patternEdits, writtenSpans } from "./redact-patterns.ts";
import { isSettled } from "./redact-settled.ts";
import { forgedTokens, tokenOf, tokenSpans } from "./redact-tokens.ts";
import { type Untrusted, untrustedEdits, untrustedOf } from "./redact-untrusted.ts";
import { type NamedSecrets, noSecrets } from "./redact-values.ts";

export { replacementParts } from "./redact-patterns.ts";

/** Parameters made ready once for each plan and engine. */
interface Redaction {
  /** Number among the redactions of one action code. */
  readonly id: number;
  readonly engine: RegexEngine;
  /** Notes for the record on known values that cannot be searched for. */
  readonly notes: readonly string[];
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

/** Names of structure: a pattern must not turn a message of one role into another's. Detectors look at them too. */
const structural: ReadonlySet<string> = new Set(["role", "type"]);

/** Redacting may bring two texts together that are a find only then; it is repeated until nothing more is found. */
const maxPasses = 16;

/** From this pass on, all odd characters are removed, so that later passes need no context. */
const strictFrom = 4;

/** Shorter texts are read as fast as they are remembered. */
const leastRemembered = 64;

/** Longest text that is cached as unchanged, including the data on which that depends, in UTF-16 units. */
const rememberedShort = 192;

/** Size that a remembered text is counted with besides its own, in UTF-16 units. */
const entryWeight = 256;

/** A past message's text after redaction (undefined where nothing changed), and the work that it took, in units. */
interface PastText {
  readonly redacted: string | undefined;
  readonly work: number;
}

/** Texts of past messages, redacted. */
type History = DigestCache<PastText>;

/**
 * Replaces what detectors and patterns find in all text of the payload, deep in structures and in their keys, and makes
 * untrusted text show what it holds. JSON text stays JSON. Redacting twice changes nothing more. An unknown detector, a
 * refused pattern, text over `limits.scanLength` or that takes too much work, or a payload over its bounds is an error
 * value (HW507, HW504), which closes the event. `secrets` are the values that rules name. With `digestOf`, a text of a
 * message that comes again is not scanned again in the same session. Source: semantics sections 2 and 5, threats sections
 * 5.3 and 6.
 */
export function createRedact(secrets: NamedSecrets = noSecrets, digestOf?: (text: string) => string): ActionCode {
  const made = new WeakMap<object, Redaction>();
  const history: History = new DigestCache({ maxEntries: 65_536, maxWeight: limits.redactedHistory });
  const messages: Memory["messages"] = new MessageMemo();
  const short = new QuietTexts(rememberedShort);
  let count = 0;
  const redactionOf = (parameters: unknown, engine: RegexEngine): Redaction | EvaluationError => {
    const holder = typeof parameters === "object" && parameters !== null ? parameters : undefined;
    const known = holder && made.get(holder);
    if (known && known.engine === engine) return known;
    const redaction = prepare(parameters, engine, secrets, count++);
    if (holder && !(redaction instanceof EvaluationError)) made.set(holder, redaction);
    return redaction;
  };
  return {
    name: "redact",
    kind: "transform",
    transform: (payload, parameters, context) => {
      const redaction = redactionOf(parameters, context.regex);
      if (redaction instanceof EvaluationError) return redaction;
      for (const note of redaction.notes) context.ignored(note);
      return new Run(redaction, context.pseudonym, digestOf && { history, messages, short, digestOf }).payload(payload);
    },
  };
}

/** The action without any value of a plan, and without a memory. */
export const redact: ActionCode = createRedact();

interface Memory {
  readonly history: History;
  /** Messages after one redaction, with the number of text units searched. */
  readonly messages: MessageMemo<{ readonly value: unknown; readonly length: number; readonly work: number }>;
  /** Short texts that were left as they are: names of fields and most of their values are the same in every event. */
  readonly short: QuietTexts;
  readonly digestOf: (text: string) => string;
}

/** One redaction of one payload. */
class Run {
  readonly #redaction: Redaction;
  readonly #pseudonym: Pseudonym;
  readonly #memory: Memory | undefined;
  #session: string | undefined;
  #left: number = limits.scanLength;
  #error: EvaluationError | undefined;

  constructor(redaction: Redaction, pseudonym: Pseudonym, memory: Memory | undefined) {
    this.#redaction = redaction;
    this.#pseudonym = pseudonym;
    this.#memory = memory;
  }

  payload(payload: Payload): Payload | EvaluationError {
    const changes: Record<string, unknown> = {};
    for (const name of places) {
      const value = payload[name];
      if (value === undefined || value === null) continue;
      const mapped =
        name === "messages" ? this.#messages(value as readonly unknown[]) : this.#mapped(value, name, name);
      if (mapped instanceof EvaluationError) return mapped;
      if (this.#error) return this.#error;
      if (mapped.changed) changes[name] = mapped.value;
    }
    return Object.keys(changes).length === 0 ? payload : { ...payload, ...changes };
  }

  #mapped(value: unknown, name: (typeof places)[number], root: string): Mapped | EvaluationError {
    const shaped = isHosts(name);
    const map: MapText = (part, where, key) =>
      this.#text(part, where, key, !(shaped && key !== undefined && structural.has(key)));
    return mapTexts(value, map, { ...this.#walk(name), root });
  }

  /** Redacts each message separately, because most of them were already redacted one turn ago. */
  #messages(messages: readonly unknown[]): Mapped | EvaluationError {
    const { id, fields } = this.#redaction;
    // A field may name a message by its place, which is not its for ever.
    const memo = fields.some((name) => name.includes("[")) ? undefined : this.#memory?.messages;
    this.#session ??= this.#pseudonym("history") ?? "";
    const key = `${id} ${this.#session}`;
    let copy: unknown[] | undefined;
    // By index: a conversation is long, and comes at every turn.
    for (let i = 0; i < messages.length; i++) {
      const message = messages[i];
      const known = memo?.find(message, key)?.value;
      const before = this.#left;
      const work = unitsLeft();
      // A remembered message costs the work of its first redaction, so that remembering changes no answer.
      if (known) spend(known.work);
      if (known) this.#left -= known.length;
      if (known && this.#left < 0) this.#tooLong();
      const mapped = known ?? this.#mapped(message, "messages", `messages[${i}]`);
      if (mapped instanceof EvaluationError) return mapped;
      if (this.#error) return { value: messages, changed: false };
      if (!known)
        memo?.keep(message, key, { value: mapped.value, length: before - this.#left, work: work - unitsLeft() });
      if (mapped.value === message) continue;
      copy ??= [...messages];
      copy[i] = mapped.value;
    }
    return { value: copy ?? messages, changed: copy !== undefined };
  }

  /**
   * Returns how a field is walked. Keys of arguments belong to the tool, those of messages and content to the host: detectors
   * search them, but a pattern such as `text` must not rename them. Keys of details are text like any other. In numbers
   * only the finds of detectors are redacted.
   */
  #walk(root: (typeof places)[number]): WalkOptions {
    const own = root === "args" || isHosts(root);
    const { blocksMedia } = this.#redaction;
    return {
      root,
      keys: own ? (key, where) => this.#text(key, where, undefined, false) : true,
      numbers: (digits, where) => this.#text(digits, where, undefined, false),
      ...(blocksMedia && { part: (value, where) => (this.#wants(where) ? withoutMedia(value) : value) }),
    };
  }

  /** True if the action applies to a place. */
  #wants(where: string): boolean {
    const { fields } = this.#redaction;
    return fields.length === 0 || fields.some((name) => covers(name, where));
  }

  #text(original: string, where: string, key: string | undefined, patterns: boolean): string {
    if (this.#error || !this.#wants(where)) return original;
    this.#left -= original.length;
    if (this.#left < 0) return this.#tooLong();
    if (original.length < leastRemembered) return this.#short(original, key, patterns);
    const memory = where.startsWith("messages") ? this.#memory : undefined;
    // A digest is of UTF-8, which has no lone surrogates.
    if (!memory || !(original as string & { isWellFormed(): boolean }).isWellFormed())
      return this.#settled(original, key, patterns);
    this.#session ??= this.#pseudonym("history") ?? "";
    spendText(original.length * 2);
    const digest = JSON.stringify([memory.digestOf(original), key ?? "", patterns, this.#redaction.id, this.#session]);
    const remembered = memory.history.find(digest)?.value;
    if (remembered) {
      spend(remembered.work);
      return remembered.redacted ?? original;
    }
    const left = unitsLeft();
    const redacted = this.#settled(original, key, patterns);
    const made = { redacted: redacted === original ? undefined : redacted, work: left - unitsLeft() };
    if (!this.#error) memory.history.keep(digest, made, (made.redacted?.length ?? 0) + entryWeight);
    return redacted;
  }

  /** Redacts a short text. It is skipped if it was unchanged before, under the same name and in the same session. */
  #short(original: string, key: string | undefined, patterns: boolean): string {
    const memory = this.#memory?.short;
    if (!memory) return this.#settled(original, key, patterns);
    this.#session ??= this.#pseudonym("history") ?? "";
    // Lengths say where each part ends, so that no two of them are one text.
    const named = key === undefined ? "" : `${key.length}:${key}`;
    const of = `${this.#redaction.id} ${patterns} ${this.#session} ${named} ${original}`;
    if (memory.has(of)) return original;
    const left = unitsLeft();
    const redacted = this.#settled(original, key, patterns);
    if (redacted === original && !this.#error) memory.add(of, left - unitsLeft());
    return redacted;
  }

  /** The text redacted until nothing more is found in it. */
  #settled(original: string, key: string | undefined, patterns: boolean): string {
    let current = original;
    for (let pass = 0; pass < maxPasses; pass++) {
      const strict = pass >= strictFrom;
      spendText(current.length);
      const find = (part: string, name: string | undefined, across: boolean): readonly Edit[] =>
        this.#edits(part, name, across, patterns, strict);
      const json = isJson(current);
      const places = this.#places(patterns);
      const edits = json ? jsonEdits(current, find, places) : plainEdits(current, find, key, places);
      const next = splice(current, edits);
      if (next === current || this.#error) return next;
      if (!json && !isJson(next) && this.#onlyScans(patterns) && isSettled(this.#redaction.scanner, next, edits))
        return next;
      current = next;
    }
    return this.#fail(`text still changes after it was redacted ${maxPasses} times`);
  }

  /** True if only detectors of secrets search a text: their finds depend only on the text near them. */
  #onlyScans(patterns: boolean): boolean {
    return !(patterns && this.#redaction.patterns.list.length > 0) && this.#redaction.untrusted.kinds.size === 0;
  }

  /** Returns a function that finds places of possible finds in JSON text; undefined where every string must be searched. */
  #places(patterns: boolean): FindPlaces | undefined {
    const { scanner } = this.#redaction;
    if (!scanner || !this.#onlyScans(patterns)) return undefined;
    return (json) => {
      const tokens = tokenSpans(json).map(({ start }) => start);
      const places = scanner.places(json);
      return tokens.length === 0 ? places : [...places, ...tokens].sort((a, b) => a - b);
    };
  }

  #tooLong(): string {
    return this.#fail(`text is longer than ${limits.scanLength} characters and was not scanned`);
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
    const findings = findNamed(scanner, part, key);
    if (findings[0]?.detector === unscannedId) {
      this.#fail("text holds too much that looks like the beginning of a secret and was not scanned");
      return [];
    }
    const found = findings.map(({ start, end, detector }) => ({
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

/** True for fields whose parts are shaped by the host. */
function isHosts(root: (typeof places)[number]): boolean {
  return root === "content" || root === "messages" || root === "images";
}

/** True if a dotted place lies at or beneath a field of the policy; `result.` and `input.` before it are optional. */
function covers(given: string, where: string): boolean {
  const name = given.replace(/^(?:result\.|input\.(?=text))/, "");
  return where === name || (where.startsWith(name) && /^[.[]/.test(where.slice(name.length)));
}

function prepare(
  parameters: unknown,
  engine: RegexEngine,
  secrets: NamedSecrets,
  id: number,
): Redaction | EvaluationError {
  const { scanned, text: kinds, unknown } = selectRedaction(texts(parameters, "detectors"));
  if (unknown.length > 0) return new EvaluationError("HW507", `unknown detector \`${unknown[0]}\``);
  const { known, notes } = secrets.of(parameters);
  const scanner = scanned.length + known.length > 0 ? createScanner(engine, scanned, { known }) : undefined;
  if (scanner?.kind === "unknown_detectors") return new EvaluationError("HW507", "unknown detectors");
  const patterns = compilePatterns(field(parameters, "patterns"), engine);
  if (patterns instanceof EvaluationError) return patterns;
  return {
    id,
    engine,
    notes,
    scanner,
    patterns,
    untrusted: untrustedOf(kinds, text(parameters, "characters") === "mark" ? "mark" : "strip"),
    fields: texts(parameters, "fields"),
    blocksMedia: text(parameters, "images") === "block",
  };
}
