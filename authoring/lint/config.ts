import { dirname, join } from "node:path";
import { readYaml } from "../../compiler/read.ts";
import { validate } from "../../compiler/validate.ts";
import { child, entry, strings, text } from "../../compiler/yaml-node.ts";
import { type Code, codes, isLint, type Severity } from "../../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";

/** Path of the configuration, below a folder at or above the policy's. */
export const configPath = join(".hookwarden", "check.yaml");

/** Content of a `check.yaml`. */
export interface CheckConfig {
  readonly levels: ReadonlyMap<Code, Severity | "off">;
  /** As written, relative to `base`. */
  readonly paths: readonly string[];
  readonly failLevel: Severity | undefined;
  /** The folder that holds `.hookwarden`, or the folder of a file given by `--config`. */
  readonly base: string;
}

/** A configuration, or its faults, with its source for rendering. */
export interface ReadConfig {
  readonly config: CheckConfig | undefined;
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a configuration file from its bytes. `name` is for people, `path` determines its `base`. With an error there is no
 * configuration: a check that silently lost its levels would report less than it should.
 */
export function readConfig(name: string, path: string, bytes: Uint8Array): ReadConfig {
  const { source, root, diagnostics } = readYaml(name, bytes);
  if (!root) return { config: undefined, source, diagnostics };
  const shape = validate("check-config", source, root);
  if (shape.length > 0) return { config: undefined, source, diagnostics: shape };
  const given = child(root, "levels");
  const levels = new Map<Code, Severity | "off">();
  const found: Diagnostic[] = [];
  for (const { key, keySpan, value } of given?.kind === "map" ? given.entries : []) {
    if (Object.hasOwn(codes, key))
      levels.set(key as Code, (text(value) ?? text(child(value, "level")) ?? "warning") as Severity | "off");
    else
      found.push(diagnostic("HW104", source, keySpan, `there is no code \`${key}\``, "see `docs/reference/codes.md`"));
  }
  if (found.length > 0) return { config: undefined, source, diagnostics: found };
  const folder = dirname(path);
  const base = path.endsWith(configPath) ? dirname(folder) : folder;
  const paths = strings(entry(root, "paths")?.value).map(({ value }) => value);
  const failLevel = text(child(root, "fail_level")) as Severity | undefined;
  return { config: { levels, paths, failLevel, base }, source, diagnostics: [] };
}

/** Applies a configuration's levels to lint findings, and drops those that are off. All other findings stay unchanged. */
export function withLevels(
  found: readonly Diagnostic[],
  configOf: (source: string) => CheckConfig | undefined,
): Diagnostic[] {
  return found.flatMap((d) => {
    const level = isLint(d.code) ? configOf(d.source)?.levels.get(d.code) : undefined;
    if (level === "off") return [];
    return [level === undefined ? d : { ...d, severity: level }];
  });
}
