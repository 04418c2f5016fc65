import { spend } from "../meter.ts";

/** A start tag of HTML. */
export interface Tag {
  /** Lower case. */
  readonly name: string;
  /** Offset behind it. */
  readonly end: number;
  /** Values by name in lower case, as written; the first of a name counts. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Counts the characters that reading takes, so that no text takes more than a few times its length. */
export class Steps {
  #left: number;
  constructor(length: number) {
    this.#left = 16 * length + 4_096;
  }
  take(steps: number): void {
    this.#left -= steps;
    spend(1 + (steps >> 3));
  }
  get over(): boolean {
    return this.#left < 0;
  }
}

/** True for a letter, as at the beginning of a tag's name. */
export function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 0x20;
  return code >= 0x61 && code <= 0x7a;
}

/**
 * Returns the start tag whose `<` is at an offset; undefined if none begins there, or it does not end. Quotes hide `>` as they
 * do in a browser. Source: HTML standard, "Tokenization".
 */
export function tagAt(text: string, at: number, steps: Steps): Tag | undefined {
  let end = at + 1;
  if (!isLetter(text, end)) return undefined;
  while (end < text.length && !isBlank(text, end) && text[end] !== "/" && text[end] !== ">") {
    if (text[end] === "<") return undefined;
    end += 1;
  }
  const name = text.slice(at + 1, Math.min(end, at + 65)).toLowerCase();
  const attributes = new Map<string, string>();
  const reader = { text, at: end };
  while (reader.at < text.length) {
    const c = text[reader.at] as string;
    if (c === ">") {
      steps.take(reader.at - at);
      return { name, end: reader.at + 1, attributes };
    }
    if (isBlank(text, reader.at) || c === "/") reader.at += 1;
    else if (c === "<" || steps.over) break;
    else attribute(reader, attributes);
  }
  steps.take(reader.at - at);
  return undefined;
}

interface Reader {
  readonly text: string;
  at: number;
}

function attribute(reader: Reader, attributes: Map<string, string>): void {
  const { text } = reader;
  const start = reader.at;
  reader.at += 1;
  while (reader.at < text.length && !/[\s=/><]/.test(text[reader.at] as string)) reader.at += 1;
  const name = text.slice(start, Math.min(reader.at, start + 64)).toLowerCase();
  while (isBlank(text, reader.at)) reader.at += 1;
  const value = text[reader.at] === "=" ? attributeValue(reader) : "";
  if (!attributes.has(name)) attributes.set(name, value);
}

function attributeValue(reader: Reader): string {
  const { text } = reader;
  reader.at += 1;
  while (isBlank(text, reader.at)) reader.at += 1;
  const quote = text[reader.at];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, reader.at + 1);
    const end = close < 0 ? text.length : close;
    const value = text.slice(reader.at + 1, end);
    reader.at = Math.min(end + 1, text.length);
    return value;
  }
  const start = reader.at;
  while (reader.at < text.length && !isBlank(text, reader.at) && text[reader.at] !== ">") reader.at += 1;
  return text.slice(start, reader.at);
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
