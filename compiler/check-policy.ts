import type { Code } from "../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import type { Span } from "../diagnostics/source.ts";
import type { Ir, PlanException, PlanRule, Template } from "../engine/plan.ts";
import type { Expression } from "../rules/ast.ts";
import { type Constant, type Declared, type Environment, environmentOf } from "../rules/environment.ts";
import { message } from "../rules/fact-types.ts";
import { dyn, type Type } from "../rules/types.ts";
import { limits } from "../schema/limits.ts";
import type { RegexEngine } from "../schema/ports.ts";
import { citesMatch, explainMatch, isMatches } from "./captures.ts";
import { checkCondition, checkTemplatePart, type Polarity } from "./check/check.ts";
import { checkActions } from "./check-actions.ts";
import { checkExceptions, ownExceptions, type Waiver } from "./check-exceptions.ts";
import { checkBudget, checkSequence, labelsOf, reportLabel, type SessionCheck } from "./check-session.ts";
import { ConditionTable } from "./condition-table.ts";
import { parseCondition, type References } from "./parse/condition.ts";
import { parseTemplate } from "./parse/template.ts";
import type { TypedPolicy } from "./plan.ts";
import type { ExceptionDraft, RuleDraft, TextDraft } from "./policy-draft.ts";
import { policyName } from "./policy-name.ts";
import { reportAuditWithoutTrust, withoutTrust } from "./project-trust.ts";
import type { ResolvedPolicy } from "./resolve.ts";
import { scalarSource } from "./yaml-node.ts";

/** A checked policy: typed where it was right, with findings where it was not. */
export type CheckedResult = Omit<TypedPolicy, "digest"> & { readonly diagnostics: readonly Diagnostic[] };

/**
 * Names and types of one policy: every condition, text and action becomes typed IR, or a finding. `all` are the policies
 * of the plan, this one among them: exceptions may reach into others, and labels are shared. Total.
 */
export function checkPolicy(
  resolved: ResolvedPolicy,
  all: readonly ResolvedPolicy[],
  regex: RegexEngine,
): CheckedResult {
  const checker = new PolicyChecker(resolved, all, regex);
  return checker.run();
}

/** What binds names in one place of a rule. */
interface Place {
  readonly environment: Environment;
  /** What texts can see: `match` as well, where the rule's `when` has a `matches`. */
  readonly texts: Environment;
  readonly key: string;
}

class PolicyChecker {
  readonly #resolved: ResolvedPolicy;
  readonly #all: readonly ResolvedPolicy[];
  readonly #regex: RegexEngine;
  readonly #diagnostics = new Map<string, Diagnostic>();
  readonly #conditions: ConditionTable;
  readonly #declared: Declared;
  readonly #references: References;

  constructor(resolved: ResolvedPolicy, all: readonly ResolvedPolicy[], regex: RegexEngine) {
    this.#resolved = resolved;
    this.#all = all;
    this.#regex = regex;
    const { draft } = resolved;
    this.#conditions = new ConditionTable(
      draft,
      (expression, environment, polarity, negated) => this.#condition(expression, environment, polarity, negated),
      policyName(resolved, all),
    );
    this.#references = {
      parameters: new Set(draft.parameters.keys()),
      lists: new Set(draft.lists.keys()),
      conditions: new Set(draft.conditions.keys()),
    };
    this.#declared = {
      parameters: new Map(
        [...draft.parameters].map(([name, p]) => [
          name,
          { type: parameterTypes[p.type] ?? dyn, value: constantOf(resolved, name) },
        ]),
      ),
      lists: new Map([...draft.lists]),
    };
  }

  run(): CheckedResult {
    const { draft, overrides } = this.#resolved;
    this.#reportGraph();
    if (!this.#resolved.trusted) reportAuditWithoutTrust(draft, (...given) => this.#report(...given));
    const rules = draft.rules
      .map((rule) => this.#rule(rule))
      .filter((rule) => rule.actions.length > 0 && (overrides.get(rule.id)?.enabled ?? rule.enabled));
    const waivers = this.#waivers();
    return {
      resolved: this.#resolved,
      conditions: this.#conditions.checked,
      rules: rules.map(({ enabled: _enabled, ...rule }) => rule),
      waivers,
      diagnostics: [...this.#diagnostics.values()],
    };
  }

  #reportGraph(): void {
    const { conditions, span } = this.#resolved.draft;
    const circle = this.#conditions.findCircle();
    if (circle !== undefined)
      this.#report(
        "HW310",
        conditions.get(circle)?.span ?? span,
        `condition \`${circle}\` refers to itself`,
        "take the reference out, directly or through the conditions between",
      );
    const deep = this.#conditions.findTooDeep();
    if (deep !== undefined)
      this.#report(
        "HW203",
        conditions.get(deep)?.span ?? span,
        `condition \`${deep}\` nests deeper than ${limits.conditionDepth} levels with the conditions it refers to`,
        "refer to fewer conditions in a row",
      );
  }

  /** A finding once: a condition that two rules use is checked for each. */
  #add(d: Diagnostic): void {
    const key = `${d.code} ${d.span.start} ${d.span.end} ${d.message}`;
    if (!this.#diagnostics.has(key)) this.#diagnostics.set(key, d);
  }

  #report(code: Code, span: Span, message: string, help: string): void {
    this.#add(diagnostic(code, this.#resolved.draft.source, span, message, help));
  }

  #rule(draft: RuleDraft): Omit<PlanRule, "policy" | "position"> & { readonly enabled: boolean } {
    const override = this.#resolved.overrides.get(draft.id);
    const each = draft.each && this.#each(draft, draft.each);
    const place = this.#place(draft, each && { name: each.name, type: each.type });
    const needs = { shell: each?.needs ?? false };
    const typed = (expression: Expression | undefined, polarity: Polarity): Ir | undefined => {
      if (!expression) return undefined;
      const result = this.#condition(expression, place.environment, polarity, false);
      needs.shell ||= result.needs;
      return result.ir;
    };
    // What an allow waves through must hold for certain; every other action sees what is only possible as well.
    const polarity: Polarity = draft.actions.some((action) => action.name === "allow") ? "allow" : "block";
    const when = typed(draft.when, polarity);
    const unless = typed(draft.unless, "allow");
    const session = this.#session(draft, place);
    const written = this.#actions(draft, place, each && { name: each.name, type: each.type });
    const actions = this.#resolved.trusted
      ? written
      : withoutTrust(draft, written, (code, span, text, help) => this.#report(code, span, text, help));
    if (draft.reason === undefined && actions.some((a) => a.action === "block" || a.action === "ask")) {
      this.#report(
        "HW603",
        draft.span,
        `rule \`${draft.id}\` decides without a reason`,
        "add `reason:`, so that the model and the human know why",
      );
    }
    this.#reportUserBash(draft);
    const reason = draft.reason && this.#text(draft.reason, place);
    const guidance = draft.guidance && this.#text(draft.guidance, place);
    const texts = [reason, guidance, ...actions.flatMap((action) => Object.values(action.templates ?? {}))];
    return {
      id: draft.id,
      enabled: draft.enabled,
      title: draft.title,
      severity: override?.severity ?? draft.severity,
      tags: draft.tags,
      mode: override?.mode ?? draft.mode ?? this.#resolved.mode,
      events: draft.events,
      tools: draft.tools,
      ...(each?.ir && { each: { name: each.name, slot: 0, list: each.ir } }),
      ...(when && { when }),
      ...(unless && { unless }),
      ...session,
      needs: needs.shell,
      actions,
      ...(reason && { reason }),
      ...(guidance && { guidance }),
      ...(place.texts !== place.environment && texts.some(citesMatch) && { captures: true as const }),
      exceptions: this.#exceptions(draft, place.environment),
      at: [draft.span.start, draft.span.end],
    };
  }

  /** The session rules of a rule: items in environments of their own, the amount in that of the rule. */
  #session(draft: RuleDraft, place: Place): Pick<PlanRule, "sequence" | "budget"> {
    const check: SessionCheck = {
      report: (code, span, text, help) => this.#report(code, span, text, help),
      itemCondition: (item) => {
        const key = JSON.stringify([item.events, item.tools]);
        const declared = { ...this.#declared, conditions: this.#conditions.named(key) };
        const environment = environmentOf(item.events, item.tools, declared);
        return item.when ? this.#condition(item.when, environment, "block", false) : { ir: undefined, needs: false };
      },
      amount: (expression) => {
        const result = checkCondition(expression, place.environment, {
          source: this.#resolved.draft.source,
          polarity: "block",
          regex: this.#regex,
          expect: dyn,
        });
        for (const d of result.diagnostics) this.#add(d);
        const { kind } = result.type;
        if (!["list", "int", "dyn"].includes(kind) && result.diagnostics.length === 0)
          this.#report(
            "HW304",
            expression.span,
            "`of` counts a list or is a whole number",
            "write e.g. `effects.pushes`",
          );
        this.#conditions.require(result.uses, place.environment);
        return result.ir;
      },
    };
    return {
      ...(draft.sequence && { sequence: checkSequence(draft.sequence, check) }),
      ...(draft.budget && { budget: checkBudget(draft.budget, check) }),
    };
  }

  #place(draft: RuleDraft, each: Declared["each"]): Place {
    const key = JSON.stringify([draft.events, draft.tools, each?.name, each && typeKey(each.type)]);
    const conditions = this.#conditions.named(key);
    const declared = { ...this.#declared, conditions, ...(each && { each }) };
    const environment = environmentOf(draft.events, draft.tools, declared);
    const cites = draft.when !== undefined && this.#conditions.partsOf(draft.when).some(isMatches);
    const texts = cites ? environmentOf(draft.events, draft.tools, { ...declared, match: true }) : environment;
    return { key, environment, texts };
  }

  #each(
    draft: RuleDraft,
    each: { readonly name: string; readonly list: Expression },
  ): { name: string; type: Type; ir: Ir | undefined; needs: boolean } {
    const { environment } = this.#place(draft, undefined);
    if (environment.variables.has(each.name))
      this.#report(
        "HW401",
        each.list.span,
        `\`${each.name}\` is already a name of this event`,
        "choose another name for the element",
      );
    const result = checkCondition(each.list, environment, {
      source: this.#resolved.draft.source,
      polarity: "block",
      regex: this.#regex,
      expect: { kind: "list", element: dyn },
    });
    for (const d of result.diagnostics) this.#add(d);
    return {
      name: each.name,
      type: result.type.kind === "list" ? result.type.element : dyn,
      ir: result.ir,
      needs: result.needs,
    };
  }

  #condition(
    expression: Expression,
    environment: Environment,
    polarity: Polarity,
    negated: boolean,
  ): { ir: Ir | undefined; needs: boolean } {
    const result = checkCondition(expression, environment, {
      source: this.#resolved.draft.source,
      polarity,
      negated,
      regex: this.#regex,
    });
    for (const d of result.diagnostics) this.#add(explainMatch(d, "condition"));
    this.#conditions.require(result.uses, environment);
    return result;
  }

  #text(text: TextDraft, { environment, texts }: Place): Template {
    return text.map((part) => {
      if (typeof part === "string") return part;
      const result = checkTemplatePart(part, texts, {
        source: this.#resolved.draft.source,
        polarity: "block",
        regex: this.#regex,
      });
      for (const d of result.diagnostics) this.#add(explainMatch(d, "text"));
      this.#conditions.require(result.uses, environment);
      return result.ir ? { expr: result.ir } : "";
    });
  }

  #actions(draft: RuleDraft, place: Place, each: Declared["each"]): PlanRule["actions"] {
    const { source, conditions } = this.#resolved.draft;
    const labels = labelsOf(this.#all.map((policy) => policy.draft));
    return checkActions(draft, {
      source,
      regex: this.#regex,
      scope: this.#resolved.scope,
      taints: { labels, conditions },
      report: (code, span, text, help) => this.#report(code, span, text, help),
      label: (name, span) =>
        reportLabel(name, span, labels, (code, at, text, help) => this.#report(code, at, text, help)),
      template: (node) => {
        const { parts, diagnostics } = parseTemplate(scalarSource(source, node));
        for (const d of diagnostics) this.#add(d);
        return this.#text(parts, place);
      },
      messageCondition: (node) => {
        const { expression, diagnostics } = parseCondition(source, node, this.#references);
        for (const d of diagnostics) this.#add(d);
        // The message has a slot of its own also where the rule has no `each`: a placeholder that no author can name takes the first.
        const environment = environmentOf(draft.events, draft.tools, {
          ...this.#declared,
          conditions: this.#conditions.named(`${place.key}+message`),
          each: each ?? { name: "", type: dyn },
          extra: [{ name: "message", type: message, doc: "The message that is judged." }],
        });
        return this.#condition(expression, environment, "block", false).ir;
      },
    });
  }

  /** Exceptions of this policy that name the rule, typed in the rule's own environment. */
  #exceptions(draft: RuleDraft, environment: Environment): PlanException[] {
    return ownExceptions(this.#resolved, draft.id).map((exception) => this.#exception(exception, environment));
  }

  #exception({ when, expires, reason }: ExceptionDraft, environment: Environment): PlanException {
    return { when: when && this.#condition(when, environment, "allow", false).ir, expires, reason };
  }

  /** Exceptions for rules of other policies: in their environment, but with the names of this policy. */
  #waivers(): Waiver[] {
    return checkExceptions({
      own: this.#resolved,
      all: this.#all,
      report: (code, span, text, help) => this.#report(code, span, text, help),
      type: (exception, rule, policy) => {
        const each = rule.each && {
          name: rule.each.name,
          type: new PolicyChecker(policy, this.#all, this.#regex).elementOf(rule),
        };
        return this.#exception(exception, this.#place(rule, each).environment);
      },
    });
  }

  /** The type of what the rule's `each` binds, for exceptions of other policies. */
  elementOf(rule: RuleDraft): Type {
    return rule.each ? this.#each(rule, rule.each).type : dyn;
  }

  #reportUserBash(draft: RuleDraft): void {
    const guards = draft.actions.some((a) => a.name === "block");
    if (
      !guards ||
      !draft.events.includes("tool_call") ||
      draft.events.includes("user_bash") ||
      !draft.tools.includes("bash")
    )
      return;
    this.#report(
      "HW601",
      draft.span,
      `rule \`${draft.id}\` blocks bash but not the human's own commands`,
      "add `user_bash` to `event`, or `*` to `tool` if it is meant for the agent only",
    );
  }
}

function constantOf(resolved: ResolvedPolicy, name: string): Constant {
  return (resolved.parameters.get(name) ?? null) as Constant;
}

const parameterTypes: Readonly<Record<string, Type>> = {
  string: { kind: "string" },
  int: { kind: "int" },
  bool: { kind: "bool" },
  "list(string)": { kind: "list", element: { kind: "string" } },
  "list(int)": { kind: "list", element: { kind: "int" } },
};

function typeKey(type: Type): string {
  return type.kind === "record" ? type.name : type.kind === "list" ? `list(${typeKey(type.element)})` : type.kind;
}
