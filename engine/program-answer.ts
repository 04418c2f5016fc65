import type { EventName } from "../schema/events.ts";
import { eventKind } from "../schema/events.ts";
import type { ProgramAnswer, Protocol } from "../schema/ports.ts";
import { plainCopy } from "./plain-copy.ts";
import type { Fallback } from "./plan.ts";
import { showText } from "./show-text.ts";

/** What a program's answer means. */
export interface ProgramVerdict {
  readonly outcome?: Fallback;
  readonly reason?: string;
  /** Text for the model; delivered even when the program blocks. */
  readonly context?: string;
  /** Arguments to put in place of those of the call. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What was wrong with the answer, and closes the event. */
  readonly failed?: string;
  /** What was wrong with the answer, and is recorded only. */
  readonly errors: readonly string[];
}

const nothing: ProgramVerdict = { errors: [] };

/** Reads a program's answer by its protocol (semantics section 2, `run`). Total: what does not fit is an error value. */
export function readAnswer(answer: ProgramAnswer, protocol: Protocol, event: EventName): ProgramVerdict {
  const deciding = eventKind(event) === "decide";
  if (answer.refused !== undefined) return failure(`the program was not run: ${answer.refused}`, deciding);
  // An Opta hook that takes too long never cancels; any other that decides does.
  if (answer.timed_out) return failure("the program took too long", deciding && protocol !== "opta");
  if (answer.exit_code === null) return failure("the program was ended by a signal", deciding);
  if (answer.exit_code === 0)
    return protocol === "json" || (protocol === "claude" && answer.stdout.trimStart().startsWith("{"))
      ? fromJson(answer.stdout, protocol, deciding)
      : nothing;
  const why = `the program ended with exit code ${answer.exit_code}`;
  if (protocol === "json") return failure(why, deciding);
  if (protocol === "claude" && answer.exit_code !== 2) return failure(why, false);
  // A reason stands in messages for people: what cannot be seen, or moves a cursor, is written out.
  const reason = showText(answer.stderr.trim() || answer.stdout.trim() || why);
  return deciding ? { outcome: "block", reason, errors: [] } : failure(reason, false);
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

/** `{ decision, reason, additionalContext, updatedInput }`; no output at all is no opinion. */
function fromJson(stdout: string, protocol: Protocol, deciding: boolean): ProgramVerdict {
  const text = stdout.trim();
  if (text === "") return nothing;
  const given = parse(text);
  if (!given) return failure("the program did not answer with a JSON object", deciding);
  const { decision, reason, context, input } = protocol === "claude" ? claudeFields(given) : fieldsOf(given);
  const outcome = typeof decision === "string" ? decisions.get(decision) : undefined;
  if (isGiven(decision) && !outcome) return failure("the program answered with a decision that is not known", deciding);
  const rewrites = typeof input === "object" && input !== null && !Array.isArray(input);
  if (isGiven(input) && !rewrites) return failure("`updatedInput` of the program is not an object", deciding);
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

/** What Claude Code's hooks say under `hookSpecificOutput` counts there; `continue: false` stops. Source: hosts page. */
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
