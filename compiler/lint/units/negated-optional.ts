import type { Ir } from "../../../engine/plan.ts";
import type { Expression } from "../../../rules/ast.ts";
import { partsOf } from "../../condition-graph.ts";
import { conjunctions, truths } from "../conjunctions.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: a `not:` contains a test of a field that may be absent. For an absent field the test is false, so `not` is true. */
export const negatedOptional: Lint = {
  code: "HW622",
  name: "negated-optional",
  why: "A test on an absent field is false, so its negation is true: `not: { environment.branch: main }` also holds where there is no branch at all.",
  advice: "Write `not_equals` or `not_in`, which need the field, or say with `present` what an absent field means.",
  bad: [
    {
      title: "a branch that may be absent",
      at: ["not: { environment.branch: main }"],
      policy: `  - id: branches
    event: tool_call
    each: { p: effects.pushes }
    when: { not: { environment.branch: main } }
    action: ask
    reason: it is pushed from another branch
`,
    },
    {
      title: "a flag that is absent",
      at: ["!has(args.dry_run)"],
      policy: `  - id: releases
    event: tool_call
    tool: mcp__ops__release
    when: '!has(args.dry_run)'
    action: ask
    reason: customers see it
`,
    },
  ],
  good: [
    {
      title: "a flag that is absent or false",
      policy: `  - id: releases
    event: tool_call
    tool: mcp__ops__release
    when: { any: [{ args.dry_run: { present: false } }, { args.dry_run: false }] }
    action: ask
    reason: customers see it
`,
    },
    {
      title: "an operator that needs the field",
      policy: `  - id: branches
    event: tool_call
    each: { p: effects.pushes }
    when: { environment.branch: { not_equals: main } }
    action: ask
    reason: it is pushed from another branch
`,
    },
    {
      title: "what absence means is said",
      policy: `  - id: branches
    event: tool_call
    each: { p: effects.pushes }
    when: { any: [{ environment.branch: { present: false } }, { not: { environment.branch: main } }] }
    action: ask
    reason: it is pushed from another branch
`,
    },
  ],
  ofItems: true,
  rule({ typed, draft, policy, catches }) {
    const own = new Set([draft.when, draft.unless].flatMap((e) => (e ? negatedTests(e, policy) : [])));
    const named = behindNames(policy);
    const places: Places = { has: (place) => own.has(place) || named.has(place) };
    const said = (span: Finding["span"]): string => policy.textAt(span);
    const absent = catches && typed?.when ? absentFlags(typed.when) : [];
    const always = new Set<string>(catches ? clearlyAbsent : []);
    // Tools of servers have a server.
    if (typed?.tools.length && typed.tools.every((tool) => tool.startsWith("mcp__"))) always.add("server");
    return [
      ...absent,
      ...(typed?.when ? unguarded(typed.when, places, said, always) : []),
      ...(typed?.unless ? unguarded(typed.unless, places, said, new Set()) : []),
    ];
  },
};

/** Arguments that are true or false by their names. */
const flags =
  /^(?:dry_?run|force|confirm(?:ed)?|draft|read_?only|recursive|private|public|enabled|disabled|sandbox|preview|simulate|safe)$/i;

/** Finds a rule about calls without a flag, which lets a call pass that says `false`. */
function absentFlags(when: Ir): Finding[] {
  const all = truths(when).map(({ ir }) => ir);
  return all.flatMap((node): Finding[] => {
    const has = node.k === "not" && node.arg.k === "has" ? node.arg : undefined;
    if (has?.of.k !== "root" || has.of.name !== "args" || !flags.test(has.name) || !node.at) return [];
    const { name } = has;
    // Beside a test of its value the absence is one of several cases.
    if (nodesIn(when).some((other) => other.k === "field" && other.name === name)) return [];
    return [
      {
        span: { start: node.at[0], end: node.at[1] },
        message: `this holds where \`${name}\` is absent, and not where it is false`,
        help: `write \`args.?${name}.orValue(false) != true\` in an expression for both`,
      },
    ];
  });
}

/** Places of negated tests, each as `start end`. */
type Places = Pick<ReadonlySet<string>, "has">;

const ofPolicies = new WeakMap<LintedPolicy, Places>();

/** Lists the places of negated tests in the named conditions of a policy. */
function behindNames(policy: LintedPolicy): Places {
  const known = ofPolicies.get(policy);
  if (known) return known;
  const all = [...policy.draft.conditions.values()];
  const found = new Set(all.flatMap(({ expression }) => negatedTests(expression, policy)));
  ofPolicies.set(policy, found);
  return found;
}

function negatedTests(e: Expression, { draft }: LintedPolicy): readonly string[] {
  return partsOf(e).flatMap((part) => negatedTest(part, (name) => draft.conditions.get(name)?.expression));
}

/** Lists the tests directly inside a YAML `not:`, or behind a name there. Expressions are left out, because they state their own guards. */
function negatedTest(e: Expression, named: (name: string) => Expression | undefined): string[] {
  if (e.kind !== "unary" || e.operator !== "!") return [];
  let test: Expression | undefined = e.operand;
  for (let i = 0; test?.kind === "condition" && i < mostNames; i++) test = named(test.name);
  return test?.kind === "test" && test.operator !== "present" ? [`${e.span.start} ${e.span.end}`] : [];
}

/** Most names that lead to each other and are followed. */
const mostNames = 20;

/** Fields whose absence a rule that stops calls is meant to stop: a program called by its name, or without a subcommand. */
const clearlyAbsent = ["subcommand", "path", "pinned", "changed"] as const;

function unguarded(
  ir: Ir,
  places: Places,
  said: (span: Finding["span"]) => string,
  meant: ReadonlySet<string>,
): Finding[] {
  const all = truths(ir).map((truth) => truth.ir);
  const negated = all.filter(({ k, at }) => k === "not" && at && places.has(`${at[0]} ${at[1]}`));
  if (negated.length === 0) return [];
  // Its author has thought of absence: the field is asked for beside the negation, or its absence is.
  const besides = conjunctions(ir).flatMap(({ terms }) => (terms.some(({ k }) => k === "not") ? terms : []));
  const asked = new Set(
    [...all.flatMap((node) => (node.k === "not" ? [node.arg] : [])), ...besides].flatMap((node) =>
      node.k === "has" ? [hasPath(node)] : [],
    ),
  );
  return negated.flatMap((node) => {
    if (node.k !== "not" || !node.at || node.arg.k !== "and") return [];
    const guard = node.arg.args.find((arg) => arg.k === "has" && arg.of.k !== "call");
    if (guard?.k !== "has" || meant.has(guard.name) || asked.has(hasPath(guard))) return [];
    const span = { start: node.at[0], end: node.at[1] };
    const field = guard.at ? said({ start: guard.at[0], end: guard.at[1] }) : guard.name;
    return [
      {
        span,
        message: `this also holds where \`${field}\` is absent`,
        help: "write `not_equals` or `not_in`, which need the field, or say with `present` what its absence means",
      },
    ];
  });
}

function hasPath(ir: Ir & { readonly k: "has" }): string {
  return JSON.stringify([ir.of, ir.name], (key, value) => (key === "at" ? undefined : value));
}
