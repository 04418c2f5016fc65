import type { Ir } from "../../../engine/plan.ts";
import { conjunctions } from "../conjunctions.ts";
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
      title: "some of them, each of them, one thing without another, and all inside",
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
  - id: lock
    event: [tool_call, user_bash]
    when: { some: { effects.writes: { path: package.json } }, every: { effects.writes: { path: { not: { glob: "*-lock.json" } } } } }
    action: ask
    reason: the lock file changes as well
  - id: cleaned
    event: [tool_call, user_bash]
    when: { effects.deletes: { size: { ge: 1 } }, none: { effects.deletes: { path: { not: { within: build } } } } }
    action: ask
    reason: build is cleaned and nothing else
`,
    },
  ],
  ofItems: true,
  rule({ typed, catches, claims }) {
    // Where `each` or another test says which call is meant, its author may ask for one thing without another.
    if (!typed?.when || typed.each || !catches || isOfOneEffect(typed)) return [];
    const terms = conjunctions(typed.when)[0]?.terms ?? [];
    const full = claims.filter((claim) => isNotEmpty(claim) && terms.some((term) => isTestOf(term, claim.call)));
    const lists = new Set(full.map(({ list }) => list));
    const left = terms.filter((term) => term.k !== "has" && !full.some(({ call }) => isTestOf(term, call)));
    return left.flatMap((term): Finding[] => {
      const list = outsideOf(term, lists);
      const isAlone = left.length === 1 && term.at;
      return list && isAlone ? [{ span: { start: isAlone[0], end: isAlone[1] }, ...said }] : [];
    });
  },
};

/** Returns the list of a term that holds where all its elements are outside: `all` of what is not, or none of what is in a list of `full`. */
function outsideOf(term: Ir, full: ReadonlySet<string | undefined>): string | undefined {
  if (term.k === "loop") return term.loop === "all" && isNegated(term.body) ? factsOf(term.list) : undefined;
  const list =
    term.k === "not" && term.arg.k === "loop" && term.arg.loop === "exists" && !isNegated(term.arg.body)
      ? factsOf(term.arg.list)
      : undefined;
  return full.has(list) ? list : undefined;
}

/** True if a term is a test, or its negation. */
const isTestOf = (term: Ir, call: Ir): boolean => term === call || (term.k === "not" && term.arg === call);

const said = {
  message: "this holds only where all of them are outside: one inside lets the others pass",
  help: "write `some` with the negated test, or bind the elements with `each`",
};

function factsOf(ir: Ir): string | undefined {
  return ir.k === "root" && /^(?:effects\.\w+|shell\.commands)$/.test(ir.name) ? ir.name : undefined;
}

/** True for a negated test, with the presence of its field beside it or without. */
function isNegated(body: Ir): boolean {
  if (body.k === "not") return body.arg.k !== "has";
  return body.k === "and" && body.args.every((arg) => arg.k === "has" || isNegated(arg)) && body.args.some(isNegated);
}
