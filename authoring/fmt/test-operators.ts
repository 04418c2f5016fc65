import type { BinaryOperator, TestOperator } from "../../rules/ast.ts";

/** Meaning of a YAML test's operator as an expression, as the checker lowers it: an infix operator or a method. */
export const operatorMeanings: Readonly<
  Record<
    Exclude<TestOperator, "present" | "size">,
    { readonly infix: BinaryOperator } | { readonly method: string; readonly anyOf?: true }
  >
> = {
  equals: { infix: "==" },
  not_equals: { infix: "!=" },
  in: { infix: "in" },
  not_in: { infix: "in" },
  lt: { infix: "<" },
  le: { infix: "<=" },
  gt: { infix: ">" },
  ge: { infix: ">=" },
  contains: { method: "contains" },
  contains_any: { method: "containsAny" },
  contains_all: { method: "containsAll" },
  starts_with: { method: "startsWith", anyOf: true },
  ends_with: { method: "endsWith", anyOf: true },
  glob: { method: "glob" },
  matches: { method: "matches", anyOf: true },
  cidr: { method: "cidr" },
  host_in: { method: "hostIn" },
  lookalike_of: { method: "lookalikeOf" },
  is: { method: "is", anyOf: true },
  within: { method: "within" },
  has_option: { method: "has_option", anyOf: true },
};

/** The operator of a YAML test, by the method that it means. */
export const operatorOfMethod: ReadonlyMap<string, TestOperator> = new Map(
  Object.entries(operatorMeanings).flatMap(([operator, meaning]) =>
    "method" in meaning ? [[meaning.method, operator as TestOperator] as const] : [],
  ),
);

/** The operator of a YAML test, by the infix operator that it means; `==` and `in` have shorter spellings of their own. */
export const operatorOfInfix: ReadonlyMap<BinaryOperator, TestOperator> = new Map([
  ["==", "equals"],
  ["!=", "not_equals"],
  ["in", "in"],
  ["<", "lt"],
  ["<=", "le"],
  [">", "gt"],
  [">=", "ge"],
]);

/** Keys that mean something other than a path in a condition. */
export const conditionWords: ReadonlySet<string> = new Set(["all", "any", "not", "expr", "some", "every", "none"]);
