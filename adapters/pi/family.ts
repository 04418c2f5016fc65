import type { Caller } from "../../runtime.ts";
import type { EventName } from "../../schema/events.ts";
import { hostVersion } from "../host-version.ts";
import type { PiApi, PiOtherEvent, PiToolCallEvent } from "./api.ts";
import { freezeDeep, replaceArguments } from "./judged-calls.ts";
import { plainArguments } from "./path-arguments.ts";
import { runningPiVersion } from "./running-version.ts";
import { refusedCommand } from "./translate.ts";

/** A tool call as it is judged: the host's name of the tool, or a canonical name that describes the call better. */
export interface JudgedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How the answer to an event is returned, for events without a translation of their own. */
export type EventUse = "input" | "cancel" | "stop" | "compacting" | "python" | "observe";

/** One event outside `PiEvents`: the host's name, our name, and the use of the answer. */
export interface EventRow {
  readonly on: string;
  readonly event: EventName;
  readonly use: EventUse;
  /** Judged only if a rule names the event, because it comes for each token, message or step of a tool. */
  readonly often?: boolean;
  /** Judged only for these `reason`s of the host's event. */
  readonly reasons?: readonly string[];
}

/** Differences between the hosts with pi's extension interface (hosts page pi-and-omp, sections 2 and 3). */
export interface Family {
  readonly host: "pi" | "omp";
  /** Name of the adapter in records; default the host's name. */
  readonly adapter?: string;
  /** Returns the host's version, if its interface has it. */
  version?(api: PiApi): unknown;
  readonly events: readonly EventRow[];
  /** Converts a call to the form in which it is judged, with paths as the tool itself will read them. */
  judged(tool: string, input: Readonly<Record<string, unknown>>): JudgedCall;
  /** Returns the arguments without the fields that the host derived from them for extensions. */
  own(tool: string, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Makes these arguments run, and returns the host's answer for that. */
  run(event: PiToolCallEvent, args: Readonly<Record<string, unknown>> | undefined): object | undefined;
  /** Makes the result of a command or code of the human that did not run. */
  refused(reason: string): object;
  /** Makes the answer to typed text: refused, or replaced by these fields. */
  input(answer: { readonly refused: true } | { readonly text: string; readonly images?: unknown[] }): object;
  /** Makes the answer that lets an agent continue that was about to stop. */
  goOn(event: PiOtherEvent, reason: string): object;
  /** Milliseconds within which a handler must answer; after that the host goes on without the answer. */
  readonly limit?: number;
}

const row = (event: EventName, use: EventUse, on: string = event): EventRow => ({ on, event, use });
const seen = (...events: EventName[]): EventRow[] => events.map((event) => row(event, "observe"));

/** Events that both hosts have under the same name, except those with a translation of their own. */
export const sharedEvents: readonly EventRow[] = [
  row("input", "input"),
  row("session_before_switch", "cancel"),
  row("session_before_compact", "cancel"),
  row("session_before_tree", "cancel"),
  ...seen("resources_discover", "session_start", "session_compact", "session_tree", "session_shutdown"),
  ...seen("agent_start", "agent_end", "turn_start", "turn_end"),
  ...seen("message_start", "message_update", "message_end").map((one) => ({ ...one, often: true })),
  ...seen("tool_execution_start", "tool_execution_update", "tool_execution_end").map((one) => ({
    ...one,
    often: true,
  })),
];

/** Custom type of the message that lets an agent continue. */
const stopType = "hookwarden-stop";

/** pi, from 0.73 to 1.5. The reason of `session_start` names the session's origin, so it also yields two other events of ours. */
export const piFamily: Family = {
  host: "pi",
  version: () => runningPiVersion(),
  events: [
    ...sharedEvents,
    row("session_before_fork", "cancel"),
    { ...row("session_switch", "observe", "session_start"), reasons: ["new", "resume"] },
    { ...row("session_fork", "observe", "session_start"), reasons: ["fork"] },
    row("model_select", "observe"),
    row("stop", "stop", "agent_before_settle"),
  ],
  judged: (tool, input) => ({ tool, args: plainArguments(input) }),
  own: (_tool, input) => input,
  run(event, args) {
    if (args !== undefined) replaceArguments(event.input, args);
    freezeDeep(event.input);
    return undefined;
  },
  refused: refusedCommand,
  input: (answer) =>
    "refused" in answer
      ? { action: "handled" }
      : { action: "transform", text: answer.text, ...(answer.images && { images: answer.images }) },
  goOn(event, reason) {
    const before: readonly unknown[] = Array.isArray(event["entries"]) ? event["entries"] : [];
    const entry = { type: "custom_message", customType: stopType, content: reason, display: true };
    return { continue: true, entries: [...before, entry] };
  },
};

/** Returns the caller for records: the adapter and, if known, the host's version. Never throws. */
export function callerOf(api: PiApi, { adapter, host, version }: Family): Caller {
  const caller = { adapter: adapter ?? host };
  try {
    const known = hostVersion(version?.(api));
    return known === undefined ? caller : { ...caller, host_version: known };
  } catch {
    return caller;
  }
}
