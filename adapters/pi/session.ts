import { randomBytes } from "node:crypto";
import { canonicalEvent, eventKind } from "../../schema/events.ts";
import type { Decision, WireEvent } from "../../schema/generated.ts";
import type { AuditStore, FileSystem } from "../../schema/ports.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { undeliveredText } from "../../store/undelivered.ts";
import { liveFiles } from "../live-files.ts";
import type { PiSessionManager, PiUi } from "./api.ts";
import { question } from "./approval.ts";
import { denialText, type Fault, unaskedText } from "./denial.ts";
import { environmentOf, type Machine, pathVariables, thisMachine } from "./environment.ts";
import type { Judge, SessionName } from "./judge.ts";
import { type Observation, observationBody } from "./observations.ts";
import { PinnedPlans, type PlanChange, type PlanSource } from "./pinned-plans.ts";
import { type PolicyState, statusText } from "./policy-command.ts";
import { RecentDecisions } from "./recent-decisions.ts";
import { originOf, type SessionOrigin } from "./session-parent.ts";
import type { Frame } from "./translate.ts";

export type { Judge } from "./judge.ts";

/** Options of a guard; the defaults are the real machine. */
export interface GuardOptions {
  /** Name of the host in events and records. */
  readonly host?: string;
  readonly files?: FileSystem;
  /** Store for the guard's own observations (a changed call, a human's answer), if the engine does not record them. */
  readonly store?: AuditStore;
  readonly machine?: Machine;
  /** Wall clock of events, milliseconds since the epoch. */
  readonly now?: () => number;
  /** Prefix of event ids, unique to this process. */
  readonly idPrefix?: string;
  /** Source of plans; without it the engine's own plan is used as long as the process runs. */
  readonly plans?: PlanSource;
  /** Uses up the one-time approval of a call's key; true if a human gave one outside the agent. */
  readonly takeApproval?: (key: string) => boolean;
  /** Digests of policies that a human trusted, for `/policy`. */
  readonly trusted?: () => ReadonlySet<string>;
  /** Milliseconds after which an event that still waits for programs is closed; no limit by default. */
  readonly limit?: number;
  /** Writes a message that no UI can show; standard error by default. */
  readonly log?: (line: string) => void;
}

/** The part of a host's context that an adapter uses. Without `ui` nobody can be asked. */
export interface SessionContext {
  readonly cwd: string;
  readonly hasUI?: boolean;
  readonly ui?: Pick<PiUi, "confirm" | "notify" | "setStatus">;
  readonly sessionManager?: PiSessionManager;
}

/** A call that a human is asked about. */
interface AskedCall {
  readonly wire: WireEvent;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Maximum milliseconds that the host itself waits for the answer. */
  readonly limit?: number | undefined;
}

/** Key of the line in the host's footer. */
const statusKey = "hookwarden";

/** Maximum number of sessions whose origin and last change are remembered. */
const rememberedSessions = 1_000;

/** A host's sessions in front of an engine: frames events, asks the human, and records the adapter's own observations. */
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
  readonly #trusted: (() => ReadonlySet<string>) | undefined;
  readonly #limit: number | undefined;
  readonly #told = new Set<string>();
  readonly #recent = new RecentDecisions();
  readonly #origins = new Map<string, SessionOrigin>();
  readonly #changes = new Map<string, PlanChange>();
  readonly #closed = new Map<string, string>();
  /** Variables of this process, read before each call: no tool that a call runs can change them. */
  #variables: Readonly<Record<string, string>> | undefined;
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
    this.#trusted = options.trusted;
    this.#limit = options.limit;
  }

  /** Judges synchronously by the plan that the event's session is pinned to; an event that needs a program is closed. */
  decide(event: WireEvent): Decision {
    return this.#plans.judgeOf(event.session?.id ?? "").decide(event).decision;
  }

  /**
   * Judges by the plan that the event's session is pinned to, with programs, and tells the human the notices of rules. Rejects
   * if the programs take longer than the host waits; the caller then closes the event.
   */
  async judge(event: WireEvent, context: SessionContext): Promise<Decision> {
    const judge = this.#plans.judgeOf(event.session?.id ?? "");
    const { decision } = judge.judge ? await this.#inTime(judge.judge(event)) : judge.decide(event);
    this.#recent.add(event, decision);
    this.#noticeState(decision, context);
    for (const { level, message } of decision.notices ?? []) this.#tell(`hookwarden: ${message}`, level, context);
    if (decision.answered === "error" && observed(event))
      for (const { code, message } of decision.errors) this.#tellOnce(`hookwarden ${code}: ${message}`, context);
    return decision;
  }

  /** Awaits work as long as the host waits. Without a limit it returns `work` itself, to save a turn of the queue. */
  #inTime<T>(work: Promise<T>): Promise<T> {
    return this.#limit === undefined ? work : within(work, this.#limit);
  }

  /** True if a rule of the session's plan names the event. */
  names(event: string, context: SessionContext): boolean {
    const plan = this.#plans.judgeOf(this.#id(context)).plan;
    return plan === undefined || eventsOf(plan).has(event);
  }

  /** Returns the state that `/policy` shows. */
  state(context: SessionContext): PolicyState {
    const session = this.#id(context);
    const { plan } = this.#plans.judgeOf(session);
    const change = this.#changes.get(session);
    return { plan, recent: this.#recent.of(session), change, trusted: this.#trusted?.() };
  }

  /** Shows the state of the policies in the host's footer. Never throws. */
  showStatus(context: SessionContext): void {
    try {
      const { plan, change } = this.state(context);
      const why = this.#closed.get(this.#id(context));
      if (context.hasUI === true)
        context.ui?.setStatus?.(statusKey, statusText(plan, change?.kind === "reload_pending", why));
    } catch {
      // A footer is a comfort; `/policy` says the same.
    }
  }

  /** Tells the human, at the start of a session, what could not be delivered in the session before. Never throws. */
  tellUndelivered(context: SessionContext): void {
    const { variables, home } = this.#machine;
    const text = undeliveredText(stateFolder(variables, home), this.#host, this.#id(context));
    if (text !== undefined) this.#tell(`hookwarden: ${text}`, "warning", context);
  }

  /** Tells the human something about the session as a whole. Never throws. */
  tell(text: string, level: "info" | "warning" | "error", context: SessionContext): void {
    this.#tell(text, level, context);
  }

  /** Checks for a change of the policies on disk; tells and records its state once for each session. */
  async refresh(context: SessionContext): Promise<void> {
    this.#variables = undefined;
    const change = await this.#plans.refresh(this.#id(context));
    if (!change) return;
    remember(this.#changes, this.#id(context), change);
    this.showStatus(context);
    const { kind, ...digests } = change;
    this.#tell(changeText(change), "warning", context);
    await this.record({ event: kind, outcome: "allow", observed: digests }, context);
  }

  /** Returns the session's id; if the host has none, an id of this process. */
  #id(context: SessionContext): string {
    return sessionId(context) || `${this.#host}-${this.#idPrefix}`;
  }

  nextTurn(): void {
    this.#turn++;
  }

  /** Returns the fields of the next event besides its payload. Ids are never used twice. */
  frame(context: SessionContext): Frame {
    const { parent, agent } = this.#origin(context);
    this.#variables ??= pathVariables(this.#machine.variables);
    return {
      id: `${this.#idPrefix}-${++this.#events}`,
      time: new Date(this.now()).toISOString(),
      host: this.#host,
      environment: environmentOf(this.#machine, this.#files, context.cwd, context.hasUI === true, this.#variables),
      session: {
        id: this.#id(context),
        ...(parent === undefined ? {} : { parent }),
        turn: this.#turn,
        agent: { ...agent },
      },
    };
  }

  /** Returns the origin of the session; read once, because a header does not change. */
  #origin(context: SessionContext): SessionOrigin {
    const session = this.#id(context);
    const known = this.#origins.get(session);
    if (known) return known;
    const origin = originOf(context.sessionManager);
    remember(this.#origins, session, origin);
    return origin;
  }

  /** Asks the human. Returns why the call is refused, or undefined if it was approved. Without a UI or an answer it is refused. */
  async ask(call: AskedCall, decision: Decision, context: SessionContext): Promise<string | undefined> {
    const key = decision.ask?.key;
    if (key !== undefined && this.#takeApproval(key))
      return this.#answered(call, decision, "allow", "break-glass", context);
    if (context.hasUI !== true || !context.ui) return unaskedText(decision);
    const answer = await confirmed(call, decision, context);
    return this.#answered(call, decision, answer, "user", context);
  }

  /** Records a human's answer, with the engine if it waits for one, else as an observation of the adapter. */
  async #answered(
    call: AskedCall,
    decision: Decision,
    answer: "allow" | "deny" | "timeout",
    by: "user" | "break-glass",
    context: SessionContext,
  ): Promise<string | undefined> {
    const of = call.wire.id ?? "";
    const judge = this.#plans.judgeOf(this.#id(context));
    const ids = call.wire.call_id === undefined ? {} : { call_id: call.wire.call_id };
    const outcome = answer === "allow" ? "allow" : "block";
    const seen: Observation = { event: "approval", outcome, tool: call.tool, ...ids, observed: { of, by } };
    const given = { session: this.#id(context), of, answer, by, time: this.now() };
    const recorded = (await judge.answer?.(given)) || (await this.record(seen, context));
    if (answer === "timeout") return unapproved(decision, "the human did not answer in time");
    if (answer === "deny") return unapproved(decision, "the human did not approve this call");
    if (recorded || !this.#auditRequired(judge)) return undefined;
    return unapproved(decision, "the approval could not be put on record (HW509)");
  }

  /** Tells the human and the audit trail about a fault. Never throws. */
  report(seen: Observation, fault: Fault, context: SessionContext): void {
    this.#tell(`hookwarden ${fault.code}: ${fault.message}`, "error", context);
    void this.record(seen, context);
  }

  #tell(text: string, level: "info" | "warning" | "error", context: SessionContext): void {
    try {
      if (context.hasUI === true && context.ui) context.ui.notify(text, level);
      else this.#log(text);
    } catch {
      // The message is on record too, and a fault still closes its event; nobody else can be told.
    }
  }

  /** Tells a message only once, since it would otherwise repeat with each event. */
  #tellOnce(text: string, context: SessionContext): void {
    if (this.#told.has(text)) return;
    if (this.#told.size < rememberedSessions) this.#told.add(text);
    this.#tell(text, "error", context);
  }

  /** Ends the host's session. Never throws. */
  end(context: SessionContext): void {
    try {
      const session = this.#id(context);
      this.#closed.delete(session);
      this.#plans.judgeOf(session).end?.(session);
    } catch {
      // A session that is not closed only leaves more for the next process to read.
    }
  }

  /** Shows in the footer whether the session is closed because its state cannot be used, and tells the human once. */
  #noticeState(decision: Decision, context: SessionContext): void {
    const session = this.#id(context);
    const found = decision.errors.find(({ code }) => code === "HW515");
    if (found?.message === this.#closed.get(session)) return;
    if (found) remember(this.#closed, session, found.message);
    else this.#closed.delete(session);
    this.showStatus(context);
    if (found) this.#tellOnce(`hookwarden ${found.code}: ${found.message}`, context);
  }

  /** Records an observation of the adapter; false if that failed. Never rejects. */
  async record(seen: Observation, context: SessionContext): Promise<boolean> {
    try {
      const judge = this.#plans.judgeOf(this.#id(context));
      const frame = this.frame(context);
      const body = observationBody(judge.plan, frame, seen);
      if (judge.record) await judge.record(named(frame.session), body);
      else this.#store?.append(body, 0);
      return true;
    } catch {
      return false;
    }
  }

  #auditRequired(judge: Judge): boolean {
    return judge.plan?.policies.some((policy) => policy.audit.mode === "required") === true;
  }
}

/**
 * Asks the human and returns the answer. When the time is over, a host closes its prompt and answers false by itself; the
 * clock tells this from a refusal. A host that does not close its prompt is not awaited.
 */
async function confirmed(
  call: AskedCall,
  decision: Decision,
  context: SessionContext,
): Promise<"allow" | "deny" | "timeout"> {
  const waits = [decision.ask?.timeout_ms, call.limit].filter((ms) => ms !== undefined);
  const timeout = waits.length === 0 ? undefined : Math.min(...waits, longestTimer);
  const started = performance.now();
  const late = (): boolean => timeout !== undefined && performance.now() - started >= timeout;
  try {
    const { title, message } = question(call.tool, call.args, decision);
    const asked = context.ui?.confirm(title, message, ...(timeout === undefined ? [] : [{ timeout }]));
    const answered = await within(Promise.resolve(asked), timeout === undefined ? undefined : timeout + grace);
    if (answered === true && !(timeout !== undefined && performance.now() - started > timeout + grace)) return "allow";
    return late() ? "timeout" : "deny";
  } catch {
    return late() ? "timeout" : "deny";
  }
}

/** Milliseconds that a host gets to close its own prompt. */
const grace = 250;

/** The longest time-out that a timer accepts, in milliseconds. */
const longestTimer = 2_147_000_000;

/** Awaits a value; rejects if it takes longer than `limit` milliseconds. */
async function within<T>(work: Promise<T>, limit: number | undefined): Promise<T> {
  if (limit === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limit} ms`)), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function remember<T>(map: Map<string, T>, session: string, value: T): void {
  map.delete(session);
  map.set(session, value);
  if (map.size > rememberedSessions) map.delete(map.keys().next().value as string);
}

function observed({ event }: WireEvent): boolean {
  const name = canonicalEvent(event);
  return name !== undefined && eventKind(name) === "observe";
}

/** Cache of the events that the rules of a plan name, by plan. */
const namedEvents = new WeakMap<object, ReadonlySet<string>>();

function eventsOf(plan: NonNullable<Judge["plan"]>): ReadonlySet<string> {
  const known = namedEvents.get(plan) ?? new Set(plan.rules.flatMap(({ events }) => events as readonly string[]));
  namedEvents.set(plan, known);
  return known;
}

function changeText({ kind, found, why }: PlanChange): string {
  if (kind === "reloaded") return `hookwarden: this session now uses the plan ${found}`;
  const what = why === undefined ? "the policies on disk changed" : `the policies on disk do not load (${why})`;
  return `hookwarden: ${what}; this session keeps the plan it began with until \`hookwarden reload\``;
}

function unapproved(decision: Decision, message: string): string {
  return denialText({ ...decision, errors: [...decision.errors, { code: "HW510", message }] });
}

function named({ id = "", parent }: Frame["session"]): SessionName {
  return parent === undefined ? { id } : { id, parent };
}

/** Returns the id of the current session; empty if the host has none. */
function sessionId(context: SessionContext): string {
  return context.sessionManager?.getSessionId?.() ?? "";
}
