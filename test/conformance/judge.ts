import { parseExpression } from "../../compiler/parse/expression.ts";
import { Source } from "../../diagnostics/source.ts";
import type { DeviationId, UndeclaredId } from "../../rules/cel-subset.ts";
import { EvaluationError } from "../../schema/ports.ts";
import type { Case } from "./cases.ts";
import { debugTree, withoutSpace } from "./debug-tree.ts";
import { evaluate } from "./evaluate.ts";
import type { Expectation } from "./expectations.ts";
import { expectationOf } from "./expectations.ts";
import { printed, typeOf } from "./types.ts";
import { undeclaredIn } from "./undeclared.ts";
import { matches, show } from "./values.ts";

/** How a case came out. A skip names the undeclared feature, a pass perhaps the deviation that it followed. */
export type Judgement =
  | { readonly outcome: "passed"; readonly deviation: DeviationId | undefined }
  | { readonly outcome: "skipped"; readonly feature: UndeclaredId }
  | { readonly outcome: "failed"; readonly wanted: string; readonly got: string };

/** Judges one case of the data set. */
export function judge(given: Case): Judgement {
  const feature = undeclaredIn(given);
  if (feature) return { outcome: "skipped", feature };
  const expectation = expectationOf(given);
  const got =
    given.suite === "parsing" && expectation.kind !== "refused" ? parse(given, expectation) : run(given, expectation);
  if (got === undefined) return { outcome: "passed", deviation: expectation.deviation };
  return { outcome: "failed", wanted: wantedText(expectation), got };
}

function wantedText({ kind, value, type, tree }: Expectation): string {
  const more = [value && JSON.stringify(value), type && `type ${JSON.stringify(type)}`, tree && withoutSpace(tree)];
  return [kind, ...more].filter(Boolean).join(" ");
}

/** What came instead of the wanted tree; undefined if it came. */
function parse({ original }: Case, { kind, tree }: Expectation): string | undefined {
  const { expression, diagnostics } = parseExpression(new Source("case", original.expr));
  if (diagnostics.length > 0)
    return kind === "unparsable" ? undefined : diagnostics.map(({ message }) => message).join("; ");
  const made = debugTree(expression);
  if (kind === "unparsable") return `tree ${made}`;
  return tree === undefined || made === withoutSpace(tree) ? undefined : `tree ${made}`;
}

/** What came instead of the wanted result; undefined if it came. An error that is seen at load counts as the error. */
function run(given: Case, { kind, value, type }: Expectation): string | undefined {
  const outcome = evaluate(given);
  if ("refused" in outcome) return kind === "refused" || kind === "error" ? undefined : outcome.refused;
  const failed = outcome.value instanceof EvaluationError;
  const right = {
    parses: true,
    unparsable: false,
    refused: false,
    loads: true,
    runs: !failed,
    error: failed,
    value: !(outcome.value instanceof EvaluationError) && value !== undefined && matches(outcome.value, value),
  }[kind];
  if (!right) return show(outcome.value);
  return type === undefined || sameType(outcome.type, type) ? undefined : `type ${outcome.type}`;
}

function sameType(type: string, wanted: NonNullable<Expectation["type"]>): boolean {
  const expected = typeof wanted === "string" ? wanted : typeOf(wanted);
  return expected !== undefined && printed(type) === printed(expected);
}
