import { randomBytes } from "node:crypto";
import type { Engine, Verdict } from "../../runtime.ts";
import type { EventName } from "../../schema/events.ts";
import type { Decision } from "../../schema/generated.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { fromHost } from "../../schema/wire-fields.ts";
import { liveFiles } from "../live-files.ts";
import { environmentOf, type Machine, thisMachine } from "../pi/environment.ts";
import type { Judge } from "../pi/judge.ts";
import { observationBody } from "../pi/observations.ts";
import { PinnedPlans, type PlanChange, type PlanSource } from "../pi/pinned-plans.ts";

/** What a guard takes from the world; the real machine where nothing is given. */
export interface GuardOptions {
  /** Folder that the agent works in. */
  readonly directory: string;
  readonly files?: FileSystem;
  readonly machine?: Machine;
  readonly plans?: PlanSource;
  /** Takes the one-time approval of a call's key, if a human left one outside the agent. */
  readonly takeApproval?: (key: string) => boolean;
  /** What the host could not be given in its last session but this one, in words. */
  readonly undelivered?: (session: string) => string | undefined;
  /** Hears the host's version, when the host says it. */
  readonly versionSeen?: (version: string) => void;
  /** Tells the human. */
  readonly tell?: (message: string, level: "info" | "warning" | "error") => void;
  /** Wall clock, milliseconds since the epoch. */
  readonly now?: () => number;
  /** Prefix of event ids, unique to this process. */
  readonly idPrefix?: string;
}

/** An engine, or what judges in a process of its own: that puts what the guard saw on record too. */
export interface SessionEngine extends Judge {
  judge(event: unknown): Promise<Pick<Verdict, "decision">>;
  answer(answer: Parameters<Engine["answer"]>[0]): boolean | Promise<boolean>;
}

/** Sub-agents whose parent is remembered; far more than a host has under way. */
const maxParents = 1_000;

/** The sessions of one OpenCode process in front of an engine. */
export class Sessions {
  readonly #options: GuardOptions;
  readonly #plans: PinnedPlans;
  readonly #now: () => number;
  readonly #prefix: string;
  readonly #turns = new Map<string, number>();
  /** Sessions that began sub-agents, by the sub-agent's own. */
  readonly #parents = new Map<string, string>();
  #events = 0;

  constructor(engine: SessionEngine, options: GuardOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
    this.#plans = new PinnedPlans(engine, options.plans, this.#now);
    this.#prefix = options.idPrefix ?? randomBytes(4).toString("hex");
  }

  /** Judges one event by the plan that its session is pinned to, and runs the programs that it needs. */
  async judge(event: EventName, session: string, payload: object): Promise<Decision> {
    const wire = fromHost(event, payload, this.#frame(session));
    const engine = this.#engineOf(session);
    const { decision } = await engine.judge(wire);
    for (const { message, level, rule } of decision.notices ?? []) this.tell(`${message} [${rule}]`, level);
    return decision.outcome === "ask" ? this.#approved(engine, session, decision) : decision;
  }

  /** Looks for a change of the policies on disk; what became of it is told and recorded once for each session. */
  async refresh(session: string): Promise<void> {
    const change = await this.#plans.refresh(session);
    if (!change) return;
    this.tell(changeText(change), "warning");
    const { kind, ...observed } = change;
    const engine = this.#engineOf(session);
    const frame = this.#frame(session);
    const body = observationBody(engine.plan, frame, { event: kind, outcome: "allow", observed });
    const { id, parent } = frame.session;
    await engine.record?.({ id, ...(parent !== undefined && { parent }) }, body);
  }

  /**
   * A session begins, with what the host could not be given in the one before it. One of a sub-agent has the state of its parent, and
   * what it comes to is the parent's too.
   */
  begun(session: string, parent: string | undefined): void {
    if (parent === undefined || parent === session) {
      const text = this.#options.undelivered?.(session);
      if (text !== undefined) this.tell(`hookwarden: ${text}`, "warning");
      return;
    }
    if (this.#parents.size >= maxParents) this.#parents.delete(this.#parents.keys().next().value as string);
    this.#parents.set(session, parent);
  }

  /** A session has ended; should it go on all the same, it begins where it was. */
  ended(session: string): void {
    this.#engineOf(session).end?.(session);
    this.#turns.delete(session);
  }

  versionSeen(version: string): void {
    this.#options.versionSeen?.(version);
  }

  nextTurn(session: string): void {
    this.#turns.set(session, (this.#turns.get(session) ?? -1) + 1);
  }

  /** An id for what the guard adds to a message. */
  newId(): string {
    return `hookwarden${this.#prefix}${++this.#events}`;
  }

  #engineOf(session: string): SessionEngine {
    // What the plans here are made into are engines; those who pin them know less of them.
    return this.#plans.judgeOf(session) as SessionEngine;
  }

  #frame(session: string) {
    const { machine = thisMachine(), files = liveFiles, directory } = this.#options;
    const parent = this.#parents.get(session);
    return {
      id: `${this.#prefix}-${++this.#events}`,
      time: new Date(this.#now()).toISOString(),
      host: "opencode",
      environment: environmentOf(machine, files, directory, false),
      session: { id: session, turn: this.#turns.get(session) ?? 0, ...(parent !== undefined && { parent }) },
    };
  }

  /** Nobody can be asked here, but a human may have let the call through outside the agent. */
  async #approved(engine: SessionEngine, session: string, decision: Decision): Promise<Decision> {
    const key = decision.ask?.key;
    if (key === undefined || this.#options.takeApproval?.(key) !== true) return decision;
    const answer = { session, of: decision.id, answer: "allow", by: "break-glass", time: this.#now() } as const;
    return (await engine.answer(answer)) ? { ...decision, outcome: "allow" } : decision;
  }

  /** Tells the human. Never throws. */
  tell(message: string, level: "info" | "warning" | "error"): void {
    try {
      this.#options.tell?.(message, level);
    } catch {
      // What is told is on record too.
    }
  }
}

function changeText({ kind, found, why }: PlanChange): string {
  if (kind === "reloaded") return `hookwarden: this session now uses the plan ${found}`;
  const what = why === undefined ? "the policies on disk changed" : `the policies on disk do not load (${why})`;
  return `hookwarden: ${what}; this session keeps the plan it began with until \`hookwarden reload\``;
}
