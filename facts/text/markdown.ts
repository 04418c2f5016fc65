import type { Steps } from "./html-tag.ts";

/** Markup found at an offset: its end, and the name to report. */
export interface Found {
  readonly end: number;
  readonly what: string;
}

/** Longest text of an image, and longest head of a `data:` address. */
const longest = 512;

/** Finds a Markdown image at an offset whose address has a query; loading it sends the query to its host. */
export function queryImage(text: string, at: number, steps: Steps): Found | undefined {
  if (text[at + 1] !== "[") return undefined;
  const close = closing(text, at + 2);
  steps.take(close < 0 ? longest : close - at);
  if (close < 0 || text[close + 1] !== "(") return undefined;
  const part = text.slice(close + 2, close + 2 + 8_192);
  const end = /[)\n]/.exec(part)?.index ?? part.length;
  steps.take(end);
  const address = part.slice(0, end);
  if (!/^\s{0,8}<?(?:[a-z][a-z0-9+.-]{0,20}:)?\/\/[^\s?#]{0,2048}[?#][^\s]/i.test(address)) return undefined;
  return { end: close + 2 + end + (part[end] === ")" ? 1 : 0), what: "image with data in its address" };
}

/** The bracket that closes the text of an image, brackets inside counted. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < Math.min(text.length, from + longest); at++) {
    const c = text[at];
    if (c === "\\") at += 1;
    else if (c === "[") depth += 1;
    else if (c === "]" && --depth === 0) return at;
  }
  return -1;
}

/** Finds a Markdown definition that cannot be referred to and serves as a comment: `[//]: # (text)`. */
export function commentDefinition(text: string, at: number): Found | undefined {
  const indent = text.slice(Math.max(0, at - 4), at);
  if (!/(?:^|\n) {0,3}$/.test(at > 4 ? indent : `\n${indent}`)) return undefined;
  const label = text.slice(at, at + longest).indexOf("]:");
  if (label < 0 || text.slice(at, at + label).includes("\n")) return undefined;
  const line = text.indexOf("\n", at);
  const end = line < 0 ? text.length : line;
  const rest = text.slice(at + label + 2, end).trimStart();
  return /^(?:#|<#?>|\/\/|about:blank)\s{1,8}["'(]/.test(rest) ? { end, what: "comment" } : undefined;
}

/** Finds a `data:` address that begins at an offset and ends before `limit`; it contains a document that no link shows. */
export function dataAddress(text: string, at: number, limit: number): Found | undefined {
  if (!/^data:/i.test(text.slice(at, at + 5)) || /[\w.-]/.test(text[at - 1] ?? "")) return undefined;
  const head = /^([\w.+-]{1,64}\/[\w.+-]{1,64})?(?:;[\w.+-]{1,64}(?:=[\w.+%"-]{1,64})?){0,4},/.exec(
    text.slice(at + 5, Math.min(limit, at + longest)),
  );
  // Without a type or an encoding it is a word and a comma.
  if (!head || head[0] === ",") return undefined;
  let end = at + 5 + head[0].length;
  while (end < limit && !/[\s"'<>()`\\]/.test(text[end] as string)) end += 1;
  return { end, what: `data address${head[1] === undefined ? "" : ` of ${head[1].toLowerCase()}`}` };
}
