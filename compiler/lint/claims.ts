import type { Span } from "../../diagnostics/source.ts";
import { type Ir, type Json, reservedSlots } from "../../engine/plan.ts";
import type { Environment } from "../../rules/environment.ts";
import { message } from "../../rules/fact-types.ts";
import type { Type } from "../../rules/types.ts";
import type { TypedPolicy } from "../plan.ts";
import type { RuleDraft } from "../policy-draft.ts";
import { fieldOf, plainlyRead, type Slots, takenFrom, typeOf, writtenPath } from "./typing.ts";

/** Part of a rule that contains a condition. `unless` and `exception` waive, the others make the rule fire. */
export type Part = "when" | "unless" | "exception" | "action" | "condition";

/**
 * One test or comparison of a condition: `n.url.host: { host_in: [...] }` and `n.url.host.hostIn([...])` are the same claim.
 * Made from typed IR, so that both spellings and named values look alike.
 */
export interface Claim {
  /** The comparison or call itself. */
  readonly call: Ir;
  readonly part: Part;
  /** As YAML tests call it: `equals in contains starts_with ends_with glob matches host_in within is cidr lt …`; `size` for sizes. */
  readonly operator: string;
  readonly subject: Ir;
  readonly type: Type;
  /** Record and field of the subject, e.g. `url.host`, `command.program`, `tool.name`; undefined if it is no such field. */
  readonly field: string | undefined;
  /** The subject as an author writes it, e.g. `n.url.host`. */
  readonly path: string;
  /** The list of the call that the subject is, or that it takes elements of, e.g. `effects.writes`, with a filter or without one. */
  readonly list: string | undefined;
  /** How the subject is taken from its list: an element that `each` or a loop binds, one by its number, or the list as a whole. */
  readonly by: "bound" | "number" | "whole" | undefined;
  /** Constant operands: one, or the items of a list; undefined where the operand is computed. */
  readonly values: readonly Json[] | undefined;
  /** The constants are written at this very place, not in a list or parameter that it names. */
  readonly isWritten: boolean;
  /** The list or parameter that the constants come from, if the place of the operand is its name. */
  readonly source: string | undefined;
  /** Under an odd number of negations. */
  readonly negated: boolean;
  /** The whole test. */
  readonly span: Span;
  readonly operandSpan: Span;
}

/** Strings among the constants with their index. */
export function textValues(claim: Claim): readonly { readonly text: string; readonly index: number }[] {
  return (claim.values ?? []).flatMap((value, index) => (typeof value === "string" ? [{ text: value, index }] : []));
}

/** Parts of a policy that finding claims reads. */
export interface ClaimSource {
  textAt(span: Span): string;
  environmentOf(about: Pick<RuleDraft, "events" | "tools">): Environment;
}

/** Claims of one rule as typed, without those of its sequence, whose items are about other events. */
export function claimsOfRule(typed: TypedPolicy["rules"][number], source: ClaimSource): readonly Claim[] {
  const environment = source.environmentOf(typed);
  const slots: Slots = new Map();
  if (typed.each) {
    const list = typeOf(typed.each.list, environment, slots);
    if (list.kind === "list") slots.set(typed.each.slot, list.element);
  }
  const walker = new Walker(source, environment);
  if (typed.each) walker.bind(typed.each.slot, typed.each.list);
  const walk = (ir: Ir | undefined, part: Part): void => {
    if (ir) walker.walk(ir, slots, part, false);
  };
  walk(typed.when, "when");
  walk(typed.budget?.of, "when");
  walk(typed.unless, "unless");
  for (const { when } of typed.exceptions) walk(when, "exception");
  const withMessage = new Map(slots).set(reservedSlots.message, message);
  for (const { conditions } of typed.actions)
    for (const ir of Object.values(conditions ?? {})) walker.walk(ir, withMessage, "action", false);
  return walker.claims;
}

/** Claims of one condition where the rule's own names are bound, e.g. a named one as the rule uses it. */
export function claimsIn(
  ir: Ir,
  { each, ...rule }: Pick<TypedPolicy["rules"][number], "each" | "events" | "tools">,
  source: ClaimSource,
): readonly Claim[] {
  const environment = source.environmentOf(rule);
  const slots: Slots = new Map();
  const list = each && typeOf(each.list, environment, slots);
  if (each && list?.kind === "list") slots.set(each.slot, list.element);
  const walker = new Walker(source, environment);
  if (each) walker.bind(each.slot, each.list);
  walker.walk(ir, slots, "when", false);
  return walker.claims;
}

/** Claims of conditions that stand outside rules: named ones, with the names that every event has, and waivers. */
export function claimsOutsideRules({ conditions, waivers }: TypedPolicy, source: ClaimSource): readonly Claim[] {
  const walker = new Walker(source, source.environmentOf({ events: ["tool_call"], tools: [] }));
  for (const ir of conditions.values()) walker.walk(ir, new Map(), "condition", false);
  for (const { exception } of waivers) if (exception.when) walker.walk(exception.when, new Map(), "exception", false);
  return walker.claims;
}

/** Operator of each overload; the overload is named without the type before the dot. */
const operators: Readonly<Record<string, string>> = {
  equal: "equals",
  equals: "equals",
  equals_path: "equals",
  equals_url: "equals",
  path_equals: "equals",
  url_equals: "equals",
  in: "in",
  path_in: "in",
  less: "lt",
  less_equal: "le",
  greater: "gt",
  greater_equal: "ge",
  ...Object.fromEntries(
    [
      ...["contains", "contains_any", "contains_all", "starts_with", "ends_with", "glob", "matches", "cidr", "host_in"],
      ...["lookalike_of", "is", "within", "has_option"],
    ].flatMap((name) => [
      [name, name],
      [`${name}_any`, name],
      [`${name}_one`, name],
      [`${name}_path`, name],
      [`list_${name}`, name],
      [`path_${name}`, name],
    ]),
  ),
  contains_any: "contains_any",
};

const mirrored: Readonly<Record<string, string>> = { lt: "gt", le: "ge", gt: "lt", ge: "le" };

class Walker {
  readonly claims: Claim[] = [];
  readonly #source: ClaimSource;
  readonly #environment: Environment;
  /** Lists that variables go through, by slot. */
  readonly #lists = new Map<number, string>();

  constructor(source: ClaimSource, environment: Environment) {
    this.#source = source;
    this.#environment = environment;
  }

  /** Notes the list that a variable goes through. */
  bind(slot: number, list: Ir): void {
    const { list: name } = takenFrom(list, this.#lists);
    if (name === undefined) this.#lists.delete(slot);
    else this.#lists.set(slot, name);
  }

  /** Walks a condition. The checker has bounded its depth. */
  walk(ir: Ir, slots: Slots, part: Part, negated: boolean): void {
    const inner = (node: Ir): void => this.#operand(node, slots, part, negated);
    const truth = (node: Ir): void => this.walk(node, slots, part, negated);
    switch (ir.k) {
      case "and":
      case "or":
        ir.args.forEach(truth);
        return;
      case "not":
        this.walk(ir.arg, slots, part, !negated);
        return;
      case "if":
        [ir.test, ir.then, ir.else].forEach(truth);
        return;
      default:
        this.#alone(ir, slots, part, negated);
        inner(ir);
        return;
    }
  }

  /** Walks what is no truth by itself, or a test. */
  #operand(ir: Ir, slots: Slots, part: Part, negated: boolean): void {
    const inner = (node: Ir): void => this.#operand(node, slots, part, negated);
    switch (ir.k) {
      case "call":
        this.#call(ir, slots, part, negated);
        ir.args.forEach(inner);
        return;
      case "field":
      case "has":
        inner(ir.of);
        return;
      case "index":
        [ir.of, ir.index].forEach(inner);
        return;
      case "list":
        for (const { value } of ir.items) inner(value);
        return;
      case "map":
        for (const { value } of ir.entries) inner(value);
        return;
      case "loop":
        this.#loop(ir, slots, part, negated);
        return;
      case "and":
      case "or":
      case "not":
      case "if":
        this.walk(ir, slots, part, negated);
        return;
      default:
        return;
    }
  }

  /** A truth value that stands alone, such as `d.recursive`, is a test for `true`. */
  #alone(ir: Ir, slots: Slots, part: Part, negated: boolean): void {
    const span = spanOf(ir);
    if (!span || !this.#isTruth(ir, slots)) return;
    this.#claim(
      { call: ir, subject: ir, operator: "equals", values: [true], isWritten: true, span, operandSpan: span },
      slots,
      part,
      negated,
    );
  }

  /** Tells whether IR reads a truth value, with a default or without one. */
  #isTruth(ir: Ir, slots: Slots): boolean {
    if (ir.k === "field") return typeOf(ir, this.#environment, slots).kind === "bool";
    const fallback = ir.k === "call" && ir.fn === "optional.or_value" ? ir.args[1] : undefined;
    return fallback?.k === "const" && typeof fallback.value === "boolean";
  }

  #loop(ir: Ir & { readonly k: "loop" }, slots: Slots, part: Part, negated: boolean): void {
    this.#operand(ir.list, slots, part, negated);
    const list = typeOf(ir.list, this.#environment, slots);
    this.bind(ir.slot, ir.list);
    const element = list.kind === "list" ? list.element : list.kind === "map" ? list.key : undefined;
    const bound = new Map(slots);
    if (element) bound.set(ir.slot, element);
    else bound.delete(ir.slot);
    if (ir.where) this.walk(ir.where, bound, part, negated);
    if (ir.loop === "map") this.#operand(ir.body, bound, part, negated);
    else this.walk(ir.body, bound, part, negated);
  }

  #call(ir: Ir & { readonly k: "call" }, slots: Slots, part: Part, negated: boolean): void {
    const name = ir.fn.slice(ir.fn.indexOf(".") + 1);
    const operator = Object.hasOwn(operators, name) ? (operators[name] as string) : undefined;
    const [one, other] = ir.args;
    if (operator === undefined || !one || !other) return;
    const turned = one.k === "const" && operator !== "in";
    const [subject, operand] = turned ? [other, one] : [one, other];
    const span = spanOf(ir) ?? spanOf(subject);
    if (!span || subject.k === "const") return;
    const operandSpan = spanOf(operand) ?? span;
    this.#claim(
      {
        call: ir,
        subject,
        operator: turned ? (mirrored[operator] ?? operator) : operator,
        values: constantsOf(operand),
        isWritten: !isReference(this.#source, operandSpan),
        span,
        operandSpan,
      },
      slots,
      part,
      negated,
    );
  }

  #claim(test: Test, slots: Slots, part: Part, negated: boolean): void {
    const subject = plainlyRead(test.subject, test.values);
    this.claims.push({
      ...test,
      subject,
      source: test.isWritten ? undefined : nameAt(this.#source, test.operandSpan),
      part,
      negated,
      type: typeOf(subject, this.#environment, slots),
      field: fieldOf(subject, this.#environment, slots),
      path: writtenPath(subject),
      ...takenFrom(subject, this.#lists),
    });
  }
}

/** What one test says, without what its surroundings make of it. */
type Test = Pick<Claim, "call" | "subject" | "operator" | "values" | "isWritten" | "span" | "operandSpan">;

/** True where a constant is a list or parameter that its place names: `$name`, `lists.name`, `parameters.name`. */
export function isReference(source: Pick<ClaimSource, "textAt">, { start, end }: Span): boolean {
  const before = source.textAt({ start: Math.max(0, start - 12), end: start });
  return (
    /^["']?\$[a-z]|^(?:parameters|lists)\./.test(source.textAt({ start, end })) ||
    /\b(?:parameters|lists)\.\??$/.test(before)
  );
}

/** Returns the name of the list or parameter that a place refers to: of `$hosts`, `parameters.hosts`, or the field of the latter. */
function nameAt(source: Pick<ClaimSource, "textAt">, span: Span): string | undefined {
  return /([A-Za-z_]\w*)["']?$/.exec(source.textAt(span))?.[1];
}

function spanOf(ir: Ir): Span | undefined {
  return ir.at && { start: ir.at[0], end: ir.at[1] };
}

function constantsOf(operand: Ir): readonly Json[] | undefined {
  if (operand.k !== "const") return undefined;
  return Array.isArray(operand.value) ? (operand.value as readonly Json[]) : [operand.value];
}
