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

/** Result of a session change. `reason` is the canceller's reason, if it gave one. */
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

/** A change of the model. `previousModel` defaults to the current model of the runner's host. */
export interface ModelChange {
  readonly model: unknown;
  readonly previousModel?: unknown;
  readonly source: ModelSelectEvent["source"];
}

/** Parameters of a compaction. `signal` aborts it. */
export interface CompactRequest {
  readonly preparation: CompactionPreparation;
  readonly branchEntries: SessionEntry[];
  readonly customInstructions?: string;
  readonly messages: AgentMessage[];
  readonly signal: AbortSignal;
}

/** Input of the host's compaction: the summary from a handler, or the handlers' additions to the model's prompt. */
export type CompactWork = Pick<SessionBeforeCompactResult, "compaction"> & {
  readonly compacting?: SessionCompactingResult;
};

/** A signal that asks a process to end. */
export type EndSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The part of `process` that `endOn` uses. */
export interface EndedProcess {
  readonly pid: number;
  on(signal: EndSignal, listener: (signal: EndSignal) => void): unknown;
  off(signal: EndSignal, listener: (signal: EndSignal) => void): unknown;
  kill(pid: number, signal: EndSignal): unknown;
  /** Ends the process with the exit code that its program has set. */
  exit(): unknown;
}

/** Handle of a watched session end. `end` fires `session_shutdown` once, however often it is called; `stop` removes the watch. */
export interface SessionEnd {
  end(): Promise<void>;
  stop(): void;
}

/**
 * Session changes with their events in the order of the seeds. First fires the `session_before_*` event, which can cancel.
 * Then the host does its own work, and the event after it fires. In the profile `pi`, `session_start` follows when another
 * session became current. A host that uses this class cannot forget an event. Sources: seed pi-hook-reference, section 5; seed
 * omp-authoring-hooks, "Session lifecycle" (on the initial load alone).
 */
export class SessionChanges {
  readonly #runner: HookRunner;

  constructor(runner: HookRunner) {
    this.#runner = runner;
  }

  /**
   * Fires the events of startup or of a reload. `load` gets the paths that modules answered to `resources_discover`; a host
   * that builds its system prompt from skills rebuilds it after that (seed pi-hook-reference, section 7).
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

  /** Does `/new` or `/resume`: fires the events around the host's `work`, which does not run after a cancel. */
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

  /** Does `/fork` (omp: branch). `work` is told whether to skip restoring the messages. */
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

  /** Compacts, at the human's request or automatically. A handler's own compaction replaces the model's. */
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

  /** Moves to another point of the session's tree. `work` returns the id of the new current leaf. */
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

  /** Changes the model: the host's `work`, then `model_select` (seed pi-hook-reference, section 6). Rejects with the error of `work`. */
  async selectModel(change: ModelChange, work: () => Promise<void> | void): Promise<void> {
    const { model, source, previousModel = this.#runner.chain.context().model } = change;
    await work();
    const before = previousModel === undefined ? {} : { previousModel };
    await this.#runner.emit({ type: "model_select", model, ...before, source });
  }

  /** Fires `session_shutdown`: the process is about to exit. */
  async shutdown(): Promise<void> {
    await this.#runner.emit({ type: "session_shutdown" });
  }

  /**
   * Ends the session when a signal ends the process. It ends the current run, so that `turn_end` and `agent_end` fire, and
   * fires `session_shutdown` once. Then the process ends by that same signal. It ends without waiting any longer after
   * `patience` milliseconds or a second signal. A module's `ctx.shutdown()` takes effect when the agent is idle, unless the
   * host has its own `shutdown`. A host that can end in another way (Ctrl+D) awaits `end` before it exits.
   * Source: seed pi-hook-reference, section 5.
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

  /** Fires `session_start` after a change of session, in profiles whose host does so. */
  async #startAfterChange(reason: string): Promise<void> {
    if (this.#runner.profile.sessionStartAfterChange) await this.#runner.emit({ type: "session_start", reason });
  }
}

/** Resolves when the work is done or failed, or after the given time at the latest. */
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
