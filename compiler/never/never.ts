import type { Source, Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import { spend } from "../../facts/meter.ts";
import { type Environment, environmentOf } from "../../rules/environment.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { isToolGlob } from "../../schema/tool-matcher.ts";
import { withoutElements } from "../element-names.ts";
import { type Claim, claimsIn } from "../lint/claims.ts";
import { conjunctions } from "../lint/conjunctions.ts";
import { irKey, plainKey } from "../lint/guards.ts";
import type { TypedPolicy } from "../plan.ts";
import { checkFacts, toolsOf } from "./absent-facts.ts";
import { clashIn } from "./clash.ts";
import { eitherHelp } from "./clash-help.ts";
import { coveringWay, seesLess } from "./covers.ts";
import type { NeverPorts, SeenRule } from "./ports.ts";
import { sizeClash } from "./sizes.ts";
import { type DeadWaiver, deadWaiver } from "./waiver.ts";

/**
 * `checkNever` for every rule of a policy; each set of events and tools has one environment. `waivers` are the
 * exceptions that reach rules of other policies too.
 */
export function checkAllNever(
  { rules, conditions }: Pick<TypedPolicy, "rules" | "conditions">,
  source: Source,
  regex: RegexEngine,
  report: NeverPorts["report"],
  waivers: TypedPolicy["waivers"],
): void {
  const elsewhere = new Set(waivers.map(({ exception }) => exception.when?.at?.[0]));
  const environments = new Map<string, Environment>();
  const ports: NeverPorts = {
    regex,
    conditions,
    report: (code, span, message, help) => report(code, span, withoutElements(message), withoutElements(help)),
    textAt: ({ start, end }) => source.text.slice(start, end),
    environmentOf: ({ events, tools }) => {
      const key = JSON.stringify([events, tools]);
      const environment = environments.get(key) ?? environmentOf(events, tools);
      environments.set(key, environment);
      return environment;
    },
  };
  const own = new Map<number, (DeadWaiver | undefined)[]>();
  for (const rule of rules) {
    checkNever(rule, ports);
    if (rule.unless) reportDead(deadWaiver(rule.when, rule.unless, rule, ports), "`unless`", ports);
    for (const { when } of rule.exceptions) {
      const at = when?.at?.[0];
      if (!when || at === undefined) continue;
      const dead = deadWaiver(rule.when, when, rule, ports);
      own.set(at, [...(own.get(at) ?? []), dead]);
    }
  }
  // An exception may be for several rules, and then one that it can waive is enough.
  for (const [at, found] of own)
    if (!elsewhere.has(at) && found.every((dead) => dead !== undefined)) reportDead(found[0], "this exception", ports);
}

function reportDead(dead: DeadWaiver | undefined, what: string, { report }: NeverPorts): void {
  if (!dead) return;
  const about = dead.path === "" ? "its tests exclude" : `its test of \`${dead.path}\` excludes`;
  report(
    "HW419",
    dead.span,
    `${what} never applies: ${about} what \`when\` of the rule asks for`,
    "name a part of what `when` names, or take the test out",
  );
}

/**
 * Reports conditions that no event can meet, although each test alone can hold: literals that exclude each other (HW312), a tool
 * that is not among the rule's (HW312), facts that its tools never have (HW420), and an `unless` that holds whenever `when` does
 * (HW413). Named conditions are replaced by
 * their content. Findings that depend on a list or parameter are left to a lint, because other sets may give it other values.
 */
export function checkNever(rule: SeenRule, ports: NeverPorts): void {
  const named = inlined(ports.conditions);
  const tools = toolsOf(rule);
  checkFacts(rule, ports);
  for (const ir of [rule.when, rule.unless]) if (ir) checkCondition(ir, rule, tools, named, ports);
  // An exception may be for several rules, each for tools of its own.
  for (const { when } of rule.exceptions) if (when) checkCondition(when, rule, [], named, ports);
  checkUnless(rule, named, ports);
}

type Named = (name: string) => Ir | undefined;

/** Returns a lookup of named conditions with a bound on lookups, because a condition is as long as all those it refers to. */
function inlined(conditions: ReadonlyMap<string, Ir>): Named {
  let left = 200;
  return (name) => (left-- > 0 ? conditions.get(name) : undefined);
}

function checkCondition(ir: Ir, rule: SeenRule, tools: readonly string[], named: Named, ports: NeverPorts): void {
  const roots = [ir];
  const groups = conjunctions(ir, (name) => {
    const meant = named(name);
    if (meant) roots.push(meant);
    return meant;
  });
  const exact = tools.length > 0 && !tools.some(isToolGlob);
  const gone = goneThrough(rule);
  if (!exact && !groups.some(({ terms }) => maySpeakTwice([...gone, ...terms]))) return;
  const claims = new Map<Ir, Claim>();
  const own = new Set<Ir>();
  for (const root of new Set(roots))
    for (const claim of claimsIn(root, rule, ports)) {
      claims.set(claim.call, claim);
      if (root === ir) own.add(claim.call);
    }
  spend(claims.size);
  const claimOf = (term: Ir): Claim | undefined => claims.get(term);
  for (const { terms, negated } of groups) {
    const always = negated ? ", so that the negation always holds" : "";
    const none = sizeClash([...gone, ...terms], claimOf, irKey);
    if (none?.literal && gone.length > 0 && !sizeClash(terms, claimOf, irKey)) {
      const message = `\`${none.path}\` cannot be this: \`each\` goes through its items, so that there is one at least${always}`;
      ports.report("HW312", none.span, message, "take `each` out to ask about an empty list, or take the test out");
      continue;
    }
    const clash = terms.length < 2 ? undefined : clashIn(terms, claimOf, ports.regex);
    if (clash?.literal) {
      const what = clash.path === "" ? "this cannot hold" : `\`${clash.path}\` cannot be this`;
      const message = `${what} together with the tests beside it${clash.why === undefined ? "" : `: ${clash.why}`}${always}`;
      ports.report("HW312", clash.span, message, clash.help ?? eitherHelp);
    }
    // A named condition may serve other rules as well.
    if (exact) for (const term of terms) if (own.has(term)) reportForeignTool(claimOf(term), tools, always, ports);
  }
}

/** The lists that `each` goes through, as terms: the rule is judged for an item of them, so that they have one. */
function goneThrough({ each }: SeenRule): readonly Ir[] {
  const found: Ir[] = [];
  for (let list = each?.list; list; list = list.k === "loop" && list.loop === "filter" ? list.list : undefined) {
    const body: Ir = { k: "const", value: true };
    found.push({ k: "loop", loop: "exists", list, slot: -1, body, at: [0, 0] });
  }
  return found;
}

/** True where two terms may be about one value. Most conjunctions are about several, and then nothing need be compared. */
function maySpeakTwice(terms: readonly Ir[]): boolean {
  if (terms.length < 2) return false;
  const subjects = terms.map(subjectOf);
  return new Set(subjects).size < subjects.length;
}

/** Returns a short key for the subject of a term: the same for terms that may clash. */
function subjectOf(term: Ir): string {
  const of = term.k === "not" ? term.arg : term;
  if (of.k === "loop") return shortPath(of.list);
  if (of.k === "or") {
    const [first, ...others] = new Set(of.args.map(subjectOf));
    return first !== undefined && others.length === 0 ? first : of.k;
  }
  if (of.k !== "call") return shortPath(of);
  const [one, other] = of.args;
  const subject = one?.k === "const" && other ? other : one;
  // Tests of several parts of an address or a path may clash.
  const isPart = subject?.k === "field" && ["host", "scheme", "port", "lexical"].includes(subject.name);
  return subject ? shortPath(isPart ? subject.of : subject) : of.fn;
}

function shortPath(ir: Ir): string {
  switch (ir.k) {
    case "field":
      return ir.of.k === "index" ? shortPath(ir.of) : `${shortPath(ir.of)}.${ir.name}`;
    case "has":
      return `has ${shortPath(ir.of)}`;
    case "root":
      return ir.name;
    case "slot":
      return `$${ir.slot}`;
    // An item must be among those that a test of the size leaves.
    case "index":
      return shortPath(ir.of);
    case "call":
      return ir.args[0] ? shortPath(ir.args[0]) : ir.fn;
    default:
      return ir.k;
  }
}

/** Reports a test for another tool in a rule with exact tool matchers, which never sees that name. */
function reportForeignTool(
  claim: Claim | undefined,
  tools: readonly string[],
  always: string,
  { report }: NeverPorts,
): void {
  if (claim?.field !== "tool.name" || (claim.operator !== "equals" && claim.operator !== "in")) return;
  const { values, path, span } = claim;
  if (!values || values.length === 0) return;
  if (values.some((value) => typeof value !== "string" || tools.includes(value))) return;
  const message = `the rule is for ${tools.map((name) => `\`${name}\``).join(", ")}, so \`${path}\` is never this${always}`;
  report("HW312", span, message, "change `tool`, or take the test out");
}

function checkUnless(rule: SeenRule, named: Named, ports: NeverPorts): void {
  const { when, unless, id } = rule;
  if (!when || !unless) return;
  const about = new Set(termsOf(when, named).map(subjectOf));
  const ways = unless.k === "or" ? unless.args : [unless];
  const likely = ways.some((way) => termsOf(way, named).every((term) => about.has(subjectOf(term))));
  if (!likely || hasFailed(when) || hasFailed(unless)) return;
  const needed = new Set(termsOf(when, named).map(plainKey));
  const whole = plainKey(when) === plainKey(unless) || sameTerms(when, unless, named);
  // An `unless` asks for what is certain, so that one test of a fact may hold in `when` alone.
  const way =
    ways.find((one) => termsOf(one, named).every((term) => needed.has(plainKey(term)))) ??
    coveringWay(
      when,
      ways,
      [when, unless].flatMap((ir) => claimsIn(ir, rule, ports)),
      ports.regex,
    );
  if (!way || (!whole && seesLess(way))) return;
  const span = spanOf(way) ?? spanOf(unless);
  if (span)
    ports.report(
      "HW413",
      span,
      `rule \`${id.slice(id.indexOf("/") + 1)}\` never fires: \`unless\` holds whenever \`when\` does`,
      "take the test out of one of them, or say in `unless` what is different",
    );
}

/** The terms of a condition that must all hold. */
function termsOf(ir: Ir, named: Named): readonly Ir[] {
  if (ir.k === "and") return ir.args.flatMap((arg) => termsOf(arg, named));
  const meant = ir.k === "condition" ? named(ir.name) : undefined;
  return meant ? termsOf(meant, named) : [ir];
}

function sameTerms(one: Ir, other: Ir, named: Named): boolean {
  const [a, b] = [one, other].map((ir) => new Set(termsOf(ir, named).map(plainKey)));
  return a !== undefined && b !== undefined && a.size === b.size && [...a].every((key) => b.has(key));
}

/** True for a condition with an error in a part: nothing can be said about it. */
function hasFailed(ir: Ir): boolean {
  return /"k":"const","value":null/.test(JSON.stringify(ir));
}

function spanOf(ir: Ir): Span | undefined {
  return ir.at && { start: ir.at[0], end: ir.at[1] };
}
