import { readYaml } from "../../compiler/read.ts";
import { toValue, type YamlNode } from "../../compiler/yaml-node.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import type { ImportFile } from "./imported.ts";

/** A JSON file as a tree with places. */
export interface JsonFile {
  readonly source: Source;
  readonly root: YamlNode;
}

/** Returns a diagnostic about a whole file, at its beginning. */
export function unusable(source: Source, message: string, help: string): Diagnostic {
  return diagnostic("HW705", source, { start: 0, end: 0 }, message, help);
}

/** Reads an object in JSON; syntax that only YAML has is refused, since it would be another format. `help` names the expected file. */
export function readJsonObject(
  { name, bytes }: ImportFile,
  help: string,
): JsonFile | { source: Source; problem: Diagnostic } {
  const { source, root, diagnostics } = readYaml(name, bytes);
  const [first] = diagnostics;
  if (!root) return { source, problem: first ?? unusable(source, "file is empty", help) };
  if (!isJson(source.text)) return { source, problem: unusable(source, "file is not JSON", help) };
  if (root.kind !== "map") return { source, problem: unusable(source, "file is not a JSON object", help) };
  return { source, root };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ""));
    return true;
  } catch {
    return false;
  }
}

/** Returns a scalar's value, or undefined. */
export function scalarOf(node: YamlNode | undefined): unknown {
  return node?.kind === "scalar" ? toValue(node) : undefined;
}
