import { limits } from "../../schema/limits.ts";
import { spend } from "../meter.ts";
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

// The parser looks for each here-document of a line among all of them.
const hereDocuments = 4_096;

function hereDocumentsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("<<"); at >= 0; at = text.indexOf("<<", at + 2)) count += 1;
  return count;
}

// Every level of a brace expansion is expanded anew by the level around it.
const braceDepth = 64;

/** True if braces that are no groups (those have a blank behind them) nest deeper than can be expanded. */
function nestsBraces(text: string): boolean {
  let depth = 0;
  for (let at = text.search(/[{}]/); at >= 0 && at < text.length; at++) {
    if (text[at] === "}") depth = Math.max(0, depth - 1);
    else if (text[at] === "{" && !/\s/.test(text[at + 1] ?? " ")) depth += 1;
    if (depth > braceDepth) return true;
  }
  return false;
}

/**
 * Returns why a text is not even parsed: its length, a control character, or too much nesting or too many substitutions. Linear
 * in its length.
 */
export function overBounds(text: string): Problem | undefined {
  // Includes the cost of parsing the text, since this is its first step.
  spend(4 + Math.min(text.length, limits.shellLength));
  if (text.length > limits.shellLength) return problem("the command is longer than can be analysed", 0);
  const control = controls.exec(text);
  if (control) return problem("the command holds a control character", control.index);
  if (substitutionsIn(text) > substitutions)
    return problem("the command has more substitutions than can be analysed", 0);
  if (hereDocumentsIn(text) > hereDocuments)
    return problem("the command has more here-documents than can be analysed", 0);
  if (nestsBraces(text)) return problem("braces nest deeper than can be analysed", 0);
  return undefined;
}

/** Makes the problem of a text that is not understood, with its offset. */
export function problem(reason: string, at: number): Problem {
  return { kind: "problem", reason, at };
}
