import type { Ir, Json } from "../../../engine/plan.ts";
import type { Type } from "../../../rules/types.ts";
import type { Claim } from "../claims.ts";
import { conjunctions } from "../conjunctions.ts";
import { irKey } from "../guards.ts";
import type { Finding, Lint, LintContext } from "../lint.ts";

/** Tests of one value that must hold together and cannot. Paths and URLs are left out: they have two forms. */
export const contradictoryTests: Lint = {
  code: "HW612",
  name: "contradictory-tests",
  why: "Tests that stand together must all hold. Where two of them exclude each other the rule never fires, and nobody notices.",
  advice: "Write `any:` where one of them is enough, or take one out.",
  bad: [
    {
      title: "two values at once",
      at: ["environment.branch: release"],
      policy: `  - id: branches
    event: tool_call
    when:
      all:
        - { environment.branch: main }
        - { environment.branch: release }
    action: ask
    reason: a protected branch
`,
    },
    {
      title: "bounds that leave nothing",
      at: ["session.turn < 5"],
      policy: `  - id: late
    event: tool_call
    when: session.turn > 10 && session.turn < 5
    action: ask
    reason: a long session
`,
    },
    {
      title: "a tool that the rule is not for",
      at: ["tool.name: write"],
      policy: `  - id: writes
    event: tool_call
    tool: edit
    when: { tool.name: write }
    action: ask
    reason: a file changes
`,
    },
    {
      title: "a beginning that the value does not have",
      at: ["c.program: { starts_with: npm }"],
      policy: `  - id: installs
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { all: [{ c.program: [pip, pip3] }, { c.program: { starts_with: npm } }] }
    action: ask
    reason: a package is installed
`,
    },
  ],
  good: [
    {
      title: "one of two values",
      policy: `  - id: branches
    event: tool_call
    when: { environment.branch: [main, release] }
    action: ask
    reason: a protected branch
`,
    },
    {
      title: "two operands of one command",
      policy: `  - id: pair
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { all: [{ c.operands: { contains: a } }, { c.operands: { contains: b } }] }
    action: ask
    reason: both are named
`,
    },
  ],
  rule({ typed, claims, draft }, context) {
    const byCall = new Map(claims.map((claim) => [claim.call, claim]));
    const parts = [typed?.when, typed?.unless, ...(typed?.exceptions.map(({ when }) => when) ?? [])];
    const within = parts
      .flatMap((ir) => (ir ? conjunctions(ir) : []))
      .flatMap((terms) => clash(terms, byCall, context));
    return [...within, ...claims.flatMap((claim) => foreignTool(claim, draft.tools))];
  },
  policy({ ownClaims, typed }, context) {
    const byCall = new Map(ownClaims.map((claim) => [claim.call, claim]));
    return [...typed.conditions.values()].flatMap(conjunctions).flatMap((terms) => clash(terms, byCall, context));
  },
};

/** What is still possible of one value. */
interface Possible {
  values: ReadonlySet<Json> | undefined;
  prefix: string;
  suffix: string;
  low: number;
  high: number;
}

const isPlain = ({ type }: Claim): boolean => ["string", "int", "double", "bool"].includes(type.kind);

function clash(terms: readonly Ir[], byCall: ReadonlyMap<Ir, Claim>, context: LintContext): Finding[] {
  const subjects = new Map<string, Possible>();
  for (const term of terms) {
    const turned = term.k === "not";
    const claim = byCall.get(turned ? term.arg : term);
    if (!claim?.values || !isPlain(claim)) continue;
    const key = irKey(claim.subject);
    const before = subjects.get(key);
    const now = before ?? { values: undefined, prefix: "", suffix: "", low: -Infinity, high: Infinity };
    narrow(now, claim, turned, context);
    subjects.set(key, now);
    if (before && isNothing(now))
      return [
        {
          span: claim.span,
          message: `\`${claim.path}\` cannot be this together with the tests before it`,
          help: "write `any:` where one of them is enough, or take one out",
        },
      ];
  }
  return [];
}

function narrow(p: Possible, { operator, type, values = [] }: Claim, turned: boolean, { regex }: LintContext): void {
  const [only] = values;
  const keep = (fits: (value: Json) => boolean): void => {
    if (p.values) p.values = new Set([...p.values].filter((value) => fits(value) !== turned));
  };
  if (operator === "equals" || operator === "in") {
    if (!turned && !p.values) p.values = new Set(values.filter((value) => fitsEnds(value, p)));
    else keep((value) => values.includes(value));
  } else if (typeof only === "number" && !turned && ["lt", "le", "gt", "ge"].includes(operator)) {
    if (operator === "gt" || operator === "ge")
      p.low = Math.max(p.low, operator === "gt" ? beyond(only, 0.5, type) : only);
    else p.high = Math.min(p.high, operator === "lt" ? beyond(only, -0.5, type) : only);
  } else if (typeof only === "string" && operator === "starts_with") {
    keep((value) => typeof value === "string" && value.startsWith(only));
    if (!turned && !p.values) p.prefix = longer(p.prefix, only, (a, b) => a.startsWith(b)) ?? nothing;
  } else if (typeof only === "string" && operator === "ends_with") {
    keep((value) => typeof value === "string" && value.endsWith(only));
    if (!turned && !p.values) p.suffix = longer(p.suffix, only, (a, b) => a.endsWith(b)) ?? nothing;
  } else if (typeof only === "string" && operator === "matches") {
    const made = regex.compile(only);
    if (!("kind" in made)) keep((value) => typeof value === "string" && made.test(value));
  }
}

/** Stands for a beginning or end that no text has. */
const nothing = "\u0000";

/** A bound that is itself left out: the one between whole numbers; of others the bound itself, so that less is said. */
function beyond(bound: number, step: number, { kind }: Type): number {
  return kind === "int" && Number.isInteger(bound) ? bound + step : bound;
}

function longer(one: string, other: string, has: (a: string, b: string) => boolean): string | undefined {
  if (has(one, other)) return one;
  return has(other, one) ? other : undefined;
}

function fitsEnds(value: Json, { prefix, suffix, low, high }: Possible): boolean {
  if (typeof value === "number") return value >= low && value <= high;
  return typeof value !== "string" || (value.startsWith(prefix) && value.endsWith(suffix));
}

function isNothing({ values, prefix, suffix, low, high }: Possible): boolean {
  return values?.size === 0 || prefix === nothing || suffix === nothing || low > high;
}

/** A rule with exact tool matchers never sees the name of another tool. */
function foreignTool(
  { field, operator, values, negated, part, span, path }: Claim,
  tools: readonly string[],
): Finding[] {
  if (field !== "tool.name" || negated || part === "sequence" || (operator !== "equals" && operator !== "in"))
    return [];
  if (tools.length === 0 || tools.some((name) => name.includes("*")) || !values || values.length === 0) return [];
  if (values.some((value) => typeof value !== "string" || tools.includes(value))) return [];
  return [
    {
      span,
      message: `the rule is for ${tools.map((name) => `\`${name}\``).join(", ")}, so \`${path}\` is never this`,
      help: "change `tool`, or take the test out",
    },
  ];
}
