import type { Ir } from "../../../engine/plan.ts";
import { child } from "../../yaml-node.ts";
import { irKey } from "../guards.ts";
import type { Lint } from "../lint.ts";

/** `unless` is `when`, or one of the tests that `when` needs: the rule never fires. */
export const whenEqualsUnless: Lint = {
  code: "HW620",
  name: "when-equals-unless",
  why: "A rule fires when `when` holds and `unless` does not. Where `unless` asks for something that `when` needs, it never fires.",
  advice: "Take the test out of one of them.",
  bad: [
    {
      title: "a test of `when` again in `unless`",
      at: ["{ session.turn: { gt: 10 } }"],
      policy: `  - id: late
    event: tool_call
    when: { environment.user: ci, session.turn: { gt: 10 } }
    unless: { session.turn: { gt: 10 } }
    action: ask
    reason: a long session
`,
    },
  ],
  good: [
    {
      title: "`unless` narrows `when`",
      policy: `  - id: late
    event: tool_call
    when: { session.turn: { gt: 10 } }
    unless: { session.turn: { gt: 10 }, environment.user: ci }
    action: ask
    reason: a long session
`,
    },
  ],
  rule({ typed, node, draft }) {
    const { when, unless } = typed ?? {};
    const written = child(node, "unless");
    if (!when || !unless || !written) return [];
    const needed = new Set([when, ...(when.k === "and" ? when.args : [])].map(irKey));
    const ways = unless.k === "or" ? unless.args : [unless];
    if (!ways.some((way) => needed.has(irKey(way)) && !seesLess(way))) return [];
    return [
      {
        span: written.span,
        message: `rule \`${draft.id}\` never fires: \`unless\` holds whenever \`when\` does`,
        help: "take the test out of one of them",
      },
    ];
  },
};

/** Facts of an `unless` are the certain ones, so that the same words hold less often there. */
function seesLess(ir: Ir): boolean {
  return /"name":"(?:effects|shell|paths)|"certain"|"forms"|"k":"slot"|"k":"condition"/.test(JSON.stringify(ir));
}
