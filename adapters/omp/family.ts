import type { PiApi, PiOtherEvent } from "../pi/api.ts";
import { type EventRow, type Family, sharedEvents } from "../pi/family.ts";
import { judgedCall, ownArguments } from "./arguments.ts";

const observed = (on: EventRow["on"], event: EventRow["event"]): EventRow => ({ on, event, use: "observe" });

/** Fields that omp expects in a result of the human's command or code, besides pi's. */
const noOutput = { totalLines: 0, totalBytes: 0, outputLines: 0, outputBytes: 0 };

/** Tools whose event shows other arguments than those that run, so that nothing can be returned for them. */
const synthetic: ReadonlySet<string> = new Set(["computer"]);

/**
 * omp 18 through its extension runner, which serves `--hook` too. It stops waiting for any handler after 30 s. Then it
 * blocks a tool call but lets everything else pass raw, so every answer must come before that. Source: hosts page pi-and-omp,
 * section 3, and the source of 18.2.3 (`extensibility/extensions/runner`).
 */
export const ompFamily: Family = {
  host: "omp",
  // omp passes its own exports to an extension.
  version: (api) => (api as { readonly pi?: { readonly VERSION?: unknown } }).pi?.VERSION,
  limit: 24_000,
  events: [
    ...sharedEvents,
    { on: "session_before_branch", event: "session_before_fork", use: "cancel" },
    { on: "user_python", event: "user_python", use: "python" },
    { on: "session.compacting", event: "session_compacting", use: "compacting" },
    { on: "session_stop", event: "stop", use: "stop" },
    observed("session_switch", "session_switch"),
    observed("session_branch", "session_fork"),
    observed("auto_compaction_start", "auto_compaction_start"),
    observed("auto_compaction_end", "auto_compaction_end"),
    observed("auto_retry_start", "auto_retry_start"),
    observed("auto_retry_end", "auto_retry_end"),
    observed("ttsr_triggered", "ttsr_triggered"),
    observed("todo_reminder", "todo_reminder"),
  ],
  judged: judgedCall,
  own: ownArguments,
  /**
   * Always returns the judged arguments. With several extensions the last answer counts. So no earlier extension can make
   * another call run by its answer, and no later one by changing the event.
   */
  run(event, args) {
    if (synthetic.has(event.toolName)) return undefined;
    return { input: structuredClone(ownArguments(event.toolName, args ?? event.input)) };
  },
  refused: (reason) => ({
    result: { output: reason, exitCode: 1, cancelled: true, truncated: false, ...noOutput, displayOutputs: [] },
  }),
  input: (answer) => ("refused" in answer ? { handled: true } : answer),
  goOn: (_event: PiOtherEvent, reason) => ({ decision: "block", reason }),
};

/** True for the extension interface of omp, which passes its validators and its own package to extensions. */
export function isOmp(api: PiApi): boolean {
  return typeof api === "object" && api !== null && "pi" in api && ("zod" in api || "typebox" in api);
}
