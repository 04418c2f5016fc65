import type { Pseudonym } from "./ports.ts";

/**
 * An id that proves itself: `id` followed by so many hex digits that only who has the session's key can work out. So
 * what we wrote can be told from what content made up, without remembering what was written. Undefined without a key.
 */
export function sealId(kind: string, id: string, proof: number, pseudonym: Pseudonym): string | undefined {
  const made = pseudonym(`proof\0${kind}\0${id}`);
  return made === undefined ? undefined : id + made.slice(0, proof);
}

/** True for an id of this kind that was sealed with the session's key. */
export function isSealed(kind: string, sealed: string, proof: number, pseudonym: Pseudonym): boolean {
  return sealId(kind, sealed.slice(0, -proof), proof, pseudonym) === sealed;
}

/** Hex digits of a boundary of injected text, and how many of them prove it. */
export const boundaryDigits = { all: 16, proof: 4 } as const;
