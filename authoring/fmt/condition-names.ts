import { child, type YamlEntry, type YamlNode, type YamlScalar } from "../../compiler/yaml-node.ts";
import { hostTable, systemTable, toolTable } from "../../rules/name-tables.ts";
import type { NameTable } from "../../rules/types.ts";
import { isShared, type PolicyDocument } from "./document.ts";
import type { Edit } from "./edits.ts";

/** Roots whose texts come from a closed table, whatever the rule. */
const tables: ReadonlyMap<string, NameTable> = new Map([
  ["host", hostTable],
  ["environment.os", systemTable],
  ["tool.name", toolTable],
]);

/** Operators that compare with whole names. */
const whole: ReadonlySet<string> = new Set(["equals", "not_equals", "in", "not_in", "not"]);

/**
 * Other spellings of hosts, systems and tools in the tests of conditions become the names that facts have: `host: claude`,
 * `environment.os: win32`. Quotes stay.
 */
export function canonicaliseConditions(document: PolicyDocument): Edit[] {
  const { root } = document;
  const rules = itemsOf(child(root, "rules"));
  const named = child(root, "conditions");
  const places = [
    ...rules.flatMap((rule) => [child(rule, "when"), child(rule, "unless"), ...sequenceConditions(rule)]),
    ...itemsOf(child(root, "exceptions")).map((exception) => child(exception, "when")),
    ...(named?.kind === "map" ? named.entries.map(({ value }) => value) : []),
  ];
  return places.flatMap((place) => (place ? inCondition(document, place, false) : []));
}

function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === "list" ? node.items : [];
}

function sequenceConditions(rule: YamlNode): readonly (YamlNode | undefined)[] {
  const after = child(child(rule, "sequence"), "after");
  return (after?.kind === "map" ? [after] : itemsOf(after)).map((item) => child(item, "when"));
}

/** `inside` a quantifier, paths begin at the element. */
function inCondition(document: PolicyDocument, node: YamlNode, inside: boolean): Edit[] {
  if (node.kind === "list") return node.items.flatMap((item) => inCondition(document, item, inside));
  if (node.kind !== "map") return [];
  return node.entries.flatMap((entry) => {
    if (["all", "any", "not"].includes(entry.key)) return inCondition(document, entry.value, inside);
    if (["some", "every", "none"].includes(entry.key)) return inCondition(document, entry.value, true);
    const table = inside ? undefined : tables.get(entry.key);
    return table ? namesOf(entry).flatMap((scalar) => renamed(document, scalar, table)) : [];
  });
}

/** The scalars that a test compares with. */
function namesOf({ value }: Pick<YamlEntry, "value">): readonly YamlScalar[] {
  if (value.kind === "scalar") return [value];
  if (value.kind === "list") return value.items.filter((item): item is YamlScalar => item.kind === "scalar");
  return value.entries.filter(({ key }) => whole.has(key)).flatMap(namesOf);
}

function renamed(document: PolicyDocument, { value, style, span }: YamlScalar, table: NameTable): Edit[] {
  if (typeof value !== "string" || style === "literal" || style === "folded" || isShared(document, span)) return [];
  const name = table.canonical(value);
  const quote = style === "single" ? "'" : style === "double" ? '"' : "";
  return name === value || !table.has(name) ? [] : [{ span, text: `${quote}${name}${quote}` }];
}
