import { parsePolicy } from "../../compiler/parse/policy.ts";
import type { PolicyDraft, PolicyFile } from "../../compiler/policy-draft.ts";
import { readYaml } from "../../compiler/read.ts";
import { validate } from "../../compiler/validate.ts";
import type { YamlMap, YamlNode } from "../../compiler/yaml-node.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import { readCommonYaml } from "./common-yaml.ts";

/** A policy file by itself: parsed, without its imports and types. */
export interface OwnText {
  readonly source: Source;
  /** Undefined if the file does not have the shape of a policy. */
  readonly policy: { readonly draft: PolicyDraft; readonly root: YamlMap } | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a policy file without looking at any other. */
export function readOwnText(file: PolicyFile): OwnText {
  const { source, root, diagnostics } = readYaml(file.name, file.bytes, readCommonYaml);
  return root ? parseOwnText(file, source, root) : { source, policy: undefined, diagnostics };
}

/** Parses a document that is already read. */
export function parseOwnText(file: PolicyFile, source: Source, root: YamlNode): OwnText {
  const shape = validate("policy", source, root);
  if (shape.length > 0 || root.kind !== "map") return { source, policy: undefined, diagnostics: shape };
  const { draft, diagnostics } = parsePolicy(file, source, root);
  return { source, policy: { draft, root }, diagnostics };
}
