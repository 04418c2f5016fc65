import type { Approximation, Grade, Unsure } from "../../schema/approximation.ts";
import type { PathValue } from "../../schema/facts.ts";
import { type Graded, stronger, weaker } from "../../schema/grades.ts";
import { EvaluationError, type Forms } from "../../schema/ports.ts";
import { gradeMembers } from "../approximate/grade.ts";
import { preparedPath } from "./match.ts";
import { isExact, readings } from "./partly.ts";
import { type Component, mayMeet } from "./pattern.ts";
import { tells } from "./telling.ts";
import { mayTake } from "./tree-takes.ts";
import { floats, treeOf } from "./whole-trees.ts";

/** A test of a path. */
export interface PathTest {
  /** True if the path passes: perhaps with `any`, surely with `all`. */
  holds(path: PathValue, forms: Forms): boolean | EvaluationError;
  /** Patterns of the paths that the test names, if any, to compare with the known part of a path. */
  readonly names: readonly (readonly Component[])[];
  /** True if it may hold in any folder: the disk cannot be asked what lies in a partly known one. */
  readonly floats: boolean;
}

/**
 * Grades how far a test holds for a partly known path. Where a test restricts (`any`), an unknown part stays beneath the known
 * part before it. The test surely holds only if it holds wherever the unknown part leads.
 */
export function gradePath(path: PathValue, test: PathTest, forms: Forms): Graded | EvaluationError {
  const { lexical, real } = path.partly ?? {};
  if (!lexical || !real) return test.holds(path, forms);
  const first = gradeForm(path, lexical, test, forms);
  if (real === lexical || first instanceof EvaluationError) return first;
  const second = gradeForm(path, real, test, forms);
  if (second instanceof EvaluationError) return second;
  return forms === "any" ? stronger(first, second) : weaker(first, second);
}

function gradeForm(
  path: PathValue,
  form: Approximation,
  test: PathTest,
  forms: Forms,
): boolean | Unsure | EvaluationError {
  const may = readings(path, form, forms === "any" ? "may" : "sure");
  const sure = readings(path, form, "sure");
  const grades: Grade[] = [];
  for (const [i, pieces] of form.members.entries()) {
    const grade = gradeMember(may[i] ?? path, sure[i] ?? path, test, forms, isExact(pieces));
    if (grade instanceof EvaluationError) return grade;
    grades.push(grade);
  }
  return gradeMembers(form, grades);
}

function gradeMember(
  may: PathValue,
  sure: PathValue,
  test: PathTest,
  forms: Forms,
  exact: boolean,
): Grade | EvaluationError {
  const surely = test.holds(sure, exact ? forms : "all");
  if (surely instanceof EvaluationError) return surely;
  if (surely) return "yes";
  if (exact) return "no";
  const perhaps = test.holds(may, "any");
  if (perhaps instanceof EvaluationError) return perhaps;
  if (!perhaps) return test.floats && forms === "any" && mayHold(may, test.names) ? "open" : "no";
  return forms === "any" && isTold(may, test.names) ? "telling" : "open";
}

/** True if what is named may lie beneath a folder that is taken whole. */
function mayHold(path: PathValue, names: PathTest["names"]): boolean {
  if (!path.tree) return false;
  const { forms, takes } = preparedPath(path);
  return names.some((list) => floats(list) && mayTake(takes, list) && mayMeet(treeOf(forms[0]), list));
}

function isTold(path: PathValue, names: PathTest["names"]): boolean {
  const { forms, tree } = preparedPath(path);
  return names.some((pattern) => tells(forms[0], pattern, tree));
}
