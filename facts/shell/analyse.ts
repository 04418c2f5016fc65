import { spend, unitsLeft } from "../meter.ts";
import { readsAlone } from "../programs/declared.ts";
import type { Draft, LooseRedirect } from "./draft.ts";
import { Interpreter } from "./interpret/interpreter.ts";
import { firstStore, type Ground } from "./interpret/shells.ts";
import { parseShell } from "./parse.ts";

/** A text of a file; with `tooLong` the beginning of one that is too long to be followed. */
interface Written {
  readonly path: string;
  readonly text: string;
  readonly whole: boolean;
  readonly tooLong?: boolean;
}

/** Commands of a shell text in the order in which they are met, and which of them feeds which. */
export interface Analysis {
  readonly kind: "analysis";
  readonly drafts: readonly Draft[];
  readonly pipelines: readonly (readonly number[])[];
  readonly loose: readonly LooseRedirect[];
  /** Folders in which a function starts ever more of itself. */
  readonly bombs: readonly string[];
  /** Files by path with a text that the analysed text writes. */
  readonly written: readonly Written[];
  /** Links that the text makes: the target of each, by case-folded path. */
  readonly links: ReadonlyMap<string, string>;
  /** The first program that runs a text that is unseen, at least in part. */
  readonly unseen: string | undefined;
}

/** Nothing is known about the text, and why. */
export interface NotUnderstood {
  readonly kind: "not_understood";
  readonly reason: string;
  readonly at: number;
  /** True if the parser rejects it as shell text; otherwise it is over a bound. */
  readonly syntax: boolean;
}

/**
 * Analyses a bash text: parses it and runs it on what is known of every variable, folder and function, on every way that it may take.
 * Anything over a bound or with a syntax error, also in a nested text, makes the whole text not understood. Pure; never throws.
 * Source: shell design page, section 1.
 */
export function analyseShell(text: string, ground: Ground): Analysis | NotUnderstood {
  // A text's meaning depends on the policies' declarations.
  if (text.length > rememberedText || !readsAlone()) return analysed(text, ground);
  const known = recent.get(text)?.find((one) => isSame(one.ground, ground));
  if (known) {
    spend(known.units);
    return known.analysis;
  }
  const left = unitsLeft();
  const analysis = analysed(text, ground);
  if (analysis.kind === "not_understood" || analysis.drafts.length <= rememberedDrafts)
    remember(text, { ground, analysis, units: left - unitsLeft() });
  return analysis;
}

/** Units that reading any text takes, as short as it may be: a parser, an interpreter and a store are made. */
const beginning = 64;

interface Remembered {
  readonly ground: Ground;
  readonly analysis: Analysis | NotUnderstood;
  readonly units: number;
}

/**
 * Cache of the last texts: commands recur within a session, in parallel sessions, and with suppositions for the same call. A
 * cached answer costs its caller the same units.
 */
const recent = new Map<string, Remembered[]>();
const rememberedTexts = 128;
/** Cached answers for one text on different grounds. */
const rememberedGrounds = 4;
/** Longest text that is cached, in UTF-16 units. */
const rememberedText = 1_024;
const rememberedDrafts = 32;

function remember(text: string, made: Remembered): void {
  const known = recent.get(text);
  if (known) {
    if (known.length >= rememberedGrounds) known.shift();
    known.push(made);
    return;
  }
  if (recent.size >= rememberedTexts) recent.clear();
  recent.set(text, [made]);
}

function isSame(a: Ground, b: Ground): boolean {
  return (
    a.cwd === b.cwd &&
    a.home === b.home &&
    a.workspace === b.workspace &&
    a.dialect === b.dialect &&
    a.variables === b.variables
  );
}

function analysed(text: string, ground: Ground): Analysis | NotUnderstood {
  spend(beginning);
  const tree = parseShell(text);
  if (tree.kind === "problem")
    return { kind: "not_understood", reason: tree.reason, at: tree.at, syntax: tree.syntax === true };
  const machine = new Interpreter(ground);
  machine.whole(tree, firstStore(ground));
  if (machine.failure) return { kind: "not_understood", ...machine.failure, syntax: false };
  return {
    kind: "analysis",
    drafts: machine.drafts,
    pipelines: machine.pipelines,
    loose: machine.loose,
    bombs: [...machine.bombs],
    written: writtenBy(machine),
    links: machine.files.aliases,
    unseen: machine.unseen,
  };
}

function writtenBy({ files }: Interpreter): readonly Written[] {
  const found: Written[] = [];
  for (const [path, text] of files.tooLong) found.push({ path, text, whole: true, tooLong: true });
  for (const { path, texts } of files.all()) {
    spend(1);
    if (!path.startsWith("/")) continue;
    spend(1 + texts.length);
    for (const atom of texts) {
      const text = atom.template ?? atom.text;
      if (text !== "") found.push({ path, text, whole: true });
    }
  }
  return found;
}
