import { type Field, literalField, patternField } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import { below, beneath } from "./find.ts";
import { type Arguments, type Grammar, given, optionList, readArguments, valueOf, valuesOf } from "./grammar.ts";

/** Options of `grep`. Source: grep(1). */
export const grepOptions = optionList(`
    -e --regexp=; -f --file=; -r --recursive; -R --dereference-recursive; -A --after-context=; -B
    --before-context=; -C --context=; -m --max-count=; -d --directories=; -D --devices=; --include=;
    --exclude=; --exclude-dir=; --exclude-from=; --color=?; --colour=?; --label=; --binary-files=; -E
    --extended-regexp; -F --fixed-strings; -G --basic-regexp; -P --perl-regexp; -i --ignore-case; -v
    --invert-match; -w --word-regexp; -x --line-regexp; -c --count; -l --files-with-matches; -L
    --files-without-match; -o --only-matching; -q --quiet --silent; -s --no-messages; -H
    --with-filename; -h --no-filename; -n --line-number; -z --null-data; -Z --null; -a --text
  `);
/** Options of `rg`, and of programs like it. Source: rg(1). */
export const rgOptions = [
  ...grepOptions.filter((line) => !/^-[rRdDZ] /.test(line)),
  "-r --replace=",
  "-g --glob=",
  "--iglob=",
  "-t --type=",
  "-T --type-not=",
  "-j --threads=",
  "-M --max-columns=",
  "--max-depth=",
  "--pre=",
  "--pre-glob=",
  "--sort=",
  "--sortr=",
  "--hidden",
  "--no-ignore",
  "-U --multiline",
  "-u --unrestricted",
  "-N --no-line-number",
  "-S --smart-case",
  "--json",
  "--hostname-bin=",
  "-z --search-zip",
];

const grepGrammar: Grammar = { options: grepOptions };
const rgGrammar: Grammar = { options: rgOptions };

/**
 * Returns the files whose names `grep` or `rg` prints: some of those that it searches. Undefined where it prints lines, which
 * may hold anything, and where an unknown word may be an option.
 */
export function namesFound(program: string, words: readonly Field[]): readonly Field[] | undefined {
  const isRg = program === "rg";
  const args = readArguments(isRg ? rgGrammar : grepGrammar, words);
  const lists = isRg && given(args, "--files");
  if (!lists && !given(args, "--files-with-matches") && !given(args, "--files-without-match")) return undefined;
  if (words.some((word) => word.kind === "unknown" && (word.open || word.text.startsWith("-")))) return undefined;
  const isGiven = lists || given(args, "--regexp") || given(args, "--file");
  const operands = isGiven ? args.operands : args.operands.slice(1);
  const walks =
    isRg ||
    ["--recursive", "--dereference-recursive"].some((name) => given(args, name)) ||
    valueOf(args, "--directories")?.text === "recurse";
  if (!walks) return operands;
  const place = words[0]?.place ?? { start: 0, end: 0 };
  const starts = operands.length > 0 ? operands : [literalField(".", place)];
  const names = included(args, isRg);
  const isHiding = isRg && !words.some(({ text }) => /^(?:-[A-Za-z]*(?:\.|uu)|--hidden)/.test(text));
  return starts.flatMap((start) => {
    if (isHiding && start.kind !== "unknown")
      return (names.length === 0 ? ["**"] : names).map((name) =>
        patternField(`${withoutEnd(start.text, "/")}/${name}`, start.place),
      );
    return names.length === 0 ? beneath(start, undefined) : names.map((name) => below(start, name));
  });
}

/** Returns the globs of the files to which a search is limited, below its folders; none if more than names limit it. */
function included(args: Arguments, isRg: boolean): readonly string[] {
  const given = isRg ? [...valuesOf(args, "--glob"), ...valuesOf(args, "--iglob")] : valuesOf(args, "--include");
  const isName = given.every(({ kind, text }) => kind === "literal" && /^[\w*?.-]+$/.test(text));
  return isName && (!isRg || valuesOf(args, "--iglob").length === 0) ? given.map(({ text }) => `**/${text}`) : [];
}
