import type { Decision, WireEvent } from "../../schema/generated.ts";
import { fromHost } from "../../schema/wire-fields.ts";
import { goOnLimit } from "../go-on-limit.ts";
import type { PiApi, PiContext, PiInputEvent, PiOtherEvent } from "./api.ts";
import { faultText, internalFault } from "./denial.ts";
import { lastMessage, payloadOf } from "./event-payload.ts";
import type { EventRow, Family } from "./family.ts";
import type { GuardSession } from "./session.ts";
import { type Frame, injected, refusal } from "./translate.ts";

/** Judges a host's events that have no translation of their own, and answers them in the host's shapes. */
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
      // Events for each token are answered at once if no rule names them.
      this.#pi.on(on, (event, context) =>
        this.#isIdle(rows, context) ? undefined : this.#handle(rows, event, context),
      );
    }
  }

  /** True if no rule names any of the events and all of them are frequent. */
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

  /** Updates the guard's own state for an event. */
  #notice(row: EventRow, context: PiContext): void {
    if (row.event === "turn_start") this.#session.nextTurn();
    if (row.event === "session_start") {
      this.#session.showStatus(context);
      this.#session.tellUndelivered(context);
    }
    if (row.event === "input") this.#sentOn = 0;
  }

  /** Returns why a deciding event is refused, by a rule or by the human's answer; undefined if it may go on. */
  async #refusal(row: EventRow, wire: WireEvent, decision: Decision, context: PiContext): Promise<string | undefined> {
    if (row.use === "compacting" || decision.outcome === "allow") return undefined;
    if (decision.outcome === "block") return refusal(decision);
    const { event: _event, id: _id, time: _time, host: _host, environment: _around, session: _in, ...args } = wire;
    return this.#session.ask({ wire, tool: row.event, args, limit: this.#family.limit }, decision, context);
  }

  /** Makes the host's own form of a refusal. If the host does not show it to the human, we tell it. */
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

  /** Makes the agent continue after a block. It may stop if the event could not be judged, on record (semantics section 4). */
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

/** Sets the frame's `cwd` for code of the human that names its own folder. */
function placed(row: EventRow, event: PiOtherEvent, frame: Frame): Frame {
  const cwd = event["cwd"];
  if (row.use !== "python" || typeof cwd !== "string") return frame;
  return { ...frame, environment: { ...frame.environment, cwd } };
}
