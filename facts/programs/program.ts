import type { RunSource } from "../../schema/facts.ts";
import type { Draft } from "../shell/draft.ts";
import type { Field } from "../shell/fields.ts";
import { type Arguments, type Grammar, given, valueOf, valuesOf } from "./grammar.ts";

/**
 * How a path is read: with all beneath it, only names and attributes and no content, or not for certain. `certain`
 * defaults to true.
 */
export interface ReadOptions {
  readonly recursive?: boolean;
  readonly metadata?: boolean;
  readonly certain?: boolean;
}

/** One ref of a `git push`: where to, which branch, and whether history there may be lost. */
export interface PushReport {
  readonly remote: string;
  readonly branch: string;
  readonly forced: boolean;
  readonly mirror: boolean;
  readonly delete: boolean;
  readonly certain: boolean;
}

/** Where a row says what its program does. A word that is not known makes the effect uncertain by itself. */
export interface Reporter {
  read(path: Field, options?: ReadOptions): void;
  write(path: Field, certain?: boolean): void;
  /** Writes `inside` if `target` is a folder, which `sure` says; otherwise it only may, and that is no doubt about the command. */
  writeInside(target: Field, inside: Field, sure: boolean): void;
  delete(path: Field, recursive: boolean, certain?: boolean): void;
  /** `source` says where the code comes from, if the command as a whole does not. */
  run(target: string, certain?: boolean, source?: RunSource): void;
  /** `later`: not by this call, but its address is what a later one will use. */
  network(url: Field | string, direction: "upload" | "download" | "both", certain?: boolean | "later"): void;
  install(manager: string, source: string, name: string): void;
  push(push: PushReport): void;
  config(target: string, certain?: boolean): void;
  kill(target: string, certain?: boolean): void;
  /** Not everything this command does is known. */
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

/** One program: names, how it reads its words, what it does. A row without effects has none. */
export interface Program {
  readonly names: readonly string[];
  readonly grammar?: Grammar;
  readonly subcommands?: readonly Subcommand[];
  /** How many leading operands make up the subcommand (`s3 rm`), for programs whose verbs are not listed one by one. */
  readonly chain?: (operands: readonly Field[]) => number;
  /** Effects of a subcommand that has no row. */
  readonly effects?: Effects;
  /** The first word may be bundled options without a dash (`tar xzf`). */
  readonly dashless?: boolean;
  /** Its words are data: one that is not known changes nothing about what it does. */
  readonly data?: boolean;
}

/** A row with options given as strings. */
export function program(names: string, options: readonly string[], effects?: Effects): Program {
  return { names: names.split(" "), grammar: { options }, ...(effects ? { effects } : {}) };
}

/** A subcommand's row with options given as strings; `names` are separated by spaces. */
export function subcommand(names: string, options: readonly string[], effects?: Effects): Subcommand {
  return { names: names.split(" "), grammar: { options }, ...(effects ? { effects } : {}) };
}

/** Binds a command's words to the row's view of them; `sub` is empty for a program without subcommands. */
export function makeCall(draft: Draft, name: string, sub: string, args: Arguments, to: Reporter): Call {
  return new BoundCall(draft, name, sub, args, to);
}

/** A class, since three closures for every command cost more than what most rows do. */
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
