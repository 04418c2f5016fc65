import { type Ir, reservedSlots } from "../../engine/plan.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { isToolGlob, toolMatcher } from "../../schema/tool-matcher.ts";
import { coveringWay } from "../never/covers.ts";
import { type Claim, claimsIn } from "./claims.ts";
import { plainKey, strictness } from "./guards.ts";
import { nodesIn } from "./label-uses.ts";
import type { LintContext } from "./lint.ts";
import type { LintedPolicy, LintedRule, TypedRule } from "./policy.ts";

/** Most rules that one rule is compared with. */
const mostCompared = 12;

/** A rule that answers, and what it needs to do so. */
interface Stricter {
  readonly rule: LintedRule;
  readonly typed: TypedRule;
  readonly when: Ir | undefined;
  readonly claims: readonly Claim[];
}

/** Rules of one policy that always answer where their conditions hold, by what they test. */
export class Overruling {
  readonly #regex: RegexEngine;
  /** Rules by the list that they go through and the subject of a test that each needs, if any. */
  readonly #bySubject = new Map<string, Stricter[]>();

  constructor(policy: LintedPolicy, { policies, regex }: LintContext) {
    this.#regex = regex;
    const waived = new Set(policies.flatMap(({ typed }) => typed.waivers.map(({ rule }) => rule)));
    for (const rule of policy.rules) {
      const { typed, claims } = rule;
      if (!rule.guards || !typed || !isFirm(typed) || waived.has(rule.draft.id) || waived.has(typed.id)) continue;
      this.#add(listOf(typed), { rule, typed, when: typed.when, claims });
      const some = typed.each ? undefined : typed.when;
      if (some?.k !== "loop" || some.loop !== "exists") continue;
      const each = { name: "element", slot: reservedSlots.each, list: some.list };
      const when = asElement(some.body, some.slot);
      const bound = claimsIn(when, { each, events: typed.events, tools: typed.tools }, policy);
      this.#add(plainKey(some.list), { rule, typed, when, claims: bound });
    }
  }

  #add(list: string, one: Stricter): void {
    const ways = one.when ? waysOf(one.when) : [];
    const subjects = new Set(ways.length === 0 ? [""] : ways.map((way) => subjectsOf(way, one.claims)[0] ?? ""));
    for (const subject of subjects) {
      const key = `${list}\n${subject}`;
      this.#bySubject.set(key, [...(this.#bySubject.get(key) ?? []), one]);
    }
  }

  /** Finds a rule that asks or blocks, at least as strictly as `least`, whenever the given one applies. */
  over(rule: LintedRule, least: number): LintedRule | undefined {
    const { typed, claims } = rule;
    if (typed?.mode !== "enforce") return undefined;
    const subjects = ["", ...(typed.when ? subjectsOf(typed.when, claims) : [])];
    const lists = new Set([listOf(typed), ""]);
    const likely = [...lists].flatMap((list) =>
      subjects.flatMap((subject) => this.#bySubject.get(`${list}\n${subject}`) ?? []),
    );
    const others = [...new Set(likely)].filter((other) => other.rule !== rule && strictness(other.rule) >= least);
    return others.slice(0, mostCompared).find((other) => this.#covers(other, rule))?.rule;
  }

  #covers(other: Stricter, rule: LintedRule): boolean {
    const [wide, narrow] = [other.typed, rule.typed];
    if (!narrow?.events.every((event) => wide.events.includes(event)) || !coversTools(wide, narrow)) return false;
    // An allow applies to certain facts alone. Other rules may apply to an unsure call, which `unsure: ignore` lets pass.
    if (wide.unsure === "ignore" && strictness(rule) !== 1) return false;
    if (wide.unless && (!narrow.unless || plainKey(wide.unless) !== plainKey(narrow.unless))) return false;
    if (!other.when) return true;
    if (!narrow.when) return false;
    const read = fieldsRead(narrow.when);
    const ways = waysOf(other.when).map((way) => withoutPresence(way, read));
    return coveringWay(narrow.when, ways, [...rule.claims, ...other.claims], this.#regex) !== undefined;
  }
}

function coversTools(wide: TypedRule, narrow: TypedRule): boolean {
  if (wide.tools.length === 0) return true;
  const isOf = toolMatcher(wide.tools);
  return (
    narrow.tools.length > 0 &&
    narrow.tools.every((tool) => wide.tools.includes(tool) || (!isToolGlob(tool) && isOf(tool)))
  );
}

/** Returns the body of a `some` as a condition on the element of `each`. */
function asElement(body: Ir, slot: number): Ir {
  const turn = (key: string, value: unknown): unknown => {
    const node = value as { readonly k?: unknown; readonly slot?: unknown } | null;
    const isElement = key !== "value" && typeof node === "object" && node?.k === "slot" && node.slot === slot;
    return isElement ? { ...node, slot: reservedSlots.each } : value;
  };
  return JSON.parse(JSON.stringify(body, turn)) as Ir;
}

/** True for a rule that answers whenever its conditions hold: no exception, and nothing that other calls must have done. */
function isFirm({ mode, exceptions, sequence, budget }: TypedRule): boolean {
  return mode === "enforce" && exceptions.length === 0 && !sequence && !budget;
}

function listOf({ each }: TypedRule): string {
  return each ? plainKey(each.list) : "";
}

function waysOf(when: Ir): readonly Ir[] {
  return when.k === "or" ? when.args : [when];
}

/** Keys of the fields that a condition must read to hold. */
function fieldsRead(when: Ir): ReadonlySet<string> {
  const tests = (when.k === "and" ? when.args : [when]).filter(({ k }) => k === "call").map(nodesIn);
  const always = tests.filter((nodes) =>
    nodes.every(({ k }) => k !== "loop" && k !== "if" && k !== "or" && k !== "and"),
  );
  return new Set(
    always
      .flat()
      .flatMap((node) => (node.k === "field" && !node.optional ? [`${plainKey(node.of)} ${node.name}`] : [])),
  );
}

/** Takes presence tests out that the fields of the other condition imply: some tools have an argument always, others do not. */
function withoutPresence(way: Ir, read: ReadonlySet<string>): Ir {
  if (way.k !== "and") return way;
  const args = way.args.filter((part) => part.k !== "has" || !read.has(`${plainKey(part.of)} ${part.name}`));
  return args.length === 1 && args[0] ? args[0] : { ...way, args };
}

/** Lists what the terms of a condition are about. Presence comes last: a test of a value implies it. */
function subjectsOf(ir: Ir, claims: readonly Claim[]): readonly string[] {
  const byCall = new Map(claims.map((claim) => [claim.call, claim]));
  const terms = (ir.k === "and" ? ir.args : [ir]).flatMap((term) => (term.k === "or" ? [term, ...term.args] : [term]));
  const keyed = terms.map((term) => {
    const claim = byCall.get(term.k === "not" ? term.arg : term);
    return { isPresence: term.k === "has", key: plainKey(claim ? claim.subject : term) };
  });
  return [...keyed].sort((a, b) => Number(a.isPresence) - Number(b.isPresence)).map(({ key }) => key);
}
