import type { Decision, WireEvent } from "../../schema/generated.ts";
import { fromHost } from "../../schema/wire-fields.ts";
import { goOnLimit } from "../go-on-limit.ts";
import type { PiApi, PiContext, PiInputEvent, PiOtherEvent } from "./api.ts";
import { faultText, internalFault } from "./denial.ts";
import { lastMessage, payloadOf } from "./event-payload.ts";
import type { EventRow, Family } from "./family.ts";
import type { GuardSession } from "./session.ts";
import { type Frame, injected, refusal } from "./translate.ts";

/** The events of a host beside those with a translation of their own: judged, and answered in the host's own shapes. */
export class OtherEvents {
  readonly #pi: PiApi;
  readonly #session: GuardSession;
  readonly #family: Family;
  #sentOn = 0;

  constructor(pi: PiApi, session: GuardSession, family: Family) {
    this.#pi = pi;
    this.#session = session;
    this.#family = family;
  }

  /** Registers one handler for each of the host's events. No handler throws. */
  listen(): void {
    for (const on of new Set(this.#family.events.map((row) => row.on))) {
      const rows = this.#family.events.filter((row) => row.on === on);
      // What comes for each token is answered at once where nobody asks for it.
      this.#pi.on(on, (event, context) =>
        this.#isIdle(rows, context) ? undefined : this.#handle(rows, event, context),
      );
    }
  }

  /** True if none of the events is told to anybody. */
  #isIdle(rows: readonly EventRow[], context: PiContext): boolean {
    try {
      return rows.every(({ often, event }) => often === true && !this.#session.names(event, context));
    } catch {
      return false;
    }
  }

  async #handle(rows: readonly EventRow[], event: PiOtherEvent, context: PiContext): Promise<object | undefined> {
    let reply: object | undefined;
    for (const row of rows) {
      try {
        reply = (await this.#one(row, event, context)) ?? reply;
      } catch (error) {
        const fault = internalFault(error);
        const outcome = row.use === "observe" ? "allow" : "block";
        const observed = { failed: row.event };
        this.#session.report({ event: "error", outcome, fault, observed }, fault, context);
        reply = this.#refused(row, faultText(fault), context) ?? reply;
      }
    }
    if (rows.some((row) => row.event === "session_shutdown")) this.#session.end(context);
    return reply;
  }

  async #one(row: EventRow, event: PiOtherEvent, context: PiContext): Promise<object | undefined> {
    this.#notice(row, context);
    if (row.reasons && !row.reasons.includes(String(event["reason"]))) return undefined;
    const named = this.#session.names(row.event, context);
    if (row.often === true && !named) return undefined;
    const frame = this.#session.frame(context);
    if (row.use === "stop") return this.#stop(row, event, frame, context);
    const wire = fromHost(row.event, payloadOf(row.event, event, named), placed(row, event, frame));
    const decision = await this.#session.judge(wire, context);
    const refused = row.use === "observe" ? undefined : await this.#refusal(row, wire, decision, context);
    if (refused !== undefined) return this.#refused(row, refused, context);
    return this.#answer(row, event, decision);
  }

  /** What an event is to the guard itself. */
  #notice(row: EventRow, context: PiContext): void {
    if (row.event === "turn_start") this.#session.nextTurn();
    if (row.event === "session_start") {
      this.#session.showStatus(context);
      this.#session.tellUndelivered(context);
    }
    if (row.event === "input") this.#sentOn = 0;
  }

  /** Why a deciding event may not go on: its rule, or the human's answer. */
  async #refusal(row: EventRow, wire: WireEvent, decision: Decision, context: PiContext): Promise<string | undefined> {
    if (row.use === "compacting" || decision.outcome === "allow") return undefined;
    if (decision.outcome === "block") return refusal(decision);
    const { event: _event, id: _id, time: _time, host: _host, environment: _around, session: _in, ...args } = wire;
    return this.#session.ask({ wire, tool: row.event, args, limit: this.#family.limit }, decision, context);
  }

  /** The host's own form of a refusal. Where it shows none to the human, we do. */
  #refused(row: EventRow, why: string, context: PiContext): object | undefined {
    if (row.use === "python") return this.#family.refused(why);
    if (row.use !== "input" && row.use !== "cancel") return undefined;
    this.#session.tell(why, "warning", context);
    return row.use === "input" ? this.#family.input({ refused: true }) : { cancel: true };
  }

  #answer(row: EventRow, event: PiOtherEvent, decision: Decision): object | undefined {
    const { changes } = decision;
    const message = injected(changes);
    if (row.use === "compacting") return message && { context: [message.content] };
    if (message) this.#pi.sendMessage?.(message, { deliverAs: "nextTurn" });
    if (row.use === "python" && changes.code !== undefined && changes.code !== event["code"])
      return this.#family.refused(
        "Blocked by hookwarden: a rule rewrites this code, and it can run only as it was typed",
      );
    if (row.use !== "input" || (changes.text === undefined && changes.images === undefined)) return undefined;
    const text = changes.text ?? (event as unknown as PiInputEvent).text;
    return this.#family.input({ text, ...(changes.images && { images: changes.images }) });
  }

  /** A block sends the agent on. What could not be judged lets it stop, on record (semantics section 4). */
  async #stop(row: EventRow, event: PiOtherEvent, frame: Frame, context: PiContext): Promise<object | undefined> {
    const active = event["stop_hook_active"] === true || this.#sentOn > 0;
    const wire = fromHost(row.event, { active, ...lastMessage(event) }, frame);
    const decision = await this.#session.judge(wire, context);
    const why = decision.answered === "error" ? undefined : await this.#refusal(row, wire, decision, context);
    if (why === undefined || this.#sentOn >= goOnLimit) {
      this.#sentOn = 0;
      return undefined;
    }
    this.#sentOn++;
    return this.#family.goOn(event, decision.reason ?? why);
  }
}

/** An event that says where it happens is judged there. */
function placed(row: EventRow, event: PiOtherEvent, frame: Frame): Frame {
  const cwd = event["cwd"];
  if (row.use !== "python" || typeof cwd !== "string") return frame;
  return { ...frame, environment: { ...frame.environment, cwd } };
}
