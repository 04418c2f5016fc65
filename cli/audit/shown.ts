import { showText } from "../../engine/show-text.ts";

/** UTF-16 units of one text that are shown on a line. */
const longest = 400;

/**
 * Text from a record on one line of a terminal: line breaks and tabs are written out, and so is every character that
 * cannot be seen, moves the cursor or reorders text (`showText`). Long text is cut.
 */
export function shownLine(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
  return showText(cut.replaceAll("\n", "\\n").replaceAll("\t", "\\t"));
}
