import type {
  BeforeAgentStartEvent,
  ContextEvent,
  InputEvent,
  ToolCallEvent,
  ToolResultEvent,
  UserBashEvent,
  UserPythonEvent,
} from "./events.ts";
import type { AgentMessage, ContentPart, HookMessage, ImageContent } from "./messages.ts";
import type { ResourcesDiscoverResult, SessionCompactingResult, UserBashResult } from "./results.ts";

/** A value or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** The policy's answer to a tool call. Nothing, or `block: false`, lets it run. */
export interface ToolCallVerdict {
  readonly block?: boolean;
  /** Reason and guidance for the model. */
  readonly reason?: string;
  /** Arguments that run in place of those given; the gate judged these. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Text for the model, delivered after the tool's result. */
  readonly additionalContext?: string;
}

/** Parts of a result that the policy replaces; a part that is absent stays. */
export interface ToolResultVerdict {
  readonly content?: readonly ContentPart[];
  readonly details?: unknown;
  /** New content without this drops the structured content. */
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** The event with the messages that hook modules want to inject. `systemPrompt` is one text, after all handlers. */
export interface GatedAgentStart extends Omit<BeforeAgentStartEvent, "systemPrompt"> {
  readonly systemPrompt?: string;
  readonly messages: readonly HookMessage[];
}

/** The policy's answer before a run of the agent; a part that is absent changes nothing. */
export interface AgentStartVerdict {
  /** Delivered beside the messages of hook modules, after them. */
  readonly message?: HookMessage;
  /** The whole prompt of this run. */
  readonly systemPrompt?: string;
  /** The hook modules' messages after redaction, in place of `event.messages`. */
  readonly messages?: readonly HookMessage[];
}

/** The policy's answer to a command of the human: `result` ends it, `command` replaces it. */
export interface UserCommandVerdict {
  readonly result?: UserBashResult;
  readonly command?: string;
}

/** The policy's answer to typed text. */
export interface InputVerdict {
  readonly block?: boolean;
  readonly reason?: string;
  readonly text?: string;
  readonly images?: readonly ImageContent[];
  /** Delivered beside the text, after it. */
  readonly message?: HookMessage;
}

/** The policy's answer to a `session_before_*` event; a cancel is final. */
export interface SessionVerdict {
  readonly cancel?: boolean;
  readonly reason?: string;
}

/** The policy's answer where the agent is about to stop. */
export interface StopVerdict {
  readonly continue?: boolean;
  readonly reason?: string;
}

/** The policy's answer to an event that it only observes: a message for the model, delivered with the next prompt. */
export interface ObserveVerdict {
  readonly message?: HookMessage;
}

/** A session event with the hook modules' answer in `result`. */
export interface GatedSessionEvent {
  readonly type: string;
  readonly result: unknown;
  readonly [field: string]: unknown;
}

/**
 * The policy as the runner sees it, outermost in the chain. Each method gets the payload as the last handler left it,
 * frozen or private to the gate, and its answer is final. Methods should not throw; one that does yields the closed
 * outcome of its event (semantics page, section 4). An absent method lets everything pass.
 */
export interface PolicyGate {
  toolCall(event: ToolCallEvent): Awaitable<ToolCallVerdict | undefined>;
  toolResult(event: ToolResultEvent): Awaitable<ToolResultVerdict | undefined>;
  context(messages: ContextEvent["messages"]): Awaitable<readonly AgentMessage[]>;
  beforeAgentStart(event: GatedAgentStart): Awaitable<AgentStartVerdict | undefined>;
  userBash(event: UserBashEvent): Awaitable<UserCommandVerdict | undefined>;
  userPython?(event: UserPythonEvent): Awaitable<UserCommandVerdict | undefined>;
  input?(event: InputEvent): Awaitable<InputVerdict | undefined>;
  /** Answers a `session_before_*` event; a cancel is final. */
  sessionBefore?(event: GatedSessionEvent): Awaitable<SessionVerdict | undefined>;
  /** Answers `stop` and `subagent_stop`: `continue` makes the agent continue, with the reason as its next input. */
  stop?(event: GatedSessionEvent): Awaitable<StopVerdict | undefined>;
  /** Redacts the input of a compaction and adds to it. */
  sessionCompacting?(event: GatedSessionEvent): Awaitable<SessionCompactingResult | undefined>;
  /** Returns the resource paths to keep. */
  resourcesDiscover?(event: GatedSessionEvent): Awaitable<ResourcesDiscoverResult | undefined>;
  /** Sees every other event, after its handlers. */
  observe?(
    event: Readonly<Record<string, unknown>> & { readonly type: string },
    // biome-ignore lint/suspicious/noConfusingVoidType: a gate that only looks on has no return statement at all
  ): Awaitable<ObserveVerdict | undefined | void>;
  /** Redacts a streaming partial result; undefined drops the update. Absent: partial results pass. */
  toolUpdate?(event: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly partialResult: unknown;
  }): unknown;
  /** Redacts text of hook modules that reaches the model outside a result: reasons of blocks, texts of errors. */
  errorText?(text: string): string;
}
