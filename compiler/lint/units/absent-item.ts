import { shown } from "../../../diagnostics/suggest.ts";
import type { Claim } from "../claims.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";
import { writtenPath } from "../typing.ts";
import { holdsVariables, wrongVariable } from "../variable-names.ts";

/** Lint: a condition reads a variable that most calls do not have, and says nothing of its absence. */
export const absentItem: Lint = {
  code: "HW690",
  name: "absent-item",
  why: "Few commands set a variable, and few variables are in every environment. An index that is not there is an error at run time, which answers the call closed: the rule then stops calls that have nothing to do with it.",
  advice:
    'Ask whether it is there first, `"STAGE" in c.env && …`, or say what its absence means: `c.env[?"STAGE"].orValue("")`.',
  bad: [
    {
      title: "a variable of a command, and one of the environment",
      at: ['c.env["STAGE"] == "prod"', 'environment.variables["CI"] == "true"'],
      policy: `  - id: production
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: 'c.env["STAGE"] == "prod" && environment.variables["CI"] == "true"'
    action: ask
    reason: it goes to production
`,
    },
  ],
  good: [
    {
      title: "a variable that is asked for, and one with a value for its absence",
      policy: `  - id: production
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: '"STAGE" in c.env && c.env["STAGE"] == "prod" && environment.variables[?"CI"].orValue("") == "true"'
    action: ask
    reason: it goes to production
`,
    },
  ],
  besideErrors: true,
  claim(claim, { policy }) {
    const found = readsItem(claim);
    if (!found || asksFor(policy, found.key)) return undefined;
    const { map, key } = found;
    const name = `"${shown(key)}"`;
    return {
      span: claim.span,
      message: `\`${map}\` may have no ${name}, and then the rule answers with an error`,
      help: `write \`${name} in ${map} && …\` before it, or \`${map}[?${name}].orValue("")\``,
    };
  },
};

/** The map and key of an index that the subject of a claim reads without a value for its absence. */
function readsItem({ subject }: Claim): { readonly map: string; readonly key: string } | undefined {
  if (subject.k !== "index" || subject.optional || subject.index.k !== "const") return undefined;
  const map = writtenPath(subject.of);
  const { value: key } = subject.index;
  // HW614 tells of a name that no variable has.
  return typeof key === "string" && holdsVariables(map) && !wrongVariable(key) ? { map, key } : undefined;
}

/** True where the policy asks whether a map has the key: in the rule, its `each`, an exception or a named condition. */
function asksFor({ source: { text } }: LintedPolicy, key: string): boolean {
  const quoted = [`"${key}"`, `'${key}'`];
  return (
    quoted.some((name) => text.includes(`${name} in `) || text.includes(`== ${name}`) || text.includes(`[?${name}]`)) ||
    text.includes(`.${key})`)
  );
}
