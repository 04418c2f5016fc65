import type { Interpolation, Quote } from "./lexicon.ts";

/** A part of a text: constant, or code whose value is inserted. */
export type Piece = string | { readonly code: string };

/** Returns the offset of the closing mark from `from` on; the end if there is none. */
export function scanTo(code: string, from: number, close: string, escapes: boolean): number {
  for (let i = from; i < code.length; i++) {
    if (escapes && code[i] === "\\") i += 1;
    else if (code.startsWith(close, i)) return i;
  }
  return code.length;
}

/** Returns the offset of a quote's closing mark; interpolated code may contain quotes too. */
export function quoteEnd(code: string, from: number, quote: Quote): number {
  const open = quote.interpolation === "php" ? "{$" : quote.interpolation === "perl" ? undefined : quote.interpolation;
  if (open === undefined) return scanTo(code, from, quote.close, quote.escapes !== "none");
  for (let i = from; i < code.length; i++) {
    if (code[i] === "\\") i += 1;
    else if (code.startsWith(quote.close, i)) return i;
    else if (open === "{" && code.startsWith("{{", i)) i += 1;
    else if (code.startsWith(open, i)) i = codeEnd(code, i + open.length);
  }
  return code.length;
}

const partners: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
]);

/** Returns the offset of the closing delimiter; brackets nest. */
export function closing(code: string, from: number, open: string): number {
  const close = partners.get(open) ?? open;
  let depth = 1;
  for (let i = from; i < code.length; i++) {
    const character = code[i];
    if (character === "\\") i += 1;
    else if (character === close) {
      depth -= 1;
      if (depth === 0) return i;
    } else if (character === open) depth += 1;
  }
  return code.length;
}

/** Returns the offset after the brace that ends interpolated code; texts inside it are skipped. */
function codeEnd(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    const character = text[i] as string;
    if (character === '"' || character === "'" || character === "`") i = scanTo(text, i + 1, character, true);
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return text.length;
}

/** Splits the inside of a quoted text into constants and code, escapes resolved. */
export function piecesOf(
  text: string,
  escapes: Quote["escapes"],
  close: string,
  interpolation: Interpolation | undefined,
): readonly Piece[] {
  if (interpolation === undefined && (escapes === "none" || !text.includes("\\"))) return [text];
  const pieces: Piece[] = [];
  let constant = "";
  let at = 0;
  const code = (found: Interpolated): void => {
    pieces.push(constant, { code: found.code });
    constant = "";
    at = found.end;
  };
  while (at < text.length) {
    const character = text[at] as string;
    const found = interpolation && interpolated(text, at, interpolation);
    if (character === "\\" && escapes !== "none") {
      const escape = escapes === "c" ? escaped(text, at + 1) : kept(text, at + 1, close);
      constant += escape.text;
      at = escape.end;
    } else if (interpolation === "{" && (text.startsWith("{{", at) || text.startsWith("}}", at))) {
      constant += character;
      at += 2;
    } else if (found) {
      code(found);
    } else {
      constant += character;
      at += 1;
    }
  }
  pieces.push(constant);
  return pieces;
}

interface Interpolated {
  readonly code: string;
  readonly end: number;
}

function interpolated(text: string, at: number, kind: Interpolation): Interpolated | undefined {
  if (kind === "perl" || kind === "php") return variable(text, at, kind);
  if (!text.startsWith(kind, at)) return undefined;
  const from = at + kind.length;
  const end = codeEnd(text, from);
  const code = text.slice(from, end);
  return { code: kind === "{" ? code.replace(/(?:![rsa])?(?::[^:'"()[\]]{0,64})?$/, "") : code, end: end + 1 };
}

const variablePattern = /^(?:[$@]\w+|\$[&!$@])(?:(?:->)?(?:\[[^\][]{0,64}\]|\{[^{}]{0,64}\}))*/;
const phpPattern = /^\$\w+(?:->\w+|\[[^\][]{0,64}\])?/;

/** `$name`, `${name}`, `@{[ code ]}`, `{$code}`. */
function variable(text: string, at: number, kind: "perl" | "php"): Interpolated | undefined {
  const character = text[at];
  if (character !== "$" && !(character === "@" && kind === "perl") && !(character === "{" && kind === "php"))
    return undefined;
  const braced = kind === "php" && character === "{" ? text[at + 1] === "$" : text[at + 1] === "{";
  if (braced) {
    const from = at + (character === "{" ? 1 : 2);
    const end = codeEnd(text, from);
    const code = text.slice(from, end);
    return { code: /^\w+$/.test(code) ? `$${code}` : code, end: end + 1 };
  }
  const found = (kind === "php" ? phpPattern : variablePattern).exec(text.slice(at, at + 512))?.[0];
  return found === undefined ? undefined : { code: found, end: at + found.length };
}

const simple: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["v", "\v"],
  ["f", "\f"],
  ["b", "\b"],
  ["a", "\u0007"],
  ["e", "\u001b"],
  ["\n", ""],
]);

const escapePattern =
  /^(?:x\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{1,2})|u\{([0-9a-fA-F]{1,8})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/;

function escaped(text: string, at: number): { readonly text: string; readonly end: number } {
  const character = text[at];
  if (character === undefined) return { text: "\\", end: at };
  const found = escapePattern.exec(text.slice(at, at + 12));
  if (found) {
    const hex = found[1] ?? found[2] ?? found[3] ?? found[4] ?? found[5];
    const point = hex === undefined ? Number.parseInt(found[6] as string, 8) : Number.parseInt(hex, 16);
    return { text: point <= 0x10ffff ? String.fromCodePoint(point) : "", end: at + found[0].length };
  }
  // A character by its name is not looked up.
  if (character === "N") return { text: "\uFDD0", end: at + 1 };
  return { text: simple.get(character) ?? character, end: at + 1 };
}

function kept(text: string, at: number, close: string): { readonly text: string; readonly end: number } {
  const character = text[at] ?? "";
  const escape = character === "\\" || character === close || close === "";
  return { text: escape ? character : `\\${character}`, end: at + 1 };
}
