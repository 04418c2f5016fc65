import { diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../diagnostics/source.ts";
import { didYouMeanWord } from "../../diagnostics/suggest.ts";
import type { Mode, Severity, WhenUnsure } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import { toolsListed } from "../../rules/tool-spellings.ts";
import { canonicalEvent, type EventName, eventNames } from "../../schema/events.ts";
import { namesInBraces } from "../../schema/tool-matcher.ts";
import { canonicalTool } from "../../schema/tools.ts";
import type { ActionDraft, Example, RuleDraft, TextDraft } from "../policy-draft.ts";
import {
  child,
  entry,
  scalarSource,
  strings,
  text,
  toValue,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from "../yaml-node.ts";
import { parseScalarExpression } from "./condition.ts";
import { booleanOf, items, mapEntries, type ParseContext } from "./context.ts";
import { budgetOf, sequenceOf } from "./session.ts";
import { parseTemplate } from "./template.ts";

/** Parses one rule of a policy to a draft. */
export function parseRule(context: ParseContext, node: YamlMap): RuleDraft {
  const id = child(node, "id");
  const name = text(id) ?? "";
  return {
    id: `${context.policy}/${name}`,
    span: id?.span ?? node.span,
    title: text(child(node, "title")) ?? "",
    severity: (text(child(node, "severity")) ?? "info") as Severity,
    tags: strings(child(node, "tags")).map((s) => s.value),
    mode: text(child(node, "mode")) as Mode | undefined,
    unsure: text(child(node, "unsure")) as WhenUnsure | undefined,
    enabled: booleanOf(child(node, "enabled")) ?? true,
    events: eventsOf(context, child(node, "event")),
    ...matchersOf(context, node),
    each: eachOf(context, child(node, "each")),
    when: context.condition(child(node, "when")),
    unless: context.condition(child(node, "unless")),
    sequence: sequenceOf(context, child(node, "sequence"), { events: eventsOf, tools: matchersOf }),
    budget: budgetOf(context, child(node, "budget")),
    actions: actionsOf(context, child(node, "action")),
    reason: textOf(context, child(node, "reason")),
    guidance: textOf(context, child(node, "guidance")),
    examples: {
      match: examplesOf(child(child(node, "examples"), "match")),
      no_match: examplesOf(child(child(node, "examples"), "no_match")),
    },
  };
}

function eventsOf(context: ParseContext, node: YamlNode | undefined): EventName[] {
  const events: EventName[] = [];
  for (const { value, node: scalar } of strings(node)) {
    const name = canonicalEvent(value);
    if (!name) {
      context.report("HW407", scalar.span, `unknown event \`${value}\``, didYouMeanWord(value, eventNames));
      continue;
    }
    if (name !== value) reportAlias(context, scalar, name);
    if (!events.includes(name)) events.push(name);
  }
  return events;
}

/** Reports another host's name for `canonical`; the fix keeps the quotes. */
function reportAlias(context: ParseContext, { value, style, span }: YamlScalar, canonical: string): void {
  const message = `\`${String(value)}\` is another host's name of \`${canonical}\``;
  const found = diagnostic("HW602", context.source, span, message, `write \`${canonical}\``);
  const quote = style === "single" ? "'" : style === "double" ? '"' : "";
  const edits = [{ span, text: `${quote}${canonical}${quote}` }];
  const isBlock = style === "literal" || style === "folded";
  context.add([isBlock ? found : { ...found, fix: { title: `write \`${canonical}\``, meaning: "same", edits } }]);
}

/** Reports alternatives in another product's spelling, `Edit|Write`. A fix makes a list of them, unless they are one of several items. */
function reportListed(context: ParseContext, scalar: YamlScalar, tools: readonly string[], alone: boolean): void {
  const text = tools.length === 1 ? (tools[0] as string) : `[${tools.join(", ")}]`;
  const message = `\`${String(scalar.value)}\` is another product's way to name several tools`;
  const found = diagnostic("HW602", context.source, scalar.span, message, `write \`${text}\``);
  const isBlock = scalar.style === "literal" || scalar.style === "folded";
  const edits = [{ span: scalar.span, text }];
  context.add([isBlock || !alone ? found : { ...found, fix: { title: `write \`${text}\``, meaning: "same", edits } }]);
}

/** Parses the tool matcher. Returns it as written, and as canonical names; a glob that is only a brace list is expanded. */
function matchersOf(context: ParseContext, node: YamlMap): Pick<RuleDraft, "tools" | "matchers"> {
  const tool = entry(node, "tool");
  const matcher = entry(node, "matcher");
  if (tool && matcher)
    context.report("HW104", matcher.keySpan, "`matcher` is an alias of `tool`; a rule has one of them", "keep `tool`");
  const written = strings((tool ?? matcher)?.value);
  for (const { value, node: scalar } of written) {
    const canonical = canonicalTool(value);
    const listed = toolsListed(value);
    if (listed) reportListed(context, scalar, listed, written.length === 1 && (tool ?? matcher)?.value === scalar);
    if (value === "")
      context.report(
        "HW104",
        scalar.span,
        "a tool matcher cannot be empty",
        "write a tool name, a glob, or leave `tool` out",
      );
    if (canonical !== value) reportAlias(context, scalar, canonical);
  }
  return {
    tools: [
      ...new Set(
        written.flatMap(({ value }) => toolsListed(value) ?? namesInBraces(value) ?? value).map(canonicalTool),
      ),
    ],
    matchers: written.map(({ value, node: scalar }) => ({ text: value, span: scalar.span })),
  };
}

function eachOf(context: ParseContext, node: YamlNode | undefined): RuleDraft["each"] {
  const [bound] = mapEntries(node);
  if (bound?.value.kind !== "scalar") return undefined;
  const { expression, diagnostics } = parseScalarExpression(context.source, bound.value);
  context.add(diagnostics);
  return { name: bound.key, list: expression };
}

function actionsOf(context: ParseContext, node: YamlNode | undefined): ActionDraft[] {
  const nodes = node?.kind === "list" ? node.items : node ? [node] : [];
  return nodes.flatMap((item): ActionDraft[] => {
    const name = text(item);
    if (name !== undefined) return [{ name, span: item.span, parameters: undefined }];
    const [only] = mapEntries(item);
    if (!only) return [];
    if (only.value.kind === "map") return [{ name: only.key, span: only.keySpan, parameters: only.value }];
    const isEmpty = only.value.kind === "scalar" && only.value.value === null;
    if (!isEmpty)
      context.report(
        "HW102",
        only.value.span,
        `parameters of \`${only.key}\` must be a mapping`,
        only.value.kind === "scalar" && /^(?:block|ask)$/.test(only.key)
          ? `write \`action: ${only.key}\`, and the text under \`reason:\` of the rule`
          : `write \`${only.key}: { … }\`, or \`${only.key}\` alone`,
      );
    return [{ name: only.key, span: only.keySpan, parameters: undefined }];
  });
}

/** Parses a text with interpolations from a scalar. */
export function textOf(context: ParseContext, node: YamlNode | undefined): TextDraft | undefined {
  if (node?.kind !== "scalar" || typeof node.value !== "string") return undefined;
  const { parts, diagnostics } = parseTemplate(scalarSource(context.source, node));
  context.add(diagnostics);
  return parts as readonly (string | Expression)[];
}

function examplesOf(node: YamlNode | undefined): Example[] {
  return items(node).map((item): { value: unknown; span: Span } => ({ value: toValue(item), span: item.span }));
}
