import type { Detector } from "./detector.ts";
import { KeywordAutomaton } from "./keywords.ts";
import type { KnownForm } from "./known.ts";
import type { Selection } from "./selection.ts";
import { usualWords } from "./usual-words.ts";
import { folded, ListedIndex, type PackedWords, type Use, useOf, type WordIndex } from "./word-index.ts";
import { numbersOf, WordStarts } from "./word-starts.ts";

/** Returns the index of a selection and of known values. That of the usual selection is made by the build. */
export function wordIndexOf(selection: Selection, forms: readonly KnownForm[]): WordIndex {
  const usual = usualWords();
  return forms.length === 0 && selection.key === usual.key
    ? new UsualIndex(selection, usual)
    : new ListedIndex(selection.rows, forms);
}

/** An index that the build has made; rows are read only for a word that was found. */
class UsualIndex implements WordIndex {
  readonly automaton: KeywordAutomaton;
  readonly #selection: Selection;
  readonly #starts: WordStarts;
  readonly #rows: Int32Array;
  readonly #ends: Int32Array;
  readonly #names: string;
  readonly #uses = new Map<number, readonly Use[]>();

  constructor(selection: Selection, { starts, rows, ends, names }: PackedWords) {
    this.#selection = selection;
    this.#starts = WordStarts.unpacked(starts);
    this.automaton = new KeywordAutomaton(this.#starts);
    this.#rows = numbersOf(rows);
    this.#ends = numbersOf(ends);
    this.#names = names;
  }

  count(word: number): number {
    return (this.#ends[word] as number) - this.#beginOf(word);
  }

  isName(word: number): boolean {
    return this.#names[word] === "1";
  }

  uses(word: number): readonly Use[] {
    let known = this.#uses.get(word);
    if (!known) {
      known = this.#usesOf(this.#starts.word(word), [
        ...new Set(this.#rows.subarray(this.#beginOf(word), this.#ends[word])),
      ]);
      this.#uses.set(word, known);
    }
    return known;
  }

  #usesOf(text: string, rows: readonly number[]): readonly Use[] {
    return rows.flatMap((row) => {
      const detector = this.#selection.rows[row] as Detector;
      const spelled = detector.keywords.filter((keyword) => folded(keyword) === text);
      return spelled.map((keyword) => useOf(detector, row, keyword));
    });
  }

  #beginOf(word: number): number {
    return word === 0 ? 0 : (this.#ends[word - 1] as number);
  }
}
