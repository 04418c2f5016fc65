import type { AgentMessage } from "./messages.ts";
import type { HookRunner } from "./runner.ts";

/** Keeps a message in the session; what it throws ends the run. */
export type SaveMessage = (message: AgentMessage) => void;

/**
 * The conversation of one agent: each message with its events, in the history and in the session. A started message
 * ends under every fault, because timers and audits of modules stand on the pair.
 */
export class Transcript {
  readonly #runner: HookRunner;
  readonly #save: SaveMessage | undefined;
  readonly history: AgentMessage[];
  /** What the present run made. */
  #made: AgentMessage[] = [];

  constructor(runner: HookRunner, history: AgentMessage[], save: SaveMessage | undefined) {
    this.#runner = runner;
    this.history = history;
    this.#save = save;
  }

  /** Begins a run: the answer gives the messages made since then. */
  collect(): () => AgentMessage[] {
    const made: AgentMessage[] = [];
    this.#made = made;
    return () => [...made];
  }

  /** A message that is complete when it comes. */
  async add(message: AgentMessage): Promise<void> {
    await this.begin(message);
    await this.end(message);
  }

  async begin(message: AgentMessage): Promise<void> {
    await this.#runner.emit({ type: "message_start", message });
  }

  /** A message is kept at its end, before handlers hear of that (seed pi-hook-reference, section 3). */
  async end(message: AgentMessage): Promise<void> {
    try {
      this.#made.push(message);
      this.keep(message);
    } finally {
      await this.#runner.emit({ type: "message_end", message });
    }
  }

  /** As `end`, where another fault is on its way out already: one of `save` is reported and does not take its place. */
  async endAfterFault(message: AgentMessage): Promise<void> {
    try {
      await this.end(message);
    } catch (error) {
      this.#runner.chain.report(loopPath, "message_end", error);
    }
  }

  /** Keeps a message that has no events. */
  keep(message: AgentMessage): void {
    this.history.push(message);
    this.#save?.(message);
  }
}

/** The name under which faults of the loop and of its ports are reported. */
export const loopPath = "agent-loop";
