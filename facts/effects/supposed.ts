import { limits } from "../../schema/limits.ts";
import { spend } from "../meter.ts";
import { describe } from "../programs/describe.ts";
import type { GivenOption } from "../programs/grammar.ts";
import type { Description, Subcommand } from "../programs/program.ts";
import { programOf } from "../programs/registry.ts";
import { type TellingWords, tellingWords } from "../programs/telling-words.ts";
import type { Draft } from "../shell/draft.ts";
import { type Field, literalField, mayHoldMore, piecesOf, unknownField } from "../shell/fields.ts";
import { familyOf } from "../shell/names.ts";

/**
 * Commands that a command with an unknown word may be: copies with a decisive word in its place, such as a subcommand or `--acl
 * public-read`. The command may be none of these, so a rule's match is open (decision 29).
 */
interface Supposition {
  /** The author's text for the unknown word. */
  readonly of: string;
  readonly drafts: readonly Draft[];
}

/** True while supposed commands are requested. Module state like the meter, because commands are read deep in the call tree. */
let isSupposing = false;

/** Runs `work` with supposed words in place of unknown ones. */
export function supposing<T>(work: () => T): T {
  const outer = isSupposing;
  isSupposing = true;
  try {
    return work();
  } finally {
    isSupposing = outer;
  }
}

/** Commands of a text, followed by supposed commands if these were requested. */
export interface Supposed {
  readonly drafts: readonly Draft[];
  /** The first unknown word that decides what its command does. */
  readonly supposes: string | undefined;
  /** True if the supposed commands reach the limit, so that some may be missing. */
  readonly isCut: boolean;
}

/** Adds the commands that the unknown words of a text may produce. */
export function suppose(drafts: readonly Draft[]): Supposed {
  const unknown = drafts.filter((draft) => draft.args.some(isUnknown));
  const found = unknown.flatMap((draft) => suppositionOf(draft, drafts) ?? []);
  const [first] = found;
  if (!first || !isSupposing) return { drafts, supposes: first?.of, isCut: false };
  const made = found.flatMap((one) => one.drafts);
  const isCut = made.length >= limits.suppositions;
  return { drafts: [...drafts, ...made.slice(0, limits.suppositions)], supposes: first.of, isCut };
}

function isUnknown({ kind }: Field): boolean {
  return kind === "unknown";
}

/** Returns the commands that a command may be, given its unknown words; undefined if no unknown word is decisive. */
function suppositionOf(draft: Draft, all: readonly Draft[]): Supposition | undefined {
  const known = draft.program !== "" && draft.name.kind !== "unknown";
  const program = known ? programOf(draft.program) : undefined;
  if (!program || program.data) return undefined;
  const words = new WordsSupposed(draft, all, program.filter === true);
  const drafts: Draft[] = [];
  let of: string | undefined;
  for (const [i, word] of draft.args.entries()) {
    if (!isUnknown(word)) continue;
    for (const supposed of words.wordsFor(word)) {
      if (drafts.length >= limits.suppositions) break;
      spend(8 + draft.args.length);
      of ??= wordOf(word);
      drafts.push(withWord(draft, i, supposed));
    }
  }
  return of === undefined ? undefined : { of, drafts };
}

/** A replacement for an unknown word; `takes` if it is an option whose value is the unknown part. */
interface SupposedWord {
  readonly text: string;
  readonly takes?: true;
}

/** Finds the texts that each unknown word of one command may be, by its role in the command. */
class WordsSupposed {
  readonly #described: Description;
  readonly #told: TellingWords;
  readonly #draft: Draft;
  readonly #all: readonly Draft[];
  /** True for a program that only prints its input: only options in the table do more. */
  readonly #isFilter: boolean;

  constructor(draft: Draft, all: readonly Draft[], isFilter: boolean) {
    this.#described = describe(draft.program, draft.args);
    this.#told = tellingWords(familyOf(draft.program));
    this.#draft = draft;
    this.#all = all;
    this.#isFilter = isFilter;
  }

  wordsFor(word: Field): readonly SupposedWord[] {
    const isOption = mayBeOption(word) && !listsNames(word, this.#draft, this.#all);
    return [...this.#textsFor(word, isOption).map((text) => ({ text })), ...(isOption ? this.#valued(word) : [])];
  }

  #textsFor(word: Field, isOption: boolean): readonly string[] {
    const told = isOption ? this.#told.options.filter((option) => !option.endsWith("=")) : noNames;
    if (this.#isFilter) return fitting(word, told);
    const option = this.#described.args.options.find((one) => one.value === word || one.word === word);
    if (option?.value && (option.value === word || !this.#draft.args.includes(option.value)))
      return fitting(word, this.#valuesOf(option, word));
    const { chain, args } = this.#described;
    const names = chain.includes(word) ? this.#subcommands(word) : noNames;
    const isOperand = chain.includes(word) || (args.operands.includes(word) && !this.#mayBeValue(word));
    const operands = isOperand ? this.#operands() : noNames;
    return fitting(word, [...names, ...operands, ...(isOption ? [...told, ...this.#flags(word)] : noNames)]);
  }

  /** Returns options with a value: a decisive one, or the unknown part of the word. */
  #valued(word: Field): readonly SupposedWord[] {
    const taking = this.#told.options.filter((option) => option.endsWith("="));
    const beginning = textAt(piecesOf(word).find((piece) => piece !== ""));
    const takes = taking
      .map((option) => (option.startsWith("--") && !word.open ? option : option.slice(0, -1)))
      .filter((text) => text.startsWith(beginning) && (text.length > beginning.length || /^-[A-Za-z]$/.test(text)));
    const values = [...this.#told.values].flatMap(([name, texts]) =>
      texts.map((text) => (name.startsWith("--") ? `${name}=${text}` : name + text)),
    );
    return [
      ...takes.map((text): SupposedWord => ({ text, takes: true })),
      ...(this.#isFilter ? [] : fitting(word, values).map((text) => ({ text }))),
    ];
  }

  /** True after an option that the grammar does not list: the word may be its value. */
  #mayBeValue(word: Field): boolean {
    const { args } = this.#draft;
    const before = args[args.indexOf(word) - 1];
    if (before?.kind !== "literal" || !/^-./.test(before.text) || before.text.includes("=")) return false;
    return !this.#grammar().some((option) => option.split(/[ =]/).includes(before.text));
  }

  #operands(): readonly string[] {
    const [first] = this.#described.chain;
    return [...this.#told.operands, ...((first && this.#told.below.get(first.text)) ?? noNames)];
  }

  #grammar(): readonly string[] {
    const { program, sub } = this.#described;
    return [...(program?.grammar?.options ?? noNames), ...(sub?.grammar?.options ?? noNames)];
  }

  /** Returns decisive values, each after the part of the word that names the option. */
  #valuesOf({ names, value, word: spelled }: GivenOption, word: Field): readonly string[] {
    const told = names.flatMap((name) => this.#told.values.get(name) ?? []);
    if (spelled !== word || value === undefined) return told;
    const before = word.text.endsWith(value.text) ? word.text.slice(0, word.text.length - value.text.length) : "";
    return told.map((one) => before + one);
  }

  /** Lists the subcommand names that the table allows at the position of a word. */
  #subcommands(word: Field): readonly string[] {
    const { program, chain } = this.#described;
    let table: readonly Subcommand[] | undefined = program?.subcommands;
    for (const one of chain) {
      if (one === word) break;
      table = table?.find(({ names }) => names.includes(one.text))?.subcommands;
    }
    return table ? table.flatMap(({ names }) => names.slice(0, 1)) : noNames;
  }

  /** Returns the table's options without a value, each by its last spelling. After a bundle of letters, also each further letter. */
  #flags(word: Field): readonly string[] {
    const options = this.#grammar();
    spend(options.length);
    const beginning = textAt(piecesOf(word).find((piece) => piece !== ""));
    const isBundle = /^-[A-Za-z]+$/.test(beginning);
    return options.flatMap((option) => {
      const names = /=[=?]?$/.test(option) ? [] : option.split(" ");
      const letters = isBundle ? names.filter((name) => /^-[A-Za-z]$/.test(name)) : [];
      return [...names.slice(-1), ...letters.map((name) => beginning + name.slice(1))];
    });
  }
}

const noNames: readonly string[] = [];

/** True for a word that may be an option: it begins with a dash, or is unquoted and wholly unknown. */
function mayBeOption(word: Field): boolean {
  const pieces = piecesOf(word).filter((piece) => piece !== "");
  const beginning = textAt(pieces[0]);
  if (beginning !== "") return beginning.startsWith("-");
  return word.open && mayHoldMore(word) && pieces.every((piece) => typeof piece === "object");
}

/**
 * True for a word printed by a program that lists names, numbers or revisions: these never begin with a dash, and they are common
 * in everyday calls.
 */
function listsNames(word: Field, draft: Draft, all: readonly Draft[]): boolean {
  const raw = "raw" in word.place && typeof word.place.raw === "string" ? word.place.raw : "";
  // Words that xargs and parallel read have the place of the program.
  if (word.place === draft.name.place) {
    const feeder = all[draft.pipedFrom];
    if (feeder) return isLister([feeder.program, ...feeder.args.map(({ text }) => text)].join(" "));
    return draft.redirects.some(({ target }) => isLister(commandIn(rawOf(target))));
  }
  return isLister(commandIn(/^(?:\$\(|`)/.test(raw) ? raw : wordOf(word)));
}

function rawOf(word: Field | undefined): string {
  return word && "raw" in word.place && typeof word.place.raw === "string" ? word.place.raw : "";
}

/** Returns the command in a substitution; empty for any other word. */
function commandIn(raw: string): string {
  return /^(?:\$\(|`|<\()\s*(.*)$/s.exec(raw.slice(0, 256))?.[1] ?? "";
}

const lister =
  /^(?:git|find|fd|fdfind|ls|docker|podman|nerdctl|kubectl|oc|lsof|pgrep|pidof|ps|which|command|type|basename|dirname|realpath|readlink|pwd|date|uname|nproc|id|whoami|hostname|mktemp|seq|uuidgen|go list|npm (?:root|bin|prefix|ls|pack)|brew|rg|ag|ack|(?:e|f)?grep\s(?:\S+\s)*-\w*[lL])\b/;

function isLister(command: string): boolean {
  return lister.test(command);
}

/** Returns the candidates that agree with the known parts of a word. */
function fitting(word: Field, candidates: readonly string[]): readonly string[] {
  const pieces = piecesOf(word);
  const [beginning, end] = [textAt(pieces.at(0)), textAt(pieces.at(-1))];
  spend(candidates.length);
  return candidates.flatMap((text) => {
    if (beginning === "" && end === "") return [text];
    if (/[=:,]$/.test(beginning) && end === "" && !text.startsWith(beginning)) return [beginning + text];
    const fits = text.length > beginning.length + end.length && text.startsWith(beginning) && text.endsWith(end);
    return fits ? [text] : [];
  });
}

function textAt(piece: ReturnType<typeof piecesOf>[number] | undefined): string {
  return typeof piece === "string" ? piece : "";
}

function wordOf(word: Field): string {
  const hole = piecesOf(word).find((piece) => typeof piece === "object");
  return typeof hole === "object" ? hole.of : "…";
}

/** Returns the command with a supposed word in place of the unknown one. An unquoted word may expand to further unknown words. */
function withWord(draft: Draft, at: number, { text, takes }: SupposedWord): Draft {
  const word = draft.args[at] as Field;
  const hole = { hole: "tail", of: wordOf(word) } as const;
  const known =
    takes && !word.open
      ? { ...unknownField(word.place, false, text), known: { pieces: [text, hole], text } }
      : literalField(text, word.place);
  const args = [...draft.args.slice(0, at), known, ...(word.open ? [word] : []), ...draft.args.slice(at + 1)];
  return { ...draft, args, doubts: [...draft.doubts] };
}
