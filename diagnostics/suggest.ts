import { ownWord } from "./other-words.ts";

/**
 * Returns the nearest known name to a mistyped one; undefined if none is near enough. Optimal string alignment distance, case
 * folded; at most a third of the name may differ.
 */
export function suggest(given: string, known: Iterable<string>): string | undefined {
  const wanted = given.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(given.length / 3)) + 1;
  let looked = 0;
  for (const candidate of known) {
    // Every finding looks: a help line must not take longer than what it is about.
    if (++looked > mostLooked) break;
    const d = distance(wanted, candidate.toLowerCase(), bestDistance);
    if (d < bestDistance && hasLikeWords(wanted, candidate.toLowerCase())) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

const mostLooked = 500;

/** False if a word of one name differs much from the word at the same place in the other: `delete_issue` is no slip for `delete_file`. */
function hasLikeWords(given: string, candidate: string): boolean {
  const [words, others] = [wordsOf(given), wordsOf(candidate)];
  if (words.length === 1 || words.length !== others.length) return true;
  return words.every((word, i) => {
    const limit = Math.max(1, Math.floor(word.length / 3)) + 1;
    return distance(word, others[i] as string, limit) < limit;
  });
}

/** Like `didYouMean`, for words of the language itself: another system's word for one of them comes first. */
export function didYouMeanWord(given: string, known: readonly string[]): string {
  const own = ownWord(given, known);
  return own === undefined ? didYouMean(given, known) : `did you mean \`${own}\`?`;
}

/** Returns a help text with a suggestion, otherwise with the known names (at most a dozen). */
export function didYouMean(given: string, known: readonly string[]): string {
  const near = longerForm(given, known) ?? suggest(given, known);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (known.length === 0) return "remove it";
  const alike = related(given, known);
  if (alike.length > 0) return `did you mean ${alike.map((name) => `\`${name}\``).join(" or ")}?`;
  const shown = known.slice(0, 12).map((name) => `\`${name}\``);
  return `known here: ${shown.join(", ")}${known.length > 12 ? ", …" : ""}`;
}

/** Returns the only known name that begins with all of the given one and another word: `delete-outside` of `delete-outside-workspace`. */
function longerForm(given: string, known: readonly string[]): string | undefined {
  if (given.length < 4 || given.length > 100) return undefined;
  const longer = known
    .slice(0, mostLooked)
    .filter((name) => /^[-_./ ]/.test(name.slice(given.length)) && name.startsWith(given));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Returns the known names, six at most, that share most words with the given one: `aws-key` and `secrets/aws-access-key`. */
function related(given: string, known: readonly string[]): readonly string[] {
  if (given.length > 100) return [];
  const words = new Set(wordsOf(given).filter((word) => word.length > 2));
  if (words.size === 0) return [];
  const shared = known.slice(0, mostLooked).map((name) => ({
    name,
    count: wordsOf(name).filter((word) => words.has(word)).length,
  }));
  const most = Math.max(0, ...shared.map(({ count }) => count));
  const nearest = shared.filter(({ count }) => most > 0 && count === most).map(({ name }) => name);
  // A short word tells something where a family of names has it.
  const [only, ...others] = nearest;
  const tells = others.length > 0 || wordsOf(only ?? "").some((word) => word.length > 4 && words.has(word));
  return tells && nearest.length <= 6 ? nearest : [];
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/[^a-z0-9]+/);
}

function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let d = Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, (previous[j - 1] as number) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d = Math.min(d, (before[j - 2] as number) + 1);
      row.push(d);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] as number;
}

/** True for two names that differ by one typing error: one letter added, missing or wrong, or two letters exchanged. */
export function isSlip(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const [a, b] = [one.slice(same), other.slice(same)];
  if (a === b) return false;
  const turned = a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return turned || a.slice(1) === b || a === b.slice(1) || (a.length === b.length && a.slice(1) === b.slice(1));
}

/** Returns an author's text as messages cite it, cut to 100 characters. */
export function shown(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}

/** Most wrong names of one list that are reported. */
export const mostNamesTold = 20;

/** Returns the first of some wrong names, with a text to add to each message: the last one says how many more there are. */
export function firstTold<T>(wrong: readonly T[]): readonly { readonly one: T; readonly more: string }[] {
  const left = wrong.length - mostNamesTold;
  return wrong.slice(0, mostNamesTold).map((one, i) => ({
    one,
    more: left > 0 && i === mostNamesTold - 1 ? `; ${left} more here are wrong too` : "",
  }));
}
