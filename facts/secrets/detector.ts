/** How sure a match is: a fixed prefix and length, a known place, or a name and a value that looks random. */
export type Confidence = "high" | "medium" | "low";

/** Text that must follow a keyword, tested before the pattern runs; it never rejects a match of the pattern. */
export type Follows = "assignment" | "userinfo" | "digits";

/** One kind of secret. A row is data: adding one needs no other change than its examples in `examples-*.ts`. */
export interface Detector {
  /** `secrets/<name>` or `pii/<name>`; the redaction token also contains the name. */
  readonly id: string;
  readonly title: string;
  /** RE2. The secret is group 1, at the end of the match apart from a delimiter; a second group matches the `(` of a call. */
  readonly pattern: string;
  /** ASCII texts, written as in the pattern; every match holds at least one of them. */
  readonly keywords: readonly string[];
  readonly confidence: Confidence;
  /** Least Shannon entropy of the secret in bits per character. */
  readonly entropy?: number;
  /**
   * Further test of a value. `value`: it looks like neither code nor a placeholder; `mixed`: it also holds a digit and a letter;
   * `quoted`: it holds brackets or other marks that are neither template nor pattern; `random`: it holds a digit and a letter;
   * `card`, `iban`: the checksum of a card or a bank account.
   */
  readonly checks?: "value" | "mixed" | "quoted" | "random" | "card" | "iban";
  /** Public example values, in lower case; a match that holds one does not count. */
  readonly allow?: readonly string[];
  readonly follows?: Follows;
  /**
   * The value comes right behind an assignment, and the checks reject one that begins like an absolute path, so that the pattern
   * need not run for it.
   */
  readonly noPath?: true;
  /** Own window of a pattern without a bound: a block of an armoured key, else the run of token characters. */
  readonly window?: "block" | "run";
}

/** Returns the name of a detector without its group, as in tokens and messages. */
export function shortId(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}

type Options = Partial<
  Pick<Detector, "confidence" | "entropy" | "checks" | "allow" | "keywords" | "follows" | "window">
>;

/**
 * A row that finds a token by its fixed shape: the whole match is the secret and a word starts there. `prefixes` are
 * its keywords. Example keys have little entropy, so there is a floor.
 */
export function shape(
  name: string,
  title: string,
  prefixes: readonly string[],
  body: string,
  options: Options = {},
): Detector {
  return {
    id: `secrets/${name}`,
    title,
    pattern: `\\b(${body})`,
    keywords: prefixes,
    confidence: "high",
    entropy: 2.5,
    ...options,
  };
}

/** Pattern for the text between a name and its value in configuration, code and headers. No text matches it in two ways. */
export const assigned = `(?:\\\\?["'])?\\]?[ \\t]{0,8}(?:=>|:=|=|:)\\s{0,5}`;

/** The same with the quote that may open the value. */
export const assign = `${assigned}(?:\\\\?["'\`])?`;

/**
 * Makes a row for a key without a shape of its own: before it come a name that tells the issuer, up to 30 further characters of
 * the name and an assignment. `body` is the value's pattern and is followed by a word boundary.
 */
export function named(
  name: string,
  title: string,
  words: readonly string[],
  body: string,
  options: Options & { readonly name?: string } = {},
): Detector {
  const { name: spelled, ...rest } = options;
  const rests = "[\\w.-]{0,30}";
  return {
    id: `secrets/${name}`,
    title,
    pattern: `(?i)(?:${spelled ?? words.join("|")})${rests}${assign}(${body})(?:[^\\w/+=-]|$)`,
    keywords: words,
    confidence: "medium",
    entropy: 3,
    checks: "random",
    follows: "assignment",
    ...rest,
  };
}
