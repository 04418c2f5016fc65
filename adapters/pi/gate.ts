import type { WireEvent } from "../../schema/generated.ts";
import type { ToolCallEvent, ToolResultEvent, UserBashEvent } from "../hooks/events.ts";
import type { AgentMessage, HookMessage } from "../hooks/messages.ts";
import type {
  AgentStartVerdict,
  GatedAgentStart,
  PolicyGate,
  ToolCallVerdict,
  ToolResultVerdict,
  UserCommandVerdict,
} from "../hooks/policy-gate.ts";
import type { PiMessage, PiToolResultEvent } from "./api.ts";
import { faultText, internalFault, withheldText } from "./denial.ts";
import { looksAtDisk, refusal } from "./guard.ts";
import { fromWireMessages, toWireMessages } from "./messages.ts";
import { PromptRevisions } from "./prompt-revisions.ts";
import type { GuardSession, SessionContext } from "./session.ts";
import {
  beforeAgentStartReply,
  contextReply,
  injected,
  refusedCommand,
  toolResultReply,
  toWire,
  withheldContext,
  withheldResult,
} from "./translate.ts";

/** The gate methods of events that pi has too. */
export type PiGate = Required<
  Pick<PolicyGate, "toolCall" | "toolResult" | "context" | "beforeAgentStart" | "userBash" | "errorText">
>;

/**
 * Makes the gate methods that judge tools, context, run start and the human's commands as pi's guard does. Events of the hook
 * runtime have pi's shapes, so pi's translation is reused. `engineGate` adds the other events.
 */
export function piGate(session: GuardSession, contextOf: () => SessionContext): PiGate {
  const gate = new EngineGate(session, contextOf);
  return {
    toolCall: (event) =>
      gate.closed(
        "tool_call",
        () => gate.toolCall(event),
        (why) => ({ block: true, reason: why }),
      ),
    toolResult: (event) =>
      gate.closed(
        "tool_result",
        () => gate.toolResult(event),
        (why) => asResult(withheldResult(asPi(event), why)),
      ),
    context: (messages) =>
      gate.closed(
        "context",
        () => gate.context(messages),
        (why) => withheldAll(messages, why),
      ),
    beforeAgentStart: (event) =>
      gate.closed(
        "before_agent_start",
        () => gate.agentStart(event),
        () => ({ messages: [] }),
      ),
    userBash: (event) => gate.closed("user_bash", () => gate.userBash(event), refusedCommand),
    errorText: (text) => gate.errorText(text),
  };
}

/** Casts between two types of one shape: ours of pi's objects, and the runtime's of the objects that hook modules see. */
const asPi = (event: ToolResultEvent): PiToolResultEvent => event as unknown as PiToolResultEvent;
const asResult = (reply: object): ToolResultVerdict => reply as ToolResultVerdict;
const asPiMessages = (messages: readonly unknown[]): PiMessage[] => messages as PiMessage[];
const asAgentMessages = (messages: readonly unknown[]): AgentMessage[] => messages as AgentMessage[];

function withheldAll(messages: readonly AgentMessage[], why: string): AgentMessage[] {
  return asAgentMessages(withheldContext({ type: "context", messages: asPiMessages(messages) }, why).messages);
}

class EngineGate {
  readonly #session: GuardSession;
  readonly #contextOf: () => SessionContext;
  readonly #prompts = new PromptRevisions();

  constructor(session: GuardSession, contextOf: () => SessionContext) {
    this.#session = session;
    this.#contextOf = contextOf;
  }

  /** Runs `judge`; returns the closed outcome if anything in it throws. */
  async closed<T>(name: string, judge: () => T | Promise<T>, otherwise: (why: string) => T): Promise<T> {
    try {
      if (looksAtDisk.has(name)) await this.#session.refresh(this.#contextOf());
      return await judge();
    } catch (error) {
      const fault = internalFault(error);
      this.#report(name, fault);
      return otherwise(faultText(fault));
    }
  }

  async toolCall(event: ToolCallEvent): Promise<ToolCallVerdict | undefined> {
    const context = this.#contextOf();
    const wire = toWire.tool_call(event, this.#session.frame(context));
    const decision = await this.#session.judge(wire, context);
    if (decision.outcome === "block") return { block: true, reason: refusal(decision) };
    const { args } = decision.changes;
    if (decision.outcome === "ask") {
      const reason = await this.#session.ask(
        { wire, tool: event.toolName, args: args ?? event.input },
        decision,
        context,
      );
      if (reason !== undefined) return { block: true, reason };
    }
    const extra = injected(decision.changes);
    if (args === undefined && extra === undefined) return undefined;
    return {
      ...(args === undefined ? {} : { input: args }),
      ...(extra === undefined ? {} : { additionalContext: extra.content }),
    };
  }

  async toolResult(event: ToolResultEvent): Promise<ToolResultVerdict | undefined> {
    const context = this.#contextOf();
    const wire = toWire.tool_result(asPi(event), this.#session.frame(context));
    const decision = await this.#session.judge(wire, context);
    const reply = toolResultReply(asPi(event), decision);
    return reply && asResult(reply);
  }

  async context(given: readonly AgentMessage[]): Promise<readonly AgentMessage[]> {
    const messages = this.#prompts.apply(asPiMessages(given));
    const event = { type: "context", messages } as const;
    const context = this.#contextOf();
    const decision = await this.#session.judge(toWire.context(event, this.#session.frame(context)), context);
    return asAgentMessages(contextReply(event, decision, this.#session.now())?.messages ?? messages);
  }

  /** Judges the start of a run together with the messages of hook modules, so that redaction reaches them. */
  async agentStart(event: GatedAgentStart): Promise<AgentStartVerdict | undefined> {
    const context = this.#contextOf();
    const custom = event.messages.map((message): PiMessage => ({ role: "custom", ...message }));
    const { messages: _, ...start } = event;
    const wire = toWire.before_agent_start(start, this.#session.frame(context));
    const given: WireEvent = custom.length === 0 ? wire : { ...wire, messages: toWireMessages(custom) };
    const decision = await this.#session.judge(given, context);
    const { prompt, messages } = decision.changes;
    if (prompt !== undefined) this.#prompts.remember(event.prompt, prompt);
    const changed = messages === undefined ? undefined : fromWireMessages(messages, custom, 0).map(asHookMessage);
    // A prompt that could not be judged closes the event, so the modules' messages are withheld too.
    const kept = decision.answered === "error" ? [] : changed;
    const reply = beforeAgentStartReply(decision) as Pick<AgentStartVerdict, "message" | "systemPrompt"> | undefined;
    return reply === undefined && kept === undefined
      ? undefined
      : { ...reply, ...(kept === undefined ? {} : { messages: kept }) };
  }

  async userBash(event: UserBashEvent): Promise<UserCommandVerdict | undefined> {
    const context = this.#contextOf();
    const wire = toWire.user_bash(event, this.#session.frame(context));
    const decision = await this.#session.judge(wire, context);
    if (decision.outcome === "block") return refusedCommand(refusal(decision));
    const { command } = decision.changes;
    if (decision.outcome === "ask") {
      const args = { command: command ?? event.command };
      const refused = await this.#session.ask({ wire, tool: "bash", args }, decision, context);
      if (refused !== undefined) return refusedCommand(refused);
    }
    return command === undefined ? undefined : { command };
  }

  /** Redacts a hook module's text for the model, judged as the error text of a tool. */
  errorText(text: string): string {
    try {
      const frame = this.#session.frame(this.#contextOf());
      const result = { content: [{ type: "text", text }], is_error: true };
      const { changes } = this.#session.decide({ event: "tool_result", ...frame, tool: "hook", result });
      if (changes.content === undefined) return text;
      return (changes.content as { text?: unknown }[]).map((part) => String(part.text ?? "")).join("\n");
    } catch (error) {
      const fault = internalFault(error);
      this.#report("error_text", fault);
      return withheldText(fault.message);
    }
  }

  #report(failed: string, fault: ReturnType<typeof internalFault>): void {
    try {
      this.#session.report({ event: "error", outcome: "block", fault, observed: { failed } }, fault, this.#contextOf());
    } catch {
      // Without a context there is nobody to tell; the event is still closed.
    }
  }
}

function asHookMessage(message: PiMessage): HookMessage {
  const { role: _role, timestamp: _timestamp, ...rest } = message;
  return rest as unknown as HookMessage;
}
