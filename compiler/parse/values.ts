import type { IToken } from "chevrotain";
import type { Expression } from "../../rules/ast.ts";
import { spanOf } from "./groups.ts";
import type { LiteralFault } from "./literals.ts";
import { readNumber, readString } from "./literals.ts";
import type { Reporter } from "./reporter.ts";
import { describe } from "./syntax-errors.ts";
import * as t from "./tokens.ts";

type Distribute<E> = E extends unknown ? Omit<E, "span"> : never;
/** An expression without its span. */
export type Shape = Distribute<Expression>;

const wrong: Shape = { kind: "error" };

/** Returns the number of a token, negated after a minus (`negative`). Faults are reported. */
export function numberValue(token: IToken, negative: boolean, reporter: Reporter): Shape {
  const read = readNumber(token.image, negative);
  if (!("code" in read)) return { kind: "literal", type: read.type, value: read.value };
  reportFault(read, token, reporter);
  return wrong;
}

/** Returns the value of a token of the category `Literal`. A literal outside the subset is reported and becomes an `error`. */
export function literalValue(token: IToken, reporter: Reporter): Shape {
  switch (token.tokenType) {
    case t.Constant:
      return constant(token.image);
    case t.Quoted:
    case t.RawQuoted:
      return stringValue(token, reporter);
    default:
      return refuse(token, reporter);
  }
}

function constant(image: string): Shape {
  if (image === "null") return { kind: "literal", type: "null", value: null };
  return { kind: "literal", type: "bool", value: image === "true" };
}

function stringValue(token: IToken, reporter: Reporter): Shape {
  const { value, faults } = readString(token.image, token.tokenType === t.RawQuoted);
  for (const fault of faults) reportFault(fault, token, reporter);
  return faults.length > 0 ? wrong : { kind: "literal", type: "string", value };
}

function refuse(token: IToken, reporter: Reporter): Shape {
  const span = spanOf(token);
  switch (token.tokenType) {
    case t.Unterminated:
      reporter.report("HW202", span, "string without an end", closingHelp(token.image));
      return wrong;
    case t.Bytes:
      reporter.report("HW204", span, "bytes are not in the CEL subset", "write a string, without the `b`");
      return wrong;
    case t.CurlyQuoted:
      reporter.report("HW202", span, "typographic quotes around a string", 'write straight quotes: `"…"`');
      return { kind: "literal", type: "string", value: token.image.slice(1, -1) };
    case t.Backticked:
      reporter.report("HW204", span, "backticks do not quote a value", 'write a string in quotes: `"…"`');
      return wrong;
    case t.DollarName:
      return refuseDollar(token, reporter);
    default:
      return refuseRegex(token, reporter);
  }
}

function closingHelp(image: string): string {
  const body = image.replace(/^[bBrR]*/, "");
  if (/^(?:"""|''')/.test(body)) return `close it with \`${body.slice(0, 3)}\``;
  return `close it with \`${body.charAt(0)}\` on the same line`;
}

function refuseDollar(token: IToken, reporter: Reporter): Shape {
  const name = token.image.slice(1);
  const help = `write \`parameters.${name}\`, \`lists.${name}\` or \`conditions.${name}\``;
  reporter.report("HW204", spanOf(token), `${describe(token)} is a reference of the YAML spelling`, help);
  return wrong;
}

function refuseRegex(token: IToken, reporter: Reporter): Shape {
  const comment = token.image.startsWith("/*");
  const message = comment
    ? "block comments are not in the CEL subset"
    : "regular expressions have no literal of their own";
  const pattern = token.image.slice(1, token.image.lastIndexOf("/"));
  const shown = pattern.length > 40 ? "…" : pattern.replaceAll("\\/", "/");
  const help = comment ? "write `//` to the end of the line" : `write a string: \`text.matches(r"${shown}")\``;
  reporter.report("HW201", spanOf(token), message, help);
  return wrong;
}

function reportFault(fault: LiteralFault, token: IToken, reporter: Reporter): void {
  const at = token.startOffset;
  reporter.report(fault.code, { start: fault.span.start + at, end: fault.span.end + at }, fault.message, fault.help);
}
