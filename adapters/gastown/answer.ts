import { findAnswers } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";

/** A hook's parsed output: its decision, its text for the model, and warnings about unusable parts. */
export interface HookAnswer {
  readonly decision?: "allow" | "deny" | "ask";
  readonly reason?: string;
  /** Text for the next prompt: `additionalContext`. */
  readonly context?: string;
  /** Output that is no answer; also text for the next prompt if the hook ended well. */
  readonly output?: string;
  /** Arguments to merge over those of the call. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** True if the output seems to hold a decision that cannot be read. */
  readonly unread?: true;
  readonly warnings: readonly string[];
}

const decisions: Readonly<Record<string, HookAnswer["decision"]>> = {
  allow: "allow",
  approve: "allow",
  ask: "ask",
  deny: "deny",
  block: "deny",
};

const fields: ReadonlySet<string> = new Set([
  "decision",
  "reason",
  "additionalContext",
  "updatedInput",
  "hookSpecificOutput",
  "continue",
  "stopReason",
]);

const ranks: readonly HookAnswer["decision"][] = [undefined, "allow", "ask", "deny"];

/** Keys that are never taken from an answer, since they affect JavaScript's own objects. */
const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/**
 * Reads the standard output of a hook: a JSON object with `decision`, `reason`, `additionalContext` and `updatedInput`.
 * Claude Code's form is read too: the same fields under `hookSpecificOutput`, and `continue: false`, which denies. Text
 * beside the object, which a login shell may print, gives a warning. Of several objects the last counts, with the strictest
 * decision of all. Without one, the output is raw text for the model. Total: a field of the wrong kind is left out with a
 * warning. Source: seed gastown-hooks-v1.1, sections 2 to 4.
 */
export function readHookAnswer(stdout: string): HookAnswer {
  const text = stdout.trim();
  if (text === "") return { warnings: [] };
  const { answers, beside, unread } = findAnswers(text, fields);
  const ignored: string[] = [];
  const given = answers.map((one) => parse(one, ignored)).filter((one) => one !== undefined);
  if (given.length === 0) {
    const warnings = [unread ? unreadable : broken(text)].filter((one) => one !== undefined);
    return { output: raw(text), ...(unread && { unread }), warnings };
  }
  const { unread: odd, warnings, ...answer } = strictest(given.map((one) => answerOf(one, ignored)));
  return {
    ...answer,
    ...((unread || odd) && { unread: true }),
    warnings: [
      ...new Set(warnings),
      ...(beside === "" ? [] : ["text beside its answer in JSON is left out"]),
      ...(given.length > 1 ? ["it answered more than once; the last answer counts, and the strictest decision"] : []),
      ...(unread ? [unreadable] : []),
    ],
  };
}

const unreadable = "its output holds what looks like a decision and is not valid JSON";

/** Returns the fault of an output that begins like JSON but is invalid. */
function broken(text: string): string | undefined {
  if (!text.startsWith("{") || parse(text, [])) return undefined;
  return "its output is not valid JSON and no decision was taken from it";
}

/** Returns the last answer, with the strictest decision and its reason. */
function strictest(answers: readonly HookAnswer[]): HookAnswer {
  const last = answers.at(-1) as HookAnswer;
  const ruling = answers.reduce((one, other) =>
    ranks.indexOf(one.decision) > ranks.indexOf(other.decision) ? one : other,
  );
  const reason = ruling.reason ?? last.reason;
  return {
    ...last,
    ...(ruling.decision && { decision: ruling.decision }),
    ...(reason && { reason }),
    ...(answers.some(({ unread }) => unread) && { unread: true }),
    warnings: answers.flatMap(({ warnings }) => warnings),
  };
}

/** Parses an object without the forbidden keys; those found are added to `ignored`. */
function parse(text: string, ignored: string[]): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (!forbiddenKeys.has(key)) return value;
      ignored.push(key);
      return undefined;
    }) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function answerOf(given: Readonly<Record<string, unknown>>, ignored: readonly string[]): HookAnswer {
  const warnings = [...new Set(ignored)].map((key) => `\`${key}\` is ignored`);
  const nested = object(own(given, "hookSpecificOutput")) ?? {};
  const said = [own(given, "decision"), own(nested, "permissionDecision")].filter((one) => one !== undefined);
  const known = said.map((one) =>
    typeof one === "string" && Object.hasOwn(decisions, one) ? decisions[one] : undefined,
  );
  const odd = known.includes(undefined);
  if (odd) warnings.push("`decision` is none of allow, deny and ask, and cannot be read");
  const stops = own(given, "continue") === false;
  const decision = stops ? "deny" : ranks.findLast((one) => one !== undefined && known.includes(one));
  const why = (stops ? own(given, "stopReason") : undefined) ?? own(given, "reason");
  const reason = text(why ?? own(nested, "permissionDecisionReason"), "reason", warnings);
  const context = text(
    own(given, "additionalContext") ?? own(nested, "additionalContext"),
    "additionalContext",
    warnings,
  );
  const updated = own(given, "updatedInput") ?? own(nested, "updatedInput");
  const input = object(updated);
  if (updated !== undefined && !input) warnings.push("`updatedInput` is not an object and is ignored");
  return {
    ...(decision && { decision }),
    ...(reason && { reason }),
    ...(context && { context: raw(context) }),
    ...(input && { input }),
    ...(odd && { unread: true }),
    warnings,
  };
}

function own(given: object, key: string): unknown {
  const value: unknown = Object.getOwnPropertyDescriptor(given, key)?.value;
  return value === null ? undefined : value;
}

function object(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function text(value: unknown, name: string, warnings: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value.toWellFormed();
  warnings.push(`\`${name}\` is not text and is ignored`);
  return undefined;
}

function raw(text: string): string {
  return text.slice(0, limits.injected).toWellFormed();
}
