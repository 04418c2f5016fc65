import { subcommandVerdict } from "../../compiler/lint/open-names.ts";
import { programOf } from "../../facts/programs/registry.ts";
import { wrapperOf } from "../../facts/programs/wrappers.ts";
import { analyseShell } from "../../facts/shell/analyse.ts";
import { all, any, literal, quoted } from "./cel-text.ts";

/** What a pattern of a command comes to: a condition on `c`, one parsed command, and a command that it is about. */
export interface CommandTest {
  readonly when: string;
  readonly example: string;
}

/** A pattern that no condition says, and why. */
export interface NoCommandTest {
  readonly reason: string;
}

/** Programs in front of another one that Claude Code itself looks past. */
const plainWrappers = ["timeout", "time", "nice", "nohup", "stdbuf"] as const;

/** Programs that run the one behind them, and that people write in patterns. */
const wrappers: ReadonlySet<string> = new Set([
  ...plainWrappers,
  "sudo",
  "doas",
  "env",
  "setsid",
  "ionice",
  "command",
  "exec",
  "xargs",
]);

/** A command as an author wrote it in a pattern: words, and whether more may follow. */
interface Pattern {
  readonly words: readonly string[];
  readonly open: boolean;
}

/**
 * The pattern of `Bash(…)` as a condition on one parsed command. `guards` (deny, ask): whatever wrapper, option order or
 * path of the program, hence on more than the original. Otherwise (allow): exactly these words at the beginning, the
 * program as written, no wrapper that changes what runs, no variables, no file that output goes to.
 * Source: hosts page, Claude Code; its own documentation of permission rules.
 */
export function commandTest(pattern: string, guards: boolean): CommandTest | NoCommandTest {
  const text = pattern.trim().replace(/\s+/g, " ");
  if (/[|&;<>`\n]|\$\(/.test(text)) return { reason: "it names several commands; a rule judges each by itself" };
  if (/["'\\$]/.test(text)) return { reason: "quotes, backslashes and variables in a pattern are not carried over" };
  const open = / ?:?\*$/.test(text);
  const bare = text.replace(/(?: |:)\*$/, "");
  if (bare.includes("*") || bare === "")
    return bare === "" ? { reason: "it names no command" } : globTest(text, guards);
  const words = bare.split(" ");
  return guards ? guardTest({ words, open }) : allowTest({ words, open });
}

/** Exactly these words, and what follows where the pattern is open. */
function allowTest({ words, open }: Pattern): CommandTest {
  const { before, program, rest } = parts(words);
  const text = [program, ...rest].join(" ");
  const base = literal(baseName(program));
  const same = [
    program.includes("/") ? `has(c.path) && c.path.name == ${base}` : `c.program == ${base}`,
    open
      ? any([`c.text == ${literal(text)}`, `c.text.startsWith(${literal(`${text} `)})`])
      : `c.text == ${literal(text)}`,
    ...(open && rest.length === 0 ? [] : [`size(c.words) ${open ? ">=" : "=="} ${rest.length}`]),
    ...rest.map((word, i) => `c.words[${i}].text == ${literal(word)} && c.words[${i}].kind == "literal"`),
  ];
  const itself = all([...same, ...nothingElse(before)]);
  const when = open ? any([itself, ...forwarded(program, text, before)]) : itself;
  return { when, example: words.join(" ") };
}

/**
 * `uv run:*`: the program itself is looked past, so that the permission is one for what it runs. That has no words of the
 * pattern, which are looked for in the whole text; hence the text is this one command, of plain words and quotes.
 */
function forwarded(program: string, text: string, before: readonly string[]): string[] {
  if (program.includes("/") || !wrapperOf(program) || !forwards(program, text)) return [];
  const begins = [...before, text].join(" ").replaceAll(/[.*+?^{}()[\]|/-]/g, "\\$&");
  const alone = `args.command.matches(${literal(`^${begins} [\\w ./:=@,+%'"-]+$`)})`;
  return [all([alone, ...nothingElse([...before, program])])];
}

/** True if a program with these words runs what stands behind them. */
function forwards(program: string, text: string): boolean {
  const ground = { cwd: "/", home: "/home", workspace: "/", variables: {}, dialect: "bash" };
  const analysis = analyseShell(`${text} own-program`, ground);
  return analysis.kind !== "not_understood" && analysis.drafts.some(({ wrappers }) => wrappers.includes(program));
}

/** What keeps an allowed command from being more than it says. */
function nothingElse(before: readonly string[]): string[] {
  const known = [...plainWrappers, ...before].map(literal).join(", ");
  return [
    ...before.map((name) => `${literal(name)} in c.wrappers`),
    `c.wrappers.all(w, w in [${known}])`,
    "size(c.env) == 0",
    "c.redirects.all(r, !has(r.path))",
  ];
}

/** The program by its name, its subcommand wherever it stands, every further word anywhere. */
function guardTest({ words }: Pattern): CommandTest {
  const { before, program, rest } = parts(words);
  const [first, ...others] = rest;
  const tests = [
    ...before.map((name) => `${literal(name)} in c.wrappers`),
    `c.program == ${literal(baseName(program))}`,
    ...(first === undefined ? [] : [first.startsWith("-") ? given(first) : leading(baseName(program), first)]),
    ...others.map(given),
  ];
  const alone = any([
    all(tests),
    ...(rest.length === 0 && before.length === 0 ? [`${literal(program)} in c.wrappers`] : []),
  ]);
  return { when: alone, example: words.join(" ") };
}

/** The word is the first one, or what the program takes as its subcommand, where it takes any and can take this one. */
function leading(program: string, word: string): string {
  const text = literal(word);
  const first = `size(c.words) > 0 && c.words[0].text == ${text}`;
  const row = programOf(program);
  if (!row?.subcommands && !row?.chain) return first;
  const begins = `c.subcommand.startsWith(${literal(`${word} `)})`;
  const isDead = subcommandVerdict(word, [program]).kind === "dead";
  const subcommand = isDead ? begins : `(c.subcommand == ${text} || ${begins})`;
  return `(has(c.subcommand) && ${subcommand}) || (${first})`;
}

/** The word stands somewhere; an option by any of its spellings, letters in one word or in several. */
function given(word: string): string {
  const anywhere = `c.words.exists(w, w.text == ${literal(word)})`;
  if (!word.startsWith("-")) return anywhere;
  const letters = /^-[A-Za-z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
  const options = all([...new Set(letters)].map((option) => `c.has_option(${literal(option)})`));
  return any([options, anywhere]);
}

/** A pattern with stars inside: on the text of the one command. */
function globTest(text: string, guards: boolean): CommandTest {
  const open = / \*$/.test(text) ? text.slice(0, -2) : undefined;
  const regex = (part: string): string => part.split("*").map(quoted).join("(?s:.*)");
  const body = open === undefined ? regex(text) : `${regex(open)}(?:(?s: .*))?`;
  const pattern = guards ? `^(?:[^ ]*/)?${body}$` : `^${body}$`;
  const matches = `c.text.matches(${literal(pattern)})`;
  const example = text.replaceAll("*", "x");
  if (guards) return { when: matches, example };
  return { when: all([matches, 'c.words.all(w, w.kind != "unknown")', ...nothingElse([])]), example };
}

/** Wrappers in front, the program, and the words behind it. */
function parts(words: readonly string[]): { before: readonly string[]; program: string; rest: readonly string[] } {
  let at = 0;
  while (at < words.length - 1 && wrappers.has(words[at] as string) && isProgram(words[at + 1] as string)) at += 1;
  return { before: words.slice(0, at), program: words[at] as string, rest: words.slice(at + 1) };
}

/** A word that a wrapper would run: `sudo apt`, but not `timeout 5` nor `env -i`. */
function isProgram(word: string): boolean {
  return /^[A-Za-z_./][\w./-]*$/.test(word);
}

function baseName(program: string): string {
  return program.split("/").at(-1) || program;
}
