import { spend } from "../meter.ts";

/** Most alternatives that the braces of one pattern may expand to. */
export const maxAlternatives = 256;

/**
 * Braces `{a,b}` expanded, nested ones too; a lone brace or one without comma is itself. Undefined over `maxAlternatives`.
 */
export function expandBraces(pattern: string): string[] | undefined {
  let done: string[] = [];
  let pending = [pattern];
  while (pending.length > 0) {
    const next: string[] = [];
    for (const text of pending) {
      spend(1 + (text.length >> 4));
      const brace = innermost(text);
      if (!brace) done = [...done, text];
      else for (const choice of brace.choices) next.push(text.slice(0, brace.start) + choice + text.slice(brace.end));
    }
    if (done.length + next.length > maxAlternatives) return undefined;
    pending = next;
  }
  return done;
}

/** The first innermost `{…,…}`. */
function innermost(
  text: string,
): { readonly start: number; readonly end: number; readonly choices: readonly string[] } | undefined {
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === "\\") at += 1;
    else if (c === "{") start = at;
    else if (c === "}" && start >= 0) {
      const choices = text.slice(start + 1, at).split(",");
      if (choices.length > 1) return { start, end: at + 1, choices };
      start = -1;
    }
  }
  return undefined;
}
