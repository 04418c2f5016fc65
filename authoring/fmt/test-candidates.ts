import type { Expression, TestOperator } from "../../rules/ast.ts";
import { printExpression, sameExpression } from "../../rules/print.ts";
import { chain } from "./expression-text.ts";
import { operatorMeanings, operatorOfInfix, operatorOfMethod } from "./test-operators.ts";
import type { Tree } from "./yaml-text.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

/** A YAML test or quantifier that may replace some terms, and the number of terms in its question. */
export type Candidate =
  | { readonly node: Of<"test">; readonly operand: Tree; readonly terms: number }
  | { readonly node: Of<"quantifier">; readonly terms: number };

/**
 * Returns YAML nodes that may mean `terms[0]`, without guards, the one with most terms first. `spellOut` decides whether one
 * does.
 */
export function candidatesFor(terms: readonly Expression[]): Candidate[] {
  const [term] = terms;
  switch (term?.kind) {
    case "call":
      return callCandidates(term);
    case "unary":
      return term.operator === "!" ? negatedCandidates(term) : [];
    case "binary":
      return term.operator === "||" ? anyOfCandidates(term) : [...sizeCandidates(terms), ...infixCandidates(term)];
    default:
      return [];
  }
}

function callCandidates(term: Of<"call">): Candidate[] {
  const present = presentPath(term);
  if (present) return [testOf(present, "present", truthOf(true, term), { kind: "value", value: true })];
  const loop = loopOf(term);
  if (loop) return [{ node: { ...loop, quantifier: term.name === "all" ? "every" : "some" }, terms: 1 }];
  const method = methodTest(term);
  return method ? [testOf(method.path, method.operator, method.operand, method.tree)] : [];
}

function negatedCandidates({ operand }: Of<"unary">): Candidate[] {
  const last = chain(operand, "&&").at(-1) as Expression;
  const absent = last.kind === "call" ? presentPath(last) : undefined;
  if (absent) return [testOf(absent, "present", truthOf(false, operand), { kind: "value", value: false })];
  const loop = last.kind === "call" && last.name === "exists" ? loopOf(last) : undefined;
  if (loop) return [{ node: { ...loop, quantifier: "none" }, terms: 1 }];
  if (last !== operand || last.kind !== "binary" || last.operator !== "in" || !isPath(last.left)) return [];
  const tree = operandTree(last.right);
  return tree ? [testOf(last.left, "not_in", last.right, tree)] : [];
}

function infixCandidates(term: Of<"binary">): Candidate[] {
  const operator = operatorOfInfix.get(term.operator);
  if (!operator || !isPath(term.left)) return [];
  const right = untimed(term.right);
  const tree = operandTree(right);
  return tree ? [testOf(term.left, operator, right, tree)] : [];
}

/** Converts `p.startsWith("a") || p.startsWith("b")` to one test with a list. */
function anyOfCandidates(term: Of<"binary">): Candidate[] {
  const parts = chain(term, "||").map((part) => (part.kind === "call" ? methodTest(part) : undefined));
  const [first] = parts;
  if (!first || !("anyOf" in operatorMeanings[first.operator])) return [];
  const alike = parts.every(
    (part) =>
      part && part.operator === first.operator && part.tree.kind === "value" && sameExpression(part.path, first.path),
  );
  if (!alike) return [];
  const found = parts as MethodTest[];
  const operand: Expression = {
    kind: "list",
    items: found.map((part) => ({ value: part.operand, optional: false })),
    span: term.span,
  };
  return [testOf(first.path, first.operator, operand, { kind: "list", items: found.map(({ tree }) => tree) })];
}

/** Converts `p.size() >= 1 && p.size() < 5` to one test, if the operators differ. */
function sizeCandidates(terms: readonly Expression[]): Candidate[] {
  const found: {
    readonly path: Expression;
    readonly operator: TestOperator;
    readonly right: Expression;
    readonly tree: Tree;
  }[] = [];
  for (const term of terms) {
    const part = term.kind === "binary" ? sizeTest(term) : undefined;
    const [first] = found;
    if (!part || (first && !sameExpression(first.path, part.path)) || found.some((f) => f.operator === part.operator))
      break;
    found.push(part);
  }
  return found
    .map((_, i) => found.slice(0, found.length - i))
    .map((parts): Candidate => {
      const [first] = parts as [(typeof found)[number]];
      const { path, operator, right, tree } = first;
      if (parts.length === 1 && operator === "equals") return testOf(path, "size", right, tree);
      const operand: Expression = {
        kind: "map",
        entries: parts.map((part) => ({
          key: { kind: "literal", type: "string", value: part.operator, span: path.span },
          value: part.right,
          optional: false,
        })),
        span: path.span,
      };
      const entries = parts.map((part) => [part.operator, part.tree] as const);
      return { ...testOf(path, "size", operand, { kind: "map", entries }), terms: parts.length };
    });
}

function sizeTest(term: Of<"binary">) {
  const { left, right } = term;
  const operator = operatorOfInfix.get(term.operator);
  const path = left.kind === "call" && left.name === "size" && left.args.length === 0 ? left.receiver : undefined;
  const tree = operandTree(right);
  return operator && path && isPath(path) && tree ? { path, operator, right, tree } : undefined;
}

interface MethodTest {
  readonly path: Expression;
  readonly operator: Exclude<TestOperator, "present" | "size">;
  readonly operand: Expression;
  readonly tree: Tree;
}

function methodTest({ name, receiver, args }: Of<"call">): MethodTest | undefined {
  const operator = operatorOfMethod.get(name);
  const [argument] = args;
  if (!operator || !receiver || !isPath(receiver) || !argument || args.length !== 1) return undefined;
  const operand = untimed(argument);
  const tree = operandTree(operand);
  return tree && { path: receiver, operator: operator as MethodTest["operator"], operand, tree };
}

/** Reads `list.exists(x, …)` or `list.all(x, …)` over a path. */
function loopOf({ name, receiver, args, span }: Of<"call">): Of<"quantifier"> | undefined {
  const [variable, tests] = args;
  const isLoop = (name === "exists" || name === "all") && args.length === 2;
  if (!isLoop || !receiver || !isPath(receiver) || variable?.kind !== "name" || !tests) return undefined;
  return { kind: "quantifier", quantifier: "some", list: receiver, variable: variable.name, tests, span };
}

/** Returns the path in `has(…)` or `[?…].hasValue()`. */
function presentPath({ name, receiver, args }: Of<"call">): Expression | undefined {
  const [argument] = args;
  if (name === "has" && !receiver && args.length === 1 && argument && isPath(argument)) return argument;
  if (name !== "hasValue" || receiver?.kind !== "index" || !receiver.optional) return undefined;
  const path: Expression = { ...receiver, optional: false };
  return isPath(path) ? path : undefined;
}

function testOf(
  path: Expression,
  operator: TestOperator,
  operand: Expression,
  tree: Tree,
): Extract<Candidate, { operand: Tree }> {
  return {
    node: { kind: "test", path, operator, operatorSpan: path.span, operand, span: path.span },
    operand: tree,
    terms: 1,
  };
}

function truthOf(value: boolean, { span }: Expression): Expression {
  return { kind: "literal", type: "bool", value, span };
}

/** Returns the text of a constant time, which needs no call in a test. */
function untimed(e: Expression): Expression {
  const isTime = e.kind === "call" && !e.receiver && (e.name === "timestamp" || e.name === "duration");
  const [text] = isTime ? e.args : [];
  return isTime && e.args.length === 1 && text?.kind === "literal" && text.type === "string" ? text : e;
}

/** Returns a literal, a list of literals, or a parameter or list of the policy; YAML allows nothing else beside a path. */
function operandTree(e: Expression): Tree | undefined {
  if (e.kind === "literal") {
    if (e.value === null || (typeof e.value === "number" && !Number.isFinite(e.value))) return undefined;
    return { kind: "value", value: e.value, ...(e.type === "double" && { double: true as const }) };
  }
  if (e.kind === "list") {
    const items = e.items.map(({ value, optional }) => (optional ? undefined : operandTree(value)));
    if (items.length === 0 || !items.every((item) => item?.kind === "value")) return undefined;
    return { kind: "list", items: items as Tree[] };
  }
  const isReference =
    e.kind === "member" && !e.optional && e.of.kind === "name" && (e.of.name === "parameters" || e.of.name === "lists");
  return isReference ? { kind: "reference", name: e.field } : undefined;
}

/** True for a path that may be the key of a test: names, fields and constant indices only. */
export function isPath(e: Expression): boolean {
  if (e.kind === "name") return true;
  if (e.kind === "member") return !e.optional && isPath(e.of);
  return e.kind === "index" && !e.optional && e.index.kind === "literal" && isPath(e.of);
}

/** Returns the key of a path, relative to the element if there is one. `""` is the element itself; undefined means no key. */
export function keyOf(path: Expression, element: string | undefined): string | undefined {
  if (element === undefined) return printExpression(path);
  if (path.kind === "name") return path.name === element ? "" : undefined;
  const relative = withoutElement(path, element);
  return relative && printExpression(relative);
}

function withoutElement(path: Expression, element: string): Expression | undefined {
  if (path.kind !== "member" && path.kind !== "index") return undefined;
  if (path.of.kind === "name") {
    if (path.of.name !== element || path.kind !== "member") return undefined;
    return { kind: "name", name: path.field, span: path.span };
  }
  const of = withoutElement(path.of, element);
  return of && { ...path, of };
}
