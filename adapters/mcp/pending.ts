import type { Named } from "./judge.ts";
import { type Fields, type Id, keyOf } from "./messages.ts";

/** An open request, whose answer somebody waits for. */
export interface Pending {
  readonly method: string;
  /** The request as a call in an event. */
  readonly call: Named;
  /** Schema of the answer's structured content. */
  readonly outputSchema?: unknown;
  /** A rule's text for the model, sent with the answer. */
  readonly said?: string;
  readonly params?: Fields;
}

/** Maximum number of open requests of one side; one more is refused. */
const mostOpen = 10_000;

/** Open requests of one side, by id. */
export class PendingRequests {
  readonly #open = new Map<string, Pending>();

  /** Returns why another request cannot be opened; undefined if it can. */
  refusal(id: Id): string | undefined {
    if (this.#open.has(keyOf(id))) return "a request with this id is still open";
    return this.#open.size >= mostOpen ? "too many requests are open" : undefined;
  }

  open(id: Id, pending: Pending): void {
    this.#open.set(keyOf(id), pending);
  }

  /** Returns and removes the request of an answer. */
  take(id: Id): Pending | undefined {
    const found = this.#open.get(keyOf(id));
    this.#open.delete(keyOf(id));
    return found;
  }

  /** Lists the ids of unanswered requests. */
  ids(): readonly Id[] {
    return [...this.#open.keys()].map((key) => (key.startsWith("s") ? key.slice(1) : Number(key.slice(1))));
  }
}
