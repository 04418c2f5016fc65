import type { Hole } from "../../../schema/approximation.ts";
import { limits } from "../../../schema/limits.ts";
import { spend } from "../../meter.ts";
import { type Atom, type Field, knownOf, type Origin, unknownField, unknownVariable } from "../fields.ts";
import type { Word } from "../syntax.ts";
import type { Machine } from "./machine.ts";
import type { Store } from "./store.ts";

/** Fields of one word as they come to be, text by text. */
export class Gathering {
  protected readonly done: Field[] = [];
  protected text = "";
  protected template = "";
  /** The known pieces with holes, once a part is unknown. */
  protected pieces: (string | Hole)[] | undefined;
  protected kind: "literal" | "pattern" | "unknown" = "literal";
  protected glob = false;
  protected open = false;
  protected started = false;
  /** True if the value already represents several paths, so that quotes do not make it a constant. */
  protected listed = false;
  protected more: Pick<Field, "content" | "feeds" | "holds"> = {};
  protected origin: Origin | undefined;
  protected likely: string | undefined;
  /** True when the gathered pieces do not tell the word. */
  protected lost = false;
  protected readonly machine: Machine;
  protected readonly word: Word;
  protected readonly store: Store;

  constructor(machine: Machine, word: Word, store: Store) {
    this.machine = machine;
    this.word = word;
    this.store = store;
  }

  protected whole(): Atom {
    const kind = this.kind === "pattern" && !this.listed ? "literal" : this.kind;
    return { text: this.bounded(), kind, ...this.templated() };
  }

  /** Adds the value of an expansion: split and globbed unless quoted. */
  protected value(value: Atom, quoted: boolean, of: string, isParameter = false): void {
    this.origin = value.origin ?? this.origin;
    if (value.kind === "unknown") {
      this.likely = undefined;
      this.kind = "unknown";
      this.open ||= !quoted;
      const before = this.template;
      const pieces = this.pieces ?? [this.text];
      this.pieces = undefined;
      this.append(value.text);
      for (const piece of knownOf(value, of)) pieces.push(piece);
      this.pieces = pieces;
      this.template = `${before}${value.template ?? `\${${unknownVariable}}`}`;
      return;
    }
    if (value.kind === "pattern") {
      this.globbed();
      this.listed = true;
    }
    if (quoted || (isParameter && this.machine.dialect === "zsh" && !this.store.mayBeSet)) {
      // zsh takes an empty value away, and splits none.
      if (quoted || value.text !== "") this.append(value.text);
      return;
    }
    const separators = this.store.textOf("IFS");
    if (separators?.kind === "literal") this.split(value.text, separators.text);
    else this.value({ text: value.text, kind: "unknown" }, false, of, isParameter);
  }

  protected split(text: string, separators: string): void {
    spend((text.length + separators.length) >> 3);
    const marks = new Set(separators.split(""));
    const isGlobbing = this.store.option("noglob") !== "on";
    let from = 0;
    // A blank beside another separator is part of it.
    let afterBlank = false;
    for (let i = 0; i <= text.length; i++) {
      if (i < text.length && !marks.has(text[i] as string)) continue;
      const isBlank = i < text.length && /\s/.test(text[i] as string);
      if (i > from) {
        this.append(text.slice(from, i));
        if (isGlobbing && /[*?[]/.test(text.slice(from, i))) this.globbed();
      } else if (i < text.length && !isBlank && !this.started && !afterBlank) this.append("");
      if (i < text.length) this.flush();
      afterBlank = isBlank && (afterBlank || i > from);
      from = i + 1;
    }
  }

  protected append(text: string): void {
    this.started = true;
    if (this.text.length + text.length > limits.shellLength) {
      this.machine.exceeded("a word is longer than can be analysed");
      return;
    }
    this.text += text;
    this.template += text;
    this.pieces?.push(text);
    if (this.likely !== undefined) this.likely += text;
  }

  protected globbed(): void {
    this.glob = true;
    if (this.kind === "literal") this.kind = "pattern";
  }

  protected bounded(): string {
    this.machine.spend(this.text.length);
    return this.text;
  }

  protected templated(): Pick<Atom, "template" | "known" | "origin"> {
    const known = this.pieces ? { known: { pieces: this.pieces, text: this.text } } : {};
    return {
      ...(this.kind === "unknown" ? { template: this.template, ...known } : {}),
      ...(this.origin ? { origin: this.origin } : {}),
    };
  }

  protected flush(): void {
    if (!this.started) return;
    const { kind, glob, open, likely } = this;
    const made: Field = {
      text: this.bounded(),
      kind,
      glob,
      open,
      verbatim: -1,
      place: this.word,
      ...this.more,
      ...this.templated(),
      ...(likely === undefined ? {} : { likely }),
    };
    this.done.push(this.lost ? unknownField(this.word, true) : made);
    if (glob && refusesGlobs(this.machine, this.store)) this.machine.around.refused ??= "word";
    this.text = "";
    this.template = "";
    this.pieces = undefined;
    this.kind = "literal";
    this.glob = false;
    this.open = false;
    this.started = false;
    this.likely = undefined;
  }
}

/** True where a glob that fits nothing is an error. */
function refusesGlobs({ dialect }: Machine, store: Store): boolean {
  return dialect === "zsh" || store.option("failglob") !== "off";
}
