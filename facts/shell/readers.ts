import { limits } from "../../schema/limits.ts";
import { type Arguments, type Grammar, given, optionList, readArguments, valueOf } from "../programs/grammar.ts";
import type { Draft, Output } from "./draft.ts";
import { type Atom, type Field, literalAtom, unknownAtom } from "./fields.ts";
import { advance, position, remainingText, remainingWords } from "./inputs.ts";
import { fieldsOf, recordOf, recordsOf } from "./records.ts";
import { assign, isArray, lookup, type Scope } from "./scope.ts";
import { originIn } from "./written.ts";

// Longer texts are not read record by record.
const length = 65_536;

const readGrammar: Grammar = {
  options: optionList("-a=; -d=; -e; -E; -i=; -n=; -N=; -p=; -r; -s; -t=; -u="),
  exact: true,
};
const mapGrammar: Grammar = { options: optionList("-d=; -n=; -O=; -s=; -t; -u=; -C=; -c="), exact: true };

const isName = (word: Field): boolean => word.kind === "literal" && /^[A-Za-z_]\w*$/.test(word.text);

/** `read`: gives its variables the next record of the input, or nothing that is known. */
export function applyRead(words: readonly Field[], scope: Scope, draft: Draft): void {
  const read = readArguments(readGrammar, words);
  const array = valueOf(read, "-a");
  const names = read.operands.filter(isName).map((word) => word.text);
  const targets = array ? [array.text] : names.length > 0 ? names : ["REPLY"];
  const forget = (): void => {
    for (const name of targets) assign(scope, name, unknownFrom(draft));
  };
  const { input } = draft;
  if (!input || (valueOf(read, "-u") && valueOf(read, "-u")?.text !== "0")) return forget();
  const listed = remainingWords(input);
  const text = remainingText(input);
  if (text === undefined && listed && targets.length === 1 && !array)
    return takeWord(input, listed, targets[0] as string, scope);
  const separators = separatorsIn(draft, scope);
  if (text === undefined || text.length > length || separators === undefined) return forget();
  const record = recordOf(text, {
    raw: given(read, "-r"),
    delimiter: delimiterOf(read),
    most: countOf(read, "-n") ?? countOf(read, "-N"),
  });
  advance(input, position(input) + record.taken);
  if (array) {
    assign(scope, array.text, fieldsOf(record, separators, limits.braceWords).map(literalAtom));
    return;
  }
  const fields =
    names.length === 0 || given(read, "-N") ? [record.units.join("")] : fieldsOf(record, separators, names.length);
  targets.forEach((name, i) => {
    assign(scope, name, literalAtom(fields[i] ?? ""));
  });
}

function unknownFrom(draft: Draft): Atom {
  return { ...unknownAtom, ...originIn([draft.input?.atom ?? {}]) };
}

/** One path of a listing, which stands for any that its pattern matches. */
function takeWord(input: Output, listed: readonly Atom[], name: string, scope: Scope): void {
  const [first] = listed;
  advance(input, position(input) + 1);
  assign(scope, name, first ? { text: first.text, kind: first.kind } : literalAtom(""));
}

function delimiterOf(read: Arguments): string {
  const value = valueOf(read, "-d");
  return value === undefined ? "\n" : (value.text[0] ?? "\0");
}

function countOf(read: Arguments, option: string): number | undefined {
  const value = valueOf(read, option);
  return value && /^\d{1,6}$/.test(value.text) ? Number(value.text) : undefined;
}

/** The field separators in force, or undefined when not known. */
function separatorsIn(draft: Draft, scope: Scope): string | undefined {
  const value = draft.env.get("IFS") ?? lookup(scope, "IFS");
  if (!value) return " \t\n";
  return isArray(value) || value.kind !== "literal" ? undefined : value.text;
}

/** `mapfile` and `readarray`: the records that are left, as an array. */
export function applyMapfile(words: readonly Field[], scope: Scope, draft: Draft): void {
  const read = readArguments(mapGrammar, words);
  const name = read.operands.find(isName)?.text ?? "MAPFILE";
  const text = remainingText(draft.input);
  const listed = remainingWords(draft.input);
  const plain = !["-n", "-s", "-O", "-u", "-C"].some((option) => given(read, option));
  const records =
    plain && text !== undefined ? recordsOf(text, delimiterOf(read), given(read, "-t"), limits.braceWords) : undefined;
  if (records) assign(scope, name, records.map(literalAtom));
  else if (plain && listed)
    assign(
      scope,
      name,
      listed.map((word) => ({ text: word.text, kind: word.kind })),
    );
  else assign(scope, name, unknownFrom(draft));
  if (draft.input) advance(draft.input, Number.POSITIVE_INFINITY);
}
