import type { Expression, TestOperator } from "./ast.ts";

/** How tightly a kind of expression binds, loosest first; CEL's precedence (language page section 3). */
const strength = { conditional: 0, or: 1, and: 2, relation: 3, sum: 4, product: 5, unary: 6, postfix: 7 } as const;
type Strength = (typeof strength)[keyof typeof strength];

const binaryStrengths: Readonly<Record<Extract<Expression, { kind: "binary" }>["operator"], Strength>> = {
  "||": strength.or,
  "&&": strength.and,
  "==": strength.relation,
  "!=": strength.relation,
  "<": strength.relation,
  "<=": strength.relation,
  ">": strength.relation,
  ">=": strength.relation,
  in: strength.relation,
  "+": strength.sum,
  "-": strength.sum,
  "*": strength.product,
  "/": strength.product,
  "%": strength.product,
};

/**
 * Spelling of each operator of a YAML test as an expression: between path and operand, as a method of the path with the operand
 * as argument, or as a function. `has` prints `present`, `size` compares `size(path)`.
 */
export const testSpellings: Readonly<
  Record<
    TestOperator,
    | { readonly infix: "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" }
    | { readonly method: string }
    | { readonly function: "has" | "size" }
  >
> = {
  equals: { infix: "==" },
  not_equals: { infix: "!=" },
  in: { infix: "in" },
  not_in: { infix: "not in" },
  contains: { method: "contains" },
  contains_any: { method: "containsAny" },
  contains_all: { method: "containsAll" },
  starts_with: { method: "startsWith" },
  ends_with: { method: "endsWith" },
  glob: { method: "glob" },
  matches: { method: "matches" },
  cidr: { method: "cidr" },
  host_in: { method: "hostIn" },
  lookalike_of: { method: "lookalikeOf" },
  is: { method: "is" },
  within: { method: "within" },
  has_option: { method: "has_option" },
  lt: { infix: "<" },
  le: { infix: "<=" },
  gt: { infix: ">" },
  ge: { infix: ">=" },
  present: { function: "has" },
  size: { function: "size" },
};

interface Printed {
  readonly text: string;
  readonly strength: Strength;
}

/**
 * Returns the canonical text of an expression, with no more parentheses than needed, as `fmt` and `explain` show it. Parsing it
 * gives the same AST apart from spans. Nodes of the YAML spelling print as the nearest expression: `logic` as `&&` and `||`,
 * `condition` as `conditions.name`, `quantifier` as a macro, `test` by `testSpellings`. An `error` prints as `<error>`, which no
 * parser accepts. Recurses as deep as the AST, whose depth the parser bounds.
 */
export function printExpression(expression: Expression): string {
  return print(expression).text;
}

/** Returns the text of `e`, in parentheses if it binds looser than `least`. */
function at(e: Expression, least: Strength): string {
  const { text, strength: own } = print(e);
  return own < least ? `(${text})` : text;
}

function print(e: Expression): Printed {
  switch (e.kind) {
    case "literal":
      return { text: literal(e), strength: strength.postfix };
    case "name":
      return { text: e.name, strength: strength.postfix };
    case "member":
      return { text: member(e), strength: strength.postfix };
    case "index":
      return {
        text: `${receiver(e.of)}[${e.optional ? "?" : ""}${printExpression(e.index)}]`,
        strength: strength.postfix,
      };
    case "call":
      return { text: call(e), strength: strength.postfix };
    case "unary":
      return { text: e.operator + operand(e.operator, e.operand), strength: strength.unary };
    case "binary":
      return infix(e.left, e.operator, e.right);
    case "conditional":
      return { text: conditional(e), strength: strength.conditional };
    case "list":
      return {
        text: `[${e.items.map((i) => mark(i.optional) + printExpression(i.value)).join(", ")}]`,
        strength: strength.postfix,
      };
    case "map":
      return { text: `{${e.entries.map(entry).join(", ")}}`, strength: strength.postfix };
    case "logic":
      return logic(e);
    case "test":
      return test(e);
    case "quantifier":
      return quantifier(e);
    case "condition":
      return { text: `conditions${fieldAccess(e.name, false)}`, strength: strength.postfix };
    case "error":
      return { text: "<error>", strength: strength.postfix };
  }
}

function mark(optional: boolean): string {
  return optional ? "?" : "";
}

/** Prints a binary operator. All are left-associative, so an equally strong right side needs parentheses. */
function infix(left: Expression, operator: keyof typeof binaryStrengths, right: Expression): Printed {
  const own = binaryStrengths[operator];
  return { text: `${at(left, own)} ${operator} ${at(right, (own + 1) as Strength)}`, strength: own };
}

/** Prints a prefix operator. `-1` is a literal, so the negation of an unsigned number keeps its parentheses. */
function operand(operator: "!" | "-", e: Expression): string {
  const text = at(e, strength.unary);
  return operator === "-" && /^[0-9.]/.test(text) ? `(${text})` : text;
}

/** Prints the value before a dot or bracket; a number gets parentheses for readability. */
function receiver(e: Expression): string {
  const isNumber = e.kind === "literal" && typeof e.value === "number";
  return isNumber ? `(${literal(e)})` : at(e, strength.postfix);
}

function member(e: Extract<Expression, { kind: "member" }>): string {
  return receiver(e.of) + fieldAccess(e.field, e.optional);
}

/** True for a field that backticks can quote after a dot (CEL's quoted identifiers). */
export function isQuotable(field: string): boolean {
  return /^[A-Za-z0-9_.\-/ ]+$/.test(field);
}

/** Prints the access to a field. A field that is no name gets backticks; a field that they cannot quote becomes an index. */
function fieldAccess(field: string, optional: boolean): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(field) && !["true", "false", "null", "in"].includes(field);
  if (plain) return `.${mark(optional)}${field}`;
  return isQuotable(field) ? `.${mark(optional)}\`${field}\`` : `[${mark(optional)}${quote(field)}]`;
}

function call(e: Extract<Expression, { kind: "call" }>): string {
  const name = e.receiver ? `${receiver(e.receiver)}.${e.name}` : e.name;
  return `${name}(${e.args.map(printExpression).join(", ")})`;
}

function conditional(e: Extract<Expression, { kind: "conditional" }>): string {
  return `${at(e.test, strength.or)} ? ${at(e.then, strength.or)} : ${printExpression(e.otherwise)}`;
}

function entry(e: Extract<Expression, { kind: "map" }>["entries"][number]): string {
  return `${mark(e.optional)}${printExpression(e.key)}: ${printExpression(e.value)}`;
}

function logic(e: Extract<Expression, { kind: "logic" }>): Printed {
  const [only, ...more] = e.terms;
  if (only === undefined) return { text: e.operator === "and" ? "true" : "false", strength: strength.postfix };
  if (more.length === 0) return print(only);
  const own = strength[e.operator];
  return { text: e.terms.map((term) => at(term, own)).join(e.operator === "and" ? " && " : " || "), strength: own };
}

function test(e: Extract<Expression, { kind: "test" }>): Printed {
  const spelling = testSpellings[e.operator];
  if ("method" in spelling) {
    return {
      text: `${receiver(e.path)}.${spelling.method}(${printExpression(e.operand)})`,
      strength: strength.postfix,
    };
  }
  if ("infix" in spelling) {
    if (spelling.infix !== "not in") return infix(e.path, spelling.infix, e.operand);
    return { text: `!(${infix(e.path, "in", e.operand).text})`, strength: strength.unary };
  }
  const of = `${spelling.function}(${printExpression(e.path)})`;
  if (e.operator === "present" && e.operand.kind === "literal" && typeof e.operand.value === "boolean") {
    return e.operand.value ? { text: of, strength: strength.postfix } : { text: `!${of}`, strength: strength.unary };
  }
  return { text: `${of} == ${at(e.operand, strength.sum)}`, strength: strength.relation };
}

function quantifier(e: Extract<Expression, { kind: "quantifier" }>): Printed {
  const macro = e.quantifier === "every" ? "all" : "exists";
  const text = `${receiver(e.list)}.${macro}(${e.variable}, ${printExpression(e.tests)})`;
  return e.quantifier === "none"
    ? { text: `!${text}`, strength: strength.unary }
    : { text, strength: strength.postfix };
}

function literal(e: Extract<Expression, { kind: "literal" }>): string {
  if (typeof e.value === "string") return quote(e.value);
  if (typeof e.value !== "number") return String(e.value);
  if (e.type === "int") return String(e.value);
  if (!Number.isFinite(e.value)) return `double("${e.value}")`;
  const text = Object.is(e.value, -0) ? "-0" : String(e.value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Characters printed as escapes: they are invisible or would repaint a terminal. */
const unseen = /[\u0000-\u001f\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const namedEscapes: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Returns a string literal: raw if that saves backslashes, otherwise in the quotes that need no escape. */
function quote(value: string): string {
  const delimiter = value.includes('"') && !value.includes("'") ? "'" : '"';
  const isRaw = value.includes("\\") && !value.includes(delimiter) && value.search(unseen) < 0;
  if (isRaw) return `r${delimiter}${value}${delimiter}`;
  const escaped = value.replaceAll("\\", "\\\\").replaceAll(delimiter, `\\${delimiter}`).replace(unseen, escapeOf);
  return delimiter + escaped + delimiter;
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16);
  return (
    namedEscapes.get(character) ?? (code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`)
  );
}

/** True if two expressions are equal apart from spans. Recurses as deep as the AST. */
export function sameExpression(a: Expression, b: Expression): boolean {
  return sameValue(a, b);
}

const spanKeys: ReadonlySet<string> = new Set(["span", "fieldSpan", "nameSpan", "operatorSpan"]);

function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  const [left, right] = [content(a), content(b)];
  return (
    left.size === right.size && [...left].every(([key, value]) => right.has(key) && sameValue(value, right.get(key)))
  );
}

function content(node: object): Map<string, unknown> {
  return new Map(Object.entries(node).filter(([key, value]) => !spanKeys.has(key) && value !== undefined));
}
