import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { Expression, TestOperator } from "../../rules/ast.ts";
import type { Type } from "../../rules/types.ts";
import { isDyn, printType } from "../../rules/types.ts";
import type { Checker, Known, Scope, Typed } from "./context.ts";
import { binding, boolOf, combine, failedAt, knowing, negating, truth, union, universal, whenTrue } from "./context.ts";
import { declaredHelp } from "./declared-help.ts";
import { factGuard, refuseExists } from "./loops.ts";

type Test = Extract<Expression, { kind: "test" }>;
type Quantifier = Extract<Expression, { kind: "quantifier" }>;

/** Presence that a path needs to have a value, as checked `has` tests in order. */
interface Presence {
  readonly guards: readonly Ir[];
  readonly known: Known;
}

const method: Partial<Record<TestOperator, string>> = {
  contains: "contains",
  contains_any: "containsAny",
  contains_all: "containsAll",
  starts_with: "startsWith",
  ends_with: "endsWith",
  glob: "glob",
  matches: "matches",
  cidr: "cidr",
  host_in: "hostIn",
  lookalike_of: "lookalikeOf",
  is: "is",
  within: "within",
  has_option: "has_option",
};

const comparisons = { lt: "<", le: "<=", gt: ">", ge: ">=", equals: "==", not_equals: "!=", in: "in" } as const;

/** Operators that take a list as any of its items although their function takes one. */
const anyOf: ReadonlySet<TestOperator> = new Set(["starts_with", "ends_with", "matches", "has_option", "is"]);

/**
 * A YAML test (language section 2). It lowers to the equivalent expression: presence guards along the path, then a comparison or
 * call. A test on an absent field is false.
 */
export function checkTest(checker: Checker, test: Test, scope: Scope): Typed {
  const presence = presenceOf(checker, test.path, scope);
  if (!presence) return failedAt(test.span);
  const inner = knowing(scope, presence.known);
  if (test.operator === "present") return checkPresent(checker, test, presence, inner);
  const value = checkOperator(checker, test, inner);
  if (value.type.kind === "error") return failedAt(test.span);
  const known = union(presence.known, whenTrue(value));
  return truth(test.span, combine("and", [...presence.guards, value.ir]), { whenTrue: known, whenFalse: new Set() });
}

function checkPresent(checker: Checker, { operand, path, span }: Test, presence: Presence, scope: Scope): Typed {
  const wanted = checker.check(operand, scope).ir;
  if (checker.check(path, scope).type.kind === "error") return failedAt(span);
  if (wanted.k !== "const" || typeof wanted.value !== "boolean") {
    checker.report("HW304", operand.span, "`present` takes true or false", "write `present: true`");
    return failedAt(span);
  }
  const there = combine("and", presence.guards);
  if (wanted.value) return truth(span, there, { whenTrue: presence.known, whenFalse: new Set() });
  return truth(
    span,
    { k: "not", arg: { ...there, at: [span.start, span.end] } },
    { whenTrue: new Set(), whenFalse: presence.known },
  );
}

/** Returns guards for each part of a path that may be absent; undefined when the path has an error, which it reports. */
function presenceOf(checker: Checker, path: Expression, scope: Scope): Presence | undefined {
  const none: Presence = { guards: [], known: new Set() };
  if (path.kind !== "member" && path.kind !== "index") return none;
  const before = presenceOf(checker, path.of, scope);
  if (!before) return undefined;
  const inner = knowing(scope, before.known);
  const guard = path.kind === "member" ? memberGuard(checker, path, inner) : itemGuard(path);
  if (!guard) return before;
  const checked = checker.check(guard, inner);
  if (checked.type.kind === "error") return undefined;
  return { guards: [...before.guards, checked.ir], known: union(before.known, whenTrue(checked)) };
}

/** Returns the guard `has(of.field)` if the field may be absent. */
function memberGuard(
  checker: Checker,
  path: Extract<Expression, { kind: "member" }>,
  scope: Scope,
): Expression | undefined {
  if (path.of.kind === "name" && ["parameters", "lists", "conditions"].includes(path.of.name)) return undefined;
  const { type } = checker.probe(path.of, scope);
  if (type.kind === "record") {
    const field = type.fields().get(path.field);
    if (!field || field.required) return undefined;
  } else if (type.kind !== "map" && type.kind !== "dyn") return undefined;
  return call("has", path.span, path.fieldSpan, undefined, [path]);
}

/** `of[?index].hasValue()`, which holds for lists and maps alike. */
function itemGuard(path: Extract<Expression, { kind: "index" }>): Expression {
  return call("hasValue", path.span, path.span, { ...path, optional: true }, []);
}

function call(
  name: string,
  span: Span,
  nameSpan: Span,
  receiver: Expression | undefined,
  args: readonly Expression[],
): Expression {
  return receiver
    ? { kind: "call", name, nameSpan, receiver, args, span }
    : { kind: "call", name, nameSpan, args, span };
}

function checkOperator(checker: Checker, test: Test, scope: Scope): Typed {
  const { operator, path, operand, span } = test;
  const { type } = checker.check(path, scope);
  if (type.kind === "error") return failedAt(span);
  if (operator === "size" && path.kind === "name" && isDyn(type)) reportShadow(checker, test);
  if (operator === "size") return checkSize(checker, test, scope);
  if (operator === "not_in" || (operator === "not_equals" && isList(checker, operand, scope))) {
    const inner = checkMembership(checker, { ...test, operator: "in" }, negating(scope, checker.polarity));
    return inner.type.kind === "error" ? inner : truth(span, { k: "not", arg: inner.ir });
  }
  if (operator === "in" || (operator === "equals" && isList(checker, operand, scope)))
    return checkMembership(checker, test, scope);
  const items = anyOf.has(operator) ? itemsOf(checker, operand, scope) : undefined;
  if (items) {
    const parts = items.map((item) => apply(checker, test, item, type, scope));
    if (parts.some((part) => part.type.kind === "error")) return failedAt(span);
    return truth(
      span,
      combine(
        "or",
        parts.map((part) => part.ir),
      ),
    );
  }
  return apply(checker, test, operand, type, scope);
}

/** Reports `size` of an element of unknown type: it may mean the element's size or a field of that name. */
function reportShadow(checker: Checker, { operatorSpan }: Test): void {
  checker.report(
    "HW677",
    operatorSpan,
    "`size` is how many characters or items the element has, and no field `size` of it",
    "for the field write an expression: `list.exists(x, x.size == …)`; for the size `list.exists(x, size(x) == …)`",
  );
}

/** The test of one operand, as a comparison or method call. */
function apply(checker: Checker, test: Test, operand: Expression, type: Type, scope: Scope): Typed {
  const { operator, path, operatorSpan, span } = test;
  const name = method[operator];
  if (operator === "contains" && isList(checker, operand, scope)) {
    checker.report(
      "HW304",
      operand.span,
      "`contains` takes one value",
      "use `contains_any` or `contains_all` for a list",
    );
    return failedAt(span);
  }
  const right = timed(operator, operand, type);
  if (name === undefined) {
    const symbol = comparisons[operator as keyof typeof comparisons];
    const expression: Expression = { kind: "binary", operator: symbol, left: path, right, span };
    checker.spelling.set(expression, operator);
    return checker.check(expression, scope);
  }
  const expression = call(name, span, operatorSpan, path, [right]);
  checker.spelling.set(expression, operator);
  return boolOf(checker, checker.check(expression, scope), operatorSpan, `\`${operator}\``);
}

/** Reads a text that is compared with a time as a time. */
function timed(operator: TestOperator, operand: Expression, type: Type): Expression {
  if (operand.kind !== "literal" || operand.type !== "string") return operand;
  const name =
    type.kind === "timestamp" && operator !== "within"
      ? "timestamp"
      : type.kind === "duration" || type.kind === "timestamp"
        ? "duration"
        : undefined;
  return name ? call(name, operand.span, operand.span, undefined, [operand]) : operand;
}

function isList(checker: Checker, operand: Expression, scope: Scope): boolean {
  return operand.kind === "list" || (operand.kind !== "literal" && checker.probe(operand, scope).type.kind === "list");
}

/** Lists the items of a constant list, each at its place; undefined for anything else. */
function itemsOf(checker: Checker, operand: Expression, scope: Scope): readonly Expression[] | undefined {
  if (operand.kind === "list") return operand.items.map((item) => item.value);
  const { ir } = operand.kind === "literal" ? { ir: undefined } : checker.probe(operand, scope);
  if (ir?.k !== "const" || !Array.isArray(ir.value)) return undefined;
  return (ir.value as readonly unknown[]).map((value) => ({
    kind: "literal",
    type: "string",
    value: String(value),
    span: operand.span,
  }));
}

function checkMembership(checker: Checker, { path, operand, span }: Test, scope: Scope): Typed {
  if (!isList(checker, operand, scope) && operand.kind === "literal") {
    checker.report(
      "HW304",
      operand.span,
      "`in` takes a list",
      (typeof operand.value === "string" ? declaredHelp(checker.environment, operand.value, false) : undefined) ??
        memberHelp(operand.value),
    );
    return failedAt(span);
  }
  return checker.check({ kind: "binary", operator: "in", left: path, right: operand, span }, scope);
}

/** Help for one value in the place of a list. A text with commas is a list in other products. */
function memberHelp(value: unknown): string {
  const items = String(value).split(/\s*[,|;]\s*/);
  if (items.every((item) => /^[\w.@+/*-]{1,40}$/.test(item)) && items.length <= 8)
    return items.length > 1
      ? `write the list \`[${items.join(", ")}]\``
      : `write \`[${items[0]}]\`, or leave the operator out to compare with one value`;
  return "write `[…]`, or leave the operator out to compare with one value";
}

/** `size: 2` or `size: { ge: 1, lt: 5 }`. */
function checkSize(checker: Checker, test: Test, scope: Scope): Typed {
  const { path, operand, operatorSpan, span } = test;
  const size = call("size", path.span, operatorSpan, path, []);
  checker.spelling.set(size, "size");
  if (operand.kind !== "map")
    return checker.check({ kind: "binary", operator: "==", left: size, right: operand, span }, scope);
  const parts = operand.entries.map(({ key, value }) => {
    const name = key.kind === "literal" ? String(key.value) : "";
    if (Object.hasOwn(comparisons, name)) {
      const operator = comparisons[name as keyof typeof comparisons];
      return checker.check({ kind: "binary", operator, left: size, right: value, span }, scope);
    }
    checker.report(
      "HW105",
      key.span,
      `\`size\` has no test \`${name}\``,
      "use `lt`, `le`, `gt`, `ge`, `equals`, `not_equals` or `in`",
    );
    return failedAt(span);
  });
  if (parts.some((part) => part.type.kind === "error")) return failedAt(span);
  return truth(
    span,
    combine(
      "and",
      parts.map((part) => part.ir),
    ),
  );
}

/**
 * Checks `some`, `every` or `none` over a list. Over an absent list `some` and `every` are false; `none` is true only in a
 * condition that blocks. In an allow, `every` and `none` cover possible elements too, since they are about all elements.
 */
export function checkQuantifier(checker: Checker, expression: Quantifier, scope: Scope): Typed {
  const { quantifier, span } = expression;
  const presence = presenceOf(checker, expression.list, scope);
  if (!presence) return failedAt(span);
  const some = quantifier === "some";
  const outer = knowing(scope, presence.known);
  const over = checker.check(expression.list, some ? outer : universal(outer, checker.polarity));
  const element = over.type.kind === "list" ? over.type.element : over.type.kind === "map" ? over.type.key : over.type;
  if (over.type.kind === "error") return failedAt(span);
  if (over.type.kind !== "list" && over.type.kind !== "map" && !isDyn(over.type)) {
    checker.report(
      "HW304",
      expression.list.span,
      `\`${quantifier}\` goes through lists, here ${printType(over.type)}`,
      "name a list",
    );
    return failedAt(span);
  }
  refuseExists(checker, over, quantifier, expression.list.span, scope);
  const inside = binding(
    quantifier === "none" ? negating(outer, checker.polarity) : outer,
    expression.variable,
    element,
    over,
  );
  const body = boolOf(checker, checker.check(expression.tests, inside), expression.tests.span, `\`${quantifier}\``);
  if (body.type.kind === "error") return failedAt(span);
  const loop: Ir = {
    k: "loop",
    loop: quantifier === "every" ? "all" : "exists",
    list: over.ir,
    slot: scope.slot,
    body: body.ir,
    at: [span.start, span.end],
  };
  // Effects and commands of an event that has none are absent, which matters to `every`, and to `none` in an allow.
  const matters = quantifier === "every" || (quantifier === "none" && checker.polarity === "allow");
  const guards = [...presence.guards, ...(matters ? factGuard(over, scope) : [])];
  return quantified(checker, quantifier, loop, guards, span, scope);
}

function quantified(
  checker: Checker,
  quantifier: Quantifier["quantifier"],
  loop: Ir,
  guards: readonly Ir[],
  span: Span,
  scope: Scope,
): Typed {
  if (quantifier !== "none") return truth(span, combine("and", [...guards, loop]));
  // An absent value counts as none if that is stricter: in a block, or in a negated part of an allow.
  const strict = checker.polarity === "block" || scope.negated;
  if (strict) return truth(span, { k: "not", arg: combine("and", [...guards, loop]) });
  return truth(span, combine("and", [...guards, { k: "not", arg: loop, at: [span.start, span.end] }]));
}
