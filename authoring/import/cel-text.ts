/** Text as a string literal of an expression. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Conditions that must all hold. */
export function all(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] as string) : parts.map(group).join(" && ");
}

/** Conditions of which one must hold. */
export function any(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] as string) : parts.map(group).join(" || ");
}

/** A condition turned round. */
export function not(part: string): string {
  return `!(${part})`;
}

/** A condition in brackets where it is more than one term. */
function group(part: string): string {
  return / (?:&&|\|\|) /.test(part) ? `(${part})` : part;
}

/** Text as a part of a regular expression that stands for itself. */
export function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
