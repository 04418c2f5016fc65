import type { Input } from "../shell/draft.ts";
import { type Atom, type Field, literalField, mayHoldMore, unknownField, unknownVariable } from "../shell/fields.ts";
import { originIn } from "../shell/written.ts";
import { placed, planFind } from "./find.ts";
import { type Arguments, type Grammar, given, hasOpenOption, optionList, readArguments, valueOf } from "./grammar.ts";
import { splitAt, splitQuoted } from "./split.ts";
import type { Inner, Unwrapped, Wrapper } from "./wrapper.ts";

// More argument sets than this are taken as one unknown set.
const argumentSets = 64;

const xargsGrammar: Grammar = {
  options: optionList(`
    -0 --null; -r --no-run-if-empty; -t --verbose; -p --interactive; -x --exit; -o --open-tty; -a
    --arg-file=; -d --delimiter=; -E=; -e --eof=?; -I=; -J=; -i --replace=?; -L=; -l --max-lines=?; -n
    --max-args=; -P --max-procs=; -s --max-chars=; -R=; -S=
  `),
  stop: true,
};

/** `xargs`: its input is appended to the words, or inserted where `-I` says, once for each line. */
const xargs: Wrapper = {
  names: ["xargs", "gxargs"],
  unwrap(args, input) {
    const read = readArguments(xargsGrammar, args);
    if (read.operands.length === 0) return undefined;
    const place = read.operands[0]?.place ?? { start: 0, end: 0 };
    const mark =
      valueOf(read, "-I")?.text ??
      valueOf(read, "-J")?.text ??
      (given(read, "--replace") ? (valueOf(read, "--replace")?.text ?? "{}") : undefined);
    const file = valueOf(read, "--arg-file");
    const from = file ? (file.holds?.length === 1 ? { atom: file.holds[0] as Atom } : null) : input;
    const items = itemsOf(read, from, place, mark);
    const few = items.length <= argumentSets ? items : [unknownField(place, true)];
    const runs =
      mark === undefined
        ? groups(few, Number(valueOf(read, "--max-args")?.text)).map((group) => [...read.operands, ...group])
        : few.map((item) => read.operands.flatMap((word) => placed(word, [item], mark)));
    const sure = sureIn(read);
    return { self: false, inner: runs.map((fields): Inner => ({ kind: "words", fields, external: true, ...sure })) };
  },
};

/** Marks the inner command as uncertain where an option is unknown: that option may take the word behind it. */
function sureIn(read: Arguments): { readonly certain?: false } {
  return hasOpenOption(read) ? { certain: false } : {};
}

/** Splits the input of `xargs` into arguments: items between delimiters, lines for `-I`, or words. */
function itemsOf(read: Arguments, input: Input, place: Field["place"], mark: string | undefined): Field[] {
  const delimiter = given(read, "--null") ? "\0" : delimiterOf(valueOf(read, "--delimiter")?.text);
  if (input?.words || input?.atom?.kind !== "literal" || (delimiter === undefined && mark === undefined))
    return inputWords(input, place);
  const { text } = input.atom;
  const items =
    delimiter === undefined
      ? splitAt(text, "\n").map((line) => splitQuoted(line.trim(), "xargs").join(" "))
      : splitAt(text, delimiter);
  return items.map((item) => literalField(item, place));
}

const delimiterEscapes: ReadonlyMap<string, string> = new Map([
  ["\\n", "\n"],
  ["\\t", "\t"],
  ["\\0", "\0"],
]);

function delimiterOf(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  return delimiterEscapes.get(text) ?? text;
}

/** Splits the items into groups of a size; one group without a limit or without items. */
function groups(items: readonly Field[], limit: number): readonly (readonly Field[])[] {
  if (!(limit >= 1) || items.length <= limit) return [items];
  const size = Math.floor(limit);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Returns the known words that a command reads from its input. */
function inputWords(input: Input, place: Field["place"]): Field[] {
  if (input?.words) return [...input.words];
  if (input?.atom?.kind !== "literal")
    return [{ ...unknownField(place, true, input?.atom?.text.trim() ?? ""), ...originIn([input?.atom ?? {}]) }];
  return splitQuoted(input.atom.text, "xargs").map((text) => literalField(text, place));
}

const find: Wrapper = {
  names: ["find", "gfind"],
  unwrap(args) {
    const { inner } = planFind(args);
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
};

const parallelGrammar: Grammar = {
  options: optionList(`
    -j --jobs=; -k --keep-order; -0 --null; -a --arg-file=; -I=; -n --max-args=; -N=; --bar; --dry-run;
    --halt=; --joblog=; -q --quote; --timeout=; -S --sshlogin=; -u --ungroup; -X; -m; --colsep -C=
  `),
  stop: true,
};

/** GNU `parallel`: a shell text per argument set after `:::`, or per line read. */
const parallel: Wrapper = {
  names: ["parallel"],
  unwrap(args, input) {
    const read = readArguments(parallelGrammar, args);
    const cut = read.operands.findIndex((word) => /^:::[:+]?$/.test(word.text));
    const words = cut < 0 ? read.operands : read.operands.slice(0, cut);
    const place = args[0]?.place ?? { start: 0, end: 0 };
    const items =
      cut < 0 ? inputWords(input, place) : read.operands.slice(cut + 1).filter((word) => !/^:::/.test(word.text));
    if (words.length === 0 && (cut < 0 || items.some((item) => item.kind === "unknown")))
      return { self: true, inner: [], doubt: "parallel runs lines that are not known" };
    const known = items.length <= argumentSets ? items : [unknownField(place, true)];
    const command = words.map((word) => word.template ?? word.text).join(" ");
    const inner = known.map((item): Inner => {
      const isOpen = item.kind === "unknown" || item.beneath === true;
      // A text cannot express that a word means all beneath a folder.
      const value = item.template ?? (isOpen ? `\${${unknownVariable}}${item.beneath ? "" : item.text}` : item.text);
      const text = /\{[^ ]{0,3}\}/.test(command)
        ? command.replace(/\{[^ ]{0,3}\}/g, () => value)
        : `${command} ${value}`;
      // The arguments are quoted for the shell, the words of the command are not.
      const field = words.some(mayHoldMore)
        ? { ...unknownField(place, true), template: text }
        : literalField(text, place);
      return { kind: "text", text: field, ...sureIn(read) };
    });
    return { self: false, inner };
  },
};

const watchGrammar: Grammar = {
  options: optionList(`
    -n --interval=; -d --differences=?; -t --no-title; -g --chgexit; -b --beep; -e --errexit; -c
    --color; -x --exec; -p --precise; -q --equexit=
  `),
  stop: true,
};

/** `watch`: its words are one shell text, or words with `-x`. */
const watch: Wrapper = {
  names: ["watch"],
  unwrap(args) {
    const read = readArguments(watchGrammar, args);
    if (read.operands.length === 0) return undefined;
    if (given(read, "--exec"))
      return { self: false, inner: [{ kind: "words", fields: read.operands, external: true, ...sureIn(read) }] };
    return { self: false, inner: [{ kind: "text", text: joined(read.operands), ...sureIn(read) }] };
  },
};

/** Words joined by a blank into one shell text, as `eval`, `watch` and `ssh` do. */
export function joined(words: readonly Field[]): Field {
  const [first] = words;
  if (first && words.length === 1) return first;
  const place = { start: first?.place.start ?? 0, end: words.at(-1)?.place.end ?? 0 };
  const template = words.map((word) => word.template ?? word.text).join(" ");
  return words.some((word) => word.kind === "unknown")
    ? { ...unknownField(place, true), template }
    : literalField(template, place);
}

/** True for a login as another user (`su -`, `su -l`), which no variable reaches. */
function isLogin(read: Arguments): boolean {
  return given(read, "--login") || read.operands.some(({ text, kind }) => text === "-" && kind === "literal");
}

/** Makes the wrapper of a program with an option for a shell text: `su -c`, `script -c`, `flock -c`. */
function textOption(
  names: string,
  options: readonly string[],
  option: string,
  otherwise: "words" | "shell",
  skip = 0,
): Wrapper {
  const grammar: Grammar = { options };
  const forwarding: Grammar = { options, stop: true };
  return {
    names: names.split(" "),
    unwrap(args, input): Unwrapped | undefined {
      const read = readArguments(grammar, args);
      const text = valueOf(read, option);
      const keeps = { ...sureIn(read), ...(isLogin(read) ? { keeps: [] } : {}) };
      if (text) return { self: false, inner: [{ kind: "text", text, ...keeps }] };
      const words = otherwise === "words" || skip > 0 ? readArguments(forwarding, args).operands.slice(skip) : [];
      if (words.length > 0)
        return { self: false, inner: [{ kind: "words", fields: words, external: true, ...sureIn(read) }] };
      // Without a text it starts a shell, which reads its input.
      const typed = otherwise === "shell" && input?.atom?.kind === "literal" ? input.atom.text : undefined;
      if (typed === undefined) return undefined;
      const place = args[0]?.place ?? { start: 0, end: 0 };
      return { self: true, inner: [{ kind: "text", text: literalField(typed, place), ...keeps }] };
    },
  };
}

/** `su -c text`. */
export const asUser: Wrapper = textOption(
  "su",
  optionList(`
    -c --command=; --session-command=; -s --shell=; -g --group=; -G --supp-group=; -w
    --whitelist-environment=; -l --login; -m -p --preserve-environment; -P --pty
  `),
  "--command",
  "shell",
);

const asGroup = textOption("sg newgrp", ["-c --command="], "--command", "shell");

/** `sg group text`, with `-c` before the text or without. */
const groupShell: Wrapper = {
  names: asGroup.names,
  unwrap(args, input) {
    const [group, text] = args;
    const isText = args.length === 2 && group && text && !/^-/.test(group.text) && !/^-/.test(text.text);
    return isText ? { self: false, inner: [{ kind: "text", text }] } : asGroup.unwrap(args, input);
  },
};

/** Wrappers with a reading of their own. Source: threats page, classes 2, 3 and 8. */
export const runners: readonly Wrapper[] = [
  xargs,
  find,
  parallel,
  watch,
  asUser,
  groupShell,
  textOption(
    "script",
    optionList(`
    -c --command=; -a --append; -q --quiet; -e --return; -f --flush; -I --log-in=; -O --log-out=; -B
    --log-io=; -T --log-timing=; -E --echo=; -m --logging-format=; -o --output-limit=; -t=?; -F; -k; -r
  `),
    "--command",
    "shell",
    // Elsewhere than on Linux the words behind the file are the command.
    1,
  ),
  textOption(
    "flock",
    optionList(`
    -c --command=; -n --nonblock; -x -e --exclusive; -s --shared; -u --unlock; -o --close; -w
    --timeout=; -E --conflict-exit-code=; -F --no-fork
  `),
    "--command",
    "words",
    1,
  ),
  textOption(
    "entr",
    optionList(`
    -a; -c; -d; -n; -p; -r; -s=; -z
  `),
    "-s",
    "words",
  ),
];
