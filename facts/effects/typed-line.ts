import { spend, spendText } from "../meter.ts";

/** Names of keys that type a character, or that change the line that is typed; every other name types none. */
const keys: Readonly<Record<string, string>> = {
  enter: "\n",
  return: "\n",
  kp_enter: "\n",
  "c-m": "\n",
  "c-j": "\n",
  space: " ",
  tab: "\t",
  slash: "/",
  minus: "-",
  period: ".",
  underscore: "_",
  bspace: "\x7f",
  backspace: "\x7f",
  "c-h": "\x7f",
  "c-w": "\x17",
  "c-u": "\x15",
  "c-c": "\x03",
};
const keyName =
  /^(?:[CMSA]-.*|\^.|F\d{1,2}|Up|Down|Left|Right|Home|End|PgUp|PgDn|PageUp|PageDown|Delete|Escape|Esc|(?:ctrl|alt|shift|super|meta)\+.*)$/i;

/** The text that a key types, by its name; a text that names no key is typed as it is. */
export function keyed(text: string): string {
  const name = text.toLowerCase().replace(/^(?:ctrl\+|\^)(?=.$)/, "c-");
  if (Object.hasOwn(keys, name)) return keys[name] as string;
  return keyName.test(text.slice(0, 64)) ? "" : text;
}

/** The text that a list of keys types. */
export function keysTyped(list: readonly string[]): string {
  spend(2 * list.length);
  return list.map(keyed).join("");
}

/** Returns the keys of a text that names them one by one; undefined if the text has longer words. */
export function keysOf(text: string): readonly string[] | undefined {
  const words = text.trim().split(/[ \t]+/);
  if (words.length < 3) return undefined;
  return words.every((word) => word.length === 1 || keyed(word) !== word) ? words : undefined;
}

/**
 * Returns the text that a terminal submits for typed keys. Erased letters and words are dropped, and so are lines that are
 * restarted or cancelled. Bracketed-paste and colour sequences type nothing.
 */
export function typedLine(text: string): string {
  if (!hasControl(text)) return text;
  spendText(4 * text.length);
  const plain = text.replace(sequences, "");
  const typed: string[] = [];
  // Start of the line that is being typed.
  let start = 0;
  for (const sign of plain) {
    if (sign === "\x7f" || sign === "\b") typed.length = Math.max(start, typed.length - 1);
    else if (sign === "\x15" || sign === "\x03" || sign === "\x1a") typed.length = start;
    else if (sign === "\x17") typed.length = wordStart(typed, start);
    else if (sign === "\n" || sign === "\t" || sign >= " ") typed.push(sign);
    if (sign === "\n") start = typed.length;
  }
  return typed.join("");
}

const escape = "\u001b";
const sequences = new RegExp(`${escape}(?:\\[[0-9;?]*[A-Za-z~]|[()][A-Z0-9]|[=>])`, "g");

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 127 || (code < 32 && code !== 9 && code !== 10)) return true;
  }
  return false;
}

/** Returns the beginning of the last word of a line. */
function wordStart(typed: readonly string[], start: number): number {
  let end = typed.length;
  while (end > start && /\s/.test(typed[end - 1] as string)) end -= 1;
  while (end > start && !/\s/.test(typed[end - 1] as string)) end -= 1;
  return end;
}
