import type { Ir } from "../../../engine/plan.ts";
import { child, type YamlNode } from "../../yaml-node.ts";
import type { Claim } from "../claims.ts";
import { plainKey } from "../guards.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: `&&` beside `||` binds its neighbour alone, and the alternatives look like one test of a value. */
export const looseAnd: Lint = {
  code: "HW671",
  name: "loose-and",
  why: "`&&` binds more strongly than `||`: `a == 1 || a == 2 && b` asks for `b` in the second alternative alone. Where the alternatives are values of one name, most authors mean it for all of them.",
  advice: "Write the parentheses that are meant, or one test with a list: `a in [1, 2] && b`.",
  bad: [
    {
      title: "a test behind the last value, and before the first",
      at: ["c.program == 'wget' && c.has_option('-O')", "p.forced == true && p.remote == 'origin'"],
      policy: `  - id: downloads
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: c.program == 'curl' || c.program == 'wget' && c.has_option('-O')
    action: ask
    reason: it downloads a file
  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: "p.forced == true && p.remote == 'origin' || p.remote in ['upstream', 'mirror']"
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "in a named condition and in `unless`",
      at: ["environment.user == 'bot' &&", "c.program == 'yarn' &&"],
      policy: `conditions:
  machine: environment.user == 'ci' || environment.user == 'bot' && environment.os == 'linux'
rules:
  - id: installs
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { all: [conditions.machine, { c.subcommand: ci }] }
    unless: c.program == 'npm' || c.program == 'yarn' && c.has_option('--offline')
    action: ask
    reason: packages run code
`,
    },
  ],
  good: [
    {
      title: "parentheses, lists, alternatives about different things, and YAML",
      policy: `lists: { feeders: [find, seq] }
rules:
  - id: fed
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: c.program in lists.feeders || c.program == 'xargs' && c.words.size() == 0
    action: ask
    reason: it reads what it does
  - id: each-of-them
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: (c.program == 'curl' || c.program == 'wget') && c.has_option('-o')
    action: ask
    reason: it downloads a file
  - id: the-last
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: c.program == 'curl' || (c.program == 'wget' && c.has_option('-O'))
    action: ask
    reason: it downloads a file
  - id: different
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: p.forced == true || p.remote == 'origin' && p.target.branch == 'main'
    action: ask
    reason: it leaves the machine
  - id: two-pairs
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: c.program == 'curl' && c.has_option('-o') || c.program == 'wget' && c.has_option('-O')
    action: ask
    reason: it downloads a file
  - id: yaml
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: curl }, { all: [{ c.program: wget }, { c: { has_option: -q } }] }] }
    action: ask
    reason: it downloads a file
`,
    },
  ],
  ofItems: true,
  rule({ typed, claims, policy, node }) {
    const all = [typed?.when, typed?.unless, ...(typed?.exceptions ?? []).map(({ when }) => when)];
    return [...loose(all, claims, policy), ...["when", "unless"].flatMap((key) => besideInAny(child(node, key)))];
  },
  policy(policy) {
    const waivers = policy.typed.waivers.map(({ exception }) => exception.when);
    return loose([...policy.typed.conditions.values(), ...waivers], policy.ownClaims, policy);
  },
};

/** Finds `any` with one entry of several tests, which must all hold: a dash is missing before all but the first. */
function besideInAny(condition: YamlNode | undefined): Finding[] {
  const found: Finding[] = [];
  const open: YamlNode[] = condition ? [condition] : [];
  for (const node of open) {
    if (node.kind === "list") open.push(...node.items);
    if (node.kind !== "map") continue;
    for (const { key, keySpan, value } of node.entries) {
      open.push(value);
      const only = key === "any" && value.kind === "list" && value.items.length === 1 ? value.items[0] : undefined;
      if (only?.kind !== "map" || only.entries.length < 2) continue;
      const message = "`any` has one entry here, and its tests must all hold";
      found.push({
        span: keySpan,
        message,
        help: "begin each test with a dash, or take `any` out where all are meant",
      });
    }
  }
  return found;
}

function loose(conditions: readonly (Ir | undefined)[], claims: readonly Claim[], policy: LintedPolicy): Finding[] {
  const groups = conditions.flatMap((ir) => (ir ? nodesIn(ir) : [])).flatMap((ir) => (ir.k === "or" ? [ir.args] : []));
  if (groups.length === 0) return [];
  const byCall = new Map(claims.map((claim) => [claim.call, claim]));
  return groups.flatMap((args): Finding[] => {
    const ands = args.flatMap((arg) => (arg.k === "and" ? [arg] : []));
    const [and] = ands;
    if (ands.length !== 1 || !and || !isWritten(args, "||", policy) || !isWritten(and.args, "&&", policy)) return [];
    const isLast = args.at(-1) === and;
    if (!isLast && args[0] !== and) return [];
    const others = args.filter((arg) => arg !== and);
    const [own, rest] = isLast ? [and.args[0], and.args.slice(1)] : [and.args.at(-1), and.args.slice(0, -1)];
    const subjects = new Set([...others, own].map((arg) => arg && valueTest(byCall.get(arg))));
    const [subject] = subjects;
    if (subjects.size > 1 || subject === undefined || isBraced(and, args, isLast, policy)) return [];
    const span = spanOf([and]);
    return span ? [{ span, ...said(others, and, own as Ir, rest, isLast, policy) }] : [];
  });
}

/** Returns the subject of a test for values that are written out, which a named list is not; undefined for any other test. */
function valueTest(claim: Claim | undefined): string | undefined {
  if (!claim?.values || !claim.isWritten || (claim.operator !== "equals" && claim.operator !== "in")) return undefined;
  return plainKey(claim.subject);
}

/** True if an operator of an expression stands between all terms: YAML has none. */
function isWritten(terms: readonly Ir[], operator: string, policy: LintedPolicy): boolean {
  return terms.slice(1).every((term, i) => between(terms[i], term, policy)?.includes(operator));
}

function between(one: Ir | undefined, other: Ir, policy: LintedPolicy): string | undefined {
  return one?.at && other.at ? policy.textAt({ start: one.at[1], end: other.at[0] }) : undefined;
}

/** True if a parenthesis stands at the end of the conjunction where the alternatives are. */
function isBraced(and: Ir, args: readonly Ir[], isLast: boolean, policy: LintedPolicy): boolean {
  const span = spanOf([and]);
  const text = span ? policy.textAt(span) : "(";
  if (isLast) return text.startsWith("(") || (between(args.at(-2), and, policy) ?? "(").includes("(");
  return text.endsWith(")") || (args[1] ? (between(and, args[1], policy) ?? ")") : ")").includes(")");
}

function spanOf(terms: readonly Ir[]): { readonly start: number; readonly end: number } | undefined {
  const [first, last] = [terms[0], terms.at(-1)];
  return first?.at && last?.at && { start: first.at[0], end: last.at[1] };
}

/** Longest condition that is repeated with its parentheses. */
const mostRepeated = 120;

function said(
  others: readonly Ir[],
  and: Ir,
  own: Ir,
  rest: readonly Ir[],
  isLast: boolean,
  policy: LintedPolicy,
): Pick<Finding, "message" | "help"> {
  const text = (terms: readonly Ir[]): string => {
    const span = spanOf(terms);
    const found = span ? policy.textAt(span).replaceAll(/\s+/g, " ") : "…";
    return found.split("(").length === found.split(")").length ? found : "…";
  };
  const parts = [text(others), text([own]), text(rest), text([and])];
  const isShort = parts.join("").length <= mostRepeated;
  const [other, mine, more, all] = isShort ? parts : ["…", "…", "…", "… && …"];
  const [every, single] = isLast
    ? [`(${other} || ${mine}) && ${more}`, `${other} || (${all})`]
    : [`${more} && (${mine} || ${other})`, `(${all}) || ${other}`];
  return {
    message: `\`&&\` binds before \`||\`: ${isShort ? `\`${more}\`` : "this"} is asked for in ${isLast ? "the last" : "the first"} alternative alone`,
    help: `write \`${every}\` to ask for it in all of them, or \`${single}\` if this is meant`,
  };
}
