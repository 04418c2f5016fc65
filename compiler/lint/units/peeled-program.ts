import type { Ir } from "../../../engine/plan.ts";
import { commandNames } from "../command-tests.ts";
import type { Lint } from "../lint.ts";
import { isPeeled } from "../peeled.ts";
import type { LintedRule } from "../policy.ts";

/** Lint: a test of `program` names a wrapper, which is never the program of the commands that it runs. */
export const peeledProgram: Lint = {
  code: "HW669",
  name: "peeled-program",
  why: "Of `sudo ls` and `timeout 5 ls` the program is `ls`, so that a rule about `ls` holds for it as well. What stands before it is in `c.wrappers`. A test of `c.program` for such a name holds for no call that runs another program.",
  advice:
    "Ask for the wrapper: `c.wrappers: { contains: sudo }`. Where the wrapper alone is meant as well, such as `sudo -i`, ask for either.",
  bad: [
    {
      title: "wrappers among programs",
      at: ["sudo", "timeout"],
      policy: `  - id: no-root
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: sudo }, { c.program: [rm, timeout] }] }
    action: ask
    reason: this agent works without root
    examples: { match: [rm x], no_match: [ls] }
`,
    },
  ],
  good: [
    {
      title: "the wrapper, by itself and before another program, and one that is asked for by its own options",
      policy: `  - id: no-root
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: sudo }, { c.wrappers: { contains: sudo } }] }
    action: block
    reason: this agent works without root
    examples: { match: [sudo ls], no_match: [ls] }
  - id: no-root-shell
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: sudo, c: { has_option: -i } }
    action: block
    reason: a shell of root cannot be seen into
    examples: { match: [sudo -i], no_match: [ls] }
`,
    },
  ],
  besideErrors: true,
  ofItems: true,
  rule(rule) {
    if (asksMore(rule)) return [];
    return commandNames(rule).flatMap(({ of, text, whole, negated, span }) => {
      if (of !== "program" || !whole || negated || !isPeeled(text)) return [];
      return [
        {
          span,
          message: `\`${text}\` is no program of what it runs: of \`${text} …\` the program is what it runs`,
          help: `did you mean \`wrappers: { contains: ${text} }\`?`,
        },
      ];
    });
  },
};

/** Fields with which a rule tests for a wrapper, or for a wrapper that runs nothing. */
const telling: ReadonlySet<string> = new Set(["wrappers", "options", "operands", "words", "subcommand", "path"]);

/** True for a rule that tests more than programs, or uses conditions that this lint does not inspect. */
function asksMore({ typed }: LintedRule): boolean {
  const open = new Set<unknown>([typed?.when, typed?.unless, ...(typed?.exceptions ?? []).map(({ when }) => when)]);
  for (const value of open) {
    if (typeof value !== "object" || value === null) continue;
    const ir = value as Ir;
    if (ir.k === "condition" || ((ir.k === "field" || ir.k === "has") && telling.has(ir.name))) return true;
    if (ir.k === "call" && /(?:has_option|\.option)$/.test(ir.fn)) return true;
    for (const inner of Object.values(ir)) open.add(inner);
  }
  return false;
}
