import type { Claim } from "../claims.ts";
import { isOfOneEffect } from "../effect-lists.ts";
import type { Lint } from "../lint.ts";
import { wavesThrough } from "../waves-through.ts";

/** Lint: a rule that stops calls looks at one element of a list by its number. */
export const firstAlone: Lint = {
  code: "HW821",
  name: "first-alone",
  why: "A call has as many effects and commands as its author wrote, in any order. A rule that looks at the first one lets all others pass.",
  advice: "Bind the list with `each`, or write `some`.",
  bad: [
    {
      title: "the first write, and the first command",
      at: ["effects.writes[0].path", "shell.commands[0].program"],
      policy: `  - id: pipeline
    event: [tool_call, user_bash]
    when: effects.writes.size() > 0 && effects.writes[0].path.within("ci")
    action: block
    reason: people change it
  - id: releases
    event: [tool_call, user_bash]
    when: shell.commands.size() > 0 && shell.commands[0].program == "semantic-release"
    action: ask
    reason: it is for everybody to see
`,
    },
  ],
  good: [
    {
      title: "each of them, some of them, and a list of one",
      policy: `  - id: pipeline
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { w.path: { within: ci } }
    action: block
    reason: people change it
  - id: releases
    event: [tool_call, user_bash]
    when: { some: { shell.commands: { program: semantic-release } } }
    action: ask
    reason: it is for everybody to see
  - id: alone
    event: [tool_call, user_bash]
    when: shell.commands.size() == 1 && shell.commands[0].program == "make"
    action: ask
    reason: nothing stands beside it
`,
    },
  ],
  ofItems: true,
  rule(rule) {
    const { claims, catches, typed } = rule;
    if (!typed || isOfOneEffect(typed)) return [];
    const told = new Set<string>();
    return claims.flatMap((claim) => {
      const { list, by, part, span, negated, values } = claim;
      if (list === undefined || by !== "number" || told.has(list)) return [];
      if (!wavesThrough(claim, rule) && (!catches || part !== "when")) return [];
      // What a script must begin with has its place.
      if (list === "shell.commands" && values?.every((value) => beginnings.has(String(value)))) return [];
      if (list === "shell.commands" && part === "when" && negated) return [];
      if (claims.some((other) => other.list === list && isBounded(other))) return [];
      told.add(list);
      const help = `bind it: \`each: { x: ${list} }\` with \`x\` in place of the number, or write \`some: { ${list}: { … } }\``;
      return [{ span, message: "this looks at one of them by its number, and lets the others pass", help }];
    });
  },
};

/** Tells whether a test of a list's size leaves no room for more elements than its author thought of. */
function isBounded({ by, operator, path, negated, values }: Claim): boolean {
  if (by !== "whole" || (operator !== "size" && !path.endsWith("size"))) return false;
  if (operator === "lt" || operator === "le") return !negated;
  if (operator === "gt" || operator === "ge") return negated;
  return !negated && values?.every((value) => typeof value !== "number" || value > 0) === true;
}

/** Programs that stand at the beginning of a script. */
const beginnings: ReadonlySet<string> = new Set(["cd", "set", "source", "export", "pushd"]);
