import type { Caller } from "../../runtime.ts";
import type { EventName } from "../../schema/events.ts";
import { hostVersion } from "../host-version.ts";
import type { PiApi, PiOtherEvent, PiToolCallEvent } from "./api.ts";
import { freezeDeep, replaceArguments } from "./judged-calls.ts";
import { plainArguments } from "./path-arguments.ts";
import { runningPiVersion } from "./running-version.ts";
import { refusedCommand } from "./translate.ts";

/** A tool call as it is judged: the tool by the host's own name, or another canonical one that says better what is done. */
export interface JudgedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** How the answer to an event goes back, beside those that have a translation of their own. */
export type EventUse = "input" | "cancel" | "stop" | "compacting" | "python" | "observe";

/** One event beside the ones in `PiEvents`: the host's name of it, ours, and what is done with the answer. */
export interface EventRow {
  readonly on: string;
  readonly event: EventName;
  readonly use: EventUse;
  /** Told only where a rule names the event: it comes for each token, message or step of a tool. */
  readonly often?: boolean;
  /** Told only for these `reason`s of the host's event. */
  readonly reasons?: readonly string[];
}

/** What differs between the hosts that have pi's extension interface (hosts page pi-and-omp, sections 2 and 3). */
export interface Family {
  readonly host: "pi" | "omp";
  /** The adapter in records, where it is not the host's own. */
  readonly adapter?: string;
  /** The host's version, where its interface has it. */
  version?(api: PiApi): unknown;
  readonly events: readonly EventRow[];
  /** The call as it is judged: paths as the tool itself will read them. */
  judged(tool: string, input: Readonly<Record<string, unknown>>): JudgedCall;
  /** Arguments without what the host derived from them for extensions. */
  own(tool: string, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Makes these arguments run, and gives the host's answer for that. */
  run(event: PiToolCallEvent, args: Readonly<Record<string, unknown>> | undefined): object | undefined;
  /** The result of a command or code of the human that did not run. */
  refused(reason: string): object;
  /** The answer to typed text: refused, or with these fields in place of its own. */
  input(answer: { readonly refused: true } | { readonly text: string; readonly images?: unknown[] }): object;
  /** Sends an agent on that was about to stop. */
  goOn(event: PiOtherEvent, reason: string): object;
  /** Milliseconds in which a handler must answer; the host goes on without the answer afterwards. */
  readonly limit?: number;
}

const row = (event: EventName, use: EventUse, on: string = event): EventRow => ({ on, event, use });
const seen = (...events: EventName[]): EventRow[] => events.map((event) => row(event, "observe"));

/** Events that both hosts have under the same name, beside those with a translation of their own. */
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

/** The type of the message that sends an agent on. */
const stopType = "hookwarden-stop";

/** pi, from 0.73 to 1.5. What a session came from stands in the reason of `session_start`, which is two events of ours more. */
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

/** Who is named in records as the one through whom events of a host come. Never throws. */
export function callerOf(api: PiApi, { adapter, host, version }: Family): Caller {
  const caller = { adapter: adapter ?? host };
  try {
    const known = hostVersion(version?.(api));
    return known === undefined ? caller : { ...caller, host_version: known };
  } catch {
    return caller;
  }
}
