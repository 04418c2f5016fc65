import type { BinaryOperator, Expression } from "../../rules/ast.ts";
import type { Type } from "../../rules/types.ts";
import { chain, joined } from "./expression-text.ts";
import { negatedScope, type Scope, scopeWith, typeOf } from "./scope.ts";
import { operatorMeanings } from "./test-operators.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

/**
 * Converts a condition of the YAML spelling to the expression that lowers to the same IR: explicit presence guards,
 * quantifiers as macros, times as calls. Undefined if expressions cannot express it, e.g. an operator that checks a list of
 * the policy item by item. Mirrors the lowering of `compiler/check/tests.ts`; the caller compares the IR.
 */
export function spellOut(expression: Expression, scope: Scope): Expression | undefined {
  switch (expression.kind) {
    case "logic": {
      const terms = expression.terms.map((term) => spellOut(term, scope));
      if (terms.some((term) => term === undefined) || terms.length === 0) return undefined;
      return joined(terms as Expression[], expression.operator === "and" ? "&&" : "||");
    }
    case "unary": {
      if (expression.operator !== "!") return expression;
      const operand = spellOut(expression.operand, negatedScope(scope));
      return operand && { ...expression, operand };
    }
    case "test":
      return conjunction(spellTest(expression, scope), expression);
    case "quantifier":
      return conjunction(spellQuantifier(expression, scope), expression);
    case "condition": {
      const { name, span } = expression;
      const of: Expression = { kind: "name", name: "conditions", span };
      return { kind: "member", of, field: name, fieldSpan: span, optional: false, span };
    }
    default:
      return expression;
  }
}

function conjunction(terms: readonly Expression[] | undefined, { span }: Expression): Expression | undefined {
  if (terms?.length === 0) return { kind: "literal", type: "bool", value: true, span };
  return terms && joined(terms, "&&");
}

/** Returns a test as terms joined by `&&`: its guards in order, then its question. */
export function spellTest(test: Of<"test">, scope: Scope): Expression[] | undefined {
  const guards = guardsOf(test.path, scope);
  if (test.operator === "present") {
    if (test.operand.kind !== "literal" || typeof test.operand.value !== "boolean") return undefined;
    return test.operand.value ? guards : [not(conjunction(guards, test) as Expression)];
  }
  const asked = askedBy(test, scope);
  return asked && [...guards, ...chain(asked, "&&")];
}

/** Returns `has(…)` or `[?…].hasValue()` for each part of a path that may be absent. */
function guardsOf(path: Expression, scope: Scope): Expression[] {
  if (path.kind !== "member" && path.kind !== "index") return [];
  const before = guardsOf(path.of, scope);
  if (path.kind === "index") return [...before, call("hasValue", { ...path, optional: true })];
  return mayBeAbsent(path, scope) ? [...before, call("has", undefined, path)] : before;
}

function mayBeAbsent(path: Of<"member">, scope: Scope): boolean {
  if (path.of.kind === "name" && ["parameters", "lists", "conditions"].includes(path.of.name)) return false;
  const type = typeOf(path.of, scope);
  if (type.kind === "record") return type.fields().get(path.field)?.required === false;
  return type.kind === "map" || type.kind === "dyn";
}

function askedBy(test: Of<"test">, scope: Scope): Expression | undefined {
  const { operator, path, operand } = test;
  if (operator === "present") return undefined;
  if (operator === "size") return sizeAsked(path, operand);
  const list = isList(operand, scope);
  const meaning = operatorMeanings[operator];
  if ("infix" in meaning) {
    const membership = operator === "in" || operator === "not_in" || list;
    if (!membership) return binary(meaning.infix, path, timed(operator, operand, typeOf(path, scope)));
    if (!["in", "not_in", "equals", "not_equals"].includes(operator)) return undefined;
    const inside = binary("in", path, operand);
    return operator.startsWith("not_") ? not(inside) : inside;
  }
  if (!meaning.anyOf || !list) {
    const right = timed(operator, operand, typeOf(path, scope));
    return call(meaning.method, path, right);
  }
  if (operand.kind !== "list" || operand.items.length === 0) return undefined;
  return joined(
    operand.items.map(({ value }) => call(meaning.method, path, timed(operator, value, typeOf(path, scope)))),
    "||",
  );
}

const sizeTests: ReadonlyMap<string, BinaryOperator> = new Map([
  ["lt", "<"],
  ["le", "<="],
  ["gt", ">"],
  ["ge", ">="],
  ["equals", "=="],
  ["not_equals", "!="],
  ["in", "in"],
]);

function sizeAsked(path: Expression, operand: Expression): Expression | undefined {
  const size = call("size", path);
  if (operand.kind !== "map") return binary("==", size, operand);
  const parts = operand.entries.map(({ key, value }) => {
    const operator = sizeTests.get(key.kind === "literal" ? String(key.value) : "");
    return operator && binary(operator, size, value);
  });
  return parts.some((part) => part === undefined) || parts.length === 0
    ? undefined
    : joined(parts as Expression[], "&&");
}

/** Converts a text that is compared with a time to a time. */
function timed(operator: string, operand: Expression, type: Type): Expression {
  if (operand.kind !== "literal" || operand.type !== "string") return operand;
  if (type.kind === "timestamp" && operator !== "within") return call("timestamp", undefined, operand);
  return type.kind === "duration" || type.kind === "timestamp" ? call("duration", undefined, operand) : operand;
}

function isList(operand: Expression, scope: Scope): boolean {
  return operand.kind === "list" || (operand.kind !== "literal" && typeOf(operand, scope).kind === "list");
}

/** Returns a quantifier as terms joined by `&&`. Its element gets a unique name. */
export function spellQuantifier(expression: Of<"quantifier">, scope: Scope): Expression[] | undefined {
  const { quantifier, list, variable, tests } = expression;
  const over = typeOf(list, scope);
  const element = over.kind === "list" ? over.element : over.kind === "map" ? over.key : over;
  const name = variable.startsWith("element") ? elementName(list, scope) : variable;
  const inner = scopeWith(quantifier === "none" ? negatedScope(scope) : scope, name, element);
  const body = spellOut(name === variable ? tests : renamed(tests, variable, name), inner);
  if (!body) return undefined;
  const guards = [...guardsOf(list, scope), ...factGuard(expression, scope)];
  const bound: Expression = { kind: "name", name, span: list.span };
  const loop = call(quantifier === "every" ? "all" : "exists", list, bound, body);
  if (quantifier !== "none") return [...guards, loop];
  const strict = scope.polarity === "block" || scope.negated;
  return strict ? [not(joined([...guards, loop], "&&"))] : [...guards, not(loop)];
}

/** Returns guards for lists of effects and commands that an event may lack: then `every` is false, and so is `none` in an allow. */
function factGuard({ quantifier, list }: Of<"quantifier">, scope: Scope): Expression[] {
  const matters = quantifier === "every" || (quantifier === "none" && scope.polarity === "allow");
  const isFact = list.kind === "member" && list.of.kind === "name" && ["effects", "shell"].includes(list.of.name);
  return matters && isFact ? [call("has", undefined, list)] : [];
}

const reserved: ReadonlySet<string> = new Set(["as", "if", "in"]);

/** Returns a short name for an element: the first letter of its list, numbered if that is taken. */
function elementName(list: Expression, { environment }: Scope): string {
  const last = list.kind === "member" ? list.field : list.kind === "name" ? list.name : "x";
  const letter = /[a-z]/i.exec(last)?.[0].toLowerCase() ?? "x";
  for (let i = 1; ; i++) {
    const name = i === 1 ? letter : `${letter}${i}`;
    if (!environment.variables.has(name) && !reserved.has(name)) return name;
  }
}

/** Returns the condition with another name for a variable that nothing inside binds again. */
function renamed(expression: Expression, from: string, to: string): Expression {
  return mapped(expression, (node) =>
    node["kind"] === "name" && node["name"] === from ? { ...node, name: to } : node,
  );
}

type Plain = Readonly<Record<string, unknown>>;

function mapped(expression: Expression, change: (node: Plain) => Plain): Expression {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return change(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, visit(part)])));
  };
  return visit(expression) as Expression;
}

/** `!operand`. */
export function not(operand: Expression): Expression {
  return { kind: "unary", operator: "!", operand, span: operand.span };
}

function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: "binary", operator, left, right, span: left.span };
}

function call(name: string, receiver: Expression | undefined, ...args: Expression[]): Expression {
  const { span } = receiver ?? (args[0] as Expression);
  return receiver
    ? { kind: "call", name, nameSpan: span, receiver, args, span }
    : { kind: "call", name, nameSpan: span, args, span };
}
