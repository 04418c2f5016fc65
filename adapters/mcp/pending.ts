import type { Named } from "./judge.ts";
import { type Fields, type Id, keyOf } from "./messages.ts";

/** A request that somebody waits for the answer of. */
export interface Pending {
  readonly method: string;
  /** What it is as an event. */
  readonly call: Named;
  /** Schema that structured content of the answer must fit. */
  readonly outputSchema?: unknown;
  /** Text that a rule has for the model, beside the answer. */
  readonly said?: string;
  readonly params?: Fields;
}

/** Requests of one side that are open at once; one more is refused. */
const mostOpen = 10_000;

/** Open requests of one side, by id. */
export class PendingRequests {
  readonly #open = new Map<string, Pending>();

  /** Why another request cannot be opened; undefined when it can. */
  refusal(id: Id): string | undefined {
    if (this.#open.has(keyOf(id))) return "a request with this id is still open";
    return this.#open.size >= mostOpen ? "too many requests are open" : undefined;
  }

  open(id: Id, pending: Pending): void {
    this.#open.set(keyOf(id), pending);
  }

  /** The request that an answer is for; from then on it is answered. */
  take(id: Id): Pending | undefined {
    const found = this.#open.get(keyOf(id));
    this.#open.delete(keyOf(id));
    return found;
  }

  /** Ids of what nobody answered. */
  ids(): readonly Id[] {
    return [...this.#open.keys()].map((key) => (key.startsWith("s") ? key.slice(1) : Number(key.slice(1))));
  }
}
