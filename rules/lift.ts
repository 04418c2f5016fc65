import { gradeMembers, gradeText, type TextTest } from "../facts/approximate/grade.ts";
import { placesOf } from "../facts/approximate/walk.ts";
import {
  Approximation,
  anyText,
  fewTexts,
  type Grade,
  isSeveral,
  joined,
  mapped,
  type Pieces,
  severalTexts,
  shownText,
  type Text,
  Unsure,
} from "../schema/approximation.ts";
import type { OptionValue } from "../schema/facts.ts";
import { type Graded, stronger } from "../schema/grades.ts";
import { EvaluationError, type FunctionCode, type Lift, Optional, type Value } from "../schema/ports.ts";
import { globTest } from "./functions/glob-places.ts";
import { lastOption, standing } from "./functions/shell.ts";
import { pathLifts } from "./lift-path.ts";
import { type LiftName, liftTable } from "./lift-table.ts";
import { urlLifts, urlText } from "./lift-url.ts";

type Run = FunctionCode["run"];

/** Lists the causes of unknown values among arguments, for people. */
export function causesOf(values: readonly Value[]): readonly string[] {
  return values.flatMap((value): readonly string[] => {
    if (value instanceof Approximation) return [shownText(value)];
    if (value instanceof Unsure) return value.causes;
    return Array.isArray(value) ? causesOf(value) : [];
  });
}

/** Gives an unknown text: a condition on it is open. */
const unknown: Lift = (args) => anyText(causesOf(args).join(", ") || "…");

/** Lifts code that depends on which arguments there are, never on their texts. */
const structural: Lift = (args, run, context) => run(args, context);

/** Decides each possible text separately; the result is unknown for a text with holes. */
const eachText: Lift = (args, run, context) => {
  const places = args.flatMap((arg, i) => (arg instanceof Approximation || arg instanceof Unsure ? [i] : []));
  const [place = -1] = places;
  const text = args[place];
  if (places.length !== 1 || !(text instanceof Approximation) || args.some(Array.isArray))
    return unknown(args, run, context);
  const known = text.members.map(knownMember);
  if (!known.every((value) => value !== undefined)) return unknown(args, run, context);
  // Groups of a match would be those of one text of several.
  const { captured: _, ...own } = context;
  return together(
    text,
    known.map((value) => run(args.with(place, value), own)),
    context.loosens,
  );
};

function knownMember(pieces: Pieces): string | undefined {
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : undefined;
}

function together(
  text: Approximation,
  results: readonly (Value | EvaluationError)[],
  loosens?: boolean,
): Value | EvaluationError {
  const error = results.find((result) => result instanceof EvaluationError);
  if (error) return error;
  if (results.every((result) => typeof result === "boolean"))
    return gradeMembers(
      text,
      results.map((result): Grade => (result ? "yes" : "no")),
      loosens,
    );
  if (text.loose) return anyText(shownText(text));
  const [first = null] = results as readonly Value[];
  if (text.several) return severalTexts(anyText(shownText(text)));
  if (results.every((result) => result === first)) return first;
  const texts = results.filter((result) => typeof result === "string");
  return text.form === "few" && texts.length === results.length ? fewTexts(texts, "…") : anyText(shownText(text));
}

/** Lifts a test of the first argument by the second, which is a text. */
function texted(test: (operand: string) => TextTest): Lift {
  return (args, run, context) => {
    const [text, operand] = args;
    const exact = eachText(args, run, context);
    if (!(exact instanceof Approximation) || !(text instanceof Approximation)) return exact;
    return typeof operand === "string" ? gradeText(text, test(operand), context.loosens) : exact;
  };
}

const equals: Lift = (args, run, context) => {
  const [a = null, b = null] = args.map(urlText);
  const [text, operand] = a instanceof Approximation ? [a, b] : [b, a];
  if (typeof operand === "string") return texted((value) => [placesOf(value)])([text, operand], run, context);
  if (isText(a) && isText(b)) return excludes(a, b, context) ? false : new Unsure("open", causesOf(args));
  // An unknown text is still a text.
  if (
    text instanceof Approximation &&
    (typeof operand === "number" || typeof operand === "boolean" || operand === null)
  )
    return text.form === "any" ? unknown(args, run, context) : false;
  return unknown(args, run, context);
};

function isText(value: Value): value is Text {
  return typeof value === "string" || value instanceof Approximation;
}

/** True where the known parts of two texts show that they differ. */
function excludes(a: Text, b: Text, { loosens }: { readonly loosens?: boolean }): boolean {
  if (loosens && [a, b].some((text) => text instanceof Approximation && text.loose)) return false;
  const [x, y] = [a, b].map((text) => (typeof text === "string" ? [[text]] : text.members));
  return (x ?? []).every((one) =>
    (y ?? []).every(
      (other) => gradeText(new Approximation("pattern", [one]), [other.flatMap(placesOfPiece)]) === false,
    ),
  );
}

function placesOfPiece(piece: Pieces[number]): ReturnType<typeof placesOf> | [Extract<Pieces[number], object>["hole"]] {
  return typeof piece === "string" ? placesOf(piece) : [piece.hole];
}

/** Returns the strongest of the answers for the items; errors are treated as by `||`. */
function among(items: readonly Value[], ask: (item: Value) => Value | EvaluationError): Value | EvaluationError {
  let best: Graded = false;
  let error: EvaluationError | undefined;
  for (const item of items) {
    const given = ask(item);
    if (given === true) return true;
    if (given instanceof EvaluationError) error ??= given;
    else if (given instanceof Unsure || given instanceof Approximation) best = stronger(best, asGrade(given));
  }
  return error ?? best;
}

function asGrade(value: Approximation | Unsure): Unsure {
  return value instanceof Unsure ? value : new Unsure("open", [shownText(value)]);
}

/** `x in list`, either of them known in part. */
const isIn: Lift = (args, run, context) => {
  const [value = null, items] = args;
  if (!Array.isArray(items)) return unknown(args, run, context);
  const rest = items.filter((item) => !hasUnknown(item));
  const exact =
    value instanceof Approximation && rest.every((item) => typeof item === "string")
      ? oneOf(value, rest as readonly string[], context.loosens)
      : among(rest, (item) =>
          hasUnknown(value) ? equals([value, item], sameText, context) : run([value, [item]], context),
        );
  if (exact === true || exact instanceof EvaluationError) return exact;
  const others = items.filter((item) => hasUnknown(item));
  return among([exact, ...others], (item) => (item === exact ? exact : equals([value, item], sameText, context)));
};

const sameText: Run = ([a, b]) => a === b;

/** Grades a text against all literals together: a text with a few possible values is surely in a list that has all of them. */
function oneOf(text: Approximation, list: readonly string[], loosens?: boolean): boolean | Unsure {
  return gradeText(
    text,
    list.map((item) => placesOf(item)),
    loosens,
  );
}

/** Levels of a value that are searched for unknown parts, as in the engine. */
const deepest = 3;

function hasUnknown(value: unknown, levels: number = deepest): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Approximation || value instanceof Unsure) return true;
  const inner = value instanceof Map ? [...value.values()] : Object.values(value);
  return levels > 0 && inner.some((item) => hasUnknown(item, levels - 1));
}

/** `list.contains(x)` and similar tests are `in` with the operands exchanged. */
const holds: Lift = ([items = null, value = null], run, context) =>
  isIn([value, items], ([one, list], inner) => run([list as Value, one as Value], inner), context);

const globs: Lift = (args, run, context) => {
  const [text, operand] = args;
  if (Array.isArray(operand) && operand.every((glob) => typeof glob === "string") && text instanceof Approximation)
    return gradeText(text, allGlobs(operand as readonly string[]), context.loosens);
  return texted(globTest)(args, run, context);
};

function allGlobs(list: readonly string[]): TextTest {
  const tests = list.map(globTest);
  return tests.every((test) => test !== undefined) ? tests.flat() : undefined;
}

const begins = texted((head) => [[...placesOf(head), "tail"]]);
const ends = texted((end) => [["tail", ...placesOf(end)]]);
const has = texted((part) => [["tail", ...placesOf(part), "tail"]]);

/** Returns the text with which every match of an anchored pattern begins; empty if unknown. */
function headOf(pattern: string): string {
  if (!pattern.startsWith("^") || pattern.includes("|")) return "";
  return /^\^((?:[\w/:~ -](?![?*+{]))*)/.exec(pattern)?.[1] ?? "";
}

/** Lifts a pattern; if the text has holes, only the known beginning of a match is compared. */
const matches: Lift = (args, run, context) => {
  const exact = eachText(args, run, context);
  const [text, pattern] = args;
  if (!(exact instanceof Approximation) || !(text instanceof Approximation) || typeof pattern !== "string")
    return exact;
  const head = headOf(pattern);
  return head !== "" && begins([text, head], run, context) === false ? false : exact;
};

/** Lifts tests for a text that contains one, or all, of several texts. */
const hasAny: Lift = (args, run, context) => {
  const [text, parts] = args;
  if (!(text instanceof Approximation) || !Array.isArray(parts)) return unknown(args, run, context);
  return among(parts, (part) => has([text, part], run, context));
};

/** Lifts a function that changes each character separately. */
function changed(change: (text: string) => string): Lift {
  return ([text = null], run, context) =>
    text instanceof Approximation ? mapped(text, change) : unknown([text], run, context);
}

const add: Lift = (args, run, context) => {
  const [a = null, b = null] = args;
  if (isText(a) && isText(b)) return joined(a, b) as Value;
  return Array.isArray(a) && Array.isArray(b) ? run(args, context) : unknown(args, run, context);
};

/** Lifts functions of lists, some of which also take texts. The number of items is unknown if an item may be several. */
const ofList: Lift = (args, run, context) => {
  if (args.some((arg) => hasUnknown(arg, 0))) return eachText(args, run, context);
  const isLoose = args.some((arg) => Array.isArray(arg) && arg.some(isSeveral));
  return (isLoose ? unknown : structural)(args, run, context);
};

/** Tests for a key: keys of a map are known even where its values are not. */
const isKey: Lift = (args, run, context) => (hasUnknown(args[0]) ? unknown(args, run, context) : run(args, context));

/** Lifts functions of an optional: a value that may be several texts or none need not be present. */
function ofOptional(otherwise: Lift): Lift {
  return (args, run, context) => {
    const [given] = args;
    const inner = given instanceof Optional ? given.value : undefined;
    return isSeveral(inner) ? otherwise(args, run, context) : run(args, context);
  };
}

const hasValue = ofOptional(([given]) => new Unsure("open", causesOf([innerOf(given)])));
const orValue = ofOptional(([given, otherwise]) => {
  const inner = innerOf(given);
  const unsure = causesOf([inner]).join(", ");
  if (!(inner instanceof Approximation) || typeof otherwise !== "string") return anyText(unsure);
  return inner.form === "any" ? anyText(unsure) : new Approximation("few", [...inner.members, [otherwise]]);
});
const orOptional = ofOptional(([given]) => new Optional(severalTexts(anyText(causesOf([innerOf(given)]).join(", ")))));

function innerOf(given: Value | undefined): Value {
  return given instanceof Optional ? (given.value ?? null) : null;
}

/** The first argument as it is. */
const itself: Lift = ([value = null], run, context) =>
  value instanceof Approximation ? value : unknown([value], run, context);

/** Lifts the test for an option by name: sure if it is given, unsure for a word that may be it. */
const hasOption: Lift = (args, run, context) => {
  const [command, name] = args;
  const options = optionsOf(command);
  if (!options || typeof name !== "string") return unknown(args, run, context);
  return standing(options, name).reduce<Graded>((best, option) => stronger(best, mayBeOption(option, name)), false);
};

/** Lifts the value of an option: the last one given, if no other word may be that option. */
const optionValue: Lift = (args, run, context) => {
  const [command, name] = args;
  const options = optionsOf(command);
  if (!options || typeof name !== "string") return unknown(args, run, context);
  const given = options.filter((option) => mayBeOption(option, name) !== false);
  if (given.length === 0) return new Optional();
  if (given.every((option) => mayBeOption(option, name) === true)) return new Optional(lastOption(given, name)?.value);
  const of = [...new Set(given.flatMap(({ names, value }) => causesOf([...names, value ?? null])))].join(", ") || name;
  // The given values are among the possible ones, though another word may be the one that counts.
  const values = given.flatMap((option) => (isNamed(option, name) && option.value !== undefined ? [option.value] : []));
  const told = values.flatMap((value) => (typeof value === "string" ? [[value]] : value.members));
  const any = told.length === 0 ? anyText(of) : new Approximation("few", [...told, [{ hole: "tail", of }]]);
  // The last occurrence counts; it has no value if that may be no word.
  const sure = given.findLastIndex((option) => mayBeOption(option, name) === true);
  const isThere = sure >= 0 && given.slice(sure).every(({ value }) => value !== undefined && !isSeveral(value));
  return new Optional(isThere ? any : severalTexts(any));
};

function optionsOf(command: Value | undefined): readonly OptionValue[] | undefined {
  if (typeof command !== "object" || command === null || !Object.hasOwn(command, "options")) return undefined;
  return (command as unknown as { readonly options: readonly OptionValue[] }).options;
}

function isNamed({ names }: OptionValue, name: string): boolean {
  return names.includes(name);
}

function mayBeOption({ names, several }: OptionValue, name: string): Graded {
  if (names.includes(name)) return several ? new Unsure("telling", [name]) : true;
  const unsure = names.filter((known) => known instanceof Approximation);
  // For a word that begins with two dashes, the known beginning counts, even if the option has other spellings.
  const long = unsure.find(({ members }) => members.every(([first]) => typeof first === "string" && /^--/.test(first)));
  let best: Graded = false;
  for (const known of long ? [long] : unsure)
    for (const pieces of known.members) best = stronger(best, mayBeNamed(known, pieces, name));
  return best;
}

/** Tells whether a word may be an option of that name: after one dash it may be a bundle of letters, or another spelling. */
function mayBeNamed(word: Approximation, pieces: Pieces, name: string): Graded {
  const [first = ""] = pieces;
  const beginning = typeof first === "string" ? first : "";
  const isLong = beginning.startsWith("--");
  if (isLong && name.startsWith("--") && !name.startsWith(beginning)) return false;
  const isNamed = /[^-]/.test(beginning) && name.startsWith(beginning);
  return new Unsure(isNamed ? "telling" : "open", [shownText(word)]);
}

const lower = changed((text) => text.replace(/[A-Z]/g, (c) => c.toLowerCase()));
const upper = changed((text) => text.replace(/[a-z]/g, (c) => c.toUpperCase()));

const contains: Lift = (args, run, context) => (Array.isArray(args[0]) ? holds : has)(args, run, context);

const forms: Readonly<Record<LiftName, Lift>> = {
  structural,
  unknown,
  eachText,
  equals,
  isIn,
  isKey,
  holds,
  contains,
  hasAny,
  matches,
  begins,
  ends,
  globs,
  lower,
  upper,
  add,
  itself,
  ofList,
  hasValue,
  orValue,
  orOptional,
  hasOption,
  optionValue,
  ...pathLifts({ begins, ends, has }),
  ...urlLifts({ equals, unknown, eachText }),
};

const byId: ReadonlyMap<string, Lift> = new Map(
  Object.entries(liftTable).flatMap(([name, ids]) =>
    ids.split(" ").map((id): [string, Lift] => [id, forms[name as LiftName]]),
  ),
);

/** Returns how a function treats values that are known in part; undefined for a function without a row. */
export function liftOf(id: string): Lift | undefined {
  return byId.get(id);
}
