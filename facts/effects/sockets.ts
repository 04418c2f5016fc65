import { type Field, literalField } from "../shell/fields.ts";

/** Form of the address of a socket on this machine; connecting to it counts as a write. */
export const isSocket = /^unix:\/{0,2}(?=[/~.])/i;

/** The path of such a socket. */
export function socketField(target: Field | string, text: string): Field {
  const path = text.replace(isSocket, "");
  return typeof target === "string"
    ? literalField(path, { start: -1, end: -1 })
    : { ...target, text: path, verbatim: -1 };
}

/** Decodes percent escapes in a path of an address; returns it unchanged where they are invalid. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
