import { limits } from "../../schema/limits.ts";
import type { Problem } from "./syntax.ts";

// Tab and line feed are the only controls that every shell reads alike (threats page, row 16).
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/;

// The parser takes time in the square of the nesting of substitutions, which their number bounds.
const substitutions = 512;

function substitutionsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("${"); at >= 0; at = text.indexOf("${", at + 2)) count += 0.25;
  for (let at = text.indexOf("("); at >= 0; at = text.indexOf("(", at + 1)) {
    const before = text[at - 1];
    if (before === "$" || before === "<" || before === ">") count += 1;
  }
  // Two make one substitution, and prose in quotes holds many of them.
  for (let at = text.indexOf("`"); at >= 0; at = text.indexOf("`", at + 1)) count += 0.25;
  return count;
}

/** Why a text is not even parsed: its length, a control character, or the number of its substitutions. Linear in its length. */
export function overBounds(text: string): Problem | undefined {
  if (text.length > limits.shellLength) return problem("the command is longer than can be analysed", 0);
  const control = controls.exec(text);
  if (control) return problem("the command holds a control character", control.index);
  if (substitutionsIn(text) > substitutions)
    return problem("the command has more substitutions than can be analysed", 0);
  return undefined;
}

/** A text that is not understood, and at which offset. */
export function problem(reason: string, at: number): Problem {
  return { kind: "problem", reason, at };
}
