import type { Approximation, Unsure } from "./approximation.ts";
import type { Declarations } from "./declarations.ts";
import type { FactSet } from "./facts.ts";
import type { FileSystem } from "./files.ts";
import type { AuditBody, AuditSeal, RecordedProgram } from "./generated.ts";
import type { JudgedEvent } from "./judged-event.ts";
import type { SessionView } from "./session.ts";
import type { TreeVocabulary } from "./trees.ts";

export type { Entry, FileSystem, Listing } from "./files.ts";

/** A match: `start` and `end` are UTF-16 offsets; `groups[0]` is the whole match, absent groups are undefined. */
export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

/** A compiled RE2 pattern. Linear time in the text. */
export interface Regex {
  readonly pattern: string;
  test(text: string): boolean;
  /** First match at or after `from`. */
  exec(text: string, from?: number): RegexMatch | undefined;
  /**
   * All matches, left to right, not overlapping; an empty match moves on by one code point. `onMatch` is called for each before
   * the next is searched for.
   */
  matches(text: string, onMatch?: (match: RegexMatch) => void): RegexMatch[];
}

/** Why a pattern was refused, as a value. */
export interface RegexError {
  readonly kind: "regex_error";
  readonly message: string;
  /** Offsets of the offending part in the pattern, when known: its first character, and behind its last. */
  readonly offset?: number;
  readonly end?: number;
}

/** The one door to regular expressions: RE2 syntax only. Source: libraries page, "re2". */
export interface RegexEngine {
  readonly name: "re2" | "re2js";
  readonly version: string;
  compile(
    pattern: string,
    flags?: { readonly ignoreCase?: boolean; readonly multiline?: boolean; readonly dotAll?: boolean },
  ): Regex | RegexError;
}

/** Facts about one event payload. `versions` names the fact tables, for plans and audit records. */
export interface Facts {
  readonly versions: Readonly<Record<string, string>>;
  /**
   * `share` is how much of the work that facts may take these may: less than 1 where there are others of the same event.
   * `declared` are the programs and tools that the policies of the plan declare.
   */
  of(event: JudgedEvent, files: FileSystem, share?: number, declared?: Declarations): FactSet;
}

/** An evaluation error as a value. It becomes the closed outcome; it is never thrown. */
export class EvaluationError {
  readonly code: "HW502" | "HW503" | "HW504" | "HW505" | "HW507" | "HW513" | "HW514" | "HW516";
  readonly message: string;
  constructor(code: EvaluationError["code"], message: string) {
    this.code = code;
    this.message = message;
  }
}

/** An integral double. A JavaScript number is an int when integral, else a double (language section 3). */
export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** Seconds and nanoseconds since the epoch; nanoseconds 0 to 999,999,999. */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

/** A signed span of time; both parts carry the sign. */
export class Duration {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos = 0) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

/** An optional as a value; `value` undefined means none. */
export class Optional {
  readonly value: Value | undefined;
  constructor(value?: Value) {
    this.value = value;
  }
}

/** Anything a condition can hold. Maps are plain objects (string keys) or `Map` (other keys). */
export type Value =
  | null
  | boolean
  | number
  | string
  | Double
  | Timestamp
  | Duration
  | Optional
  | Approximation
  | Unsure
  | readonly Value[]
  | ReadonlyMap<Value, Value>
  | { readonly [key: string]: unknown };

/** Which forms of a path must hold: any of lexical and real (block, ask, label), or all (allow, unless, exceptions). */
export type Forms = "any" | "all";

/**
 * The first match of a `matches` that held while a condition was evaluated: its groups (0 is the whole match) and their text;
 * both absent while none has held.
 */
export interface Captured {
  text?: string;
  groups?: readonly (string | undefined)[];
}

/** Context that a function's code may read. */
export interface CallContext {
  readonly event: JudgedEvent;
  readonly facts: FactSet;
  readonly files: FileSystem;
  readonly regex: RegexEngine;
  readonly forms: Forms;
  /** True where the test loosens or is negated; see `Approximation.loose`. */
  readonly loosens?: boolean;
  /** The session so far; absent where none is kept. */
  readonly session: SessionView;
  /** Receives the groups of `matches`; present only while they are collected for a text that cites them. */
  readonly captured?: Captured;
}

/**
 * One overload of a function or operator. `run` gets evaluated arguments (never errors) and returns a value or an error value.
 * `prepare`, if there, is called once at link time with the arguments that are constants (undefined for others) and
 * returns the code to run, so that a constant pattern is compiled once.
 */
export interface FunctionCode {
  readonly id: string;
  run(args: readonly Value[], context: CallContext): Value | EvaluationError;
  /** Answers from the first argument alone, if it can; the others are then not evaluated (`orValue` and `or` of CEL). */
  decide?(first: Value): Value | undefined;
  prepare?(constants: readonly (Value | undefined)[], regex: RegexEngine): FunctionCode["run"] | EvaluationError;
}

/**
 * Form of a function for partly known arguments: `run` is its code for exact ones. Returns a value, a grade (`Unsure`) or an
 * approximation.
 */
export type Lift = (args: readonly Value[], run: FunctionCode["run"], context: CallContext) => Value | EvaluationError;

/** The language as the engine needs it: code by overload id, and the actions. Filled by `rules/`, read by `engine/link.ts`. */
export interface Vocabulary {
  readonly functions: ReadonlyMap<string, FunctionCode>;
  readonly actions: ReadonlyMap<string, ActionCode>;
  /** Returns the lifted form of a function by its id; without one, its result on partly known arguments is unknown. */
  lift?(id: string): Lift | undefined;
  /** Looks up the content of folders that a call takes. A vocabulary without it never asks the disk. */
  readonly trees?: TreeVocabulary;
  /** Returns the doubt about a false path test if a folder's content is unknown; undefined if the result is sure. */
  unseen?(id: string, args: readonly Value[], context: CallContext): Unsure | undefined;
  /**
   * Replaces everything that any detector finds, for values that are shown in reasons and views. With `pseudonym`, tokens are
   * those of the session (semantics section 5).
   */
  mask(text: string, pseudonym?: Pseudonym): string;
  /** The mask of a plan's audit records; `redactions` are the parameters of its `redact` actions. */
  recordMask(redactions: readonly unknown[]): RecordMask;
}

/** One value that was masked, and the detector that found it. The value leaves the engine as a keyed digest only. */
export interface FoundValue {
  readonly detector: string;
  readonly value: string;
}

/** A value with every find replaced, and the finds; the same object if there are none. */
export interface Masked {
  readonly value: unknown;
  readonly found: readonly FoundValue[];
}

/** Masks the data of audit records (threats section 3.2, item 10). */
export interface RecordMask {
  /**
   * Masks plain data; `json` is its canonical JSON, or empty if the data has `messages`, which are read one by one. Undefined if
   * it could not be searched completely: then no part of it may be kept. `bare` is the platform's JSON of it with an empty
   * `environment`, if the caller has it.
   */
  mask(value: unknown, json: string, pseudonym: Pseudonym, bare?: string): Masked | undefined;
}

/**
 * The session's name for a value: 64 hex of HMAC-SHA-256(HKDF(install key, session id), value). Undefined where the
 * engine has no install key. Source: semantics section 5, "Redaction token".
 */
export type Pseudonym = (value: string) => string | undefined;

/** Secrets that a `redact` names: environment variables, and a file with one secret in each line. */
export interface SecretRequest {
  readonly env: readonly string[];
  readonly file?: string;
}

/** Answer to a request for secrets. The values stay in the engine's memory: they are in no plan, record or digest. */
export interface SecretAnswer {
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** Names for which there is nothing. */
  readonly missing: readonly string[];
}

/**
 * Reads secrets by name; asked once for each request when an engine is made. A file that cannot be read is an error
 * value, which closes the engine (HW508). Source: language section 6, "Redaction of known values".
 */
export type SecretValues = (request: SecretRequest) => SecretAnswer | EvaluationError;

/** Context of a transform, besides its parameters. */
export interface ActionContext {
  readonly event: JudgedEvent;
  readonly regex: RegexEngine;
  /**
   * Evaluates the template parameter of this name (`PlanAction.templates`) against the current revision, masked and escaped;
   * empty if there is none.
   */
  text(template: string): string;
  /** Evaluates the template parameter of this name for the payload itself: whole, neither masked nor escaped. A lone expression keeps its type. */
  value(template: string): unknown;
  /** The condition parameter of this name (`PlanAction.conditions`) over one message, for `drop` and `truncate`; errors are values. */
  test(condition: string, message: unknown): boolean | EvaluationError;
  /** Names of the template parameters below this one, e.g. `set` has `set.command`. */
  names(prefix: string): readonly string[];
  /** Puts on record that something was left out, and why; nothing else changes. */
  ignored(message: string): void;
  /** Stable id of the rule, for markers and `once`. */
  readonly rule: string;
  /** True the first time in this scope for this rule; remembered by the session. */
  once(scope: "turn" | "session"): boolean;
  /** Per-event boundary for injected text: HMAC of session key and event id, hex. */
  readonly boundary: string;
  /** The session's name for a value, for redaction tokens. */
  readonly pseudonym: Pseudonym;
}

/**
 * How an action takes part in dispatch (semantics section 3): guards decide, transforms rewrite, programs are run and answer,
 * deliveries add text for the model, marks leave a label, a notice or fields of the record.
 */
export type ActionKind = "guard" | "transform" | "program" | "deliver" | "mark";

/**
 * The part of an action that runs. A transform returns the payload itself when nothing changed, a new payload otherwise, or an
 * error value; a delivery returns the text to deliver.
 */
export interface ActionCode {
  readonly name: string;
  readonly kind: ActionKind;
  transform?(payload: Payload, parameters: unknown, context: ActionContext): Payload | EvaluationError;
  deliver?(payload: Payload, parameters: unknown, context: ActionContext): Delivery | undefined;
  mark?(parameters: unknown, context: ActionContext): Mark | EvaluationError | undefined;
}

/** Effect of an action that marks: a label, a notice or fields of the record. */
export type Mark =
  | { readonly kind: "label"; readonly add: readonly string[]; readonly on: "session" | "path" }
  | { readonly kind: "notice"; readonly level: "info" | "warning" | "error"; readonly message: string }
  | { readonly kind: "record"; readonly fields: Readonly<Record<string, string>> };

/** How the answer of a program is read (semantics section 2, `run`). */
export type Protocol = "json" | "exit_code" | "claude" | "opta";

/** A program that a rule wants run on one payload. `key` binds the answer to the rule and to the program's input. */
export interface ProgramRequest {
  readonly key: string;
  readonly rule: string;
  /** Program and arguments, as written in the policy. */
  readonly command: readonly string[];
  /** Milliseconds. */
  readonly timeout: number;
  /** Its answer is not waited for and changes nothing. */
  readonly background: boolean;
  readonly protocol: Protocol;
  /** Digest that the program's file must have, `sha256:…`. */
  readonly digest?: string;
  /** Shown to the human while it runs. */
  readonly status?: string;
  /** JSON of the event, for stdin. */
  readonly input: string;
  /** Variables of the event, added to the allow-listed environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Working folder. */
  readonly cwd: string;
}

/**
 * A program's answer: an observation, recorded and used again by a replay. Output is cut to `limits.captured`, JSON to
 * `limits.programAnswer`.
 */
export interface ProgramAnswer {
  /** Null when it was ended or could not be started. */
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timed_out: boolean;
  /** Why it could not be run. */
  readonly refused?: string;
  /** Milliseconds that it ran, whole: for the record only, no verdict depends on it. */
  readonly duration_ms?: number;
  /** Set in a replay: the recorded answer, which is used in place of a run. */
  readonly recorded?: RecordedProgram;
}

/** The parts of an event that actions may change, by the event's own field names. */
export interface Payload {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly content?: readonly unknown[];
  readonly details?: unknown;
  readonly structured?: unknown;
  readonly is_error?: boolean;
  readonly messages?: readonly unknown[];
  readonly prompt?: string;
  readonly system_prompt?: string;
  readonly text?: string;
  readonly images?: readonly unknown[];
  readonly command?: string;
  readonly code?: string;
}

/** Text for the model, from one rule. */
export interface Delivery {
  readonly rule: string;
  readonly as: "message" | "append" | "system";
  readonly content: string;
  readonly custom_type: string;
  readonly display: boolean;
  /** Set if part of the text is not the policy's own: it quotes the event, or a program wrote it. */
  readonly foreign?: "event" | "program";
}

/** Wall clock; used for records and latency only, never for a verdict. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** Result of a program; output is captured to a bound. */
export interface RunResult {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly failed: boolean;
}

/** Starts programs, without a shell and without interpolation. */
export interface Runner {
  run(
    command: readonly string[],
    options: {
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly input?: string;
      readonly timeout?: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<RunResult>;
}

/** Runs the programs of rules: no shell, nothing interpolated, time-out and bounds as requested. Never rejects. */
export interface Programs {
  run(request: ProgramRequest): Promise<ProgramAnswer>;
}

/**
 * Destination of audit records. `append` seals and writes the record, with the durability that the store promises on return; it
 * throws if it cannot.
 */
export interface AuditStore {
  append(body: AuditBody, latencyUs: number): AuditSeal;
}
