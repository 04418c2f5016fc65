import { type CodeRanges, inCodeRanges, unpackRanges } from "./ranges.ts";
import { unsettledRanges } from "./unsettled.data.ts";

/**
 * Version of composition: the Unicode version up to which the platform's NFC and IDNA mapping are used. By Unicode's stability
 * policy they never change for characters that a version assigns, so that every runtime whose data is at least this old gives
 * the same bytes; text with newer characters is left as it is (decision 0004).
 */
export const compositionVersion = "unicode-15.0";

let unsettled: CodeRanges | undefined;

/** True if the text has only characters whose composition is the same on every supported runtime. */
export function isSettled(text: string): boolean {
  if (/^[\x00-\x7f]*$/.test(text)) return true;
  unsettled ??= unpackRanges(unsettledRanges);
  for (const c of text) if (c > "\x7f" && inCodeRanges(c.codePointAt(0) as number, unsettled)) return false;
  return true;
}

/** Most marks on one letter that are composed; file names cannot have more, and the platform takes time in the square of their number. */
const longestRun = 256;

/** True if no letter of the text has too many marks. */
function hasShortRuns(text: string): boolean {
  let run = 0;
  if (text.length > longestRun)
    for (const c of text) {
      run = c > "\u02ff" && /\p{M}/u.test(c) ? run + 1 : 0;
      if (run > longestRun) return false;
    }
  return true;
}

/** Returns the text in normal form C; unchanged if that depends on the runtime or a letter has over 256 marks. Idempotent. */
export function composed(text: string): string {
  return isSettled(text) && hasShortRuns(text) ? text.normalize("NFC") : text;
}

/** Returns the text in normal form D; unchanged if that depends on the runtime or a letter has over 256 marks. */
export function decomposed(text: string): string {
  return isSettled(text) && hasShortRuns(text) ? text.normalize("NFD") : text;
}
