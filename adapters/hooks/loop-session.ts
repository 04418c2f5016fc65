import type { SessionEntry, SessionManager } from "./context.ts";
import type { AgentMessage } from "./messages.ts";
import { snapshot } from "./snapshot.ts";

/** What the session of a loop is made of. */
export interface LoopSessionParts {
  /** The conversation; messages that are put into it by anyone become entries. */
  readonly history: AgentMessage[];
  /** Entries of a stored session, whose messages begin the history. */
  readonly entries?: readonly SessionEntry[] | undefined;
  /** Keeps an entry that is no message. */
  save?: ((entry: SessionEntry) => void) | undefined;
  now(): number;
}

/**
 * The session of an agent loop as modules read it, where the host has none of its own: every message of the conversation
 * and the data that modules keep, in the order in which they came. What is handed out are copies.
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

  /** A loop goes on from its last message alone: the branch is the whole. */
  getBranch(): SessionEntry[] {
    return this.getEntries();
  }

  getSessionFile(): undefined {
    return undefined;
  }

  /** Keeps data that no model is sent. Throws for what is no plain data. */
  append(customType: string, data?: unknown): void {
    if (typeof customType !== "string" || customType === "") throw new Error("an entry needs a `customType`");
    const taken = snapshot(data, { unfit: "refuse" });
    if (!taken.ok) throw new Error(`the data of \`${customType}\` cannot be kept: ${taken.reason}`);
    this.#takeIn();
    const entry = this.#add({ type: "custom", customType, ...(data === undefined ? {} : { data: taken.value }) });
    this.#parts.save?.(copyOf(entry));
  }

  /** Messages that came since, as entries. */
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

/** A message as hosts write it into a session: one of a module is an entry of its own kind. */
function entryOf(message: AgentMessage): SessionEntry {
  if (message.role !== "custom") return { type: "message", message };
  const { role: _role, timestamp: _when, ...fields } = message;
  return { type: "custom_message", ...fields };
}

/** The message that an entry holds; undefined for data and for what is no message. */
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

/** A copy that shares nothing with the conversation; a part that is no plain data stands as a marker. */
function copyOf(entry: SessionEntry): SessionEntry {
  const taken = snapshot(entry, { unfit: "withhold" });
  return taken.ok ? (taken.value as SessionEntry) : { type: entry.type };
}
