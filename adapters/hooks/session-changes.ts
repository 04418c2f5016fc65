import { ownTerminal } from "../raw-terminal.ts";
import type { SessionEntry } from "./context.ts";
import type { CompactionPreparation, ModelSelectEvent, SessionBeforeTreeEvent } from "./events.ts";
import type { AgentMessage } from "./messages.ts";
import { hostName } from "./profiles.ts";
import type {
  ResourcesDiscoverResult,
  SessionBeforeCompactResult,
  SessionBeforeForkResult,
  SessionBeforeTreeResult,
  SessionCompactingResult,
} from "./results.ts";
import type { HookRunner } from "./runner.ts";

/** How a change of the session ended; `reason` is the policy's, when it was the policy that cancelled. */
export interface SessionChange {
  readonly cancelled: boolean;
  readonly reason?: string;
}

/** A change to another session: a new one, or one that is resumed. */
export interface SwitchRequest {
  readonly reason: "new" | "resume";
  readonly targetSessionFile?: string;
  readonly previousSessionFile?: string;
}

/** A change of the model; the one before is taken from the runner's host where it is not given. */
export interface ModelChange {
  readonly model: unknown;
  readonly previousModel?: unknown;
  readonly source: ModelSelectEvent["source"];
}

/** What compaction is asked to do. `signal` ends it. */
export interface CompactRequest {
  readonly preparation: CompactionPreparation;
  readonly branchEntries: SessionEntry[];
  readonly customInstructions?: string;
  readonly messages: AgentMessage[];
  readonly signal: AbortSignal;
}

/** What the host needs to compact: the summary that a handler gave, else what handlers add to the model's prompt. */
export type CompactWork = Pick<SessionBeforeCompactResult, "compaction"> & {
  readonly compacting?: SessionCompactingResult;
};

/** A signal that asks a process to end. */
export type EndSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** What `endOn` needs of the process that it watches. */
export interface EndedProcess {
  readonly pid: number;
  on(signal: EndSignal, listener: (signal: EndSignal) => void): unknown;
  off(signal: EndSignal, listener: (signal: EndSignal) => void): unknown;
  kill(pid: number, signal: EndSignal): unknown;
  /** Ends the process with the exit code that its program has set. */
  exit(): unknown;
}

/** The end of a session: `end` fires `session_shutdown` once, however often it is asked; `stop` watches no longer. */
export interface SessionEnd {
  end(): Promise<void>;
  stop(): void;
}

/**
 * Changes of the session in the order of the seeds: the `session_before_*` event, which can cancel; the host's own work;
 * the event after it; and, in the profile `pi`, `session_start` where another session has become the present one. A host
 * that changes its session through here cannot forget one. Sources: seed pi-hook-reference, section 5; seed
 * omp-authoring-hooks, "Session lifecycle" (on the initial load alone).
 */
export class SessionChanges {
  readonly #runner: HookRunner;

  constructor(runner: HookRunner) {
    this.#runner = runner;
  }

  /**
   * At startup and after a reload. `load` gets the paths that modules give to `resources_discover`; a host that builds
   * its system prompt from skills builds it anew after that (seed pi-hook-reference, section 7).
   */
  async start(
    reason: "startup" | "reload",
    cwd: string,
    load?: (found: ResourcesDiscoverResult) => Promise<void> | void,
  ): Promise<void> {
    await this.#runner.emit({ type: "session_start", reason });
    const found = await this.#runner.emit({ type: "resources_discover", cwd, reason });
    if (found !== undefined) await load?.(found);
  }

  /** `/new` and `/resume`. */
  async switch(request: SwitchRequest, work: () => Promise<void> | void): Promise<SessionChange> {
    const { reason, targetSessionFile, previousSessionFile } = request;
    const target = reason === "resume" && targetSessionFile !== undefined ? { targetSessionFile } : {};
    const answer = await this.#runner.emit({ type: "session_before_switch", reason, ...target });
    if (answer?.cancel) return cancelled(answer);
    await work();
    const left = previousSessionFile === undefined ? {} : { previousSessionFile };
    await this.#runner.emit({ type: "session_switch", reason, ...left });
    await this.#startAfterChange(reason);
    return { cancelled: false };
  }

  /** `/fork` (omp: branch). `work` is told whether to bring the messages back. */
  async fork(
    entryId: string,
    work: (answer: Pick<SessionBeforeForkResult, "skipConversationRestore">) => Promise<void> | void,
    previousSessionFile?: string,
  ): Promise<SessionChange> {
    const { profile } = this.#runner;
    const type = hostName(profile, "session_before_fork") as "session_before_fork";
    const answer = await this.#runner.emit({ type, entryId });
    if (answer?.cancel) return cancelled(answer);
    const skip = answer?.skipConversationRestore === true;
    await work(skip ? { skipConversationRestore: true } : {});
    const left = previousSessionFile === undefined ? {} : { previousSessionFile };
    await this.#runner.emit({ type: hostName(profile, "session_fork") as "session_fork", ...left });
    await this.#startAfterChange("fork");
    return { cancelled: false };
  }

  /** Compaction, by the human or automatic. A handler's own compaction stands in place of the model's. */
  async compact(
    request: CompactRequest,
    work: (given: CompactWork) => Promise<unknown> | unknown,
  ): Promise<SessionChange> {
    const { messages, ...before } = request;
    const answer = await this.#runner.emit({ type: "session_before_compact", ...before });
    if (answer?.cancel) return cancelled(answer);
    const compaction = answer?.compaction;
    const compacting =
      compaction === undefined ? await this.#runner.emit({ type: "session.compacting", messages }) : undefined;
    const entry = await work({
      ...(compaction === undefined ? {} : { compaction }),
      ...(compacting === undefined ? {} : { compacting }),
    });
    await this.#runner.emit({ type: "session_compact", compactionEntry: entry, fromHook: compaction !== undefined });
    return { cancelled: false };
  }

  /** Going to another point of the session's tree; `work` answers the leaf that is current then. */
  async tree(
    request: Pick<SessionBeforeTreeEvent, "preparation" | "signal"> & { readonly oldLeafId?: string | null },
    work: (answer: Pick<SessionBeforeTreeResult, "summary" | "label">) => Promise<string | null> | string | null,
  ): Promise<SessionChange> {
    const { preparation, signal, oldLeafId = null } = request;
    const answer = await this.#runner.emit({ type: "session_before_tree", preparation, signal });
    if (answer?.cancel) return cancelled(answer);
    const { summary, label } = answer ?? {};
    const newLeafId = await work({
      ...(summary === undefined ? {} : { summary }),
      ...(label === undefined ? {} : { label }),
    });
    await this.#runner.emit({ type: "session_tree", newLeafId, oldLeafId });
    return { cancelled: false };
  }

  /** Another model: the host's own work, then `model_select` (seed pi-hook-reference, section 6). Rejects with what `work` throws. */
  async selectModel(change: ModelChange, work: () => Promise<void> | void): Promise<void> {
    const { model, source, previousModel = this.#runner.chain.context().model } = change;
    await work();
    const before = previousModel === undefined ? {} : { previousModel };
    await this.#runner.emit({ type: "model_select", model, ...before, source });
  }

  /** The process is about to exit. */
  async shutdown(): Promise<void> {
    await this.#runner.emit({ type: "session_shutdown" });
  }

  /**
   * Ends the session when a signal ends the process: the run under way is ended, so that `turn_end` and `agent_end` fire,
   * `session_shutdown` fires once, then the process ends by that very signal. What takes longer than `patience`
   * milliseconds, or a second signal, does not hold it. A module that asks for the end (`ctx.shutdown()`) has it when the
   * agent is idle, unless the host has a `shutdown` of its own. Where the host has another end (Ctrl+D), it awaits `end`
   * before it exits. Source: seed pi-hook-reference, section 5.
   */
  endOn(
    signals: readonly EndSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"],
    { host = process, patience = 5_000 }: { readonly host?: EndedProcess; readonly patience?: number } = {},
  ): SessionEnd {
    let ending: Promise<void> | undefined;
    const end = (): Promise<void> => {
      ending ??= this.#runner.endRun(patience / 2).then(() => this.shutdown());
      return ending;
    };
    let stopped = false;
    const stop = (): void => {
      stopped = true;
      for (const signal of signals) host.off(signal, heard);
    };
    let told = false;
    const heard = (signal: EndSignal): void => {
      const leave = (): void => {
        clearTimeout(timer);
        if (!told) return;
        told = false;
        stop();
        ownTerminal.restore();
        host.kill(host.pid, signal);
      };
      const again = told;
      told = true;
      const timer = setTimeout(leave, patience);
      if (again) leave();
      else void end().then(leave, leave);
    };
    for (const signal of signals) host.on(signal, heard);
    const exit = (): void => {
      if (stopped) return;
      stop();
      ownTerminal.restore();
      host.exit();
    };
    let asked = false;
    const shutdown = (): void => {
      if (asked || stopped) return;
      asked = true;
      void this.#runner.whenIdle().then(() => {
        if (!stopped) void within(patience, end()).then(exit);
      });
    };
    this.#runner.offer({ shutdown });
    return { end, stop };
  }

  /** `session_start` where another session has become the present one; not every host fires it again. */
  async #startAfterChange(reason: string): Promise<void> {
    if (this.#runner.profile.sessionStartAfterChange) await this.#runner.emit({ type: "session_start", reason });
  }
}

/** Resolves when the work is done or failed, and no later than in so many milliseconds. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

function cancelled(answer: { readonly cancel?: boolean }): SessionChange {
  const { reason } = answer as { readonly reason?: unknown };
  return { cancelled: true, ...(typeof reason === "string" ? { reason } : {}) };
}
