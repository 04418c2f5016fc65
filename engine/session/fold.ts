import type { AuditBody, RecordedState } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import type { Deferred } from "../../schema/session.ts";
import { addAll, shortName } from "./bounds.ts";
import { spendIn } from "./budget.ts";
import { labelPath } from "./paths.ts";
import { advance } from "./sequence.ts";
import type { SessionData, SessionRules } from "./session.ts";

/**
 * Takes one audit record into the session: state is the fold over the session's records in append order, and nothing
 * else changes it (semantics section 5). Records of other kinds and without state change nothing.
 */
export function fold(session: SessionData, body: AuditBody, rules: SessionRules): void {
  const { state } = body;
  if (!state) return;
  session.time = Math.max(session.time, state.at);
  const turn = Math.max(session.turn, state.turn ?? 0);
  if (turn !== session.turn || body.event === "before_agent_start") session.onceInTurn = [];
  session.turn = turn;
  if (body.kind === "approval") answer(session, body, rules);
  else if (body.kind !== "note") remember(session, body);
  for (const { rule, scope } of state.once ?? []) {
    const list = scope === "turn" ? session.onceInTurn : session.onceInSession;
    if (!list.includes(rule)) list.push(rule);
  }
  addAll(session.labels, state.labels ?? []);
  addAll(session.shadowLabels, state.shadow ?? []);
  addAll(session.projectLabels, state.project ?? []);
  if (state.cleared) session.labels = session.labels.filter((label) => !state.cleared?.includes(label));
  for (const { path, labels } of state.paths ?? []) labelPath(session.paths, path, labels);
  count(session, body, state, rules);
}

/** Adds a call to the past; a result marks its call as executed. */
function remember(session: SessionData, body: AuditBody): void {
  if (body.event === "tool_result") {
    const id = shortName(body.call_id ?? "");
    const call = body.call_id === undefined ? undefined : session.calls.findLast((one) => one.id === id);
    if (call) call.executed = true;
    if (call) delete call.digest;
    return;
  }
  if (body.event !== "tool_call" && body.event !== "user_bash" && body.event !== "user_python") return;
  session.count += 1;
  session.calls.push({
    id: shortName(body.call_id ?? body.id),
    event: body.event,
    tool: shortName(body.tool ?? (body.event === "user_python" ? "eval" : "bash")),
    outcome: body.outcome,
    executed: false,
    agent: shortName(body.agent),
    time: session.time,
    ...(body.outcome !== "block" && body.event_digest !== "" && { digest: body.event_digest }),
  });
  while (session.calls.length > limits.calls) session.calls.shift();
}

/** Counts steps and spending. Those that count only for executed calls wait for the answer to the question, or are dropped. */
function count(session: SessionData, body: AuditBody, state: RecordedState, rules: SessionRules): void {
  const { question } = state;
  // Most records count for nothing.
  if (!state.steps && !state.spent && !question) return;
  const steps = state.steps ?? [];
  const spent = state.spent ?? [];
  const waits = body.outcome !== "allow";
  const later: Deferred = {
    steps: steps.filter(({ rule }) => waits && rules.sequences.get(rule)?.executed === true),
    spent: spent.filter(({ rule }) => waits && rules.budgets.get(rule)?.executed === true),
  };
  apply(session, { steps: without(steps, later.steps), spent: without(spent, later.spent) }, rules);
  if (!question) return;
  session.asked += 1;
  putNewest(session.questions, shortName(body.id), { ...question, clears: question.clears ?? [], ...later });
}

function without<T>(all: readonly T[], some: readonly T[]): readonly T[] {
  return all.filter((one) => !some.includes(one));
}

function apply(session: SessionData, { steps, spent }: Deferred, rules: SessionRules): void {
  const at = { call: session.count, time: session.time };
  for (const { rule, items } of steps) {
    const known = rules.sequences.get(rule)?.items.length ?? 0;
    const own = items.filter((item) => item < known);
    if (own.length === 0) continue;
    const chain = session.chains.get(rule) ?? [];
    session.chains.set(rule, chain);
    advance(chain, own, at);
  }
  for (const { rule, bucket, amount } of spent) {
    const budget = rules.budgets.get(rule);
    if (budget) spendIn(session.spending, [rule, bucket], budget, session.time, amount);
  }
}

/** Folds a human's answer: it is remembered if the question says so, and the changes that waited for it take effect. */
function answer(session: SessionData, body: AuditBody, rules: SessionRules): void {
  const { approval } = body;
  if (!approval) return;
  const of = shortName(approval.of);
  const question = session.questions.get(of);
  session.questions.delete(of);
  const key =
    approval.remember === "session" ? approval.key : approval.answer === "allow" ? undefined : approval.denial_key;
  if (key !== undefined) putNewest(session.approvals, key, { answer: approval.answer, by: shortName(approval.by) });
  if (question && approval.answer === "allow") apply(session, question, rules);
}

/** Makes an entry the newest, and forgets the oldest over the bound. */
function putNewest<T>(entries: Map<string, T>, key: string, value: T): void {
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= limits.approvals) return;
    entries.delete(oldest);
  }
}
