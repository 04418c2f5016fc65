import { randomBytes } from "node:crypto";
import type { Decision, WireEvent } from "../../schema/generated.ts";
import type { AuditStore, FileSystem } from "../../schema/ports.ts";
import { liveFiles } from "../live-files.ts";
import type { PiUi } from "./api.ts";
import { question } from "./approval.ts";
import { denialText, type Fault } from "./denial.ts";
import { environmentOf, type Machine, thisMachine } from "./environment.ts";
import type { Judge } from "./judge.ts";
import { type Observation, observationBody } from "./observations.ts";
import { PinnedPlans, type PlanChange, type PlanSource } from "./pinned-plans.ts";
import type { Frame } from "./translate.ts";

export type { Judge } from "./judge.ts";

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
  /** Where plans come from; without it the engine's own plan serves as long as the process runs. */
  readonly plans?: PlanSource;
  /** Takes the one-time approval of a call's key, if a human left one outside the agent. */
  readonly takeApproval?: (key: string) => boolean;
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
  readonly now: () => number;
  readonly #plans: PinnedPlans;
  readonly #takeApproval: (key: string) => boolean;
  readonly #host: string;
  readonly #files: FileSystem;
  readonly #store: AuditStore | undefined;
  readonly #machine: Machine;
  readonly #idPrefix: string;
  readonly #log: (line: string) => void;
  #events = 0;
  #turn = 0;

  constructor(judge: Judge, options: GuardOptions) {
    this.now = options.now ?? (() => Date.now());
    this.#plans = new PinnedPlans(judge, options.plans, this.now);
    this.#takeApproval = options.takeApproval ?? (() => false);
    this.#host = options.host ?? "pi";
    this.#files = options.files ?? liveFiles;
    this.#store = options.store;
    this.#machine = options.machine ?? thisMachine();
    this.#idPrefix = options.idPrefix ?? randomBytes(4).toString("hex");
    this.#log = options.log ?? ((line) => void process.stderr.write(`${line}\n`));
  }

  /** Judges by the plan that the event's session is pinned to. */
  decide(event: WireEvent): Decision {
    return this.#plans.judgeOf(event.session?.id ?? "").decide(event).decision;
  }

  /** Looks for a change of the policies on disk; what became of it is told and recorded once for each session. */
  async refresh(context: SessionContext): Promise<void> {
    const change = await this.#plans.refresh(sessionId(context));
    if (!change) return;
    const { kind, ...digests } = change;
    this.#tell(changeText(change), "warning", context);
    this.record({ event: kind, outcome: "allow", observed: digests }, context);
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
    const key = decision.ask?.key;
    if (key !== undefined && this.#takeApproval(key))
      return this.#answered(call, decision, "allow", "break-glass", context);
    if (context.hasUI !== true || !context.ui) {
      const once = key === undefined ? "" : `; a human can let it run once with \`hookwarden approve --once ${key}\``;
      return unapproved(decision, `a human must approve this call, and none can be asked here${once}`);
    }
    const answer = (await confirmed(call, decision, context)) ? "allow" : "deny";
    return this.#answered(call, decision, answer, "user", context);
  }

  /** Puts a human's answer on record: with the engine where it waits for one, else as what the adapter saw. */
  #answered(
    call: AskedCall,
    decision: Decision,
    answer: "allow" | "deny",
    by: "user" | "break-glass",
    context: SessionContext,
  ): string | undefined {
    const of = call.wire.id ?? "";
    const judge = this.#plans.judgeOf(sessionId(context));
    const ids = call.wire.call_id === undefined ? {} : { call_id: call.wire.call_id };
    const outcome = answer === "allow" ? "allow" : "block";
    const seen: Observation = { event: "approval", outcome, tool: call.tool, ...ids, observed: { of, by } };
    const recorded =
      judge.answer?.({ session: sessionId(context), of, answer, by, time: this.now() }) || this.record(seen, context);
    if (answer === "deny") return unapproved(decision, "the human did not approve this call");
    if (recorded || !this.#auditRequired(judge)) return undefined;
    return unapproved(decision, "the approval could not be put on record (HW509)");
  }

  /** Tells the human and the audit trail about a fault. Never throws. */
  report(seen: Observation, fault: Fault, context: SessionContext): void {
    this.#tell(`hookwarden ${fault.code}: ${fault.message}`, "error", context);
    this.record(seen, context);
  }

  #tell(text: string, level: "warning" | "error", context: SessionContext): void {
    try {
      if (context.hasUI === true && context.ui) context.ui.notify(text, level);
      else this.#log(text);
    } catch {
      // What is told is on record too, and a fault closes its event all the same; there is nobody left to tell.
    }
  }

  /** Puts what the adapter saw on record; false when that failed. */
  record(seen: Observation, context: SessionContext): boolean {
    try {
      this.#store?.append(observationBody(this.#plans.judgeOf(sessionId(context)).plan, this.frame(context), seen), 0);
      return true;
    } catch {
      return false;
    }
  }

  #auditRequired(judge: Judge): boolean {
    return judge.plan?.policies.some((policy) => policy.audit.mode === "required") === true;
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

function changeText({ kind, found, why }: PlanChange): string {
  if (kind === "reloaded") return `hookwarden: this session now uses the plan ${found}`;
  const what = why === undefined ? "the policies on disk changed" : `the policies on disk do not load (${why})`;
  return `hookwarden: ${what}; this session keeps the plan it began with until \`hookwarden reload\``;
}

function unapproved(decision: Decision, message: string): string {
  return denialText({ ...decision, errors: [...decision.errors, { code: "HW510", message }] });
}

function sessionId(context: SessionContext): string {
  return context.sessionManager?.getSessionId?.() ?? "";
}
