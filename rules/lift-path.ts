import { classPatterns, floatingClass } from "../facts/paths/classes.ts";
import { gradePath, type PathTest } from "../facts/paths/grade-path.ts";
import { compiled, folderPatterns, type MatchOptions } from "../facts/paths/match.ts";
import { lastNameOf, namesOf } from "../facts/paths/partly.ts";
import type { Component } from "../facts/paths/pattern.ts";
import {
  Approximation,
  anyText,
  fewTexts,
  type Pieces,
  patternText,
  shownPath,
  shownText,
  Unsure,
} from "../schema/approximation.ts";
import type { PathValue } from "../schema/facts.ts";
import { type Graded, stronger, weaker } from "../schema/grades.ts";
import { type CallContext, EvaluationError, type Lift, type Value } from "../schema/ports.ts";
import { extension, literal, optionsOf, policyPath } from "./functions/path.ts";
import { asValue, isPath } from "./functions/values.ts";

type Patterns = readonly (readonly Component[])[];

/** A path that is known in part. */
function isPartly(value: Value | undefined): value is Value & PathValue & { readonly partly: object } {
  return isPath(value) && value.partly !== undefined;
}

/** Returns the cause of a path's unknown parts, for people. */
function causeOf(path: PathValue): string {
  return shownPath(path, "lexical");
}

/** Lifts a test of a path against places that its other, known arguments name. */
function tested(
  names: (path: PathValue, operands: readonly Value[], options: MatchOptions, context: CallContext) => Patterns,
  floats: (operands: readonly Value[]) => boolean = () => false,
): Lift {
  return (args, run, context) => {
    const [path, ...operands] = args;
    if (!isPartly(path) || operands.some(isUnsure)) return new Unsure("open", causes(args));
    // Groups of a match would be those of one text of several.
    const { captured: _, ...own } = context;
    const test: PathTest = {
      holds: (one, forms) => {
        const value = run([asValue(one), ...operands], { ...own, forms });
        return value instanceof EvaluationError || typeof value === "boolean" ? value : noAnswer;
      },
      names: names(path, operands, optionsOf(context), context),
      floats: floats(operands),
    };
    return gradePath(path, test, context.forms);
  };
}

const noAnswer = new EvaluationError("HW502", "a test of a path gives true or false");

function isUnsure(value: Value): boolean {
  if (Array.isArray(value)) return value.some(isUnsure);
  return value instanceof Approximation || value instanceof Unsure || isPartly(value);
}

function causes(values: readonly Value[]): readonly string[] {
  return values.flatMap((value): readonly string[] => {
    if (value instanceof Approximation) return [shownText(value)];
    if (value instanceof Unsure) return value.causes;
    if (isPartly(value)) return [causeOf(value)];
    return Array.isArray(value) ? causes(value) : [];
  });
}

/** Items of an operand, which is one or a list. */
function itemsOf(operand: Value | undefined): readonly Value[] {
  return Array.isArray(operand) ? (operand as readonly Value[]) : operand === undefined ? [] : [operand];
}

const globbed = tested(
  (path, [operand], { home }) =>
    itemsOf(operand).flatMap((glob) => (typeof glob === "string" ? (compiled(glob, home, path.fold) ?? []) : [])),
  () => true,
);

const inFolder = tested((path, [operand], { home }, context) =>
  itemsOf(operand).flatMap((folder) =>
    typeof folder === "string"
      ? folderPatterns(policyPath(folder, context), home, path.fold)
      : isPath(folder)
        ? folderPatterns(folder, home, path.fold)
        : [],
  ),
);

const same = tested((path, [operand], { home }, context) =>
  itemsOf(operand).flatMap((item) => {
    const other = typeof item === "string" ? policyPath(item, context) : isPath(item) ? item : undefined;
    return other ? [other.lexical, other.real].flatMap((text) => compiled(literal(text), home, path.fold) ?? []) : [];
  }),
);

const ofClass = tested(
  (path, [name], _, { event }) => (typeof name === "string" ? classPatterns(name, path, event.environment) : []),
  ([name]) => name === floatingClass,
);

/** Lifts `is`. Whether a path is a fixture depends on all of it, so that is open for a path known in part. */
const isOf: Lift = (args, run, context) => {
  if (args[1] === "fixture") return new Unsure("open", causes(args));
  const graded = ofClass(args, run, context);
  // Of a path whose beginning is not known the end says whether it is a root (decision 13).
  const isEnd = args[1] === "protected_root" && endsKnown(args[0] as unknown as PathValue);
  return isEnd && context.forms === "any" && gradeIsOpen(graded) ? false : graded;
};

/** True for a path with an unknown beginning and a last name that is known, at least in part. */
function endsKnown({ loose, partly }: PathValue): boolean {
  const last = namesOf(partly?.lexical.members[0] ?? []).at(-1);
  return loose === true && last?.some((piece) => typeof piece === "string" && /[^.]/.test(piece)) === true;
}

function gradeIsOpen(value: Value | EvaluationError): boolean {
  return value instanceof Unsure && value.grade === "open";
}

/** Lifts a test of the text of a path. Where cleaning may change the text, the result is open. */
function texted(asText: Lift): Lift {
  return ([path, operand = null], run, context) => {
    if (!isPartly(path) || isUnsure(operand)) return new Unsure("open", causes([path ?? null, operand]));
    const { lexical, real } = (path as PathValue).partly as NonNullable<PathValue["partly"]>;
    const grades = [...new Set([lexical, real])].map((form) => {
      if (!form.members.every(isClean)) return new Unsure("open", [shownText(form)]);
      const graded = asText([form, operand], run, context);
      return climbs(form) ? unsurely(graded, form, context) : graded;
    });
    const [first = null, second] = grades;
    if (second === undefined || first instanceof EvaluationError) return first;
    if (second instanceof EvaluationError) return second;
    return (context.forms === "any" ? stronger : weaker)(first as Graded, second as Graded);
  };
}

/** True for pieces that cleaning does not change, for any content of their holes except `..`. */
function isClean(pieces: Pieces): boolean {
  const last = pieces.at(-1);
  if (typeof last === "string" && last.endsWith("/")) return false;
  return !pieces.some((piece, i) => {
    if (typeof piece !== "string") return false;
    return (
      /\/\.{0,2}\//.test(piece) ||
      /^\.{1,2}(?:\/|$)/.test(piece) ||
      (i === pieces.length - 1 && /\/\.{1,2}$/.test(piece))
    );
  });
}

function climbs(form: Approximation): boolean {
  return form.members.some((pieces) => pieces.some((piece) => typeof piece === "object" && piece.hole === "tail"));
}

/** Weakens a grade, since an unknown tail may lead elsewhere by `..`: it is never sure, and open where a test loosens. */
function unsurely(
  graded: Value | EvaluationError,
  form: Approximation,
  { forms }: CallContext,
): Value | EvaluationError {
  if (graded === true) return new Unsure(forms === "any" ? "telling" : "open", [shownText(form)]);
  return graded === false && forms === "all" ? new Unsure("open", [shownText(form)]) : graded;
}

/** The last name of a path. */
const lastName: Lift = ([path]) => {
  if (!isPartly(path)) return anyText(causes([path ?? null]).join(", ") || "…");
  const [pieces, ...more] = (path.partly as NonNullable<PathValue["partly"]>).lexical.members;
  if (!pieces) return anyText(causeOf(path));
  return more.length === 0 ? lastNameOf(pieces) : fewTexts([pieces, ...more].map(lastLiteral), causeOf(path));
};

function lastLiteral(pieces: Pieces): string {
  const name = lastNameOf(pieces);
  return typeof name === "string" ? name : "";
}

const lastExtension: Lift = (args, run, context) => {
  const name = lastName(args, run, context);
  if (typeof name === "string") return extension(name);
  if (!(name instanceof Approximation)) return name;
  if (name.form === "few")
    return fewTexts(
      name.members.map((pieces) => extension(pieces.join(""))),
      "…",
    );
  const end = name.members[0]?.at(-1);
  const dot = typeof end === "string" ? end.lastIndexOf(".") : -1;
  if (typeof end !== "string" || dot < 0) return anyText(shownText(name));
  const found = end.slice(dot + 1);
  // Of a name that begins with its only dot all is the name.
  const isBehindName = dot > 0 || name.members[0]?.some((piece) => typeof piece === "string" && piece !== end);
  return isBehindName ? found : fewTexts(["", found], shownText(name));
};

/** Lifts the folder of a path: its known parts without the last name. */
const folderOf: Lift = ([given]) => {
  if (!isPartly(given)) return anyText(causes([given ?? null]).join(", ") || "…");
  const {
    partly,
    tree: _,
    takes: _takes,
    content: _content,
    ...path
  } = given as PathValue & { readonly partly: NonNullable<PathValue["partly"]> };
  const up = (text: string): string => text.slice(0, text.lastIndexOf("/")) || "/";
  const lexical = above(partly.lexical);
  const real = partly.real === partly.lexical ? lexical : above(partly.real);
  return asValue({ ...path, lexical: up(path.lexical), real: up(path.real), partly: { lexical, real } });
};

function above(form: Approximation): Approximation {
  const members = form.members.map((pieces): Pieces | undefined => {
    const names = namesOf(pieces);
    const last = names.at(-1) ?? [];
    if (last.some((piece) => typeof piece === "object" && piece.hole === "tail")) return undefined;
    const [first] = names;
    const startsOpen =
      first?.some((piece) => typeof piece === "object" && piece.hole === "tail") && first[0] === pieces[0];
    const joined = names.slice(0, -1).flatMap((name, i): Pieces => (i === 0 && startsOpen ? name : ["/", ...name]));
    return joined.length === 0 ? ["/"] : joined;
  });
  if (!members.every((pieces) => pieces !== undefined)) return anyText(shownText(form));
  const [only] = members;
  if (members.length !== 1 || !only) return new Approximation(form.form, members);
  const text = patternText(only);
  return typeof text === "string" ? new Approximation("few", [[text]]) : text;
}

/** The lifted forms of functions of paths; those of texts are given. */
export function pathLifts(asText: { readonly begins: Lift; readonly ends: Lift; readonly has: Lift }) {
  return {
    pathGlob: globbed,
    pathWithin: inFolder,
    pathSame: same,
    pathIs: isOf,
    pathBegins: texted(asText.begins),
    pathEnds: texted(asText.ends),
    pathHas: texted(asText.has),
    pathName: lastName,
    pathExt: lastExtension,
    pathParent: folderOf,
  };
}
