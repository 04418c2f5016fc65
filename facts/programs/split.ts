import { spend } from "../meter.ts";

/** Program whose quoting rules a text follows: `xargs` for its input, or `env -S` for its argument. */
export type Quoting = "xargs" | "env";

const envEscapes: ReadonlyMap<string, string> = new Map([
  ["_", " "],
  ["t", "\t"],
  ["n", "\n"],
  ["r", "\r"],
  ["f", "\f"],
  ["v", "\v"],
]);

/** Splits a text as programs do: at blanks, except in quotes and after a backslash. Source: xargs(1), env(1) of GNU coreutils. */
export function splitQuoted(text: string, quoting: Quoting): string[] {
  const words: string[] = [];
  spend(1 + (text.length >> 2));
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    const next = text[at + 1];
    if (character === "\\" && next !== undefined && escapes(quote, next, quoting)) {
      if (quoting === "env" && next === "c") break;
      word = (word ?? "") + (quoting === "env" && quote !== "'" ? (envEscapes.get(next) ?? next) : next);
      at += 1;
    } else if (quote !== "") {
      if (character === quote) quote = "";
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quoting === "env" && character === "#" && word === undefined) break;
    else word = (word ?? "") + character;
  }
  return word === undefined ? words : [...words, word];
}

/** True if a backslash before this character is an escape. */
function escapes(quote: string, next: string, quoting: Quoting): boolean {
  if (quoting === "xargs") return quote === "";
  return quote !== "'" || next === "'" || next === "\\";
}

/** Items of a text between delimiters; the last delimiter ends the last item. */
export function splitAt(text: string, delimiter: string): string[] {
  const items = text.split(delimiter);
  return items.at(-1) === "" ? items.slice(0, -1) : items;
}
