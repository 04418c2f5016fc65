import { showText } from "../../engine/show-text.ts";

/** Maximum UTF-16 units of one text on a line. */
const longest = 400;

/**
 * Returns text from a record as one line for a terminal. Line breaks and tabs are escaped, and so is every character that is
 * invisible, moves the cursor or reorders text (`showText`). Long text is cut.
 */
export function shownLine(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
  return showText(cut.replaceAll("\n", "\\n").replaceAll("\t", "\\t"));
}
