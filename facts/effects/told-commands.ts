import { knownParts } from "../../schema/approximation.ts";
import { type EffectKind, effectKinds, type ShellCommand } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { spend, spendText } from "../meter.ts";
import { programOf } from "../programs/registry.ts";
import { withoutEnd } from "../text/ends.ts";
import { readShell } from "./shell.ts";
import { Sink } from "./sink.ts";

/** How an argument is recognised as a command: by its name, or by its text alone. */
export type Telling = "named" | "unnamed";

/** Most UTF-16 units of an argument that may hold a command without being named one: a described command is shorter, a document longer. */
const toldLength = 4_096;

/** Words that occur in sentences and hardly ever in commands. */
const sentenceWords: ReadonlySet<string> = new Set(
  (
    "a an the and or but not no nor so if then else when while because since as is are was were be been being am do does did has have had " +
    "can could will would shall should may might must of to in on at by for from with without into onto over under about after before " +
    "between that this these those it its he she we you they i me my your our their them us him her who which what why how where " +
    "there here please also only just very too again still yet never always fails failed fail works worked work broken breaks broke " +
    "returns returned gives gave error errors issue issues instead than least more most some any each every all both up out off"
  ).split(" "),
);

/** Least share of sentence words that makes a text a sentence. */
const sentenceShare = 0.25;

/**
 * True for a text that a shell would run as a command with effects. If the argument's name says that it is a command, any effect
 * counts. Otherwise only effects of known programs count, and only with syntax that sentences do not have.
 */
export function tellsCommand(text: string, telling: Telling, event: JudgedEvent, files: FileSystem): boolean {
  spendText(text.length);
  if (telling === "unnamed" && (text.length > toldLength || !/[\s;|&<>]/.test(text.trim()) || namesNoProgram(text)))
    return false;
  const sink = new Sink(event.environment, files);
  const { cwd } = event.environment;
  const { shell } = readShell(text, cwd, event.environment, "bash", sink);
  if (!shell) return false;
  const effects = sink.effects();
  if (telling === "named") return effectKinds.some((kind) => effects[kind].length > 0);
  const { commands } = shell;
  const known = commands.map(isKnown);
  const allKnown = !known.includes(false);
  const first = programOf(baseName(/^\s*([^\s`]+)/.exec(text)?.[1] ?? "")) !== undefined;
  if (!first && (text.includes("`") || 2 * known.filter(Boolean).length < commands.length)) return false;
  // In a sentence that quotes a command by backticks, the shell would run what is quoted: that is no telling of a command.
  const quoted = quotedPlaces(text);
  const told = commands.map(
    (command, i) => known[i] === true && !isSentence(command) && !isWithin(command.span.start, quoted),
  );
  if (!commands.some((command, i) => told[i] === true && isTelling(command, text, allKnown))) return false;
  return effectKinds.some((kind: EffectKind) => effects[kind].some(({ command }) => told[command] === true));
}

/** A character by which a shell makes a name that does not stand in the text: quotes, expansions, patterns and escapes. */
const making = /["'`$\\*?[\]{}]/;

/** True for a text without such characters in which no word is a known program. A shell could run none of it, so it is not read. */
export function namesNoProgram(text: string): boolean {
  if (making.test(text)) return false;
  const words = new Set(text.split(/[\s;|&<>()=]+/));
  spend(words.size);
  for (const word of words) if (word !== "" && programOf(baseName(word)) !== undefined) return false;
  return true;
}

/** Returns the places of text between backticks. */
function quotedPlaces(text: string): readonly (readonly [start: number, end: number])[] {
  return [...text.matchAll(/`[^`]*`/g)].map(({ 0: quoted, index }) => [index, index + quoted.length]);
}

function isWithin(at: number, places: readonly (readonly [start: number, end: number])[]): boolean {
  return places.some(([start, end]) => start <= at && at < end);
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

function isKnown({ program }: ShellCommand): boolean {
  return programOf(knownParts(program)) !== undefined;
}

/** True for a text with several words, many of them typical of sentences. */
export function isSentenceText(text: string): boolean {
  const words = text.slice(0, toldLength).trim().split(/\s+/);
  const plain = words.filter((word) => sentenceWords.has(withoutEnd(word.toLowerCase(), sentenceEnds)));
  return words.length > 2 && plain.length / words.length >= sentenceShare;
}

const sentenceEnds = ".,:;!?";

/** True if there is text behind the end of the first command. */
function hasSecond(text: string): boolean {
  const end = /;|&&|\|\||\n/.exec(text);
  return end !== null && /\S/.test(text.slice(end.index + end[0].length));
}

function isSentence({ words }: ShellCommand): boolean {
  const single = words.map(({ text }) => knownParts(text)).filter((text) => !/\s/.test(text));
  const plain = single.filter((text) => sentenceWords.has(withoutEnd(text.toLowerCase(), sentenceEnds)));
  return single.length > 0 && plain.length / single.length >= sentenceShare;
}

/** True for syntax of commands that sentences do not have: an option, a path, an address, a known subcommand, or a following command. */
function isTelling(
  { program, words, redirects, piped_to, wrappers, subcommand = "" }: ShellCommand,
  text: string,
  allKnown: boolean,
): boolean {
  if (redirects.length > 0 || wrappers.length > 0 || piped_to >= 0 || (allKnown && hasSecond(text))) return true;
  if (words.some(({ text: word }) => /^--?[A-Za-z]|\/|^[.~]|[*=]/.test(knownParts(word)))) return true;
  const [first = ""] = knownParts(subcommand).split(" ");
  return programOf(knownParts(program))?.subcommands?.some(({ names }) => names.includes(first)) === true;
}
