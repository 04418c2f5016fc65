import { randomBytes } from "node:crypto";
import type { Engine, Verdict } from "../../runtime.ts";
import type { Decision, WireEvent } from "../../schema/generated.ts";
import type { AuditStore, FileSystem } from "../../schema/ports.ts";
import { liveFiles } from "../live-files.ts";
import type { PiUi } from "./api.ts";
import { question } from "./approval.ts";
import { denialText, type Fault } from "./denial.ts";
import { environmentOf, type Machine, thisMachine } from "./environment.ts";
import { type Observation, observationBody } from "./observations.ts";
import type { Frame } from "./translate.ts";

/** What a guard needs of an engine. */
export interface Judge extends Pick<Engine, "active" | "plan"> {
  decide(event: unknown): Pick<Verdict, "decision">;
}

/** What a guard takes from the world; the real machine where nothing is given. */
export interface GuardOptions {
  /** Name of the host in events and records. */
  readonly host?: string;
  readonly files?: FileSystem;
  /** The engine's store: what the guard itself sees (a changed call, a human's answer) goes there too. */
  readonly store?: AuditStore;
  readonly machine?: Machine;
  /** Wall clock of events, milliseconds since the epoch. */
  readonly now?: () => number;
  /** Prefix of event ids, unique to this process. */
  readonly idPrefix?: string;
  /** Where to say what nobody can be shown; standard error by default. */
  readonly log?: (line: string) => void;
}

/** What of a host's context an adapter looks at. Without `ui` nobody can be asked. */
export interface SessionContext {
  readonly cwd: string;
  readonly hasUI?: boolean;
  readonly ui?: Pick<PiUi, "confirm" | "notify">;
  readonly sessionManager?: { getSessionId?(): string };
}

/** A call that a human is asked about. */
interface AskedCall {
  readonly wire: WireEvent;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** One host session in front of an engine: frames events, asks the human, and keeps on record what the adapter itself saw. */
export class GuardSession {
  readonly judge: Judge;
  readonly now: () => number;
  readonly #host: string;
  readonly #files: FileSystem;
  readonly #store: AuditStore | undefined;
  readonly #machine: Machine;
  readonly #idPrefix: string;
  readonly #log: (line: string) => void;
  #events = 0;
  #turn = 0;

  constructor(judge: Judge, options: GuardOptions) {
    this.judge = judge;
    this.now = options.now ?? (() => Date.now());
    this.#host = options.host ?? "pi";
    this.#files = options.files ?? liveFiles;
    this.#store = options.store;
    this.#machine = options.machine ?? thisMachine();
    this.#idPrefix = options.idPrefix ?? randomBytes(4).toString("hex");
    this.#log = options.log ?? ((line) => void process.stderr.write(`${line}\n`));
  }

  decide(event: WireEvent): Decision {
    return this.judge.decide(event).decision;
  }

  nextTurn(): void {
    this.#turn++;
  }

  /** What the next event carries besides its payload. Ids are never used twice. */
  frame(context: SessionContext): Frame {
    return {
      id: `${this.#idPrefix}-${++this.#events}`,
      time: new Date(this.now()).toISOString(),
      host: this.#host,
      environment: environmentOf(this.#machine, this.#files, context.cwd, context.hasUI === true),
      session: { id: sessionId(context), turn: this.#turn, agent: { id: "main", depth: 0 } },
    };
  }

  /** Why the human's answer refuses a call, or undefined when it was approved. No UI, no answer, a failing UI: refused. */
  async ask(call: AskedCall, decision: Decision, context: SessionContext): Promise<string | undefined> {
    if (context.hasUI !== true || !context.ui)
      return unapproved(decision, "a human must approve this call, and none can be asked here");
    const approved = await confirmed(call, decision, context);
    const ids = call.wire.call_id === undefined ? {} : { call_id: call.wire.call_id };
    const observed = { of: call.wire.id ?? "", by: "user" };
    const outcome = approved ? "allow" : "block";
    const recorded = this.record({ event: "approval", outcome, tool: call.tool, ...ids, observed }, context);
    if (!approved) return unapproved(decision, "the human did not approve this call");
    if (recorded || !this.#auditRequired()) return undefined;
    return unapproved(decision, "the approval could not be put on record (HW509)");
  }

  /** Tells the human and the audit trail about a fault. Never throws. */
  report(seen: Observation, fault: Fault, context: SessionContext): void {
    const text = `hookwarden ${fault.code}: ${fault.message}`;
    try {
      if (context.hasUI === true && context.ui) context.ui.notify(text, "error");
      else this.#log(text);
    } catch {
      // The fault itself still closes the event; there is nobody left to tell.
    }
    this.record(seen, context);
  }

  /** Puts what the adapter saw on record; false when that failed. */
  record(seen: Observation, context: SessionContext): boolean {
    try {
      this.#store?.append(observationBody(this.judge.plan, this.frame(context), seen), 0);
      return true;
    } catch {
      return false;
    }
  }

  #auditRequired(): boolean {
    return this.judge.plan?.policies.some((policy) => policy.audit.mode === "required") === true;
  }
}

async function confirmed(call: AskedCall, decision: Decision, context: SessionContext): Promise<boolean> {
  try {
    const { title, message } = question(call.tool, call.args, decision);
    return (await context.ui?.confirm(title, message)) === true;
  } catch {
    return false;
  }
}

function unapproved(decision: Decision, message: string): string {
  return denialText({ ...decision, errors: [...decision.errors, { code: "HW510", message }] });
}

function sessionId(context: SessionContext): string {
  return context.sessionManager?.getSessionId?.() ?? "";
}
