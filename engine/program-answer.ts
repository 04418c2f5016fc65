import type { EventName } from "../schema/events.ts";
import { eventKind } from "../schema/events.ts";
import { limits } from "../schema/limits.ts";
import type { ProgramAnswer, Protocol } from "../schema/ports.ts";
import { findAnswers } from "./found-answer.ts";
import { plainCopy } from "./plain-copy.ts";
import type { Fallback } from "./plan.ts";
import { showText } from "./show-text.ts";

/** Meaning of a program's answer. */
export interface ProgramVerdict {
  readonly outcome?: Fallback;
  readonly reason?: string;
  /** Text for the model; delivered even when the program blocks. */
  readonly context?: string;
  /** Arguments to put in place of those of the call. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Error in the answer that closes the event. */
  readonly failed?: string;
  /** Errors in the answer that are only recorded. */
  readonly errors: readonly string[];
}

const nothing: ProgramVerdict = { errors: [] };

/**
 * Reads a program's answer by its protocol (semantics section 2, `run`). Total: what does not fit is an error value. A
 * refusal that was heard counts however the program ended.
 */
export function readAnswer(answer: ProgramAnswer, protocol: Protocol, event: EventName): ProgramVerdict {
  const deciding = eventKind(event) === "decide";
  if (answer.refused !== undefined) return failure(`the program was not run: ${answer.refused}`, deciding);
  const stopped = endOf(answer);
  if (stopped === undefined && answer.exit_code === 0) {
    if (protocol === "json") return fromJson(answer.stdout, deciding);
    return protocol === "claude" ? fromClaude(answer.stdout, deciding) : nothing;
  }
  const why = stopped ?? `the program ended with exit code ${answer.exit_code}`;
  const blocks = stopped === undefined && (protocol !== "claude" || answer.exit_code === 2) && protocol !== "json";
  // People read reasons in messages: characters that are invisible or move a cursor are written out.
  const said = showText(answer.stderr.trim() || answer.stdout.trim() || why);
  if (blocks) return deciding ? { outcome: "block", reason: said, errors: [] } : failure(said, false);
  if (protocol === "json" || protocol === "claude") {
    const heard = refusalIn(answer.stdout, why, deciding);
    if (heard) return heard;
    return failure(why, deciding && (protocol === "json" || stopped !== undefined));
  }
  if (protocol === "exit_code") return failure(why, deciding);
  // By Opta's rules, a time-out lets the call continue; a signal refuses it, like any exit code but 0.
  if (answer.timed_out || !deciding) return failure(why, false);
  return { outcome: "block", reason: showText(answer.stderr.trim() || why), errors: [] };
}

/** Returns how a program was ended; undefined if it ended on its own. */
function endOf({ timed_out, exit_code }: ProgramAnswer): string | undefined {
  if (timed_out) return "the program took too long";
  return exit_code === null ? "the program was ended by a signal" : undefined;
}

function failure(error: string, closes: boolean): ProgramVerdict {
  return closes ? { failed: error, errors: [] } : { errors: [error] };
}

const decisions: ReadonlyMap<string, Fallback> = new Map<string, Fallback>([
  ["allow", "allow"],
  ["approve", "allow"],
  ["ask", "ask"],
  ["block", "block"],
  ["deny", "block"],
]);

/** The fields of an answer, wherever the protocol has them. */
interface Fields {
  readonly decision: unknown;
  readonly reason: unknown;
  readonly context: unknown;
  readonly input: unknown;
}

/** Reads `{ decision, reason, additionalContext, updatedInput }` and no other field; an empty output is no opinion. */
function fromJson(stdout: string, deciding: boolean): ProgramVerdict {
  const text = stdout.trim();
  if (text === "") return nothing;
  const given = parse(text);
  return given
    ? verdictOf(fieldsOf(given), deciding)
    : failure("the program did not answer with a JSON object", deciding);
}

/** Fields of an answer in Claude Code's form. */
const claudeNames: ReadonlySet<string> = new Set([
  "decision",
  "reason",
  "additionalContext",
  "updatedInput",
  "hookSpecificOutput",
  "continue",
  "stopReason",
]);

/**
 * Reads the answer in the output of a Claude Code hook, which may print text beside it. Of several answers the last one
 * counts, with the strictest decision of all. Text that looks like a decision but cannot be read is a failure.
 */
function fromClaude(stdout: string, deciding: boolean): ProgramVerdict {
  const { answers, beside, unread } = findAnswers(stdout, claudeNames);
  const verdicts = answers.map((text) => {
    const given = parse(text);
    return given ? verdictOf(claudeFields(given), deciding) : failure("the answer cannot be taken in", deciding);
  });
  const strictest = verdicts.reduce<ProgramVerdict | undefined>(stricter, undefined);
  if (strictest?.outcome !== "block") {
    if (unread) return failure("the program printed what looks like a decision and cannot be read", deciding);
    if (stdout.length >= limits.programAnswer) return failure("the program printed more than is read", deciding);
  }
  const last = verdicts.at(-1);
  if (!last || !strictest) {
    const broken = beside.startsWith("{") && parse(beside) === undefined;
    return broken ? failure("the program did not answer with a JSON object", deciding) : nothing;
  }
  const failed = verdicts.find((one) => one.failed !== undefined);
  if (failed && strictest.outcome !== "block") return failed;
  const { reason = last.reason, outcome } = strictest;
  return {
    ...last,
    ...(outcome && { outcome }),
    ...(reason !== undefined && { reason }),
    errors: [
      ...verdicts.flatMap(({ errors }) => errors),
      ...(beside === "" ? [] : ["the program printed text beside its answer"]),
    ],
  };
}

const ranks: readonly (Fallback | undefined)[] = [undefined, "allow", "ask", "block"];

function stricter(one: ProgramVerdict | undefined, other: ProgramVerdict): ProgramVerdict {
  return one && ranks.indexOf(one.outcome) > ranks.indexOf(other.outcome) ? one : other;
}

/** Returns a refusal, or a possible one, in the output of a program that did not end well. */
function refusalIn(stdout: string, why: string, deciding: boolean): ProgramVerdict | undefined {
  const { outcome, reason, context, failed } = fromClaude(stdout, deciding);
  if (!deciding) return undefined;
  if (outcome === "block")
    return { outcome, reason: reason ?? why, ...(context !== undefined && { context }), errors: [why] };
  return failed === undefined || stdout.trim() === "" ? undefined : failure(`${why}, and ${failed}`, deciding);
}

function verdictOf({ decision, reason, context, input }: Fields, deciding: boolean): ProgramVerdict {
  const outcome = typeof decision === "string" ? decisions.get(decision) : undefined;
  if (isGiven(decision) && !outcome) return failure("the program answered with a decision that is not known", deciding);
  const rewrites = typeof input === "object" && input !== null && !Array.isArray(input);
  // A block counts, even if the rest of the answer is invalid.
  if (isGiven(input) && !rewrites && outcome !== "block")
    return failure("`updatedInput` of the program is not an object", deciding);
  const values = rewrites ? Object.entries(input) : [];
  return {
    ...(outcome && { outcome }),
    ...(typeof reason === "string" && reason !== "" && { reason: showText(reason) }),
    ...(typeof context === "string" && context !== "" && { context }),
    ...(rewrites && { input: Object.fromEntries(values.filter(([key]) => !forbidden.has(key))) }),
    errors: values.flatMap(([key]) => (forbidden.has(key) ? [`\`${key}\` of \`updatedInput\` is ignored`] : [])),
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function fieldsOf(given: object): Fields {
  return {
    decision: own(given, "decision"),
    reason: own(given, "reason"),
    context: own(given, "additionalContext"),
    input: own(given, "updatedInput"),
  };
}

/** Reads the fields of Claude Code's hooks: those under `hookSpecificOutput` win; `continue: false` blocks. Source: hosts page. */
function claudeFields(given: object): Fields {
  const plain = fieldsOf(given);
  const nested = own(given, "hookSpecificOutput");
  const inner = typeof nested === "object" && nested !== null ? nested : {};
  const permission = own(inner, "permissionDecision");
  const stops = own(given, "continue") === false;
  const said = permission === "defer" ? undefined : permission;
  return {
    decision: stops ? "block" : (said ?? plain.decision),
    reason: (stops ? own(given, "stopReason") : undefined) ?? own(inner, "permissionDecisionReason") ?? plain.reason,
    context: own(inner, "additionalContext") ?? plain.context,
    input: own(inner, "updatedInput") ?? plain.input,
  };
}

/** The answer as bounded plain data, like any payload. */
function parse(text: string): object | undefined {
  try {
    const copied = plainCopy(JSON.parse(text));
    const value = copied.ok ? copied.value : undefined;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function own(given: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(given, key)?.value;
}

const forbidden: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);
