import type { Span } from "../diagnostics/source.ts";

/**
 * The condition AST: what an author wrote, before names and types are known. Both spellings end here;
 * YAML tests keep a node of their own so that `fmt` can print them back. Every span is in the author's file.
 */
export type Expression = Node & { readonly span: Span };

/** Infix operators of the expression language, by their CEL spelling (language section 3). */
export type BinaryOperator = "&&" | "||" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "+" | "-" | "*" | "/" | "%";

type Node =
  | {
      readonly kind: "literal";
      readonly type: "null" | "bool" | "int" | "double" | "string";
      readonly value: null | boolean | number | string;
    }
  | { readonly kind: "name"; readonly name: string }
  /** `of.field`, or `of.?field`. */
  | {
      readonly kind: "member";
      readonly of: Expression;
      readonly field: string;
      readonly fieldSpan: Span;
      readonly optional: boolean;
    }
  /** `of[index]`, or `of[?index]`. */
  | { readonly kind: "index"; readonly of: Expression; readonly index: Expression; readonly optional: boolean }
  /** `name(args)` or `receiver.name(args)`; macros (`has`, `all`, `exists`, `exists_one`, `filter`, `map`) are calls here. */
  | {
      readonly kind: "call";
      readonly name: string;
      readonly nameSpan: Span;
      readonly receiver?: Expression;
      readonly args: readonly Expression[];
    }
  | { readonly kind: "unary"; readonly operator: "!" | "-"; readonly operand: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "conditional";
      readonly test: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: "list"; readonly items: readonly { readonly value: Expression; readonly optional: boolean }[] }
  | {
      readonly kind: "map";
      readonly entries: readonly { readonly key: Expression; readonly value: Expression; readonly optional: boolean }[];
    }
  /** YAML: a mapping, `all`, `any`. No term is true for `and`, false for `or`. */
  | { readonly kind: "logic"; readonly operator: "and" | "or"; readonly terms: readonly Expression[] }
  /** YAML: `path: { operator: operand }`. False when any part of the path is absent. */
  | {
      readonly kind: "test";
      readonly path: Expression;
      readonly operator: TestOperator;
      readonly operatorSpan: Span;
      readonly operand: Expression;
    }
  /** YAML: `some | every | none: { list: tests }`; `variable` is bound in `tests`. */
  | {
      readonly kind: "quantifier";
      readonly quantifier: "some" | "every" | "none";
      readonly list: Expression;
      readonly variable: string;
      readonly tests: Expression;
    }
  /** A reference to a named condition, `$name` in YAML. */
  | { readonly kind: "condition"; readonly name: string }
  /** Place of wrong text, for which a diagnostic exists. */
  | { readonly kind: "error" };

/** Operators of YAML tests (language section 2). */
export const testOperators = [
  "equals",
  "not_equals",
  "in",
  "not_in",
  "contains",
  "contains_any",
  "contains_all",
  "starts_with",
  "ends_with",
  "glob",
  "matches",
  "cidr",
  "host_in",
  "lookalike_of",
  "is",
  "within",
  "has_option",
  "lt",
  "le",
  "gt",
  "ge",
  "present",
  "size",
] as const;

/** A key that may stand under a path in a YAML test. */
export type TestOperator = (typeof testOperators)[number];
