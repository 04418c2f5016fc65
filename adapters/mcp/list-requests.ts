import { randomBytes } from "node:crypto";
import { type Fields, type Id, isFields, own } from "./messages.ts";

/** Maximum number of pages requested for a list. */
const mostPages = 100;

/**
 * The proxy's own list requests to the server, for calls of a tool that the client has not had listed. Their ids are the
 * proxy's own, and their answers never reach the client.
 */
export class ListRequests {
  readonly #send: (value: Fields) => void;
  readonly #patience: number;
  readonly #prefix = `hookwarden-${randomBytes(8).toString("hex")}-`;
  readonly #open = new Map<string, (answer: Fields | undefined) => void>();
  #count = 0;
  /** True once the server has announced tools. */
  offered = false;
  /** True if the last list request failed. */
  failed = false;

  constructor(send: (value: Fields) => void, patience = 5_000) {
    this.#send = send;
    this.#patience = patience;
  }

  /** Returns every page of the tool list, as results; none if the server has no tools or does not list them in time. */
  async all(): Promise<readonly Fields[]> {
    const pages: Fields[] = [];
    if (!this.offered) return pages;
    let cursor: unknown;
    do {
      const page = await this.#page(cursor);
      this.failed = page === undefined || pages.length >= mostPages;
      if (!page || this.failed) return [];
      pages.push(page);
      cursor = own(page, "nextCursor");
    } while (typeof cursor === "string");
    return pages;
  }

  /** Takes an answer; true if it is for one of these requests. */
  take(id: Id, value: Fields): boolean {
    if (typeof id !== "string" || !id.startsWith(this.#prefix)) return false;
    const result = own(value, "result");
    this.#open.get(id)?.(isFields(result) ? result : undefined);
    return true;
  }

  /** Ends all requests, because the server is gone. */
  end(): void {
    this.offered = false;
    for (const answer of this.#open.values()) answer(undefined);
  }

  #page(cursor: unknown): Promise<Fields | undefined> {
    const id = `${this.#prefix}${++this.#count}`;
    return new Promise((done) => {
      const settle = (answer: Fields | undefined): void => {
        clearTimeout(timer);
        this.#open.delete(id);
        done(answer);
      };
      const timer = setTimeout(() => settle(undefined), this.#patience);
      this.#open.set(id, settle);
      this.#send({ jsonrpc: "2.0", id, method: "tools/list", params: cursor === undefined ? {} : { cursor } });
    });
  }
}
