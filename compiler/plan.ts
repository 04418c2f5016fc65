import type { At, Ir, Json, Plan, PlanException, PlanPolicy, PlanRule, Template } from "../engine/plan.ts";
import { spend } from "../facts/meter.ts";
import { engineVersion } from "../schema/version.ts";
import { constantSize } from "./allowance.ts";
import type { Waiver } from "./check-exceptions.ts";
import type { PlanBase } from "./plan-base.ts";
import { planDeclared } from "./plan-declared.ts";
import { inOrder, policyName, ruleName, standInFile } from "./policy-name.ts";
import { auditWithoutTrust } from "./project-trust.ts";
import type { ResolvedPolicy } from "./resolve.ts";

/** A policy whose rules and conditions are typed IR. */
export interface TypedPolicy {
  readonly resolved: ResolvedPolicy;
  /** By the name of each variant in the plan. */
  readonly conditions: ReadonlyMap<string, Ir>;
  /** Enabled rules, in the author's order; `policy` and `position` are given here. */
  readonly rules: readonly Omit<PlanRule, "policy" | "position">[];
  /** Exceptions for rules of other policies. */
  readonly waivers: readonly Waiver[];
  /** The typed parts of rules and conditions; a constant replaces each part with an error. */
  readonly seen: Pick<TypedPolicy, "rules" | "conditions">;
  /** Digest of the file's bytes, `sha256:…`. */
  readonly digest: string;
}

/** Ports through which the plan is made. */
export interface PlanPorts {
  /** SHA-256 of a value's canonical JSON, `sha256:…`. */
  digest(value: unknown): string;
  readonly tables: Readonly<Record<string, string>>;
  /** Runs the work on one policy; undefined where it costs too much, and then the plan must not be used. */
  within?<T>(policy: ResolvedPolicy, work: () => T): T | undefined;
}

/**
 * Makes a plan of typed policies: in judging order (scope, policy id, position; never load order), with parameters and lists
 * inlined as constants and a digest over everything. Plain JSON (semantics section 3, step 2). Policies in `base` come before
 * them.
 */
export function makePlan(typed: readonly TypedPolicy[], ports: PlanPorts, base?: PlanBase): Plan {
  const place = new Map(inOrder(typed.map(({ resolved }) => resolved)).map((resolved, i) => [resolved, i]));
  const ordered = [...typed].sort((a, b) => (place.get(a.resolved) ?? 0) - (place.get(b.resolved) ?? 0));
  const parts: PlanPart[] = [];
  for (const [i, one] of ordered.entries()) {
    const name = policyName(one.resolved, [...place.keys()], base?.outline);
    const at = (base?.plan.policies.length ?? 0) + i;
    const make = (): PlanPart => partOf(one, name, at, ordered);
    const part = ports.within ? ports.within(one.resolved, make) : make();
    if (part) parts.push(part);
  }
  const declared = planDeclared(
    ordered.map(({ resolved }) => resolved),
    base?.plan.declared,
  );
  const body = {
    format: 1 as const,
    engine: engineVersion,
    tables: { ...ports.tables },
    ...(declared && { declared }),
    policies: [...(base?.plan.policies ?? []), ...parts.map(({ policy }) => policy)],
    conditions: Object.fromEntries([
      ...Object.entries(base?.plan.conditions ?? {}),
      ...parts.flatMap(({ conditions }) => conditions),
    ]),
    rules: [...(base?.plan.rules ?? []), ...parts.flatMap(({ rules }) => rules)],
  };
  return { ...body, digest: ports.digest(body) };
}

/** One policy's part of the plan. */
interface PlanPart {
  readonly policy: PlanPolicy;
  readonly conditions: readonly (readonly [name: string, ir: Ir])[];
  readonly rules: readonly PlanRule[];
}

function partOf(one: TypedPolicy, name: string, policy: number, ordered: readonly TypedPolicy[]): PlanPart {
  const { resolved, conditions, rules } = one;
  const constants = constantsOf(resolved);
  const named = [...conditions].sort(([a], [b]) => compare(a, b));
  return {
    policy: planPolicy(one, name),
    conditions: named.map(([condition, ir]) => [condition, substitute(ir, constants)]),
    rules: rules.map((rule, position) => {
      const placed = { ...rule, id: ruleName(rule.id, name), policy, position };
      const { exceptions, ...settled } = substituteRule(placed, constants);
      return { ...settled, exceptions: [...exceptions, ...waiversOf(resolved, rule.id, ordered)] };
    }),
  };
}

/** Exceptions of other policies for one rule, each with the constants of the policy that wrote it. */
function waiversOf(policy: ResolvedPolicy, rule: string, ordered: readonly TypedPolicy[]): PlanException[] {
  return ordered.flatMap(({ resolved, waivers }) => {
    spend(waivers.length);
    const own = waivers.filter((waiver) => waiver.policy === policy && waiver.rule === rule);
    const constants = constantsOf(resolved);
    return own.map(({ exception: { when, ...rest } }) => ({ ...rest, when: when && substitute(when, constants) }));
  });
}

function planPolicy({ resolved, digest }: TypedPolicy, name: string): PlanPolicy {
  const { draft, scope, mode } = resolved;
  return {
    id: name,
    scope,
    mode,
    // The substitute's texts are ours, although it asks on behalf of an untrusted project.
    ...((!resolved.trusted || draft.source.name === standInFile) && { untrusted: true as const }),
    default: draft.default,
    unknown: draft.unknown,
    ...(draft.labels.size > 0 && {
      labels: Object.fromEntries([...draft.labels].map(([name, { kind }]) => [name, kind])),
    }),
    audit: resolved.trusted ? draft.audit : auditWithoutTrust(draft.audit),
    source: digest,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Constants = ReadonlyMap<string, Json>;

function constantsOf(resolved: ResolvedPolicy): Constants {
  const constants = new Map<string, Json>();
  for (const [name, value] of resolved.parameters) constants.set(`parameters.${name}`, value);
  for (const [name, values] of resolved.draft.lists) constants.set(`lists.${name}`, values);
  return constants;
}

function substituteRule(rule: PlanRule, constants: Constants): PlanRule {
  const ir = (node: Ir): Ir => substitute(node, constants);
  const template = (t: Template): Template =>
    joinText(t.map((part) => (typeof part === "string" ? part : { expr: ir(part.expr) })));
  return {
    ...rule,
    ...(rule.each && { each: { ...rule.each, list: ir(rule.each.list) } }),
    ...(rule.when && { when: ir(rule.when) }),
    ...(rule.unless && { unless: ir(rule.unless) }),
    ...(rule.sequence && {
      sequence: {
        ...rule.sequence,
        items: rule.sequence.items.map((item) => ({ ...item, ...(item.when && { when: ir(item.when) }) })),
      },
    }),
    ...(rule.budget && { budget: { ...rule.budget, ...(rule.budget.of && { of: ir(rule.budget.of) }) } }),
    ...(rule.reason && { reason: template(rule.reason) }),
    ...(rule.guidance && { guidance: template(rule.guidance) }),
    exceptions: rule.exceptions.map((e) => ({ ...e, when: e.when && ir(e.when) })),
    actions: rule.actions.map((action) => ({
      ...action,
      ...(action.templates && { templates: mapValues(action.templates, template) }),
      ...(action.conditions && { conditions: mapValues(action.conditions, ir) }),
    })),
  };
}

function mapValues<T>(record: Readonly<Record<string, T>>, fn: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, fn(value)]));
}

/** Joins the author's own constants to the text around them, because they are text of the policy, not data of the call. */
function joinText(template: Template): Template {
  const parts: (string | { readonly expr: Ir })[] = [];
  for (const part of template) {
    const own =
      typeof part === "string"
        ? part
        : part.expr.k === "const" && typeof part.expr.value === "string"
          ? part.expr.value
          : undefined;
    const last = parts.at(-1);
    if (own === undefined) parts.push(part);
    else if (typeof last === "string") parts[parts.length - 1] = last + own;
    else parts.push(own);
  }
  return parts;
}

/** Replaces every `parameters.x` and `lists.x` by its constant. */
function substitute(ir: Ir, constants: Constants): Ir {
  spend(1);
  const at: { at?: At } = ir.at ? { at: ir.at } : {};
  if (ir.k === "field" && ir.of.k === "root") {
    const value = constants.get(`${ir.of.name}.${ir.name}`);
    if (value !== undefined) {
      // The plan contains it once for each use.
      spend(constantSize(value));
      return { k: "const", value, ...at };
    }
  }
  const inner = (node: Ir): Ir => substitute(node, constants);
  switch (ir.k) {
    case "field":
    case "has":
      return { ...ir, of: inner(ir.of) };
    case "index":
      return { ...ir, of: inner(ir.of), index: inner(ir.index) };
    case "call":
    case "and":
    case "or":
      return { ...ir, args: ir.args.map(inner) };
    case "not":
      return { ...ir, arg: inner(ir.arg) };
    case "if":
      return { ...ir, test: inner(ir.test), then: inner(ir.then), else: inner(ir.else) };
    case "list":
      return foldList({ ...ir, items: ir.items.map((item) => ({ ...item, value: inner(item.value) })) });
    case "map":
      return { ...ir, entries: ir.entries.map((e) => ({ ...e, key: inner(e.key), value: inner(e.value) })) };
    case "loop":
      return { ...ir, list: inner(ir.list), body: inner(ir.body), ...(ir.where && { where: inner(ir.where) }) };
    default:
      return ir;
  }
}

/** Turns a list of constants into a constant, so that patterns in it are prepared once. */
function foldList(ir: Ir & { readonly k: "list" }): Ir {
  const values: Json[] = [];
  for (const { value, optional } of ir.items) {
    if (optional || value.k !== "const" || value.type !== undefined) return ir;
    values.push(value.value);
  }
  return { k: "const", value: values, ...(ir.at && { at: ir.at }) };
}
