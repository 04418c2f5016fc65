import type { Text } from "../../schema/approximation.ts";
import type { RunSource, TreeTakes } from "../../schema/facts.ts";
import type { Draft } from "../shell/draft.ts";
import type { Field } from "../shell/fields.ts";
import { type Arguments, type Grammar, given, valueOf, valuesOf } from "./grammar.ts";

/**
 * How a path is read: with all beneath it, only names and attributes and no content, or not for certain. `certain`
 * defaults to true.
 */
export interface ReadOptions {
  readonly recursive?: boolean;
  /** The part of the tree that is read, if not all of it. */
  readonly takes?: TreeTakes | undefined;
  readonly metadata?: boolean;
  readonly certain?: boolean;
  /** Set for a word that is either a path or something that reads nothing, such as a revision: no doubt about the command. */
  readonly perhaps?: true;
}

/** One ref of a push: the remote, the branch (undefined: the current one), and whether history there may be lost. */
export interface PushReport {
  readonly remote: Text;
  readonly branch: Text | undefined;
  /** The work tree whose branch is the current one, if it is not the work tree of the command's folder. */
  readonly folder?: Field | undefined;
  readonly forced: boolean;
  readonly mirror: boolean;
  readonly delete: boolean;
  readonly certain: boolean;
}

/**
 * How a folder's content changes as a whole. `replaced`: all of it comes from elsewhere; `perhaps`: the same, unless the folder
 * exists and the new folder is put inside it. `tracked`: git changes files that it tracks; `untracked`: it removes those that it
 * does not; `ignored`: also those that it ignores. `patched`: a patch describes the changes.
 */
export type TreeChange = "replaced" | "perhaps" | "tracked" | "untracked" | "ignored" | "patched";

/** Interface by which a row reports its program's effects. An unknown word alone makes the effect uncertain. */
export interface Reporter {
  read(path: Field, options?: ReadOptions): void;
  write(path: Field, certain?: boolean): void;
  /**
   * Writes `inside` if `target` is a folder. `sure` is true if it surely is; otherwise the write is only possible, which casts no
   * doubt on the command. `tree` is true if a whole folder is written there.
   */
  writeInside(target: Field, inside: Field, sure: boolean, tree?: boolean): void;
  /** Reports a link that is made at a place: its target stays as it is. */
  link(path: Field): void;
  /** Reports that missing parent folders of a path are made too. */
  folders(path: Field): void;
  /** False for a path that is a file on the disk. */
  mayBeFolder(path: Field): boolean;
  /** Reports a folder whose content changes as a whole, beside the writes; `patch` is the file that names the changes. */
  tree(folder: Field, how: TreeChange, patch?: Field): void;
  /** Returns the top of a folder's repository; the folder itself if there is none. */
  repository(folder: Field): string;
  delete(path: Field, recursive: boolean, certain?: boolean): void;
  /** Reports a run; `source` is the origin of the code, if that of the whole command does not apply. */
  run(target: Text, certain?: boolean, source?: RunSource): void;
  /** Reports a request to a host. `later`: a later call will use this address. */
  network(url: Field | string, direction: "upload" | "download" | "both", certain?: boolean | "later"): void;
  /** Reports a package; `version` is what an option of the call says of it. */
  install(manager: string, source: Text, name: Text, version?: string): void;
  push(push: PushReport): void;
  /** Reports that later commands run on another branch; undefined if the branch is not known. */
  onBranch(branch: Text | undefined): void;
  /** Reports a new work tree, whose branch is not known. */
  newTree(): void;
  /** Reports a change of settings. Of a target known in part only its name is uncertain, not that it changes. */
  config(target: Text, certain?: boolean): void;
  kill(target: Text, certain?: boolean): void;
  /** Records that not all effects of this command are known. */
  doubt(reason: string): void;
}

/** One command as a row sees it: options and operands read by the row's own grammar. */
export interface Call {
  readonly draft: Draft;
  readonly program: string;
  readonly subcommand: string;
  readonly args: Arguments;
  readonly operands: readonly Field[];
  /** All words after the program. */
  readonly words: readonly Field[];
  readonly to: Reporter;
  has(option: string): boolean;
  value(option: string): Field | undefined;
  values(option: string): readonly Field[];
}

/** Reports through `call.to` what one command does; a row of the program tables. It does no I/O. */
export type Effects = (call: Call) => void;

/** How one subcommand reads its words and what it does. */
export interface Subcommand {
  readonly names: readonly string[];
  readonly grammar?: Grammar;
  /** Subcommands below this one; where none is given or known, its own effects hold. */
  readonly subcommands?: readonly Subcommand[];
  readonly effects?: Effects;
}

/** One program: its names, the grammar of its words, its effects. A row without `effects` has no effects. */
export interface Program {
  readonly names: readonly string[];
  readonly grammar?: Grammar;
  readonly subcommands?: readonly Subcommand[];
  /** How many leading operands make up the subcommand (`s3 rm`), for programs whose verbs are not listed one by one. */
  readonly chain?: (operands: readonly Field[]) => number;
  /** With `chain`: whether an unknown word may be one more word of it. */
  readonly mayGoOn?: (operands: readonly Field[]) => boolean;
  /**
   * True for operands that begin with a subcommand, in a row that reads its subcommands itself. It tells whether an unknown option
   * before them may have taken a word.
   */
  readonly begins?: (operands: readonly Field[]) => boolean;
  /** Effects of a subcommand that has no row. */
  readonly effects?: Effects;
  /** The first word may be bundled options without a dash (`tar xzf`). */
  readonly dashless?: boolean;
  /** Its words are data: an unknown one does not change its effects. */
  readonly data?: boolean;
  /** It prints text that it reads: beyond its effects it changes nothing. */
  readonly filter?: boolean;
}

/** A command read by its program's own grammar. */
export interface Description {
  readonly program: Program | undefined;
  readonly sub: Subcommand | undefined;
  readonly subcommand: string;
  /** The words of the subcommand. */
  readonly chain: readonly Field[];
  readonly args: Arguments;
}

/** A row with options given as strings. */
export function program(names: string, options: readonly string[], effects?: Effects): Program {
  return { names: names.split(" "), grammar: { options }, ...(effects ? { effects } : {}) };
}

/** A subcommand's row with options given as strings; `names` are separated by spaces. */
export function subcommand(names: string, options: readonly string[], effects?: Effects): Subcommand {
  return { names: names.split(" "), grammar: { options }, ...(effects ? { effects } : {}) };
}

/**
 * Returns a row whose long options are only known by their whole names. A name cut off from an option with a value would take an
 * operand for it, where the program has a switch of that name which the row does not list.
 */
export function exactly<Row extends Program | Subcommand>(row: Row): Row {
  const below = row.subcommands?.map((one) => exactly(one));
  return { ...row, grammar: { ...row.grammar, exact: true }, ...(below ? { subcommands: below } : {}) };
}

/** Binds a command's words to the row's view of them; `sub` is empty for a program without subcommands. */
export function makeCall(draft: Draft, name: string, sub: string, args: Arguments, to: Reporter): Call {
  return new BoundCall(draft, name, sub, args, to);
}

/** A class, since three closures for every command cost more than the work of most rows. */
class BoundCall implements Call {
  readonly draft: Draft;
  readonly program: string;
  readonly subcommand: string;
  readonly args: Arguments;
  readonly operands: readonly Field[];
  readonly words: readonly Field[];
  readonly to: Reporter;

  constructor(draft: Draft, name: string, sub: string, args: Arguments, to: Reporter) {
    this.draft = draft;
    this.program = name;
    this.subcommand = sub;
    this.args = args;
    this.operands = args.operands;
    this.words = draft.args;
    this.to = to;
  }

  has(option: string): boolean {
    return given(this.args, option);
  }

  value(option: string): Field | undefined {
    return valueOf(this.args, option);
  }

  values(option: string): readonly Field[] {
    return valuesOf(this.args, option);
  }
}

/** Reads every operand as a file; `-` is the input. */
export function readAll(call: Call, options: ReadOptions = {}): void {
  for (const operand of call.operands)
    if (operand.text !== "-" || operand.kind !== "literal") call.to.read(operand, options);
}
