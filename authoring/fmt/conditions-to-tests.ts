import { parseCondition, type References } from "../../compiler/parse/condition.ts";
import type { YamlEntry, YamlMap, YamlNode, YamlScalar } from "../../compiler/yaml-node.ts";
import type { Span } from "../../diagnostics/source.ts";
import {
  type Conversion,
  commentEdits,
  hasAnchor,
  isInFlow,
  isSameEverywhere,
  type Kept,
  parsedText,
  regionEnd,
  valueRegion,
} from "./conditions.ts";
import { isShared, lineEnd, lineStart, type PolicyDocument } from "./document.ts";
import type { Edit } from "./edits.ts";
import type { ConditionPlace } from "./places.ts";
import { say } from "./say.ts";
import { negatedScope, type Scope } from "./scope.ts";
import { blockLines, flowEntries, flowText, lineWidth, type Tree } from "./yaml-text.ts";

/** An expression in a condition, and its parent: a key of its own, a list, or `expr` among other tests. */
interface Leaf {
  readonly node: YamlScalar;
  readonly holder:
    | { readonly kind: "entry"; readonly entry: YamlEntry }
    | { readonly kind: "item" }
    | { readonly kind: "expr"; readonly entry: YamlEntry; readonly siblings: YamlMap };
  /** True if the number of negations around it is odd. */
  readonly negated: boolean;
  /** Entry that determines block or flow style. */
  readonly outer: YamlEntry;
}

/** Converts every expression to YAML tests as far as they mean exactly the same. */
export function toTests(
  document: PolicyDocument,
  places: readonly ConditionPlace[],
  references: References,
): Conversion {
  const edits: Edit[] = [];
  const kept: Kept[] = [];
  for (const { entry, scopes } of places) {
    for (const leaf of leavesOf(entry)) {
      const inside = leaf.negated ? scopes.map(negatedScope) : scopes;
      const tree = asTests(document, leaf.node, inside, references);
      const made = tree && leafEdits(document, leaf, tree);
      if (made) edits.push(...made);
      else kept.push({ span: leaf.node.span });
    }
  }
  return { edits, kept };
}

function leavesOf(entry: YamlEntry): Leaf[] {
  const { value } = entry;
  if (isExpression(value)) return [{ node: value, holder: { kind: "entry", entry }, negated: false, outer: entry }];
  return leavesIn(value, false, entry);
}

/** Returns the expressions under `all`, `any`, `not` and `expr`. Expressions inside a quantifier stay: a test there would be relative. */
function leavesIn(node: YamlNode, negated: boolean, outer: YamlEntry): Leaf[] {
  if (node.kind === "list")
    return node.items.flatMap((item): Leaf[] =>
      isExpression(item) ? [{ node: item, holder: { kind: "item" }, negated, outer }] : leavesIn(item, negated, outer),
    );
  if (node.kind === "scalar") return [];
  return node.entries.flatMap((entry): Leaf[] => {
    const { key, value } = entry;
    if (key === "expr" && isExpression(value))
      return [{ node: value, holder: { kind: "expr", entry, siblings: node }, negated, outer }];
    if (key === "not" && isExpression(value))
      return [{ node: value, holder: { kind: "entry", entry }, negated: !negated, outer }];
    if (key === "all" || key === "any") return value.kind === "list" ? leavesIn(value, negated, outer) : [];
    return key === "not" ? leavesIn(value, !negated, outer) : [];
  });
}

function isExpression(node: YamlNode): node is YamlScalar {
  return node.kind === "scalar" && typeof node.value === "string" && !/^\$[A-Za-z_]\w*$/.test(node.value);
}

function asTests(
  document: PolicyDocument,
  node: YamlScalar,
  scopes: readonly Scope[],
  references: References,
): Tree | undefined {
  const { expression, diagnostics } = parseCondition(document.source, node, references);
  if (diagnostics.length > 0) return undefined;
  for (const scope of scopes) {
    const tree = say(expression, scope);
    const read = tree && parsedText(flowText(tree), references);
    if (read && isSameEverywhere(expression, read, scopes)) return tree;
  }
  return undefined;
}

function leafEdits(document: PolicyDocument, leaf: Leaf, tree: Tree): Edit[] | undefined {
  const { holder, node } = leaf;
  const own = { start: node.span.start, end: regionEnd(document, node) };
  const region = holder.kind === "entry" ? valueRegion(document, holder.entry) : own;
  if (!region || isShared(document, region) || hasAnchor(document, region)) return undefined;
  const flow = isInFlow(document, holder.kind === "item" ? leaf.outer : holder.entry) || isFlowLine(document, leaf);
  const made =
    holder.kind === "entry"
      ? entryText(document, holder.entry, tree, flow)
      : holder.kind === "item"
        ? linesAt(document, node.span.start, tree, flow)
        : exprText(document, holder.entry, holder.siblings, tree, flow);
  if (made === undefined) return undefined;
  const anchor = holder.kind === "item" ? node.span.start : holder.entry.keySpan.start;
  const whole: Span = { start: holder.kind === "expr" ? anchor : region.start, end: region.end };
  const comments = commentEdits(document, anchor, region, [node]);
  return comments && [...comments, { span: whole, text: made }];
}

/** True if a part of a flow collection follows on the line, which excludes block style. */
function isFlowLine({ text }: PolicyDocument, { node }: Leaf): boolean {
  if (node.style === "literal" || node.style === "folded") return false;
  const rest = text.slice(node.span.end, lineEnd(text, node.span.end)).trim();
  return rest !== "" && !rest.startsWith("#");
}

function entryText(document: PolicyDocument, { keySpan }: YamlEntry, tree: Tree, flow: boolean): string {
  const { text, newline } = document;
  const start = lineStart(text, keySpan.start);
  const inline = flowText(tree);
  if (flow || keySpan.end + 2 - start + inline.length <= lineWidth || tree.kind !== "map") return ` ${inline}`;
  const column = keySpan.start - start + 2;
  return blockLines(tree, column)
    .map((line) => newline + " ".repeat(column) + line)
    .join("");
}

function linesAt({ text, newline }: PolicyDocument, offset: number, tree: Tree, flow: boolean): string {
  const column = offset - lineStart(text, offset);
  const inline = flowText(tree);
  if (flow || column + inline.length <= lineWidth) return inline;
  return blockLines(tree, column).join(newline + " ".repeat(column));
}

/** Returns the entries of a mapping in place of `expr`, if none of their keys exists beside it. */
function exprText(
  document: PolicyDocument,
  entry: YamlEntry,
  siblings: YamlMap,
  tree: Tree,
  flow: boolean,
): string | undefined {
  const keys = new Set(siblings.entries.filter((other) => other !== entry).map(({ key }) => key));
  if (tree.kind !== "map" || tree.entries.some(([key]) => keys.has(key))) return undefined;
  if (flow) return flowEntries(tree.entries);
  const column = entry.keySpan.start - lineStart(document.text, entry.keySpan.start);
  return blockLines(tree, column).join(document.newline + " ".repeat(column));
}
