import type { Approval, Deferred, PastCall } from "../../schema/session.ts";
import type { PlanBudget, PlanSequence } from "../plan.ts";
import { addAll } from "./bounds.ts";
import type { Spending } from "./budget.ts";
import type { Chain } from "./sequence.ts";

/** A question that waits for its answer, and what counts once it is answered with allow. */
export interface Question extends Deferred {
  readonly key: string;
  readonly remember: "never" | "session";
  readonly denial_key?: string;
  readonly clears: readonly string[];
}

/** Parts of the plan that folding reads: sequences and budgets, by rule. */
export interface SessionRules {
  readonly sequences: ReadonlyMap<string, PlanSequence>;
  readonly budgets: ReadonlyMap<string, PlanBudget>;
}

/** Windows of no rules at all. */
export const noSessionRules: SessionRules = { sequences: new Map(), budgets: new Map() };

/** A remembered call; `id` joins it with its result. */
export type RememberedCall = { -readonly [K in keyof PastCall]: PastCall[K] } & {
  readonly id: string;
  /** Event digest of its record, until there is a result. */
  digest?: string;
};

/**
 * State of one session as plain data, as snapshots store it. Tables are maps, since their keys come from payloads. Their
 * order is oldest first: the oldest entry is forgotten first.
 */
export interface SessionData {
  /** True once the session had a record of its own, not only labels of its sub-agents. */
  begun: boolean;
  parent: string | undefined;
  turn: number;
  /** Event time of the last record, milliseconds; windows never go backwards. */
  time: number;
  /** Calls so far, also those that `calls` has forgotten. */
  count: number;
  asked: number;
  labels: string[];
  shadowLabels: string[];
  projectLabels: string[];
  calls: RememberedCall[];
  onceInTurn: string[];
  onceInSession: string[];
  /** By rule. */
  chains: Map<string, Chain>;
  /** By rule and bucket (`bucketKey`). */
  spending: Map<string, Spending>;
  /** Open ones, by event. */
  questions: Map<string, Question>;
  /** By key of the approval. */
  approvals: Map<string, Approval>;
  /** Labels by real path. */
  paths: Map<string, string[]>;
}

/** Makes a session without any record. */
export function newSession(): SessionData {
  return {
    begun: false,
    parent: undefined,
    turn: 0,
    time: 0,
    count: 0,
    asked: 0,
    labels: [],
    shadowLabels: [],
    projectLabels: [],
    calls: [],
    onceInTurn: [],
    onceInSession: [],
    chains: new Map(),
    spending: new Map(),
    questions: new Map(),
    approvals: new Map(),
    paths: new Map(),
  };
}

/**
 * Starts a session (a fork, a resume or a sub-agent) with a copy of its parent's state. Labels that its own sub-agents gave it
 * before it began stay. Questions are not inherited.
 */
export function inherit(parent: SessionData, id: string, own: SessionData = newSession()): SessionData {
  const data = structuredClone(parent);
  addAll(data.labels, own.labels);
  addAll(data.shadowLabels, own.shadowLabels);
  addAll(data.projectLabels, own.projectLabels);
  return { ...data, begun: own.begun, parent: id, onceInTurn: [], questions: new Map() };
}
