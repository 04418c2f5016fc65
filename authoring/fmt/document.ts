import { readYaml } from "../../compiler/read.ts";
import type { YamlMap, YamlNode } from "../../compiler/yaml-node.ts";
import { Source, type Span } from "../../diagnostics/source.ts";
import { readCommonYaml } from "./common-yaml.ts";

/** A policy file as rewrites see it: our own YAML tree over the author's bytes. */
export interface PolicyDocument {
  readonly source: Source;
  readonly text: string;
  readonly root: YamlMap;
  /** How this file ends its lines. */
  readonly newline: "\n" | "\r\n";
  /** Keys and scalar values where they stand, in the order of the file. */
  readonly scalars: readonly Span[];
  /** What aliases refer to: a change there would change two places at once. */
  readonly shared: readonly Span[];
}

/** The text as a document; undefined where it is no mapping that can be read. `known` is its tree, where it was read before. */
export function openDocument(name: string, text: string, known?: YamlMap): PolicyDocument | undefined {
  const root = known ?? readYaml(name, new TextEncoder().encode(text), readCommonYaml).root;
  if (root?.kind !== "map") return undefined;
  const scalars: Span[] = [];
  const shared: Span[] = [];
  survey(root, scalars, shared);
  scalars.sort((a, b) => a.start - b.start);
  const newline = /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
  return { source: new Source(name, text), text, root, newline, scalars, shared };
}

/** Collects scalars; a child that does not stand behind what precedes it came through an alias. */
function survey(node: YamlNode, scalars: Span[], shared: Span[]): void {
  if (node.kind === "scalar") {
    if (node.span.end > node.span.start) scalars.push(node.span);
    return;
  }
  if (node.kind === "map") {
    for (const { keySpan, value } of node.entries) {
      scalars.push(keySpan);
      if (value.span.start >= keySpan.end) survey(value, scalars, shared);
      else if (value.span.start !== keySpan.start) shared.push(value.span);
    }
    return;
  }
  let at = node.span.start;
  for (const item of node.items) {
    if (item.span.start < at) shared.push(item.span);
    else {
      survey(item, scalars, shared);
      at = item.span.end;
    }
  }
}

/** True where an alias or an anchor is involved, so that the place cannot be changed by itself. */
export function isShared(document: PolicyDocument, { start, end }: Span): boolean {
  return document.shared.some((span) => span.start < end && start < span.end);
}

/** True for a mapping or list in braces or brackets. */
export function isFlow(document: PolicyDocument, node: YamlNode): boolean {
  return node.kind !== "scalar" && "{[".includes(document.text[node.span.start] ?? " ");
}

/** Offset of the start of the line that holds an offset. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Offset of the end of the line that holds an offset, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" && end > offset ? end - 1 : end;
}

/** Index of the first key or scalar that starts at an offset or behind it. */
function firstScalarFrom({ scalars }: PolicyDocument, offset: number): number {
  let low = 0;
  let high = scalars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scalars[middle] as Span).start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True if an offset lies within a key or scalar, past its first character. */
export function isInsideScalar(document: PolicyDocument, offset: number): boolean {
  const before = document.scalars[firstScalarFrom(document, offset) - 1];
  return before !== undefined && offset < before.end;
}

/** The text between keys and scalars of a region: punctuation, white space, comments, anchors. */
export function gapsIn(document: PolicyDocument, region: Span): Span[] {
  const gaps: Span[] = [];
  let at = region.start;
  for (let i = Math.max(0, firstScalarFrom(document, region.start) - 1); i < document.scalars.length; i++) {
    const scalar = document.scalars[i] as Span;
    if (scalar.end <= region.start) continue;
    if (scalar.start >= region.end) break;
    if (scalar.start > at) gaps.push({ start: at, end: scalar.start });
    at = Math.max(at, scalar.end);
  }
  if (at < region.end) gaps.push({ start: at, end: region.end });
  return gaps;
}
