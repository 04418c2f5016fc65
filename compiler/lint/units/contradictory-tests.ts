import type { Ir } from "../../../engine/plan.ts";
import { clashIn } from "../../never/clash.ts";
import { eitherHelp } from "../../never/clash-help.ts";
import { besideVia } from "../beside-via.ts";
import { conjunctions } from "../conjunctions.ts";
import { impliedClash } from "../implied.ts";
import type { Finding, Lint, LintContext } from "../lint.ts";

/**
 * Lint: tests of one value must all hold but cannot, given the values of a list or parameter in this set. Contradictory literals
 * are an error instead. Paths and URLs are left out: they have two forms.
 */
export const contradictoryTests: Lint = {
  code: "HW612",
  name: "contradictory-tests",
  why: "Tests that stand together must all hold. Where a list or parameter has values that exclude the test beside it, the rule never fires, and nobody notices.",
  advice: "Give the list or parameter another value, write `any:` where one of the tests is enough, or take one out.",
  bad: [
    {
      title: "a list beside a value that it does not have",
      at: ["environment.branch: main"],
      policy: `lists: { released: [release, stable] }
rules:
  - id: branches
    event: tool_call
    when:
      all:
        - { environment.branch: $released }
        - { environment.branch: main }
    action: ask
    reason: a protected branch
`,
    },
    {
      title: "a parameter that leaves nothing",
      at: ["session.turn < 5"],
      policy: `parameters: { late: { type: int, default: 10 } }
rules:
  - id: late
    event: tool_call
    when: session.turn > parameters.late && session.turn < 5
    action: ask
    reason: a long session
`,
    },
    {
      title: "fields that are there only with another value of a field beside them",
      at: ["agent.depth: 0", "message.role: user"],
      policy: `rules:
  - id: explorers
    event: tool_call
    when: { agent.type: explore, agent.depth: 0 }
    action: ask
    reason: it only looks
  - id: notes
    event: context
    action: { drop: { where: { message.custom_type: debug, message.role: user } } }
    reason: nobody needs it
`,
    },
    {
      title: "a manager that the program does not have, and a target that is not the name in facts",
      at: ["i.manager: npm", "k.target: web"],
      policy: `rules:
  - id: installs
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.via: cargo, i.manager: npm }
    action: ask
    reason: it brings in code
  - id: containers
    event: [tool_call, user_bash]
    each: { k: effects.kills }
    when: { k.via: docker, k.target: web }
    action: ask
    reason: a service stops
`,
    },
  ],
  good: [
    {
      title: "the manager of a program, and the name that facts have of a container",
      policy: `  - id: installs
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.via: uv, i.manager: pip }
    action: ask
    reason: it brings in code
  - id: containers
    event: [tool_call, user_bash]
    each: { k: effects.kills }
    when: { k.via: docker, k.target: container/web }
    action: ask
    reason: a service stops
`,
    },
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
  besideErrors: true,
  ofItems: true,
  rule({ typed, claims }, context) {
    const byCall = new Map(claims.map((claim) => [claim.call, claim]));
    const chosen = typed?.actions.flatMap(({ conditions }) => Object.values(conditions ?? {})) ?? [];
    const parts = [typed?.when, typed?.unless, ...(typed?.exceptions.map(({ when }) => when) ?? []), ...chosen];
    return parts.flatMap((ir) => (ir ? clashes(ir, (term) => byCall.get(term), context) : []));
  },
  policy({ ownClaims, typed }, context) {
    const byCall = new Map(ownClaims.map((claim) => [claim.call, claim]));
    return [...typed.conditions.values()].flatMap((ir) => clashes(ir, (term) => byCall.get(term), context));
  },
};

function clashes(ir: Ir, claimOf: Parameters<typeof clashIn>[1], { regex }: LintContext): Finding[] {
  return conjunctions(ir).flatMap(({ terms }) => {
    const beside = besideVia(terms, claimOf) ?? impliedClash(terms, claimOf);
    if (beside) return [beside];
    const clash = clashIn(terms, claimOf, regex);
    if (!clash || clash.literal) return [];
    const message = `\`${clash.path}\` cannot be this together with the tests beside it${clash.why === undefined ? "" : `: ${clash.why}`}`;
    return [{ span: clash.span, message, help: clash.help ?? eitherHelp }];
  });
}
