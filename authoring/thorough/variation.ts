import type { WireExample } from "../examples.ts";

/** Variations of an example, each with its description for people. */
export const variations = {
  quotes: "with quotes around its words",
  "program path": "with the path of its program",
  "env prefix": "behind `env`",
  "bash -c": "as a text for `bash -c`",
  "sudo sh -c": "behind `sudo sh -c`",
  subshell: "in a subshell",
  list: "behind `&&`",
  "cd same": "behind a `cd` to where it runs already",
  "cd there": "behind a `cd`, with relative paths",
  link: "through a symlink",
  "known program": "with its program in a variable of known value",
  "known words": "with its words in variables of known value",
  "unknown path": "with a path that is not known",
  "unknown operand": "with an operand that is not known",
  "unknown value": "with the value of an option that is not known",
  "unknown subcommand": "with a subcommand that is not known",
  "unknown program": "with a program that is not known",
  "from above": "on a folder above",
  "other form": "with its path relative where it was absolute, or absolute where it was relative",
  dots: "with `..` in its path",
} as const;

/** Name of a variation. */
export type VariationName = keyof typeof variations;

/** The names in the order of reports. */
export const variationNames = Object.keys(variations) as VariationName[];

/**
 * Variations that tell less or take more than the example: a rule must at least ask. All others are the same call, with the
 * same answer.
 */
export const weaker: ReadonlySet<VariationName> = new Set([
  "unknown path",
  "unknown operand",
  "unknown value",
  "unknown subcommand",
  "unknown program",
  "from above",
]);

/** One variation of an example. */
export interface Variation {
  readonly name: VariationName;
  /** The event to judge. */
  readonly event: WireExample;
  /** The changed part, for people: the command, or the arguments of the tool. */
  readonly shown: string;
}

/** One variation of a shell text; `files` are symlinks that it uses, with their target folders. */
export interface ShellVariation {
  readonly name: VariationName;
  readonly text: string;
  readonly files?: Readonly<Record<string, object>>;
}

/** The parts of an event that a rule reads; they tell which parts of a call must not be unknown. */
export interface Looks {
  /** Kinds of effects, such as `deletes`. */
  readonly kinds: ReadonlySet<string>;
  /** Fields of commands and effects, such as `subcommand`. */
  readonly fields: ReadonlySet<string>;
  /** True if it reads the effects of the call. A rule on a call's text says nothing about anything outside that text. */
  readonly means: boolean;
}
