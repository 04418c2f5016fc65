import type { Code } from "../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import type { Span } from "../diagnostics/source.ts";
import type { Ir, PlanException, PlanRule, Template } from "../engine/plan.ts";
import { spend } from "../facts/meter.ts";
import type { Expression } from "../rules/ast.ts";
import { type Declared, type Environment, environmentOf } from "../rules/environment.ts";
import { message } from "../rules/fact-types.ts";
import { dyn, type Type, typeKey } from "../rules/types.ts";
import { limits } from "../schema/limits.ts";
import type { RegexEngine } from "../schema/ports.ts";
import { citesMatch, explainMatch, explainPart, isMatches, missingGroup, mostGroups, namedGroups } from "./captures.ts";
import { checkCondition, checkTemplatePart, type Polarity } from "./check/check.ts";
import { checkActions } from "./check-actions.ts";
import { checkExceptions, ownExceptions, type Waiver } from "./check-exceptions.ts";
import { checkBudget, checkSequence, labelKinds, reportLabel, type SessionCheck } from "./check-session.ts";
import { checkTools, reportUserBash } from "./check-tools.ts";
import { ConditionTable } from "./condition-table.ts";
import { declaredBy } from "./declared.ts";
import { checkAllNever } from "./never/never.ts";
import { outlineOf, type PolicyOutline } from "./outline.ts";
import { parseCondition, type References } from "./parse/condition.ts";
import { parseTemplate } from "./parse/template.ts";
import type { TypedPolicy } from "./plan.ts";
import type { ExceptionDraft, RuleDraft, TextDraft } from "./policy-draft.ts";
import { policyName } from "./policy-name.ts";
import { reportAuditWithoutTrust, textWithoutTrust, withoutTrust } from "./project-trust.ts";
import type { ResolvedPolicy } from "./resolve.ts";
import { scalarSource } from "./yaml-node.ts";

/** A checked policy: typed where it was right, with findings where it was not. */
export type CheckedResult = Omit<TypedPolicy, "digest"> & { readonly diagnostics: readonly Diagnostic[] };

/**
 * Names and types of one policy: every condition, text and action becomes typed IR, or a finding. `all` are the policies
 * of the plan, this one among them: exceptions may reach into others, and labels are shared. `base` are others of stronger
 * scopes that are compiled already. Total.
 */
export function checkPolicy(
  resolved: ResolvedPolicy,
  all: readonly ResolvedPolicy[],
  regex: RegexEngine,
  base: readonly PolicyOutline[] = [],
): CheckedResult {
  const checker = new PolicyChecker(resolved, all, regex, base);
  return checker.run();
}

/** Environments that bind names in one place of a rule; that of texts has `match` where its `when` has a `matches`. */
interface Place {
  readonly environment: Environment;
  readonly texts: Environment;
  /** Most groups that `match` can have in texts, undefined where that is not known, and the numbers of those with a name. */
  readonly groups: number | undefined;
  readonly names: ReadonlyMap<string, number>;
  readonly key: string;
}

class PolicyChecker {
  readonly #resolved: ResolvedPolicy;
  readonly #all: readonly ResolvedPolicy[];
  readonly #regex: RegexEngine;
  readonly #base: readonly PolicyOutline[];
  #labels: ReturnType<typeof labelKinds> | undefined;
  readonly #diagnostics = new Map<string, Diagnostic>();
  /** The typed parts of the rules. */
  readonly #seen: TypedPolicy["rules"][number][] = [];
  readonly #conditions: ConditionTable;
  readonly #declared: Declared;
  readonly #references: References;

  constructor(
    resolved: ResolvedPolicy,
    all: readonly ResolvedPolicy[],
    regex: RegexEngine,
    base: readonly PolicyOutline[],
  ) {
    // Also made once for each rule of another policy that an exception reaches.
    spend(resolved.draft.conditions.size + resolved.draft.parameters.size + resolved.draft.lists.size);
    this.#resolved = resolved;
    this.#all = all;
    this.#regex = regex;
    this.#base = base;
    const { draft } = resolved;
    this.#conditions = new ConditionTable(
      draft,
      (expression, environment, polarity, negated) => this.#condition(expression, environment, polarity, negated),
      policyName(resolved, all, base),
    );
    this.#references = {
      parameters: new Set(draft.parameters.keys()),
      lists: new Set(draft.lists.keys()),
      conditions: new Set(draft.conditions.keys()),
    };
    this.#declared = declaredBy(resolved, all, base);
  }

  run(): CheckedResult {
    const { draft, overrides } = this.#resolved;
    this.#reportGraph();
    if (!this.#resolved.trusted) reportAuditWithoutTrust(draft, (...given) => this.#report(...given));
    const rules = draft.rules
      .map((rule) => this.#rule(rule))
      .filter((rule) => rule.actions.length > 0 && (overrides.get(rule.id)?.enabled ?? rule.enabled));
    reportUserBash(draft.rules, (...given) => this.#report(...given));
    const waivers = this.#waivers();
    const seen = { rules: this.#seen, conditions: this.#conditions.seen };
    checkAllNever(seen, draft.source, this.#regex, (...given) => this.#report(...given), waivers);
    return {
      resolved: this.#resolved,
      conditions: this.#conditions.checked,
      rules: rules.map(({ enabled: _enabled, ...rule }) => rule),
      waivers,
      seen,
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

  /** Adds a finding once, because a condition that two rules use is checked for each. */
  #add(d: Diagnostic): void {
    const key = `${d.code} ${d.span.start} ${d.span.end} ${d.message}`;
    if (!this.#diagnostics.has(key)) this.#diagnostics.set(key, d);
  }

  #report(code: Code, span: Span, message: string, help: string): void {
    spend(findingWork);
    this.#add(diagnostic(code, this.#resolved.draft.source, span, message, help));
  }

  #rule(draft: RuleDraft): Omit<PlanRule, "policy" | "position"> & { readonly enabled: boolean } {
    const override = this.#resolved.overrides.get(draft.id);
    const each = draft.each && this.#each(draft, draft.each);
    const place = this.#place(draft, each && { name: each.name, type: each.type });
    const needs = { shell: each?.needs ?? false };
    const seen: { when?: Ir; unless?: Ir } = {};
    const typed = (part: "when" | "unless", polarity: Polarity): Ir | undefined => {
      const expression = draft[part];
      if (!expression) return undefined;
      const result = this.#condition(expression, place.environment, polarity, false);
      needs.shell ||= result.needs;
      seen[part] = result.seen;
      return result.ir;
    };
    // The conditions of an `allow` must hold for certain; those of every other action also match what is only possible.
    const polarity: Polarity = draft.actions.some((action) => action.name === "allow") ? "allow" : "block";
    const when = typed("when", polarity);
    const unless = typed("unless", "allow");
    const session = this.#session(draft, place);
    const written = this.#actions(draft, place, each && { name: each.name, type: each.type });
    const actions = this.#resolved.trusted
      ? written
      : // Nobody who imports a shipped pack can change its text.
        withoutTrust(draft, written, (...given) => (this.#resolved.shipped ? undefined : this.#report(...given)));
    if (draft.reason === undefined && actions.some((a) => a.action === "block" || a.action === "ask")) {
      this.#report(
        "HW603",
        draft.span,
        `rule \`${draft.id}\` decides without a reason`,
        "add `reason:`, so that the model and the human know why",
      );
    }
    this.#reportTools(draft);
    const reason = this.#saying(draft.reason ? this.#text(draft.reason, place) : undefined, draft.title || draft.id);
    const guidance = this.#saying(draft.guidance && this.#text(draft.guidance, place));
    const texts = [reason, guidance, ...actions.flatMap((action) => Object.values(action.templates ?? {}))];
    const rule = {
      id: draft.id,
      enabled: draft.enabled,
      title: draft.title,
      severity: override?.severity ?? draft.severity,
      tags: draft.tags,
      mode: override?.mode ?? draft.mode ?? this.#resolved.mode,
      ...(draft.unsure && draft.unsure !== "ask" && { unsure: draft.unsure }),
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
      at: [draft.span.start, draft.span.end] as const,
    };
    this.#seen.push({ ...rule, ...seen });
    return rule;
  }

  /** Returns a text as readers see it. In an untrusted policy it says so; `instead` is used where the author gave none. */
  #saying(written: Template | undefined, instead?: string): Template | undefined {
    // A shipped pack's texts are ours, even if an untrusted policy imports it.
    if (this.#resolved.trusted || this.#resolved.shipped) return written;
    const text = written ?? (instead === undefined ? undefined : [instead]);
    return text && textWithoutTrust(text);
  }

  /** Checks the session parts of a rule: each item in its own environment, the amount in that of the rule. */
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
    spend(placeWork);
    const key = JSON.stringify([draft.events, draft.tools, each?.name, each && typeKey(each.type)]);
    const conditions = this.#conditions.named(key);
    const declared = { ...this.#declared, conditions, ...(each && { each }) };
    const environment = environmentOf(draft.events, draft.tools, declared);
    const parts = draft.when ? this.#conditions.partsOf(draft.when) : [];
    const cites = parts.some(isMatches);
    const texts = cites ? environmentOf(draft.events, draft.tools, { ...declared, match: true }) : environment;
    return { key, environment, texts, groups: cites ? mostGroups(parts) : undefined, names: namedGroups(parts) };
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
  ): { ir: Ir | undefined; seen: Ir; needs: boolean } {
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

  #text(text: TextDraft, { environment, texts, groups, names }: Place): Template {
    return text.map((part) => {
      if (typeof part === "string") return part;
      const result = checkTemplatePart(part, texts, {
        source: this.#resolved.draft.source,
        polarity: "block",
        regex: this.#regex,
      });
      for (const d of explainPart(part, result.diagnostics, names)) this.#add(d);
      this.#conditions.require(result.uses, environment);
      const missing = result.ir && groups !== undefined ? missingGroup(result.ir, groups) : undefined;
      if (missing) this.#report("HW313", part.span, ...missing);
      return result.ir ? { expr: result.ir } : "";
    });
  }

  #actions(draft: RuleDraft, place: Place, each: Declared["each"]): PlanRule["actions"] {
    const { source, conditions } = this.#resolved.draft;
    this.#labels ??= labelKinds([...this.#base, ...this.#all.map(outlineOf)].map((policy) => policy.labels));
    const labels = this.#labels;
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
      base: this.#base,
      report: (code, span, text, help) => this.#report(code, span, text, help),
      type: (exception, rule, policy) => {
        const each = rule.each && {
          name: rule.each.name,
          type: new PolicyChecker(policy, this.#all, this.#regex, this.#base).elementOf(rule),
        };
        return this.#exception(exception, this.#place(rule, each).environment);
      },
    });
  }

  /** Returns the type of the variable that the rule's `each` binds, for exceptions of other policies. */
  elementOf(rule: RuleDraft): Type {
    return rule.each ? this.#each(rule, rule.each).type : dyn;
  }

  #reportTools({ matchers, sequence }: RuleDraft): void {
    const all = [...matchers, ...(sequence?.items.flatMap((item) => item.matchers) ?? [])];
    checkTools(all, this.#declared.tools ?? new Set(), (...given) => this.#report(...given));
  }
}

/** Cost of a finding, with the names that its help line searches, in units of work. */
const findingWork = 100;
/** Cost of a rule's environment, in units of work: every variable of its events is bound anew. */
const placeWork = 50;
