/**
 * Declared programs and tools, as plans hold them: plain data by which facts read calls that no built-in table covers. A
 * declaration adds to the tables; it never replaces a row of them.
 */

/** A part of a declared text that the call says: an operand, each operand, the value of an option, an argument of the tool. */
export type DeclaredHole =
  | { readonly operand: number }
  | { readonly operands: true }
  | { readonly option: string }
  | { readonly args: readonly string[] };

/** A text of a declaration: constant parts, and what the call says. */
export type DeclaredText = readonly (string | DeclaredHole)[];

/** One effect that a declared program or tool has, in the words of the lists of effects. */
export type DeclaredEffect =
  | {
      readonly kind: "reads" | "writes" | "deletes";
      readonly path: DeclaredText;
      readonly recursive?: true;
      readonly metadata_only?: true;
    }
  | { readonly kind: "network"; readonly url: DeclaredText; readonly direction: "upload" | "download" | "both" }
  | { readonly kind: "runs" | "config" | "kills"; readonly target: DeclaredText }
  | {
      readonly kind: "installs";
      readonly name: DeclaredText;
      readonly manager: DeclaredText;
      readonly source: DeclaredText;
    }
  | {
      readonly kind: "pushes";
      readonly remote: DeclaredText;
      /** Undefined: the current branch. */
      readonly branch?: DeclaredText;
      readonly forced?: true;
      readonly mirror?: true;
      readonly delete?: true;
    };

/**
 * How far a declaration is trusted. `known`: it comes from the user or the machine, and its effects count as the program's own.
 * `possible`: it came with the repository, so its effects only count as possible further ones.
 */
export type Standing = "known" | "possible";

/** A policy's declaration of a program. */
export interface ProgramClaim {
  readonly name: string;
  /** Other names, and paths beneath the workspace (`./bin/x`), the home folder (`~/…`) or the root. */
  readonly aliases: readonly string[];
  /** Options, each as one string with every spelling; a trailing `=` takes a value. */
  readonly options: readonly string[];
  /** Undefined where nothing is said of what it does. */
  readonly effects?: readonly DeclaredEffect[];
  /** Words behind its own options are a command that it runs. */
  readonly wraps?: "rest";
}

/** A program as a plan has it. */
export interface DeclaredProgram extends ProgramClaim {
  readonly standing: Standing;
  /** Set if a stronger scope also has policies: wrappers and aliases are then listed as commands in addition to what they run. */
  readonly listed?: true;
}

/** A policy's declaration of a tool. */
export interface ToolClaim {
  readonly name: string;
  /** Undefined where nothing is said of what it does. */
  readonly effects?: readonly DeclaredEffect[];
}

/** A tool as a plan has it. */
export interface DeclaredTool extends ToolClaim {
  readonly standing: Standing;
}

/** Programs and tools that the policies of a plan declare, sorted by name. A plan without any has none of this. */
export interface Declarations {
  readonly programs: readonly DeclaredProgram[];
  readonly tools: readonly DeclaredTool[];
}
