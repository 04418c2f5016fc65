/** A terminal sequence in a text. */
export interface Sequence {
  /** Offset behind it. */
  readonly end: number;
  /** Name of the sequence, e.g. `CSI 31m` or `OSC 8;;https://example.com/`. */
  readonly name: string;
}

/** Characters of a sequence's content that are shown. */
const shown = 80;

/** Introducers of one character (C1) by the second character of their two-character form. */
const introducers: ReadonlyMap<number, string> = new Map([
  [0x90, "P"],
  [0x98, "X"],
  [0x9b, "["],
  [0x9d, "]"],
  [0x9e, "^"],
  [0x9f, "_"],
]);

const strings: ReadonlyMap<string, string> = new Map([
  ["]", "OSC"],
  ["P", "DCS"],
  ["X", "SOS"],
  ["^", "PM"],
  ["_", "APC"],
]);

/**
 * Returns the terminal sequence that begins with the escape or C1 character at an offset. An unfinished sequence is its
 * introducer alone, so that no text after it is removed. The search for the end stops at the next introducer, so all sequences of
 * a text take linear time. Source: ECMA-48; xterm's control sequences (OSC 8).
 */
export function sequenceAt(text: string, at: number): Sequence {
  const code = text.charCodeAt(at);
  const second = code === 0x1b ? text[at + 1] : introducers.get(code);
  const body = code === 0x1b ? at + 2 : at + 1;
  if (second === "[") return control(text, body);
  const kind = second === undefined ? undefined : strings.get(second);
  if (kind !== undefined) return controlString(text, body, kind);
  if (code !== 0x1b) return { end: at + 1, name: `C1 ${code.toString(16).toUpperCase()}` };
  return plain(text, at + 1);
}

/** Parameters, intermediates and a final character. */
function control(text: string, from: number): Sequence {
  let at = from;
  while (between(text, at, 0x30, 0x3f)) at += 1;
  while (between(text, at, 0x20, 0x2f)) at += 1;
  if (!between(text, at, 0x40, 0x7e)) return { end: from, name: "CSI" };
  return { end: at + 1, name: `CSI ${cut(text.slice(from, at + 1))}` };
}

/** Anything up to the string terminator or, as terminals have it, a bell. */
function controlString(text: string, from: number, kind: string): Sequence {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const bell = code === 0x07 || code === 0x9c;
    if (bell || (code === 0x1b && text[at + 1] === "\\"))
      return { end: at + (bell ? 1 : 2), name: `${kind} ${cut(text.slice(from, at))}` };
    if (code === 0x0a || code === 0x1b || code === 0x18 || code === 0x1a || (code >= 0x80 && code < 0xa0)) break;
  }
  return { end: from, name: kind };
}

/** Intermediates and a final character, e.g. the choice of a character set. */
function plain(text: string, from: number): Sequence {
  let at = from;
  while (between(text, at, 0x20, 0x2f)) at += 1;
  if (!between(text, at, 0x30, 0x7e)) return { end: from, name: "ESC" };
  return { end: at + 1, name: `ESC ${text.slice(from, at + 1).trim()}` };
}

function between(text: string, at: number, low: number, high: number): boolean {
  const code = text.charCodeAt(at);
  return code >= low && code <= high;
}

function cut(inside: string): string {
  return inside.length > shown ? `${inside.slice(0, shown)}…` : inside;
}
