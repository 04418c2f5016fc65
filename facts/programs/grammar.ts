import { spend } from "../meter.ts";
import { type Field, knownBeginning, withText } from "../shell/fields.ts";

/**
 * How a program reads its words. Each option is one string with every spelling: `"-r -R --recursive"`;
 * a trailing `=` takes a value (`"-m --mode="`), `=?` an optional attached one (`"--color=?"`), and `==` a name
 * and then its value (`"--arg=="`).
 * Long names may be abbreviated unless `exact`. Source: threats page, class 1.
 */
export interface Grammar {
  readonly options?: readonly string[];
  /** Long names must be given in full. */
  readonly exact?: boolean;
  /** Options end at the first operand, as wrappers and subcommands need. */
  readonly stop?: boolean;
  /** Long names with a single dash, never bundled (`find`, `openssl`, `java`). */
  readonly single?: boolean;
  /** A first word that begins with `+` is an option: a toolchain (`cargo +nightly`). */
  readonly plus?: boolean;
}

/** One option as given. An ambiguous abbreviation has the names of every option it may mean. */
export interface GivenOption {
  readonly names: readonly string[];
  readonly value: Field | undefined;
  /** The word that holds it. */
  readonly word: Field;
  /** Set for `--flag=false`: the flag is not given, whatever came before. */
  readonly off?: true;
  /** Set for an option that the grammar does not have, which may take the next word for its value. */
  readonly unknown?: true;
}

/** The words of one command sorted by its grammar, each kind in the order given. */
export interface Arguments {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Field[];
  /** With `stop`: how many words were read before the first operand. */
  readonly consumed: number;
}

/** Options as lines of text: one option ends at a semicolon or at the end of the list. */
export function optionList(text: string): string[] {
  return text
    .split(";")
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter((line) => line !== "");
}

interface Spec {
  readonly names: readonly string[];
  readonly takes: "nothing" | "value" | "attached" | "pair";
}

interface Compiled {
  readonly byName: ReadonlyMap<string, Spec>;
  readonly long: readonly string[];
}

const compiled = new WeakMap<Grammar, Compiled>();

function compile(grammar: Grammar): Compiled {
  const known = compiled.get(grammar);
  if (known) return known;
  const byName = new Map<string, Spec>();
  for (const line of grammar.options ?? []) {
    const mark = /=[=?]?$/.exec(line)?.[0] ?? "";
    const spec: Spec = { names: line.slice(0, line.length - mark.length).split(" "), takes: takenBy(mark) };
    for (const name of spec.names) byName.set(name, spec);
  }
  const made = { byName, long: [...byName.keys()].filter((name) => name.startsWith("--")) };
  compiled.set(grammar, made);
  return made;
}

function takenBy(mark: string): Spec["takes"] {
  if (mark === "=?") return "attached";
  if (mark === "==") return "pair";
  return mark === "=" ? "value" : "nothing";
}

const nothing: readonly Spec[] = [];

/** Splits words into options and operands. Unknown options are kept under the spelling given. */
export function readArguments(grammar: Grammar, words: readonly Field[]): Arguments {
  const reader = new Reader(grammar, words);
  reader.run();
  // Paid for here and not where the index is made: it is kept with the options, and so would be there for nothing a second time.
  if (reader.options.length > few) for (const { names } of reader.options) spend(names.length);
  return { options: reader.options, operands: reader.operands, consumed: reader.at };
}

/** Values that switch a flag off: the words of Go's `flag` and of npm. Other programs refuse them. */
const falseWord = /^(?:false|False|FALSE|f|F|0)$/;

/** Returns the mark of a flag that its value switches off. */
function offBy(value: Field | undefined, specs: readonly Spec[]): { readonly off?: true } {
  if (value?.kind !== "literal" || !falseWord.test(value.text)) return unmarked;
  return specs.every((spec) => spec.takes === "nothing") ? { off: true } : unmarked;
}

const unmarked = {};
const unknownMark = { unknown: true } as const;

class Reader {
  readonly options: GivenOption[] = [];
  readonly operands: Field[] = [];
  at = 0;
  private readonly grammar: Grammar;
  private readonly table: Compiled;
  private readonly words: readonly Field[];

  constructor(grammar: Grammar, words: readonly Field[]) {
    this.grammar = grammar;
    this.table = compile(grammar);
    this.words = words;
  }

  run(): void {
    spend(2 + 2 * this.words.length);
    while (this.at < this.words.length) {
      const word = this.words[this.at] as Field;
      if (word.text === "--" && word.kind === "literal") {
        this.at += 1;
        this.rest();
        return;
      }
      if (this.grammar.plus && this.at === 0 && word.text.startsWith("+") && word.kind === "literal") {
        this.at += 1;
        this.options.push({ names: [word.text], value: undefined, word });
        continue;
      }
      if (word.text.length < 2 || word.text[0] !== "-") {
        if (this.grammar.stop) {
          this.rest();
          return;
        }
        this.operands.push(word);
        this.at += 1;
      } else {
        this.at += 1;
        if (this.grammar.single) this.long(word, "-");
        else if (word.text[1] === "-") this.long(word, "--");
        else this.short(word);
      }
    }
  }

  /** Takes all remaining words as operands; one by one, because there may be thousands. */
  private rest(): void {
    for (let i = this.at; i < this.words.length; i++) this.operands.push(this.words[i] as Field);
  }

  private next(): Field | undefined {
    const value = this.words[this.at];
    if (value) this.at += 1;
    return value;
  }

  private long(word: Field, dashes: string): void {
    const equals = word.text.indexOf("=", dashes.length);
    const name = equals < 0 ? word.text : word.text.slice(0, equals);
    const attached = equals < 0 ? undefined : withText(word, word.text.slice(equals + 1));
    const exact = this.table.byName.get(name);
    if (exact && exact.takes !== "pair") {
      const value = attached ?? (exact.takes === "value" ? this.next() : undefined);
      this.options.push({ names: exact.names, value, word, ...offBy(attached, [exact]) });
      return;
    }
    const specs = exact ? [exact] : this.find(name, word);
    if (specs.length === 0 && this.switchesOff(name, word)) return;
    if (specs.length === 0) this.options.push({ names: [name], value: attached, word, unknown: true });
    const pair = specs.some((spec) => spec.takes === "pair");
    if (pair) this.next();
    const taking = pair || specs.some((spec) => spec.takes === "value");
    const value = attached ?? (taking ? this.next() : undefined);
    const off = offBy(attached, specs);
    for (const spec of specs) this.options.push({ names: spec.names, value, word, ...off });
  }

  /** `--no-dry-run`: switches a known flag off. Both names count, because a program may also have the option as it is. */
  private switchesOff(name: string, word: Field): boolean {
    const spec = name.startsWith("--no-") ? this.table.byName.get(`--${name.slice(5)}`) : undefined;
    if (spec?.takes !== "nothing") return false;
    this.options.push(
      { names: [name], value: undefined, word },
      { names: spec.names, value: undefined, word, off: true },
    );
    return true;
  }

  /** Options whose names begin so: the program takes cut names, or the rest of the name is not known. */
  private find(name: string, word: Field): readonly Spec[] {
    const isCut = !this.grammar.exact || word.kind === "unknown";
    if (!isCut || this.grammar.single || name.length < 3) return nothing;
    const found: Spec[] = [];
    spend(this.table.long.length >> 2);
    for (const long of this.table.long) {
      const spec = long.startsWith(name) ? this.table.byName.get(long) : undefined;
      if (spec && !found.includes(spec)) found.push(spec);
    }
    return found;
  }

  private short(word: Field): void {
    spend(word.text.length);
    for (let i = 1; i < word.text.length; i++) {
      const name = `-${word.text[i]}`;
      const spec = this.table.byName.get(name);
      // `-n=false`: the value of a switch.
      if (word.text[i + 1] === "=" && (!spec || spec.takes === "nothing")) {
        const value = withText(word, word.text.slice(i + 2));
        this.options.push({ names: spec?.names ?? [name], value, word, ...offBy(value, spec ? [spec] : nothing) });
        return;
      }
      if (!spec || spec.takes === "nothing") {
        this.options.push({ names: spec?.names ?? [name], value: undefined, word, ...(spec ? unmarked : unknownMark) });
        continue;
      }
      const rest = word.text.slice(i + 1);
      const attached = rest === "" && word.kind === "literal" ? undefined : withText(word, rest);
      const value = spec.takes === "value" ? (attached ?? this.next()) : attached;
      this.options.push({ names: spec.names, value, word });
      return;
    }
  }
}

/** True for an option whose name is not known: `"--$O"`, `"-$O"`, and a bundle of letters with an unknown rest. */
export function isOpenOption(word: Field, { options }: Pick<Arguments, "options">): boolean {
  if (word.kind !== "unknown" || !/^-[^=]*$/.test(knownBeginning(word))) return false;
  return !/^-[A-Za-z]/.test(knownBeginning(word)) || !options.some((one) => one.word === word && one.value);
}

/** True if an option of a wrapper is unknown, so that it may take the word behind it, or name another program. */
export function hasOpenOption(args: Arguments): boolean {
  return args.options.some(({ word }) => isOpenOption(word, args));
}

/** True when an option was given, by any of its spellings, and not switched off behind that. */
export function given(args: Arguments, name: string): boolean {
  spend(1);
  if (args.options.length > few) {
    const last = indexOf(args.options).get(name)?.at(-1);
    return last !== undefined && !last.off;
  }
  for (let i = args.options.length - 1; i >= 0; i--) {
    const option = args.options[i] as GivenOption;
    if (option.names.includes(name)) return !option.off;
  }
  return false;
}

/** Values of an option, in order. */
export function valuesOf(args: Arguments, name: string): Field[] {
  const values: Field[] = [];
  const options = optionsOf(args, name);
  spend(1 + options.length);
  for (const option of options) if (option.value && option.names.includes(name)) values.push(option.value);
  return values;
}

/** Last value of an option. */
export function valueOf(args: Arguments, name: string): Field | undefined {
  const options = optionsOf(args, name);
  spend(1);
  for (let i = options.length - 1; i >= 0; i--) {
    const option = options[i] as GivenOption;
    if (option.value && option.names.includes(name)) return option.value;
  }
  return undefined;
}

/** Most options that are searched linearly for each question; more are indexed once. */
const few = 16;

/** Options by each of their spellings. */
const indexes = new WeakMap<readonly GivenOption[], ReadonlyMap<string, readonly GivenOption[]>>();

function indexOf(options: readonly GivenOption[]): ReadonlyMap<string, readonly GivenOption[]> {
  const known = indexes.get(options);
  if (known) return known;
  const made = new Map<string, GivenOption[]>();
  for (const option of options) {
    for (const name of new Set(option.names)) {
      const list = made.get(name);
      if (list) list.push(option);
      else made.set(name, [option]);
    }
  }
  indexes.set(options, made);
  return made;
}

const none: readonly GivenOption[] = [];

/** Options among which those of a name are. */
function optionsOf({ options }: Arguments, name: string): readonly GivenOption[] {
  return options.length > few ? (indexOf(options).get(name) ?? none) : options;
}
