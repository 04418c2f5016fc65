import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { closedEngine, type Engine } from "../../runtime.ts";
import type { AuditBody, Decision, DecisionError, ToolResult, WireEvent } from "../../schema/generated.ts";
import { fromHost } from "../../schema/wire-fields.ts";
import { takeApproval } from "../../store/human-decisions.ts";
import { unpinPlan } from "../../store/pinned-plan.ts";
import { openSegments, type SegmentedTrail } from "../../store/segments.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { hostVersion } from "../host-version.ts";
import { variablesOf } from "../judge-process/messages.ts";
import { type RemoteOptions, RemoteSessions } from "../judge-process/remote-judge.ts";
import { liveFiles } from "../live-files.ts";
import { type PlanPlaces, planOf, type SessionPlan } from "../one-shot/plans.ts";
import { visible } from "../pi/approval.ts";
import { denialText, type Fault, oneLine, unaskedText } from "../pi/denial.ts";
import { environmentOf, type Machine, thisMachine } from "../pi/environment.ts";
import type { Judge } from "../pi/judge.ts";
import { observationBody } from "../pi/observations.ts";
import type { Definition } from "./definitions.ts";
import { deniedTools } from "./denied.ts";
import { type Fields, isFields, own } from "./messages.ts";

type Plan = NonNullable<Engine["plan"]>;

/** Options of a proxy's judge, from its process and command line. */
export interface JudgeOptions {
  /** Files, folders and `pack:<name>`, user scope, besides the usual places. */
  readonly policies: readonly string[];
  /** Values of policy parameters, as `--set`. */
  readonly set: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Name of the server in tool names, `mcp__<server>__<tool>`. */
  readonly server: string;
  /** Session of the connection, such as the agent's own; a new one if not given. */
  readonly session?: string;
  /** Tells the human one line, on standard error. */
  log(line: string): void;
  now(): number;
  readonly remote?: RemoteOptions;
}

/** Result of judging a call: the reason of a refusal, or its arguments and a rule's text for the model. */
export type CallVerdict =
  | { readonly refused: string }
  | { readonly refused?: never; readonly args?: Fields; readonly said?: string };

/** A call in an event's form. `name` is the tool's own, or a method if it is no tool call. */
export interface Named {
  readonly name: string;
  readonly args?: Fields;
  readonly id?: string;
  readonly definition?: Definition;
}

/** Minimum time between two checks of the policies on disk, in milliseconds. */
const looksAgainAfter = 1_000;

/** Maximum notes of one connection, and characters of one note: a server that sends only nonsense cannot fill the disk. */
const mostNotes = 1_000;
const longestNote = 600;

/** An engine that refuses everything, or one that judges in a separate process. */
type SessionEngine = Judge & Required<Pick<Judge, "judge" | "answer">>;

/** Judges the messages of one connection, which is one session with its plan, audit trail and programs. */
export class ConnectionJudge {
  /** Id of the session in events and records. */
  readonly session: string;
  readonly #options: JudgeOptions;
  readonly #machine: Machine;
  readonly #folder: string;
  readonly #sessions: RemoteSessions;
  /** The trail if there is no plan, and so no judged session. */
  #bare: SegmentedTrail | undefined;
  /** The user's state folder. */
  readonly state: string;
  #engine: SessionEngine;
  #denies: ((event: WireEvent) => boolean) | undefined;
  #looked = 0;
  #told = "";
  #events = 0;
  #notes = 0;
  #written: Promise<unknown> = Promise.resolve();

  private constructor(options: JudgeOptions) {
    this.#options = options;
    this.state = stateFolder(options.variables, options.home);
    this.session = options.session ?? `mcp-${options.server}-${randomBytes(8).toString("hex")}`;
    this.#folder = join(this.state, "audit");
    const { cwd: workspace, variables, remote } = options;
    const setup = { workspace, variables: variablesOf(variables), caller: { adapter: "mcp" } };
    this.#sessions = new RemoteSessions({ ...setup, sessions: this.#folder, state: this.state }, remote);
    const { home, policies } = options;
    const further = [...this.#sessions.places, ...policies];
    this.#machine = thisMachine({ variables, home, state: this.state, further });
    this.#engine = closedEngine(undefined, { code: "HW508", message: "the policies are not loaded yet" });
  }

  /** Opens a judge with the policies now on disk. Without any, it refuses every call and withholds every result. Never rejects. */
  static async open(options: JudgeOptions): Promise<ConnectionJudge> {
    const judge = new ConnectionJudge(options);
    await judge.#look();
    return judge;
  }

  /** Judges a call before it reaches the server. An `ask` is a refusal, unless a human has approved the call. */
  async call(call: Named): Promise<CallVerdict> {
    if (this.#options.now() - this.#looked > looksAgainAfter) await this.#look();
    const event = this.#event("tool_call", call, {});
    const decision = await this.#judge(event);
    if (decision.outcome === "block") return { refused: denialText(decision) };
    if (decision.outcome === "ask" && !(await this.#approved(event, decision)))
      return { refused: unaskedText(decision) };
    const { args, message } = decision.changes;
    return { ...(args && { args }), ...(message && { said: message.content }) };
  }

  /** Judges the result of a call. */
  result(call: Named, result: ToolResult): Promise<Decision> {
    return this.#judge(this.#event("tool_result", call, { result }));
  }

  /** True if the plan blocks every call of a tool. False without a plan: then each call is refused with the reason. */
  denies(name: string, definition: Definition): boolean {
    const { plan } = this.#engine;
    if (!plan) return false;
    this.#denies ??= deniedTools(plan);
    return this.#denies(this.#event("tool_call", { name, definition }, {}));
  }

  /** Records an observation of the proxy itself, and tells the human. Never throws. */
  note(text: string, outcome: "allow" | "block", observed: Fields): void {
    if (++this.#notes > mostNotes) return;
    const more = this.#notes === mostNotes ? "; more of this kind is neither said nor recorded" : "";
    // Names in the text come from the server or the client.
    const said = `${visible(text).slice(0, longestNote)}${more}`;
    this.#options.log(`hookwarden: ${said}`);
    this.#record({ event: "error", outcome, observed }, said);
  }

  /** Resolves when all notes are recorded, or cannot be. */
  async recorded(): Promise<void> {
    await this.#written;
  }

  /** Stores the client's description of itself (`clientInfo` of `initialize`), for records only. */
  client(info: unknown): void {
    if (!isFields(info)) return;
    const [name, version] = [own(info, "name"), own(info, "version")].map((text) => String(text).replaceAll(" ", "-"));
    const known = hostVersion(`${name}/${version}`);
    if (known !== undefined) this.#sessions.versionSeen(known);
  }

  /** Closes the session, and removes the data kept only while the connection runs. Never throws. */
  async close(): Promise<void> {
    this.#engine.end?.(this.session);
    await this.#sessions.release();
    try {
      this.#bare?.close();
      // A session that is shared with others keeps its plan.
      if (this.#options.session === undefined) unpinPlan(this.state, this.session);
    } catch {
      // One leftover file in a folder of ours.
    }
  }

  async #judge(event: WireEvent): Promise<Decision> {
    const { decision } = await this.#engine.judge(event);
    for (const { message } of decision.notices ?? []) this.#options.log(`hookwarden: ${message}`);
    const unusable = decision.errors.find(({ code }) => code === "HW515");
    if (unusable) this.#tellOnce(unusable);
    return decision;
  }

  #event(event: "tool_call" | "tool_result", { name, args = {}, id, definition }: Named, more: object): WireEvent {
    const tool = `mcp__${this.#options.server}__${name}`;
    const payload = { tool, args, ...(id !== undefined && { call_id: id }), ...more };
    return fromHost(event, payload, { ...this.#frame(), ...(definition && { definition }) });
  }

  #frame() {
    return {
      id: `${this.session}-${++this.#events}`,
      time: new Date(this.#options.now()).toISOString(),
      host: "mcp",
      environment: environmentOf(this.#machine, liveFiles, this.#options.cwd, false),
      session: { id: this.session, agent: { id: "main", depth: 0 } },
    };
  }

  /** True for a call that a human approved outside the agent; such an approval works once. */
  async #approved(event: WireEvent, { ask }: Decision): Promise<boolean> {
    if (ask === undefined || !takeApproval(this.state, ask.key)) return false;
    const answer = { session: this.session, of: event.id ?? "", answer: "allow", by: "break-glass" } as const;
    return this.#engine.answer({ ...answer, time: this.#options.now() });
  }

  /** Loads the policies on disk: at first all of them, later those that a human accepted with `hookwarden reload`. */
  async #look(): Promise<void> {
    this.#looked = this.#options.now();
    const { cwd, home, policies, set } = this.#options;
    const { workspace = cwd } = environmentOf(this.#machine, liveFiles, cwd, false);
    const places: PlanPlaces = { policies, set, cwd, project: { cwd, workspace }, home, state: this.state };
    const found = await planOf(places, this.session, this.#looked);
    if ("code" in found) return this.#closed(found);
    if (found.plan.digest !== this.#engine.plan?.digest) this.#use(found.plan);
    if (found.change) this.#tell(found.change);
  }

  #use(plan: Plan): void {
    this.#engine = this.#sessions.judge(plan);
    this.#denies = undefined;
  }

  #closed(fault: Fault): void {
    const line = oneLine(fault);
    this.#engine = closedEngine(undefined, line);
    this.#denies = undefined;
    this.#tellOnce(line);
  }

  /** Logs an error once, rather than with each message. */
  #tellOnce({ code, message }: DecisionError): void {
    if (this.#told !== message) this.#options.log(`hookwarden ${code}: ${message}`);
    this.#told = message;
  }

  #tell({ kind, ...observed }: NonNullable<SessionPlan["change"]>): void {
    const told = `${kind} ${observed.found ?? observed.why ?? ""}`;
    if (told === this.#told) return;
    this.#told = told;
    this.#options.log(
      kind === "reloaded"
        ? "hookwarden: this connection now uses the policies as they are on disk"
        : "hookwarden: the policies on disk changed; this connection keeps those it began with until `hookwarden reload`",
    );
    this.#record({ event: kind, outcome: "allow", observed });
  }

  #record(seen: Parameters<typeof observationBody>[2], note?: string): void {
    try {
      const body = observationBody(this.#engine.plan, this.#frame(), seen);
      const written = this.#append(note === undefined ? body : { ...body, note }).catch(() => undefined);
      this.#written = Promise.all([this.#written, written]);
    } catch {
      // The observation also goes to standard error, and its effect does not depend on the record.
    }
  }

  async #append(body: AuditBody): Promise<void> {
    if (this.#engine.record) await this.#engine.record({ id: this.session }, body);
    else {
      this.#bare ??= openSegments(this.#folder, this.session);
      this.#bare.append(body, 0);
    }
  }
}
