import { spend } from "../meter.ts";
import type { FoldedRedirect, Input, Output } from "./draft.ts";
import { type Atom, literalAtom, unknownAtom } from "./fields.ts";
import { readsSocket } from "./origins.ts";

/** How much of an input the commands walked so far have read: units of its text, or words. */
const positions = new WeakMap<Output, number>();

/** Returns the place where the next reader begins; infinite when that is not known. */
export function position(input: Output): number {
  return positions.get(input) ?? 0;
}

/** Says that an input was read up to a position. */
export function advance(input: Output, to: number): void {
  positions.set(input, to);
}

/** The constant text of an input that is still to be read, or undefined. */
export function remainingText(input: Input): string | undefined {
  const atom = input?.atom;
  if (!input || atom?.kind !== "literal") return undefined;
  const at = position(input);
  return at === Number.POSITIVE_INFINITY ? undefined : at === 0 ? atom.text : atom.text.slice(at);
}

/** Returns the unread words of a listing as values: a word that means all beneath a folder may be any path. */
export function remainingWords(input: Input): readonly Atom[] | undefined {
  if (!input?.words || input.atom?.kind === "literal") return undefined;
  const at = position(input);
  spend(input.words.length >> 3);
  if (at === Number.POSITIVE_INFINITY) return undefined;
  return input.words.slice(at).map((word) => (word.beneath ? unknownAtom : word));
}

/** Returns a copy of an input for one path through the text, or for another reader. */
export function share(input: Input): Input {
  if (!input) return input;
  const copy = { ...input };
  advance(copy, position(input));
  return copy;
}

/** Returns a command's input, given its redirections and the input it would have without them. */
export function inputOf(redirects: readonly FoldedRedirect[], input: Input): Input {
  let result = input;
  spend(redirects.length);
  for (const redirect of redirects) {
    if (redirect.descriptor > 0) continue;
    if (redirect.data) result = { atom: redirect.data };
    else if (redirect.operator === "<" || redirect.operator === "<>") {
      const { content, holds } = redirect.target ?? {};
      const origin = readsSocket(redirect) ? "network" : redirect.target?.origin;
      const atom = holds?.at(-1) ?? (typeof content === "string" ? literalAtom(content) : undefined);
      if (atom) result = { atom: origin ? { ...atom, origin } : atom };
      else result = origin ? { atom: { ...unknownAtom, origin } } : null;
    }
  }
  return result;
}
