import { type Caller, closedEngine, type Engine, KnownMessages, plainCopy, type Verdict } from "../../runtime.ts";
import type { AuditBody, Decision, DecisionError, WireEvent } from "../../schema/generated.ts";
import type { Judge, SessionName } from "../pi/judge.ts";
import { observationBody } from "../pi/observations.ts";
import { type FromJudge, LastConversations, type Setup, type ToJudge } from "./messages.ts";
import { JudgeProcess } from "./process.ts";
import { type JudgeCommand, packageJudge } from "./program.ts";

type Plan = NonNullable<Engine["plan"]>;

/** A guard's judge that runs in another process and answers asynchronously. */
export interface RemoteJudge extends Judge {
  readonly plan: Plan;
  judge(event: unknown): Promise<Pick<Verdict, "decision">>;
  answer(answer: Parameters<Engine["answer"]>[0]): Promise<boolean>;
  record(session: SessionName, body: AuditBody): Promise<void>;
  end(session: string): void;
}

/** Options of `RemoteSessions`. */
export interface RemoteOptions {
  readonly command?: JudgeCommand;
  /** Milliseconds within which each answer must come, besides the time that programs of rules take. */
  readonly budget?: number;
}

/** Maximum number of sessions tracked: open ones, and those without records. */
const rememberedSessions = 1_000;

/**
 * The sessions of a guard, judged in a process of ours (decision 14). The process starts at once, while the host loads. If it
 * does not answer in time, or at all, the event gets its closed outcome (HW506), which the next process records. That process
 * judges the next event with the state from the session's records. A session without records cannot continue, because its
 * state is lost: its events are closed (HW515).
 */
export class RemoteSessions {
  /** Files and folders that the process runs from. */
  readonly places: readonly string[];
  readonly #setup: Setup;
  readonly #process: JudgeProcess;
  readonly #caller: { adapter?: string; host_version?: string };
  readonly #known = new KnownMessages();
  readonly #begun = new Map<string, number>();
  /** Known sessions that have not ended. */
  readonly #open = new Set<string>();
  #conversations = new LastConversations();
  #made = new Set<number>();
  #engines = 0;

  constructor(setup: Setup, { command = packageJudge(), budget }: RemoteOptions = {}) {
    this.#setup = setup;
    this.places = command.places ?? [];
    this.#caller = { ...setup.caller };
    this.#process = new JudgeProcess({
      command,
      ...(budget !== undefined && { budget }),
      begun: (say) => {
        this.#made = new Set();
        this.#conversations = new LastConversations();
        say({ op: "setup", setup: { ...this.#setup, caller: this.#caller } });
      },
    });
    this.#process.start();
  }

  /** Sets the host's version, for a host that reports it late. */
  versionSeen(host_version: string): void {
    if (this.#caller.host_version === host_version) return;
    this.#caller.host_version = host_version;
    const caller: Caller = { ...this.#caller };
    this.#process.say({ op: "caller", caller });
  }

  /** Makes the judge of a plan, which takes over the sessions of `before`. */
  judge(plan: Plan, before?: Judge): RemoteJudge {
    return new PlanJudge(this, plan, ++this.#engines, before instanceof PlanJudge ? before.number : undefined);
  }

  /** Lets the process end if no question is open, and waits for its end; a later event starts another. */
  release(): Promise<void> {
    return this.#process.release();
  }

  async judged(judge: PlanJudge, event: unknown): Promise<Pick<Verdict, "decision">> {
    const copied = plainCopy(event, this.#known);
    if (!copied.ok) return this.#closed(judge, event, { code: "HW504", message: copied.message });
    const wire = copied.value as WireEvent;
    const session = wire.session?.id ?? "";
    if (this.#open.size < rememberedSessions) this.#open.add(session);
    const lost = this.#lost(session);
    if (lost !== undefined) return this.#closed(judge, wire, lost);
    try {
      const asked = this.#process.ask((id) => this.#question(judge, id, wire));
      const { generation } = this.#process;
      const answer = await asked;
      if ("decision" in answer) {
        this.#answered(session, generation);
        return { decision: whole(answer, wire) };
      }
      throw new Error("fault" in answer ? answer.fault : "there is no decision");
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return this.#closed(judge, wire, { code: "HW506", message });
    }
  }

  async told(judge: PlanJudge, message: (id: number) => ToJudge): Promise<boolean> {
    const answer = await this.#process.ask((id) => {
      this.#make(judge);
      return message(id);
    });
    if ("fault" in answer) throw new Error(answer.fault);
    return "done" in answer && answer.done;
  }

  /** Ends a session. With the last one the process ends too, unless it alone holds the sessions' state. */
  end(judge: PlanJudge, session: string): void {
    if (this.#made.has(judge.number)) this.#process.say({ op: "end", engine: judge.number, session });
    this.#open.delete(session);
    if (this.#open.size === 0 && this.#setup.sessions !== undefined) void this.#process.release();
  }

  #question(judge: PlanJudge, id: number, wire: WireEvent): ToJudge {
    this.#make(judge);
    const { messages, ...event } = wire;
    const engine = judge.number;
    if (!Array.isArray(messages)) return { op: "judge", id, engine, event: wire };
    return {
      op: "judge",
      id,
      engine,
      event,
      messages: this.#conversations.grown(wire.session?.id ?? "", messages),
    };
  }

  /** Makes the judge's engine in the process, when it is first used there. */
  #make({ number, plan, before }: PlanJudge): void {
    if (this.#made.has(number)) return;
    this.#made.add(number);
    const goesOn = before !== undefined && this.#made.has(before) ? { before } : {};
    this.#process.say({ op: "engine", engine: number, plan, ...goesOn });
  }

  /** Returns why a session cannot continue: its process is gone and there is no record of it. Undefined if it can. */
  #lost(session: string): DecisionError | undefined {
    const begun = this.#begun.get(session);
    if (begun === undefined) return undefined;
    this.#process.start();
    return begun === this.#process.generation ? undefined : lostState;
  }

  /** Remembers which process holds a session without records. */
  #answered(session: string, generation: number): void {
    if (this.#setup.sessions !== undefined || this.#begun.has(session)) return;
    this.#begun.set(session, generation);
    if (this.#begun.size > rememberedSessions) this.#begun.delete(this.#begun.keys().next().value as string);
  }

  /** Returns the closed outcome of an event that the process did not answer, and records it as the guard's observation. */
  #closed(judge: PlanJudge, event: unknown, error: DecisionError): Pick<Verdict, "decision"> {
    const { decision } = closedEngine(judge.plan, error).decide(event);
    if (this.#setup.sessions !== undefined) void this.#noted(judge, event, decision, error);
    return { decision };
  }

  async #noted(judge: PlanJudge, event: unknown, { id, outcome }: Decision, error: DecisionError): Promise<void> {
    try {
      const { event: failed, time, host, session, environment, tool, call_id } = event as WireEvent;
      const about = { ...(typeof tool === "string" && { tool }), ...(call_id !== undefined && { call_id }) };
      const frame = {
        id,
        time: time ?? "",
        host: host ?? "",
        session: { ...session },
        environment: { ...environment },
      };
      const body = observationBody(judge.plan, frame as Parameters<typeof observationBody>[1], {
        event: "error",
        outcome: outcome === "allow" ? "allow" : "block",
        ...about,
        fault: { code: "HW506", message: error.message },
        observed: { failed },
      });
      const name: SessionName = {
        id: session?.id ?? "",
        ...(session?.parent !== undefined && { parent: session.parent }),
      };
      await judge.record(name, { ...body, errors: [error] });
    } catch {
      // The guard's answer says the same; a process that cannot record it cannot judge the next event either.
    }
  }
}

const lostState: DecisionError = {
  code: "HW515",
  message:
    "session state cannot be used: the process that kept it was ended, and no audit trail has it; ask the human to begin a new session",
};

class PlanJudge implements RemoteJudge {
  readonly active = true;
  readonly plan: Plan;
  readonly number: number;
  readonly before: number | undefined;
  readonly #sessions: RemoteSessions;

  constructor(sessions: RemoteSessions, plan: Plan, number: number, before: number | undefined) {
    this.#sessions = sessions;
    this.plan = plan;
    this.number = number;
    this.before = before;
  }

  /** Closes the event, because another process cannot answer synchronously. */
  decide(event: unknown): Pick<Verdict, "decision"> {
    return closedEngine(this.plan, { code: "HW506", message: "the judge process cannot answer at once" }).decide(event);
  }

  judge(event: unknown): Promise<Pick<Verdict, "decision">> {
    return this.#sessions.judged(this, event);
  }

  /** Passes on a human's answer; false if it cannot be recorded. */
  async answer(answer: Parameters<Engine["answer"]>[0]): Promise<boolean> {
    try {
      return await this.#sessions.told(this, (id) => ({ op: "answer", id, engine: this.number, answer }));
    } catch {
      return false;
    }
  }

  async record(session: SessionName, body: AuditBody): Promise<void> {
    await this.#sessions.told(this, (id) => ({ op: "record", id, engine: this.number, session, body }));
  }

  end(session: string): void {
    this.#sessions.end(this, session);
  }
}

/** Rebuilds the decision as the process made it, with the messages and fields that were abbreviated. */
function whole({ decision, absent, messages }: Extract<FromJudge, { decision: Decision }>, wire: WireEvent): Decision {
  if (absent === undefined && messages === undefined) return decision;
  const changes: Record<string, unknown> = { ...decision.changes };
  for (const name of absent ?? []) changes[name] = undefined;
  const given: readonly unknown[] = wire.messages ?? [];
  if (messages) changes["messages"] = messages.map((one) => (typeof one === "number" ? given[one] : one.new));
  return { ...decision, changes };
}
