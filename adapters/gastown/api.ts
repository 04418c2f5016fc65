import type {
  PiApi,
  PiBeforeAgentStartEvent,
  PiBeforeAgentStartReply,
  PiContext,
  PiContextEvent,
  PiContextReply,
  PiHandler,
  PiMessage,
  PiToolCallEvent,
  PiToolCallReply,
  PiToolResultEvent,
  PiToolResultReply,
} from "../pi/api.ts";

/** The part of pi's extension API that hooks need besides the guard's part, by structure alone. Source: hosts page, section 2. */
export interface HookEvents {
  session_start: { event: PiSessionStartEvent; reply: never };
  before_agent_start: { event: PiBeforeAgentStartEvent; reply: PiBeforeAgentStartReply };
  tool_call: { event: PiToolCallEvent; reply: PiToolCallReply };
  tool_result: { event: PiToolResultEvent; reply: PiToolResultReply };
  context: { event: PiContextEvent; reply: PiContextReply };
  session_before_compact: { event: { type: "session_before_compact" }; reply: never };
  agent_end: { event: { type: "agent_end" }; reply: never };
  session_shutdown: { event: { type: "session_shutdown" }; reply: never };
}

/** Name of an event that hooks listen to. */
export type HookEventName = keyof HookEvents;

/** A session begins; `reason` is startup, reload, new, resume or fork. */
export interface PiSessionStartEvent {
  type: "session_start";
  reason?: string;
}

/** A command line option of an extension; without `default` it is undefined until it is given. */
export interface PiFlag {
  description: string;
  type: "boolean" | "string";
}

/** pi's argument to the factory of this extension, as far as hooks use it. */
export interface HookApi {
  on<Name extends HookEventName>(
    name: Name,
    handler: PiHandler<HookEvents[Name]["event"], HookEvents[Name]["reply"]>,
  ): unknown;
  registerFlag(name: string, flag: PiFlag): unknown;
  /** Returns the value from the command line; known from `session_start` on, not in the factory. */
  getFlag(name: string): boolean | string | undefined;
}

/** pi, for hooks and a guard. */
export type GastownPi = HookApi & PiApi;

export type { PiContext, PiMessage };
