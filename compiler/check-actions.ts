import { didYouMean, didYouMeanWord } from "../diagnostics/suggest.ts";
import type { Ir, Json, PlanAction, Template } from "../engine/plan.ts";
import { type ActionShape, actionShapes } from "../rules/actions/about.ts";
import type { EventName } from "../schema/events.ts";
import { type ActionCheck, lowerFirst } from "./action-check.ts";
import { checkActionUse } from "./check-action-use.ts";
import { isText, templatesOf, valueOf } from "./check-parameters.ts";
import type { ActionDraft, RuleDraft } from "./policy-draft.ts";

/** Actions of a rule → plan actions: known, possible on the rule's events, parameters of the right types. */
export function checkActions(draft: RuleDraft, check: ActionCheck): PlanAction[] {
  return draft.actions.flatMap((action) => {
    const shape = Object.hasOwn(actionShapes, action.name) ? actionShapes[action.name] : undefined;
    if (!shape) {
      check.report(
        "HW105",
        action.span,
        `unknown action \`${action.name}\``,
        didYouMeanWord(action.name, Object.keys(actionShapes)),
      );
      return [];
    }
    reportEvents(draft.events, action, shape, check);
    checkActionUse(draft, action, check);
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

/** Keys of a rule that authors give to its action. */
const ruleKeys: ReadonlySet<string> = new Set([
  "reason",
  "guidance",
  "severity",
  "when",
  "unless",
  "title",
  "tool",
  "event",
]);

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
        ruleKeys.has(entry.key)
          ? `write \`${entry.key}\` beside \`action\`, as a key of the rule`
          : didYouMean(
              entry.key,
              shape.parameters.map((p) => p.name),
            ),
      );
      continue;
    }
    if (parameter.type === "template" && isText(entry.value)) {
      templates[parameter.name] = check.template(entry.value);
      parameters[parameter.name] = true;
    } else if (parameter.type === "templates") {
      const constants = templatesOf(action.name, parameter, entry.value, templates, check);
      if (constants !== undefined) parameters[parameter.name] = constants;
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
