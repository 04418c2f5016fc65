import { parseCondition, type References } from "../../compiler/parse/condition.ts";
import { parseExpression } from "../../compiler/parse/expression.ts";
import { readYaml } from "../../compiler/read.ts";
import type { YamlEntry, YamlNode } from "../../compiler/yaml-node.ts";
import { Source, type Span } from "../../diagnostics/source.ts";
import type { Expression } from "../../rules/ast.ts";
import { printExpression } from "../../rules/print.ts";
import { commentsIn, expressionLeaves } from "./comments.ts";
import { gapsIn, isInsideScalar, isShared, lineEnd, lineStart, type PolicyDocument } from "./document.ts";
import type { Edit } from "./edits.ts";
import { expressionLines } from "./expression-text.ts";
import type { ConditionPlace } from "./places.ts";
import { checkedIn, irText, type Scope } from "./scope.ts";
import { spellOut } from "./spell-out.ts";
import { lineWidth, singleQuoted } from "./yaml-text.ts";

/** A condition that keeps its spelling, since the other one cannot express exactly the same, and its place. */
export interface Kept {
  readonly span: Span;
}

/** Edits of a conversion, and the conditions left unchanged. */
export interface Conversion {
  readonly edits: readonly Edit[];
  readonly kept: readonly Kept[];
}

/** Converts every condition of the YAML spelling to an expression, if that lowers to the same IR wherever it is judged. */
export function toExpressions(
  document: PolicyDocument,
  places: readonly ConditionPlace[],
  references: References,
): Conversion {
  const edits: Edit[] = [];
  const kept: Kept[] = [];
  for (const { entry, scopes } of places) {
    if (!isYamlSpelling(entry.value)) continue;
    const expression = asExpression(document, entry.value, scopes, references);
    const made = expression && expressionEdits(document, entry, expression);
    if (made) edits.push(...made);
    else kept.push({ span: entry.keySpan });
  }
  return { edits, kept };
}

function isYamlSpelling(node: YamlNode): boolean {
  if (node.kind === "map") return true;
  return node.kind === "scalar" && typeof node.value === "string" && /^\$[A-Za-z_]\w*$/.test(node.value);
}

/** Returns the expression that means the same in every place; the shape of guards may depend on the place. */
function asExpression(
  document: PolicyDocument,
  node: YamlNode,
  scopes: readonly Scope[],
  references: References,
): Expression | undefined {
  const original = parseCondition(document.source, node, references).expression;
  for (const scope of scopes) {
    const spelled = spellOut(original, scope);
    const printed = spelled && parseExpression(new Source(document.source.name, printExpression(spelled)));
    if (printed?.diagnostics.length === 0 && isSameEverywhere(original, printed.expression, scopes))
      return printed.expression;
  }
  return undefined;
}

/** True if two conditions lower to the same IR in each place, and there is at least one. */
export function isSameEverywhere(one: Expression, other: Expression, scopes: readonly Scope[]): boolean {
  return (
    scopes.length > 0 &&
    scopes.every((scope) => {
      const [a, b] = [checkedIn(one, scope).ir, checkedIn(other, scope).ir];
      return a !== undefined && b !== undefined && irText(a) === irText(b);
    })
  );
}

/** Parses YAML text as a condition in a place of its own. */
export function parsedText(text: string, references: References): Expression | undefined {
  const { source, root, diagnostics } = readYaml("", new TextEncoder().encode(`when: ${text}\n`));
  const [entry] = root?.kind === "map" ? root.entries : [];
  if (!entry || diagnostics.length > 0) return undefined;
  const parsed = parseCondition(source, entry.value, references);
  return parsed.diagnostics.length === 0 ? parsed.expression : undefined;
}

function expressionEdits(document: PolicyDocument, entry: YamlEntry, expression: Expression): Edit[] | undefined {
  const region = valueRegion(document, entry);
  if (!region) return undefined;
  const { text, newline } = document;
  const column = entry.keySpan.start - lineStart(text, entry.keySpan.start);
  const quoted = singleQuoted(printExpression(expression));
  const fits = entry.keySpan.end + 2 - lineStart(text, entry.keySpan.start) + quoted.length <= lineWidth;
  const comments = commentEdits(document, entry.keySpan.start, region, expressionLeaves(entry.value));
  if (!comments) return undefined;
  const isLast = lineEnd(text, region.end) === region.end;
  if (fits || !isLast || isInFlow(document, entry)) return [...comments, { span: region, text: ` ${quoted}` }];
  const indent = " ".repeat(column + 2);
  const lines = expressionLines(expression, Math.max(40, lineWidth - column - 2));
  return [...comments, { span: region, text: [" |", ...lines.map((line) => indent + line)].join(newline) }];
}

/**
 * Returns the region from the colon of an entry to the end of its value, with a comment after it. Undefined if an anchor,
 * alias or explicit key makes the value more than its own.
 */
export function valueRegion(document: PolicyDocument, { keySpan, value }: YamlEntry): Span | undefined {
  const { text } = document;
  const colon = text.indexOf(":", keySpan.end);
  const isOwn = colon >= 0 && value.span.start > colon && text.slice(keySpan.end, colon).trim() === "";
  if (!isOwn || text.slice(keySpan.end, colon).includes("\n")) return undefined;
  const region = { start: colon + 1, end: regionEnd(document, value) };
  return isShared(document, region) || hasAnchor(document, region) ? undefined : region;
}

/** Returns the end of a value without its line breaks, and with the rest of its last line if that is blank or a comment. */
export function regionEnd({ text }: PolicyDocument, { span }: YamlNode): number {
  const end = span.start + text.slice(span.start, span.end).trimEnd().length;
  let at = end;
  while (text[at] === " " || text[at] === "\t") at++;
  const ends = at === lineEnd(text, end) || (text[at] === "#" && at > end);
  return ends ? lineEnd(text, end) : end;
}

/** True if a region defines an anchor or uses an alias. */
export function hasAnchor(document: PolicyDocument, region: Span): boolean {
  return gapsIn(document, region).some((gap) =>
    /(?:^|[\s,[{:-])[&*][^\s,\]}]/.test(withoutComments(document.text.slice(gap.start, gap.end))),
  );
}

function withoutComments(gap: string): string {
  return gap.replace(/(^|\s)#[^\n]*/g, "$1");
}

/** True if an entry is in braces: another entry or the closing brace may follow on its line. */
export function isInFlow({ text, root }: PolicyDocument, { keySpan }: YamlEntry): boolean {
  let node: YamlNode | undefined = root;
  while (node && node.kind !== "scalar") {
    if ("{[".includes(text[node.span.start] ?? " ")) return true;
    const children: readonly YamlNode[] = node.kind === "list" ? node.items : node.entries.map(({ value }) => value);
    node = children.find(({ span }) => span.start <= keySpan.start && keySpan.end <= span.end && span.end > span.start);
  }
  return false;
}

/** Returns the comments of a region as lines above the line of `anchor`; undefined if that line begins inside a text. */
export function commentEdits(
  document: PolicyDocument,
  anchor: number,
  region: Span,
  leaves: ReturnType<typeof expressionLeaves>,
): Edit[] | undefined {
  const comments = commentsIn(document, region, leaves);
  if (comments.length === 0) return [];
  const start = lineStart(document.text, anchor);
  if (isInsideScalar(document, start)) return undefined;
  const indent = /^[ \t]*/.exec(document.text.slice(start, anchor))?.[0] ?? "";
  const text = comments.map((comment) => `${indent}#${comment}${document.newline}`).join("");
  return [{ span: { start, end: start }, text }];
}
