import type { WireExample } from "../examples.ts";

/** Ways in which an example is written otherwise, each with what people call it. */
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

/** Name of a way to write an example otherwise. */
export type VariationName = keyof typeof variations;

/** The names in the order of reports. */
export const variationNames = Object.keys(variations) as VariationName[];

/** Ways that tell less or take more than the example: a rule must at least ask. All others are the same call: it must hold as it did. */
export const weaker: ReadonlySet<VariationName> = new Set([
  "unknown path",
  "unknown operand",
  "unknown value",
  "unknown subcommand",
  "unknown program",
  "from above",
]);

/** An example written otherwise. */
export interface Variation {
  readonly name: VariationName;
  /** The event to judge. */
  readonly event: WireExample;
  /** What changed, for people: the command, or the arguments of the tool. */
  readonly shown: string;
}

/** A shell text written otherwise; `files` are links that it goes through, with the folders they lead to. */
export interface ShellVariation {
  readonly name: VariationName;
  readonly text: string;
  readonly files?: Readonly<Record<string, object>>;
}

/** What of an event a rule looks at, which says what of a call must not be left open. */
export interface Looks {
  /** Kinds of effects, such as `deletes`. */
  readonly kinds: ReadonlySet<string>;
  /** Fields of commands and effects, such as `subcommand`. */
  readonly fields: ReadonlySet<string>;
  /** It looks at what the call does. A rule on the text of a call says nothing of what is not in that text. */
  readonly means: boolean;
}
