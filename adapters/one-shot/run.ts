import { randomBytes } from "node:crypto";
import { dirname, isAbsolute, join } from "node:path";
import { closedEngine, createEngine, type Engine } from "../../runtime.ts";
import type { Decision, WireEvent } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import type { AuditStore, ProgramAnswer, Programs } from "../../schema/ports.ts";
import { elapsed } from "../../store/elapsed.ts";
import { sessionName, takeApproval } from "../../store/human-decisions.ts";
import { installKey } from "../../store/install-key.ts";
import { unusable } from "../../store/open-session.ts";
import { type PathLabelStore, withPathLabels } from "../../store/path-labels.ts";
import { ownFolder, readOwn, writeOwn } from "../../store/session-file.ts";
import {
  type HeldSession,
  type SessionResult,
  type SessionStoreOptions,
  withSession,
} from "../../store/session-store.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { undeliveredText } from "../../store/undelivered.ts";
import { countUnjudged, recentlyUnjudged } from "../../store/unjudged.ts";
import { goOnLimit } from "../go-on-limit.ts";
import { liveFiles } from "../live-files.ts";
import { oneLine } from "../pi/denial.ts";
import { environmentOf, thisMachine } from "../pi/environment.ts";
import { observationBody } from "../pi/observations.ts";
import type { PlanChange } from "../pi/pinned-plans.ts";
import { createPrograms } from "../programs.ts";
import { liveSecretValues } from "../secret-values.ts";
import { type HookArguments, readArguments } from "./arguments.ts";
import {
  type Dialect,
  exitTwo,
  type HookReply,
  isPayload,
  noGrant,
  type Payload,
  textOf,
  type Variables,
} from "./dialect.ts";
import { skipsPrompt } from "./grants.ts";
import { answerHook, type HookPorts, type Judged, refusal } from "./hook.ts";
import { lateRegexEngine } from "./late-regex.ts";
import { keepForLater, takeKept } from "./later.ts";
import type { HookMemory } from "./memory.ts";
import { onceFor } from "./once.ts";
import { ownRefusal, wiredEvent } from "./own-refusal.ts";
import { planOf, type SessionPlan } from "./plans.ts";
import { recording, runsPrograms } from "./recorded-programs.ts";
import { callerOf, nameOf } from "./registry.ts";
import { SeenPlans } from "./seen.ts";
import { StopLimit } from "./stop-limit.ts";

type Plan = NonNullable<Engine["plan"]>;
type Observed = Parameters<typeof observationBody>[2];

/** The process of a hook: its input, variables, folders and clock. */
export interface HookWorld {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly variables: Variables;
  readonly cwd: string;
  readonly home: string;
  now(): number;
  /** Why every call is refused, whatever the policies say, if the hook's surroundings are unknown. */
  readonly refuse?: string;
  /** Called with the host and event that wait for an answer, as soon as they are known. */
  owed?: HookPorts["owed"];
  /** Data kept between hooks in a process that answers many. */
  readonly memory?: HookMemory;
}

/**
 * Runs one hook process: takes a command line written by `install` and a host's payload on standard input, and returns the
 * reply in the dialect of the calling host. Never rejects: a failure becomes that host's own refusal (semantics section 4).
 */
export async function runHook(given: readonly string[], world: HookWorld): Promise<HookReply> {
  const hook = readArguments(given);
  if ("misuse" in hook) return misused(hook.misuse, hook.dialect, wiredEvent(given), world);
  try {
    const why = hook.refuse ?? world.refuse;
    if (why !== undefined) return await refused(hook.dialect, hook.event, refusal(why), world);
    const input = await inputOf(hook.dialect, world);
    const judge = new HookJudge(hook, world);
    return await answerHook(hook.dialect, input, {
      judge: (event, version) => judge.judge(event, version),
      environment: (cwd, interactive) => environmentOf(judge.machine, liveFiles, cwd, interactive),
      keep: (session, id, text) => keepForLater(judge.state, session, id, text),
      kept: (session) => takeKept(judge.state, session),
      caller: (payload) => callerOf(hook.dialect, payload, world.variables),
      ignored: (dialect, name, payload) => judge.ignored(dialect, name, payload),
      refused: (dialect, message, payload) =>
        judge.noted(dialect, payload, {
          event: "error",
          outcome: "block",
          fault: { code: "HW501", message },
          observed: {},
        }),
      unjudged: ({ host }) => recentlyUnjudged(judge.state, host, world.now()),
      undelivered: ({ host }, session) => undeliveredText(judge.state, host, session),
      once: (...event) => onceFor(hook, { ...world, home: judge.home }, judge.state)(...event),
      ...(world.owed && { owed: world.owed }),
      ...(hook.budget !== undefined && { budget: hook.budget }),
      ...(hook.event !== undefined && { event: hook.event }),
      cwd: world.cwd,
      now: world.now,
      id: world.memory?.eventId() ?? randomBytes(8).toString("hex"),
    });
  } catch (fault) {
    const why = refusal(fault instanceof Error ? fault.message : String(fault));
    return ownRefusal(hook.dialect, { wired: hook.event, variables: world.variables }, why);
  }
}

/** Refuses because the command line is wrong. The payload is still read, so that the refusal has the form of its event. */
async function misused(
  why: string,
  dialect: Dialect | undefined,
  wired: string | undefined,
  world: HookWorld,
): Promise<HookReply> {
  const named = dialect ? ` ${nameOf(dialect)}` : "";
  const reason = `${refusal(`the hook is not set up: ${why}`)}; ask the human to run \`hookwarden install${named}\` again`;
  return dialect ? refused(dialect, wired, reason, world) : exitTwo(reason);
}

async function refused(
  dialect: Dialect,
  wired: string | undefined,
  reason: string,
  world: HookWorld,
): Promise<HookReply> {
  const payload = await readable(dialect, world);
  return ownRefusal(dialect, { wired, payload, variables: world.variables }, reason);
}

/** Reads the payload; undefined if it is not a JSON object or cannot be read. */
async function readable(dialect: Dialect, world: HookWorld): Promise<Payload | undefined> {
  try {
    const value: unknown = JSON.parse(await inputOf(dialect, world));
    return isPayload(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the payload from standard input or, for hosts that pass it so, from variables. */
async function inputOf(dialect: Dialect, { stdin, variables }: HookWorld): Promise<string> {
  return dialect.variables ? JSON.stringify(dialect.variables(variables)) : readInput(stdin);
}

/** Reads standard input. If it is larger than an event may be, returns a dummy text that is too long as well. */
async function readInput(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limits.eventBytes) return " ".repeat(limits.eventBytes + 1);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Judges the events of one process: finds the plan, locks the session and runs programs. */
class HookJudge {
  readonly #hook: HookArguments;
  readonly #world: HookWorld;
  /** Home folder of the user whose policies judge. */
  readonly home: string;
  readonly state: string;
  readonly #begun = elapsed();
  #regex: SessionPlan["regex"];
  #needs: SessionPlan["needs"];
  #caller: NonNullable<Parameters<typeof createEngine>[1]>["caller"] & object = { adapter: "hook" };

  constructor(hook: HookArguments, world: HookWorld) {
    this.#hook = hook;
    this.#world = world;
    this.home = hook.home ?? world.home;
    this.state = hook.state ?? stateFolder(world.variables, this.home);
  }

  /** The machine around the event, with the files that the hook's command line names. The agent's variables say what its `~` means. */
  get machine(): ReturnType<typeof thisMachine> {
    const { variables } = this.#world;
    return thisMachine({ variables, home: this.home, state: this.state, further: this.#hook.policies });
  }

  /** Counts an event that no rule can match, and records it at each doubling of the count, since hosts send some all the time. */
  async ignored(dialect: Dialect, name: string, payload: Payload): Promise<void> {
    const times = countUnjudged(this.state, dialect.host, name, this.#world.now());
    if (times === 0 || (times & (times - 1)) !== 0) return;
    const observed = { name: name.slice(0, 64), times };
    await this.noted(dialect, payload, { event: "not_judged", outcome: "allow", observed });
  }

  /** Records an observation about a payload that is not judged. A failure to record does not change the answer. */
  async noted({ host }: Dialect, payload: Payload, seen: Observed): Promise<void> {
    try {
      const session = textOf(payload, ...sessionFields) ?? "";
      const id = randomBytes(8).toString("hex");
      const time = new Date(this.#world.now()).toISOString();
      const event: WireEvent = { event: "error", id, time, host, session: { id: session } };
      const found = await this.#planFor(event);
      if ("code" in found) return;
      this.#hold(found.plan, event, ({ store }) => this.#observe(found.plan, event, seen, store));
    } catch {
      // A failure to record changes no answer.
    }
  }

  async judge(event: WireEvent, version: string | undefined): Promise<Judged> {
    this.#caller = { adapter: "hook", ...(version !== undefined && { host_version: version }) };
    const found = await this.#planFor(event);
    if ("code" in found) return ungranted(closedEngine(undefined, oneLine(found)).decide(event).decision);
    this.#regex = found.regex;
    this.#needs = found.needs;
    return this.#judgeBy(found.plan, event, found.change);
  }

  /** Finds the plan that judges an event. */
  async #planFor(event: WireEvent): ReturnType<typeof planOf> {
    const session = event.session?.id ?? "";
    const { cwd = this.#world.cwd, workspace = cwd } = event.environment ?? {};
    const places = {
      policies: this.#hook.policies,
      set: this.#hook.set,
      cwd: this.#world.cwd,
      project: { cwd: isAbsolute(cwd) ? cwd : this.#world.cwd, workspace },
      home: this.home,
      state: this.state,
      patience: this.#budget / 3,
    };
    const { memory, now } = this.#world;
    const known = memory ?? (session === "" ? undefined : new SeenPlans(this.state, session));
    const found = await planOf(places, session, now(), known);
    return found;
  }

  /**
   * Judges an event by a plan. Programs run before the session is locked, so that other hooks of it do not wait for them; the
   * judgement under lock then uses their answers. If it needs a program that did not run, the event is closed.
   */
  async #judgeBy(plan: Plan, event: WireEvent, change: PlanChange | undefined): Promise<Judged> {
    const answers = new Map<string, ProgramAnswer>();
    const started: Promise<unknown>[] = [];
    const programs = createPrograms({
      workspace: event.environment?.workspace ?? "",
      variables: { ...this.#world.variables, HOME: this.home },
    });
    if (runsPrograms(plan, event)) {
      const fault = await this.#askPrograms(plan, event, recording(programs, answers));
      if (fault) return ungranted(fault);
    }
    const held = this.#hold(plan, event, (open) => {
      const background: Programs = {
        run: (request) => {
          const answer = programs.run(request);
          started.push(answer);
          return answer;
        },
      };
      const engine = this.#engine(plan, open, background, open.store);
      if (change) this.#tell(plan, event, change, open.store);
      const { decision } = engine.decide(event, answers);
      return this.#bounded(plan, event, this.#approved(engine, event, decision), open.store);
    });
    await Promise.all(started);
    if (!held.ok) return ungranted(closedEngine(plan, held.error).decide(event).decision);
    return { decision: held.value, grant: { skipPrompt: skipsPrompt(plan, held.value) } };
  }

  async #askPrograms(plan: Plan, event: WireEvent, programs: Programs): Promise<Decision | undefined> {
    const read = this.#hold(plan, event, ({ state }) => state);
    if (!read.ok) return closedEngine(plan, read.error).decide(event).decision;
    await this.#engine(plan, { state: read.value }, programs).judge(event);
    return undefined;
  }

  #engine(plan: Plan, { state }: Pick<HeldSession, "state">, programs: Programs, store?: AuditStore): Engine {
    const { memory } = this.#world;
    const late = memory || !this.#regex ? undefined : lateRegexEngine(this.#regex);
    const engine = createEngine(plan, {
      ...(late && { regex: late, once: true, ...(this.#needs && { needs: this.#needs }) }),
      ...(memory && { regex: memory.regex, links: memory.links }),
      caller: { ...this.#caller, shows_call: true },
      files: liveFiles,
      clock: { now: elapsed },
      sessionKey: installKey(this.state).toString("hex"),
      secretValues: liveSecretValues(this.#world.variables),
      state,
      programs,
      ...(store && { store }),
    });
    late?.linked();
    return engine;
  }

  /** Milliseconds within which the answer must be written. */
  get #budget(): number {
    return this.#hook.budget ?? this.#hook.dialect.budget;
  }

  /**
   * Milliseconds to wait for other processes of the session. Agents start the hooks of several calls at once, and on a busy
   * machine the last one gets its turn late. A process that answers many hooks waits less, because it keeps all of them waiting.
   */
  get #patience(): number {
    if (this.#world.memory) return Math.min(2_000, this.#budget / 4);
    const left = (2 / 3) * this.#budget - (elapsed() - this.#begun);
    return Math.max(left, this.#budget / 8);
  }

  /** Does work with the session under its lock, and with the labels that other sessions gave to files. */
  #hold<T>(plan: Plan, event: WireEvent, work: (held: HeldSession) => T): SessionResult<T> {
    const session = event.session?.id ?? "";
    const options: SessionStoreOptions = {
      plan,
      key: installKey(this.state),
      patience: this.#patience,
      ...(this.#world.memory && { memory: this.#world.memory.sessions }),
      durability: plan.policies.some(({ audit }) => audit.durability === "strict") ? "strict" : "group",
    };
    const held = withSession(
      join(this.state, "audit"),
      session,
      (open) => this.#labelled(plan, session, open, work),
      options,
    );
    return held.ok ? held.value : held;
  }

  /** Does work with the labels of files. If they could not be read or kept, the result must not be used (HW515). */
  #labelled<T>(plan: Plan, session: string, open: HeldSession, work: (held: HeldSession) => T): SessionResult<T> {
    let store: PathLabelStore;
    try {
      store = withPathLabels(this.state, session, open, plan, this.#world.now());
    } catch (fault) {
      return unusable(fault);
    }
    const value = work({ state: open.state, store });
    return store.fault === undefined ? { ok: true, value } : unusable(store.fault);
  }

  /** Allows a call once if a human approved it outside the agent. */
  #approved(engine: Engine, event: WireEvent, decision: Decision): Decision {
    const key = decision.ask?.key;
    if (decision.outcome !== "ask" || key === undefined || !takeApproval(this.state, key)) return decision;
    const of = event.id ?? "";
    const answer = { session: event.session?.id ?? "", of, answer: "allow", by: "break-glass" } as const;
    return engine.answer({ ...answer, time: this.#world.now() }) ? { ...decision, outcome: "allow" } : decision;
  }

  /** Lets an agent stop, on record, once it was made to continue too often in a row. */
  #bounded(plan: Plan, event: WireEvent, decision: Decision, store: AuditStore): Decision {
    if (event.event !== "stop" && event.event !== "subagent_stop") return decision;
    const limit = new StopLimit(this.state, `${event.session?.id ?? ""} ${event.event}`);
    if (decision.outcome === "allow") limit.reset();
    else if (!limit.refuse()) {
      this.#observe(plan, event, { event: "stop_limit", outcome: "allow", observed: { refusals: goOnLimit } }, store);
      return { ...decision, outcome: "allow" };
    }
    return decision;
  }

  /** Records a change of the policies on disk, once for each session and change. */
  #tell(plan: Plan, event: WireEvent, { kind, ...observed }: PlanChange, store: AuditStore): void {
    const session = event.session?.id ?? "";
    const path = join(this.state, "sessions", `${sessionName(session)}.change`);
    const text = `${kind} ${observed.found ?? observed.policies ?? observed.why ?? ""}`;
    if (Buffer.from(readOwn(path, 4_096) ?? []).toString("utf8") === text) return;
    this.#observe(plan, event, { event: kind, outcome: "allow", observed }, store);
    ownFolder(dirname(path));
    writeOwn(path, text, false);
  }

  #observe(plan: Plan, event: WireEvent, seen: Observed, store: AuditStore): void {
    const frame = {
      id: `${event.id ?? ""}-${seen.event}`,
      time: event.time ?? "",
      host: event.host ?? "",
      environment: {},
      session: { id: event.session?.id ?? "" },
    };
    store.append(observationBody(plan, frame, seen), 0);
  }
}

/** Fields in which hosts name the session. */
const sessionFields = [
  "session_id",
  "sessionId",
  "conversation_id",
  "trajectory_id",
  "taskId",
  "OPTA_SESSION_ID",
] as const;

function ungranted(decision: Decision): Judged {
  return { decision, grant: noGrant };
}
