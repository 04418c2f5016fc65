import { spend, unitsLeft } from "../meter.ts";
import type { Draft } from "../shell/draft.ts";
import { type Field, withText } from "../shell/fields.ts";
import { declaredGrammar, readsAlone } from "./declared.ts";
import { rehearsed } from "./dry-runs.ts";
import { type Arguments, type Grammar, readArguments } from "./grammar.ts";
import { asksForHelp } from "./help.ts";
import { type Call, type Description, makeCall, type Program, type Reporter, type Subcommand } from "./program.ts";
import { programOf } from "./registry.ts";
import { reportSchemaTask } from "./schema-tasks.ts";
import { reportService } from "./services.ts";

const noGrammar = {};
const noWords: readonly Field[] = [];

/** Remembers the descriptions of words with their cost: several readers ask for the words of one command. */
const known = new WeakMap<
  readonly Field[],
  { readonly name: string; readonly described: Description; readonly cost: number }
>();

/** Reads the words of a command: options, subcommand, operands. A program without a row is read the GNU way. */
export function describe(name: string, words: readonly Field[]): Description {
  // Policies may declare how a program reads its words.
  if (!readsAlone()) return read(name, words);
  const found = known.get(words);
  if (found?.name === name) {
    spend(found.cost);
    return found.described;
  }
  const before = unitsLeft();
  const described = read(name, words);
  known.set(words, { name, described, cost: before - unitsLeft() });
  return described;
}

/** Programs that take a `true` or `false` behind any option for its value, also where the option is a switch. */
const switchValues: ReadonlySet<string> = new Set(["npm", "wrangler"]);

/** Joins the value of a switch to it: `--dry-run false` becomes `--dry-run=false`. */
function withSwitches(words: readonly Field[]): readonly Field[] {
  const takes = (word: Field | undefined): boolean => word?.kind === "literal" && /^--[^=]+$/.test(word.text);
  const isValue = (word: Field | undefined): boolean => word?.kind === "literal" && /^(?:true|false)$/.test(word.text);
  if (!words.some(isValue)) return words;
  return words.flatMap((word, i) => {
    if (isValue(word) && takes(words[i - 1])) return [];
    return takes(word) && isValue(words[i + 1]) ? [withText(word, `${word.text}=${words[i + 1]?.text}`)] : [word];
  });
}

function read(name: string, given: readonly Field[]): Description {
  const words = switchValues.has(name) ? withSwitches(given) : given;
  const program = programOf(name);
  const grammar = program ? (program.grammar ?? noGrammar) : (declaredGrammar(name) ?? noGrammar);
  const [word] = words;
  const dashless = program?.dashless === true && word !== undefined && /^[A-Za-z]/.test(word.text);
  const args = readArguments(grammar, dashless ? [{ ...word, text: `-${word.text}` }, ...words.slice(1)] : words);
  if (program?.chain) return chained(program, args, program.chain(args.operands));
  if (!program?.subcommands) return { program, sub: undefined, subcommand: "", chain: noWords, args };
  return descend(program, args);
}

/** Follows subcommands as deep as the table has them. A word that no row knows stays an operand of the last known subcommand. */
function descend(program: Program, top: Arguments): Description {
  const chain: Field[] = [];
  let sub: Subcommand | undefined;
  let args = top;
  let table = program.subcommands;
  let grammar = program.grammar ?? noGrammar;
  while (table) {
    args = withoutValue(args, grammar, table);
    const first = args.operands[0];
    if (!first) break;
    const found: Subcommand | undefined = table.find((one) => one.names.includes(first.text));
    chain.push(first);
    if (!found) break;
    const inner = readArguments(found.grammar ?? noGrammar, args.operands.slice(1));
    spend(4 + args.operands.length + args.options.length);
    args = { ...inner, options: [...args.options, ...inner.options] };
    sub = found;
    table = found.subcommands;
    grammar = found.grammar ?? noGrammar;
  }
  return { program, sub, subcommand: joined(chain), chain, args };
}

/**
 * Takes a first operand that no row knows for the value of the unknown option before it, if a subcommand is behind it: `yum
 * --disableplugin x install`.
 */
function withoutValue(args: Arguments, grammar: Grammar, table: readonly Subcommand[]): Arguments {
  const [first] = args.operands;
  const last = args.options.at(-1);
  const isIn = (word: Field | undefined): boolean => table.some(({ names }) => names.includes(word?.text ?? ""));
  if (grammar.stop !== true || !first || !last?.unknown || last.value || isIn(first)) return args;
  spend(4 + args.operands.length);
  const rest = readArguments(grammar, args.operands.slice(1));
  return isIn(rest.operands[0]) ? { ...rest, options: [...args.options, ...rest.options] } : args;
}

/**
 * Returns the reading in which an unknown option has taken the first operand for its value: `systemctl --x y stop nginx`. Undefined
 * where the operands behind it begin with no subcommand. Which of the two readings holds is not known.
 */
function otherReading(words: readonly Field[], { program, sub, chain, args }: Description): Description | undefined {
  if (!program?.begins || sub) return undefined;
  const [first, ...operands] = [...chain, ...args.operands];
  const before = words[words.indexOf(first as Field) - 1];
  const option = before && args.options.find(({ word }) => word === before);
  if (!option?.unknown || option.value || operands.length === 0) return undefined;
  spend(4 + operands.length + words.length);
  const behind = program.grammar?.stop ? readArguments(program.grammar, operands) : { ...args, operands };
  if (!program.begins(behind.operands)) return undefined;
  const other = program.grammar?.stop ? { ...behind, options: [...args.options, ...behind.options] } : behind;
  return program.chain
    ? chained(program, other, program.chain(other.operands))
    : { program, sub, subcommand: "", chain: noWords, args: other };
}

/** Describes a program whose subcommand is its first `length` operands together. */
function chained(program: Program, args: Arguments, length: number): Description {
  const chain = args.operands.slice(0, length);
  const rest = { ...args, operands: args.operands.slice(length) };
  return { program, sub: undefined, subcommand: joined(chain), chain, args: rest };
}

function joined(words: readonly Field[]): string {
  return words.map(({ text }) => text).join(" ");
}

/** Reports what a described command does. The program's own effects come first, then those of the subcommand. */
export function report(name: string, draft: Draft, described: Description, to: Reporter): void {
  const { program, sub, args } = described;
  if (asksForHelp(name, draft.args, described)) return;
  spend(8 + 2 * draft.args.length);
  for (const word of draft.args) if (word.text.length > 64) spend(word.text.length >> 5);
  const reporter = rehearsed(name, draft.args, described, to);
  const call: Call = makeCall(draft, name, sub || program?.chain ? described.subcommand : "", args, reporter);
  program?.effects?.(call);
  const other = otherReading(draft.args, described);
  if (other) program?.effects?.(makeCall(draft, name, other.subcommand, other.args, reporter));
  sub?.effects?.(call);
  reportService(call);
  reportSchemaTask(name, draft, reporter);
}
