import { spend, spendText } from "../../meter.ts";
import { wordOfParameter, wordOfScript } from "../author-words.ts";
import { expandsAgain, runsCode } from "../dialects.ts";
import { type Atom, type Field, literalAtom, literalField, unknownAtom } from "../fields.ts";
import type { ParameterPart, Part, Sequence, Word } from "../syntax.ts";
import { arithmetic, expandedAgain, nameText, subscript } from "./arithmetic-text.ts";
import { Gathering } from "./gathering.ts";
import { type Machine, within } from "./machine.ts";
import { parameterValue } from "./parameters.ts";
import type { Store } from "./store.ts";
import { substituted, textsOf } from "./substitution.ts";
import { alternativesOf, type Candidate, commonOf, isList, isText } from "./value.ts";

/** Returns the text of a word that needs no expansion, as most do; undefined for any other. */
export function plainText({ parts, raw }: Word): string | undefined {
  const part = parts[0];
  return parts.length === 1 && part?.kind === "text" && !raw.startsWith("~") ? part.value : undefined;
}

/** Folds a word to one atom, as in an assignment or a here-string: no splitting, no globbing. */
export function foldAtom(machine: Machine, word: Word, store: Store): Atom {
  return new Folding(machine, word, store, false).atom();
}

/** Returns the pattern of a word; quoted parts are literal. Undefined if it is unknown. */
export function foldPattern(machine: Machine, word: Word, store: Store): string | undefined {
  let text = "";
  for (const part of word.parts) {
    const one = new Folding(machine, { ...word, raw: "", parts: [part] }, store, false).atom();
    if (one.kind === "unknown") return undefined;
    const isQuoted = "quoted" in part && part.quoted;
    text += isQuoted ? one.text.replace(/[*?[\]\\()|]/g, "\\$&") : one.text;
  }
  return text;
}

/** The folding of one word, part by part. */
export class Folding extends Gathering {
  /** True if the word was already searched for zsh flags. */
  private flagged = false;
  private readonly later: boolean;

  constructor(machine: Machine, word: Word, store: Store, later: boolean) {
    super(machine, word, store);
    this.later = later;
  }

  /** Returns the fields of the word. */
  fields(): Field[] {
    const single = plainText(this.word);
    if (single !== undefined) return [literalField(single, this.word, this.word.verbatim)];
    this.word.parts.forEach((part, i) => {
      this.part(i === 0 ? this.tilde(part) : part, false);
    });
    this.flush();
    return this.done;
  }

  /** Returns the word as one text, for places without word splitting and globbing. */
  atom(): Atom {
    const single = plainText(this.word);
    if (single !== undefined) return literalAtom(single);
    this.word.parts.forEach((part, i) => {
      this.part(i === 0 ? this.tilde(part) : part, true);
    });
    return this.whole();
  }

  /** The word as it is where all of it is this. */
  given(atom: Atom): Atom {
    const [only] = this.word.parts;
    this.value(atom, true, only?.kind === "command" ? wordOfScript(only.script) : "…");
    return this.whole();
  }

  private tilde(part: Part): Part {
    if (!this.word.raw.startsWith("~") || part.kind !== "text") return part;
    const slash = part.value.indexOf("/");
    const name = slash < 0 ? part.value : part.value.slice(0, slash);
    const rest = slash < 0 ? "" : part.value.slice(slash);
    const folder = this.homeOf(name.slice(1));
    if (folder === undefined || folder.kind === "unknown") {
      this.append(folder?.text ?? "");
      this.kind = "unknown";
      this.pieces = [{ hole: "tail", of: `~${name.slice(1)}` }];
      return { kind: "text", value: rest, quoted: true };
    }
    return { kind: "text", value: folder.text + rest, quoted: true };
  }

  private homeOf(user: string): Atom | undefined {
    if (user === "+" || user === "-") return this.store.textOf(user === "+" ? "PWD" : "OLDPWD");
    if (user === "root") return literalAtom("/root");
    if (user !== "") return { text: `/home/${user}`, kind: "unknown" };
    return this.store.textOf("HOME");
  }

  private part(part: Part, whole: boolean): void {
    spend(1);
    switch (part.kind) {
      case "text":
        this.append(part.value);
        return;
      case "glob":
        if (this.machine.dialect === "zsh" && runsCode(part.value)) this.machine.exceeded("a zsh glob runs code");
        this.wildcard(part.value, whole);
        return;
      case "parameter":
        this.parameter(part, whole);
        return;
      case "command":
        this.printed(textsOf(substituted(this.machine, part.script, this.store)), part.quoted || whole, part.script);
        return;
      case "arithmetic":
        for (const script of part.scripts) substituted(this.machine, script, this.store);
        for (const word of part.words) foldAtom(this.machine, word, this.store);
        this.value(arithmetic(this.machine, part.raw, this.word, this.store, foldAtom), true, "$((…))");
        return;
      case "process":
        this.process(part);
    }
  }

  /** Adds a wildcard. A group of patterns may match any text; one with an expansion makes the whole word unknown. */
  private wildcard(pattern: string, whole: boolean): void {
    const isGroup = !whole && /^[?*+@!]\(/.test(pattern);
    if (isGroup && /[$`]/.test(pattern)) this.lost = true;
    this.append(isGroup ? "*" : pattern);
    if (this.store.option("noglob") !== "on") this.globbed();
  }

  /** Adds the output of a substitution. Of several possible texts it adds the common parts, and keeps the only non-empty one as likely. */
  private printed(texts: readonly Atom[], quoted: boolean, script: Sequence): void {
    const of = wordOfScript(script);
    const [only] = texts;
    if (texts.length === 1) {
      this.value(only as Atom, quoted, of);
      return;
    }
    const some = texts.filter((one) => one.kind !== "literal" || one.text !== "");
    const [one] = some;
    const likely = some.length === 1 && one?.kind === "literal" && this.kind !== "unknown" ? one.text : undefined;
    const before = this.text;
    this.value(commonOf(texts) ?? unknownAtom, quoted, of);
    this.likely = likely === undefined ? undefined : before + likely;
  }

  private process({ direction, script }: Extract<Part, { kind: "process" }>): void {
    if (direction === ">" && this.later) this.more = { feeds: script, content: null };
    else {
      const [output, ...others] = textsOf(
        this.machine.substitute(script, this.store, direction === ">" ? null : undefined),
        true,
      );
      const one = direction === "<" && others.length === 0 && output !== unknownAtom ? output : undefined;
      this.more = { content: one?.kind === "literal" ? one.text : null, ...(one ? { holds: [one] } : {}) };
      this.origin = output?.origin ?? this.origin;
    }
    this.append("/dev/fd/63");
  }

  private parameter(part: ParameterPart, whole: boolean): void {
    // Once for the word: many expansions in one would take time in their square.
    if (!this.flagged) spendText(this.word.raw.length);
    if (!this.flagged && expandsAgain(this.word.raw)) this.machine.exceeded("zsh flags expand a value once more");
    this.flagged = true;
    const { machine, store } = this;
    const index = part.index && subscript(machine, part.index, store, foldAtom);
    const fold = {
      atom: (word: Word): Atom => foldAtom(machine, word, store),
      pattern: (word: Word): string | undefined => foldPattern(machine, word, store),
    };
    this.runNames(part);
    const of = wordOfParameter(part);
    const quoted = part.quoted || whole;
    if (part.operator === "@" && part.words[0]?.raw === "P") {
      const base = parameterValue(machine, { ...part, operator: "", words: [] }, index, store, fold);
      for (const one of isList(base) ? base : [textOf(base)])
        this.value(expandedAgain(machine, one.template ?? one.text, this.word, store, foldAtom), quoted, of);
      return;
    }
    const value = parameterValue(machine, part, index, store, fold);
    if (!isList(value)) {
      const one = textOf(value);
      // `"$@"` may be any number of words even inside quotes.
      if (one.kind === "unknown" && (part.name === "@" || part.index?.raw === "@") && !whole) this.open = true;
      this.value(one, quoted, of, true);
      return;
    }
    this.list(value, part, whole, of);
  }

  /**
   * Runs the substitutions in the names and numbers of an expansion: the subscript in the name that `${!x}` holds, the bounds of
   * `${x:a:b}`.
   */
  private runNames(part: ParameterPart): void {
    const { machine, store, word } = this;
    const named = part.prefix === "!" ? store.get(part.name) : undefined;
    for (const one of named ? alternativesOf(named) : [])
      if (isText(one)) nameText(machine, one.template ?? one.text, word, store, foldAtom);
    // Of a variable that is not set no part is taken.
    const grade = part.operator === ":" && !store.get(part.name) ? { grade: "maybe" as const } : {};
    if (part.operator === ":")
      within(machine, grade, () => {
        for (const { raw } of part.words) arithmetic(machine, raw, word, store, foldAtom);
      });
  }

  private list(items: readonly Atom[], part: ParameterPart, whole: boolean, of: string): void {
    const isJoined = (part.quoted || whole) && (part.name === "*" || part.index?.raw === "*");
    spend(items.length);
    const separator = isJoined ? this.store.textOf("IFS") : undefined;
    items.forEach((item, i) => {
      if (i > 0 && isJoined && separator?.kind !== "literal") this.value(unknownAtom, true, of);
      else if (i > 0 && isJoined) this.append(separator?.text.slice(0, 1) ?? " ");
      else if (i > 0 && whole) this.append(" ");
      else if (i > 0) this.flush();
      this.value(item, part.quoted || whole, of, true);
    });
  }
}

/** Returns a parameter's value as one text; an unset one is empty. */
function textOf(value: Candidate): Atom {
  return isText(value) ? value : literalAtom("");
}
