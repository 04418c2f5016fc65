import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Type } from "../../rules/types.ts";
import {
  bool,
  comparable,
  double,
  dyn,
  int,
  isDyn,
  isRecord,
  join,
  list,
  map,
  nullType,
  open,
  printType,
  string,
} from "../../rules/types.ts";
import { argumentCall } from "./arguments.ts";
import { inTable, tableOf } from "./closed.ts";
import { comparisonHelp, textual } from "./compare-help.ts";
import { checkGlobsInList, isGlobArgument } from "./constants.ts";
import type { Checker, Scope, Typed } from "./context.ts";
import {
  boolOf,
  combine,
  failedAt,
  formsIn,
  intersection,
  knowing,
  negating,
  truth,
  typed,
  union,
  whenFalse,
  whenTrue,
} from "./context.ts";
import { resolve } from "./overloads.ts";
import { isOutOfRange } from "./ranges.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

const literalTypes = { null: nullType, bool, int, double, string } as const;

/** A literal as a constant. */
export function checkLiteral(expression: Of<"literal">): Typed {
  const { type, value, span } = expression;
  if (type === "double" && typeof value === "number") return typed(span, doubleConstant(value), double);
  return typed(span, { k: "const", value }, literalTypes[type]);
}

/** Makes IR of a double. JSON cannot hold every double: a tag marks integral ones; infinities, NaN and -0 are texts. */
function doubleConstant(value: number): Ir {
  const text = !Number.isFinite(value) || Object.is(value, -0);
  return { k: "const", value: text ? (Object.is(value, -0) ? "-0" : String(value)) : value, type: "double" };
}

/** `!` and `-`. */
export function checkUnary(checker: Checker, expression: Of<"unary">, scope: Scope): Typed {
  const { operand, span } = expression;
  if (expression.operator === "!") {
    const inner = boolOf(checker, checker.check(operand, negating(scope, checker.polarity)), operand.span, "`!`");
    return truth(span, { k: "not", arg: inner.ir }, { whenTrue: whenFalse(inner), whenFalse: whenTrue(inner) });
  }
  if (operand.kind === "literal" && typeof operand.value === "number") {
    return checkLiteral({ ...operand, value: operand.type === "int" ? 0 - operand.value : -operand.value, span });
  }
  return resolve(checker, "-_", false, [operand], expression, scope);
}

/** A binary operator: logic, equality, membership, or one of the overloaded ones. */
export function checkBinary(checker: Checker, expression: Of<"binary">, scope: Scope): Typed {
  switch (expression.operator) {
    case "&&":
      return checkLogic(checker, "and", [expression.left, expression.right], expression.span, scope);
    case "||":
      return checkLogic(checker, "or", [expression.left, expression.right], expression.span, scope);
    case "==":
      return checkEquality(checker, expression, scope);
    case "!=": {
      const equal = checkEquality(checker, expression, negating(scope, checker.polarity));
      return equal.type.kind === "error" ? equal : truth(expression.span, { k: "not", arg: equal.ir });
    }
    case "in":
      return checkIn(checker, expression, scope);
    default:
      return resolve(
        checker,
        `_${expression.operator}_`,
        false,
        [expression.left, expression.right],
        expression,
        scope,
      );
  }
}

/** Terms joined by `and` or `or`; each term is checked knowing what the ones before it imply. */
export function checkLogic(
  checker: Checker,
  kind: "and" | "or",
  terms: readonly Expression[],
  span: Span,
  scope: Scope,
): Typed {
  const parts: Typed[] = [];
  let inner = scope;
  for (const term of terms) {
    const part = boolOf(checker, checker.check(term, inner), term.span, kind === "and" ? "`&&`" : "`||`");
    parts.push(part);
    inner = knowing(inner, kind === "and" ? whenTrue(part) : whenFalse(part));
  }
  const all = (of: (part: Typed) => ReadonlySet<string>): ReadonlySet<string> => parts.map(of).reduce(union, new Set());
  const some = (of: (part: Typed) => ReadonlySet<string>): ReadonlySet<string> =>
    parts.length === 0 ? new Set() : parts.map(of).reduce(intersection);
  const implies =
    kind === "and"
      ? { whenTrue: all(whenTrue), whenFalse: some(whenFalse) }
      : { whenTrue: some(whenTrue), whenFalse: all(whenFalse) };
  return truth(
    span,
    combine(
      kind,
      parts.map((part) => part.ir),
    ),
    implies,
  );
}

/** `test ? then : otherwise`; both branches have comparable types. */
export function checkConditional(checker: Checker, expression: Of<"conditional">, scope: Scope): Typed {
  const test = boolOf(checker, checker.check(expression.test, scope), expression.test.span, "`? :`");
  const then = checker.check(expression.then, knowing(scope, whenTrue(test)));
  const otherwise = checker.check(expression.otherwise, knowing(scope, whenFalse(test)));
  if (!comparable(then.type, otherwise.type) && then.type.kind !== "null" && otherwise.type.kind !== "null") {
    checker.report(
      "HW304",
      expression.otherwise.span,
      `branches are ${printType(then.type)} and ${printType(otherwise.type)}`,
      "give both branches one type",
    );
    return failedAt(expression.span);
  }
  return typed(
    expression.span,
    { k: "if", test: test.ir, then: then.ir, else: otherwise.ir },
    join(then.type, otherwise.type),
  );
}

/** True for types whose values may be paths, so that `forms` matters. */
export function mayBePath(type: Type): boolean {
  return isDyn(type) || isRecord(type, "path") || (type.kind === "list" && mayBePath(type.element));
}

/** Returns the forms tag of a call, if its place asks for all forms and it may read a path. */
export function formsTag(checker: Checker, scope: Scope, types: readonly Type[]): { forms?: "all" } {
  return formsIn(scope, checker.polarity) === "all" && types.some(mayBePath) ? { forms: "all" } : {};
}

function checkEquality(checker: Checker, expression: Of<"binary">, scope: Scope): Typed {
  const one = checker.check(expression.left, scope);
  const other = checker.check(expression.right, scope);
  if (one.type.kind === "error" || other.type.kind === "error") return failedAt(expression.span);
  if (!comparable(one.type, other.type)) {
    neverHolds(checker, expression, one, other);
    return failedAt(expression.span);
  }
  if (isOutOfRange(checker, "==", [one, other], [expression.left, expression.right], scope))
    return failedAt(expression.span);
  const [of, to] = [tableOf(one.type), tableOf(other.type)];
  const left = to && !of ? inTable(checker, to, one, expression.left, scope) : one;
  const right = of && !to ? inTable(checker, of, other, expression.right, scope) : other;
  if (!left || !right) return failedAt(expression.span);
  const { span } = expression;
  const ir: Ir = {
    k: "call",
    ...(argumentCall("equals", left, right, span) ??
      argumentCall("equals", right, left, span) ?? {
        fn: equalityOf(left.type, right.type),
        args: [left.ir, right.ir],
      }),
    ...formsTag(checker, scope, [left.type, right.type]),
  };
  return truth(span, ir);
}

function neverHolds(
  checker: Checker,
  { left: leftPart, right: rightPart }: Of<"binary">,
  left: Typed,
  right: Typed,
): void {
  checker.report(
    "HW305",
    { start: leftPart.span.start, end: rightPart.span.end },
    `comparison of ${printType(left.type)} with ${printType(right.type)} can never hold`,
    comparisonHelp({ type: left.type, written: leftPart }, { type: right.type, written: rightPart }, (span) =>
      checker.textAt(span),
    ),
  );
}

function equalityOf(left: Type, right: Type): string {
  if (isRecord(left, "path"))
    return right.kind === "string" ? "path.equals" : isRecord(right, "path") ? "path.equals_path" : "equal";
  if (isRecord(right, "path")) return left.kind === "string" ? "string.equals_path" : "equal";
  if (isRecord(left, "url") && right.kind === "string") return "url.equals";
  return isRecord(right, "url") && left.kind === "string" ? "string.equals_url" : "equal";
}

function checkIn(checker: Checker, expression: Of<"binary">, scope: Scope): Typed {
  const left = checker.check(expression.left, scope);
  const given = checker.check(expression.right, scope);
  if (left.type.kind === "error" || given.type.kind === "error") return failedAt(expression.span);
  const container = given.type;
  if (!isDyn(container) && container.kind !== "list" && container.kind !== "map")
    return noContainer(checker, expression, container);
  const element = container.kind === "list" ? container.element : container.kind === "map" ? container.key : dyn;
  if (!comparable(left.type, element)) {
    neverIn(checker, expression, left.type, container);
    return failedAt(expression.span);
  }
  const items = expression.right.kind === "list" ? expression.right.items : [];
  const outside = items.filter(({ value }) =>
    isOutOfRange(checker, "==", [left, given], [expression.left, value], scope),
  );
  if (outside.length > 0) return failedAt(expression.span);
  const [of, to] = [tableOf(left.type), tableOf(element)];
  const right = of && !to ? inTable(checker, of, given, expression.right, scope) : given;
  const subject = to && !of ? inTable(checker, to, left, expression.left, scope) : left;
  if (!right || !subject) return failedAt(expression.span);
  if (!isGlobArgument(left.ir)) checkGlobsInList(checker, left.type, right.ir, expression.right);
  const fn = membershipOf(left.type, container);
  const open = fn === "any.in" ? argumentCall("in", subject, right, expression.span) : undefined;
  // An address is compared with texts by its own text, as `==` does.
  const isAddress = fn === "list.in" && isRecord(left.type, "url") && !isRecord(element, "url");
  const own: Ir = isAddress
    ? { k: "field", of: subject.ir, name: "text", ...(subject.ir.at && { at: subject.ir.at }) }
    : subject.ir;
  const call = open ?? { fn, args: [own, right.ir] };
  return truth(expression.span, { k: "call", ...call, ...formsTag(checker, scope, [left.type]) });
}

function neverIn(checker: Checker, { right }: Of<"binary">, left: Type, container: Type): void {
  const areOptions = [left, container].some((type) => type.kind === "list" && isRecord(type.element, "option"));
  const lists = areOptions
    ? "test options by `has_option` of the command: `c: { has_option: [--force, -f] }`, in expressions `c.has_option('--force')`"
    : left.kind === "list"
      ? "to share an item use `contains_any`, in expressions `containsAny`"
      : undefined;
  checker.report(
    "HW305",
    right.span,
    `${printType(left)} is never an item of ${printType(container)}`,
    lists ?? `write a list of ${textual(left)}`,
  );
}

function membershipOf(left: Type, container: Type): string {
  if (container.kind === "map") return "map.in";
  if (container.kind !== "list" || isDyn(left)) return "any.in";
  return isRecord(left, "path") ? "path.in" : "list.in";
}

function noContainer(checker: Checker, expression: Of<"binary">, type: Type): Typed {
  const text = type.kind === "string" || isRecord(type, "path") || isRecord(type, "url");
  const help = text ? "for a part of a text write `text.contains(part)`" : "write a list or map after `in`";
  checker.report("HW304", expression.right.span, `\`in\` needs a list or map, here ${printType(type)}`, help);
  return failedAt(expression.span);
}

/** Checks a list. A list of plain constants becomes a constant, so that functions can be prepared for it. */
export function checkList(checker: Checker, expression: Of<"list">, scope: Scope): Typed {
  const items = expression.items.map(({ value, optional }) => ({
    ...optionalPart(checker, value, optional, scope),
    optional,
  }));
  if (items.some(({ type }) => type.kind === "error") || listsInList(checker, expression, items))
    return failedAt(expression.span);
  const type = list(items.length === 0 ? open : items.map((item) => item.type).reduce(join));
  const plain = items.every(
    ({ ir, optional }) => !optional && ir.k === "const" && ir.type === undefined && typeof ir.value !== "object",
  );
  if (plain)
    return typed(
      expression.span,
      { k: "const", value: items.map(({ ir }) => (ir.k === "const" ? ir.value : null)) },
      type,
    );
  const parts = items.map(({ ir, optional }) => (optional ? { value: ir, optional: true as const } : { value: ir }));
  return typed(expression.span, { k: "list", items: parts }, type);
}

/** Reports a list of the policy among the items of a list: `[$hosts, a.test]` has two items, and the first is a list. */
function listsInList(
  checker: Checker,
  { items: written }: Of<"list">,
  items: readonly { readonly type: Type }[],
): boolean {
  const hasOther = items.some(({ type }) => type.kind !== "list" && !isDyn(type));
  const wrong = written.filter(({ value }, i) => {
    if (items[i]?.type.kind !== "list" || value.kind === "list") return false;
    const text = checker.textAt(value.span).replace(/^["']/, "");
    return text.startsWith("$") || (hasOther && /^(?:lists|parameters)\./.test(text));
  });
  for (const { value } of wrong) {
    const name = checker.textAt(value.span).replace(/^["']?(?:\$|lists\.|parameters\.)|["']$/g, "");
    const help = `write \`$${name}\` alone, without brackets, or give the other items to the list; an expression adds lists: \`lists.${name} + […]\``;
    checker.report("HW304", value.span, `\`${name}\` is a list, and the items of this list are single values`, help);
  }
  return wrong.length > 0;
}

/** A map; keys are strings, ints or bools. */
export function checkMap(checker: Checker, expression: Of<"map">, scope: Scope): Typed {
  const entries = expression.entries.map((entry) => ({
    key: checker.check(entry.key, scope),
    value: optionalPart(checker, entry.value, entry.optional, scope),
    optional: entry.optional,
  }));
  if (entries.some(({ key, value }) => key.type.kind === "error" || value.type.kind === "error"))
    return failedAt(expression.span);
  for (const [i, { key }] of entries.entries()) {
    if (isDyn(key.type) || ["string", "int", "bool"].includes(key.type.kind)) continue;
    checker.report(
      "HW304",
      expression.entries[i]?.key.span ?? expression.span,
      `a key cannot be ${printType(key.type)}`,
      "write a string, an int or a bool",
    );
    return failedAt(expression.span);
  }
  const keys = entries.map(({ key }) => key.type);
  const values = entries.map(({ value }) => value.type);
  const type = map(keys.length === 0 ? open : keys.reduce(join), values.length === 0 ? open : values.reduce(join));
  const parts = entries.map(({ key, value, optional }) => ({
    key: key.ir,
    value: value.ir,
    ...(optional ? { optional: true as const } : {}),
  }));
  return typed(expression.span, { k: "map", entries: parts }, type);
}

/** Checks an item or entry; with `?` it must be an optional, and has the type of its content. */
function optionalPart(checker: Checker, expression: Expression, optional: boolean, scope: Scope): Typed {
  const part = checker.check(expression, scope);
  if (!optional || isDyn(part.type)) return part;
  if (part.type.kind === "optional") return { ...part, type: part.type.of };
  checker.report(
    "HW304",
    expression.span,
    `\`?\` needs an optional, here ${printType(part.type)}`,
    "leave out the `?`",
  );
  return failedAt(expression.span);
}
