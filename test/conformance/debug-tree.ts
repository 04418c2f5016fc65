import type { Expression } from "../../rules/ast.ts";

/**
 * An expression as cel-go's `ToDebugString` writes it, macros expanded, without white space: what the data set gives as
 * the tree of a case. Only for the subset.
 */
export function debugTree(e: Expression): string {
  switch (e.kind) {
    case "literal":
      return literal(e);
    case "name":
      return ident(e.name);
    case "member":
      return e.optional
        ? call("_?._", [debugTree(e.of), text(e.field)])
        : `${debugTree(e.of)}.${e.field}^#*expr.Expr_SelectExpr#`;
    case "index":
      return call(e.optional ? "_[?_]" : "_[_]", [debugTree(e.of), debugTree(e.index)]);
    case "call":
      return macro(e) ?? method(e);
    case "unary":
      return call(`${e.operator}_`, [debugTree(e.operand)]);
    case "binary":
      return binary(e);
    case "conditional":
      return call("_?_:_", [debugTree(e.test), debugTree(e.then), debugTree(e.otherwise)]);
    case "list":
      return list(e.items.map(({ value, optional }) => `${optional ? "?" : ""}${debugTree(value)}`));
    case "map":
      return `{${e.entries.map(entry).join(",")}}^#*expr.Expr_StructExpr#`;
    default:
      return `<${e.kind}>`;
  }
}

/** The tree of the data set, to be compared with `debugTree`. */
export function withoutSpace(tree: string): string {
  return tree.replace(/\s+/g, "");
}

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

const ident = (name: string): string => `${name}^#*expr.Expr_IdentExpr#`;
const call = (name: string, args: readonly string[]): string => `${name}(${args.join(",")})^#*expr.Expr_CallExpr#`;
const list = (items: readonly string[]): string => `[${items.join(",")}]^#*expr.Expr_ListExpr#`;
const int = (value: number): string => `${value}^#*expr.Constant_Int64Value#`;
const boolean = (value: boolean): string => `${value}^#*expr.Constant_BoolValue#`;

const kinds = { null: "Null", bool: "Bool", int: "Int64", double: "Double", string: "String" } as const;

function literal({ type, value }: Of<"literal">): string {
  return typeof value === "string" ? text(value) : `${value}^#*expr.Constant_${kinds[type]}Value#`;
}

const escapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

function text(value: string): string {
  const quoted = Array.from(value, (c) => escapes[c] ?? c).join("");
  return `"${withoutSpace(quoted)}"^#*expr.Constant_StringValue#`;
}

function entry({ key, value, optional }: Of<"map">["entries"][number]): string {
  return `${optional ? "?" : ""}${debugTree(key)}:${debugTree(value)}^#*expr.Expr_CreateStruct_Entry#`;
}

function method({ name, receiver, args }: Of<"call">): string {
  const before = receiver ? `${debugTree(receiver)}.` : "";
  return `${before}${call(name, args.map(debugTree))}`;
}

function binary(e: Of<"binary">): string {
  if (e.operator === "&&" || e.operator === "||") return balanced(`_${e.operator}_`, chain(e, e.operator));
  return call(e.operator === "in" ? "@in" : `_${e.operator}_`, [debugTree(e.left), debugTree(e.right)]);
}

/** Terms of a chain of one operator; the right side is a chain of its own only in parentheses. */
function chain(e: Expression, operator: string): readonly string[] {
  return e.kind === "binary" && e.operator === operator
    ? [...chain(e.left, operator), debugTree(e.right)]
    : [debugTree(e)];
}

/** cel-go balances chains of `&&` and `||`, with the larger half on the left. */
function balanced(name: string, terms: readonly string[]): string {
  if (terms.length === 1) return terms[0] as string;
  const middle = Math.ceil(terms.length / 2);
  return call(name, [balanced(name, terms.slice(0, middle)), balanced(name, terms.slice(middle))]);
}

const result = ident("@result");

/** The parts of a comprehension by macro. */
function macro({ name, receiver, args }: Of<"call">): string | undefined {
  const [first, second, third] = args;
  if (!receiver && name === "has" && args.length === 1 && first?.kind === "member")
    return `${debugTree(first.of)}.${first.field}~test-only~^#*expr.Expr_SelectExpr#`;
  if (!receiver || first?.kind !== "name" || !second || args.length > 3) return undefined;
  const body = debugTree(third ?? second);
  const strictly = (of: string): string => call("@not_strictly_false", [of]);
  const added = (item: string): string => call("_+_", [result, list([item])]);
  const kept = (test: string, then: string): string => call("_?_:_", [test, then, result]);
  const loop = (init: string, condition: string, step: string, end = result): string =>
    `__comprehension__(//Variable${first.name},//Target${debugTree(receiver)},//Accumulator@result,//Init${init},` +
    `//LoopCondition${condition},//LoopStep${step},//Result${end})^#*expr.Expr_ComprehensionExpr#`;
  if (third) return name === "map" ? loop(list([]), boolean(true), kept(debugTree(second), added(body))) : undefined;
  switch (name) {
    case "all":
      return loop(boolean(true), strictly(result), call("_&&_", [result, body]));
    case "exists":
      return loop(boolean(false), strictly(call("!_", [result])), call("_||_", [result, body]));
    case "exists_one":
    case "existsOne":
      return loop(int(0), boolean(true), kept(body, call("_+_", [result, int(1)])), call("_==_", [result, int(1)]));
    case "map":
      return loop(list([]), boolean(true), added(body));
    case "filter":
      return loop(list([]), boolean(true), kept(body, added(ident(first.name))));
    default:
      return undefined;
  }
}
