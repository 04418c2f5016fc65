/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Id of a request. */
export type Id = string | number;

/** One JSON-RPC message. `value` is the whole message, as parsed. */
export type Message =
  | {
      readonly kind: "request";
      readonly id: Id;
      readonly method: string;
      readonly params: Fields;
      readonly value: Fields;
    }
  | { readonly kind: "notification"; readonly method: string; readonly params: Fields; readonly value: Fields }
  | { readonly kind: "response"; readonly id: Id | null; readonly value: Fields };

/** Error codes: those of JSON-RPC, and our own for refusals by a policy. */
export const codes = {
  unparsable: -32_700,
  invalid: -32_600,
  params: -32_602,
  internal: -32_603,
  refused: -32_000,
} as const;

const names = ["jsonrpc", "id", "method", "params", "result", "error"];

/** True for a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a field of an object, never an inherited one. */
export function own(value: Fields, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Reads a JSON value as a message. Undefined if it is none, could be of two kinds, or has a key that some readers take for
 * another (`Method`): the other side might then read it differently.
 */
export function messageOf(value: unknown): Message | undefined {
  if (!isFields(value) || Object.keys(value).some((key) => !names.includes(key) && names.includes(key.toLowerCase())))
    return undefined;
  const id = own(value, "id");
  const isId = typeof id === "string" || typeof id === "number";
  const answers = Object.hasOwn(value, "result") || Object.hasOwn(value, "error");
  const both = Object.hasOwn(value, "result") && Object.hasOwn(value, "error");
  if (!Object.hasOwn(value, "method"))
    return answers && !both && (isId || id === null || id === undefined)
      ? { kind: "response", id: isId ? id : null, value }
      : undefined;
  const method = own(value, "method");
  const params = own(value, "params") ?? {};
  if (typeof method !== "string" || answers || !isFields(params)) return undefined;
  if (isId) return { kind: "request", id, method, params, value };
  return Object.hasOwn(value, "id") ? undefined : { kind: "notification", method, params, value };
}

/** Returns a successful answer to a request. */
export function resultOf(id: Id, result: Fields): Fields {
  return { jsonrpc: "2.0", id, result };
}

/** Returns an error answer to a request; the id is `null` if the request is unknown. */
export function errorOf(id: Id | null, code: number, message: string): Fields {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Returns a tool's result that reports a failure, which the model reads and can react to. */
export function failedCall(text: string): Fields {
  return { content: [{ type: "text", text }], isError: true };
}

/** Returns the map key of a request id: `1` and `"1"` differ. */
export function keyOf(id: Id): string {
  return `${typeof id === "string" ? "s" : "n"}${id}`;
}
