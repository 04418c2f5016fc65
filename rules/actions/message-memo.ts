/**
 * Memo of a value computed from a message, keyed by the message object. A conversation is repeated at every turn, and the engine
 * passes the same immutable objects for its earlier messages (`KnownMessages`). `key` is everything else on which the value
 * depends, such as the session and the action; only the last value is kept.
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
