import {
  Approximation,
  anyText,
  type Pieces,
  patternText,
  severalTexts,
  type Text,
} from "../../schema/approximation.ts";
import type { OptionValue, Word } from "../../schema/facts.ts";
import { describe } from "../programs/describe.ts";
import type { GivenOption } from "../programs/grammar.ts";
import type { Description } from "../programs/program.ts";
import type { Draft } from "../shell/draft.ts";
import { type Atom, type Field, piecesOf } from "../shell/fields.ts";

/** Subcommand, operands and options of a command as far as they are known. */
export class WordsRead {
  readonly subcommand: Text | undefined;
  readonly operands: readonly Text[];
  readonly options: readonly OptionValue[];
  /** Further words that an unquoted, unknown program word may expand to; empty for any other. */
  readonly hidden: readonly Word[];
  /** Approximation of any text, shown as the unknown word. */
  readonly #anything: Approximation;
  readonly #draft: Draft;
  /** Reading of the words that leaves out every word that may be absent. */
  readonly #reading: Description;
  readonly #places: ReadonlyMap<Field, number>;
  readonly #optionsByWord: ReadonlyMap<Field, readonly GivenOption[]>;
  /** Partly unknown words that hold a known option and its value. */
  readonly #told: ReadonlySet<Field>;
  /** Index of the first word that may be an option or several words; later words may be read in another way. */
  readonly #loose: number;
  /** Index of the `--` that ends the options, or -1. */
  readonly #end: number;
  /** Words that the preceding word may take as its value. */
  readonly #takeable: ReadonlySet<Field>;
  /** Index of the first takeable word that would end the options; later words may or may not be options. */
  readonly #mayEnd: number;
  /** True if an unknown word may extend the subcommand. */
  readonly #goesOn: boolean;
  /** True if it is unknown how options are read: by an unknown program, subcommand or first word. */
  readonly #unread: boolean;

  constructor(draft: Draft, described: Description, program: Text) {
    this.#draft = draft;
    this.#places = new Map(draft.args.map((word, i) => [word, i]));
    this.#end = this.#endOf(described);
    this.#told = new Set(described.args.options.filter((option) => this.#isTold(option)).map(({ word }) => word));
    const taken = [...described.args.operands, ...described.chain];
    const mayVanish = (word: Field): boolean => mayBeSeveral(word) || this.#end < 0 || this.#place(word) < this.#end;
    const vanishing = new Set(taken.filter((word) => this.#isLoose(word) && mayVanish(word)));
    const left = draft.args.filter((word) => !vanishing.has(word));
    this.#reading = vanishing.size === 0 ? described : describe(draft.program, left);
    this.#optionsByWord = byWord(this.#reading.args.options);
    this.#takeable = this.#takeableWords();
    this.#mayEnd = this.#mayEndAt();
    const first = draft.args.findIndex((word) => this.#isLoose(word));
    const isEnded = this.#end >= 0 && this.#end < first && this.#end < this.#mayEnd;
    this.#loose = first < 0 || isEnded ? draft.args.length : first;
    const unknown = isUnknown(draft.name) ? draft.name : (draft.args[this.#loose] ?? draft.args.find(isUnknown));
    this.#anything = severalTexts(anyText(unknown ? shownOf(unknown) : "…"));
    const isNamed = typeof program === "string";
    this.#goesOn = described.program?.mayGoOn?.(taken.toSorted((a, b) => this.#place(a) - this.#place(b))) === true;
    const isHidden = described.chain.some((word) => vanishing.has(word));
    this.subcommand = isNamed ? this.#knownSubcommand(isHidden) : draft.args.length > 0 ? this.#anything : undefined;
    const isOpen = this.subcommand !== undefined && typeof this.subcommand !== "string";
    this.#unread = !isNamed || isOpen || this.#isOpenBundle();
    const anything = this.#anything;
    const mayHide = mayBeSeveral(draft.name);
    this.hidden = mayHide ? [{ text: anything, kind: "unknown", several: true }] : [];
    this.operands = [...(mayHide ? [anything] : []), ...this.#knownOperands(vanishing)];
    const hiddenOptions = mayHide ? [{ names: [anything], value: anything, several: true as const }] : [];
    this.options = [...hiddenOptions, ...this.#given(), ...this.#possible(isNamed)];
  }

  /**
   * Returns the index of the `--` that ends the options, or -1. A `--` does not count as the value of an option, nor before the
   * subcommand, after which options are read anew.
   */
  #endOf({ args, chain, program }: Description): number {
    const values = new Set(args.options.map(({ value }) => value));
    const end = this.#draft.args.findIndex((word) => isEnd(word) && !values.has(word));
    const [first] = chain;
    return program?.subcommands && first && this.#place(first) > end ? -1 : end;
  }

  /**
   * Returns the index of the first takeable word that would end the options (`--`, or an operand that ends them); otherwise the
   * number of words.
   */
  #mayEndAt(): number {
    const { program, sub, args } = this.#reading;
    const stops = (sub ?? program)?.grammar?.stop ? args.operands.slice(0, 1) : [];
    const place = this.#draft.args.findIndex(
      (word) => this.#takeable.has(word) && (isEnd(word) || stops.includes(word)),
    );
    return place < 0 ? this.#draft.args.length : place;
  }

  /**
   * Finds the words that the preceding word may take as its value. The preceding word may be an option with an unknown name, a
   * letter with an empty attached value, or an option that may itself be a value.
   */
  #takeableWords(): ReadonlySet<Field> {
    const found = new Set<Field>();
    const { args } = this.#draft;
    for (let i = 0; i + 1 < args.length; i++) {
      const [word, next] = [args[i] as Field, args[i + 1] as Field];
      const mayBeTaken = found.has(word);
      if (i === this.#end && !mayBeTaken) break;
      if (this.#isLoose(word) || this.#mayLackValue(word) || (mayBeTaken && this.#mayTake(word, next))) found.add(next);
    }
    return found;
  }

  /** True for a word such as `-n$X`: if `$X` is empty, the next word is the value of `-n`, not an option, operand or subcommand. */
  #mayLackValue(word: Field): boolean {
    if (!isUnknown(word) || !/^-[A-Za-z]+$/.test(beginningOf(word))) return false;
    return this.#optionsIn(word).some(({ value }) => value !== undefined && beginningOf(value) === "");
  }

  /** Returns the options that a word is read as. */
  #optionsIn(word: Field): readonly GivenOption[] {
    return this.#optionsByWord.get(word) ?? [];
  }

  /**
   * True if the next word may be the value of this one. A word that this reading takes as a value or operand may be an option in
   * another.
   */
  #mayTake(word: Field, next: Field): boolean {
    if (!isDashed(word) || isEnd(word) || word.text.includes("=")) return false;
    const options = this.#optionsIn(word);
    return options.length === 0 || options.some(({ value }) => value === next);
  }

  #knownOperands(vanishing: ReadonlySet<Field>): readonly Text[] {
    const { args } = this.#reading;
    const strays = args.options.filter(({ word }) => !isDashed(word)).map(({ word }) => word);
    // An unquoted option may expand to an option and operands. A word that may be just `--` makes every later word an operand.
    const open = new Set(
      this.#draft.args.filter((word) => this.#isLoose(word) && (mayBeSeveral(word) || /^-*$/.test(beginningOf(word)))),
    );
    // After a `--` that may end the options, and after an unknown subcommand, an option may be an operand.
    const read = args.options.map(({ word }) => word);
    const ended = read.filter((word) => this.#unread || this.#place(word) > this.#mayEnd);
    const ends = this.#unread ? this.#draft.args.filter(isEnd) : [];
    const words = [
      ...new Set([...ends, ...args.operands, ...strays, ...vanishing, ...open, ...this.#takenValues(), ...ended]),
    ];
    const inOrder = words.sort((a, b) => this.#place(a) - this.#place(b));
    return inOrder.map((word) => (open.has(word) ? this.#anything : this.#operand(word)));
  }

  /** True for an unknown first word that may be options without a dash. */
  #isOpenBundle(): boolean {
    const [first] = this.#draft.args;
    if (!this.#reading.program?.dashless || !first || !isUnknown(first)) return false;
    return /^(?:[A-Za-z]|-?$)/.test(beginningOf(first));
  }

  #place(word: Field): number {
    return this.#places.get(word) ?? 0;
  }

  #isTold({ names, value, word }: GivenOption): boolean {
    if (!isUnknown(word) || value === undefined || this.#places.has(value)) return false;
    const beginning = beginningOf(word);
    return beginning.includes("=") || names.some((name) => isShort(name) && beginning.includes(name[1] as string));
  }

  /** True for a word that may be an option with an unknown name: it is unquoted or begins with a dash. */
  #isLoose(word: Field): boolean {
    if (!isUnknown(word) || this.#told.has(word)) return false;
    const beginning = beginningOf(word);
    if (beginning === "") return mayBeSeveral(word);
    return beginning.startsWith("-") && !beginning.includes("=");
  }

  /** Returns the subcommand as far as it is known. `isHidden` is true if it holds a word that may be absent. */
  #knownSubcommand(isHidden: boolean): Text | undefined {
    const { subcommand, chain, args } = this.#reading;
    if (this.#goesOn) return this.#goingOn() ?? (chain.length === 0 ? this.#anything : this.#orOther([subcommand]));
    const isUnsure = isHidden || this.#mayHoldOther() || chain.some((word) => this.#takeable.has(word));
    if (!chain.some(isUnknown)) {
      const told = subcommand === "" ? undefined : subcommand;
      return isUnsure ? this.#orOther(told === undefined ? undefined : [told]) : told;
    }
    const pieces = chain.flatMap((word, i) => [i === 0 ? "" : " ", ...piecesOfWord(word)]);
    // If more operands follow, further words may belong to the subcommand.
    const more = args.operands.length > 1 ? [{ hole: "tail", of: "…" } as const] : [];
    if (isUnsure) return this.#orOther([...pieces, ...more]);
    const text = patternText([...pieces, ...more]);
    const isWord = pieces.some((piece) => typeof piece === "string" && piece.trim() !== "");
    return isWord && !chain.some(mayBeSeveral) ? text : severalTexts(text);
  }

  /** Returns the subcommand, with or without a further word whose beginning is known; undefined if it may be anything. */
  #goingOn(): Text | undefined {
    const { subcommand, chain, args } = this.#reading;
    const word = args.operands.find(isUnknown);
    if (!word || chain.some(isUnknown) || beginningOf(word) === "" || this.#loose < this.#draft.args.length)
      return undefined;
    if (this.#takeable.size > 0 || args.operands.indexOf(word) > 0) return undefined;
    const pieces = piecesOfWord(word).filter((piece) => piece !== "");
    const last = pieces.at(-1);
    // More words of the subcommand may follow.
    const isOpen = typeof last === "object" && last.hole === "tail";
    const more = isOpen ? pieces : [...pieces, { hole: "tail", of: shownOf(word) } as const];
    if (chain.length === 0) return patternText(more);
    return new Approximation("few", [[subcommand], [`${subcommand} `, ...more]]);
  }

  /** True if another word may be the subcommand or a part of it. */
  #mayHoldOther(): boolean {
    const { chain, args, program, sub } = this.#reading;
    const last = chain.at(-1);
    const table = last ? sub?.subcommands : program?.subcommands;
    const goesOn = program?.chain !== undefined || (table !== undefined && args.operands.length === 0);
    const until = last && !goesOn ? this.#place(last) : goesOn ? this.#draft.args.length : 0;
    const values = this.#takenValues().map((word) => this.#place(word));
    return [this.#loose, this.#mayEnd, ...values].some((place) => place < until);
  }

  /** Lists the values of options that may turn out not to be options; such values may be operands. */
  #takenValues(): readonly Field[] {
    return this.#reading.args.options.flatMap(({ word, value }) =>
      value && (this.#isLoose(word) || this.#takeable.has(word)) && this.#places.has(value) ? [value] : [],
    );
  }

  /** Returns the text of an operand, marked as several texts if the word may be the value of an unknown option. */
  #operand(word: Field): Text {
    const text = textOf(word);
    const isRead = !this.#unread && this.#place(word) <= this.#mayEnd;
    const isSure = isRead && !this.#isLoose(word) && !this.#takeable.has(word);
    return isSure ? text : severalTexts(text);
  }

  /** Lists the given options; an option is sure if no earlier word may take it as a value. */
  #given(): OptionValue[] {
    return this.#reading.args.options.filter(({ word }) => isDashed(word)).map((option) => this.#option(option));
  }

  #option(option: GivenOption): OptionValue {
    const { names, value, word } = option;
    const given = { ...(value && { value: this.#valueOf(option, value) }), ...(option.off && { off: option.off }) };
    if (this.#unread)
      return { names: [...names, this.#anything], value: this.#orOther(value && piecesOfWord(value)), several: true };
    const isSure = this.#place(word) < this.#loose || (this.#place(word) === this.#loose && isBefore(option));
    return isSure && !this.#takeable.has(word) ? { names, ...given } : { names, ...given, several: true };
  }

  /** Returns the value of an option. If a value attached to a letter is empty, the next word is the value. */
  #valueOf({ names, word }: GivenOption, value: Field): Text {
    const text = textOf(value);
    const isAttached = names.some(isShort) && !this.#places.has(value) && !beginningOf(word).includes("=");
    return isAttached && beginningOf(value) === "" && isUnknown(word) ? severalTexts(text) : text;
  }

  /** Returns the known text or any other text. */
  #orOther(told: Pieces | undefined): Text {
    if (told === undefined) return this.#anything;
    return new Approximation("few", [told, ...this.#anything.members], { several: true });
  }

  /**
   * Returns known words that may be options but were not read as such. They come after an unknown subcommand, after a `--` that
   * may not end the options, or may be the value of the preceding word.
   */
  #unreadOptions(): readonly Field[] {
    const { operands, options } = this.#reading.args;
    const mayEnd = this.#mayEnd < this.#draft.args.length;
    const given = new Set(options.map(({ word }) => word));
    const taken = [...this.#takeable].filter((word) => !given.has(word));
    const words = new Set([...(this.#unread || mayEnd ? operands : []), ...taken]);
    return [...words].filter((word) => isDashed(word) && !this.#isLoose(word) && !isEnd(word));
  }

  /** Lists the options that may be in unknown words, in words read otherwise, or in a first word that a program may read as options. */
  #possible(isNamed: boolean): OptionValue[] {
    const { args } = this.#draft;
    const found: OptionValue[] = [];
    // An unquoted word may expand to several words, each of which may be an option.
    let mayHide = false;
    for (let i = this.#loose; i < args.length; i++) {
      const word = args[i] as Field;
      if (i === this.#end && i !== this.#mayEnd) break;
      if (!this.#isLoose(word)) continue;
      const names = [severalTexts(patternText(piecesOf(word))), this.#anything];
      found.push({ names, value: this.#anything, several: true });
      if (mayBeSeveral(word)) mayHide = true;
    }
    for (const word of this.#unreadOptions())
      found.push({ names: [nameOf(word), this.#anything], value: this.#anything, several: true });
    if (mayHide || this.#isOpenBundle() || (!isNamed && /^[A-Za-z]+$/.test(args[0]?.text ?? "")))
      found.push({ names: [this.#anything], value: this.#anything, several: true });
    return found;
  }
}

function byWord(options: readonly GivenOption[]): ReadonlyMap<Field, readonly GivenOption[]> {
  const found = new Map<Field, GivenOption[]>();
  for (const option of options) {
    const known = found.get(option.word);
    if (known) known.push(option);
    else found.set(option.word, [option]);
  }
  return found;
}

/** True if part of a word or value is unknown. */
export function isUnknown({ kind }: Atom): boolean {
  return kind === "unknown";
}

/** Returns the known and unknown parts of a word. */
export function piecesOfWord(word: Field): Pieces {
  return isUnknown(word) ? piecesOf(word) : [word.text];
}

/** Returns a word as one text, or as several texts if it may expand to several words. */
export function textOf(word: Field): Text {
  if (!isUnknown(word)) return word.text;
  const text = patternText(piecesOf(word));
  return mayBeSeveral(word) ? severalTexts(text) : text;
}

/** True for an unquoted, unknown word that may expand to several words; a number or a name without a folder is one word. */
export function mayBeSeveral(word: Field): boolean {
  return (
    isUnknown(word) && word.open && !piecesOf(word).every((piece) => typeof piece === "string" || piece.hole === "name")
  );
}

/** Returns the known beginning of a word; empty if there is none. */
export function beginningOf(word: Field): string {
  if (!isUnknown(word)) return word.text;
  const [first = ""] = piecesOf(word).filter((piece) => piece !== "");
  return typeof first === "string" ? first : "";
}

/** Returns the name of an option, or an approximation if part of the name is unknown. */
function nameOf(word: Field): Text {
  const beginning = beginningOf(word);
  const equals = beginning.indexOf("=");
  if (equals > 0) return beginning.slice(0, equals);
  return isUnknown(word) ? severalTexts(patternText(piecesOf(word))) : word.text;
}

function isEnd(word: Field): boolean {
  return word.text === "--" && word.kind === "literal";
}

/** True for a word that surely begins with a dash. */
export function isDashed(word: Field): boolean {
  return beginningOf(word).startsWith("-");
}

/** True for an option in a bundle whose letter comes before the unknown part. */
function isBefore({ names, word }: GivenOption): boolean {
  const beginning = beginningOf(word);
  if (beginning.startsWith("--")) return false;
  return names.some((name) => isShort(name) && beginning.includes(name[1] as string));
}

function isShort(name: string): boolean {
  return name.length === 2;
}

/** Returns the first unknown part of a word as its author wrote it; `…` if there is none. */
export function shownOf(word: Field): string {
  const hole = isUnknown(word) ? piecesOf(word).find((piece) => typeof piece === "object") : undefined;
  return hole?.of ?? "…";
}
