import { describe } from "../../facts/programs/describe.ts";
import type { Subcommand } from "../../facts/programs/program.ts";
import { knownNames, programOf } from "../../facts/programs/registry.ts";
import { allSubcommandSynonyms } from "../../facts/programs/subcommand-synonyms.ts";
import { literalField } from "../../facts/shell/fields.ts";
import { freeWords, subcommandLines } from "./subcommand-lines.ts";

/** The words of a subcommand behind its program: `compose`, `down`. */
export type Words = readonly string[];

/** Known subcommands of one program. */
export interface SubcommandPaths {
  /** Words that a command of the program can begin with. */
  readonly first: ReadonlySet<string>;
  /** Every path, and every beginning of one, joined by blanks. */
  readonly begun: ReadonlySet<string>;
  /** Paths by each of their words behind the first. */
  readonly byWord: ReadonlyMap<string, readonly Words[]>;
  /** Words that are operands or names of scripts as well. */
  readonly free: ReadonlySet<string>;
}

const nowhere = { start: 0, end: 0 };

/** Reads words as facts do: the subcommand, and what is left as operands. */
export function readWords(program: string, words: Words): { readonly subcommand: string; readonly operands: Words } {
  const { subcommand, args } = describe(
    program,
    words.map((text) => literalField(text, nowhere)),
  );
  return { subcommand, operands: args.operands.map(({ text }) => text) };
}

const made = new Map<string, SubcommandPaths>();
const listed: ReadonlySet<string> = new Set(knownNames);
const none: SubcommandPaths = { first: new Set(), begun: new Set(), byWord: new Map(), free: new Set() };

/** Returns what the tables have of a program's subcommands, made once for each program; nothing for a declared one. */
export function subcommandPaths(program: string): SubcommandPaths {
  if (!listed.has(program)) return none;
  const known = made.get(program) ?? make(program);
  made.set(program, known);
  return known;
}

function make(program: string): SubcommandPaths {
  const paths = [...fromRow(programOf(program)?.subcommands ?? [], []), ...fromLines(program), ...otherWords(program)];
  const byWord = new Map<string, Words[]>();
  const begun = new Set<string>();
  for (const path of paths) {
    path.forEach((_word, i) => {
      begun.add(path.slice(0, i + 1).join(" "));
    });
    for (const word of new Set(path.slice(1))) {
      const list = byWord.get(word);
      if (list) list.push(path);
      else byWord.set(word, [path]);
    }
  }
  return { first: new Set(paths.map(([word]) => word as string)), begun, byWord, free: wordsOf(program, freeWords) };
}

/** Every path of a table of subcommands. */
function fromRow(table: readonly Subcommand[], before: Words): Words[] {
  return table.flatMap(({ names, subcommands }) =>
    names.flatMap((name) => {
      const path = [...before, name];
      return [path, ...fromRow(subcommands ?? [], path)];
    }),
  );
}

function fromLines(program: string): Words[] {
  return subcommandLines.flatMap(([programs, text]) => {
    if (!programs.split(" ").includes(program)) return [];
    return text.split("\n").flatMap((line) => {
      const [before, behind] = line.includes(":") ? line.split(":") : ["", line];
      const group = split(before);
      return split(behind).map((word) => [...group, word]);
    });
  });
}

/** Words that select a subcommand which the tables have under another. */
function otherWords(program: string): Words[] {
  return allSubcommandSynonyms().flatMap(([name, words]) => (name === program ? words.map((word) => [word]) : []));
}

function split(text = ""): string[] {
  return text.split(" ").filter((word) => word !== "");
}

function wordsOf(program: string, rows: typeof freeWords): ReadonlySet<string> {
  return new Set(rows.flatMap(([programs, text]) => (programs.split(" ").includes(program) ? text.split(" ") : [])));
}

/** Returns the paths of a program that have all the words, in their order, and others before or between them. */
export function pathsThrough(program: string, words: Words): readonly Words[] {
  const last = words.at(-1) ?? "";
  return (subcommandPaths(program).byWord.get(last) ?? []).filter(
    (path) => path.length > words.length && path.at(-1) === last && isWithin(words, path),
  );
}

function isWithin(words: Words, path: Words): boolean {
  let next = 0;
  for (const word of path) if (word === words[next]) next++;
  return next === words.length;
}

/** Most forms that a help line names. */
const mostForms = 3;

/** Tests of a command that has the words of a path, as an author writes them. `of` is the command and a dot, or empty. */
export function testsOf(program: string, path: Words, of: string): string {
  const { subcommand, operands } = readWords(program, path);
  if (operands.length === 0) return `${of}subcommand: ${subcommand}`;
  const [one, ...others] = operands;
  const rest = others.length === 0 ? `{ contains: ${one} }` : `{ contains_all: [${operands.join(", ")}] }`;
  return `${of}subcommand: ${subcommand}, ${of}operands: ${rest}`;
}

/** Says what to write for one of several paths: values of `subcommand`, or a glob where there are too many. */
export function formOf(
  found: readonly { readonly program: string; readonly paths: readonly Words[] }[],
  of: string,
): { readonly text: string; readonly instead?: string } {
  const read = found.flatMap(({ program, paths }) =>
    paths.map((path) => ({ tests: testsOf(program, path, of), last: path.at(-1), ...readWords(program, path) })),
  );
  const tests = [...new Set(read.map((one) => one.tests))];
  const isShort = read.every(({ operands }) => operands.length === 0);
  const names = [...new Set(read.map(({ subcommand }) => subcommand))];
  if (tests.length === 1)
    return { text: `write \`${tests[0]}\``, ...(isShort && names[0] !== undefined && { instead: names[0] }) };
  if (!isShort) return { text: `write one of ${shownOf(tests)}` };
  if (names.length <= mostForms)
    return { text: `write \`${of}subcommand: [${names.join(", ")}]\`, or the one that is meant` };
  return {
    text: `write \`${of}subcommand: { glob: "* ${read[0]?.last}" }\`, or the one that is meant: ${shownOf(names)}`,
  };
}

function shownOf(texts: readonly string[]): string {
  const shown = texts.slice(0, mostForms).map((text) => `\`${text}\``);
  return shown.join(", ") + (texts.length > mostForms ? ", …" : "");
}
