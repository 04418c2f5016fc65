import type { Grammar } from "../grammar.ts";
import type { Language } from "./language.ts";

/** How an interpreter is given code. */
export interface Interpreter {
  readonly names: readonly string[];
  readonly grammar: Grammar;
  /** Undefined where its code is not read. */
  readonly language: Language | undefined;
  /** Options with code. */
  readonly inline: readonly string[];
  /** Options that name a module to run, and options that name a file with the code. */
  readonly modules?: readonly string[];
  readonly files?: readonly string[];
  /** The first operand is code. */
  readonly operand?: boolean;
}
