import { limits } from "../../schema/limits.ts";
import { expandBraces } from "./braces.ts";
import type { Input } from "./draft.ts";
import {
  type Atom,
  type Field,
  literalAtom,
  literalField,
  unknownAtom,
  unknownField,
  unknownVariable,
} from "./fields.ts";
import { parameterValue } from "./parameters.ts";
import { parseShell } from "./parse.ts";
import { isArray, lookup, type Scope } from "./scope.ts";
import type { Assignment, ParameterPart, Part, Sequence, Word } from "./syntax.ts";

/** What folding asks of the walk: substitutions are walked, and their output is used where it is known. */
export interface Substitutions {
  /** Walks a substituted script in a scope of its own; its output when that is constant. */
  substitute(script: Sequence, scope: Scope, input?: Input): Atom | undefined;
  /** Says that a bound was passed; the whole text is then not understood. */
  exceeded(reason: string): void;
  /** Takes the length of a folded word from the budget of the analysis. */
  spend(length: number): void;
}

/** Folds a word into the fields it stands for: none, one or several. */
export function foldWord(word: Word, scope: Scope, walk: Substitutions): Field[] {
  if (!word.braces) return new Folding(word, scope, walk).fields();
  const raws = expandBraces(word.raw);
  if (!raws) {
    walk.exceeded("a brace expansion gives more words than can be analysed");
    return [];
  }
  return raws.flatMap((raw) => {
    // The leading word keeps `raw` from being read as a keyword or an assignment.
    const tree = parseShell(`: ${raw}`, word);
    const node = tree.kind === "sequence" ? tree.items[0] : undefined;
    if (node?.kind !== "simple") return [unknownField(word, true)];
    return node.words.slice(1).flatMap((part) => (part.kind === "word" ? new Folding(part, scope, walk).fields() : []));
  });
}

/** Folds a word to one atom, as in an assignment or a here-string: no splitting, no globbing. */
export function foldAtom(word: Word, scope: Scope, walk: Substitutions): Atom {
  return new Folding(word, scope, walk).atom();
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
  private content: string | null | undefined;
  private readonly word: Word;
  private readonly scope: Scope;
  private readonly walk: Substitutions;

  constructor(word: Word, scope: Scope, walk: Substitutions) {
    this.word = word;
    this.scope = scope;
    this.walk = walk;
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
    this.word.parts.forEach((part, i) => {
      this.part(i === 0 ? this.tilde(part) : part, true);
    });
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
        this.value({ text: "0", kind: "unknown" }, true);
        return;
      case "process": {
        const output = this.walk.substitute(part.script, this.scope, part.direction === ">" ? null : undefined);
        this.content = part.direction === "<" && output?.kind === "literal" ? output.text : null;
        this.append("/dev/fd/63");
      }
    }
  }

  private parameter(part: ParameterPart, whole: boolean): void {
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
    if (value.kind === "unknown") {
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
  }

  private globbed(): void {
    this.glob = true;
    if (this.kind === "literal") this.kind = "pattern";
  }

  private bounded(): string {
    this.walk.spend(this.text.length);
    return this.text;
  }

  private templated(): { template?: string } {
    return this.kind === "unknown" ? { template: this.template } : {};
  }

  private flush(): void {
    if (!this.started) return;
    const { kind, glob, open } = this;
    const content = this.content === undefined ? {} : { content: this.content };
    this.done.push({
      text: this.bounded(),
      kind,
      glob,
      open,
      verbatim: -1,
      place: this.word,
      ...content,
      ...this.templated(),
    });
    this.text = "";
    this.template = "";
    this.kind = "literal";
    this.glob = false;
    this.open = false;
    this.started = false;
  }
}
