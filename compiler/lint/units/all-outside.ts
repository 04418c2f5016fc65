import type { Ir } from "../../../engine/plan.ts";
import type { Claim } from "../claims.ts";
import { conjunctions, truths } from "../conjunctions.ts";
import { isNotEmpty, isOfOneEffect } from "../effect-lists.ts";
import type { Finding, Lint } from "../lint.ts";

/** Lint: a rule that stops calls asks that all effects are outside of what is let pass. */
export const allOutside: Lint = {
  code: "HW825",
  name: "all-outside",
  why: "`every` with a negated test holds only where all elements are outside of what is let pass. One inside lets all others pass with it.",
  advice: "Write `some`, or bind the elements with `each`.",
  bad: [
    {
      title: "deletes outside of a folder, and programs beside one",
      at: ["every", "shell.commands.all"],
      policy: `  - id: deletes
    event: [tool_call, user_bash]
    when: { effects.deletes: { size: { ge: 1 } }, every: { effects.deletes: { path: { not: { within: build } } } } }
    action: block
    reason: build alone may be cleaned
  - id: programs
    event: [tool_call, user_bash]
    when: 'shell.commands.size() > 0 && shell.commands.all(c, c.program != "make")'
    action: ask
    reason: make alone is known
`,
    },
  ],
  good: [
    {
      title: "some of them, each of them, and what a rule allows",
      policy: `  - id: deletes
    event: [tool_call, user_bash]
    when: { some: { effects.deletes: { path: { not: { within: build } } } } }
    action: block
    reason: build alone may be cleaned
  - id: writes
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { w.path: { not: { within: build } } }
    action: ask
    reason: build alone may be written
  - id: local
    event: [tool_call, user_bash]
    when: { some: { effects.network: { direction: [upload, both] } }, every: { effects.network: { url.host: localhost } } }
    action: ask
    reason: the tests send something
`,
    },
  ],
  ofItems: true,
  rule({ typed, catches, claims }) {
    if (!typed?.when || !catches || isOfOneEffect(typed)) return [];
    const none = noneOfThem(typed.when, claims).map((place) => ({ span: { start: place[0], end: place[1] }, ...said }));
    const all = truths(typed.when).flatMap(({ ir, negated }): Finding[] => {
      if (negated || ir.k !== "loop" || ir.loop !== "all" || !ir.at || !isFacts(ir.list) || !isNegated(ir.body))
        return [];
      return [
        {
          span: { start: ir.at[0], end: ir.at[1] },
          ...said,
        },
      ];
    });
    return [...all, ...none];
  },
};

const said = {
  message: "this holds only where all of them are outside: one inside lets the others pass",
  help: "write `some` with the negated test, or bind the elements with `each`",
};

/** Finds that no element is inside, beside the test that there is one: all of them are outside. */
function noneOfThem(when: Ir, claims: readonly Claim[]): readonly (readonly [number, number])[] {
  const terms = conjunctions(when)[0]?.terms ?? [];
  const full = new Set(
    claims
      .flatMap((claim) => (terms.includes(claim.call) || isUnderNot(claim, terms) ? claim : []))
      .filter(isNotEmpty)
      .map(({ list }) => list),
  );
  return terms.flatMap((term) => {
    const loop = term.k === "not" && term.arg.k === "loop" && term.arg.loop === "exists" ? term.arg : undefined;
    return loop?.list.k === "root" && isFacts(loop.list) && full.has(loop.list.name) && term.at ? [term.at] : [];
  });
}

const isUnderNot = ({ call }: Claim, terms: readonly Ir[]): boolean =>
  terms.some((term) => term.k === "not" && term.arg === call);

function isFacts(ir: Ir): boolean {
  return ir.k === "root" && /^(?:effects\.\w+|shell\.commands)$/.test(ir.name);
}

/** True for a negated test, with the presence of its field beside it or without. */
function isNegated(body: Ir): boolean {
  if (body.k === "not") return body.arg.k !== "has";
  return body.k === "and" && body.args.every((arg) => arg.k === "has" || isNegated(arg)) && body.args.some(isNegated);
}
