import { spend, spendText } from "../meter.ts";
import type { Draft, FoldedRedirect, Output } from "./draft.ts";
import { type Atom, type Field, literalAtom, literalField, unknownAtom, unknownVariable } from "./fields.ts";
import type { Place } from "./syntax.ts";

/** Output so far on the way to a reader: a known output, or null where nothing of it is known. */
export type Printed = Output | null;

/** The texts that may have been printed, one for each way through the branches; never empty. */
export type Tape = readonly Printed[];

// Most alternatives kept apart; more become one text that holds all of them and an unknown part.
const ways = 8;
// Texts longer than this are not followed, and no more words.
const length = 16_384;
const words = 512;

/** Nothing printed yet. */
export const blank: Tape = [{ atom: literalAtom("") }];

/** Returns the tape after one more output. */
export function printed(tape: Tape, more: Printed): Tape {
  spend(tape.length);
  return isNothing(more) ? tape : tape.map((before) => after(before, more));
}

/** Returns the tape followed by any of another tape's texts. */
export function followed(tape: Tape, others: Tape): Tape {
  return others.length === 1 ? printed(tape, others[0] ?? null) : either(others.map((other) => printed(tape, other)));
}

/** Any of several tapes. */
export function either(tapes: readonly Tape[]): Tape {
  const found: Printed[] = [];
  for (const tape of tapes)
    for (const one of tape) if (found.length > ways || !found.some((other) => same(one, other))) found.push(one);
  if (found.length <= ways) return found.length > 0 ? found : blank;
  return [found.reduce((left, right) => after(after(left, null), right), null)];
}

/** True when nothing at all was printed. */
export function isBlank(tape: Tape): boolean {
  return tape.every(isNothing);
}

function isNothing(one: Printed): boolean {
  return one !== null && one.words === undefined && one.atom?.kind === "literal" && one.atom.text === "";
}

function same(left: Printed, right: Printed): boolean {
  spend(1);
  if (left === right) return true;
  if (!left || !right || left.words || right.words || !left.atom || !right.atom) return false;
  const [a, b] = [left.atom, right.atom];
  spendText(a.text.length);
  return a.kind === b.kind && a.text === b.text && a.template === b.template && a.origin === b.origin;
}

function after(left: Printed, right: Printed): Printed {
  if (isNothing(right)) return left;
  if (isNothing(left)) return right;
  const words = wordsAfter(left, right);
  const atom = left === null && right === null ? undefined : atomAfter(left?.atom, right?.atom);
  if (!atom && !words) return null;
  return { ...(atom ? { atom } : {}), ...(words ? { words } : {}) };
}

/** Joins two texts; an unknown one ends its line. */
function atomAfter(left: Atom | undefined, right: Atom | undefined): Atom | undefined {
  if (!left && !right) return undefined;
  const [a, b] = [left ?? unknownLine, right ?? unknownLine];
  spendText(a.text.length + b.text.length);
  if (templateOf(a).length + templateOf(b).length > length) return undefined;
  const origin = a.origin ?? b.origin;
  const traced = origin === undefined ? {} : { origin };
  if (a.kind === "literal" && b.kind === "literal") return { ...literalAtom(a.text + b.text), ...traced };
  return { text: a.text + b.text, kind: "unknown", template: templateOf(a) + templateOf(b), ...traced };
}

const unknownLine: Atom = { ...unknownAtom, template: `\${${unknownVariable}}\n` };

function templateOf(atom: Atom): string {
  if (atom.kind !== "unknown") return atom.text;
  return atom.template ?? `${atom.text}\${${unknownVariable}}\n`;
}

/** Returns the words of both; undefined if there are none, or too many to follow. */
function wordsAfter(left: Printed, right: Printed): readonly Field[] | undefined {
  const place = (left?.words ?? right?.words)?.[0]?.place;
  if (!place) return undefined;
  const lists = [left, right].map((one): readonly Field[] => one?.words ?? wordsIn(one?.atom?.text ?? "", place));
  const all = lists.flat();
  spend(all.length);
  return all.length > words ? undefined : all;
}

function wordsIn(text: string, place: Place): readonly Field[] {
  spendText(text.length);
  return text.split(/\s+/).flatMap((word) => (word === "" ? [] : [literalField(word, place)]));
}

/** Programs that print nothing when all goes well. */
const silent: ReadonlySet<string> = new Set(
  ": true false test [ cd export readonly unset local set shift return exit break continue mkdir rm rmdir mv cp touch chmod chown ln sleep umask wait trap shopt read mapfile readarray let unlink kill cmp".split(
    " ",
  ),
);

/** Returns the output that one command adds to the tape. */
export function printedBy(draft: Draft): Printed {
  if (draft.output) return draft.output;
  spend(draft.args.length);
  if (
    /^(?:[efz]?grep|rg|cmp|diff)$/.test(draft.program) &&
    draft.args.some((word) => /^-\w*[qs]|^--(?:quiet|silent)$/.test(word.text))
  )
    return blank[0] as Printed;
  const silenced = silent.has(draft.program) && !draft.args.some((word) => word.text === "-p" || word.text === "-v");
  return silenced ? (blank[0] as Printed) : null;
}

/** Returns the destination that redirections give to output: unchanged, discarded, or a script that reads it. */
export function destinationOf(redirects: readonly FoldedRedirect[], errorsToo: boolean): Field | "kept" | "away" {
  let destination: Field | "kept" | "away" = "kept";
  spend(redirects.length);
  for (const { operator, descriptor, target } of redirects) {
    if (!target || descriptor > 1 || descriptor === 0) continue;
    if (operator === ">&" && target.text === "2") destination = errorsToo ? destination : "away";
    else if (operator === ">&" && /^\d+-?$/.test(target.text)) continue;
    else if (/^(?:&?>>?|>[|!&])$/.test(operator)) destination = target.feeds ? target : kept(target) ? "kept" : "away";
  }
  return destination;
}

function kept(target: Field): boolean {
  return target.kind !== "literal" || /^\/dev\/(?:stdout|fd\/\d+|tty)$|^\/proc\/self\/fd\//.test(target.text);
}

/** True if errors go where the output goes, so that text sent to them is read as well. */
export function mergesErrors(redirects: readonly FoldedRedirect[]): boolean {
  return redirects.some(
    ({ operator, descriptor, target }) =>
      operator.startsWith("&>") ||
      (operator === ">&" && (descriptor === 2 || descriptor < 0) && !/^2$/.test(target?.text ?? "")),
  );
}
