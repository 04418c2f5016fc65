import { spendText } from "./meter.ts";

/**
 * Lists the pieces of a glob outside its character classes (`[a-z]`): before, between and after them. An unclosed `[` is an
 * ordinary character. A regular expression would search for the end of each `[` anew, in quadratic time for a run of them.
 */
export function besideClasses(glob: string): readonly string[] {
  spendText(glob.length);
  const pieces: string[] = [];
  let from = 0;
  for (let open = glob.indexOf("["); open >= 0; open = glob.indexOf("[", from)) {
    const close = glob.indexOf("]", open + 1);
    if (close < 0) break;
    pieces.push(glob.slice(from, open));
    from = close + 1;
  }
  pieces.push(glob.slice(from));
  return pieces;
}
