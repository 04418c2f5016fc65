import { spend } from "../meter.ts";
import { planFd } from "../programs/fd.ts";
import { planFind } from "../programs/find.ts";
import { namesFound } from "../programs/searches.ts";
import { withoutEnd } from "../text/ends.ts";
import { alphabet64, decodeDigits, filters } from "./decoders.ts";
import { directoryAfter } from "./directories.ts";
import type { Draft, Output } from "./draft.ts";
import { type Atom, type Field, literalAtom, literalField, oneOf, patternField, unknownName } from "./fields.ts";
import { programName } from "./names.ts";

// Decoders copy their input; longer texts are left unknown.
const decodedLength = 16_384;

/**
 * Returns the known output of a command, so that a text built from constants is judged as the text it is. `workspace` is the
 * folder of the project.
 */
export function outputOf(draft: Draft, workspace: string): Output | undefined {
  spend(1 + draft.args.length);
  const top = topLevel(draft, workspace);
  if (top !== undefined) return atom(`${top}\n`);
  return filters.get(draft.program)?.(draft) ?? printers.get(draft.program)?.(draft);
}

type Printer = (draft: Draft) => Output | undefined;

/** Returns the top folder that a git command prints: the project, if the command runs in it. */
function topLevel({ program, args, cwd }: Draft, workspace: string): string | undefined {
  if (program !== "git" || args[0]?.text !== "rev-parse" || args[1]?.text !== "--show-toplevel" || args.length > 2)
    return undefined;
  const isInside = workspace.startsWith("/") && `${cwd}/`.startsWith(`${workspace}/`);
  return isInside && args.every(({ kind }) => kind === "literal") ? workspace : undefined;
}

const atom = (text: string): Output => ({ atom: literalAtom(text) });

const echo: Printer = ({ args }) => {
  const from = args.findIndex((word) => !/^-[neE]+$/.test(word.text));
  const words = from < 0 ? [] : args.slice(from);
  const escapes = args.slice(0, from < 0 ? undefined : from).some((word) => word.text.includes("e"));
  const text = words.map((word) => word.text).join(" ");
  spend(text.length >> 5);
  if (words.every((word) => word.kind === "literal")) return atom(`${escapes ? unescaped(text) : text}\n`);
  const template = `${words.map((word) => word.template ?? word.text).join(" ")}\n`;
  return { atom: { text, kind: "unknown", template } };
};

const directive = /%(?:%|-?\d*(?:\.\d+)?([sbqdi]))/g;

const printf: Printer = ({ args }) => {
  const text = args[0]?.text === "-v" ? undefined : formatted(args);
  return text === undefined ? undefined : atom(text);
};

/**
 * Returns the text that `printf` makes of a format and its values, if all of them are known. Escapes count in the format and in
 * arguments of `%b`, in no other argument.
 */
export function formatted(args: readonly Field[]): string | undefined {
  const [format, ...values] = args[0]?.text === "--" ? args.slice(1) : args;
  if (!format || args.some((word) => word.kind !== "literal")) return undefined;
  const pieces = [...format.text.matchAll(directive)];
  let index = 0;
  let text = "";
  do {
    const before = index;
    spend(1 + 2 * pieces.length + (format.text.length >> 5));
    let at = 0;
    for (const piece of pieces) {
      text += unescaped(format.text.slice(at, piece.index));
      at = piece.index + piece[0].length;
      const type = piece[1];
      const value = type === undefined ? "%" : (values[index++]?.text ?? "");
      text += type === "b" ? unescaped(value) : value;
    }
    text += unescaped(format.text.slice(at));
    if (index === before) break;
    if (text.length > decodedLength && index < values.length) return undefined;
  } while (index < values.length);
  return /%[^%\s]/.test(format.text.replace(directive, "")) ? undefined : text;
}

/** Backslash escapes of `echo -e` and `printf`. */
function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|0?[0-7]{1,3}|[abefnrtv\\])/g, (_, code: string) => {
    if (code[0] === "x" || code[0] === "u") return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^\d/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255);
    return simpleEscapes.get(code) ?? "\u0007";
  });
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["v", "\v"],
  ["f", "\f"],
  ["b", "\b"],
  ["e", "\u001b"],
  ["\\", "\\"],
]);

/** Returns the input of a filter without file operands. */
function inputText(draft: Draft): string | undefined {
  if (draft.args.some((word) => !word.text.startsWith("-"))) return undefined;
  const text = draft.input?.atom;
  if (text?.kind !== "literal" || text.text.length > decodedLength) return undefined;
  spend(text.text.length >> 1);
  return text.text;
}

const cat: Printer = (draft) => {
  if (draft.args.some((word) => word.text !== "-" && !word.text.startsWith("-"))) return undefined;
  return draft.input ?? undefined;
};

const base64: Printer = (draft) => {
  const text = inputText(draft);
  if (
    text === undefined ||
    !draft.args.some((word) => word.text === "-d" || word.text === "-D" || word.text.startsWith("--d"))
  )
    return undefined;
  return atom(decodeDigits(text, alphabet64));
};

const reversed: Printer = (draft) => {
  const text = inputText(draft);
  return text === undefined
    ? undefined
    : atom(
        text
          .split("\n")
          .map((line) => [...line].reverse().join(""))
          .join("\n"),
      );
};

const hexDecoded: Printer = (draft) => {
  const text = inputText(draft);
  const plain =
    draft.args.some((word) => /^-\w*r/.test(word.text)) && draft.args.some((word) => /^-\w*p/.test(word.text));
  if (text === undefined || !plain) return undefined;
  return atom(
    text.replace(/[^0-9a-fA-F]/g, "").replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))),
  );
};

const location: Printer = ({ args }) => {
  const word = args.find((one) => !one.text.startsWith("-"));
  if (word?.kind !== "literal") return undefined;
  return atom(word.text.includes("/") ? `${word.text}\n` : `/usr/bin/${programName(word.text)}\n`);
};

/** `dirname`, `basename`, `realpath` of one constant path; links are not followed. */
function pathText(change: (path: string, cwd: string) => string): Printer {
  return ({ args, cwd }) => {
    const [word, ...more] = args.filter((one) => !/^--?[a-z]*$/.test(one.text));
    if (word?.kind !== "literal" || word.text === "" || more.length > 0) return undefined;
    const text = change(word.text, cwd);
    return text === "" ? undefined : atom(`${text}\n`);
  };
}

function folderOf(path: string): string {
  const at = withoutEnd(path, "/").lastIndexOf("/");
  return at < 0 ? "." : path.slice(0, at) || "/";
}

/**
 * `mktemp`: a new name in the temporary folder, or beside the template that is given. The replacement of its `X`, and unknown
 * parts of the template, hold no `/`; a template with other signs is not read.
 */
const temporary: Printer = (draft) => {
  const operands: string[] = [];
  let inTemporary = false;
  for (const { kind, text } of draft.args) {
    if (kind !== "literal") return undefined;
    if (/^-[dqtu]+$|^--(?:directory|quiet|tmpdir)$/.test(text)) inTemporary ||= /^-\w*t|^--tmpdir$/.test(text);
    else if (text.startsWith("-")) return undefined;
    else operands.push(text);
  }
  const [template = "tmp.X", ...more] = operands;
  if (more.length > 0 || !/^[\w./-]+$/.test(template)) return undefined;
  const name = madeName(template);
  const own = operands.length === 0 || (inTemporary && !template.includes("/"));
  const text = own ? `/tmp/${name}` : directoryAfter(draft.cwd, name);
  if (text === "") return undefined;
  const found: Atom = { text, kind: "pattern" };
  return { atom: found, words: [patternField(text, draft.place)] };
};

/** Returns the name that `mktemp` makes of a template: the last run of `X` is unknown; without one, an unknown end is added. */
function madeName(template: string): string {
  const last = template.lastIndexOf("X");
  if (last <= template.lastIndexOf("/")) return `${template}.*`;
  return `${withoutEnd(template.slice(0, last), "X")}*`;
}

/** Makes a printer of uncontrolled text without a `/`: a number, a time, a name of a commit. */
const plainly =
  (glob: string, isPlain: (words: readonly string[]) => boolean): Printer =>
  (draft) =>
    draft.args.every((word) => word.kind === "literal") && isPlain(draft.args.map((word) => word.text))
      ? { atom: { text: glob, kind: "pattern" } }
      : undefined;

const time = plainly(
  "[0-9]*",
  (words) =>
    words.some((word) => word.startsWith("+")) &&
    words.every((word) => /^(?:-u|--utc|\+%(?:[sYyF]|-?[mdHMSjNN])(?:[-._:T]?%-?[sYFmdHMSjNyT]|Z)*)$/.test(word)),
);

/** Prints an unknown text without a `/`. */
const oneName: Printer = ({ program }) => ({ atom: unknownName(`$(${program} …)`) });

/** True for a date whose format has no `/`, neither written nor of itself. */
function isPlainDate({ args }: Draft): boolean {
  return args.every(
    (word) => word.kind === "literal" && !/^\+.*(?:\/|%-?[DcxEO])/.test(word.text) && !/^-[rf]/.test(word.text),
  );
}

const commit = plainly(
  "[0-9a-f]*",
  ([verb, ...words]) =>
    verb === "rev-parse" &&
    words.every((word) => /^(?:--verify|-q|--quiet|--short(?:=\d+)?|HEAD[~^\d]*|@)$/.test(word)),
);

/** `ls`: names in its folders, and its operands where they are files. With other options it prints more than names. */
const named: Printer = ({ args, place }) => {
  const [options, operands] = [args.filter(isOption), args.filter((word) => !isOption(word))];
  if (options.some((word) => word.kind !== "literal" || !onlyNames.test(word.text))) return undefined;
  const has = (flag: RegExp): boolean => options.some(({ text }) => flag.test(text));
  if (has(/^-\w*d|^--dir/)) return { words: operands.length === 0 ? [literalField(".", place)] : operands };
  const own: Field = { ...patternField("*", place), ...(has(/^-\w*[aA]|^--a/) && { dots: true as const }) };
  return { words: [...operands, own] };
};

const isOption = ({ text }: Field): boolean => text.length > 1 && text.startsWith("-");
const onlyNames = /^-[1aAdtrSUXcuvBCp]+$|^--(?:all|almost-all|directory|reverse|color=never)$/;

/** Names of files that a search found. */
const searched: Printer = ({ program, args }) => {
  const words = namesFound(program, args);
  return words && { words };
};

/** Commands of git that print names alone, by the option that makes them do so. */
const listing: ReadonlyMap<string, RegExp> = new Map([
  ["ls-files", /^/],
  ["ls-tree", /^--name-only$/],
  ["diff", /^--name-only$/],
  ["grep", /^(?:-[A-KM-Za-km-z]*[lL][a-zA-Z]*|--files-with(?:out)?-match(?:es)?|--name-only)$/],
]);

/** Prints the paths that git lists: below its operands, or any that it knows. */
const git: Printer = (draft) => {
  const [verb, ...rest] = draft.args;
  const asks = listing.get(verb?.text ?? "");
  if (!asks) return commit(draft);
  if (!draft.args.some(({ text }) => asks.test(text))) return undefined;
  const any = patternField("**", draft.place);
  if (verb?.text !== "ls-files") return { words: [any] };
  const paths = rest.filter((word) => !word.text.startsWith("-") && word.kind === "literal");
  const below = paths.flatMap((word) => [word, patternField(`${withoutEnd(word.text, "/")}/**`, draft.place)]);
  return { words: below.length === 0 ? [any] : below };
};

/** Filters that only drop or reorder lines: the words keep their meaning, unless they are cut by bytes. */
const passed: Printer = ({ input, args }) =>
  input?.words && !args.some(({ text }) => /^(?:-\w*c|--bytes)/.test(text)) ? { words: input.words } : undefined;

/** `grep` of a plain name: of names that begin with a dot those are left that hold it. */
const matched: Printer = (draft) => {
  const words = draft.input?.words;
  if (!words || draft.args.some((word) => isOption(word) && !wholeLines.test(word.text))) return undefined;
  const [pattern, ...more] = draft.args.filter((word) => !word.text.startsWith("-"));
  const name = /^\^?\\?\.*([\w-]+)\$?$/.exec(pattern?.kind === "literal" ? pattern.text : "")?.[1];
  const inverted = draft.args.some((word) => /^-[a-zA-Z]*v/.test(word.text));
  if (name === undefined || inverted || more.length > 0) return { words };
  return {
    words: words.map((word) =>
      word.kind === "pattern" && /(?:^|\/)\.\*$/.test(word.text)
        ? { ...word, text: `${word.text.slice(0, -1)}${name}*`, verbatim: -1 }
        : word,
    ),
  };
};

/** Options that let `grep` print each line unchanged, or not at all. */
const wholeLines =
  /^(?:-[ivwxEFGPasz]+|--(?:ignore-case|invert-match|word-regexp|line-regexp|extended-regexp|fixed-strings|perl-regexp))$/;

const found: Printer = (draft) => {
  const plan = planFind(draft.args);
  return { words: plan.selected as readonly Field[] };
};

/**
 * `$(PWD)` and `$(CURDIR)`, as make writes variables: a shell runs a program of that name, which prints the folder where
 * names fold letter case, and nothing elsewhere.
 */
const spelledAsInMake: Printer = ({ cwd, args }) =>
  cwd === "" || args.length > 0 ? undefined : { atom: oneOf(literalAtom(cwd), literalAtom("")) };

const printers: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ["echo", echo],
  ["printf", printf],
  ["cat", cat],
  ["tee", (draft) => draft.input ?? undefined],
  ["base64", base64],
  ["rev", reversed],
  ["xxd", hexDecoded],
  ["which", location],
  ["command", location],
  ["pwd", ({ cwd }) => (cwd === "" ? undefined : atom(`${cwd}\n`))],
  ["PWD", spelledAsInMake],
  ["CURDIR", spelledAsInMake],
  ["dirname", pathText(folderOf)],
  ["basename", (draft) => pathText((path) => programName(path))(draft) ?? oneName(draft)],
  ["realpath", pathText((path, cwd) => directoryAfter(cwd, path))],
  ["mktemp", temporary],
  ["find", found],
  ["fd", (draft) => ({ words: planFd(draft.args).selected })],
  ["fdfind", (draft) => ({ words: planFd(draft.args).selected })],
  ["ls", named],
  ["rg", searched],
  ["git", git],
  ["date", (draft) => time(draft) ?? (isPlainDate(draft) ? oneName(draft) : undefined)],
  ...["nproc", "whoami", "hostname", "arch", "uuidgen"].map((name) => [name, oneName] as const),
  ["uname", (draft) => (draft.args.every((word) => /^-[smrn]$/.test(word.text)) ? oneName(draft) : undefined)],
  ["id", (draft) => (draft.args.every((word) => /^-[un]+$/.test(word.text)) ? oneName(draft) : undefined)],
  ...["sort", "uniq", "head", "tail", "tac"].map((name) => [name, passed] as const),
  ...["grep", "egrep", "fgrep"].map((name): [string, Printer] => [
    name,
    (draft) => (draft.input ? matched(draft) : searched(draft)),
  ]),
]);
