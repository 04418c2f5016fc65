/**
 * Our own syntax tree of a shell text. The parser behind it stays in `parse.ts`; every later pass knows
 * only these types. Offsets are UTF-16 units into the outermost text. Source: libraries page, "shell parsing".
 */

/** Half-open range of the outermost text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** One piece of a word. `quoted` pieces are neither split nor globbed. */
export type Part =
  | { readonly kind: "text"; readonly value: string; readonly quoted: boolean }
  | { readonly kind: "glob"; readonly value: string }
  | ParameterPart
  | { readonly kind: "command"; readonly script: Sequence; readonly quoted: boolean }
  | {
      readonly kind: "arithmetic";
      /** The expression as written. */
      readonly raw: string;
      readonly scripts: readonly Sequence[];
      readonly words: readonly Word[];
      readonly quoted: boolean;
    }
  | { readonly kind: "process"; readonly direction: "<" | ">"; readonly script: Sequence };

/** `$X`, `${X:-y}`, `${a[0]}`. `operator` is empty for a plain expansion, `?` for one we do not model. */
export interface ParameterPart {
  readonly kind: "parameter";
  readonly name: string;
  readonly prefix: "" | "!" | "#";
  readonly operator: string;
  /** Words of the operation: operand, or pattern and replacement, or offset and length. */
  readonly words: readonly Word[];
  readonly index: Word | undefined;
  readonly quoted: boolean;
}

/** A word as written, before expansion; it may become several fields or none. */
export interface Word extends Place {
  readonly kind: "word";
  /** Source text, undecoded. */
  readonly raw: string;
  readonly parts: readonly Part[];
  /** True when braces of the raw text expand to several words. */
  readonly braces: boolean;
  /** Offset of the verbatim folded text in the outermost text, or -1. */
  readonly verbatim: number;
}

/** `NAME=value`, `NAME+=value` (`append`), `NAME[index]=value`, or `NAME=(…)`. */
export interface Assignment extends Place {
  readonly kind: "assignment";
  readonly name: string;
  readonly append: boolean;
  readonly index: Word | undefined;
  /** One word, or the elements of an array. */
  readonly value: Word | readonly Word[];
}

/** A redirection. A here-document or here-string has a `body` instead of a target. */
export interface Redirection extends Place {
  readonly operator: string;
  /** File descriptor as written, or -1. */
  readonly descriptor: number;
  readonly target: Word | undefined;
  readonly body: Word | undefined;
}

/** One simple command. Without words, its assignments set variables of the shell itself. */
export interface Simple extends Place {
  readonly kind: "simple";
  readonly assignments: readonly Assignment[];
  /** Program word and arguments; assignments only as arguments of declaring builtins. */
  readonly words: readonly (Word | Assignment)[];
  readonly redirects: readonly Redirection[];
}

/** Commands run one after the other: a whole script, or the body of a compound command. */
export interface Sequence extends Place {
  readonly kind: "sequence";
  readonly items: readonly Node[];
}

/** `for NAME in words`. `bodyText` is the body's source, to see whether the variable is used in it. */
export interface For extends Place {
  readonly kind: "for";
  readonly name: string;
  /** Undefined: over the positional parameters. */
  readonly words: readonly Word[] | undefined;
  readonly body: Sequence;
  readonly bodyText: string;
  /** True for `select`, which asks for a word. */
  readonly asks?: true;
}

/** Any command; `negated` behind a `!`. Constructs that differ only in spelling share a kind: `loop` is `while`, `until` and `for ((…))`. */
export type Node = Command & { readonly negated?: true };

type Command =
  | Simple
  | Sequence
  | For
  | (Place & {
      readonly kind: "pipeline";
      readonly items: readonly Node[];
      /** For each command whether its errors go with its output (`|&`). */
      readonly merges: readonly boolean[];
    })
  | (Place & {
      readonly kind: "logical";
      readonly items: readonly Node[];
      readonly operators: readonly ("&&" | "||")[];
    })
  | (Place & {
      readonly kind: "subshell";
      readonly body: Node /** Behind it stands a `&`. */;
      readonly background?: true;
    })
  | (Place & { readonly kind: "redirected"; readonly body: Node; readonly redirects: readonly Redirection[] })
  | (Place & {
      readonly kind: "if";
      readonly tests: readonly Sequence[];
      readonly bodies: readonly Sequence[];
      readonly otherwise: Sequence | undefined;
    })
  | (Place & {
      readonly kind: "loop";
      readonly head: readonly Node[];
      readonly body: Sequence;
      /** `until` ends where its head succeeds; the head of `for ((…))` holds those of its three parts that exist. */
      readonly how: "while" | "until" | "counting";
    })
  | (Place & {
      readonly kind: "case";
      readonly word: Word;
      readonly items: readonly {
        readonly patterns: readonly Word[];
        readonly body: Sequence;
        /** The part that follows the body of a case: the next body, or the next patterns. */
        readonly falls?: ";&" | ";;&";
      }[];
    })
  | (Place & { readonly kind: "function"; readonly name: string; readonly body: Node })
  | (Place & {
      readonly kind: "evaluation";
      /** Source text: `((…))`, `[[…]]`, or a part of `for ((…))`. */
      readonly raw: string;
      readonly words: readonly Word[];
      readonly scripts: readonly Sequence[];
    });

/** Why a text was not understood. */
export interface Problem {
  readonly kind: "problem";
  readonly reason: string;
  readonly at: number;
  /** True if the parser found that this is no shell text. */
  readonly syntax?: boolean;
}

/** Tells an array assignment, `a=(x y)`, from a scalar one. */
export function isWordList(value: Word | readonly Word[]): value is readonly Word[] {
  return Array.isArray(value);
}
