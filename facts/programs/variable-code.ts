import { keptByText } from "../memo.ts";
import { spend } from "../meter.ts";
import { type Atom, type Field, knownOf, literalField, mayHoldMore, withText } from "../shell/fields.ts";
import type { Place } from "../shell/syntax.ts";
import { givenSettings, perhapsRun } from "./git-settings.ts";
import { isUsual } from "./run-variables.ts";

/** Variables whose value is a shell text, or a program with its words. Source: manuals of git, man, less, make, cargo and rsync. */
const running =
  /^(?:GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|PROXY_COMMAND)|(?:\w+_)?(?:PAGER|EDITOR|ASKPASS)|MANPAGER|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|LESSEDIT|FCEDIT|(?:FZF|SKIM)_(?:DEFAULT|CTRL_T|ALT_C|CTRL_R)_COMMAND|(?:npm_config_script_shell|NPM_CONFIG_SCRIPT_SHELL)|RSYNC_RSH|SVN_SSH|CVS_RSH|PROMPT_COMMAND|CC|CXX|LD|RUSTC(?:_WORKSPACE)?_WRAPPER|CARGO_\w+_(?:RUNNER|LINKER|WRAPPER))$/;
/** Variables whose value a shell expands as it starts. */
const expanded = /^(?:BASH_ENV|ENV|PS[0124])$/;
/** Variables whose value adds options to a program, and the names of that program. */
const optioned: ReadonlyMap<string, RegExp> = new Map([
  ["TAR_OPTIONS", /^(?:g|bsd)?tar$/],
  ["MAKEFLAGS", /^g?make$/],
  ["GNUMAKEFLAGS", /^g?make$/],
  ["FZF_DEFAULT_OPTS", /^fzf(?:-tmux)?$/],
  ["SKIM_DEFAULT_OPTIONS", /^sk(?:-tmux)?$/],
  ["LESS", /^(?:less|man|git)$/],
  ["MANOPT", /^man$/],
  ["ZIPOPT", /^zip$/],
  ["ACK_OPTIONS", /^ack$/],
]);
const optionedNames: Readonly<Record<string, string>> = { LESS: "less" };
const prompts = /^PS[012]$/;
const shells = /^(?:ba|da|z|k)?sh$/;
const substitution = /\$\(|`/;

/** Compilers and linkers with their options, in their places or behind a cache. */
const compilers = /^(?:CC|CXX|LD)$/;
const compiler =
  /^(?:\S{0,32}cache\s+)?(?:[\w./-]*[/-])?(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|tcc|icc|icx|icpx|ld|lld|gold|mold|cl|nvcc|zig)(?:-?[\d.]+)?(?:\s|$)/;

/** Which program reads which variable. An unknown program may read any variable set before it. */
const readers: readonly (readonly [variables: RegExp, programs: RegExp])[] = [
  [/^GIT_|^SSH_ASKPASS$/, /^(?:git|gh|hub|glab|git-\w+)$/],
  [/^SSH_ASKPASS$/, /^(?:ssh|ssh-add|scp|sftp|rsync|sudo)$/],
  [/^(?:FZF|SKIM)_/, /^(?:fzf|sk)(?:-tmux)?$/],
  [/^FCEDIT$/, /^fc$/],
  [/^npm_config_script_shell$/i, /^(?:npm|npx|pnpm|yarn)$/],
  [/PAGER$/, /^(?:ack|ag|git|man|psql|mysql|mariadb|gh|glab|aws|systemctl|journalctl|loginctl|bat|delta|help)$/],
  [/EDITOR$|^VISUAL$/, /^(?:git|crontab|kubectl|oc|visudo|vipw|sudoedit|sudo|psql|gh|glab|systemctl|npm|less|fc)$/],
  [/^(?:CC|CXX|LD)$/, /^(?:make|gmake|cmake|ninja|meson|scons|bazel|cargo|go|npm|pnpm|yarn|pip|pip3|uv|configure)$/],
  [/^(?:RUSTC|CARGO)_/, /^(?:cargo|rustc)$/],
  [/^RSYNC_RSH$/, /^rsync$/],
  [/^SVN_SSH$/, /^svn$/],
  [/^CVS_RSH$/, /^cvs$/],
  [/^LESS(?:OPEN|CLOSE|EDIT)$/, /^(?:less|man|git)$/],
  [/^BROWSER$/, /^(?:npm|pnpm|yarn|gh|glab|xdg-open|open)$/],
  [/^SUDO_ASKPASS$/, /^sudo$/],
  [/^PROMPT_COMMAND$|^BASH_ENV$|^ENV$|^PS4$/, /^(?:ba|da|z|k)?sh$/],
];

/** A command with its own variables and those that earlier commands set. */
interface Run {
  /** The program and its words. */
  readonly fields: readonly Field[];
  readonly env: ReadonlyMap<string, Atom>;
  readonly wrappers: readonly string[];
  readonly place: Place;
}

const none: readonly Field[] = [];

/**
 * Returns the shell texts in variables that a program may run: `GIT_PAGER='less -R' git log`. A program without a row
 * (`isOther`) may read any variable set before it. A program that such a text starts runs none of them again.
 */
export function variableTexts(
  program: string,
  { fields, env, wrappers, place }: Run,
  moved: readonly (readonly [string, Atom])[],
  isOther: boolean,
): readonly Field[] {
  const isGiven = program === "git" && fields.some(({ text }) => text.startsWith("--config-env"));
  if (env.size === 0 && moved.length === 0 && !isGiven) return none;
  spend(1 + env.size + moved.length + wrappers.length);
  if (wrappers.includes(program)) return none;
  const set = [...env, ...moved.filter(([name]) => !env.has(name))];
  const settings = program === "git" ? givenSettings(fields.slice(1), new Map(set), place).map(perhapsRun) : none;
  const seen = set.filter(([name]) =>
    prompts.test(name)
      ? shells.test(program) && isInteractive(fields)
      : isReadBy(name, program) || (env.has(name) && isOther),
  );
  const options = set
    .filter(([name]) => optioned.get(name)?.test(program))
    .map(([name, value]) => withOptions(optionedNames[name] ?? program, value, place));
  const texts = seen.flatMap(([name, value]) => textOf(name, value, place));
  return [...texts, ...options, ...settings.filter((text) => text !== undefined)];
}

/** Returns the variables that such a text sees: those that cannot contain one. */
export function withoutTexts(env: ReadonlyMap<string, Atom>): ReadonlyMap<string, Atom> {
  return new Map([...env].filter(([name]) => !running.test(name) && !expanded.test(name) && !optioned.has(name)));
}

/** The same for words that pass a variable to a program, as in `make CC=gcc`. */
export function assignedTexts(words: readonly Field[]): readonly Field[] {
  return words.flatMap((word) => {
    const [before = "", name = ""] = /^(\w+)=/.exec(word.text) ?? [];
    return name === "" ? none : textOf(name, withText(word, word.text.slice(before.length)), word.place);
  });
}

function isReadBy(name: string, program: string): boolean {
  return name.length <= longestName && readersOf(name).some((programs) => programs.test(program));
}

/** No program reads a variable with a longer name than this. */
const longestName = 128;

/** Returns the programs that read a variable: each command asks for all variables set before it. */
const readersOf = keptByText((name) =>
  readers.filter(([variables]) => variables.test(name)).map(([, programs]) => programs),
);

/** True for an interactive shell, which shows prompts: one that an option makes so, or that is given nothing to run. */
function isInteractive(fields: readonly Field[]): boolean {
  return fields.length === 1 || fields.some(({ text }) => /^-[A-Za-hj-z]*i[A-Za-z]*$/.test(text));
}

/** Returns the program with further options, as a text in which dollars have no meaning for a shell. */
function withOptions(program: string, value: Atom, place: Place): Field {
  const given = value.template ?? value.text;
  // A command of less goes on to the end.
  const isOne = program === "less" && given.includes("+");
  const words = isOne ? `'${given.replaceAll("'", "'\\''")}'` : given.replace(/[$`]/g, "\\$&");
  const text = `${program} ${words}`;
  if (value.kind !== "unknown") return literalField(text, place);
  return mayHoldMore({ ...literalField(value.text, place), ...value })
    ? { ...literalField(value.text, place), ...value }
    : literalField(text, place);
}

/** Returns the text that a variable makes a program run; of a partly known text, the known part. */
function textOf(name: string, value: Atom, place: Place): readonly Field[] {
  const field: Field = { ...literalField(value.text, place), ...value };
  if (expanded.test(name)) return substitution.test(value.text) ? [literalField(`: "${value.text}"`, place)] : none;
  if (!running.test(name) || isItself(name, value)) return none;
  const text = value.text.replace(/^[|-]+\s*/, "");
  if (value.kind === "unknown" && /^[\s"'`;]*$/.test(value.text)) return mayHoldMore(field) ? [field] : none;
  if (compilers.test(name) ? compiler.test(text) : isUsual(name, value.text)) return none;
  return [literalField(value.kind === "unknown" ? (value.template ?? text) : text, place)];
}

/** True for `CC="$CC"` and `PAGER=${PAGER:-less}`: nothing is set that was not there. */
function isItself(name: string, value: Atom): boolean {
  if (value.kind !== "unknown") return false;
  const holes = knownOf(value, "…").filter((piece) => typeof piece === "object");
  return holes.length > 0 && holes.every(({ of }) => new RegExp(`^\\$\\{?${name}\\b`).test(of));
}
