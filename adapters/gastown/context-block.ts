import type { PiMessage } from "../pi/api.ts";

/** Type of the message that carries the hooks' texts to the model. */
export const hookContextType = "hookwarden-hook-context";

/** One text of a hook for the model. `call` orders the texts of parallel tools: it is the call's place in the turn. */
export interface ContextEntry {
  readonly event: string;
  readonly text: string;
  readonly call?: number;
}

interface Delivered {
  /** The message that the block follows. */
  readonly after: string;
  readonly message: PiMessage;
}

/** Maximum number of blocks of one session that are inserted again; the oldest goes first, like old messages in a compaction. */
const keptBlocks = 1_000;

/**
 * Collects the hooks' texts for the model and adds them to the next prompt as one marked block, in the hooks' order. pi
 * rebuilds its list of messages for each model call, so a block of the same run is inserted again after the same message.
 * Source: seed gastown-hooks-v1.1, section 4.
 */
export class ContextBlocks {
  #waiting: ContextEntry[] = [];
  #delivered: Delivered[] = [];

  add(entries: readonly ContextEntry[]): void {
    this.#waiting.push(...entries);
  }

  /** Forgets everything, because another session begins. */
  clear(): void {
    this.#waiting = [];
    this.#delivered = [];
  }

  /** Returns the block of waiting texts and clears them; undefined if there are none. */
  take(): string | undefined {
    const entries = inOrder(this.#waiting);
    this.#waiting = [];
    return entries.length === 0 ? undefined : blockOf(entries);
  }

  /** Returns the messages of a model call with the blocks; undefined if there are no blocks. `now` is the time of a new one. */
  into(messages: readonly PiMessage[], now: number): PiMessage[] | undefined {
    const block = this.take();
    const last = messages.at(-1);
    if (block !== undefined) {
      const message = { role: "custom", customType: hookContextType, content: block, display: false, timestamp: now };
      this.#delivered.push({ after: last ? keyOf(last) : "", message });
      if (this.#delivered.length > keptBlocks) this.#delivered.shift();
    }
    if (this.#delivered.length === 0) return undefined;
    const places = new Map(messages.map((message, place) => [keyOf(message), place]));
    const behind = (place: number): PiMessage[] =>
      this.#delivered.filter(({ after }) => (after === "" ? -1 : places.get(after)) === place).map((b) => b.message);
    return [...behind(-1), ...messages.flatMap((message, place) => [message, ...behind(place)])];
  }
}

/** Returns a key that identifies a message within its session. */
function keyOf(message: PiMessage): string {
  return JSON.stringify([message.role, message["timestamp"] ?? null, message["toolCallId"] ?? null]);
}

/** Sorts the texts of parallel tools' results, which come in any order, by the order of the calls. */
function inOrder(entries: readonly ContextEntry[]): ContextEntry[] {
  const results = entries.filter((entry) => entry.event === "PostToolUse");
  const sorted = [...results].sort((a, b) => (a.call ?? 0) - (b.call ?? 0));
  return entries.map((entry) => (entry.event === "PostToolUse" ? (sorted.shift() as ContextEntry) : entry));
}

/** Builds the block; text of hooks can neither end it nor begin another. */
function blockOf(entries: readonly ContextEntry[]): string {
  const lines = entries.map(({ event, text }) => `[${event}] ${text.replace(/<(?=\/?hook-context)/gi, "&lt;")}`);
  return `<hook-context>\n${lines.join("\n")}\n</hook-context>`;
}
