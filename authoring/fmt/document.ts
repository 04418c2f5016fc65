import { readYaml } from "../../compiler/read.ts";
import type { YamlMap, YamlNode } from "../../compiler/yaml-node.ts";
import { Source, type Span } from "../../diagnostics/source.ts";
import { readCommonYaml } from "./common-yaml.ts";

/** A policy file for rewrites: our own YAML tree over the author's bytes. */
export interface PolicyDocument {
  readonly source: Source;
  readonly text: string;
  readonly root: YamlMap;
  /** Line ending of this file. */
  readonly newline: "\n" | "\r\n";
  /** Spans of keys and scalar values, in the order of the file. */
  readonly scalars: readonly Span[];
  /** Targets of aliases: a change there would change two places at once. */
  readonly shared: readonly Span[];
}

/** Returns the text as a document; undefined if it is no readable mapping. `known` is its tree, if it was parsed before. */
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

/** Collects scalars; a child that does not come after its predecessor came through an alias. */
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

/** True if an alias or an anchor is involved, so that the place cannot be changed by itself. */
export function isShared(document: PolicyDocument, { start, end }: Span): boolean {
  return document.shared.some((span) => span.start < end && start < span.end);
}

/** True for a mapping or list in braces or brackets. */
export function isFlow(document: PolicyDocument, node: YamlNode): boolean {
  return node.kind !== "scalar" && "{[".includes(document.text[node.span.start] ?? " ");
}

/** Returns the start of the line that holds an offset. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Returns the end of the line that holds an offset, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" && end > offset ? end - 1 : end;
}

/** Returns the index of the first key or scalar that starts at or after an offset. */
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

/** Returns the spans between keys and scalars of a region: punctuation, white space, comments, anchors. */
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
