import type { Ir } from "../../../engine/plan.ts";
import type { RegexEngine } from "../../../schema/ports.ts";
import { clashIn } from "../../never/clash.ts";
import { type Claim, isReference } from "../claims.ts";
import { conjunctions, truths } from "../conjunctions.ts";
import { irKey, plainKey } from "../guards.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy, LintedRule } from "../policy.ts";
import { typeOf, writtenPath } from "../typing.ts";

/** Lint: a condition, or a part of one, is always true or always false. */
export const alwaysTrue: Lint = {
  code: "HW618",
  name: "always-true",
  why: "A part of a condition that cannot change anything is most often a slip: the author meant to test something.",
  advice: "Test what was meant, or leave the part out.",
  bad: [
    {
      title: "either not this or not that",
      at: ["any: [{ p.target.branch: { not_equals: main } }, { not: { p.target.branch: dev } }]"],
      policy: `  - id: branches
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { any: [{ p.target.branch: { not_equals: main } }, { not: { p.target.branch: dev } }] }
    action: ask
    reason: it goes elsewhere
`,
    },
    {
      title: "either outside of one place or outside of the other",
      at: ["any:"],
      policy: `  - id: outside
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { any: [{ not: { w.path: { is: workspace } } }, { not: { w.path: { is: temp } } }] }
    action: ask
    reason: it is elsewhere
`,
    },
    {
      title: "a condition that says nothing",
      at: ["true"],
      policy: `  - id: all
    event: before_agent_start
    when: true
    action: { inject: { content: Mind the tests. } }
`,
    },
    {
      title: "the presence of what is always there, and a value beside itself",
      at: ["environment.user: { present: true }", "environment.cwd == environment.cwd"],
      policy: `  - id: all
    event: tool_call
    when: { all: [{ environment.user: { present: true } }, environment.cwd == environment.cwd, { tool.name: bash }] }
    action: ask
    reason: a command runs
`,
    },
    {
      title: "a size that is never below zero",
      at: ["size(shell.commands) >= 0"],
      policy: `  - id: many
    event: tool_call
    when: size(shell.commands) >= 0
    action: ask
    reason: a command runs
`,
    },
  ],
  good: [
    {
      title: "alternatives that leave something out",
      policy: `  - id: branches
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { any: [{ p.target.branch: { not_in: [main, dev] } }, { p.remote: { not_equals: origin } }] }
    action: ask
    reason: it goes elsewhere
`,
    },
    {
      title: "parts that can be either, a parameter among them",
      policy: `parameters:
  strict: { type: bool, default: true }
rules:
  - id: some
    event: tool_call
    when: { all: [{ environment.branch: { present: true } }, size(shell.commands) >= 1, parameters.strict] }
    action: ask
    reason: a command runs
`,
    },
  ],
  besideErrors: true,
  ofItems: true,
  rule(rule, { regex }) {
    const { typed, policy } = rule;
    const found = [typed?.when, typed?.unless].flatMap((ir) => (ir ? idle(ir, policy) : []));
    return [
      ...found,
      ...(typed?.when
        ? [...alwaysThere(typed.when, rule), ...wholeRange(typed.when, rule, regex), ...idleNegations(typed.when, rule)]
        : []),
      ...rule.claims.flatMap((claim) => atLimit(claim, rule.claims)),
    ];
  },
  policy(policy) {
    return [...policy.typed.conditions.values()].flatMap((ir) => idle(ir, policy));
  },
};

function idle(condition: Ir, policy: LintedPolicy): Finding[] {
  return truths(condition).flatMap(({ ir }) => {
    const holds = settled(ir);
    if (holds === undefined || !ir.at) return [];
    const span = { start: ir.at[0], end: ir.at[1] };
    // An importer may set a parameter to any value.
    if (isReference(policy, span)) return [];
    const message = holds ? "this always holds" : "this never holds";
    return [{ span, message, help: helpFor(policy.textAt(span)) }];
  });
}

/** Finds `has` of a field that every event has, where nothing else reads the field: as a guard it does no harm. */
function alwaysThere(condition: Ir, { environment }: LintedRule): Finding[] {
  return truths(condition).flatMap(({ ir }): Finding[] => {
    if (ir.k !== "has" || !ir.at) return [];
    const of = typeOf(ir.of, environment, new Map());
    if (of.kind !== "record" || of.fields().get(ir.name)?.required !== true) return [];
    const path = `${writtenPath(ir.of)}.${ir.name}`;
    if (nodesIn(condition).some((node) => node.k === "field" && writtenPath(node) === path)) return [];
    const help = helpFor(`has(${path})`);
    return [{ span: { start: ir.at[0], end: ir.at[1] }, message: "this always holds", help }];
  });
}

/** What to write in place of a test that always has the same value. */
function helpFor(test: string): string {
  const path = /^([\w.]{1,60}): *\{ *present: *true *\}$/.exec(test)?.[1] ?? /^has\(([\w.]{1,60})\)$/.exec(test)?.[1];
  return path === undefined
    ? "test what was meant, or leave it out"
    : `every event here has it: write \`${path}: { size: { gt: 0 } }\` for one that is not empty, or leave it out`;
}

/** Finds a bound that every value of the field keeps: no count and no depth is below 0. */
function atLimit({ type, operator, values, isWritten, path, span, part }: Claim, all: readonly Claim[]): Finding[] {
  const [low, high] = type.kind === "int" && type.range ? type.range : [];
  const bound = values?.[0];
  const holds = (operator === "ge" && bound === low) || (operator === "le" && bound === high);
  if (typeof bound !== "number" || !holds || !isWritten || part === "action") return [];
  // Both ends of a range may be written: `{ ge: 0, lt: 5 }`.
  if (all.filter((claim) => claim.path === path).length > 1) return [];
  const message = `this always holds: \`${path}\` is never ${operator === "ge" ? "less" : "more"} than ${bound}`;
  const next = operator === "ge" ? `{ gt: ${bound} }` : `{ lt: ${bound} }`;
  return [{ span, message, help: `write \`${next}\` where ${bound} itself is left out, or take the test out` }];
}

/** Finds negated values of a field that a test beside them has already settled: `git` is never `ruff`. */
function idleNegations(condition: Ir, { claims }: LintedRule): Finding[] {
  const byCall = new Map(claims.map((claim) => [claim.call, claim]));
  return conjunctions(condition).flatMap(({ terms }) => {
    if (terms.every(({ k }) => k !== "not")) return [];
    const settledBy = new Map<string, Claim>();
    for (const term of terms) {
      const claim = byCall.get(term);
      if (claim && saysWhole(claim)) settledBy.set(plainKey(claim.subject), claim);
    }
    return terms.flatMap((term): Finding[] => {
      const claim = term.k === "not" ? byCall.get(term.arg) : undefined;
      const other = claim && saysWhole(claim) ? settledBy.get(plainKey(claim.subject)) : undefined;
      if (!claim || !other || claim.values?.some((value) => other.values?.includes(value))) return [];
      const message = `this always holds beside \`${other.path}: ${String(other.values?.[0]).slice(0, 60)}\`, which settles it`;
      const help = "take it out; what the whole call must not have is `none: { <list>: … }`";
      return [{ span: claim.span, message, help }];
    });
  });
}

function saysWhole({ operator, values, isWritten, type }: Claim): boolean {
  return (operator === "equals" || operator === "in") && !!values?.length && isWritten && type.kind === "string";
}

/** Finds alternatives of which one holds for every value: the tests that would make all of them false exclude one another. */
function wholeRange(condition: Ir, { claims }: LintedRule, regex: RegexEngine): Finding[] {
  const groups = truths(condition).flatMap(({ ir }) =>
    ir.k === "or" && ir.args.map(bare).some(({ k }) => k === "not") ? [ir] : [],
  );
  if (groups.length === 0) return [];
  const byCall = new Map(claims.map((claim) => [claim.call, claim]));
  return groups.flatMap((ir): Finding[] => {
    const failing = ir.args.map(bare).map((arg): Ir => (arg.k === "not" ? arg.arg : { k: "not", arg }));
    const clash = clashIn(failing, (term) => byCall.get(term), regex);
    const places = clash
      ? []
      : placesApart(
          failing.flatMap((term) => byCall.get(term) ?? []),
          ir.args.length,
        );
    if (!ir.at || (!clash?.literal && places.length === 0)) return [];
    const span = { start: ir.at[0], end: ir.at[1] };
    const message = clash
      ? "this always holds: whatever the value, one of the alternatives is true"
      : `this holds for every path that is not both \`${places[0]}\` and \`${places[1]}\``;
    return [{ span, message, help: "write `not: { any: […] }`, or `not_in` with a list, where none of them may hold" }];
  });
}

/** Returns the classes of one path that alternatives exclude one by one, where a path is seldom in both; empty for other tests. */
function placesApart(failing: readonly Claim[], count: number): readonly string[] {
  const [first] = failing;
  const places = failing.flatMap(({ operator, values, negated }) =>
    operator === "is" && negated && values?.length === 1 ? [String(values[0])] : [],
  );
  const isOfOne = failing.every(({ subject }) => first && irKey(subject) === irKey(first.subject));
  const isApart = places.every((place) => ["workspace", "temp", "system", "home"].includes(place));
  return isOfOne && isApart && places.length === count && new Set(places).size === count ? places : [];
}

/** The test of a field that may be absent, without the question whether it is there. */
function bare(ir: Ir): Ir {
  const tests = ir.k === "and" ? ir.args.filter(({ k }) => k !== "has") : [];
  return tests.length === 1 ? (tests[0] as Ir) : ir;
}

/** Returns the value that a condition always has; undefined if it depends on the call. */
function settled(ir: Ir): boolean | undefined {
  if (ir.k === "const") return typeof ir.value === "boolean" ? ir.value : undefined;
  if (ir.k !== "call") return undefined;
  const [one, other] = ir.args;
  if (!one || !other) return undefined;
  const name = ir.fn.slice(ir.fn.indexOf(".") + 1);
  if (
    (name === "equal" || (name === "equals_path" && !ir.forms)) &&
    writtenPath(one) !== "…" &&
    !isNumber(one) &&
    irKey(one) === irKey(other)
  )
    return true;
  const counts = one.k === "call" && /\.size$/.test(one.fn) && other.k === "const" && typeof other.value === "number";
  if (!counts) return undefined;
  const bound = other.value as number;
  if ((name === "greater_equal" && bound <= 0) || (name === "greater" && bound < 0)) return true;
  return (name === "less" && bound <= 0) || (name === "less_equal" && bound < 0) ? false : undefined;
}

/** True if a value may be NaN, which is not equal to itself. Only arguments of the call, whose types are open, can hold one. */
function isNumber(ir: Ir): boolean {
  return ir.k === "field" && ir.of.k === "root" && ir.of.name === "args";
}
