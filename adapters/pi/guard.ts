import { canonicalJson, closedEngine, digest } from "../../runtime.ts";
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
import { Conversations } from "./conversations.ts";
import { denialText, type Fault, faultText, internalFault, oneLine } from "./denial.ts";
import { callerOf, type Family, piFamily } from "./family.ts";
import { OtherEvents } from "./guard-events.ts";
import type { Judge } from "./judge.ts";
import { JudgedCalls } from "./judged-calls.ts";
import { revisedArguments } from "./path-arguments.ts";
import { policyText } from "./policy-command.ts";
import { PromptRevisions } from "./prompt-revisions.ts";
import { type GuardOptions, GuardSession } from "./session.ts";
import {
  beforeAgentStartReply,
  blocked,
  contextOf,
  contextReply,
  injected,
  refusal,
  toolResultReply,
  toWire,
  withheldContext,
  withheldResult,
} from "./translate.ts";

export type { Judge } from "./judge.ts";
export type { GuardOptions } from "./session.ts";
export { refusal } from "./translate.ts";

/**
 * Puts an engine in front of a pi session. No handler throws, since pi would then pass the raw text on: an internal error
 * becomes the closed outcome of its event (semantics section 4). An engine that cannot be made closes every event.
 * Only registering itself may throw; pi then refuses to start, which is the closed outcome of that.
 *
 * Data that pi does not let an extension change stays raw: the live stream of a running tool (`tool_execution_update`), and
 * messages that a later extension adds to the context (hosts page pi-and-omp, sections 4 and 5).
 */
export function installGuard(
  pi: PiApi,
  engineFactory: () => Judge,
  options: GuardOptions = {},
  family: Family = piFamily,
): void {
  const given = made(engineFactory);
  if (!given.active) return;
  const judge = given.through?.(callerOf(pi, family)) ?? given;
  const host = options.host ?? family.host;
  const limits = family.limit === undefined ? {} : { limit: family.limit };
  const session = new GuardSession(judge, { ...limits, ...options, host });
  const guard = new Guard(pi, session, family);
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
    (_event, why) => family.refused(why) as PiUserBashReply,
  );
  new OtherEvents(pi, session, family).listen();
  pi.registerCommand?.("policy", {
    description: "Show the policies of this session and their last decisions",
    handler: (_args, context) => Promise.resolve(session.tell(policyText(session.state(context)), "info", context)),
  });
}

type Reply<Name extends PiEventName> = PiEvents[Name]["reply"] | undefined;
type Run<Name extends PiEventName> = (
  event: PiEvents[Name]["event"],
  context: PiContext,
) => Promise<Reply<Name>> | Reply<Name>;

/** Makes the closed outcome of an event, with the text that says why. */
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

/** Events before which the guard checks the policies on disk for a change: those that begin a task or a call. */
export const looksAtDisk: ReadonlySet<string> = new Set<PiEventName>(["before_agent_start", "tool_call", "user_bash"]);

class Guard {
  readonly #pi: PiApi;
  readonly #session: GuardSession;
  readonly #family: Family;
  readonly #calls = new JudgedCalls();
  readonly #prompts = new PromptRevisions();
  readonly #conversations = new Conversations();

  constructor(pi: PiApi, session: GuardSession, family: Family) {
    this.#pi = pi;
    this.#session = session;
    this.#family = family;
  }

  /** Makes a handler that never throws: it runs `run`, or returns the closed outcome of the event with the reason. */
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

  async toolCall(event: PiToolCallEvent, context: PiContext): Promise<Reply<"tool_call">> {
    const { tool, args } = this.#family.judged(event.toolName, event.input);
    const given = digest(event.input);
    const wire = toWire.tool_call({ ...event, toolName: tool, input: args }, this.#session.frame(context));
    const decision = await this.#session.judge(wire, context);
    if (decision.outcome === "block") return blocked(refusal(decision));
    if (digest(event.input) !== given) return blocked(faultText(changedCall));
    const changed = decision.changes.args;
    const final = changed && revisedArguments(event.input, args, changed, sameJson);
    const judged = digest(this.#family.own(event.toolName, final ?? event.input));
    if (decision.outcome === "ask") {
      const refused = await this.#session.ask({ wire, tool, args: changed ?? args }, decision, context);
      if (refused !== undefined) return blocked(refused);
      if (digest(event.input) !== given) return blocked(faultText(changedCall));
    }
    const reply = this.#family.run(event, final);
    this.#calls.remember(event.toolCallId, judged);
    this.#deliver(decision);
    return reply as Reply<"tool_call">;
  }

  async toolResult(event: PiToolResultEvent, context: PiContext): Promise<PiToolResultReply | undefined> {
    const ran = this.#family.own(event.toolName, event.input);
    const difference = this.#calls.difference(event.toolCallId, ran);
    if (difference !== undefined) {
      const fault: Fault = { code: "HW511", message: `${event.toolName}: ${difference}` };
      const call = { tool: event.toolName, call_id: event.toolCallId };
      this.#session.report({ event: "error", outcome: "allow", ...call, fault, observed: {} }, fault, context);
    }
    const { tool, args } = this.#family.judged(event.toolName, event.input);
    const wire = toWire.tool_result({ ...event, toolName: tool, input: args }, this.#session.frame(context));
    return toolResultReply(event, await this.#session.judge(wire, context));
  }

  async context(event: PiContextEvent, context: PiContext): Promise<PiContextReply | undefined> {
    const messages = this.#prompts.apply(event.messages);
    const revised = messages === event.messages ? event : { ...event, messages };
    const frame = this.#session.frame(context);
    const sent = this.#conversations.toWire(frame.session.id ?? "", messages);
    const decision = await this.#session.judge(contextOf(sent, frame), context);
    return contextReply(revised, decision, this.#session.now(), sent) ?? (revised === event ? undefined : { messages });
  }

  async beforeAgentStart(
    event: PiBeforeAgentStartEvent,
    context: PiContext,
  ): Promise<PiBeforeAgentStartReply | undefined> {
    const wire = toWire.before_agent_start(event, this.#session.frame(context));
    const decision = await this.#session.judge(wire, context);
    const { prompt } = decision.changes;
    if (prompt !== undefined && event.prompt !== undefined) this.#prompts.remember(event.prompt, prompt);
    return beforeAgentStartReply(decision, Array.isArray(event.systemPrompt));
  }

  async userBash(event: PiUserBashEvent, context: PiContext): Promise<PiUserBashReply | undefined> {
    const wire = toWire.user_bash(event, this.#session.frame(context));
    const decision = await this.#session.judge(wire, context);
    const refuse = (why: string): PiUserBashReply => this.#family.refused(why) as PiUserBashReply;
    if (decision.outcome === "block") return refuse(refusal(decision));
    const { command } = decision.changes;
    // pi runs its own text, so a command that a rule rewrote would run unchanged.
    if (command !== undefined && command !== event.command) return refuse(rewrittenCommand(decision));
    if (decision.outcome === "ask") {
      const call = { wire, tool: "bash", args: { command: event.command }, limit: this.#family.limit };
      const refused = await this.#session.ask(call, decision, context);
      if (refused !== undefined) return refuse(refused);
    }
    this.#deliver(decision);
    return undefined;
  }

  /** Sends the model an allowed call's injected text, after the running calls. */
  #deliver(decision: Decision): void {
    const message = injected(decision.changes);
    if (message) this.#pi.sendMessage?.(message, { deliverAs: "steer" });
  }
}

const changedCall: Fault = {
  code: "HW511",
  message: "the call was changed after it was judged",
  fix: "another extension rewrites arguments; ask the human to load it before hookwarden",
};

function sameJson(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function rewrittenCommand(decision: Decision): string {
  const rule = decision.matched.find((match) => match.outcome === "redact" || match.outcome === "modify")?.rule;
  const cited = rule === undefined ? decision : { ...decision, rule };
  return denialText({ ...cited, reason: "a rule rewrites this command, and the host can run it only as it was typed" });
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

/** Makes an answer that closes any event, for one that cannot even be read: pi reads only the fields it expects. */
function lastResort(why: string): Record<string, unknown> {
  return {
    ...blocked(why),
    ...piFamily.refused(why),
    content: [{ type: "text", text: why }],
    details: {},
    messages: [{ role: "user", content: why, timestamp: 0 }],
  };
}
