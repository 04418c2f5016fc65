import { type Expression, testOperators } from "../../rules/ast.ts";
import { sameExpression } from "../../rules/print.ts";
import { chain, joined } from "./expression-text.ts";
import { negatedScope, type Scope, scopeWith, typeOf } from "./scope.ts";
import { spellQuantifier, spellTest } from "./spell-out.ts";
import { type Candidate, candidatesFor, keyOf } from "./test-candidates.ts";
import { conditionWords } from "./test-operators.ts";
import type { Tree } from "./yaml-text.ts";

/** Context of an expression: the element that keys are relative to, and names that no expression leaf may use. */
interface Context {
  readonly scope: Scope;
  readonly element: string | undefined;
  readonly bound: ReadonlySet<string>;
}

/** Terms joined by AND: terms with a key may share a mapping. */
type Part =
  | { readonly kind: "test"; readonly key: string; readonly operator: string; readonly operand: Tree }
  | { readonly kind: "entry"; readonly key: string; readonly value: Tree }
  | { readonly kind: "item"; readonly value: Tree }
  | { readonly kind: "leaf"; readonly expression: Expression };

/**
 * Converts an expression to YAML tests if they mean exactly the same: each test is expanded again and compared with its
 * terms. The rest stays an expression beside the tests. Undefined if not one test is possible.
 */
export function say(expression: Expression, scope: Scope): Tree | undefined {
  const parts = partsOf(regular(expression), { scope, element: undefined, bound: new Set() });
  return parts && isSaid(parts) ? treeOf(parts) : undefined;
}

/** Normalizes spellings that lower to the same IR: chains are joined from the left, and `size(x)` becomes `x.size()`. */
function regular(expression: Expression): Expression {
  const part = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(part);
    if (typeof value !== "object" || value === null) return value;
    const made = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, part(inner)]));
    const node = made as unknown as Expression;
    if (node.kind === "binary" && (node.operator === "&&" || node.operator === "||"))
      return joined([node], node.operator);
    const [of] =
      node.kind === "call" && node.name === "size" && !node.receiver && node.args.length === 1 ? node.args : [];
    return of ? { ...node, receiver: of, args: [] } : made;
  };
  return part(expression) as Expression;
}

function isSaid(parts: readonly Part[]): boolean {
  return parts.some((part) => part.kind !== "leaf");
}

/** Returns the parts of a conjunction; undefined if one can be neither a test nor an expression. */
function partsOf(expression: Expression, context: Context): Part[] | undefined {
  const terms = chain(expression, "&&");
  const parts: Part[] = [];
  for (let at = 0; at < terms.length; ) {
    const matched = matchAt(terms, at, context);
    if (matched) parts.push(matched.part);
    else {
      const part = combined(terms[at] as Expression, context) ?? leafOf(terms[at] as Expression, context);
      if (!part) return undefined;
      parts.push(part);
    }
    at += matched?.terms ?? 1;
  }
  return withJoinedLeaves(parts);
}

/** Maximum guards of one test: as many as a path has parts. */
const mostGuards = 8;

function matchAt(
  terms: readonly Expression[],
  at: number,
  context: Context,
): { part: Part; terms: number } | undefined {
  for (let core = Math.min(at + mostGuards, terms.length - 1); core >= at; core--) {
    for (const candidate of candidatesFor(terms.slice(core, core + mostGuards))) {
      const spelled =
        candidate.node.kind === "test"
          ? spellTest(candidate.node, context.scope)
          : spellQuantifier(candidate.node, context.scope);
      if (!spelled || spelled.length !== core - at + candidate.terms) continue;
      if (!spelled.every((term, i) => sameExpression(term, terms[at + i] as Expression))) continue;
      const part = "operand" in candidate ? testPart(candidate, context) : quantifierPart(candidate.node, context);
      if (part) return { part, terms: spelled.length };
    }
  }
  return undefined;
}

const operatorNames: ReadonlySet<string> = new Set(testOperators);

function testPart({ node, operand }: Extract<Candidate, { operand: Tree }>, context: Context): Part | undefined {
  const key = keyOf(node.path, context.element);
  if (key === undefined || conditionWords.has(key) || (context.element !== undefined && operatorNames.has(key)))
    return undefined;
  return key === ""
    ? { kind: "entry", key: node.operator, value: operand }
    : { kind: "test", key, operator: node.operator, operand };
}

function quantifierPart(node: Extract<Expression, { kind: "quantifier" }>, context: Context): Part | undefined {
  const key = keyOf(node.list, context.element);
  if (key === undefined || key === "") return undefined;
  const over = typeOf(node.list, context.scope);
  const element = over.kind === "list" ? over.element : over.kind === "map" ? over.key : over;
  const outer = node.quantifier === "none" ? negatedScope(context.scope) : context.scope;
  const inner: Context = {
    scope: scopeWith(outer, node.variable, element),
    element: node.variable,
    bound: new Set([...context.bound, node.variable]),
  };
  const parts = partsOf(node.tests, inner);
  if (!parts || !isSaid(parts)) return undefined;
  const value: Tree = { kind: "map", entries: [[key, treeOf(parts)]] };
  return { kind: "entry", key: node.quantifier, value };
}

/** Converts named conditions, constants, and negations and alternatives of convertible terms. */
function combined(term: Expression, context: Context): Part | undefined {
  if (term.kind === "literal" && typeof term.value === "boolean")
    return { kind: "item", value: { kind: "value", value: term.value } };
  if (term.kind === "member" && term.of.kind === "name" && term.of.name === "conditions")
    return { kind: "item", value: { kind: "reference", name: term.field } };
  if (term.kind === "unary" && term.operator === "!") {
    const parts = partsOf(term.operand, { ...context, scope: negatedScope(context.scope) });
    return parts && isSaid(parts) ? { kind: "entry", key: "not", value: treeOf(parts) } : undefined;
  }
  if (term.kind !== "binary" || term.operator !== "||") return undefined;
  const alternatives = chain(term, "||").map((each) => partsOf(each, context));
  if (!alternatives.every((parts) => parts !== undefined) || !alternatives.some((parts) => isSaid(parts as Part[])))
    return undefined;
  const items = (alternatives as Part[][]).map((parts) => treeOf(parts));
  return { kind: "entry", key: "any", value: { kind: "list", items } };
}

function leafOf(expression: Expression, { bound }: Context): Part | undefined {
  return bound.size > 0 && mentions(expression, bound) ? undefined : { kind: "leaf", expression };
}

function mentions(value: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => mentions(item, names));
  if (typeof value !== "object" || value === null) return false;
  const node = value as { readonly kind?: string; readonly name?: string };
  if (node.kind === "name" && node.name !== undefined && names.has(node.name)) return true;
  return Object.values(value).some((part) => mentions(part, names));
}

function withJoinedLeaves(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.kind === "leaf" && last?.kind === "leaf")
      result[result.length - 1] = { kind: "leaf", expression: joined([last.expression, part.expression], "&&") };
    else result.push(part);
  }
  return result;
}

/** Returns parts as one condition: a mapping if keys differ, else `all`. */
function treeOf(parts: readonly Part[]): Tree {
  const [first] = parts;
  if (parts.length === 1 && first?.kind === "leaf") return { kind: "expression", expression: first.expression };
  const items: Tree[] = [];
  let open: Map<string, Tree | Map<string, Tree>> = new Map();
  let lastKey: string | undefined;
  const close = (): void => {
    if (open.size > 0) items.push({ kind: "map", entries: [...open].map(([key, value]) => [key, settled(value)]) });
    open = new Map();
    lastKey = undefined;
  };
  const single =
    parts.filter((part) => part.kind === "leaf").length === 1 && parts.every((part) => part.kind !== "item");
  for (const part of parts) {
    if (part.kind === "item" || (part.kind === "leaf" && !single)) {
      close();
      items.push(part.kind === "item" ? part.value : { kind: "expression", expression: part.expression });
      continue;
    }
    const key = part.kind === "leaf" ? "expr" : part.key;
    const held = open.get(key);
    if (part.kind === "test" && held instanceof Map && lastKey === key && !held.has(part.operator)) {
      held.set(part.operator, part.operand);
      continue;
    }
    if (held) close();
    if (part.kind === "test") open.set(key, new Map([[part.operator, part.operand]]));
    else open.set(key, part.kind === "leaf" ? { kind: "expression", expression: part.expression } : part.value);
    lastKey = key;
  }
  close();
  const [only] = items;
  if (items.length === 1 && only) return only;
  return { kind: "map", entries: [["all", { kind: "list", items }]] };
}

/** Returns the tests of one path: a plain value for `equals`, a plain list for `in`, else operators. */
function settled(value: Tree | Map<string, Tree>): Tree {
  if (!(value instanceof Map)) return value;
  const [[operator, operand]] = [...value] as [[string, Tree]];
  if (value.size === 1 && operator === "equals" && operand.kind === "value") return operand;
  if (value.size === 1 && operator === "in" && operand.kind === "list") return operand;
  return { kind: "map", entries: [...value] };
}
