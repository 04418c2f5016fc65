import type { SessionEntry, SessionManager } from "./context.ts";
import type { AgentMessage } from "./messages.ts";
import { snapshot } from "./snapshot.ts";

/** Parts that a `LoopSession` is built from. */
export interface LoopSessionParts {
  /** The conversation; every message in it becomes an entry, whoever added it. */
  readonly history: AgentMessage[];
  /** Entries of a stored session, whose messages begin the history. */
  readonly entries?: readonly SessionEntry[] | undefined;
  /** Saves an entry that is not a message. */
  save?: ((entry: SessionEntry) => void) | undefined;
  now(): number;
}

/**
 * The session of an agent loop as modules read it, for a host without its own session manager. It holds every message of
 * the conversation and the data that modules keep, in order of arrival. Callers get copies.
 * Sources: seed pi-hook-reference, section 2 (`agent_end`) and 5 (`session_start`); seed omp-hooks, "What a hook module is".
 */
export class LoopSession implements SessionManager {
  readonly #parts: LoopSessionParts;
  readonly #entries: SessionEntry[];
  /** Messages that have an entry. */
  readonly #known = new WeakSet<AgentMessage>();
  readonly #ids = new Set<string>();
  #count = 0;

  constructor(parts: LoopSessionParts) {
    this.#parts = parts;
    this.#entries = [...(parts.entries ?? [])];
    for (const entry of this.#entries) {
      if (entry.id !== undefined) this.#ids.add(entry.id);
      const message = messageIn(entry);
      if (message === undefined) continue;
      this.#known.add(message);
      parts.history.push(message);
    }
  }

  getEntries(): SessionEntry[] {
    this.#takeIn();
    return this.#entries.map((entry) => copyOf(entry));
  }

  /** Returns all entries, because a loop's history has no branches. */
  getBranch(): SessionEntry[] {
    return this.getEntries();
  }

  getSessionFile(): undefined {
    return undefined;
  }

  /** Keeps data that no model is sent. Throws if it is not plain data. */
  append(customType: string, data?: unknown): void {
    if (typeof customType !== "string" || customType === "") throw new Error("an entry needs a `customType`");
    const taken = snapshot(data, { unfit: "refuse" });
    if (!taken.ok) throw new Error(`the data of \`${customType}\` cannot be kept: ${taken.reason}`);
    this.#takeIn();
    const entry = this.#add({ type: "custom", customType, ...(data === undefined ? {} : { data: taken.value }) });
    this.#parts.save?.(copyOf(entry));
  }

  /** Adds entries for the messages that came since the last call. */
  #takeIn(): void {
    for (const message of this.#parts.history) {
      if (this.#known.has(message)) continue;
      this.#known.add(message);
      this.#add(entryOf(message));
    }
  }

  #add(fields: SessionEntry): SessionEntry {
    const { type, ...rest } = fields;
    const before = this.#entries.at(-1)?.id;
    const parent = before === undefined ? {} : { parentId: before };
    const entry = { type, id: this.#newId(), ...parent, timestamp: new Date(this.#parts.now()).toISOString(), ...rest };
    this.#entries.push(entry);
    return entry;
  }

  #newId(): string {
    let id: string;
    do id = String(++this.#count);
    while (this.#ids.has(id));
    this.#ids.add(id);
    return id;
  }
}

/** Makes the entry that hosts write for a message; a module's message has an entry type of its own. */
function entryOf(message: AgentMessage): SessionEntry {
  if (message.role !== "custom") return { type: "message", message };
  const { role: _role, timestamp: _when, ...fields } = message;
  return { type: "custom_message", ...fields };
}

/** Returns the message in an entry; undefined if the entry holds data or no valid message. */
function messageIn(entry: SessionEntry): AgentMessage | undefined {
  if (entry.type === "message") {
    const { message } = entry;
    const role = typeof message === "object" && message !== null ? (message as AgentMessage).role : undefined;
    return typeof role === "string" ? (message as AgentMessage) : undefined;
  }
  if (entry.type !== "custom_message" || typeof entry.customType !== "string") return undefined;
  const { content, details, display } = entry;
  if (typeof content !== "string" && !Array.isArray(content)) return undefined;
  const more = details === undefined ? {} : { details };
  return { role: "custom", customType: entry.customType, content, display: display === true, ...more };
}

/** Makes a copy that shares nothing with the conversation; a marker replaces each part that is not plain data. */
function copyOf(entry: SessionEntry): SessionEntry {
  const taken = snapshot(entry, { unfit: "withhold" });
  return taken.ok ? (taken.value as SessionEntry) : { type: entry.type };
}
