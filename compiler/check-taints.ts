import type { Span } from "../diagnostics/source.ts";
import type { Expression } from "../rules/ast.ts";
import { conditionName } from "./condition-graph.ts";

/** Parts of the policy that the check reads: labels by name, and the named conditions that an expression may refer to. */
export interface TaintCheck {
  readonly labels: ReadonlyMap<string, "taint" | "mark">;
  readonly conditions: ReadonlyMap<string, { readonly expression: Expression }>;
}

/** A test that an `allow` may not rest on. */
export interface TaintUse {
  readonly span: Span;
  /** The taint, where the text names it. */
  readonly name: string | undefined;
}

/**
 * Returns the tests of an `allow` that hold because a taint is absent. Its conditions may test that a taint is present, not
 * that it is absent: absence proves nothing, since its cause may have gone unseen. `negated` is for `unless`.
 * Source: language section 4.
 */
export function negativeTaintTests(expression: Expression, check: TaintCheck, negated: boolean): TaintUse[] {
  const uses: TaintUse[] = [];
  if (![...check.labels.values()].includes("taint")) return uses;
  const seen = new Set<string>();
  const walk = (part: Expression, sense: Sense): void => {
    const name = conditionName(part);
    const named = name === undefined || seen.has(`${sense} ${name}`) ? undefined : check.conditions.get(name);
    if (named) {
      seen.add(`${sense} ${name}`);
      walk(named.expression, sense);
      return;
    }
    const asked = membership(part);
    if (asked) report(part.span, asked.names, asked.sound && sense === "positive");
    else if (isLabels(part)) report(part.span, undefined, false);
    else for (const [inner, how] of children(part, sense)) walk(inner, how);
  };
  const report = (span: Span, names: readonly string[] | undefined, sound: boolean): void => {
    const taints = names?.filter((name) => check.labels.get(name) !== "mark");
    if (!sound && (taints === undefined || taints.length > 0)) uses.push({ span, name: taints?.[0] });
  };
  walk(expression, negated ? "negative" : "positive");
  return uses;
}

/** Effect of a part on the whole: it helps it to hold if it holds (`positive`), if it does not (`negative`), or in either case. */
type Sense = "positive" | "negative" | "either";

function opposite(sense: Sense): Sense {
  return sense === "either" ? sense : sense === "positive" ? "negative" : "positive";
}

/** `session.labels`, or `paths.labels(path)`. */
function isLabels(part: Expression): boolean {
  if (part.kind === "member") return part.field === "labels" && part.of.kind === "name" && part.of.name === "session";
  return part.kind === "call" && part.name === "labels" && part.receiver?.kind === "name";
}

const members: ReadonlySet<string> = new Set([
  "contains",
  "contains_any",
  "contains_all",
  "containsAny",
  "containsAll",
]);

/** Returns a test for labels, with their names if they are literal; `sound` is true if it tests nothing else. */
function membership(
  part: Expression,
): { readonly names: readonly string[] | undefined; readonly sound: boolean } | undefined {
  if (part.kind === "test" && isLabels(part.path))
    return { names: namesIn(part.operand), sound: members.has(part.operator) };
  if (part.kind === "call" && part.receiver && isLabels(part.receiver))
    return {
      names: part.args.length === 1 ? namesIn(part.args[0] as Expression) : undefined,
      sound: members.has(part.name),
    };
  if (part.kind === "binary" && part.operator === "in" && isLabels(part.right))
    return { names: namesIn(part.left), sound: true };
  if (part.kind === "quantifier" && isLabels(part.list)) return { names: undefined, sound: part.quantifier === "some" };
  return undefined;
}

/** Returns the names in literal texts; undefined if they are computed. */
function namesIn(part: Expression): readonly string[] | undefined {
  if (part.kind === "literal") return typeof part.value === "string" ? [part.value] : undefined;
  if (part.kind !== "list") return undefined;
  const names = part.items.map(({ value }) => (value.kind === "literal" ? value.value : undefined));
  return names.every((name) => typeof name === "string") ? (names as string[]) : undefined;
}

/** The parts of an expression, each with its sense. */
function children(part: Expression, sense: Sense): readonly (readonly [Expression, Sense])[] {
  const all = (parts: readonly (Expression | undefined)[], how: Sense) =>
    parts.flatMap((inner) => (inner ? [[inner, how] as const] : []));
  switch (part.kind) {
    case "logic":
      return all(part.terms, sense);
    case "unary":
      return all([part.operand], part.operator === "!" ? opposite(sense) : "either");
    case "binary":
      return all([part.left, part.right], part.operator === "&&" || part.operator === "||" ? sense : "either");
    case "conditional":
      return [...all([part.test], "either"), ...all([part.then, part.otherwise], sense)];
    case "quantifier":
      return [
        ...all([part.list], "either"),
        ...all([part.tests], part.quantifier === "none" ? opposite(sense) : sense),
      ];
    case "call": {
      const isMacro = part.name === "exists" || part.name === "all";
      return [...all([part.receiver], "either"), ...all(part.args, isMacro ? sense : "either")];
    }
    case "test":
      return all([part.path, part.operand], "either");
    case "member":
      return all([part.of], "either");
    case "index":
      return all([part.of, part.index], "either");
    case "list":
      return all(
        part.items.map(({ value }) => value),
        "either",
      );
    case "map":
      return all(
        part.entries.flatMap(({ key, value }) => [key, value]),
        "either",
      );
    default:
      return [];
  }
}
