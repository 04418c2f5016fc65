import type { SessionData } from "../engine/session/session.ts";
import { limits } from "../schema/limits.ts";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
/** Event times lie before 1970 as well. */
const isTime: Check = (value) => Number.isSafeInteger(value);

function oneOf(...values: readonly string[]): Check {
  return (value) => values.some((known) => known === value);
}

/** Exactly these fields, each as its check says. Made once for each shape: a session has many values of one. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  const names = Object.keys(checks);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const own = value as Record<string, unknown>;
    return (
      Object.keys(own).every((key) => Object.hasOwn(checks, key)) &&
      names.every((name) => (checks[name] as Check)(Object.hasOwn(own, name) ? own[name] : undefined))
    );
  };
}

function isList(value: unknown, item: Check, most: number = Number.POSITIVE_INFINITY): boolean {
  return Array.isArray(value) && value.length <= most && value.every(item);
}

function isTable(value: unknown, entry: Check, most: number = Number.POSITIVE_INFINITY): boolean {
  return value instanceof Map && value.size <= most && [...value.values()].every(entry);
}

const isOutcome = oneOf("allow", "ask", "block");

const isCall = fields({
  id: isText,
  event: isText,
  tool: isText,
  outcome: isOutcome,
  executed: isBoolean,
  agent: isText,
  time: isTime,
  digest: (v) => v === undefined || isText(v),
});

const isPlace = fields({ call: isCount, time: isTime });
const isPoint: Check = (value) => value === null || isPlace(value);

const isTaking: Check = (value) =>
  Array.isArray(value) && value.length === 2 && isTime(value[0]) && typeof value[1] === "number" && value[1] >= 0;

const isApproval = fields({ answer: oneOf("allow", "deny", "timeout"), by: isText });
const isStep = fields({ rule: isText, items: (items) => isList(items, isCount) });
const isAmount: Check = (value) => typeof value === "number" && value >= 0;
const isSpent = fields({ rule: isText, bucket: isText, amount: isAmount });

const isQuestion = fields({
  key: isText,
  remember: oneOf("never", "session"),
  denial_key: (v) => v === undefined || isText(v),
  clears: (v) => isList(v, isText),
  steps: (v) => isList(v, isStep),
  spent: (v) => isList(v, isSpent),
});

const isSession = fields({
  begun: isBoolean,
  parent: (v) => v === undefined || isText(v),
  turn: isCount,
  time: isCount,
  count: isCount,
  asked: isCount,
  labels: (v) => isList(v, isText, limits.labels),
  shadowLabels: (v) => isList(v, isText, limits.labels),
  projectLabels: (v) => isList(v, isText, limits.labels),
  calls: (v) => isList(v, isCall, limits.calls),
  onceInTurn: (v) => isList(v, isText),
  onceInSession: (v) => isList(v, isText),
  chains: (v) => isTable(v, (chain) => isList(chain, isPoint, limits.sequenceItems)),
  spending: (v) => isTable(v, (spending) => isList(spending, isTaking, limits.budgetEntries)),
  questions: (v) => isTable(v, isQuestion, limits.approvals),
  approvals: (v) => isTable(v, isApproval, limits.approvals),
  paths: (v) => isTable(v, (labels) => isList(labels, isText, limits.labels), limits.labelledPaths),
});

/**
 * True if data has the shape and the bounds of session state, so that data from a disk cannot make the engine do more than its
 * own state could. Total for any value.
 */
export function isSessionData(value: unknown): value is SessionData {
  return isSession(value);
}
