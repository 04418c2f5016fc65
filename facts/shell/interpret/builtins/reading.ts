import { limits } from "../../../../schema/limits.ts";
import { spend, spendText } from "../../../meter.ts";
import { type Arguments, type Grammar, given, optionList, readArguments, valueOf } from "../../../programs/grammar.ts";
import { type Atom, type Field, literalAtom, literalField, unknownAtom } from "../../fields.ts";
import { position, remainingText, remainingWords } from "../../inputs.ts";
import { formatted } from "../../outputs.ts";
import { fieldsOf, recordOf, recordsOf } from "../../records.ts";
import { targetOf } from "../../targets.ts";
import { originIn } from "../../written.ts";
import { ends, type Outcome } from "../outcome.ts";
import { isPlainFormat } from "../printing.ts";
import { anyValue, eitherOf, exactly, noValue, type Value } from "../value.ts";
import { assignName, type Builtin, calculateText, type Invoked, runCode } from "./builtin.ts";

// Longer texts are not read record by record.
const longest = 65_536;

const readGrammar: Grammar = {
  options: optionList("-a=; -d=; -e; -E; -i=; -n=; -N=; -p=; -r; -s; -t=; -u="),
  exact: true,
};
const mapGrammar: Grammar = { options: optionList("-d=; -n=; -O=; -s=; -t; -u=; -C=; -c="), exact: true };

/** `read`: gives its variables the next record of the input, or nothing that is known. */
export const readRecord: Builtin["run"] = (invoked) => {
  const { args, store, draft, place } = invoked;
  spend(args.length);
  const read = readArguments(readGrammar, args);
  const array = valueOf(read, "-a");
  const names = read.operands.filter((word) => targetOf(word) !== undefined || word.kind === "unknown");
  const targets = array ? [array] : names.length > 0 ? names : [literalField("REPLY", place)];
  const { input } = draft;
  const isPlain = !["-t", "-s", "-e", "-i"].some((option) => given(read, option));
  const forget = (): Outcome => {
    const records = isPlain && !array ? anyRecords(invoked, read, targets.length) : [];
    targets.forEach((target, i) => {
      const candidates = records.flatMap((fields) => literalAtom(fields[i] ?? ""));
      const value = unknownFrom(draft.input?.atom);
      assignName(invoked, { word: target }, candidates.length > 0 ? { candidates, open: true } : value);
    });
    if (input && input === store.input) store.read = Number.POSITIVE_INFINITY;
    else if (input) store.read = isOwnInput(invoked) ? store.read : Number.POSITIVE_INFINITY;
    return ends(store);
  };
  if (!input || !isPlain || (valueOf(read, "-u") && valueOf(read, "-u")?.text !== "0")) return forget();
  const listed = remainingWords(input);
  const text = remainingText(input);
  if (text === undefined && listed && targets.length === 1 && !array)
    return takeWord(invoked, listed, targets[0] as Field);
  const separators = draft.env.get("IFS") ?? store.textOf("IFS");
  if (text === undefined || text.length > longest || separators?.kind !== "literal") return forget();
  const delimiter = delimiterOf(read);
  const most = countOf(read, "-n") ?? countOf(read, "-N");
  const record = recordOf(text, { raw: given(read, "-r"), delimiter, most });
  spend(record.taken >> 2);
  const isWhole = most === undefined ? text.slice(0, record.taken).endsWith(delimiter) : record.units.length === most;
  took(invoked, record.taken);
  if (array) {
    const items = fieldsOf(record, separators.text, limits.braceWords).map(literalAtom);
    assignName(invoked, { word: array }, exactly(items));
  } else {
    const isOne = names.length === 0 || given(read, "-N");
    const fields = isOne ? [record.units.join("")] : fieldsOf(record, separators.text, names.length);
    let isRefused = false;
    targets.forEach((target, i) => {
      const value = exactly(literalAtom(fields[i] ?? ""));
      // Behind a name that is read-only some shells assign nothing.
      const before = isRefused ? (store.get(target.text) ?? noValue) : undefined;
      if (!assignName(invoked, { word: target }, before ? eitherOf([before, value]) : value)) isRefused = true;
    });
  }
  return ends(store, isWhole ? "ok" : most === undefined || record.taken === 0 ? "fail" : "either");
};

/** Returns the fields of every record of a known input, for `count` variables, if it is unknown how much was read. */
function anyRecords({ draft, store }: Invoked, read: Arguments, count: number): readonly (readonly string[])[] {
  const atom = draft.input?.atom;
  const separators = draft.env.get("IFS") ?? store.textOf("IFS");
  if (atom?.kind !== "literal" || atom.text.length > longest || separators?.kind !== "literal") return [];
  spendText(atom.text.length);
  const delimiter = delimiterOf(read);
  return (recordsOf(atom.text, delimiter, true, limits.alternatives) ?? []).map((text) => {
    const record = recordOf(text, { raw: given(read, "-r"), delimiter, most: undefined });
    return count === 1 && read.operands.length === 0
      ? [record.units.join("")]
      : fieldsOf(record, separators.text, count);
  });
}

/** True where the input is the command's own, by a redirection, so that the shell's is left as it is. */
function isOwnInput({ draft }: Invoked): boolean {
  return draft.redirects.some(
    ({ descriptor, data, operator }) => descriptor <= 0 && (data !== undefined || operator.startsWith("<")),
  );
}

/** Says how much of the shell's input has been read. */
function took(invoked: Invoked, count: number): void {
  const { store, draft } = invoked;
  if (draft.input && !isOwnInput(invoked)) store.read = position(draft.input) + count;
}

function unknownFrom(atom: Atom | undefined): Value {
  return exactly({ ...unknownAtom, ...originIn([atom ?? {}]) });
}

/** Reads one path of a listing; it may be any that the pattern matches. */
function takeWord(invoked: Invoked, listed: readonly Atom[], target: Field): Outcome {
  const [first] = listed;
  took(invoked, 1);
  const value = first ? exactly({ text: first.text, kind: first.kind }) : exactly(literalAtom(""));
  assignName(invoked, { word: target }, value);
  return ends(invoked.store, first ? "ok" : "fail");
}

function delimiterOf(read: Arguments): string {
  const value = valueOf(read, "-d");
  return value === undefined ? "\n" : (value.text[0] ?? "\0");
}

function countOf(read: Arguments, option: string): number | undefined {
  const value = valueOf(read, option);
  return value && /^\d{1,6}$/.test(value.text) ? Number(value.text) : undefined;
}

/** `mapfile` and `readarray`: the records that are left, as an array. */
export const mapRecords: Builtin["run"] = (invoked) => {
  const { args, draft, place, store } = invoked;
  const read = readArguments(mapGrammar, args);
  const target = read.operands.find((word) => targetOf(word) !== undefined) ?? literalField("MAPFILE", place);
  const text = remainingText(draft.input);
  const listed = remainingWords(draft.input);
  const isPlain = !["-n", "-s", "-O", "-u", "-C"].some((option) => given(read, option));
  spendText(text?.length ?? listed?.length ?? 0);
  const records =
    isPlain && text !== undefined
      ? recordsOf(text, delimiterOf(read), given(read, "-t"), limits.braceWords)
      : undefined;
  spend(records?.length ?? listed?.length ?? 0);
  const paths = listed?.map((word) => ({ text: word.text, kind: word.kind, glob: word.kind === "pattern" }));
  const list = records?.map(literalAtom) ?? (isPlain && text === undefined ? paths : undefined);
  assignName(invoked, { word: target }, list ? exactly(list) : unknownFrom(draft.input?.atom));
  const code = valueOf(read, "-C");
  if (code) runCode(invoked, { word: code });
  if (code) store.havoc();
  if (draft.input && !isOwnInput(invoked)) store.read = Number.POSITIVE_INFINITY;
  return ends(store, "ok");
};

/** `printf -v NAME format values`. */
export const printInto: Builtin["run"] = (invoked) => {
  const { args, store } = invoked;
  const at = args.findIndex((word) => word.text === "-v");
  const name = at === 0 ? args[1] : undefined;
  if (!name) {
    // A number that is printed is an expression.
    const format = args[0]?.text ?? "";
    if (/%[-+ 0#]*(?:[1-9]\d*)?[dixXou]/.test(format))
      for (const word of args.slice(1)) calculateText(invoked, { word });
    return ends(store, "ok");
  }
  const text = isPlainFormat(args[2]?.text ?? "", { args: args.slice(2) }) ? formatted(args.slice(2)) : undefined;
  const value = text === undefined ? anyValue : exactly(literalAtom(text));
  // Smaller shells know no `-v`.
  const isForeign = /^(?:sh|dash|ash|busybox|mksh)$/.test(invoked.machine.dialect);
  assignName(invoked, { word: name }, isForeign ? eitherOf([store.get(name.text) ?? noValue, value]) : value);
  return ends(store, "ok");
};
