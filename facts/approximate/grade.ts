import { type Approximation, type Grade, type Pieces, shownText, Unsure } from "../../schema/approximation.ts";
import { covered, meeting, type Place } from "./walk.ts";

/** A test of a text as alternatives: it holds for a text that passes one of them. Undefined where the test itself is not known. */
export type TextTest = readonly (readonly Place[])[] | undefined;

/** Grades how far a test holds for a partly known text (decision 25). */
export function gradeText(text: Approximation, test: TextTest, loosens = false): boolean | Unsure {
  const grades = text.members.map((pieces) => gradeMember(pieces, test));
  return gradeMembers(text, grades, loosens);
}

/** Returns the grade of a text from those of its members; `loosens` is true if the test loosens. */
export function gradeMembers(text: Approximation, grades: readonly Grade[], loosens = false): boolean | Unsure {
  const [first = "open"] = grades;
  if (text.loose) {
    // It may be a text other than its members; tests that restrict ignore that.
    if (!loosens && grades.every((grade) => grade === "no")) return false;
    const tells = !loosens && grades.some((grade) => grade === "telling" || grade === "yes");
    return new Unsure(tells ? "telling" : "open", [shownText(text)]);
  }
  const causes = [shownText(text)];
  if (grades.every((grade) => grade === first) && (first === "yes" || first === "no"))
    return first === "yes" && text.several
      ? new Unsure(text.form === "any" ? "open" : "telling", causes)
      : first === "yes";
  if (text.form === "all") return new Unsure("all", causes);
  // A member of a few is telling where it passes; a wholly unknown one is not.
  const points = grades.some((grade) => grade === "yes" || grade === "telling");
  const some = text.form !== "few" ? first : points ? "telling" : "open";
  return new Unsure(some === "telling" ? "telling" : "open", causes);
}

function gradeMember(pieces: Pieces, test: TextTest): Grade {
  if (!test) return "open";
  if (test.some((places) => covered(pieces, places))) return "yes";
  let best: Grade = "no";
  for (const places of test) {
    const met = meeting(pieces, places);
    if (met === "telling") return "telling";
    if (met === "open") best = "open";
  }
  return best;
}
