import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { SessionView } from "../../schema/session.ts";
import { left } from "./budget.ts";
import { holds } from "./sequence.ts";
import { bucketKey, type SessionData, type SessionRules } from "./session.ts";

/** The session as the event sees it; the event's own turn and labels (a test's marks) are taken in. */
export function viewOf(session: SessionData, event: JudgedEvent, rules: SessionRules): SessionView {
  const now = Math.max(session.time, event.time);
  const turn = Math.max(session.turn, event.session.turn);
  const newTurn = turn !== session.turn || event.event === "before_agent_start";
  const { labels } = event.session;
  return {
    turn,
    labels: labels.length === 0 ? session.labels : [...new Set([...session.labels, ...labels])],
    shadowLabels: session.shadowLabels,
    calls: session.calls,
    asked: session.asked,
    now,
    sequenceHolds: (rule) => {
      const sequence = rules.sequences.get(rule);
      return sequence !== undefined && holds(session.chains[rule], sequence, { call: session.count, time: now });
    },
    budgetLeft: (rule, bucket) => {
      const budget = rules.budgets.get(rule);
      return budget ? left(session.spending[bucketKey(rule, bucket)], budget, now) : 0;
    },
    delivered: ({ rule, scope }) =>
      scope === "turn" ? !newTurn && session.onceInTurn.includes(rule) : session.onceInSession.includes(rule),
    approval: (key) => (Object.hasOwn(session.approvals, key) ? session.approvals[key] : undefined),
    pathLabels: (path) => labelsOf(session.paths, path),
  };
}

/** Labels of a path and of every folder above it. */
function labelsOf(paths: Readonly<Record<string, readonly string[]>>, path: string): readonly string[] {
  const found = new Set<string>();
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/")))
    for (const label of Object.hasOwn(paths, at) ? (paths[at] ?? []) : []) found.add(label);
  return [...found];
}
