import type { RegexEngine } from "../../schema/ports.ts";
import type { Field, GitleaksAllowlist } from "./gitleaks-config.ts";

/** Place of the secret in a pattern's match: the whole match, a group of it, or unknown. */
export type SecretPlace = "match" | "group" | "unknown";

/** A part of an allow-list that a pattern cannot express. */
export interface LeftException {
  /** Field of the allow-list; undefined for the list itself. */
  readonly field: Field | undefined;
  readonly reason: string;
  readonly effect: "finds_more" | "none";
  /** True if only this rule cannot express it. */
  readonly own: boolean;
}

/** An allow-list as exceptions of a pattern (RE2, over the secret), and the parts left out. */
export interface Exceptions {
  readonly patterns: readonly string[];
  readonly left: readonly LeftException[];
}

/** Names of the parts that allow something. */
const partNames = ["regexes", "stopwords", "paths", "commits"] as const;
type Part = (typeof partNames)[number];

const elsewhere: Readonly<Partial<Record<Part, readonly [string, LeftException["effect"]]>>> = {
  paths: ["text does not say which file it comes from: these files are redacted too", "finds_more"],
  commits: ["there are no commits in what an agent reads", "none"],
};

/** Approximate length of patterns into which words are joined, in characters. */
const joinedLength = 1_500;

/**
 * Carries one allow-list over to the pattern of a rule. Expressions and words about the secret become exceptions. Those
 * about a line, a file or a commit cannot. A list whose parts must all hold at once is left out whole.
 */
export function exceptionsOf(list: GitleaksAllowlist, place: SecretPlace, regex: RegexEngine): Exceptions {
  const parts = partNames.flatMap((name) => {
    const field = list.fields.get(name);
    const values = field ? listOf(field).filter((value) => value !== "") : [];
    return field && values.length > 0 ? [{ name, field, values }] : [];
  });
  if (parts.length === 0)
    return {
      patterns: [],
      left: [{ field: undefined, reason: "it lets nothing through", effect: "none", own: false }],
    };
  const all = parts.length > 1 && /^(?:and|&&)$/i.test(textOf(list, "condition"));
  const patterns: string[] = [];
  const left: LeftException[] = [];
  for (const { name, field, values } of parts) {
    const leave = (reason: string, effect: LeftException["effect"] = "finds_more", own = false): void =>
      void left.push({ field, reason, effect, own });
    const other = elsewhere[name];
    if (all) leave("all parts of the list must hold at once, which exceptions cannot say");
    else if (other) leave(...other);
    else if (name === "stopwords" && place === "unknown") leave(...untold);
    else if (name === "stopwords") patterns.push(...stopwords(values));
    else patterns.push(...expressions(values, textOf(list, "regexTarget"), place, regex, leave));
  }
  return { patterns, left };
}

const untold = [
  "the secret cannot be told from the rest of the match: all matches are redacted",
  "finds_more",
  true,
] as const;

type Leave = (reason: string, effect?: LeftException["effect"], own?: boolean) => void;

function expressions(
  values: readonly string[],
  target: string,
  place: SecretPlace,
  regex: RegexEngine,
  leave: Leave,
): readonly string[] {
  if (target === "line") {
    leave("`regexTarget` line: exceptions look at the secret alone");
    return [];
  }
  if (target === "match" && place === "group") {
    leave("`regexTarget` match: exceptions look at the secret, which is a part of the match", "finds_more", true);
    return [];
  }
  if (target !== "match" && place === "unknown") {
    leave(...untold);
    return [];
  }
  return values.filter((value) => {
    const compiled = regex.compile(value);
    if ("kind" in compiled) leave(`refused: ${compiled.message}`);
    return !("kind" in compiled);
  });
}

/** Returns patterns for words in any letter case and position. */
function stopwords(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const word of words) {
    const literal = word.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
    const last = joined.at(-1);
    if (last !== undefined && last.length + literal.length < joinedLength)
      joined[joined.length - 1] = `${last}|${literal}`;
    else joined.push(literal);
  }
  return joined.map((alternatives) => `(?i)(?:${alternatives})`);
}

/** Returns a field's texts; a single text is a list of one. */
export function listOf(field: Field | undefined): readonly string[] {
  if (typeof field?.value === "string") return [field.value];
  return Array.isArray(field?.value) ? (field.value as readonly string[]) : [];
}

function textOf({ fields }: GitleaksAllowlist, name: string): string {
  const value = fields.get(name)?.value;
  return typeof value === "string" ? value : "";
}
