import { type Grade, Unsure } from "./approximation.ts";

/** Grades as values of a condition: yes and no are plain. */
export type Graded = boolean | Unsure;

const rank: Readonly<Record<Grade, number>> = { no: 0, open: 1, telling: 2, all: 3, yes: 4 };

/** The grade of a value. */
export function gradeOf(value: Graded): Grade {
  return typeof value === "boolean" ? (value ? "yes" : "no") : value.grade;
}

/** Returns the stronger of two grades, as for `or`; of two equal ones, the first with the unknown parts of both. */
export function stronger(a: Graded, b: Graded): Graded {
  return chosen(a, b, rank[gradeOf(a)] >= rank[gradeOf(b)]);
}

/** The weaker of two, as of `and`. */
export function weaker(a: Graded, b: Graded): Graded {
  return chosen(a, b, rank[gradeOf(a)] <= rank[gradeOf(b)]);
}

function chosen(a: Graded, b: Graded, first: boolean): Graded {
  if (a instanceof Unsure && b instanceof Unsure && a.grade === b.grade)
    return new Unsure(a.grade, [...new Set([...a.causes, ...b.causes])]);
  return first ? a : b;
}

/** Negates a grade: a test that may hold may also fail, and a set with some members that pass has some that do not. */
export function contrary(given: Graded): Graded {
  if (typeof given === "boolean") return !given;
  return given.grade === "all" ? given : new Unsure("open", given.causes);
}

/** Grades two branches of a test with an unknown result: open, unless both are the same boolean. */
export function eitherWay(then: Graded, otherwise: Graded, causes: readonly string[]): Graded {
  if (typeof then === "boolean" && then === otherwise) return then;
  const more = [then, otherwise].flatMap((way) => (way instanceof Unsure ? way.causes : []));
  return new Unsure("open", [...new Set([...causes, ...more])]);
}
