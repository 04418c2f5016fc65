import { spendText } from "../meter.ts";

/** Returns the text without a final run of certain characters. A pattern would search for the end after every such run. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end -= 1;
  spendText(text.length - end);
  return end === text.length ? text : text.slice(0, end);
}
