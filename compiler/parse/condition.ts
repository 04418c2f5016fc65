import type { Code } from "../../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { oddLetter } from "../../diagnostics/odd-letters.ts";
import { ownWord } from "../../diagnostics/other-words.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { didYouMean, suggest } from "../../diagnostics/suggest.ts";
import { type Expression, type TestOperator, testOperators } from "../../rules/ast.ts";
import { limits } from "../../schema/limits.ts";
import { scalarSource, type YamlEntry, type YamlMap, type YamlNode, type YamlScalar } from "../yaml-node.ts";
import { parseExpression } from "./expression.ts";
import { reservedWords } from "./habits.ts";
import { isRuleKey, keyHelp, operatorHelp, ruleKeyHelp } from "./test-help.ts";

/** Names that `$name` may refer to in one policy file. */
export interface References {
  readonly parameters: ReadonlySet<string>;
  readonly lists: ReadonlySet<string>;
  readonly conditions: ReadonlySet<string>;
}

/** The AST of a condition, usable even with errors: each wrong part is an error node with a diagnostic. */
export interface ConditionResult {
  readonly expression: Expression;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses the YAML spelling of a condition to its AST (language section 2). A mapping is tests joined by AND; `all`, `any`, `not`,
 * `some`, `every`, `none` combine tests; `expr` and plain strings are expressions; `$name` is a reference. Total: wrong parts
 * become error nodes with a diagnostic.
 */
export function parseCondition(source: Source, node: YamlNode, references: References): ConditionResult {
  const parser = new ConditionParser(source, references);
  const expression = parser.condition(node, undefined);
  return { expression, diagnostics: parser.diagnostics };
}

/** Parses an expression in a YAML string and diagnoses the traps of plain scalars (language section 2). */
export function parseScalarExpression(source: Source, node: YamlScalar): ConditionResult {
  const trap = plainScalarTrap(source, node);
  if (trap) return { expression: { kind: "error", span: node.span }, diagnostics: [trap] };
  return parseExpression(scalarSource(source, node));
}

/** Diagnoses a plain scalar that YAML cut short, or a folded one whose `//` comment hides the lines after it. */
function plainScalarTrap(source: Source, node: YamlScalar): Diagnostic | undefined {
  const help = "quote it, or write it after `|`";
  if (node.style === "plain") {
    const rest = /^[ \t]+#[^\n]*/.exec(source.text.slice(node.span.end, node.span.end + 400));
    if (!rest || !isCutShort(String(node.value))) return undefined;
    const span = { start: node.span.end + rest[0].indexOf("#"), end: node.span.end + rest[0].length };
    return diagnostic(
      "HW011",
      source,
      span,
      "YAML takes ` #` as the start of a comment, so the expression ends before it",
      help,
    );
  }
  const comment = node.style === "folded" ? /(?<=^|[^:"'])\/\//.exec(String(node.value)) : null;
  if (!comment) return undefined;
  const span = scalarSource(source, node).toFile({ start: comment.index, end: comment.index + 2 });
  const message = "a `//` comment in a folded scalar swallows the lines after it";
  return diagnostic("HW011", source, span, message, "use `|` in place of `>`");
}

/** True for an expression that ends behind an operator or within a string. */
function isCutShort(text: string): boolean {
  if (/[&|=<>!(+\-*/%,]\s*$/.test(text)) return true;
  return /["']/.test(text.slice(0, limits.expressionLength).replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, ""));
}

const combinators = ["all", "any", "not", "expr", "some", "every", "none"] as const;
const operatorNames: ReadonlySet<string> = new Set(testOperators);

class ConditionParser {
  readonly diagnostics: Diagnostic[] = [];
  readonly #source: Source;
  readonly #references: References;
  #quantifiers = 0;

  constructor(source: Source, references: References) {
    this.#source = source;
    this.#references = references;
  }

  /** `element` is the variable that relative paths of a quantifier start from. */
  condition(node: YamlNode, element: Expression | undefined): Expression {
    if (node.kind === "map") return this.#mapping(node, element);
    if (node.kind === "list")
      return this.#refuse("HW102", node.span, "a condition cannot be a list", "put the list under `all:` or `any:`");
    if (typeof node.value === "boolean") return { kind: "literal", type: "bool", value: node.value, span: node.span };
    if (typeof node.value !== "string")
      return this.#refuse(
        "HW102",
        node.span,
        "a condition must be tests or an expression",
        "write `path: value`, or an expression in quotes",
      );
    if (isReference(node.value)) return this.#reference(node, node.value.slice(1));
    const { expression, diagnostics } = parseScalarExpression(this.#source, node);
    this.diagnostics.push(...diagnostics);
    return expression;
  }

  #refuse(code: Code, span: Span, message: string, help: string): Expression {
    this.diagnostics.push(diagnostic(code, this.#source, span, message, help));
    return { kind: "error", span };
  }

  #mapping(node: YamlMap, element: Expression | undefined): Expression {
    if (node.entries.length === 0)
      return this.#refuse(
        "HW104",
        node.span,
        "a condition without tests would always hold",
        "leave the key out, or write a test",
      );
    const terms = node.entries.map((entry) => this.#entry(entry, element));
    return terms.length === 1 ? (terms[0] as Expression) : { kind: "logic", operator: "and", terms, span: node.span };
  }

  #entry(entry: YamlEntry, element: Expression | undefined): Expression {
    const span = { start: entry.keySpan.start, end: Math.max(entry.keySpan.end, entry.value.span.end) };
    switch (entry.key) {
      case "all":
      case "any":
        return this.#terms(entry, entry.key === "all" ? "and" : "or", element, span);
      case "not":
        return { kind: "unary", operator: "!", operand: this.condition(entry.value, element), span };
      case "expr":
        if (entry.value.kind === "scalar" && typeof entry.value.value === "string")
          return this.condition({ ...entry.value }, element);
        return this.#refuse(
          "HW102",
          entry.value.span,
          "`expr` must be an expression",
          "write it in quotes, or after `|`",
        );
      case "some":
      case "every":
      case "none":
        return this.#quantifier(entry, entry.key, element, span);
    }
    if (element && operatorNames.has(entry.key)) return this.#operator(element, entry, span);
    return this.#tests(entry, this.#path(entry, element), span);
  }

  #terms(entry: YamlEntry, operator: "and" | "or", element: Expression | undefined, span: Span): Expression {
    if (entry.value.kind !== "list")
      return this.#refuse(
        "HW102",
        entry.value.span,
        `\`${entry.key}\` must be a list of conditions`,
        "start each condition with `- `",
      );
    if (entry.value.items.length === 0)
      return this.#refuse(
        "HW104",
        entry.value.span,
        `an empty \`${entry.key}\` says nothing`,
        "write a condition, or leave it out",
      );
    return { kind: "logic", operator, terms: entry.value.items.map((item) => this.condition(item, element)), span };
  }

  #quantifier(
    entry: YamlEntry,
    quantifier: "some" | "every" | "none",
    element: Expression | undefined,
    span: Span,
  ): Expression {
    const inner = entry.value.kind === "map" && entry.value.entries.length === 1 ? entry.value.entries[0] : undefined;
    if (!inner)
      return this.#refuse(
        "HW102",
        entry.value.span,
        `\`${quantifier}\` must name one list and its tests`,
        `write \`${quantifier}: { effects.reads: { path: … } }\``,
      );
    const variable = `element${this.#quantifiers++}`;
    const bound: Expression = { kind: "name", name: variable, span: inner.keySpan };
    const list = this.#path(inner, element);
    const tests = this.condition(inner.value, bound);
    return { kind: "quantifier", quantifier, list, variable, tests, span };
  }

  /** Parses the key of a test as a path of names and fields, which is relative to the element inside a quantifier. */
  #path(entry: YamlEntry, element: Expression | undefined): Expression {
    const at = this.#keyText(entry);
    if (!element && isRuleKey(entry))
      return this.#refuse(
        "HW101",
        entry.keySpan,
        `\`${entry.key}\` is a key of a rule and no test`,
        ruleKeyHelp(entry.key),
      );
    const word = isListOfTests(entry.value) ? ownWord(entry.key, combinators) : undefined;
    if (word !== undefined)
      return this.#refuse("HW101", entry.keySpan, `no combinator \`${entry.key}\``, `did you mean \`${word}\`?`);
    const expression = plainPath(entry.key, at) ?? this.#parsedPath(entry.key, at);
    if (expression) return element ? rebase(expression, element) : expression;
    const odd = oddLetter(entry.key);
    if (odd) return this.#refuse("HW101", entry.keySpan, `\`${entry.key}\` is no path of a test`, odd.said);
    const near = suggest(entry.key, [...combinators, ...(element ? testOperators : [])]);
    const meant = keyHelp(entry.key, entry.value);
    if (meant !== undefined)
      return this.#refuse("HW101", entry.keySpan, `\`${entry.key}\` is no path of a test`, meant);
    const help =
      near === undefined
        ? "write a path such as `args.command`, or put an expression under `expr:`"
        : `did you mean \`${near}\`?`;
    return this.#refuse("HW101", entry.keySpan, `\`${entry.key}\` is not a path or a combinator`, help);
  }

  /** Parses a path with more than names and dots, such as an index, with the expression parser. */
  #parsedPath(key: string, outer: Span): Expression | undefined {
    const inner = this.#source.embed(key, [{ inner: { start: 0, end: key.length }, outer }]);
    const { expression, diagnostics } = parseExpression(inner);
    return diagnostics.length === 0 && isPath(expression) ? expression : undefined;
  }

  /** Returns the span of a key without its quotes. */
  #keyText(entry: YamlEntry): Span {
    const quoted = entry.keySpan.end - entry.keySpan.start === entry.key.length + 2 ? 1 : 0;
    return { start: entry.keySpan.start + quoted, end: entry.keySpan.end - quoted };
  }

  #tests(entry: YamlEntry, path: Expression, span: Span): Expression {
    const { value } = entry;
    if (value.kind !== "map")
      return {
        kind: "test",
        path,
        operator: "equals",
        operatorSpan: entry.keySpan,
        operand: this.#operand(value),
        span,
      };
    if (value.entries.length === 0)
      return this.#refuse(
        "HW104",
        value.span,
        `no test for \`${entry.key}\``,
        `write an operator: ${testOperators.slice(0, 6).join(", ")}, …`,
      );
    const terms = value.entries.map((operator) =>
      this.#operator(path, operator, { start: operator.keySpan.start, end: operator.value.span.end }),
    );
    return terms.length === 1 ? { ...(terms[0] as Expression), span } : { kind: "logic", operator: "and", terms, span };
  }

  #operator(path: Expression, entry: YamlEntry, span: Span): Expression {
    if (entry.key === "not")
      return { kind: "unary", operator: "!", operand: this.#tests({ ...entry }, path, span), span };
    // The path is told already, and then its tests are not read.
    if (path.kind === "error") return path;
    if (!operatorNames.has(entry.key))
      return this.#refuse(
        "HW105",
        entry.keySpan,
        `unknown operator \`${entry.key}\``,
        operatorHelp(entry, this.#textOf(path)),
      );
    return {
      kind: "test",
      path,
      operator: entry.key as TestOperator,
      operatorSpan: entry.keySpan,
      operand: this.#operand(entry.value),
      span,
    };
  }

  #textOf({ span }: Expression): string {
    return this.#source.text.slice(span.start, Math.min(span.end, span.start + 80));
  }

  /** Parses an operand: a literal, a list of literals, a `$reference`, or a nested mapping of comparisons (for `size`). */
  #operand(node: YamlNode): Expression {
    if (node.kind === "list")
      return {
        kind: "list",
        items: node.items.map((item) => ({ value: this.#operand(item), optional: false })),
        span: node.span,
      };
    if (node.kind === "map") {
      const entries = node.entries.map((e) => ({
        key: literal(e.key, e.keySpan),
        value: this.#operand(e.value),
        optional: false,
      }));
      return { kind: "map", entries, span: node.span };
    }
    const { value, span } = node;
    if (value === null) {
      const isTilde = this.#source.text.slice(span.start, span.end) === "~";
      const help = isTilde
        ? 'YAML takes `~` as no value: write `"~"`'
        : "write the value; to test for presence write `{ present: true }`";
      return this.#refuse("HW102", span, "a test needs a value", help);
    }
    if (typeof value === "string") {
      if (isReference(value)) return this.#reference(node, value.slice(1));
      return literal(value.startsWith("$$") ? value.slice(1) : value, span);
    }
    if (typeof value === "boolean") return { kind: "literal", type: "bool", value, span };
    const isInt = Number.isSafeInteger(value) && !/[.eE]/.test(this.#source.text.slice(span.start, span.end));
    return { kind: "literal", type: isInt ? "int" : "double", value, span };
  }

  #reference(node: YamlScalar, name: string): Expression {
    const { parameters, lists, conditions } = this.#references;
    const { span } = node;
    if (conditions.has(name)) return { kind: "condition", name, span };
    const root = parameters.has(name) ? "parameters" : lists.has(name) ? "lists" : undefined;
    if (root)
      return {
        kind: "member",
        of: { kind: "name", name: root, span },
        field: name,
        fieldSpan: span,
        optional: false,
        span,
      };
    const known = [...parameters, ...lists, ...conditions].map((k) => `$${k}`);
    const help =
      known.length > 0
        ? didYouMean(`$${name}`, known)
        : "define it under `parameters`, `lists` or `conditions`; a literal leading dollar is `$$`";
    return this.#refuse("HW404", span, `\`$${name}\` is not a parameter, list or condition of this policy`, help);
  }
}

/** True for a text that is exactly one `$name`. */
function isReference(value: string): boolean {
  return /^\$[A-Za-z_][A-Za-z0-9_]*$/.test(value);
}

function literal(value: string, span: Span): Expression {
  return { kind: "literal", type: "string", value, span };
}

const notNames: ReadonlySet<string> = new Set(["true", "false", "null", "in"]);

/** Parses names joined by dots, as nearly all keys are, without the expression parser; undefined for any other key. */
function plainPath(key: string, { start, end }: Span): Expression | undefined {
  if (end - start !== key.length || !/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(key)) return undefined;
  const names = key.split(".");
  if (names.length > limits.expressionDepth || names.some((name) => notNames.has(name))) return undefined;
  if (reservedWords.has(names[0] as string)) return undefined;
  let at = start;
  let path: Expression | undefined;
  for (const name of names) {
    const fieldSpan = { start: at, end: at + name.length };
    at += name.length + 1;
    path = path
      ? { kind: "member", of: path, field: name, fieldSpan, optional: false, span: { start, end: fieldSpan.end } }
      : { kind: "name", name, span: fieldSpan };
  }
  return path;
}

function isPath(expression: Expression): boolean {
  if (expression.kind === "name") return true;
  if (expression.kind === "member") return isPath(expression.of);
  return expression.kind === "index" && expression.index.kind === "literal" && isPath(expression.of);
}

/** Returns a path whose first name is a field of the element. */
function rebase(path: Expression, element: Expression): Expression {
  if (path.kind === "name")
    return { kind: "member", of: element, field: path.name, fieldSpan: path.span, optional: false, span: path.span };
  if (path.kind === "member" || path.kind === "index") return { ...path, of: rebase(path.of, element) };
  return path;
}

/** True for a list of conditions, which only combinators accept, because no path is compared with a mapping. */
function isListOfTests(value: YamlNode): boolean {
  return value.kind === "list" && value.items.some((item) => item.kind === "map");
}
