import { type EventName, eventKind } from "../schema/events.ts";
import type { ProgramAnswer, Protocol } from "../schema/ports.ts";
import type { Fallback } from "./plan.ts";

/** What a program's answer means. */
export interface ProgramVerdict {
  readonly outcome?: Fallback;
  readonly reason?: string;
  /** Text for the model; delivered even when the program blocks. */
  readonly context?: string;
  /** Arguments to put in place of those of the call. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What was wrong with the answer; `closes` says whether the event is answered closed. */
  readonly error?: string;
  readonly closes?: boolean;
}

/** Reads a program's answer by its protocol (semantics section 2, `run`). Total: what does not fit is an error value. */
export function readAnswer(answer: ProgramAnswer, protocol: Protocol, event: EventName): ProgramVerdict {
  const deciding = eventKind(event) === "decide";
  if (answer.refused !== undefined) return failed(`the program was not run: ${answer.refused}`, deciding);
  if (answer.timed_out || answer.exit_code === null) {
    // An Opta hook that takes too long never cancels; any other that decides does.
    const why = answer.timed_out ? "the program took too long" : "the program was ended by a signal";
    return failed(why, deciding && protocol !== "opta");
  }
  switch (protocol) {
    case "exit_code":
      return answer.exit_code === 0 ? {} : refused(answer, deciding);
    case "opta":
      return answer.exit_code === 0 ? {} : refused(answer, deciding);
    case "claude":
      if (answer.exit_code === 2) return refused(answer, deciding);
      if (answer.exit_code !== 0) return failed(`the program ended with exit code ${answer.exit_code}`, false);
      return answer.stdout.trimStart().startsWith("{") ? fromJson(answer.stdout, deciding) : {};
    default:
      if (answer.exit_code !== 0) return failed(`the program ended with exit code ${answer.exit_code}`, deciding);
      return fromJson(answer.stdout, deciding);
  }
}

function failed(error: string, closes: boolean): ProgramVerdict {
  return { error, closes };
}

function refused(answer: ProgramAnswer, deciding: boolean): ProgramVerdict {
  const reason = answer.stderr.trim() || answer.stdout.trim() || `the program ended with exit code ${answer.exit_code}`;
  return deciding ? { outcome: "block", reason } : { error: reason, closes: false };
}

const decisions: ReadonlyMap<string, Fallback> = new Map<string, Fallback>([
  ["allow", "allow"],
  ["approve", "allow"],
  ["ask", "ask"],
  ["block", "block"],
  ["deny", "block"],
]);

/** `{ decision, reason, additionalContext, updatedInput }`; no output at all is no opinion. */
function fromJson(stdout: string, deciding: boolean): ProgramVerdict {
  const text = stdout.trim();
  if (text === "") return {};
  const given = parse(text);
  if (!given) return failed("the program did not answer with a JSON object", deciding);
  const decision = own(given, "decision");
  const outcome = typeof decision === "string" ? decisions.get(decision) : undefined;
  if (decision !== undefined && decision !== null && !outcome)
    return failed("the program answered with a decision that is not known", deciding);
  const reason = own(given, "reason");
  const context = own(given, "additionalContext");
  const input = own(given, "updatedInput");
  const rewrites = typeof input === "object" && input !== null && !Array.isArray(input);
  if (input !== undefined && input !== null && !rewrites)
    return failed("`updatedInput` of the program is not an object", deciding);
  return {
    ...(outcome && { outcome }),
    ...(typeof reason === "string" && reason !== "" && { reason }),
    ...(typeof context === "string" && context !== "" && { context }),
    ...(rewrites && { input: withoutProto(input as Record<string, unknown>) }),
  };
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function own(given: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(given, key)?.value;
}

const forbidden: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

function withoutProto(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !forbidden.has(key)));
}
