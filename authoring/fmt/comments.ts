import type { YamlNode, YamlScalar } from "../../compiler/yaml-node.ts";
import type { Span } from "../../diagnostics/source.ts";
import { gapsIn, lineEnd, type PolicyDocument } from "./document.ts";

/** A comment and its place; `text` is without its mark. */
interface Comment {
  readonly start: number;
  readonly text: string;
}

/** Returns the comments of YAML in a region, and of the expressions in `leaves`, in the order of the file, without their marks. */
export function commentsIn(document: PolicyDocument, region: Span, leaves: readonly YamlScalar[]): string[] {
  const found: Comment[] = gapsIn(document, region).flatMap((gap) => yamlComments(document, gap));
  for (const leaf of leaves) found.push(...headerComment(document, leaf), ...expressionComments(leaf));
  return found.sort((a, b) => a.start - b.start).map(({ text }) => text);
}

function yamlComments({ text }: PolicyDocument, gap: Span): Comment[] {
  const comments: Comment[] = [];
  for (let at = text.indexOf("#", gap.start); at >= 0 && at < gap.end; at = text.indexOf("#", at + 1)) {
    if (at > 0 && !/\s/.test(text[at - 1] as string)) continue;
    const end = lineEnd(text, at);
    comments.push({ start: at, text: text.slice(at + 1, end).trimEnd() });
    at = end;
  }
  return comments;
}

/** Returns the comment beside the `|` of a block scalar. */
function headerComment({ text }: PolicyDocument, { style, span }: YamlScalar): Comment[] {
  if (style !== "literal" && style !== "folded") return [];
  const header = text.slice(span.start, lineEnd(text, span.start));
  const mark = header.search(/[ \t]#/);
  return mark < 0 ? [] : [{ start: span.start, text: header.slice(mark + 2).trimEnd() }];
}

/** Returns the `//` comments of an expression, outside its strings. */
function expressionComments({ value, span }: YamlScalar): Comment[] {
  const text = String(value);
  const comments: Comment[] = [];
  for (let at = 0; at < text.length; at++) {
    const quote = openingQuote(text, at);
    if (quote !== undefined) at = closing(text, at, quote) - 1;
    else if (text.startsWith("//", at)) {
      const end = lineEnd(text, at);
      comments.push({ start: span.start + at, text: text.slice(at + 2, end).trimEnd() });
      at = end;
    }
  }
  return comments;
}

function openingQuote(text: string, at: number): string | undefined {
  const character = text[at];
  if (character !== '"' && character !== "'") return undefined;
  const triple = character.repeat(3);
  return text.startsWith(triple, at) ? triple : character;
}

/** Returns the offset after a string that opens at `at`. A raw string has no escapes. */
function closing(text: string, at: number, quote: string): number {
  const raw = /[rR]/.test(text[at - 1] ?? " ") && !/\w/.test(text[at - 2] ?? " ");
  for (let i = at + quote.length; i < text.length; i++) {
    if (!raw && text[i] === "\\") i++;
    else if (text.startsWith(quote, i)) return i + quote.length;
  }
  return text.length;
}

/** Returns the scalars of a condition that are expressions. */
export function expressionLeaves(node: YamlNode): YamlScalar[] {
  if (node.kind === "scalar") return typeof node.value === "string" ? [node] : [];
  if (node.kind === "list") return node.items.flatMap(expressionLeaves);
  return node.entries.flatMap(({ key, value }) => {
    if (key === "all" || key === "any" || key === "not" || key === "expr") return expressionLeaves(value);
    const [inner] = value.kind === "map" && ["some", "every", "none"].includes(key) ? value.entries : [];
    return inner ? expressionLeaves(inner.value) : [];
  });
}
