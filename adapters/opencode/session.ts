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

/** Options of a guard; the real machine is the default. */
export interface GuardOptions {
  /** Folder that the agent works in. */
  readonly directory: string;
  readonly files?: FileSystem;
  readonly machine?: Machine;
  readonly plans?: PlanSource;
  /** Takes the one-time approval of a call's key, if a human left one outside the agent. */
  readonly takeApproval?: (key: string) => boolean;
  /** Returns, in words, the decisions that the host could not be given in its previous session. */
  readonly undelivered?: (session: string) => string | undefined;
  /** Called with the host's version, if the host gives it. */
  readonly versionSeen?: (version: string) => void;
  /** Tells the human. */
  readonly tell?: (message: string, level: "info" | "warning" | "error") => void;
  /** Wall clock, milliseconds since the epoch. */
  readonly now?: () => number;
  /** Prefix of event ids, unique to this process. */
  readonly idPrefix?: string;
}

/** An engine, or a judge in a separate process, which also records the guard's observations. */
export interface SessionEngine extends Judge {
  judge(event: unknown): Promise<Pick<Verdict, "decision">>;
  answer(answer: Parameters<Engine["answer"]>[0]): boolean | Promise<boolean>;
}

/** Maximum number of sub-agents whose parent is remembered; far more than a host runs at once. */
const maxParents = 1_000;

/** The sessions of one OpenCode process in front of an engine. */
export class Sessions {
  readonly #options: GuardOptions;
  readonly #plans: PinnedPlans;
  readonly #now: () => number;
  readonly #prefix: string;
  readonly #turns = new Map<string, number>();
  /** Parent sessions by the sub-agent's session. */
  readonly #parents = new Map<string, string>();
  #events = 0;

  constructor(engine: SessionEngine, options: GuardOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now());
    this.#plans = new PinnedPlans(engine, options.plans, this.#now);
    this.#prefix = options.idPrefix ?? randomBytes(4).toString("hex");
  }

  /** Judges one event by the plan to which its session is pinned, and runs the programs that it needs. */
  async judge(event: EventName, session: string, payload: object): Promise<Decision> {
    const wire = fromHost(event, payload, this.#frame(session));
    const engine = this.#engineOf(session);
    const { decision } = await engine.judge(wire);
    for (const { message, level, rule } of decision.notices ?? []) this.tell(`${message} [${rule}]`, level);
    return decision.outcome === "ask" ? this.#approved(engine, session, decision) : decision;
  }

  /** Checks for a change of the policies on disk; the result is shown to the human and recorded once for each session. */
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
   * Begins a session, and tells the human which decisions the host could not be given in the previous one. A sub-agent's
   * session has the state of its parent, and its effects count for the parent too.
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

  /** Ends a session; if it goes on after all, it resumes where it was. */
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

  /** Returns an id for the guard's addition to a message. */
  newId(): string {
    return `hookwarden${this.#prefix}${++this.#events}`;
  }

  #engineOf(session: string): SessionEngine {
    // The plans here are made into engines; the code that pins them has a narrower type.
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

  /** Applies an approval that a human left outside the agent, since nobody can be asked here. */
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
      // The message is recorded too.
    }
  }
}

function changeText({ kind, found, why }: PlanChange): string {
  if (kind === "reloaded") return `hookwarden: this session now uses the plan ${found}`;
  const what = why === undefined ? "the policies on disk changed" : `the policies on disk do not load (${why})`;
  return `hookwarden: ${what}; this session keeps the plan it began with until \`hookwarden reload\``;
}
