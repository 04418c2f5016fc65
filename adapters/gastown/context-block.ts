import type { PiMessage } from "../pi/api.ts";

/** Type of the message that carries what hooks say to the model. */
export const hookContextType = "hookwarden-hook-context";

/** Something a hook said to the model. `call` orders what tools that run side by side give: their place in the turn. */
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

/** Blocks of one session that are put in again; the oldest goes first, like old messages in a compaction. */
const keptBlocks = 1_000;

/**
 * What hooks say to the model, gathered until the next prompt is put together and given there as one marked block, in the
 * order in which the hooks ran. pi's list of messages is made anew for each model call, so a block that was given in a
 * run is put in again behind the same message. Source: seed gastown-hooks-v1.1, section 4.
 */
export class ContextBlocks {
  #waiting: ContextEntry[] = [];
  #delivered: Delivered[] = [];

  add(entries: readonly ContextEntry[]): void {
    this.#waiting.push(...entries);
  }

  /** Forgets everything: another session begins. */
  clear(): void {
    this.#waiting = [];
    this.#delivered = [];
  }

  /** The block of what waits, which then waits no more; undefined when nothing does. */
  take(): string | undefined {
    const entries = inOrder(this.#waiting);
    this.#waiting = [];
    return entries.length === 0 ? undefined : blockOf(entries);
  }

  /** The messages of a model call with the blocks in them; undefined when there is none. `now` stamps a new one. */
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

/** What tells a message from the others of its session. */
function keyOf(message: PiMessage): string {
  return JSON.stringify([message.role, message["timestamp"] ?? null, message["toolCallId"] ?? null]);
}

/** Results of tools that run side by side come in any order: what their hooks say is put in the order of the calls. */
function inOrder(entries: readonly ContextEntry[]): ContextEntry[] {
  const results = entries.filter((entry) => entry.event === "PostToolUse");
  const sorted = [...results].sort((a, b) => (a.call ?? 0) - (b.call ?? 0));
  return entries.map((entry) => (entry.event === "PostToolUse" ? (sorted.shift() as ContextEntry) : entry));
}

/** Text of hooks cannot end the block, nor begin another. */
function blockOf(entries: readonly ContextEntry[]): string {
  const lines = entries.map(({ event, text }) => `[${event}] ${text.replace(/<(?=\/?hook-context)/gi, "&lt;")}`);
  return `<hook-context>\n${lines.join("\n")}\n</hook-context>`;
}
