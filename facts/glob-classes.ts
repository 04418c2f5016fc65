import { spendText } from "./meter.ts";

/**
 * What stands in a glob beside its classes, such as `[a-z]`: a text before, between and behind them. A `[` that nothing closes is
 * an ordinary character. A pattern would look for the end of each `[` anew, in the square of a run of them.
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
