import { declaredFeatures, type SubsetRow, undeclaredFeatures } from "../../rules/cel-subset.ts";
import { generatedFrom, type Page, table } from "../generate/page.ts";

const rows: readonly SubsetRow[] = declaredFeatures;
const missing: readonly SubsetRow[] = undeclaredFeatures;

/** The declared subset of CEL. `npm run conformance` runs CEL's own cases against it. */
export const page: Page = {
  path: "docs/reference/cel.md",
  render() {
    const intro = [
      "Expressions are a subset of [CEL](https://cel.dev). This page declares it: what is there, what differs, what is not there, and why.",
      "",
      "`npm run conformance` runs the cases of the npm package `@bufbuild/cel-spec` over it: those of the CEL specification (`conformance`) and those of cel-go for its parser, type checker and two-variable comprehensions. A case that needs a feature of the last table is skipped under its id; a case that a deviation answers otherwise must come out as its row says; every other case must come out as the data set says.",
      "",
      "Functions and operators are listed in [functions](functions.md).",
    ];
    const declared = rows.filter(({ deviation }) => deviation === undefined).map(({ id, feature }) => [id, feature]);
    const deviating = rows
      .filter(({ deviation }) => deviation !== undefined)
      .map(({ id, feature, deviation = "", why = "" }) => [id, feature, deviation, why]);
    const absent = missing.map(({ id, feature, deviation = "", why = "" }) => [id, feature, why, deviation]);
    return [
      `${generatedFrom("rules/cel-subset.ts")}\n# The CEL subset\n`,
      ...intro,
      `\n## Declared\n\n${table(["id", "feature"], declared)}`,
      `\n## Declared, with a deviation\n\n${table(["id", "feature", "here", "because"], deviating)}`,
      `\n## Not declared\n\n${table(["id", "feature", "because", "instead"], absent)}\n`,
    ].join("\n");
  },
};
