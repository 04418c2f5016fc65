import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { Fallback, Mode, PlanPolicy, Severity, WhenUnsure } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type {
  ExceptionDraft,
  ImportDraft,
  ParameterDraft,
  PolicyDraft,
  PolicyFile,
  RuleDraft,
} from "../policy-draft.ts";
import { child, entry, strings, text, toValue, type YamlMap, type YamlNode } from "../yaml-node.ts";
import { parseCondition, type References } from "./condition.ts";
import { booleanOf, items, mapEntries, type ParseContext } from "./context.ts";
import { parsePrograms, parseTools } from "./declarations.ts";
import { parseRule } from "./rule.ts";

/** A parsed policy file with its diagnostics; after an error its imports are not followed. */
export interface PolicyResult {
  readonly draft: PolicyDraft;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses a document of the right shape to a draft with parsed conditions and canonical events. Total; problems are diagnostics. */
export function parsePolicy(file: PolicyFile, source: Source, root: YamlMap): PolicyResult {
  const diagnostics: Diagnostic[] = [];
  const names = (key: string): ReadonlySet<string> => new Set(mapEntries(child(root, key)).map((e) => e.key));
  const references: References = {
    parameters: names("parameters"),
    lists: names("lists"),
    conditions: names("conditions"),
  };
  const id = text(child(root, "policy")) ?? "";
  const context: ParseContext = {
    source,
    references,
    policy: id,
    report: (code, span, message, help) => diagnostics.push(diagnostic(code, source, span, message, help)),
    add: (found) => diagnostics.push(...found),
    condition: (node) => {
      if (!node) return undefined;
      const result = parseCondition(source, node, references);
      diagnostics.push(...result.diagnostics);
      return result.expression;
    },
  };
  reportSharedNames(context, root);
  reportListsInLists(context, root);
  const unsure = text(child(root, "unsure")) as WhenUnsure | undefined;
  const draft: PolicyDraft = {
    id,
    title: text(child(root, "title")) ?? id,
    description: (text(child(root, "description")) ?? "").trim(),
    span: child(root, "policy")?.span ?? root.span,
    file,
    source,
    mode: (text(child(root, "mode")) ?? "enforce") as Mode,
    default: (text(child(root, "default")) ?? "allow") as Fallback,
    unknown: (text(child(root, "unknown")) ?? "ask") as Fallback,
    audit: auditOf(child(root, "audit")),
    keepSpan: child(child(root, "audit"), "keep")?.span,
    parameters: new Map(
      mapEntries(child(root, "parameters")).map((e) => [e.key, parameterOf(context, e.key, e.keySpan, e.value)]),
    ),
    lists: new Map(mapEntries(child(root, "lists")).map((e) => [e.key, strings(e.value).map((s) => s.value)])),
    listPlaces: new Map(mapEntries(child(root, "lists")).map((e) => [e.key, strings(e.value).map((s) => s.node.span)])),
    programs: parsePrograms(context, child(root, "programs")),
    tools: parseTools(context, child(root, "tools")),
    labels: new Map(
      mapEntries(child(root, "labels")).map((e) => [
        e.key,
        { kind: text(child(e.value, "kind")) === "mark" ? ("mark" as const) : ("taint" as const), span: e.keySpan },
      ]),
    ),
    conditions: new Map(
      mapEntries(child(root, "conditions")).map((e) => [
        e.key,
        { expression: context.condition(e.value) as Expression, span: e.keySpan },
      ]),
    ),
    imports: items(child(root, "imports")).map((node) => importOf(node)),
    rules: parseRules(context, child(root, "rules")).map((rule) => ({ ...rule, unsure: rule.unsure ?? unsure })),
    exceptions: items(child(root, "exceptions")).map((node) => exceptionOf(context, node)),
  };
  return { draft, diagnostics };
}

function reportSharedNames(context: ParseContext, root: YamlMap): void {
  const seen = new Map<string, string>();
  for (const key of ["parameters", "lists", "conditions"]) {
    for (const e of mapEntries(child(root, key))) {
      const other = seen.get(e.key);
      if (other)
        context.report(
          "HW401",
          e.keySpan,
          `\`${e.key}\` is also defined under \`${other}\``,
          "rename one: `$name` must mean one thing",
        );
      seen.set(e.key, key);
    }
  }
}

/** Reports a reference among the items of a list, which are texts: `hosts: [a.test, $others]` has the text `$others`. */
function reportListsInLists(context: ParseContext, root: YamlMap): void {
  const names = new Set(["parameters", "lists"].flatMap((key) => mapEntries(child(root, key)).map((e) => e.key)));
  for (const { key, value } of mapEntries(child(root, "lists")))
    for (const { value: item, node } of strings(value)) {
      const name = item.startsWith("$") ? item.slice(1) : "";
      if (!names.has(name)) continue;
      const help = `write its items here, or add lists in an expression: \`lists.${key} + lists.${name}\``;
      context.report("HW104", node.span, `\`${item}\` is a text here: a list holds no other list or parameter`, help);
    }
}

function auditOf(node: YamlNode | undefined): PlanPolicy["audit"] {
  const mode = text(child(node, "mode")) ?? "required";
  const durability = text(child(node, "durability")) ?? "group";
  const keep = text(child(node, "keep")) ?? "views";
  return { mode, durability, keep } as PlanPolicy["audit"];
}

function parameterOf(context: ParseContext, name: string, nameSpan: Span, node: YamlNode): ParameterDraft {
  const type = text(child(node, "type")) as ParameterDraft["type"];
  const given = child(node, "default");
  const value = given ? toValue(given) : undefined;
  if (given && !fitsParameter(type, value)) {
    context.report(
      "HW304",
      given.span,
      `default of parameter \`${name}\` is not of type ${type}`,
      `write a value of type ${type}`,
    );
  }
  return { type, value, span: nameSpan, description: text(child(node, "description")) ?? "" };
}

/** True if a plain value is of a parameter's type. */
export function fitsParameter(type: ParameterDraft["type"], value: unknown): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "int":
      return Number.isSafeInteger(value);
    case "bool":
      return typeof value === "boolean";
    case "list(string)":
      return Array.isArray(value) && value.every((v) => typeof v === "string");
    default:
      return Array.isArray(value) && value.every((v) => Number.isSafeInteger(v));
  }
}

function importOf(node: YamlNode): ImportDraft {
  return {
    span: node.span,
    pack: text(child(node, "pack")),
    file: text(child(node, "file")),
    with: mapEntries(child(node, "with")).map((e) => ({ name: e.key, span: e.keySpan, node: e.value })),
    mode: text(child(node, "mode")) as Mode | undefined,
    overrides: items(child(node, "overrides")).map((o) => ({
      rule: text(child(o, "rule")) ?? "",
      span: child(o, "rule")?.span ?? o.span,
      severity: text(child(o, "severity")) as Severity | undefined,
      mode: text(child(o, "mode")) as Mode | undefined,
      enabled: booleanOf(child(o, "enabled")),
    })),
  };
}

const day = 86_400_000;

function exceptionOf(context: ParseContext, node: YamlNode): ExceptionDraft {
  const expires = child(node, "expires");
  const start = expires && Date.parse(`${text(expires)}T00:00:00Z`);
  // A 30th of February would be taken as a day in March.
  const isDay = Number.isFinite(start) && new Date(start as number).toISOString().startsWith(text(expires) ?? "");
  if (expires && !isDay)
    context.report(
      "HW104",
      expires.span,
      `\`${text(expires)}\` is not a day of the calendar`,
      "write a date as `YYYY-MM-DD`",
    );
  return {
    span: entry(node, "rules")?.keySpan ?? node.span,
    rules: strings(child(node, "rules")).map((s) => ({ glob: s.value, span: s.node.span })),
    when: context.condition(child(node, "when")),
    expires: start === undefined ? undefined : start + day,
    reason: text(child(node, "reason")) ?? "",
  };
}

function parseRules(context: ParseContext, node: YamlNode | undefined): RuleDraft[] {
  const rules: RuleDraft[] = [];
  const seen = new Map<string, Span>();
  for (const item of items(node)) {
    if (item.kind !== "map") continue;
    const rule = parseRule(context, item);
    const first = seen.get(rule.id);
    if (first) {
      const related = [{ message: "first defined here", source: context.source.name, span: first }];
      context.add([
        diagnostic(
          "HW401",
          context.source,
          rule.span,
          `rule \`${rule.id}\` is defined twice`,
          "give each rule of a policy its own id",
          related,
        ),
      ]);
    } else seen.set(rule.id, rule.span);
    rules.push(rule);
  }
  return rules;
}
