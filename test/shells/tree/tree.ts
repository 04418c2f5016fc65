import type {
  Atom,
  Builtin,
  Device,
  Extra,
  Flag,
  Format,
  FunctionName,
  Glob,
  Path,
  Program,
  SetOption,
  ShellOption,
  Special,
  Variable,
} from "./names.ts";

/**
 * A generated script as a tree. Every leaf is of a closed list, so that a script can name no file outside its scratch folder and run
 * no program outside the list. `print.ts` makes text of it, and `safe.ts` checks that text without knowing this tree.
 */
export type Script = readonly Statement[];

/** A word: parts side by side. */
export type Word = readonly Part[];

/** A literal text of a word. */
export type Literal =
  | Path
  | Device
  | Program
  | Builtin
  | SetOption
  | ShellOption
  | FunctionName
  | Variable
  | Atom
  | Flag
  | Format
  | Extra;

/** Operators of a parameter expansion. */
export type Operator =
  | ":-"
  | "-"
  | ":="
  | "="
  | ":+"
  | "+"
  | ":?"
  | "?"
  | "#"
  | "##"
  | "%"
  | "%%"
  | "/"
  | "//"
  | "/#"
  | "/%"
  | "^"
  | "^^"
  | ","
  | ",,"
  | "~"
  | "~~"
  | "@Q"
  | "@E"
  | "@P"
  | "@A"
  | "@a"
  | "@U"
  | "@u"
  | "@L"
  | "@K"
  | "@k"
  | ":";

/** One part of a word. */
export type Part =
  | { readonly part: "literal"; readonly text: Literal }
  | { readonly part: "single"; readonly texts: readonly (Literal | Glob)[] }
  | { readonly part: "ansi"; readonly text: Format }
  | { readonly part: "double"; readonly parts: Word }
  | { readonly part: "parameter"; readonly expansion: Parameter }
  | { readonly part: "substitution"; readonly body: Script; readonly ticks?: true }
  | { readonly part: "content"; readonly file: Word }
  | { readonly part: "arithmetic"; readonly value: Arithmetic; readonly old?: true }
  | { readonly part: "braces"; readonly items: readonly Word[] }
  | { readonly part: "range"; readonly from: "a" | "1" | "A" | "J"; readonly to: "3" | "c" | "M" | "L" }
  | { readonly part: "glob"; readonly glob: Glob }
  | { readonly part: "process"; readonly direction: "<" | ">"; readonly body: Script }
  | { readonly part: "code"; readonly body: Script }
  /** `'a[$(…)0]'`: a text that runs its body where it is evaluated as arithmetic. */
  | { readonly part: "subscript"; readonly body: Script }
  | { readonly part: "escaped"; readonly text: Literal };

/** `$x`, `${x…}`. */
export interface Parameter {
  readonly name: Variable | Special;
  readonly bare?: true;
  readonly before?: "!" | "#";
  readonly index?: Index;
  readonly operator?: Operator;
  readonly first?: Word;
  readonly second?: Word;
  /** `${!x*}` and `${!x@}`. */
  readonly names?: "*" | "@";
}

/** The subscript behind a name. */
export type Index = "@" | "*" | { readonly at: Word };

/** An arithmetic expression. */
export type Arithmetic =
  | { readonly number: number }
  | { readonly variable: Variable; readonly index?: Word }
  | { readonly word: Word }
  | {
      readonly left: Arithmetic;
      readonly operator: "+" | "-" | "*" | "%" | "<" | ">" | "==" | "&&" | "||" | "," | "<<";
      readonly right: Arithmetic;
    }
  | { readonly set: Variable; readonly operator: "=" | "+=" | "-="; readonly value: Arithmetic }
  | { readonly step: Variable; readonly by: "++" | "--" };

/** `x=word`, `x+=word`, `x=(…)`, `x[0]=word`. */
export interface Assignment {
  readonly name: Variable;
  readonly append?: true;
  readonly index?: Word;
  readonly value?: Word;
  readonly items?: readonly { readonly index?: Word; readonly value: Word }[];
}

/** A redirection; a here-document has its lines. */
export type Redirection =
  | {
      readonly operator: "<" | ">" | ">>" | ">|" | "<>" | "&>" | "&>>" | ">&" | "<&" | "<<<";
      readonly fd?: 0 | 1 | 2 | 3 | 4 | "fd";
      readonly target: Word;
    }
  | { readonly here: readonly Word[]; readonly quoted?: true; readonly tabs?: true; readonly fd?: 0 | 3 };

/** A condition in `[[ … ]]`. */
export type Condition =
  | { readonly unary: "-e" | "-f" | "-d" | "-n" | "-z" | "-v" | "-o" | "-s" | "-x" | "-R"; readonly word: Word }
  | {
      readonly left: Word;
      readonly binary: "==" | "!=" | "=~" | "=" | "-eq" | "-lt" | "<" | "-nt";
      readonly right: Word;
    }
  | { readonly not: Condition }
  | { readonly first: Condition; readonly join: "&&" | "||"; readonly second: Condition };

/** A statement. */
export type Statement =
  | {
      readonly kind: "simple";
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
      readonly redirections: readonly Redirection[];
    }
  | { readonly kind: "logical"; readonly left: Statement; readonly operator: "&&" | "||"; readonly right: Statement }
  | { readonly kind: "pipeline"; readonly stages: Script; readonly both?: true }
  | { readonly kind: "not"; readonly of: Statement }
  | { readonly kind: "timed"; readonly of: Statement }
  | {
      readonly kind: "if";
      readonly test: Script;
      readonly then: Script;
      readonly elif?: { readonly test: Script; readonly then: Script };
      readonly otherwise?: Script;
    }
  | {
      readonly kind: "while" | "until";
      readonly test: Script;
      readonly body: Script;
      readonly redirections: readonly Redirection[];
    }
  | { readonly kind: "for"; readonly variable: Variable; readonly words?: readonly Word[]; readonly body: Script }
  | { readonly kind: "count"; readonly variable: Variable; readonly to: 0 | 1 | 2 | 3; readonly body: Script }
  | {
      readonly kind: "select";
      readonly variable: Variable;
      readonly words: readonly Word[];
      readonly body: Script;
      readonly redirections: readonly Redirection[];
    }
  | {
      readonly kind: "case";
      readonly word: Word;
      readonly ways: readonly {
        readonly patterns: readonly Word[];
        readonly body: Script;
        readonly end: ";;" | ";&" | ";;&";
      }[];
    }
  | { readonly kind: "group" | "subshell"; readonly body: Script; readonly redirections: readonly Redirection[] }
  | {
      readonly kind: "function";
      readonly name: FunctionName;
      readonly body: Script;
      readonly own?: true;
      readonly style?: "word";
      readonly redirections: readonly Redirection[];
    }
  | { readonly kind: "background"; readonly of: Statement }
  | { readonly kind: "coproc"; readonly body: Script }
  | { readonly kind: "condition"; readonly of: Condition }
  | { readonly kind: "arithmetic"; readonly of: Arithmetic }
  | { readonly kind: "comment"; readonly texts: readonly Literal[] };
