import type { Segment, Source, Span } from "../diagnostics/source.ts";

/**
 * A YAML document as our own tree, so that no later pass knows the YAML library.
 * Spans are in the file. Aliases are expanded, keys are strings and unique.
 */
export type YamlNode = YamlScalar | YamlMap | YamlList;

/** How a scalar was written; a plain one may have lost text to YAML's own syntax. */
export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

/** A single value, decoded; `span` covers it as written, quotes included. */
export interface YamlScalar {
  readonly kind: "scalar";
  readonly value: null | boolean | number | string;
  readonly style: ScalarStyle;
  readonly span: Span;
  /** How the decoded text maps to the file; for string scalars. */
  readonly segments: readonly Segment[];
}

/** One key of a mapping and its value. */
export interface YamlEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: YamlNode;
}

/** A mapping, its entries in the order of the file. */
export interface YamlMap {
  readonly kind: "map";
  readonly entries: readonly YamlEntry[];
  readonly span: Span;
}

/** A sequence, in block or flow style. */
export interface YamlList {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  readonly span: Span;
}

/** The value under a key of a mapping. */
export function child(node: YamlNode | undefined, key: string): YamlNode | undefined {
  return entry(node, key)?.value;
}

/** The entry of a mapping by key. */
export function entry(node: YamlNode | undefined, key: string): YamlEntry | undefined {
  return node?.kind === "map" ? node.entries.find((e) => e.key === key) : undefined;
}

/** The string of a scalar, or undefined. */
export function text(node: YamlNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** A scalar's or a list's strings with their nodes; other items are left out. */
export function strings(node: YamlNode | undefined): { readonly value: string; readonly node: YamlScalar }[] {
  if (!node || node.kind === "map") return [];
  const items = node.kind === "list" ? node.items : [node];
  return items.flatMap((item) =>
    item.kind === "scalar" && typeof item.value === "string" ? [{ value: item.value, node: item }] : [],
  );
}

/** The text of a string scalar as a source whose spans map to the file. */
export function scalarSource(source: Source, node: YamlScalar): Source {
  return source.embed(String(node.value ?? ""), node.segments);
}

/** The plain value of a node, for schema validation. Objects have no prototype. */
export function toValue(node: YamlNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(toValue);
  const object: Record<string, unknown> = Object.create(null);
  for (const e of node.entries) object[e.key] = toValue(e.value);
  return object;
}
