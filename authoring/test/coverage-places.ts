import type { Source, Span } from "../../diagnostics/source.ts";
import type { At, Ir, Plan, PlanException, PlanRule } from "../../engine/plan.ts";
import { isGuard } from "./ir-tree.ts";
import type { SuiteFile } from "./suite-file.ts";
import { shortName, TestedPolicies } from "./tested-policies.ts";

/** Results that a place of a policy can reach. */
export type Reached = "matched" | "applied" | "true" | "false";

/** One place of a policy and the results that tests reached there: a rule, a test or operand of a condition, an exception. */
export interface CoveredPlace {
  readonly kind: "rule" | "branch" | "exception";
  /** Its rule or condition, without the policy. */
  readonly of: string;
  /** Name of the source and place in it. */
  readonly source: string;
  readonly span: Span;
  readonly wanted: readonly Reached[];
  readonly reached: readonly Reached[];
}

/** A watched place: its nodes, in all variants that the compiler made of one condition. */
export interface WatchedPlace {
  readonly kind: CoveredPlace["kind"];
  readonly of: string;
  readonly source: Source;
  readonly span: Span;
  readonly wanted: readonly Reached[];
  readonly reached: Set<Reached>;
}

/** Watched places: by nodes of the plan, rule ids, and exceptions. */
export interface WatchedPlaces {
  /** The watched plan. An exception without a condition gets one that always holds, since nothing else shows when it applies. */
  readonly plan: Plan;
  readonly all: readonly WatchedPlace[];
  readonly nodes: ReadonlyMap<Ir, WatchedPlace>;
  readonly rules: ReadonlyMap<string, WatchedPlace>;
  /** Exceptions by the node of their condition. */
  readonly exceptions: ReadonlyMap<Ir, WatchedPlace>;
}

/** Returns the places of the policies that a suite tests, in the order of their text. */
export function placesOf(file: Pick<SuiteFile, "policies" | "plan">): WatchedPlaces {
  const tested = new TestedPolicies(file);
  const spans = exceptionSpans(file);
  const found = new PlaceBook({
    ...file.plan,
    rules: file.plan.rules.map((rule) => withConditions(rule, spans.get(placeKey(tested.ofRule(rule), rule.at[0])))),
  });
  for (const rule of found.plan.rules) {
    const source = tested.ofRule(rule);
    if (source) found.addRule(rule, source, tested.ownExceptions(rule, source));
  }
  for (const { name, ir, source } of tested.conditionsOf(file.plan)) found.addBranches(ir, name, source);
  return found;
}

/** Returns the spans of each tested rule's own exceptions, by the place of the rule. */
function exceptionSpans({ policies }: Pick<SuiteFile, "policies">): ReadonlyMap<string, readonly Span[]> {
  return new Map(
    policies.flatMap(({ source, rules }) =>
      rules.map(({ span, exceptions }) => [placeKey(source, span.start), exceptions] as const),
    ),
  );
}

function placeKey(source: Source | undefined, start: number): string {
  return `${source?.name ?? ""} ${start}`;
}

/** Returns a rule in which all of its own exceptions have a condition; the same object if they already do. */
function withConditions(rule: PlanRule, own: readonly Span[] = []): PlanRule {
  if (!own.some((_, i) => rule.exceptions[i]?.when === undefined)) return rule;
  const exceptions = rule.exceptions.map((exception, i): PlanException => {
    const span = own[i];
    if (!span || exception.when) return exception;
    return { ...exception, when: { k: "const", value: true, at: [span.start, span.end] } };
  });
  return { ...rule, exceptions };
}

class PlaceBook implements WatchedPlaces {
  readonly plan: Plan;
  readonly nodes = new Map<Ir, WatchedPlace>();
  readonly rules = new Map<string, WatchedPlace>();
  readonly exceptions = new Map<Ir, WatchedPlace>();
  readonly #byPlace = new Map<string, WatchedPlace>();

  constructor(plan: Plan) {
    this.plan = plan;
  }

  get all(): readonly WatchedPlace[] {
    return [...this.#byPlace.values()].sort(
      (a, b) => compare(a.source.name, b.source.name) || a.span.start - b.span.start || a.span.end - b.span.end,
    );
  }

  addRule(rule: PlanRule, source: Source, exceptions: readonly Ir[]): void {
    this.rules.set(rule.id, this.#place("rule", rule.id, source, rule.at, ["matched"]));
    for (const ir of [rule.when, rule.unless]) if (ir) this.addBranches(ir, rule.id, source);
    for (const { conditions } of rule.actions)
      for (const ir of Object.values(conditions ?? {})) this.addBranches(ir, rule.id, source);
    for (const item of rule.sequence?.items ?? []) if (item.when) this.addBranches(item.when, rule.id, source);
    for (const when of exceptions) {
      if (!when.at) continue;
      this.exceptions.set(when, this.#place("exception", rule.id, source, when.at, ["applied"]));
      this.addBranches(when, rule.id, source);
    }
  }

  addBranches(ir: Ir, of: string, source: Source): void {
    for (const node of branchesOf(ir))
      if (node.at) this.nodes.set(node, this.#place("branch", of, source, node.at, ["true", "false"]));
  }

  #place(
    kind: WatchedPlace["kind"],
    of: string,
    source: Source,
    [start, end]: At,
    wanted: readonly Reached[],
  ): WatchedPlace {
    const key = `${kind} ${source.name} ${start} ${end}`;
    const known = this.#byPlace.get(key);
    if (known) return known;
    const made = { kind, of: shortName(of), source, span: { start, end }, wanted, reached: new Set<Reached>() };
    this.#byPlace.set(key, made);
    return made;
  }
}

/**
 * Returns the tests and operands of a condition: the operands of `and`, `or`, `not` and `if`. Nodes that the compiler joined
 * at one place of the text (the guard before a test, the classes of one `is`) are one test. A quantifier is one, and so is
 * each inside it.
 */
export function branchesOf(ir: Ir): Ir[] {
  switch (ir.k) {
    case "and":
    case "or":
      if (ir.at && ir.args.every((arg) => samePlace(arg.at, ir.at))) return [ir];
      return ir.args.filter((arg) => !isGuard(arg, ir.args)).flatMap(branchesOf);
    case "not":
      return branchesOf(ir.arg);
    case "if":
      return [ir.test, ir.then, ir.else].flatMap(branchesOf);
    case "loop":
      return ir.loop === "map" || ir.loop === "filter" ? [ir] : [ir, ...branchesOf(ir.body)];
    case "const":
    case "condition":
      return [];
    default:
      return [ir];
  }
}

function samePlace(a: At | undefined, b: At | undefined): boolean {
  return a?.[0] === b?.[0] && a?.[1] === b?.[1];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
