import type { Detector } from "./detector.ts";
import { automatonOf, KeywordAutomaton } from "./keywords.ts";
import type { KnownForm } from "./known.ts";
import type { Selection } from "./selection.ts";
import { type PackedStarts, packedNumbers, WordStarts } from "./word-starts.ts";

/** Owner of a keyword: a row, with the keyword's exact spelling, or a form of a known value. */
export interface Use {
  readonly row: number;
  readonly exact: string | undefined;
  readonly length: number;
  readonly form: KnownForm | undefined;
}

/** The keywords of detectors and of known values, in lower case, with their owners. A word is a number. */
export interface WordIndex {
  readonly automaton: KeywordAutomaton;
  /** Number of a word's owners. */
  count(word: number): number;
  /** True for a word that counts only where a value is assigned to it. */
  isName(word: number): boolean;
  uses(word: number): readonly Use[];
}

/** The index of one selection as texts, for a build that makes it once. */
export interface PackedWords {
  /** `key` of the selection. */
  readonly key: string;
  readonly starts: PackedStarts;
  /** The rows that own the words, word by word, and the end of each word's rows. */
  readonly rows: string;
  readonly ends: string;
  /** By word: 1 for a name. */
  readonly names: string;
}

/** Makes the texts of a selection's index. */
export function packWords(selection: Selection): PackedWords {
  const index = new ListedIndex(selection.rows, []);
  const rows: number[] = [];
  const ends: number[] = [];
  for (let word = 0; word < index.words.length; word++) {
    rows.push(...index.uses(word).map(({ row }) => row));
    ends.push(rows.length);
  }
  return {
    key: selection.key ?? "",
    starts: WordStarts.of(index.words).packed(),
    rows: packedNumbers(rows),
    ends: packedNumbers(ends),
    names: index.words.map((_, word) => (index.isName(word) ? "1" : "0")).join(""),
  };
}

/** An index that is made from its rows. */
export class ListedIndex implements WordIndex {
  readonly words: readonly string[];
  readonly automaton: KeywordAutomaton;
  readonly #uses: readonly (readonly Use[])[];
  readonly #names: readonly boolean[];

  constructor(rows: readonly Detector[], forms: readonly KnownForm[]) {
    const uses = new Map<string, Use[]>();
    rows.forEach((detector, row) => {
      for (const keyword of detector.keywords) add(uses, keyword, useOf(detector, row, keyword));
    });
    for (const form of forms) add(uses, form.word, { row: -1, exact: undefined, length: form.word.length, form });
    this.words = [...uses.keys()];
    // Values that must not be seen are remembered nowhere else.
    this.automaton = forms.length > 0 ? new KeywordAutomaton(this.words) : automatonOf(this.words);
    this.#uses = [...uses.values()];
    this.#names = this.#uses.map((owners) =>
      owners.every(({ row, exact, form }) => {
        return exact === undefined && form === undefined && (rows[row] as Detector).follows === "assignment";
      }),
    );
  }

  count(word: number): number {
    return this.uses(word).length;
  }

  isName(word: number): boolean {
    return this.#names[word] as boolean;
  }

  uses(word: number): readonly Use[] {
    return this.#uses[word] as readonly Use[];
  }
}

/** Returns a row as the owner of its keyword. */
export function useOf({ pattern }: Detector, row: number, keyword: string): Use {
  const exact = pattern.startsWith("(?i") ? undefined : keyword;
  return { row, exact, length: keyword.length, form: undefined };
}

function add(words: Map<string, Use[]>, word: string, one: Use): void {
  const known = words.get(folded(word));
  if (known) known.push(one);
  else words.set(folded(word), [one]);
}

/** Returns ASCII letters in lower case. Most words have no upper case, and to see that is sooner done than to replace it. */
export function folded(word: string): string {
  return word === word.toLowerCase() ? word : word.replace(/[A-Z]/g, (c) => c.toLowerCase());
}
