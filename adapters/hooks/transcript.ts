import type { AgentMessage } from "./messages.ts";
import type { HookRunner } from "./runner.ts";

/** Saves a message in the session; an error thrown here ends the run. */
export type SaveMessage = (message: AgentMessage) => void;

/**
 * The conversation of one agent: adds each message to the history and the session and fires its events. A started message
 * always gets its end event, even after a fault, because timers and audits of modules rely on the pair.
 */
export class Transcript {
  readonly #runner: HookRunner;
  readonly #save: SaveMessage | undefined;
  readonly history: AgentMessage[];
  /** Messages of the current run. */
  #made: AgentMessage[] = [];

  constructor(runner: HookRunner, history: AgentMessage[], save: SaveMessage | undefined) {
    this.#runner = runner;
    this.history = history;
    this.#save = save;
  }

  /** Begins a run and returns a function that gives the messages made since then. */
  collect(): () => AgentMessage[] {
    const made: AgentMessage[] = [];
    this.#made = made;
    return () => [...made];
  }

  /** Adds a message that is complete from the start. */
  async add(message: AgentMessage): Promise<void> {
    await this.begin(message);
    await this.end(message);
  }

  async begin(message: AgentMessage): Promise<void> {
    await this.#runner.emit({ type: "message_start", message });
  }

  /** Keeps a message at its end, before handlers get `message_end` (seed pi-hook-reference, section 3). */
  async end(message: AgentMessage): Promise<void> {
    try {
      this.#made.push(message);
      this.keep(message);
    } finally {
      await this.#runner.emit({ type: "message_end", message });
    }
  }

  /** Like `end`, but after another fault: an error of `save` is only reported, so that it does not hide the first fault. */
  async endAfterFault(message: AgentMessage): Promise<void> {
    try {
      await this.end(message);
    } catch (error) {
      this.#runner.chain.report(loopPath, "message_end", error);
    }
  }

  /** Keeps a message without firing events. */
  keep(message: AgentMessage): void {
    this.history.push(message);
    this.#save?.(message);
  }
}

/** The name under which faults of the loop and of its ports are reported. */
export const loopPath = "agent-loop";
