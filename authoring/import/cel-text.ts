/** Returns text as a string literal of an expression. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Joins conditions that must all hold. */
export function all(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] as string) : parts.map(group).join(" && ");
}

/** Joins conditions of which one must hold. */
export function any(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] as string) : parts.map(group).join(" || ");
}

/** Negates a condition. */
export function not(part: string): string {
  return `!(${part})`;
}

/** Puts a condition in brackets if it has more than one term. */
function group(part: string): string {
  return / (?:&&|\|\|) /.test(part) ? `(${part})` : part;
}

/** Escapes text for a literal match in a regular expression. */
export function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
