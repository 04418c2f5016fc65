import { randomBytes } from "node:crypto";
import { digest, type Engine } from "../../runtime.ts";
import type { EventName } from "../../schema/events.ts";
import type { Decision } from "../../schema/generated.ts";
import type { HostName } from "../../schema/hosts.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { fromHost } from "../../schema/wire-fields.ts";
import { liveFiles } from "../live-files.ts";
import { injectedText, wordsUnasked } from "../one-shot/dialect.ts";
import { resultText } from "../one-shot/result-text.ts";
import { type Question, question } from "../pi/approval.ts";
import { faultText, internalFault, withheldText } from "../pi/denial.ts";
import { environmentOf, type Machine, thisMachine } from "../pi/environment.ts";

/** The application's description of the agent whose tools it guards. None of it comes from the model. */
export interface ToolContext {
  /**
   * Name of the session, which owns labels, budgets and sequences. Usually each run has its own name; a run that another
   * process continues keeps its name (`openSessions`).
   */
  readonly session?: string;
  /** Folder in which tools work; the process's working folder by default. */
  readonly cwd?: string;
  /** Asks a human if the framework itself cannot. Without it, or when it throws, an `ask` is a refusal. */
  readonly approve?: (question: Question) => Promise<boolean> | boolean;
  readonly host?: HostName;
  /** The framework's version, for records. */
  readonly hostVersion?: string;
  readonly files?: FileSystem;
  readonly machine?: Machine;
  /** Wall clock, milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A call in the framework's form. */
export interface Call {
  readonly tool: string;
  readonly args: unknown;
  /** The framework's id of the call, if it has one. */
  readonly id: string | undefined;
}

/** Verdict on a call: it runs with these arguments, and `beside` is added to its result; or the reason why it does not. */
export type Verdict =
  | { readonly runs: true; readonly args: unknown; readonly beside: string | undefined }
  | { readonly runs: false; readonly reason: string };

/** Decision for a framework before a call runs. */
export type Standing = "run" | "ask" | { readonly denied: string };

/** Maximum number of calls that wait for the framework's own approval. The oldest is forgotten, and then asked about again. */
const maxWaiting = 1_000;

/** Judges the tool calls of one agent in this process. Nothing here rejects: a fault is a refusal, or a withheld result. */
export class ToolJudge {
  readonly #engine: Engine;
  readonly #context: ToolContext;
  readonly #prefix = randomBytes(4).toString("hex");
  /** Decisions made before the framework runs or asks, by call and arguments. */
  readonly #waiting = new Map<string, Decision>();
  #events = 0;

  constructor(engine: Engine, context: ToolContext) {
    this.#engine = throughFrameworks(engine, context);
    this.#context = context;
  }

  /** Judges a call for a framework that asks its own human; `run` later reuses the decision. */
  async standing(call: Call): Promise<Standing> {
    try {
      const decision = await this.#judge(call);
      if (decision.outcome === "block") return { denied: wordsUnasked(decision) };
      if (this.#waiting.size >= maxWaiting) this.#waiting.delete(this.#waiting.keys().next().value as string);
      this.#waiting.set(keyOf(call), decision);
      return decision.outcome === "ask" ? "ask" : "run";
    } catch (error) {
      return { denied: faultText(internalFault(error)) };
    }
  }

  /** Decides if a call runs, and with which arguments. A call that the framework must ask about arrives here only once approved. */
  async run(call: Call): Promise<Verdict> {
    try {
      const key = keyOf(call);
      const waiting = this.#waiting.get(key);
      this.#waiting.delete(key);
      const decision = waiting ?? (await this.#judge(call));
      if (decision.outcome === "block") return { runs: false, reason: wordsUnasked(decision) };
      if (decision.outcome === "ask" && !(await this.#approved(call, decision, waiting !== undefined)))
        return { runs: false, reason: wordsUnasked(decision) };
      return { runs: true, args: decision.changes.args ?? call.args, beside: injectedText(decision) };
    } catch (error) {
      return { runs: false, reason: faultText(internalFault(error)) };
    }
  }

  /** Returns the result of a call for the model: redacted inside its own structure, or a text with the reason for withholding it. */
  async result(call: Call, value: unknown, beside: string | undefined, failed = false): Promise<unknown> {
    try {
      const given = resultText(value);
      const decision = await this.#event("tool_result", {
        ...payloadOf(call),
        result: { content: given.content, is_error: failed },
      });
      if (decision.outcome !== "allow") return withheldText(wordsUnasked(decision));
      const { content, message } = decision.changes;
      const made = content === undefined ? { value } : given.replaced(content);
      const texts = [beside, message?.content].filter((text) => text !== undefined && text !== "");
      const shown = made
        ? made.value
        : (content ?? []).map((part) => (part as { text?: string }).text ?? "").join("\n");
      return texts.length === 0 ? shown : withText(shown, texts.join("\n\n"));
    } catch (error) {
      return withheldText(faultText(internalFault(error)));
    }
  }

  /** Returns the error of a failed call, with its message redacted. */
  async error(call: Call, error: unknown): Promise<Error> {
    const said = await this.result(call, error instanceof Error ? error.message : String(error), undefined, true);
    return new Error(typeof said === "string" ? said : JSON.stringify(said));
  }

  #judge(call: Call): Promise<Decision> {
    return this.#event("tool_call", payloadOf(call));
  }

  async #event(event: EventName, payload: object): Promise<Decision> {
    const { session = "", cwd = process.cwd(), host = "ai-sdk", now = Date.now } = this.#context;
    const { files = liveFiles, machine = thisMachine(), approve } = this.#context;
    const wire = fromHost(event, payload, {
      id: `${this.#prefix}-${++this.#events}`,
      time: new Date(now()).toISOString(),
      host,
      environment: environmentOf(machine, files, cwd, approve !== undefined),
      session: { id: session },
    });
    return (await this.#engine.judge(wire)).decision;
  }

  async #approved(call: Call, decision: Decision, byFramework: boolean): Promise<boolean> {
    const { approve, session = "", now = Date.now } = this.#context;
    const args = decision.changes.args ?? asArguments(call.args);
    const yes = byFramework || (approve !== undefined && (await approve(question(call.tool, args, decision))) === true);
    const answer = yes ? "allow" : "deny";
    const recorded = this.#engine.answer({ session, of: decision.id, answer, by: "user", time: now() });
    return yes && recorded;
  }
}

/** Returns the engine with this adapter as caller in records; a caller that the application gave its engine takes precedence. */
export function throughFrameworks(engine: Engine, { hostVersion }: ToolContext): Engine {
  const caller = { adapter: "frameworks", ...(hostVersion !== undefined && { host_version: hostVersion }) };
  return engine.through?.(caller) ?? engine;
}

function keyOf({ tool, args, id }: Call): string {
  return digest([tool, id ?? "", asArguments(args)]);
}

function payloadOf({ tool, args, id }: Call): Readonly<Record<string, unknown>> {
  return { tool, args: asArguments(args), ...(id !== undefined && { call_id: id }) };
}

/** Returns the arguments as an object; any other value goes under one name. */
function asArguments(args: unknown): Readonly<Record<string, unknown>> {
  if (args === undefined || args === null) return {};
  return typeof args === "object" && !Array.isArray(args) ? (args as Record<string, unknown>) : { input: args };
}

/** Adds a text to a result: after a text, or under a name of its own in an object. */
function withText(value: unknown, text: string): unknown {
  if (typeof value === "string") return `${value}\n\n${text}`;
  if (Array.isArray(value)) return [...value, { type: "text", text }];
  if (typeof value === "object" && value !== null) return { ...value, hookwarden: text };
  return `${value === undefined ? "" : String(value)}\n\n${text}`;
}
