import type { Draft } from "../shell/draft.ts";
import type { Field } from "../shell/fields.ts";
import { type Arguments, readArguments } from "./grammar.ts";
import { type Call, makeCall, type Program, type Reporter, type Subcommand } from "./program.ts";
import { programOf } from "./registry.ts";

/** A command read by its program's own grammar. */
export interface Description {
  readonly program: Program | undefined;
  readonly sub: Subcommand | undefined;
  readonly subcommand: string;
  readonly args: Arguments;
}

const noGrammar = {};

/** Reads the words of a command: options, subcommand, operands. A program without a row is read the GNU way. */
export function describe(name: string, words: readonly Field[]): Description {
  const program = programOf(name);
  const grammar = program?.grammar ?? noGrammar;
  const [word] = words;
  const dashless = program?.dashless === true && word !== undefined && /^[A-Za-z]/.test(word.text);
  const args = readArguments(grammar, dashless ? [{ ...word, text: `-${word.text}` }, ...words.slice(1)] : words);
  if (!program?.subcommands) return { program, sub: undefined, subcommand: "", args };
  const [first, ...rest] = args.operands;
  const sub = first && program.subcommands.find((one) => one.names.includes(first.text));
  if (!first || !sub) return { program, sub: undefined, subcommand: first?.text ?? "", args };
  const inner = readArguments(sub.grammar ?? noGrammar, rest);
  return { program, sub, subcommand: first.text, args: { ...inner, options: [...args.options, ...inner.options] } };
}

/** Reports what a described command does. The program's own effects come first, then those of the subcommand. */
export function report(name: string, draft: Draft, described: Description, to: Reporter): void {
  const { program, sub, args } = described;
  const call: Call = makeCall(draft, name, sub ? described.subcommand : "", args, to);
  program?.effects?.(call);
  sub?.effects?.(call);
}
