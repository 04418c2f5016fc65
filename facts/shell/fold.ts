import { limits } from "../../schema/limits.ts";
import { arithmeticValue, assignedIn, runningValues } from "./arithmetic.ts";
import { expandBraces } from "./braces.ts";
import { expandsAgain, runsCode } from "./dialects.ts";
import type { Input } from "./draft.ts";
import {
  type Atom,
  type Field,
  literalAtom,
  literalField,
  type Origin,
  unknownAtom,
  unknownField,
  unknownVariable,
} from "./fields.ts";
import { parameterValue } from "./parameters.ts";
import { parseShell } from "./parse.ts";
import { assign, type Choice, isArray, isChoice, lookup, type Scope } from "./scope.ts";
import type { Assignment, ParameterPart, Part, Place, Sequence, Word } from "./syntax.ts";

/** What folding asks of the walk: substitutions are walked, and their output is used where it is known. */
export interface Substitutions {
  /** Walks a substituted script in a scope of its own; its output when that is constant. */
  substitute(script: Sequence, scope: Scope, input?: Input): Atom | undefined;
  /** Says that a bound was passed; the whole text is then not understood. */
  exceeded(reason: string): void;
  /** Takes the length of a folded word from the budget of the analysis. */
  spend(length: number): void;
}

/** A word that needs no parser to be read. */
const plain = /^[\w./:@%+,-]+$/;

/**
 * Folds a word into the fields it stands for: none, one or several. With `later` the script of a `>(…)` is left to the
 * caller, who knows what is written to it.
 */
export function foldWord(word: Word, scope: Scope, walk: Substitutions, later = false): Field[] {
  if (!word.braces) return new Folding(word, scope, walk, later).fields();
  const raws = expandBraces(word.raw);
  if (!raws) {
    walk.exceeded("a brace expansion gives more words than can be analysed");
    return [];
  }
  return raws.flatMap((raw) => {
    if (plain.test(raw)) return [literalField(raw, word)];
    // The leading word keeps `raw` from being read as a keyword or an assignment.
    const tree = parseShell(`: ${raw}`, word);
    const node = tree.kind === "sequence" ? tree.items[0] : undefined;
    if (node?.kind !== "simple") return [unknownField(word, true)];
    return node.words
      .slice(1)
      .flatMap((part) => (part.kind === "word" ? new Folding(part, scope, walk, later).fields() : []));
  });
}

/** Folds a word to one atom, as in an assignment or a here-string: no splitting, no globbing. */
export function foldAtom(word: Word, scope: Scope, walk: Substitutions): Atom {
  return new Folding(word, scope, walk).atom();
}

/**
 * A text that is expanded once more, as `${x@P}` and an arithmetic value are: what it substitutes is run. Where the text
 * is not known, neither is what that runs.
 */
export function expandText(text: string, place: Place, scope: Scope, walk: Substitutions): Atom {
  const known = !text.includes(unknownVariable) && text !== "";
  const decoded = text.replace(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8) & 127),
  );
  const tree = parseShell(known ? `: "${decoded.replace(/"/g, '\\"')}"` : `eval "\${${unknownVariable}}"`, place);
  if (tree.kind === "problem") {
    walk.exceeded("a value that is expanded once more could not be parsed");
    return unknownAtom;
  }
  const node = tree.items[0];
  const word = node?.kind === "simple" ? node.words[1] : undefined;
  if (known && word?.kind === "word") return foldAtom(word, scope, walk);
  walk.substitute(tree, scope);
  return unknownAtom;
}

/** An assignment as the argument of `export` and the like: `NAME=value` as one field. */
export function foldAssignment(item: Assignment, scope: Scope, walk: Substitutions): Field {
  const value = isWordList(item.value) ? unknownAtom : foldAtom(item.value, scope, walk);
  return { text: `${item.name}=${value.text}`, kind: value.kind, glob: false, open: false, verbatim: -1, place: item };
}

/** Tells an array assignment, `a=(x y)`, from a scalar one. */
export function isWordList(value: Word | readonly Word[]): value is readonly Word[] {
  return Array.isArray(value);
}

/** The one text that a value has where it has any. */
function unlessEmpty({ choices }: Choice): string | undefined {
  const [one, ...more] = choices.filter((each) => isArray(each) || each.kind !== "literal" || each.text !== "");
  return one && !isArray(one) && one.kind === "literal" && more.length === 0 ? one.text : undefined;
}

/** The folding of one word, part by part. */
class Folding {
  private readonly done: Field[] = [];
  private text = "";
  private template = "";
  private kind: "literal" | "pattern" | "unknown" = "literal";
  private glob = false;
  private open = false;
  private started = false;
  /** True when a value stands for several paths by itself, so that quotes do not make it a constant. */
  private listed = false;
  /** True when the word was looked through for zsh flags. */
  private flagged = false;
  private content: string | null | undefined;
  private feeds: Sequence | undefined;
  private holds: readonly Atom[] | undefined;
  private origin: Origin | undefined;
  private likely: string | undefined;
  private readonly word: Word;
  private readonly scope: Scope;
  private readonly walk: Substitutions;
  private readonly later: boolean;

  constructor(word: Word, scope: Scope, walk: Substitutions, later = false) {
    this.word = word;
    this.scope = scope;
    this.walk = walk;
    this.later = later;
  }

  fields(): Field[] {
    const single = this.plain();
    if (single !== undefined) return [literalField(single, this.word, this.word.verbatim)];
    this.word.parts.forEach((part, i) => {
      this.part(i === 0 ? this.tilde(part) : part, false);
    });
    this.flush();
    return this.done;
  }

  atom(): Atom {
    const single = this.plain();
    if (single !== undefined) return literalAtom(single);
    const [only] = this.word.parts;
    if (only?.kind === "command" && this.word.parts.length === 1) {
      const value = this.walk.substitute(only.script, this.scope) ?? unknownAtom;
      // One of a few values is kept as such: the variable that gets it has several.
      if (isChoice(value)) return value;
      this.value(value, true);
      return this.whole();
    }
    this.word.parts.forEach((part, i) => {
      this.part(i === 0 ? this.tilde(part) : part, true);
    });
    return this.whole();
  }

  private whole(): Atom {
    const kind = this.kind === "pattern" && !this.listed ? "literal" : this.kind;
    return { text: this.bounded(), kind, ...this.templated() };
  }

  /** Text of a word that needs no expansion, which most are. */
  private plain(): string | undefined {
    const [part] = this.word.parts;
    if (this.word.parts.length !== 1 || part?.kind !== "text" || this.word.raw.startsWith("~")) return undefined;
    return part.value;
  }

  private tilde(part: Part): Part {
    if (!this.word.raw.startsWith("~") || part.kind !== "text") return part;
    const slash = part.value.indexOf("/");
    const name = slash < 0 ? part.value : part.value.slice(0, slash);
    const rest = slash < 0 ? "" : part.value.slice(slash);
    const folder = this.homeOf(name.slice(1));
    if (folder === undefined || folder.kind === "unknown") {
      this.kind = "unknown";
      this.started = true;
    }
    return { kind: "text", value: (folder?.text ?? "") + rest, quoted: true };
  }

  private homeOf(user: string): Atom | undefined {
    if (user === "+" || user === "-") {
      const value = lookup(this.scope, user === "+" ? "PWD" : "OLDPWD");
      return value && !isArray(value) ? value : undefined;
    }
    if (user === "root") return literalAtom("/root");
    if (user !== "") return { text: `/home/${user}`, kind: "unknown" };
    const home = lookup(this.scope, "HOME");
    return home && !isArray(home) ? home : undefined;
  }

  private part(part: Part, whole: boolean): void {
    switch (part.kind) {
      case "text":
        this.append(part.value);
        return;
      case "glob":
        if (this.scope.shared.zsh && runsCode(part.value)) this.walk.exceeded("a zsh glob runs code");
        this.append(part.value);
        this.globbed();
        return;
      case "parameter":
        this.parameter(part, whole);
        return;
      case "command":
        this.value(this.walk.substitute(part.script, this.scope) ?? unknownAtom, part.quoted || whole);
        return;
      case "arithmetic":
        for (const script of part.scripts) this.walk.substitute(script, this.scope);
        for (const word of part.words) foldAtom(word, this.scope, this.walk);
        for (const text of runningValues(part.raw, this.scope)) expandText(text, this.word, this.scope, this.walk);
        this.value(arithmeticValue(part.raw, this.scope), true);
        for (const name of assignedIn(part.raw)) assign(this.scope, name, unknownAtom);
        return;
      case "process": {
        if (part.direction === ">" && this.later) this.feeds = part.script;
        const output = this.feeds
          ? undefined
          : this.walk.substitute(part.script, this.scope, part.direction === ">" ? null : undefined);
        this.content = part.direction === "<" && output?.kind === "literal" ? output.text : null;
        if (part.direction === "<" && output) this.holds = [output];
        this.origin = output?.origin ?? this.origin;
        this.append("/dev/fd/63");
      }
    }
  }

  private parameter(part: ParameterPart, whole: boolean): void {
    // Once for the word: many expansions in one would take time in their square.
    if (!this.flagged && expandsAgain(this.word.raw)) this.walk.exceeded("zsh flags expand a value once more");
    this.flagged = true;
    if (part.operator === "@" && part.words[0]?.raw === "P") {
      const base = parameterValue({ ...part, operator: "", words: [] }, this.scope, (word) =>
        foldAtom(word, this.scope, this.walk),
      );
      for (const one of isArray(base) ? base : [base])
        this.value(expandText(one.template ?? one.text, this.word, this.scope, this.walk), part.quoted || whole);
      return;
    }
    const value = parameterValue(part, this.scope, (word) => foldAtom(word, this.scope, this.walk));
    const quoted = part.quoted || whole;
    if (!isArray(value)) {
      // `"$@"` may be any number of words even inside quotes.
      if (value.kind === "unknown" && (part.name === "@" || part.index !== undefined) && !whole) this.open = true;
      this.value(value, quoted);
      return;
    }
    const joined = part.quoted && (part.name === "*" || part.index?.raw === "*");
    value.forEach((item, i) => {
      if (i > 0 && (joined || whole)) this.append(" ");
      else if (i > 0) this.flush();
      this.value(item, quoted);
    });
  }

  /** Adds the value of an expansion: split and globbed unless quoted. */
  private value(value: Atom, quoted: boolean): void {
    this.origin = value.origin ?? this.origin;
    if (value.kind === "unknown") {
      const likely = this.kind === "unknown" || !isChoice(value) ? undefined : unlessEmpty(value);
      this.likely = likely === undefined ? undefined : this.text + likely;
      this.kind = "unknown";
      this.open ||= !quoted;
      const before = this.template;
      this.append(value.text);
      this.template = `${before}${value.template ?? `\${${unknownVariable}}`}`;
      return;
    }
    if (value.kind === "pattern") {
      this.globbed();
      this.listed = true;
    }
    if (quoted) {
      this.append(value.text);
      return;
    }
    const separators = this.separators();
    if (separators === undefined) {
      this.value({ text: value.text, kind: "unknown" }, false);
      return;
    }
    this.split(value.text, separators);
  }

  private split(text: string, separators: string): void {
    let from = 0;
    for (let i = 0; i <= text.length; i++) {
      if (i < text.length && !separators.includes(text[i] as string)) continue;
      if (i > from) {
        this.append(text.slice(from, i));
        if (/[*?[]/.test(text.slice(from, i))) this.globbed();
      }
      if (i < text.length) this.flush();
      from = i + 1;
    }
  }

  /** The field separators in force, or undefined when not known. */
  private separators(): string | undefined {
    const value = lookup(this.scope, "IFS");
    if (!value) return " \t\n";
    return isArray(value) || value.kind !== "literal" ? undefined : value.text;
  }

  private append(text: string): void {
    this.started = true;
    if (this.text.length + text.length > limits.shellLength) {
      this.walk.exceeded("a word is longer than can be analysed");
      return;
    }
    this.text += text;
    this.template += text;
    if (this.likely !== undefined) this.likely += text;
  }

  private globbed(): void {
    this.glob = true;
    if (this.kind === "literal") this.kind = "pattern";
  }

  private bounded(): string {
    this.walk.spend(this.text.length);
    return this.text;
  }

  private templated(): { template?: string; origin?: Origin } {
    return {
      ...(this.kind === "unknown" ? { template: this.template } : {}),
      ...(this.origin ? { origin: this.origin } : {}),
    };
  }

  private flush(): void {
    if (!this.started) return;
    const { kind, glob, open } = this;
    const content =
      this.content === undefined
        ? {}
        : {
            content: this.content,
            ...(this.holds ? { holds: this.holds } : {}),
            ...(this.feeds ? { feeds: this.feeds } : {}),
          };
    this.done.push({
      text: this.bounded(),
      kind,
      glob,
      open,
      verbatim: -1,
      place: this.word,
      ...content,
      ...this.templated(),
      ...(this.likely === undefined ? {} : { likely: this.likely }),
    });
    this.text = "";
    this.template = "";
    this.kind = "literal";
    this.glob = false;
    this.open = false;
    this.started = false;
    this.likely = undefined;
  }
}
