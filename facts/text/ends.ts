import { spendText } from "../meter.ts";

/** The text without the run of certain characters at its end. A pattern would look for an end behind every run in the text. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end -= 1;
  spendText(text.length - end);
  return end === text.length ? text : text.slice(0, end);
}
