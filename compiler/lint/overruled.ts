import type { Ir } from "../../engine/plan.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { coveringWay } from "../never/covers.ts";
import type { Claim } from "./claims.ts";
import { plainKey, strictness } from "./guards.ts";
import { nodesIn } from "./label-uses.ts";
import type { LintContext } from "./lint.ts";
import type { LintedPolicy, LintedRule, TypedRule } from "./policy.ts";

/** Most rules that one rule is compared with. */
const mostCompared = 12;

/** Rules of one policy that always answer where their conditions hold, by what they test. */
export class Overruling {
  readonly #regex: RegexEngine;
  /** Rules by the subject of a test that each needs; rules without a condition have the key of their list alone. */
  readonly #bySubject = new Map<string, LintedRule[]>();

  constructor(policy: LintedPolicy, { policies, regex }: LintContext) {
    this.#regex = regex;
    const waived = new Set(policies.flatMap(({ typed }) => typed.waivers.map(({ rule }) => rule)));
    for (const rule of policy.rules) {
      const { typed } = rule;
      if (!rule.guards || !typed || !isFirm(typed) || waived.has(rule.draft.id) || waived.has(typed.id)) continue;
      const ways = typed.when ? waysOf(typed.when) : [];
      const subjects = new Set(ways.length === 0 ? [""] : ways.map((way) => subjectsOf(way, rule.claims)[0] ?? ""));
      for (const subject of subjects) {
        const key = `${listOf(typed)}\n${subject}`;
        this.#bySubject.set(key, [...(this.#bySubject.get(key) ?? []), rule]);
      }
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
    const others = [...new Set(likely)].filter((other) => other !== rule && strictness(other) >= least);
    return others.slice(0, mostCompared).find((other) => this.#covers(other, rule));
  }

  #covers(other: LintedRule, rule: LintedRule): boolean {
    const [wide, narrow] = [other.typed, rule.typed];
    if (!wide || !narrow?.events.every((event) => wide.events.includes(event))) return false;
    // What is allowed is certain; all else may apply to a call of which the other rule ignores what it may be.
    if (wide.unsure === "ignore" && strictness(rule) !== 1) return false;
    const isAnyTool = wide.tools.length === 0;
    if (!isAnyTool && (narrow.tools.length === 0 || !narrow.tools.every((tool) => wide.tools.includes(tool))))
      return false;
    if (wide.unless && (!narrow.unless || plainKey(wide.unless) !== plainKey(narrow.unless))) return false;
    if (!wide.when) return true;
    if (!narrow.when) return false;
    const claims = [...rule.claims, ...other.claims];
    const read = fieldsRead(narrow.when);
    const ways = waysOf(wide.when).map((way) => withoutPresence(way, read));
    return coveringWay(narrow.when, ways, claims, this.#regex) !== undefined;
  }
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
