import { anyText, type Hole, type Pieces, patternText, severalTexts, type Text } from "../../schema/approximation.ts";
import type { ShellCommand, Word } from "../../schema/facts.ts";
import { besideClasses } from "../glob-classes.ts";
import { spend } from "../meter.ts";
import type { Description } from "../programs/program.ts";
import type { Draft } from "../shell/draft.ts";
import { type Atom, type Field, knownOf, piecesOf } from "../shell/fields.ts";
import { programName, withoutVersion } from "../shell/names.ts";
import {
  beginningOf,
  isDashed,
  isUnknown,
  mayBeSeveral,
  piecesOfWord,
  shownOf,
  textOf,
  WordsRead,
} from "./known-words.ts";

/** The texts of a command; some are known in part. */
export type KnownTexts = Pick<
  ShellCommand,
  "program" | "subcommand" | "words" | "operands" | "options" | "env" | "wrappers" | "text"
>;

/** True where a word, the program or a variable of a command is not known. */
export function isPartlyKnown({ name, args, env, wrappers, candidates }: Draft): boolean {
  if (name.kind === "unknown" || candidates.length > 0 || wrappers.includes("")) return true;
  if (args.some(isUnknown)) return true;
  for (const value of env.values()) if (isUnknown(value)) return true;
  return false;
}

/** Returns the known texts of a command (reach page, section 1), for graded conditions. */
export function knownTexts(draft: Draft, described: Description): KnownTexts {
  spend(8 + 4 * draft.args.length + 2 * described.args.options.length);
  const program = programOf(draft);
  const words = new WordsRead(draft, described, program);
  const wrappers = draft.wrappers.map((wrapper) => (wrapper === "" ? anyText("…") : wrapper));
  const env = Array.from(draft.env, ([name, value]) => [name, valueText(value, `$${name}`)] as const);
  const pieces = [draft.name, ...draft.args].flatMap((word, i) => [i === 0 ? "" : " ", ...piecesOfWord(word)]);
  return {
    program,
    ...(words.subcommand === undefined ? {} : { subcommand: words.subcommand }),
    words: [...words.hidden, ...draft.args.map(knownWord)],
    operands: words.operands,
    options: words.options,
    env: Object.fromEntries(env),
    wrappers,
    text: patternText(pieces),
  };
}

function valueText(value: Atom, of: string): Text {
  return isUnknown(value) ? patternText(knownOf(value, of)) : value.text;
}

/** Returns a word as conditions see it. An unquoted option may be split into any words. */
function knownWord(word: Field): Word {
  const { kind } = word;
  if (!mayBeSeveral(word)) return { text: textOf(word), kind };
  const isCut = isDashed(word) && !beginningOf(word).includes("=");
  return { text: isCut ? severalTexts(anyText(shownOf(word))) : textOf(word), kind, several: true };
}

/** Returns the name of the program: the part of its word behind the last folder. */
function programOf({ name, program, candidates }: Draft): Text {
  if (name.kind !== "unknown" && candidates.length === 0) return withoutVersion(program);
  const pieces = baseOf(name.kind === "unknown" ? piecesOf(name) : globPieces(name.text));
  const known = pieces.filter((piece) => piece !== "");
  if (known.every((piece) => typeof piece === "string")) return withoutVersion(programName(known.join("")));
  const text = patternText(withoutVersionOf(known));
  return mayBeSeveral(name) ? severalTexts(text) : text;
}

/** Returns the pieces behind the last known `/`; an unknown part before it is a folder. */
function baseOf(pieces: Pieces): Pieces {
  const last = pieces.findLastIndex((piece) => typeof piece === "string" && piece.includes("/"));
  if (last < 0) return pieces;
  const piece = pieces[last] as string;
  return [piece.slice(piece.lastIndexOf("/") + 1), ...pieces.slice(last + 1)];
}

/** Returns the pieces of a name with a glob: each wildcard may be any part of a name. */
function globPieces(text: string): Pieces {
  if (/[(){}]/.test(text)) return [{ hole: "tail", of: text }];
  const hole: Hole = { hole: "name", of: text };
  return besideClasses(text)
    .flatMap((known) => known.split(/[*?]/))
    .flatMap((known, i): Pieces => (i === 0 ? [known] : [hole, known]));
}

/** `python3$V` may be `python3.11`, which is `python`. */
function withoutVersionOf(pieces: Pieces): Pieces {
  const [first, ...rest] = pieces;
  if (typeof first !== "string" || typeof rest[0] !== "object") return pieces;
  return [first.replace(/^(python|pypy|pip|perl|ruby|php)\d[\d.]*$/, "$1"), ...rest];
}
