/** Signs that word processors and other keyboards write in the place of plain ones. */
const others: ReadonlyMap<string, string> = new Map([
  ...[..."\u00a0\u2007\u202f\u3000"].map((c) => [c, " "] as const),
  ...[..."：﹕"].map((c) => [c, ":"] as const),
  ...[..."“”„‟＂"].map((c) => [c, '"'] as const),
  ...[..."‘’‚‛＇"].map((c) => [c, "'"] as const),
  ...[..."‐‑‒–—―−－"].map((c) => [c, "-"] as const),
  ...[..."аеорсухіјѕһԁ"].map((c, i) => [c, "aeopcyxijshd"[i] as string] as const),
  ...[..."οαε"].map((c, i) => [c, "oae"[i] as string] as const),
]);

/** Returns the first sign of a text that only looks like a plain one, with a sentence on it; undefined if there is none. */
export function oddLetter(text: string): { readonly at: number; readonly said: string } | undefined {
  let at = 0;
  for (const letter of text.slice(0, 1_000)) {
    const plain = others.get(letter);
    if (plain !== undefined) {
      const number = `U+${(letter.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`;
      return { at, said: `${number} only looks like ${plain === " " ? "a blank" : `\`${plain}\``}: type it anew` };
    }
    at += letter.length;
  }
  return undefined;
}
