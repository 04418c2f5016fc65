import { isSlip } from "../../diagnostics/suggest.ts";
import { programOf } from "../../facts/programs/registry.ts";
import { wrapperOf } from "../../facts/programs/wrappers.ts";
import { formOf, pathsThrough, readWords, subcommandPaths, testsOf, type Words } from "./subcommand-paths.ts";
import { known, type Verdict } from "./verdict.ts";

/** Words of subcommands in the wrong place: among the operands, or without the words before them. */

/** A verb of one client that always stands behind the name of a service. */
const serviceVerb =
  /^(?:create|delete|put|describe|list|get|update|terminate|start|stop|modify|attach|detach|register|deregister|remove|add|batch|reboot|purge)-[a-z]/;

const behindService = "the name of a service stands before it";

/**
 * Judges a part of a subcommand whose words before it are missing: `merge` of `gh pr merge`; undefined where it may be whole.
 * `of` is the command as the author writes it, with a dot behind it, or empty.
 */
export function partVerdict(name: string, programs: readonly string[], of = ""): Verdict | undefined {
  const words = name.split(" ");
  const found = programs.map((program) => ({ program, paths: partOf(program, words) }));
  const told = found.filter(({ paths }) => paths.length > 0);
  const [first] = told;
  const [path] = first?.paths ?? [];
  if (first && path) {
    // A program whose known subcommands lack the word may have a subcommand of exactly that name.
    if (found.some(({ program, paths }) => paths.length === 0 && hasSubcommands(program))) return undefined;
    const { text, instead } = formOf(told, of);
    const why = `${words.length > 1 ? "more words belong to it" : "it stands behind another word"}, as in \`${first.program} ${path.join(" ")}\``;
    return { kind: "dead", why, help: text, ...(instead !== undefined && { instead }) };
  }
  if (!programs.every((program) => program === "aws") || !serviceVerb.test(name)) return undefined;
  return { kind: "dead", why: behindService, help: `write \`{ glob: "* ${name}" }\`` };
}

/** Judges the beginning of a subcommand, as `starts_with` and globs have it, like a whole one. */
export function beginVerdict(text: string, programs: readonly string[], of: string): Verdict {
  const begin = text.replace(/ ?\*+$/, "").trimEnd();
  if (!/^[a-z][\w-]*(?: [a-z][\w-]*)*$/.test(begin)) return known;
  for (const program of programs)
    for (const one of subcommandPaths(program).begun) if (one.startsWith(begin)) return known;
  const isOfService = programs.length > 0 && programs.every((program) => program === "aws");
  if (isOfService && serviceVerb.test(begin.endsWith("-") ? `${begin}x` : begin))
    return { kind: "dead", why: behindService, help: `write \`${of}subcommand: { glob: "* ${begin}*" }\`` };
  const verdict = partVerdict(begin, programs, of);
  // A replacement for a beginning is no beginning itself.
  if (verdict?.kind === "dead") return { kind: "dead", why: verdict.why, help: verdict.help };
  return misspeltBegin(begin, programs) ?? known;
}

/** Judges a beginning of several words whose first one is a typing error away from that of a known subcommand. */
function misspeltBegin(begin: string, programs: readonly string[]): Verdict | undefined {
  const [first = "", ...rest] = begin.split(" ");
  if (rest.length === 0 || first.length < 5) return undefined;
  const firsts = programs.map((program) =>
    [...subcommandPaths(program).begun].map((one) => one.split(" ")[0] as string),
  );
  if (firsts.some((words) => words.length === 0 || words.includes(first))) return undefined;
  const near = firsts.flat().find((word) => word.length >= 5 && isSlip(first, word));
  return near === undefined ? undefined : { kind: "near", near: [near, ...rest].join(" ") };
}

function partOf(program: string, words: Words): readonly Words[] {
  return subcommandPaths(program).begun.has(words.join(" ")) ? [] : pathsThrough(program, words);
}

function hasSubcommands(program: string): boolean {
  const row = programOf(program);
  return row?.subcommands !== undefined || row?.chain !== undefined;
}

/**
 * Judges a word among the operands that is one of the subcommand: `push` of `git push`, `merge` of `gh pr merge`. `together`
 * are all operands that the tests beside it require. Words that are operands elsewhere, or names of programs that another one
 * runs, are left alone.
 */
export function operandVerdict(text: string, programs: readonly string[], together: Words, of = ""): Verdict {
  if (programs.length === 0 || text.length > 200 || !programs.every(hasSubcommands)) return known;
  const words = text.split(" ");
  if (!words.every((word) => /^[a-z][\w-]*$/.test(word))) return known;
  for (const program of programs) {
    const verdict = words.length > 1 ? joined(program, words, of) : single(program, text, together, of);
    if (verdict) return verdict;
  }
  return known;
}

/**
 * Judges a word among the operands that is the next word of every subcommand beside it: `merge` beside `subcommand: pr` of `gh`.
 * `begins` are the words with which the subcommand begins.
 */
export function nextWordVerdict(text: string, programs: readonly string[], begins: Words, of: string): Verdict {
  if (text.length > 200 || !/^[a-z][\w-]*$/.test(text) || programs.length === 0) return known;
  const isNext = programs.every((program) => {
    const { begun } = subcommandPaths(program);
    return begins.every((begin) => {
      const path = `${begin} ${text}`;
      return begun.has(path) && `${readWords(program, [...path.split(" "), "x"]).subcommand} `.startsWith(`${path} `);
    });
  });
  if (!isNext) return known;
  const all = begins.map((begin) => `${begin} ${text}`);
  return { kind: "dead", why, help: `write \`${of}subcommand: ${all.length > 1 ? `[${all.join(", ")}]` : all[0]}\`` };
}

/** Judges several words in one text, where every operand is one word. */
function joined(program: string, words: Words, of: string): Verdict | undefined {
  const paths = subcommandPaths(program);
  const [first = "", second = ""] = words;
  if (!paths.first.has(first) || (!paths.begun.has(`${first} ${second}`) && !isWhole(program, first))) return undefined;
  return { kind: "dead", why: "an operand is one word", help: `write \`${testsOf(program, words, of)}\`` };
}

const why = "it is a word of the subcommand";

function single(program: string, text: string, together: Words, of: string): Verdict | undefined {
  const path = pathOf(program, together);
  if (path) {
    // One finding for all words of a path.
    if (text !== path[0]) return known;
    return { kind: "dead", why, help: `write \`${testsOf(program, path, of)}\`` };
  }
  const { first, begun, byWord, free } = subcommandPaths(program);
  if (free.has(text)) return undefined;
  if (first.has(text)) {
    if (isWhole(program, text))
      return { kind: "dead", why: "it is the subcommand", help: `write \`${of}subcommand: ${text}\`` };
    if (![...begun].some((one) => one.startsWith(`${text} `))) return undefined;
    return { kind: "dead", why, help: `write \`${of}subcommand: { starts_with: "${text} " }\`` };
  }
  // A program that runs others has their names among its operands; clients of clouds run none.
  const runsOthers = programOf(program)?.chain === undefined;
  if (runsOthers && (programOf(text) !== undefined || wrapperOf(text) !== undefined)) return undefined;
  const paths = (byWord.get(text) ?? []).filter((one) => readWords(program, one).subcommand.split(" ").includes(text));
  if (paths.length === 0) return undefined;
  const last = paths.filter((one) => one.at(-1) === text);
  const form =
    last.length > 0
      ? formOf([{ program, paths: last }], of)
      : { text: `write \`${of}subcommand: { glob: "* ${text} *" }\`` };
  return { kind: "dead", why, help: form.text };
}

/** True for a word that is a whole subcommand by itself. */
function isWhole(program: string, word: string): boolean {
  const read = readWords(program, [word, "x"]);
  return read.subcommand === word && read.operands.length === 1;
}

/** Most operands that are tried in other orders. */
const mostWords = 8;

/** Returns required operands in an order in which they begin with a subcommand of several words or tests. */
function pathOf(program: string, together: Words): Words | undefined {
  if (together.length < 2 || together.length > mostWords) return undefined;
  const { first, begun, free } = subcommandPaths(program);
  const others = (word: string): Words => together.filter((one) => one !== word);
  for (const word of together.filter((one) => first.has(one))) {
    const next = others(word).find((one) => begun.has(`${word} ${one}`));
    if (next !== undefined) {
      const rest = others(word).filter((one) => one !== next);
      const third = rest.find((one) => begun.has(`${word} ${next} ${one}`));
      return third === undefined ? [word, next, ...rest] : [word, next, third, ...rest.filter((one) => one !== third)];
    }
  }
  const whole = together.find((one) => first.has(one) && !free.has(one) && isWhole(program, one));
  return whole === undefined ? undefined : [whole, ...others(whole)];
}
