import { spendText } from "../meter.ts";

/** Looks once at a text that nothing closes: the quotes behind it are parts of it. */
const quoted = /"((?:[^"\\]|\\.)*)("?)/g;

/** Returns the texts between double quotes, as they are written: a backslash stays before what it escapes. Linear. */
export function quotedTexts(text: string): string[] {
  spendText(text.length);
  return [...text.matchAll(quoted)].flatMap(([, inside = "", end]) => (end === '"' ? [inside] : []));
}
