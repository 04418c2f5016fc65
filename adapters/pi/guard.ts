import { closedEngine, digest } from "../../runtime.ts";
import type { Decision } from "../../schema/generated.ts";
import type {
  PiApi,
  PiBeforeAgentStartEvent,
  PiBeforeAgentStartReply,
  PiContext,
  PiContextEvent,
  PiContextReply,
  PiEventName,
  PiEvents,
  PiToolCallEvent,
  PiToolResultEvent,
  PiToolResultReply,
  PiUserBashEvent,
  PiUserBashReply,
} from "./api.ts";
import { denialText, type Fault, faultText, internalFault, oneLine } from "./denial.ts";
import type { Judge } from "./judge.ts";
import { freezeDeep, JudgedCalls, replaceArguments } from "./judged-calls.ts";
import { PromptRevisions } from "./prompt-revisions.ts";
import { type GuardOptions, GuardSession } from "./session.ts";
import {
  beforeAgentStartReply,
  blocked,
  contextReply,
  injected,
  refusedCommand,
  toolResultReply,
  toWire,
  withheldContext,
  withheldResult,
} from "./translate.ts";

export type { Judge } from "./judge.ts";
export type { GuardOptions } from "./session.ts";

/**
 * Puts an engine in front of a pi session. No handler throws, since pi passes the raw text on when one does: an internal
 * error becomes the closed outcome of its event (semantics section 4). An engine that cannot be made closes every event.
 * Only registering itself may throw; pi then refuses to start, which is the closed outcome of that.
 *
 * What pi gives an extension no say in stays raw: the live stream of a running tool (`tool_execution_update`), and what
 * an extension loaded later puts into the context (hosts page pi-and-omp, sections 4 and 5).
 */
export function installGuard(pi: PiApi, engineFactory: () => Judge, options: GuardOptions = {}): void {
  const judge = made(engineFactory);
  if (!judge.active) return;
  const guard = new Guard(pi, new GuardSession(judge, options));
  const listen = <Name extends PiEventName>(name: Name, run: Run<Name>, closed: Closed<Name>): void => {
    pi.on(name, guard.total(name, run, closed));
  };
  listen(
    "tool_call",
    (event, context) => guard.toolCall(event, context),
    (_event, why) => blocked(why),
  );
  listen("tool_result", (event, context) => guard.toolResult(event, context), withheldResult);
  listen("context", (event, context) => guard.context(event, context), withheldContext);
  listen(
    "before_agent_start",
    (event, context) => guard.beforeAgentStart(event, context),
    () => undefined,
  );
  listen(
    "user_bash",
    (event, context) => guard.userBash(event, context),
    (_event, why) => refusedCommand(why),
  );
  pi.on("turn_start", () => guard.turnStart());
}

type Reply<Name extends PiEventName> = PiEvents[Name]["reply"] | undefined;
type Run<Name extends PiEventName> = (
  event: PiEvents[Name]["event"],
  context: PiContext,
) => Promise<Reply<Name>> | Reply<Name>;

/** The closed outcome of an event, with the text that says why. */
type Closed<Name extends PiEventName> = (event: PiEvents[Name]["event"], why: string) => Reply<Name>;

function made(engineFactory: () => Judge): Judge {
  try {
    return engineFactory();
  } catch (error) {
    const { message } = internalFault(error);
    return closedEngine(
      undefined,
      oneLine({ code: "HW508", message: `the policy engine could not start: ${message}` }),
    );
  }
}

/** Events before which a change of the policies on disk is looked for: the beginning of what somebody wants done. */
export const looksAtDisk: ReadonlySet<string> = new Set<PiEventName>(["before_agent_start", "tool_call", "user_bash"]);

class Guard {
  readonly #pi: PiApi;
  readonly #session: GuardSession;
  readonly #calls = new JudgedCalls();
  readonly #prompts = new PromptRevisions();

  constructor(pi: PiApi, session: GuardSession) {
    this.#pi = pi;
    this.#session = session;
  }

  /** A handler that never throws: `run`, or the closed outcome of the event with the reason. */
  total<Name extends PiEventName>(name: Name, run: Run<Name>, closed: Closed<Name>) {
    return async (event: PiEvents[Name]["event"], context: PiContext): Promise<Reply<Name>> => {
      try {
        if (looksAtDisk.has(name)) await this.#session.refresh(context);
        return await run(event, context);
      } catch (error) {
        const fault = internalFault(error);
        this.#session.report({ event: "error", outcome: "block", fault, observed: { failed: name } }, fault, context);
        return closedReply(event, closed, faultText(fault));
      }
    };
  }

  turnStart(): undefined {
    this.#session.nextTurn();
  }

  async toolCall(event: PiToolCallEvent, context: PiContext): Promise<Reply<"tool_call">> {
    const wire = toWire.tool_call(event, this.#session.frame(context));
    const decision = this.#session.decide(wire);
    if (decision.outcome === "block") return blocked(refusal(decision));
    const { args } = decision.changes;
    if (args !== undefined) replaceArguments(event.input, args);
    freezeDeep(event.input);
    const judged = digest(args ?? event.input);
    if (decision.outcome === "ask") {
      const refused = await this.#session.ask({ wire, tool: event.toolName, args: event.input }, decision, context);
      if (refused !== undefined) return blocked(refused);
    }
    if (digest(event.input) !== judged) return blocked(faultText(changedCall));
    this.#calls.remember(event.toolCallId, judged);
    this.#deliver(decision);
    return undefined;
  }

  toolResult(event: PiToolResultEvent, context: PiContext): PiToolResultReply | undefined {
    const difference = this.#calls.difference(event.toolCallId, event.input);
    if (difference !== undefined) {
      const fault: Fault = { code: "HW511", message: `${event.toolName}: ${difference}` };
      const call = { tool: event.toolName, call_id: event.toolCallId };
      this.#session.report({ event: "error", outcome: "allow", ...call, fault, observed: {} }, fault, context);
    }
    return toolResultReply(event, this.#session.decide(toWire.tool_result(event, this.#session.frame(context))));
  }

  context(event: PiContextEvent, context: PiContext): PiContextReply | undefined {
    const messages = this.#prompts.apply(event.messages);
    const revised = messages === event.messages ? event : { ...event, messages };
    const decision = this.#session.decide(toWire.context(revised, this.#session.frame(context)));
    return contextReply(revised, decision, this.#session.now()) ?? (revised === event ? undefined : { messages });
  }

  beforeAgentStart(event: PiBeforeAgentStartEvent, context: PiContext): PiBeforeAgentStartReply | undefined {
    const decision = this.#session.decide(toWire.before_agent_start(event, this.#session.frame(context)));
    const { prompt } = decision.changes;
    if (prompt !== undefined && event.prompt !== undefined) this.#prompts.remember(event.prompt, prompt);
    return beforeAgentStartReply(decision);
  }

  async userBash(event: PiUserBashEvent, context: PiContext): Promise<PiUserBashReply | undefined> {
    const wire = toWire.user_bash(event, this.#session.frame(context));
    const decision = this.#session.decide(wire);
    if (decision.outcome === "block") return refusedCommand(refusal(decision));
    const { command } = decision.changes;
    // pi runs the text it has: a command that a rule rewrote could only run as it was.
    if (command !== undefined && command !== event.command) return refusedCommand(rewrittenCommand(decision));
    if (decision.outcome === "ask") {
      const call = { wire, tool: "bash", args: { command: event.command } };
      const refused = await this.#session.ask(call, decision, context);
      if (refused !== undefined) return refusedCommand(refused);
    }
    this.#deliver(decision);
    return undefined;
  }

  /** Text for the model that belongs to an allowed call goes behind the calls that are running. */
  #deliver(decision: Decision): void {
    const message = injected(decision.changes);
    if (message) this.#pi.sendMessage?.(message, { deliverAs: "steer" });
  }
}

const changedCall: Fault = {
  code: "HW511",
  message: "the call was changed after it was judged",
  fix: "another extension rewrites arguments; load it before hookwarden",
};

/** The reason of a block, with what a rule wanted said even then. */
export function refusal(decision: Decision): string {
  const extra = injected(decision.changes);
  return extra ? `${denialText(decision)}\n\n${extra.content}` : denialText(decision);
}

function rewrittenCommand(decision: Decision): string {
  const rule = decision.matched.find((match) => match.outcome === "redact" || match.outcome === "modify")?.rule;
  const cited = rule === undefined ? decision : { ...decision, rule };
  return denialText({ ...cited, reason: "a rule rewrites this command, and pi can run it only as it was typed" });
}

function closedReply<Name extends PiEventName>(
  event: PiEvents[Name]["event"],
  closed: Closed<Name>,
  why: string,
): Reply<Name> {
  try {
    return closed(event, why);
  } catch {
    return lastResort(why) as Reply<Name>;
  }
}

/** For an event that cannot even be read: an answer that closes it whatever it is, since pi looks only at its own fields. */
function lastResort(why: string): Record<string, unknown> {
  return {
    ...blocked(why),
    ...refusedCommand(why),
    content: [{ type: "text", text: why }],
    details: {},
    messages: [{ role: "user", content: why, timestamp: 0 }],
  };
}
