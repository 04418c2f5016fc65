import type { Pseudonym } from "./ports.ts";

/**
 * Returns an id that proves itself: `id` followed by `proof` hex digits that only a holder of the session's key can compute. So
 * ids that the engine wrote differ from ids invented in content, without a list of them. Undefined without a key.
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
