import { ownWord } from "../../diagnostics/other-words.ts";
import { didYouMeanWord, suggest } from "../../diagnostics/suggest.ts";
import { testOperators } from "../../rules/ast.ts";
import type { YamlEntry, YamlNode } from "../yaml-node.ts";

/** Help for keys of tests that are no paths or operators. */

/** Keys of rules that authors put into a condition. */
const ruleKeys: ReadonlySet<string> = new Set([
  "unless",
  "when",
  "each",
  "sequence",
  "budget",
  "action",
  "reason",
  "guidance",
  "severity",
]);

/** True for a key of a rule beside tests. A text is a test of an argument of that name elsewhere, so that only these are sure. */
export function isRuleKey({ key, value }: YamlEntry): boolean {
  return ruleKeys.has(key) && (value.kind === "map" || (value.kind === "scalar" && /^(?:action|severity)$/.test(key)));
}

/** Operators of Sigma behind a field, by ours. */
const modifiers: Readonly<Record<string, string>> = {
  contains: "contains",
  startswith: "starts_with",
  endswith: "ends_with",
  re: "matches",
  cidr: "cidr",
  wildcard: "glob",
  exists: "present",
  lt: "lt",
  lte: "le",
  gt: "gt",
  gte: "ge",
};

/** Help for a key that is no path: Sigma's `field|contains`, and a colon without its space in a flow mapping. */
export function keyHelp(key: string, value: YamlNode): string | undefined {
  const [, path, first = "", all] = /^([\w.]{1,80})\|(\w+)(\|all)?$/.exec(key) ?? [];
  if (path !== undefined) {
    const own = Object.hasOwn(modifiers, first) ? modifiers[first] : undefined;
    const many = own === "contains" && value.kind === "list" ? (all ? "contains_all" : "contains_any") : own;
    return `an operator stands under the path: \`${path}: { ${many ?? "…"}: … }\``;
  }
  const glued = /^([a-z_]\w*(?:\.\w+)*):([\w./-]{1,80})$/.exec(key);
  return glued && value.kind === "scalar" && value.value === null
    ? `YAML wants a space behind the colon: \`${glued[1]}: ${glued[2]}\``
    : undefined;
}

/** Returns the help for an unknown operator: the operator that was probably meant, or the nested field as one path. */
export function operatorHelp({ key, value }: YamlEntry, path: string): string {
  const star = value.kind === "scalar" && typeof value.value === "string" && /[*]/.test(value.value);
  if (key.toLowerCase() === "like" && star) return "did you mean `glob`?";
  const combined = value.kind === "list" ? combinedHelp(key, value.items, path) : undefined;
  if (combined !== undefined) return combined;
  if (/^(?:some|every|none)$/.test(key) && /^[\w.]+$/.test(path))
    return `it stands before the list: \`${key}: { ${path}: … }\``;
  // On the path of a file an author asks whether the file exists, and no fact says so.
  if (/^exists?$/.test(key) && /(?:^|\.)(?:path|file|file_path)$/.test(path))
    return "no fact tells whether a file is there; `present: true` asks whether the call has this path at all";
  const negated = negatedOperator(key);
  if (negated !== undefined && /^[\w.]{1,60}$/.test(path)) return negatedHelp(path, negated);
  const near = suggest(key, testOperators) ?? ownWord(key, testOperators);
  const isField = near === undefined && /^[a-z_][a-z0-9_.]*$/.test(key) && /^[\w.]+$/.test(path);
  if (isField && isListPath(path))
    return `a test of its items is \`some: { ${path}: { ${key}: … } }\`, or of one by \`each\``;
  return isField
    ? `a field of it is one path with it: write \`${path}.${nested(key, value)}: …\``
    : didYouMeanWord(key, testOperators);
}

/** How a condition combines tests, by the words of other languages. */
const combinations: Readonly<Record<string, string>> = {
  any: "any: […]",
  or: "any: […]",
  anyOf: "any: […]",
  all: "all: […]",
  and: "all: […]",
  allOf: "all: […]",
  none: "not: { any: […] }",
  nor: "not: { any: […] }",
  noneOf: "not: { any: […] }",
};

/** Help for tests that a word combines below a path, where it combines whole tests; undefined for another word. */
function combinedHelp(key: string, items: readonly YamlNode[], path: string): string | undefined {
  const word = key.replace(/_(?=of$)/, "").replace(/of$/i, "Of");
  if (!Object.hasOwn(combinations, word) || !/^[\w.]{1,60}$/.test(path)) return undefined;
  const form = combinations[word] as string;
  if (items.every(({ kind }) => kind === "scalar")) {
    if (form.startsWith("all")) return undefined;
    const list = `${path}: […]`;
    return `a list asks for one of its values: \`${form.startsWith("any") ? list : `not: { ${list} }`}\``;
  }
  return `it stands round whole tests: \`${form.replace("…", `{ ${path}: … }, …`)}\``;
}

/** Returns the whole path of mappings that nest one field in another, up to the first operator or value. */
function nested(key: string, value: YamlNode): string {
  let path = key;
  let inner = value;
  while (inner.kind === "map" && inner.entries.length === 1 && path.length < 60) {
    const [only] = inner.entries;
    if (!only || operators.has(only.key) || !/^[a-z_][a-z0-9_.]*$/.test(only.key)) break;
    path += `.${only.key}`;
    inner = only.value;
  }
  return path;
}

/** Other words for the negation of an operator. */
const negations: Readonly<Record<string, string>> = { outside: "within", outside_of: "within", excludes: "contains" };

/** Operators as they stand behind `does not`. */
const plainForms: Readonly<Record<string, string>> = {
  contain: "contains",
  match: "matches",
  start_with: "starts_with",
  end_with: "ends_with",
  include: "contains",
};

/** Returns the operator of a negated one that we do not have: `within` for `not_within`, `contains` for `doesNotContain`. */
export function negatedOperator(key: string): string | undefined {
  const plain = key.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  if ((testOperators as readonly string[]).includes(plain) || plain.length > 40) return undefined;
  if (Object.hasOwn(negations, plain)) return negations[plain];
  const inner = /^(?:is_?not_|not_|does_?not_|doesnt_|isnt_|no_|!)(\w+)$/.exec(plain)?.[1];
  const own = inner && Object.hasOwn(plainForms, inner) ? plainForms[inner] : inner;
  return own !== undefined && operators.has(own) ? own : undefined;
}

const operators: ReadonlySet<string> = new Set(testOperators);

/** Help for the negation of an operator, which stands round the test. */
export function negatedHelp(path: string, operator: string): string {
  return `a negation stands round the test: \`not: { ${path}: { ${operator}: … } }\``;
}

/** True for a path of facts that is a list of commands or effects. */
function isListPath(path: string): boolean {
  return /^(?:shell\.(?:commands|pipelines)|effects\.[a-z]+|messages|secrets)$/.test(path);
}

/** Returns where a key of a rule belongs that stands among tests. */
export function ruleKeyHelp(key: string): string {
  if (key === "unless") return "put `unless` beside `when`, or write `not: { … }` here";
  if (key === "sequence")
    return "put `sequence` beside `when`; for a waiver set a label by a rule about what comes before, and test `session.labels` here";
  return `put \`${key}\` beside \`when\``;
}
