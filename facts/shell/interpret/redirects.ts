import { limits } from "../../../schema/limits.ts";
import { spend } from "../../meter.ts";
import type { FoldedRedirect, Input } from "../draft.ts";
import { type Field, literalField } from "../fields.ts";
import { inputOf } from "../inputs.ts";
import type { Place, Redirection, Word } from "../syntax.ts";
import { contentOf } from "../written.ts";
import { foldWord } from "./expand.ts";
import { foldAtom, plainText } from "./folding.ts";
import type { Machine } from "./machine.ts";
import type { Store } from "./store.ts";

/** Folds redirections, with the content of files that they read and the text wrote. */
export function foldRedirects(
  machine: Machine,
  items: readonly Redirection[],
  store: Store,
  words: readonly Field[] = [],
): FoldedRedirect[] {
  const folded: FoldedRedirect[] = [];
  for (const item of items) {
    const { operator, descriptor } = item;
    const data = item.body && foldAtom(machine, item.body, store);
    if (!item.target) folded.push({ operator, descriptor, target: undefined, data });
    else
      for (const word of targetsOf(machine, item.target, store)) {
        const content = operator.startsWith("<") ? contentOf(word, machine.files, store.folder) : undefined;
        folded.push({ operator, descriptor, target: content ? { ...word, ...content } : word, data });
      }
    // An existing file is not overwritten.
    if (store.option("noclobber") !== "off" && operator === ">") machine.around.refused ??= "redirection";
    // zsh reads `>! file` as a redirection to the word behind it.
    const forced = item.target?.raw === "!" ? words.find((word) => word.place.start >= item.end) : undefined;
    if (forced) folded.push({ operator, descriptor, target: forced, data });
  }
  spend(2 * folded.length);
  if (folded.length > limits.effects || machine.loose.length > limits.effects)
    machine.exceeded("the command has more redirections than can be analysed");
  return folded;
}

/** Returns the text of redirections; the shell ends a here-string with a line end. */
export function inputGiven(redirects: readonly FoldedRedirect[], before: Input): Input {
  const given = inputOf(redirects, before);
  const { atom } = given ?? {};
  const isString = redirects.some(({ operator, data }) => operator === "<<<" && data === atom);
  return isString && atom?.kind === "literal" ? { atom: { ...atom, text: `${atom.text}\n` } } : given;
}

/** The word of a redirection. Only bash splits it, outside of POSIX mode. */
function targetsOf(machine: Machine, target: Word, store: Store): readonly Field[] {
  const isSplit =
    /^(?:|bash)$/.test(machine.dialect) || target.braces || target.parts.some(({ kind }) => kind === "process");
  if (isSplit || plainText(target) !== undefined) return asOne(machine, foldWord(machine, target, store, true));
  const atom = foldAtom(machine, target, store);
  return asOne(machine, [{ ...literalField("", target), ...atom, glob: atom.kind === "pattern" }]);
}

/** Redirections to several words, to none, or to a file without a name are refused: none of them is sure. */
function asOne(machine: Machine, words: readonly Field[]): readonly Field[] {
  const [only] = words;
  if (words.length === 1 && (only?.kind !== "literal" || only.text !== "")) return words;
  machine.around.refused ??= "redirection";
  if (words.length === 1) return words;
  return words.map((word) => ({
    ...word,
    kind: "unknown",
    open: true,
    known: { pieces: [word.text], text: word.text },
  }));
}

const unsure = { certain: false } as const;
const unreached = { certain: false, possible: true } as const;

/** Lists redirections that no single command has. */
export function listLoose(
  machine: Machine,
  redirects: readonly FoldedRedirect[],
  cwd: string,
  place: Place,
  isAstray: boolean,
): void {
  const { grade, guessed, refused } = machine.around;
  const isSure = grade === "sure" && !isAstray && refused === undefined;
  for (const redirect of redirects)
    machine.loose.push({ redirect, cwd, place, ...(isSure ? {} : guessed ? unsure : unreached) });
}

/** True for a redirection to an unknown word, which may be several words or none. */
export function mayBeRefused(redirects: readonly FoldedRedirect[]): boolean {
  return redirects.some(({ target }) => target?.kind === "unknown" && (target.open || target.text === ""));
}
