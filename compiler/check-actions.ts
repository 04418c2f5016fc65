import type { Code } from "../diagnostics/codes.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { didYouMean } from "../diagnostics/suggest.ts";
import type { Ir, Json, PlanAction, Template } from "../engine/plan.ts";
import { detectorIds, selectDetectors } from "../facts/secrets/detectors.ts";
import { type ActionParameter, type ActionShape, actionShapes, patternFields } from "../rules/actions/about.ts";
import type { EventName } from "../schema/events.ts";
import type { RegexEngine } from "../schema/ports.ts";
import type { ActionDraft, RuleDraft } from "./policy-draft.ts";
import { scalarSource, strings, text, toValue, type YamlMap, type YamlNode, type YamlScalar } from "./yaml-node.ts";

/** What checking actions needs of the rule they belong to. */
export interface ActionCheck {
  readonly source: Source;
  readonly regex: RegexEngine;
  report(code: Code, span: Span, message: string, help: string): void;
  /** Types the text of a template in the rule's environment. */
  template(node: YamlScalar): Template;
  /** Types a condition over `message.*`. */
  messageCondition(node: YamlNode): Ir | undefined;
}

/** Parameters that a later version will honour; until then a policy that relies on them does not load. */
export const unsupported: Readonly<Record<string, readonly string[]>> = { ask: ["timeout", "remember"] };

/** Actions of the language that this version does not run. */
const laterActions: readonly string[] = ["allow", "modify", "label", "run", "notify", "record"];

/** Actions of a rule → plan actions: known, possible on the rule's events, parameters of the right types. */
export function checkActions(draft: RuleDraft, check: ActionCheck): PlanAction[] {
  return draft.actions.flatMap((action) => {
    const shape = Object.hasOwn(actionShapes, action.name) ? actionShapes[action.name] : undefined;
    if (!shape) {
      if (laterActions.includes(action.name))
        check.report(
          "HW106",
          action.span,
          `action \`${action.name}\` is not supported by this version`,
          "remove the rule; a policy is never loaded in part",
        );
      else
        check.report(
          "HW105",
          action.span,
          `unknown action \`${action.name}\``,
          didYouMean(action.name, Object.keys(actionShapes)),
        );
      return [];
    }
    reportEvents(draft.events, action, shape, check);
    return [checkAction(action, shape, check)];
  });
}

function reportEvents(events: readonly EventName[], action: ActionDraft, shape: ActionShape, check: ActionCheck): void {
  for (const event of events.filter((e) => !shape.events.includes(e))) {
    check.report(
      "HW402",
      action.span,
      `\`${action.name}\` is not possible on \`${event}\``,
      `it is possible on ${shape.events.map((e) => `\`${e}\``).join(", ")}`,
    );
  }
}

function checkAction(action: ActionDraft, shape: ActionShape, check: ActionCheck): PlanAction {
  const parameters: Record<string, Json> = {};
  const templates: Record<string, Template> = {};
  const conditions: Record<string, Ir> = {};
  reportMissing(action, shape, check);
  for (const entry of action.parameters?.entries ?? []) {
    const parameter = shape.parameters.find((p) => p.name === entry.key);
    if (!parameter) {
      check.report(
        "HW101",
        entry.keySpan,
        `\`${action.name}\` has no parameter \`${entry.key}\``,
        didYouMean(
          entry.key,
          shape.parameters.map((p) => p.name),
        ),
      );
      continue;
    }
    if (unsupported[action.name]?.includes(entry.key))
      check.report(
        "HW106",
        entry.keySpan,
        `\`${entry.key}\` of \`${action.name}\` is not supported by this version`,
        "remove it; a policy is never loaded in part",
      );
    if (parameter.type === "template" && isText(entry.value)) {
      templates[parameter.name] = check.template(entry.value);
      parameters[parameter.name] = true;
    } else if (parameter.type === "condition") {
      const ir = check.messageCondition(entry.value);
      if (ir) conditions[parameter.name] = ir;
      parameters[parameter.name] = true;
    } else {
      const value = valueOf(action.name, parameter, entry.value, check);
      if (value !== undefined) parameters[parameter.name] = value;
    }
  }
  return {
    action: action.name,
    parameters,
    ...(Object.keys(templates).length > 0 && { templates }),
    ...(Object.keys(conditions).length > 0 && { conditions }),
  };
}

function reportMissing(action: ActionDraft, shape: ActionShape, check: ActionCheck): void {
  const given = new Set(action.parameters?.entries.map((e) => e.key));
  for (const parameter of shape.parameters.filter((p) => p.required && !given.has(p.name))) {
    check.report(
      "HW103",
      action.span,
      `\`${action.name}\` needs \`${parameter.name}\``,
      `write \`${action.name}: { ${parameter.name}: … }\`: ${lowerFirst(parameter.doc)}`,
    );
  }
  if (shape.oneOf && !shape.oneOf.some((name) => given.has(name))) {
    const names = shape.oneOf.map((name) => `\`${name}\``).join(" or ");
    check.report(
      "HW103",
      action.span,
      `\`${action.name}\` needs ${names}`,
      `write \`${action.name}: { ${shape.oneOf[0]}: … }\``,
    );
  }
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

function isText(node: YamlNode): node is YamlScalar {
  return node.kind === "scalar" && typeof node.value === "string";
}

/** A parameter's plain value, or undefined with a finding. */
function valueOf(action: string, parameter: ActionParameter, node: YamlNode, check: ActionCheck): Json | undefined {
  const value = node.kind === "scalar" ? node.value : undefined;
  const name = `\`${parameter.name}\` of \`${action}\``;
  const refuse = (wanted: string, help: string): undefined =>
    void check.report("HW102", node.span, `${name} must be ${wanted}`, help) as undefined;
  switch (parameter.type) {
    case "bool":
      return typeof value === "boolean" ? value : refuse("true or false", "write `true` or `false`");
    case "int": {
      const least = parameter.minimum ?? 0;
      const fits = typeof value === "number" && Number.isSafeInteger(value) && value >= least;
      return fits ? value : refuse(`a whole number of at least ${least}`, "write it without quotes");
    }
    case "choice": {
      const allowed = parameter.values ?? [];
      if (typeof value === "string" && allowed.includes(value)) return value;
      check.report(
        "HW104",
        node.span,
        `${name} cannot be \`${String(value ?? "")}\``,
        didYouMean(String(value ?? ""), allowed),
      );
      return undefined;
    }
    case "list(string)":
      return listOf(action, parameter, node, check);
    case "patterns":
      return patternsOf(node, check);
    case "duration":
      return typeof value === "string" && /^[0-9]+(ms|s|m|h)$/.test(value)
        ? value
        : refuse("a duration", "write it like `30s` or `10m`");
    default:
      return typeof value === "string" ? value : refuse("text", "quote it");
  }
}

function listOf(action: string, parameter: ActionParameter, node: YamlNode, check: ActionCheck): Json | undefined {
  const items = strings(node);
  const isList = node.kind === "list" && items.length === node.items.length && items.length > 0;
  if (!isList && !isText(node)) {
    check.report(
      "HW102",
      node.span,
      `\`${parameter.name}\` of \`${action}\` must be a list of texts`,
      `write \`${parameter.name}: [ … ]\``,
    );
    return undefined;
  }
  if (parameter.name === "detectors") {
    for (const { value, node: item } of items) {
      if (selectDetectors([value]).unknown.length > 0)
        check.report(
          "HW408",
          item.span,
          `no detector is called \`${value}\``,
          didYouMean(value, ["secrets/*", ...detectorIds]),
        );
    }
  }
  return items.map((item) => item.value);
}

function patternsOf(node: YamlNode, check: ActionCheck): Json | undefined {
  if (node.kind !== "list" || node.items.length === 0) {
    check.report(
      "HW102",
      node.span,
      "`patterns` of `redact` must be a list of patterns",
      "write `patterns: [{ name: key, regex: '…' }]`",
    );
    return undefined;
  }
  return node.items.flatMap((item): Json[] => {
    if (item.kind !== "map") {
      check.report(
        "HW102",
        item.span,
        "a pattern must be a mapping",
        "write `{ name: key, regex: '…', replacement: '…' }`",
      );
      return [];
    }
    return patternOf(item, check) ? [toValue(item) as Json] : [];
  });
}

function patternOf(node: YamlMap, check: ActionCheck): boolean {
  const known = patternFields.map((f) => f.name);
  let sound = true;
  const report = (code: Code, span: Span, message: string, help: string): void => {
    sound = false;
    check.report(code, span, message, help);
  };
  for (const entry of node.entries) {
    if (!known.includes(entry.key))
      report("HW101", entry.keySpan, `a pattern has no field \`${entry.key}\``, didYouMean(entry.key, known));
    else if (!isText(entry.value))
      report("HW102", entry.value.span, `\`${entry.key}\` of a pattern must be text`, "quote it");
  }
  for (const field of patternFields.filter((f) => f.required && !node.entries.some((e) => e.key === f.name))) {
    report("HW103", node.entries[0]?.keySpan ?? node.span, `a pattern needs \`${field.name}\``, lowerFirst(field.doc));
  }
  const regex = node.entries.find((e) => e.key === "regex")?.value;
  if (regex && isText(regex)) reportRegex(regex, check, report);
  return sound;
}

function reportRegex(node: YamlScalar, check: ActionCheck, report: ActionCheck["report"]): void {
  const compiled = check.regex.compile(text(node) ?? "");
  if (!("kind" in compiled)) return;
  const inner = scalarSource(check.source, node);
  const at = compiled.offset;
  const span = at === undefined ? node.span : inner.toFile({ start: at, end: compiled.end ?? at + 1 });
  const [problem = "", ...advice] = compiled.message.split("; ");
  report(
    "HW307",
    span,
    `regular expression refused: ${problem}`,
    advice.join("; ") || "write it in RE2 syntax, which has no look-around and no back-references",
  );
}
