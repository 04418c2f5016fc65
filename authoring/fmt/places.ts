import { type ConditionUse, checkCondition, checkTemplatePart, type Polarity } from "../../compiler/check/check.ts";
import { parseCondition, type References } from "../../compiler/parse/condition.ts";
import type { ExceptionDraft, RuleDraft } from "../../compiler/policy-draft.ts";
import type { ResolvedPolicy } from "../../compiler/resolve.ts";
import { child, entry, type YamlEntry, type YamlNode } from "../../compiler/yaml-node.ts";
import { actionShapes } from "../../rules/actions/about.ts";
import type { Expression } from "../../rules/ast.ts";
import { type Constant, type Declared, type Environment, environmentOf } from "../../rules/environment.ts";
import { message, parameterType } from "../../rules/fact-types.ts";
import { dyn } from "../../rules/types.ts";
import type { PolicyDocument } from "./document.ts";
import { type Scope, triedPatterns } from "./scope.ts";

/** A condition of a policy: its key and value in the file, and every place that judges it. */
export interface ConditionPlace {
  readonly entry: YamlEntry;
  readonly scopes: readonly Scope[];
}

/**
 * Returns the conditions of a policy that compiles: `when` and `unless` of rules, `where` of actions, `when` of exceptions,
 * and the named ones with the rules that use them. An unused condition has no place.
 */
export function conditionPlaces(document: PolicyDocument, policy: ResolvedPolicy): ConditionPlace[] {
  return new PlaceFinder(document, policy).find();
}

/** Returns the names that `$name` may refer to in a policy. */
export function referencesOf({ draft }: ResolvedPolicy): References {
  const { parameters, lists, conditions } = draft;
  return {
    parameters: new Set(parameters.keys()),
    lists: new Set(lists.keys()),
    conditions: new Set(conditions.keys()),
  };
}

class PlaceFinder {
  readonly #document: PolicyDocument;
  readonly #policy: ResolvedPolicy;
  readonly #references: References;
  readonly #declared: Declared;
  readonly #places: ConditionPlace[] = [];
  readonly #named = new Map<string, Scope[]>();
  readonly #environments = new Map<RuleDraft, Environment>();
  readonly #seen = new Set<string>();

  constructor(document: PolicyDocument, policy: ResolvedPolicy) {
    this.#document = document;
    this.#policy = policy;
    this.#references = referencesOf(policy);
    const { draft, parameters } = policy;
    this.#declared = {
      parameters: new Map(
        [...draft.parameters].map(([name, { type }]) => [
          name,
          { type: parameterType(type) ?? dyn, value: (parameters.get(name) ?? null) as Constant },
        ]),
      ),
      lists: new Map([...draft.lists]),
      conditions: new Map([...draft.conditions.keys()].map((name) => [name, { id: name, needs: false }])),
    };
  }

  find(): ConditionPlace[] {
    const { draft } = this.#policy;
    const { root } = this.#document;
    const rules = itemsOf(child(root, "rules")).filter((node) => node.kind === "map");
    for (const [i, rule] of draft.rules.entries()) this.#rule(rule, rules[i]);
    const exceptions = itemsOf(child(root, "exceptions"));
    for (const [i, exception] of draft.exceptions.entries()) this.#exception(exception, exceptions[i]);
    const conditions = child(root, "conditions");
    for (const [name, scopes] of this.#named) {
      const named = entry(conditions, name);
      if (named) this.#places.push({ entry: named, scopes });
    }
    return this.#places;
  }

  #rule(rule: RuleDraft, node: YamlNode | undefined): void {
    const each = this.#each(rule);
    const environment = environmentOf(rule.events, rule.tools, { ...this.#declared, ...(each && { each }) });
    this.#environments.set(rule, environment);
    const polarity: Polarity = rule.actions.some(({ name }) => name === "allow") ? "allow" : "block";
    this.#add(entry(node, "when"), [this.#scope(environment, polarity)]);
    this.#add(entry(node, "unless"), [this.#scope(environment, "allow")]);
    this.#texts(rule, environment);
    const sees = environmentOf(rule.events, rule.tools, {
      ...this.#declared,
      each: each ?? { name: "", type: dyn },
      extra: [{ name: "message", type: message }],
    });
    for (const where of conditionParameters(child(node, "action"))) this.#add(where, [this.#scope(sees, "block")]);
  }

  #each(rule: RuleDraft): Declared["each"] {
    if (!rule.each) return undefined;
    const environment = environmentOf(rule.events, rule.tools, this.#declared);
    const { type } = checkCondition(rule.each.list, environment, {
      ...this.#scope(environment, "block"),
      expect: { kind: "list", element: dyn },
    });
    return { name: rule.each.name, type: type.kind === "list" ? type.element : dyn };
  }

  /** Notes conditions in texts, which may name them as well. */
  #texts(rule: RuleDraft, environment: Environment): void {
    for (const part of [...(rule.reason ?? []), ...(rule.guidance ?? [])]) {
      if (typeof part === "string") continue;
      const scope = this.#scope(environment, "block");
      this.#used(checkTemplatePart(part, environment, scope).uses, scope);
    }
  }

  #exception(exception: ExceptionDraft, node: YamlNode | undefined): void {
    const rules = this.#policy.draft.rules.filter((rule) =>
      exception.rules.some(({ glob }) => matchesGlob(glob, rule.id)),
    );
    const environments = rules.flatMap((rule) => this.#environments.get(rule) ?? []);
    this.#add(
      entry(node, "when"),
      environments.map((environment) => this.#scope(environment, "allow")),
    );
  }

  #add(found: YamlEntry | undefined, scopes: readonly Scope[]): void {
    if (!found) return;
    this.#places.push({ entry: found, scopes });
    for (const scope of scopes) this.#check(this.#parsed(found.value), scope);
  }

  #parsed(node: YamlNode): Expression {
    return parseCondition(this.#document.source, node, this.#references).expression;
  }

  #check(expression: Expression, scope: Scope): void {
    this.#used(checkCondition(expression, scope.environment, scope).uses, scope);
  }

  /** Notes uses of named conditions, and the conditions that those use in turn. Ends, since each is followed once for each place. */
  #used(uses: readonly ConditionUse[], { environment }: Scope): void {
    for (const { name, ir, polarity, negated } of uses) {
      const named = entry(child(this.#document.root, "conditions"), name);
      const key = JSON.stringify([this.#environmentKey(environment), ir]);
      if (!named || this.#seen.has(key)) continue;
      this.#seen.add(key);
      const scope = { ...this.#scope(environment, polarity), negated };
      this.#named.set(name, [...(this.#named.get(name) ?? []), scope]);
      this.#check(this.#parsed(named.value), scope);
    }
  }

  readonly #keys = new Map<Environment, number>();

  #environmentKey(environment: Environment): number {
    const known = this.#keys.get(environment);
    if (known !== undefined) return known;
    this.#keys.set(environment, this.#keys.size);
    return this.#keys.size - 1;
  }

  #scope(environment: Environment, polarity: Polarity): Scope {
    return { environment, polarity, negated: false, source: this.#document.source, regex: triedPatterns };
  }
}

function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === "list" ? node.items : [];
}

/** Returns the entries under the actions of a rule that hold conditions, such as `where` of `drop`. */
function conditionParameters(node: YamlNode | undefined): YamlEntry[] {
  const actions = node?.kind === "list" ? node.items : node ? [node] : [];
  return actions.flatMap((action) => {
    const [only] = action.kind === "map" ? action.entries : [];
    const shape = only && Object.hasOwn(actionShapes, only.key) ? actionShapes[only.key] : undefined;
    if (!only || !shape || only.value.kind !== "map") return [];
    const names = shape.parameters.filter(({ type }) => type === "condition").map(({ name }) => name);
    return only.value.entries.filter(({ key }) => names.includes(key));
  });
}

/** Matches a rule id against an id or a glob with `*`, part by part from the left. */
function matchesGlob(glob: string, id: string): boolean {
  const [first = "", ...rest] = glob.split("*");
  const last = rest.pop();
  if (last === undefined) return glob === id;
  if (!id.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return id.length - last.length >= at && id.endsWith(last);
}
