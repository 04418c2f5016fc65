import type { Code } from "../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { oddLetter } from "../diagnostics/odd-letters.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { didYouMeanWord } from "../diagnostics/suggest.ts";
import { spend } from "../facts/meter.ts";
import {
  type DocumentError,
  type DocumentValidator,
  validateCheckConfig,
  validatePolicy,
  validateSuite,
} from "../schema/document-validators.generated.js";
import {
  colonHelp,
  constHelp,
  formHelp,
  helpFor,
  missingHelp,
  nameHelp,
  patternHelp,
  ruleKeyHelp,
  turnedHelp,
} from "./form-help.ts";
import { otherDocumentKey, otherRuleKey, otherSequenceKey } from "./other-keys.ts";
import { entry, toValue, type YamlNode } from "./yaml-node.ts";

/** Kind of a YAML file, which selects its published JSON Schema. */
export type DocumentKind = "policy" | "suite" | "check-config";

const validators: Readonly<Record<DocumentKind, DocumentValidator>> = {
  policy: validatePolicy,
  suite: validateSuite,
  "check-config": validateCheckConfig,
};

/**
 * Returns the findings about the shape of a YAML tree: unknown keys, wrong types, missing keys, values not allowed (HW101–HW104),
 * one per place, each at the key or value in the author's file. An empty list means the tree is a document of that kind.
 */
export function validate(kind: DocumentKind, source: Source, root: YamlNode): Diagnostic[] {
  const check = validators[kind];
  if (check(toValue(root))) return [];
  if (kind === "policy" && !beginners.some((key) => entry(root, key))) return [noPolicy(source, root)];
  const byPlace = new Map<string, DocumentError[]>();
  for (const e of check.errors ?? []) {
    const place =
      e.keyword === "additionalProperties" ? `${e.instancePath}#${e.params["additionalProperty"]}` : e.instancePath;
    const there = byPlace.get(place);
    if (there) there.push(e);
    else byPlace.set(place, [e]);
  }
  const found: Diagnostic[] = [];
  for (const errors of byPlace.values()) {
    spend(findingWork);
    for (const e of decisive(errors)) found.push(explain(source, root, e));
  }
  return found;
}

/** Keys that every policy has. A file with none of them is something else, and its keys are no typing mistakes. */
const beginners = ["version", "policy", "rules"] as const;

function noPolicy(source: Source, root: YamlNode): Diagnostic {
  const help = "keep other files elsewhere, or name the policies; `hookwarden init` writes a first one";
  if (root.kind !== "map")
    return diagnostic("HW102", source, root.span, `the document must be a mapping, not ${kindOf(root)}`, help);
  const span = root.entries[0]?.keySpan ?? { start: root.span.start, end: root.span.start };
  const message = "the file is no policy: it has none of `version`, `policy` and `rules`";
  return diagnostic("HW103", source, span, message, help);
}

/** Cost of a finding, with the keys that its help line searches, in units of work. */
const findingWork = 100;

/** Picks the most telling of several errors at one place: an alternative that failed as a whole replaces its parts' errors. */
function decisive(errors: readonly DocumentError[]): readonly DocumentError[] {
  const meta = errors.filter((e) => e.keyword !== "propertyNames" && e.keyword !== "if");
  const missing = meta.filter((e) => e.keyword === "required" && !e.schemaPath.includes("/oneOf/"));
  if (missing.length > 0) return missing;
  const either = meta.find((e) => e.keyword === "oneOf");
  return either ? [either] : meta.slice(0, 1);
}

function explain(source: Source, root: YamlNode, e: DocumentError): Diagnostic {
  const path = e.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const at = locate(root, path);
  const make = (code: Code, span: Span, message: string, help: string) => diagnostic(code, source, span, message, help);
  const name = path.length > 0 ? `\`${label(path)}\`` : "the document";
  switch (e.keyword) {
    case "additionalProperties": {
      const key = String(e.params["additionalProperty"]);
      const known = Object.keys((e.parentSchema as { properties?: object }).properties ?? {});
      return make(
        "HW101",
        entry(at.node, key)?.keySpan ?? at.span,
        `unknown key \`${key.slice(0, 100)}\``,
        oddLetter(key)?.said ?? keyHelp(path, key, entry(at.node, key)?.value) ?? didYouMeanWord(key, known),
      );
    }
    case "required": {
      const key = String(e.params["missingProperty"]);
      return make("HW103", keyOrStart(at), `missing key \`${key}\` in ${name}`, missingHelp(key, e));
    }
    case "type":
      return make(
        "HW102",
        at.span,
        `${name} must be ${words(e.params["type"])}, not ${kindOf(at.node)}`,
        formHelp(path.at(-1), at.node, path.at(-2), e.params["type"]) ?? helpFor(e),
      );
    case "const": {
      const wanted = String(e.params["allowedValue"]);
      return make(
        "HW104",
        at.span,
        `${name} must be \`${wanted}\``,
        constHelp(path.at(-1), wanted, at.node) ?? helpFor(e),
      );
    }
    case "enum": {
      const allowed = (e.params["allowedValues"] as unknown[]).map(String);
      return make("HW104", at.span, `${name} cannot be ${shown(at.node)}`, didYouMeanWord(String(e.data), allowed));
    }
    case "pattern":
      if (e.propertyName !== undefined)
        return make(
          "HW104",
          entry(at.node, e.propertyName)?.keySpan ?? at.span,
          `\`${e.propertyName}\` is not a valid name in ${name}`,
          colonHelp(at.node) ??
            turnedHelp(e.propertyName, at.node) ??
            nameHelp(e.propertyName, String(e.params["pattern"])),
        );
      return make(
        "HW104",
        at.span,
        `${shown(at.node)} is not a valid name or value for ${name}`,
        colonHelp(at.node) ?? patternHelp(String(e.params["pattern"])),
      );
    case "oneOf":
      return make(
        at.node?.kind === "map" ? "HW104" : "HW102",
        at.span,
        `${name} has the wrong form`,
        formHelp(path.at(-1), at.node, path.at(-2)) ?? helpFor(e),
      );
    default:
      return make("HW104", at.span, `${name} ${e.message ?? "is not valid"}`, helpFor(e));
  }
}

/** Returns help for an unknown key at the top of the policy or in a rule. */
function keyHelp(path: readonly string[], key: string, value: YamlNode | undefined): string | undefined {
  if (path.length === 0) return otherDocumentKey(key, value);
  if (path.length === 3 && path[2] === "sequence") return otherSequenceKey(key);
  if (path.length !== 2 || path[0] !== "rules") return undefined;
  return ruleKeyHelp(key) ?? otherRuleKey(key, value);
}

interface Place {
  readonly node: YamlNode | undefined;
  readonly span: Span;
  /** Span of the key that holds the node, if a mapping does. */
  readonly key: Span | undefined;
}

function locate(root: YamlNode, path: readonly string[]): Place {
  let node: YamlNode | undefined = root;
  let span = root.span;
  let key: Span | undefined;
  for (const part of path) {
    if (node?.kind === "map") {
      spend(node.entries.length >> 3);
      const found = entry(node, part);
      key = found?.keySpan;
      node = found?.value;
    } else {
      node = node?.kind === "list" ? node.items[Number(part)] : undefined;
      key = undefined;
    }
    if (node) span = node.span;
  }
  return { node, span, key };
}

/** Returns the span for a missing key: the key of its mapping, otherwise the mapping's first key. */
function keyOrStart(at: Place): Span {
  if (at.key) return at.key;
  if (at.node?.kind === "map" && at.node.entries[0]) return at.node.entries[0].keySpan;
  return { start: at.span.start, end: at.span.start };
}

function label(path: readonly string[]): string {
  return path.reduce(
    (out, part) => (/^\d+$/.test(part) ? `${out}[${part}]` : out === "" ? part : `${out}.${part}`),
    "",
  );
}

function words(type: unknown): string {
  const names = (Array.isArray(type) ? type : String(type).split(",")).map((t) => typeWords[String(t)] ?? String(t));
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : (names[0] as string);
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  object: "a mapping",
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};

function kindOf(node: YamlNode | undefined): string {
  if (!node) return "absent";
  if (node.kind !== "scalar") return node.kind === "map" ? "a mapping" : "a list";
  if (node.value === null) return "empty";
  return typeof node.value === "string" ? "text" : typeof node.value === "number" ? "a number" : "true or false";
}

function shown(node: YamlNode | undefined): string {
  return node?.kind === "scalar" && node.value !== null ? `\`${String(node.value).slice(0, 60)}\`` : kindOf(node);
}
