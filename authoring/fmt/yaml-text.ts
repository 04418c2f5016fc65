import type { Expression } from "../../rules/ast.ts";
import { printExpression } from "../../rules/print.ts";
import { expressionLines } from "./expression-text.ts";

/** Maximum columns of a line: shorter text stays on one line. */
export const lineWidth = 120;

/** A condition in the YAML spelling, before it is text. */
export type Tree =
  | { readonly kind: "value"; readonly value: string | number | boolean; readonly double?: true }
  /** `$name`: a parameter, list or condition. */
  | { readonly kind: "reference"; readonly name: string }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "list"; readonly items: readonly Tree[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [key: string, value: Tree])[] };

/** Returns the tree on one line. */
export function flowText(tree: Tree): string {
  switch (tree.kind) {
    case "value":
      return valueText(tree.value, tree.double === true);
    case "reference":
      return `$${tree.name}`;
    case "expression":
      return singleQuoted(printExpression(tree.expression));
    case "list":
      return `[${tree.items.map(flowText).join(", ")}]`;
    case "map":
      return `{ ${flowEntries(tree.entries)} }`;
  }
}

/** Returns the entries of a mapping on one line, without its braces. */
export function flowEntries(entries: Extract<Tree, { kind: "map" }>["entries"]): string {
  return entries.map(([key, value]) => `${keyText(key)}: ${flowText(value)}`).join(", ");
}

/** Returns the tree as lines that start at `column`, without their indentation: one line if it fits, else block style. */
export function blockLines(tree: Tree, column: number): string[] {
  const flow = flowText(tree);
  const width = lineWidth - column;
  if (flow.length <= width && tree.kind !== "map") return [flow];
  if (tree.kind === "map") return tree.entries.flatMap(([key, value]) => entryLines(key, value, column));
  if (tree.kind === "list" && tree.items.length > 0) {
    return tree.items.flatMap((item) => {
      const inline = flowText(item);
      const lines = inline.length + 2 <= width ? [inline] : blockLines(item, column + 2);
      return lines.map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`));
    });
  }
  if (tree.kind === "expression")
    return ["|", ...expressionLines(tree.expression, Math.max(40, width - 2)).map((line) => `  ${line}`)];
  return [flow];
}

/** Returns one entry of a block mapping at `column`. */
function entryLines(key: string, value: Tree, column: number): string[] {
  const head = `${keyText(key)}:`;
  const flow = flowText(value);
  if (column + head.length + 1 + flow.length <= lineWidth) return [`${head} ${flow}`];
  const [first, ...rest] = blockLines(value, column + 2) as [string, ...string[]];
  if (value.kind === "expression") return [`${head} ${first}`, ...rest];
  if (value.kind === "map" || value.kind === "list") return [head, ...[first, ...rest].map((line) => `  ${line}`)];
  return [`${head} ${flow}`];
}

/** Returns a text between single quotes, where only quotes are doubled and a backslash is itself. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function keyText(key: string): string {
  return /^[A-Za-z_][\w.]*$/.test(key) && !isReserved(key) ? key : singleQuoted(key);
}

/** True for words that YAML 1.1 or 1.2 reads as something other than text. */
function isReserved(text: string): boolean {
  return /^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text);
}

function valueText(value: string | number | boolean, double: boolean): string {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    const text = Object.is(value, -0) ? "-0" : String(value);
    return double && !/[.e]/.test(text) ? `${text}.0` : text;
  }
  const isReference = /^\$[A-Za-z_][A-Za-z0-9_]*$/.test(value) || value.startsWith("$$");
  return textScalar(isReference ? `$${value}` : value);
}

const unseen =
  /[\u0000-\u001f\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{d800}-\u{dfff}]|[\u{e0000}-\u{e007f}]/u;
const unseenAll = new RegExp(unseen.source, "gu");

/** Returns a text as a YAML scalar: plain if it can only be text, in single quotes if they save escapes. */
function textScalar(text: string): string {
  if (unseen.test(text)) {
    const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
    return `"${escaped.replace(unseenAll, escapeOf)}"`;
  }
  const plain =
    /^[A-Za-z_/.~$][\w./~$+@-]*$/.test(text) && !isReserved(text) && !/^[~.]?$|^\.(?:nan|inf|\d)/i.test(text);
  if (plain) return text;
  return text.includes("'") && !/["\\]/.test(text) ? `"${text}"` : singleQuoted(text);
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
