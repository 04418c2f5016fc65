import type { AuditBody, RecordedState } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import type { Approval, Deferred, PastCall } from "../../schema/session.ts";
import type { PlanBudget, PlanSequence } from "../plan.ts";
import { type Spending, spend } from "./budget.ts";
import { advance, type Chain } from "./sequence.ts";

/** A question that waits for its answer, and what counts once it is answered with allow. */
export interface Question extends Deferred {
  readonly key: string;
  readonly remember: "never" | "session";
  readonly clears: readonly string[];
}

/** What folding needs of the plan: windows of its session rules, by rule. */
export interface SessionRules {
  readonly sequences: ReadonlyMap<string, PlanSequence>;
  readonly budgets: ReadonlyMap<string, PlanBudget>;
}

/** A remembered call; `id` joins it with its result. */
export type RememberedCall = { -readonly [K in keyof PastCall]: PastCall[K] } & { readonly id: string };

/** State of one session as plain data: what a snapshot holds. */
export interface SessionData {
  parent: string | undefined;
  turn: number;
  /** Event time of the last record, milliseconds; windows never go backwards. */
  time: number;
  /** Calls so far, also those that `calls` has forgotten. */
  count: number;
  asked: number;
  labels: string[];
  shadowLabels: string[];
  calls: RememberedCall[];
  onceInTurn: string[];
  onceInSession: string[];
  chains: Record<string, Chain>;
  spending: Record<string, Spending>;
  questions: Record<string, Question>;
  approvals: Record<string, Approval>;
  paths: Record<string, string[]>;
}

/** A session of which nothing was recorded yet. */
export function newSession(): SessionData {
  return {
    parent: undefined,
    turn: 0,
    time: 0,
    count: 0,
    asked: 0,
    labels: [],
    shadowLabels: [],
    calls: [],
    onceInTurn: [],
    onceInSession: [],
    chains: table(),
    spending: table(),
    questions: table(),
    approvals: table(),
    paths: table(),
  };
}

/** A session that starts with what another one has come to: of a fork, a resume or a sub-agent. */
export function inherit(parent: SessionData, id: string): SessionData {
  return { ...restored(structuredClone(parent)), parent: id, onceInTurn: [], questions: table() };
}

/** Session data whose tables were copied or read: keys come from payloads, so that no table may have a prototype. */
export function restored(data: SessionData): SessionData {
  return {
    ...data,
    chains: table(data.chains),
    spending: table(data.spending),
    questions: table(data.questions),
    approvals: table(data.approvals),
    paths: table(data.paths),
  };
}

function table<T>(entries: Readonly<Record<string, T>> = {}): Record<string, T> {
  const made = Object.create(null) as Record<string, T>;
  for (const key of Object.keys(entries)) made[key] = entries[key] as T;
  return made;
}

/** Windows of no rules at all. */
export const noSessionRules: SessionRules = { sequences: new Map(), budgets: new Map() };

/** Key of a bucket among all spending. */
export function bucketKey(rule: string, bucket: string): string {
  return `${rule} ${bucket}`;
}

/**
 * Takes one audit record into the session: state is the fold over the session's records in append order, and nothing
 * else changes it (semantics section 5). Records of other kinds and without state change nothing.
 */
export function fold(session: SessionData, body: AuditBody, rules: SessionRules): void {
  const { state } = body;
  if (!state) return;
  session.time = Math.max(session.time, state.at);
  const turn = state.turn ?? session.turn;
  if (turn !== session.turn || body.event === "before_agent_start") session.onceInTurn = [];
  session.turn = turn;
  if (body.kind === "approval") answer(session, body, rules);
  else remember(session, body);
  for (const { rule, scope } of state.once ?? [])
    addTo(scope === "turn" ? session.onceInTurn : session.onceInSession, rule, Number.POSITIVE_INFINITY);
  for (const label of state.labels ?? []) addTo(session.labels, label, limits.labels);
  for (const label of state.shadow ?? []) addTo(session.shadowLabels, label, limits.labels);
  session.labels = session.labels.filter((label) => !state.cleared?.includes(label));
  for (const { path, labels } of state.paths ?? []) addPath(session, path, labels);
  count(session, body, state, rules);
}

/** A call joins the past; a result says that its call was executed. */
function remember(session: SessionData, body: AuditBody): void {
  if (body.event === "tool_result") {
    const call = session.calls.findLast((one) => one.id === body.call_id);
    if (call) call.executed = true;
    return;
  }
  if (body.event !== "tool_call" && body.event !== "user_bash" && body.event !== "user_python") return;
  session.count += 1;
  session.calls.push({
    id: body.call_id ?? body.id,
    event: body.event,
    tool: body.tool ?? (body.event === "user_python" ? "eval" : "bash"),
    outcome: body.outcome,
    executed: false,
    agent: body.agent,
    time: session.time,
  });
  if (session.calls.length > limits.calls) session.calls.splice(0, session.calls.length - limits.calls);
}

/** What counts only if the call was let through waits for the answer of its question, or is dropped. */
function count(session: SessionData, body: AuditBody, state: RecordedState, rules: SessionRules): void {
  const steps = state.steps ?? [];
  const spent = state.spent ?? [];
  const waits = body.outcome !== "allow";
  const later: Deferred = {
    steps: steps.filter(({ rule }) => waits && rules.sequences.get(rule)?.executed === true),
    spent: spent.filter(({ rule }) => waits && rules.budgets.get(rule)?.executed === true),
  };
  apply(session, { steps: without(steps, later.steps), spent: without(spent, later.spent) }, rules);
  const { question } = state;
  if (!question) return;
  session.asked += 1;
  session.questions[body.id] = { ...question, clears: question.clears ?? [], ...later };
  trim(session.questions, limits.approvals);
}

function without<T>(all: readonly T[], some: readonly T[]): readonly T[] {
  return all.filter((one) => !some.includes(one));
}

function apply(session: SessionData, { steps, spent }: Deferred, rules: SessionRules): void {
  const at = { call: session.count, time: session.time };
  for (const { rule, items } of steps) {
    session.chains[rule] ??= [];
    advance(session.chains[rule], items, at);
  }
  for (const { rule, bucket, amount } of spent) {
    const budget = rules.budgets.get(rule);
    if (!budget) continue;
    const key = bucketKey(rule, bucket);
    session.spending[key] ??= [];
    spend(session.spending[key], budget, session.time, amount);
  }
}

/** A human's answer: it is remembered if the question says so, and what waited for it counts. */
function answer(session: SessionData, body: AuditBody, rules: SessionRules): void {
  const { approval } = body;
  if (!approval) return;
  const question = session.questions[approval.of];
  delete session.questions[approval.of];
  if (approval.remember === "session") {
    session.approvals[approval.key] = { answer: approval.answer, by: approval.by };
    trim(session.approvals, limits.approvals);
  }
  if (question && approval.answer === "allow") apply(session, question, rules);
}

function addTo(list: string[], value: string, limit: number): void {
  if (!list.includes(value) && list.length < limit) list.push(value);
}

function addPath(session: SessionData, path: string, labels: readonly string[]): void {
  session.paths[path] ??= [];
  for (const label of labels) addTo(session.paths[path], label, limits.labels);
  trim(session.paths, limits.labelledPaths);
}

/** Forgets the oldest entries over a bound. */
function trim(entries: Record<string, unknown>, limit: number): void {
  const keys = Object.keys(entries);
  for (const key of keys.slice(0, Math.max(0, keys.length - limit))) delete entries[key];
}
