import { child, entry, type YamlNode, type YamlScalar } from "../../compiler/yaml-node.ts";
import { toolsListed } from "../../rules/tool-spellings.ts";
import { canonicalEvent } from "../../schema/events.ts";
import { canonicalTool } from "../../schema/tools.ts";
import { isShared, type PolicyDocument } from "./document.ts";
import type { Edit } from "./edits.ts";

/** Replaces names of other hosts by canonical ones: events, tools, and the key `matcher`. Examples keep the host's own words. */
export function canonicaliseNames(document: PolicyDocument): Edit[] {
  const rules = child(document.root, "rules");
  if (rules?.kind !== "list") return [];
  return rules.items.flatMap((rule) => [
    ...eventEdits(document, child(rule, "event")),
    ...matcherEdits(document, rule),
    ...toolEdits(document, child(rule, "tool") ?? child(rule, "matcher")),
  ]);
}

function matcherEdits(document: PolicyDocument, rule: YamlNode): Edit[] {
  const matcher = entry(rule, "matcher");
  if (!matcher || entry(rule, "tool") || isShared(document, matcher.keySpan)) return [];
  return [{ span: matcher.keySpan, text: "tool" }];
}

function toolEdits(document: PolicyDocument, node: YamlNode | undefined): Edit[] {
  return namesIn(node).flatMap((scalar, _, all) => {
    const listed = toolsListed(String(scalar.value));
    if (!listed) return renamed(document, scalar, canonicalTool(String(scalar.value)));
    if (all.length > 1 || node !== scalar || isFixed(document, scalar)) return [];
    return [{ span: scalar.span, text: listed.length === 1 ? (listed[0] as string) : `[${listed.join(", ")}]` }];
  });
}

/** Merges two names of one event: an event occurs once in a list. */
function eventEdits(document: PolicyDocument, node: YamlNode | undefined): Edit[] {
  const seen = new Set<string>();
  return namesIn(node).flatMap((scalar, i, all) => {
    const name = canonicalEvent(String(scalar.value)) ?? String(scalar.value);
    const again = seen.has(name);
    seen.add(name);
    const before = all[i - 1];
    if (!again || !before) return renamed(document, scalar, name);
    const gap = document.text.slice(before.span.end, scalar.span.start);
    if (!/^\s*[,-]\s*$/.test(gap) || isShared(document, scalar.span)) return renamed(document, scalar, name);
    return [{ span: { start: before.span.end, end: scalar.span.end }, text: "" }];
  });
}

function namesIn(node: YamlNode | undefined): YamlScalar[] {
  const items = node?.kind === "list" ? node.items : node ? [node] : [];
  return items.filter((item): item is YamlScalar => item.kind === "scalar" && typeof item.value === "string");
}

/** True for a scalar that cannot be rewritten in its place. */
function isFixed(document: PolicyDocument, { style, span }: YamlScalar): boolean {
  return style === "literal" || style === "folded" || isShared(document, span);
}

function renamed(document: PolicyDocument, scalar: YamlScalar, name: string): Edit[] {
  if (name === scalar.value || isFixed(document, scalar)) return [];
  const quote = scalar.style === "single" ? "'" : scalar.style === "double" ? '"' : "";
  return [{ span: scalar.span, text: `${quote}${name}${quote}` }];
}
