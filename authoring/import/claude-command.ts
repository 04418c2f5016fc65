import { subcommandVerdict } from "../../compiler/lint/open-names.ts";
import { isPeeled } from "../../compiler/lint/peeled.ts";
import { programOf } from "../../facts/programs/registry.ts";
import { wrapperOf } from "../../facts/programs/wrappers.ts";
import { analyseShell } from "../../facts/shell/analyse.ts";
import { all, any, literal, quoted } from "./cel-text.ts";

/** Result of a command pattern: a condition on `c`, one parsed command, and an example of a command. */
export interface CommandTest {
  readonly when: string;
  readonly example: string;
}

/** A pattern that no condition can express, and the reason. */
export interface NoCommandTest {
  readonly reason: string;
}

/** Wrapper programs that Claude Code itself ignores. */
const plainWrappers = ["timeout", "time", "nice", "nohup", "stdbuf"] as const;

/** Programs that run the next one, and that people write in patterns. */
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

/** A command in a pattern: its words, and whether more may follow. */
interface Pattern {
  readonly words: readonly string[];
  readonly open: boolean;
}

/**
 * Converts the pattern of `Bash(…)` to a condition on one parsed command. With `guards` (deny, ask) it holds for any
 * wrapper, option order or path of the program, hence for more than the original. Otherwise (allow) it requires exactly
 * these words at the beginning and the program as written. It then allows no wrapper that changes what runs, no variables,
 * and no output to a file. Source: hosts page, Claude Code; its own documentation of permission rules.
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

/** Requires exactly these words, and any further ones if the pattern is open. */
function allowTest({ words, open }: Pattern): CommandTest {
  const { before, program, rest } = parts(words);
  const text = [program, ...rest].join(" ");
  const base = baseName(program);
  const same = [
    program.includes("/") ? `has(c.path) && c.path.name == ${literal(base)}` : `c.program == ${literal(base)}`,
    // Of `sudo ls` the text is `ls`.
    open && !(rest.length === 0 && isPeeled(base))
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
 * Handles `uv run:*`: facts skip the program itself, so the permission is for the program that it runs. That one has no
 * words of the pattern, which are searched in the whole text. So the text must be this one command, of plain words and
 * quotes.
 */
function forwarded(program: string, text: string, before: readonly string[]): string[] {
  if (program.includes("/") || !wrapperOf(program) || !forwards(program, text)) return [];
  const begins = [...before, text].join(" ").replaceAll(/[.*+?^{}()[\]|/-]/g, "\\$&");
  const alone = `args.command.matches(${literal(`^${begins} [\\w ./:=@,+%'"-]+$`)})`;
  return [all([alone, ...nothingElse([...before, program])])];
}

/** True if a program with these words runs the words after them. */
function forwards(program: string, text: string): boolean {
  const ground = { cwd: "/", home: "/home", workspace: "/", variables: {}, dialect: "bash" };
  const analysis = analyseShell(`${text} own-program`, ground);
  return analysis.kind !== "not_understood" && analysis.drafts.some(({ wrappers }) => wrappers.includes(program));
}

/** Returns conditions that keep an allowed command from doing more than its pattern. */
function nothingElse(before: readonly string[]): string[] {
  const known = [...plainWrappers, ...before].map(literal).join(", ");
  return [
    ...before.map((name) => `${literal(name)} in c.wrappers`),
    `c.wrappers.all(w, w in [${known}])`,
    "size(c.env) == 0",
    "c.redirects.all(r, !has(r.path))",
  ];
}

/** Tests the program by its name, its subcommand in any position, and every further word anywhere. */
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

/** Tests that the word is the first one, or the program's subcommand, if it has any and can have this one. */
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

/** Tests that the word occurs; an option in any of its spellings, letters in one word or in several. */
function given(word: string): string {
  const anywhere = `c.words.exists(w, w.text == ${literal(word)})`;
  if (!word.startsWith("-")) return anywhere;
  const letters = /^-[A-Za-z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
  const options = all([...new Set(letters)].map((option) => `c.has_option(${literal(option)})`));
  return any([options, anywhere]);
}

/** Handles a pattern with stars inside: a test on the text of the one command. */
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

/** Returns the wrappers in front, the program, and the words after it. */
function parts(words: readonly string[]): { before: readonly string[]; program: string; rest: readonly string[] } {
  let at = 0;
  while (at < words.length - 1 && wrappers.has(words[at] as string) && isProgram(words[at + 1] as string)) at += 1;
  return { before: words.slice(0, at), program: words[at] as string, rest: words.slice(at + 1) };
}

/** True for a word that a wrapper would run: `sudo apt`, but not `timeout 5` nor `env -i`. */
function isProgram(word: string): boolean {
  return /^[A-Za-z_./][\w./-]*$/.test(word);
}

function baseName(program: string): string {
  return program.split("/").at(-1) || program;
}
