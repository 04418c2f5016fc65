import { spend } from "../../meter.ts";
import { mayChangeRun, runVariablesFrom } from "../../programs/run-variables.ts";
import type { Input } from "../draft.ts";
import { type Atom, type Field, literalAtom, unknownVariable } from "../fields.ts";
import type { Tape } from "../tape.ts";
import {
  attributed,
  type Binding,
  type Callable,
  type EndText,
  type Frame,
  type Setting,
  type Status,
} from "./binding.ts";
import { Table } from "./table.ts";
import {
  anyValue,
  constantOf,
  eitherOf,
  exactly,
  isFew,
  isText,
  noValue,
  opened,
  singleOf,
  type Value,
} from "./value.ts";

/** An empty table, for entries of any kind. */
const empty: Table<never> = Table.of<never>([]);

/**
 * True for a name that unseen code is assumed to leave unchanged: a rule that allows such a text also lets it set variables that
 * select programs.
 */
function isKept(name: string): boolean {
  return name === "HOME" || name === "IFS" || mayChangeRun(name);
}

/** The complete state that a shell can change, at one point of the text. A fork copies only the fields, because tables are immutable. */
export class Store {
  variables: Table<Binding> = empty;
  frames: readonly Frame[] = [];
  /** Positional parameters from `$1`: lists. */
  positional: Value = anyValue;
  /** Possible folders of the shell; an empty text is an unknown one. `astray` is true once unseen code may have changed the folder. */
  folders: readonly string[] = [""];
  astray = false;
  /** The previous folder; empty if unknown. */
  previous = "";
  functions: Table<Callable> = empty;
  aliases: Table<Field> = empty;
  options: Table<Setting> = empty;
  /** Texts that may run as the shell ends; a later one replaces earlier ones, so any of them may run. */
  endings: readonly EndText<Store>[] = [];
  /** Once such a text may run at any time: all values that each variable has had since then. */
  past: Table<Value> | undefined = undefined;
  /** The input of a shell, and the number of records read from it. */
  input: Input = undefined;
  read = 0;
  /** Output that has a reader; undefined if it has none. */
  printed: Tape | undefined = undefined;
  status: Status = "ok";
  /** True if a failure of the last command means that a program did not do its work; a false test does its work. */
  blamed = false;
  /** True if this point is reached only because a program did not do its work. */
  excused = false;
  /** Number of runs of unseen code; variables bound before the last one may have changed. */
  epoch = 0;
  /** True once unseen code may run at any time, as a trap of `DEBUG` does. */
  unsettled = false;
  /** True once a variable may have several values. */
  several = false;
  /** Folders that the text itself has made. */
  made: Table<true> = empty;
  /** Names to which the text gave a value that may change which program runs. */
  moved: Table<true> = empty;

  /** Returns an independent copy of the store. */
  fork(): Store {
    spend(2);
    const copy = new Store();
    // Field by field, because a store is copied at every branch.
    copy.variables = this.variables;
    copy.frames = this.frames;
    copy.positional = this.positional;
    copy.folders = this.folders;
    copy.astray = this.astray;
    copy.previous = this.previous;
    copy.functions = this.functions;
    copy.aliases = this.aliases;
    copy.options = this.options;
    copy.endings = this.endings;
    copy.past = this.past;
    copy.input = this.input;
    copy.read = this.read;
    copy.printed = this.printed;
    copy.status = this.status;
    copy.blamed = this.blamed;
    copy.excused = this.excused;
    copy.epoch = this.epoch;
    copy.unsettled = this.unsettled;
    copy.several = this.several;
    copy.made = this.made;
    copy.moved = this.moved;
    return copy;
  }

  /** Returns the value of a variable; undefined if nothing in the text or the environment sets it. */
  get(name: string): Value | undefined {
    spend(1);
    const binding = this.resolved(name);
    if (binding === "any") return anyValue;
    if (binding) return this.isStale(binding, name) ? opened(binding.value) : binding.value;
    if (name === "PWD") return this.folderValue();
    if (name === "OLDPWD") return this.previous === "" ? anyValue : exactly(literalAtom(this.previous));
    return undefined;
  }

  /** Returns the single text of a variable; undefined for a list, for several candidates, and if nothing sets it. */
  textOf(name: string): Atom | undefined {
    const value = this.get(name);
    const one = value && singleOf(value);
    return one && isText(one) ? one : undefined;
  }

  /** True if a variable that is not known to be set may have a value. */
  get mayBeSet(): boolean {
    return this.epoch > 0 || this.unsettled;
  }

  /** True if something that a command mentions may have several values. */
  get mayVary(): boolean {
    return this.several || this.mayBeSet || this.folders.length > 1 || isFew(this.positional);
  }

  private isStale({ epoch }: Binding, name: string): boolean {
    return (epoch < this.epoch || (this.unsettled && epoch !== Number.POSITIVE_INFINITY)) && !isKept(name);
  }

  private folderValue(): Value {
    const known = eitherOf(this.folders.map((folder) => (folder === "" ? anyValue : exactly(literalAtom(folder)))));
    return this.astray ? opened(known) : known;
  }

  /** Returns the binding of a name, following name references. */
  private resolved(name: string): Binding | "any" | undefined {
    const target = this.target(name);
    return target === undefined ? "any" : this.variables.get(target);
  }

  /** Returns the variable that a name refers to; undefined if that is unknown. */
  target(name: string): string | undefined {
    let at = name;
    for (let i = 0; i < longestChain; i++) {
      const binding = this.variables.get(at);
      if (!binding?.attributes.includes("n")) return at;
      const next = binding.wavering || this.isStale(binding, at) ? undefined : constantOf(binding.value);
      if (next === undefined || !/^[A-Za-z_]\w*$/.test(next)) return undefined;
      at = next;
    }
    return undefined;
  }

  /** Assigns a variable a value under its attributes; false if it is read-only. */
  set(name: string, value: Value): boolean {
    if (name === unknownVariable) return true;
    const target = this.target(name);
    if (target === undefined) {
      this.forgetNames("");
      return true;
    }
    const before = this.variables.get(target);
    if (before?.attributes.includes("r")) {
      if (!before.wavering) return false;
      this.bind(target, { ...before, value: eitherOf([before.value, attributed(value, before)]) });
      return true;
    }
    const given = before?.attributes ? attributed(value, before) : value;
    const exported = before?.exported === true || this.option("allexport") !== "off";
    this.bind(target, { value: given, exported, attributes: before?.attributes ?? "", epoch: this.epoch });
    return true;
  }

  /** Sets a binding as it is, without regard to the old one's attributes. */
  bind(name: string, binding: Binding | undefined): void {
    spend(1);
    if (this.past) {
      const values = [this.past.get(name) ?? this.get(name) ?? noValue, binding?.value ?? noValue];
      this.past = this.past.with(name, eitherOf(values));
    }
    if (mayChangeRun(name) && !this.moved.has(name)) this.moved = this.moved.with(name, true);
    if (binding) {
      this.several ||= isFew(binding.value);
      this.variables = this.variables.with(name, binding);
    } else this.variables = this.variables.without(name);
  }

  /** Marks a variable as seen by the programs that are started from here. */
  exportName(name: string, exported = true): void {
    const before = this.variables.get(name);
    if (before) this.bind(name, { ...before, exported });
    else if (exported)
      this.bind(name, { value: this.get(name) ?? anyValue, exported, attributes: "", epoch: this.epoch });
  }

  /** Returns the state of an option of the shell; an option that nothing set is off. */
  option(name: string): Setting {
    return this.options.get(name) ?? "off";
  }

  /** Sets an option of the shell. */
  setOption(name: string, setting: Setting): void {
    this.options = this.options.with(name, setting);
  }

  /** Records that unseen code ran in this shell: values that it can change become open, and keep their candidates. */
  havoc(): void {
    this.epoch += 1;
    this.open();
  }

  /** Counts repeated runs of unseen code as one: variables are bound before it or since. */
  recount(): void {
    if (this.epoch < 2) return;
    spend(this.variables.size >> 2);
    for (const [name, binding] of this.variables) {
      const epoch = binding.epoch < this.epoch ? 0 : 1;
      if (binding.epoch !== epoch) this.variables = this.variables.with(name, { ...binding, epoch });
    }
    this.epoch = 1;
  }

  /** Opens everything that a shell can change, at any time from here on. */
  unsettle(): void {
    this.unsettled = true;
    this.open();
  }

  private open(): void {
    this.positional = opened(this.positional);
    this.astray = true;
    this.previous = "";
    this.openFunctions();
    for (const name of new Set(["errexit", "pipefail", "allexport", ...this.options.names()]))
      if (this.option(name) === "off") this.setOption(name, "either");
    this.read = Number.POSITIVE_INFINITY;
  }

  /** Opens all functions: each may be another, or none. */
  openFunctions(): void {
    spend(this.functions.size >> 2);
    if ([...this.functions].some(([, { open }]) => !open))
      this.functions = this.functions.map(({ bodies }) => ({ bodies, open: true }));
  }

  /** Opens every variable with this name prefix, because one of them got an unknown value. */
  forgetNames(beginning: string): void {
    spend(1 + this.variables.size);
    if (beginning === "") this.epoch += 1;
    const names = [...this.variables.names(), ...runVariablesFrom(beginning)].filter((name) =>
      name.startsWith(beginning),
    );
    for (const name of names) {
      const before = this.variables.get(name);
      const value = before ? opened(before.value) : anyValue;
      if (before || mayChangeRun(name))
        this.bind(name, { exported: false, attributes: "", ...before, value, epoch: this.epoch });
    }
  }

  /** Changes to another folder; an empty text is an unknown one. */
  moveTo(folder: string): void {
    this.previous = this.folders.length === 1 && !this.astray ? (this.folders[0] as string) : "";
    this.folders = [folder];
    this.astray = false;
    for (const name of ["PWD", "OLDPWD"]) if (this.variables.has(name)) this.bind(name, undefined);
  }

  /** The folder reported for commands; empty if unknown. */
  get folder(): string {
    return this.folders.length === 1 ? (this.folders[0] as string) : "";
  }
}

// Longest chain of name references that is followed.
const longestChain = 8;
