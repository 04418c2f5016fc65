import type { Code } from "../../diagnostics/codes.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { Expression } from "../../rules/ast.ts";
import type { YamlMap, YamlNode } from "../yaml-node.ts";
import type { References } from "./condition.ts";

/** Context in which every part of a policy is parsed. */
export interface ParseContext {
  readonly source: Source;
  readonly references: References;
  readonly policy: string;
  report(code: Code, span: Span, message: string, help: string): void;
  condition(node: YamlNode | undefined): Expression | undefined;
  /** Adds findings of an inner parser. */
  add(diagnostics: readonly Diagnostic[]): void;
}

/** Returns the entries of a mapping; none for any other node. */
export function mapEntries(node: YamlNode | undefined): YamlMap["entries"] {
  return node?.kind === "map" ? node.entries : [];
}

/** Returns the items of a list; none for any other node. */
export function items(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === "list" ? node.items : [];
}

/** Returns the value of a boolean scalar; undefined for any other node. */
export function booleanOf(node: YamlNode | undefined): boolean | undefined {
  return node?.kind === "scalar" && typeof node.value === "boolean" ? node.value : undefined;
}
