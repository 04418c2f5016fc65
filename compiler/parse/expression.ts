import type { ILexingError } from "chevrotain";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { visible } from "../../diagnostics/render.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { spend } from "../../facts/meter.ts";
import type { Expression } from "../../rules/ast.ts";
import { limits } from "../../schema/limits.ts";
import { buildExpression } from "./build.ts";
import { isDeeperThan } from "./depth.ts";
import { parseEngine } from "./grammar.ts";
import type { Grouped } from "./groups.ts";
import { groupTokens, spanOf } from "./groups.ts";
import { strayCharacterHelp } from "./habits.ts";
import { namePath } from "./name-path.ts";
import { Reporter } from "./reporter.ts";
import { describe } from "./syntax-errors.ts";

/** Result of parsing a text: always an expression, with `error` nodes where the text was wrong. */
export interface ParsedExpression {
  readonly expression: Expression;
  /** HW201–HW204, in the order of the text. A text with an error must not be used. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Parses `source`, or `span` of it, as an expression of the CEL subset (language page section 3). Total: any text gives a result,
 * in linear time and bounded depth. All spans of the result are in the author's file. For a clear spelling of another language
 * (`===`, `and`), the tree has the intended meaning, in addition to the error.
 */
export function parseExpression(source: Source, span: Span = { start: 0, end: source.text.length }): ParsedExpression {
  const text = source.text.slice(span.start, span.end);
  spend(20 + text.length * 2);
  const reporter = new Reporter(source, span.start);
  const whole = { start: 0, end: text.length };
  const expression = parse(text, whole, reporter);
  return {
    expression: expression ?? { kind: "error", span: reporter.toFile(whole) },
    diagnostics: reporter.diagnostics,
  };
}

function parse(text: string, whole: Span, reporter: Reporter): Expression | undefined {
  if (text.length > limits.expressionLength) {
    const message = `expression of ${text.length} characters, at most ${limits.expressionLength}`;
    reporter.report("HW203", whole, message, "move long lists to `lists`, and parts to `conditions`");
    return undefined;
  }
  const path = namePath(text, reporter);
  if (path) return path;
  const { tokens, errors } = parseEngine().lexer.tokenize(text);
  for (const error of errors) reportStray(error, text, reporter);
  if (tokens.length === 0) {
    if (errors.length === 0)
      reporter.report("HW201", whole, "expression is empty", 'write a condition, e.g. `tool.name == "bash"`');
    return undefined;
  }
  const grouped = groupTokens(tokens, limits.expressionDepth);
  if (grouped.tooDeep) {
    reportDepth(spanOf(grouped.tooDeep), reporter);
    return undefined;
  }
  reportBrackets(grouped, reporter);
  const expression = buildExpression(grouped.root, reporter);
  if (!isDeeperThan(expression, limits.expressionDepth)) return expression;
  reportDepth(whole, reporter);
  return undefined;
}

function reportDepth(span: Span, reporter: Reporter): void {
  const message = `expression nested deeper than ${limits.expressionDepth} levels`;
  reporter.report("HW203", span, message, "use `in` with a list for long chains, and name parts under `conditions`");
}

function reportBrackets(grouped: Grouped, reporter: Reporter): void {
  for (const token of grouped.unclosed) {
    reporter.report("HW201", spanOf(token), `${describe(token)} is never closed`, `add \`${closerOf(token.image)}\``);
  }
  for (const { token, open } of grouped.unopened) {
    if (open) {
      const message = `${describe(token)} does not close ${describe(open)}`;
      reporter.report("HW201", spanOf(token), message, `write \`${closerOf(open.image)}\``);
    } else {
      reporter.report("HW201", spanOf(token), `${describe(token)} closes nothing`, "remove it, or open it before");
    }
  }
}

function closerOf(opener: string): string {
  return opener === "(" ? ")" : opener === "[" ? "]" : "}";
}

function reportStray(error: ILexingError, text: string, reporter: Reporter): void {
  const character = String.fromCodePoint(text.codePointAt(error.offset) as number);
  const span = { start: error.offset, end: error.offset + error.length };
  reporter.reportStray(span, `\`${shown(character)}\` cannot stand here`, strayCharacterHelp(character));
}

/** Returns a character as messages show it; an invisible one as its code point. */
function shown(character: string): string {
  const escaped = visible(character);
  return escaped.trim() === "" ? `\\u{${(character.codePointAt(0) as number).toString(16)}}` : escaped;
}
