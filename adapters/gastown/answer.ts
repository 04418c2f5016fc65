import { limits } from "../../schema/limits.ts";

/** What a hook printed, read: its opinion, its text for the model, and what of it could not be used. */
export interface HookAnswer {
  readonly decision?: "allow" | "deny" | "ask";
  readonly reason?: string;
  /** Text for the next prompt: `additionalContext`. */
  readonly context?: string;
  /** Output that is no answer: text for the next prompt too, when the hook ended well. */
  readonly output?: string;
  /** Arguments to put over those of the call. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

const decisions: Readonly<Record<string, HookAnswer["decision"]>> = {
  allow: "allow",
  approve: "allow",
  ask: "ask",
  deny: "deny",
  block: "deny",
};

const fields = ["decision", "reason", "additionalContext", "updatedInput", "hookSpecificOutput"];

/** Keys that are never taken from an answer, since they reach into JavaScript's own objects. */
const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/**
 * Reads the standard output of a hook that ended: one JSON object with `decision`, `reason`, `additionalContext` and
 * `updatedInput` (also where Claude Code has them, under `hookSpecificOutput`), anything else is raw text for the model.
 * Total: a field of the wrong kind is left out with a warning. Source: seed gastown-hooks-v1.1, sections 2 to 4.
 */
export function readHookAnswer(stdout: string): HookAnswer {
  const text = stdout.trim();
  if (text === "") return { warnings: [] };
  if (!text.startsWith("{")) return { output: raw(text), warnings: [] };
  const ignored: string[] = [];
  const given = parse(text, ignored);
  if (!given)
    return { output: raw(text), warnings: ["its output is not valid JSON and no decision was taken from it"] };
  if (!fields.some((name) => Object.hasOwn(given, name))) return { output: raw(text), warnings: [] };
  return answerOf(given, ignored);
}

/** An object without the keys that are never taken; those are named in `ignored`. */
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
  const said = own(given, "decision") ?? own(nested, "permissionDecision");
  const decision = typeof said === "string" && Object.hasOwn(decisions, said) ? decisions[said] : undefined;
  if (said !== undefined && !decision) warnings.push("`decision` is none of allow, deny and ask, and is ignored");
  const reason = text(own(given, "reason") ?? own(nested, "permissionDecisionReason"), "reason", warnings);
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
