/** How sure a match is: a fixed prefix and length, a known place, or a name and a value that looks random. */
export type Confidence = "high" | "medium" | "low";

/**
 * One kind of secret. The secret is group 1 of the pattern. A row is data: adding one needs no other change than its
 * examples in `examples.ts`.
 */
export interface Detector {
  /** `secrets/<name>`; the name also stands in the redaction token. */
  readonly id: string;
  readonly title: string;
  /** RE2. Repeats are bounded where the format is, so that a match stays short. */
  readonly pattern: string;
  /** Lower-case ASCII texts of which at least one lies inside every match; the pattern runs only if one is there. */
  readonly keywords: readonly string[];
  /** Longest match in UTF-16 units; 0 when the format has no bound. */
  readonly maxLength: number;
  readonly confidence: Confidence;
  /** Least Shannon entropy of the secret in bits per character. */
  readonly entropy?: number;
  /** What a name-and-value match needs besides: `value` that it looks like no code and no placeholder, `mixed` a digit too. */
  readonly checks?: "value" | "mixed";
}

/** The name of a detector without its group, as it stands in tokens and messages. */
export function shortId(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

/** Shorthand for rows that find a token by its fixed shape: the whole match is the secret, a word starts there. */
export function shape(
  name: string,
  title: string,
  keywords: readonly string[],
  body: string,
  maxLength: number,
): Detector {
  return { id: `secrets/${name}`, title, pattern: `\\b(${body})`, keywords, maxLength, confidence: "high" };
}
