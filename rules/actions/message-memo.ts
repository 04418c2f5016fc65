/**
 * Memo of a value computed from a message, keyed by the message object. A conversation comes again at every turn, and the
 * engine passes the very same, unchanging objects for its earlier messages (`KnownMessages`). `key` is everything else that
 * the value depends on, such as the session and the action; only the last value is remembered.
 */
export class MessageMemo<Value> {
  readonly #made = new WeakMap<object, { readonly key: string; readonly value: Value }>();

  find(message: unknown, key: string): { readonly value: Value } | undefined {
    const known = isObject(message) ? this.#made.get(message) : undefined;
    return known?.key === key ? known : undefined;
  }

  keep(message: unknown, key: string, value: Value): void {
    if (isObject(message)) this.#made.set(message, { key, value });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
