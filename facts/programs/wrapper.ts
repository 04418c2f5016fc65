import type { Input } from "../shell/draft.ts";
import type { Atom, Field } from "../shell/fields.ts";

/** Something that a wrapper runs: words, or a shell text. */
export type Inner =
  | {
      readonly kind: "words";
      readonly fields: readonly Field[];
      readonly env?: readonly (readonly [string, Atom])[];
      /** Names of the variables that reach it, where the wrapper does not hand on all of them. */
      readonly keeps?: readonly string[];
      /** Working directory of the inner command where the wrapper changes it; empty when unknown. */
      readonly cwd?: string | Field;
      /** False if the words may not be a command. */
      readonly certain?: boolean;
      /** True when shell functions do not shadow the program. */
      readonly external?: boolean;
    }
  | {
      readonly kind: "text";
      readonly text: Field;
      readonly positional?: readonly Field[];
      /** Names of the variables that reach it, where the wrapper does not hand on all of them. */
      readonly keeps?: readonly string[];
      /** Working directory in which the text starts, if it differs; empty if unknown. */
      readonly cwd?: string | Field;
      /** False if the text may not be run. */
      readonly certain?: boolean;
      /** True when the text runs in the same shell (`eval`). */
      readonly here?: boolean;
      /** True when the text runs as its shell ends, with the variables of that time. */
      readonly later?: boolean;
      /** True when the text is in a file, so that the shell's input is left for its commands. */
      readonly file?: boolean;
      /** Path under which the file is run, if known. */
      readonly script?: string;
    };

/** The inner commands that a wrapper runs in one command. */
export interface Unwrapped {
  /** True when the wrapper is also a command of its own, with effects by its own row. */
  readonly self: boolean;
  readonly inner: readonly Inner[];
  /** Why what it runs is not known. */
  readonly doubt?: string;
  /** True when `inner` is all the code that it runs. */
  readonly analysed?: boolean;
}

/** A program that runs other programs. `unwrap` reads its words; undefined means that it is an ordinary command here. */
export interface Wrapper {
  readonly names: readonly string[];
  unwrap(args: readonly Field[], input: Input): Unwrapped | undefined;
}
