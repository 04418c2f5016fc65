import { coveringWay, seesLess } from "../../never/covers.ts";
import { child } from "../../yaml-node.ts";
import { plainKey } from "../guards.ts";
import type { Lint } from "../lint.ts";

/**
 * Lint: `unless` repeats a test of facts that `when` needs. An `unless` sees only certain facts, so the rule still fires if the
 * test is not sure. Without facts the rule would never fire, which is an error.
 */
export const whenEqualsUnless: Lint = {
  code: "HW620",
  name: "when-equals-unless",
  why: "A rule fires when `when` holds and `unless` does not. Where `unless` asks for something that `when` needs, what is left is what may be so and is not sure to be.",
  advice: "Take the test out of one of them, or say in `unless` what is different.",
  bad: [
    {
      title: "all values of `when`, and one more",
      at: ["{ c.program: [npm, yarn] }"],
      policy: `  - id: managers
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: npm }
    unless: { c.program: [npm, yarn] }
    action: ask
    reason: it changes what is installed
`,
    },
    {
      title: "a test of `when` again in `unless`",
      at: ["{ d.path: { within: build } }"],
      policy: `  - id: folders
    event: tool_call
    each: { d: effects.deletes }
    when: { d.path: { within: build }, d.recursive: true }
    unless: { d.path: { within: build } }
    action: ask
    reason: a folder is deleted
`,
    },
  ],
  good: [
    {
      title: "some of the values",
      policy: `  - id: managers
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: [npm, yarn] }
    unless: { c.program: [yarn, pnpm] }
    action: ask
    reason: it changes what is installed
`,
    },
    {
      title: "`unless` narrows `when`",
      policy: `  - id: folders
    event: tool_call
    each: { d: effects.deletes }
    when: { d.path: { within: build } }
    unless: { d.path: { within: build/tmp } }
    action: ask
    reason: a folder is deleted
`,
    },
  ],
  besideErrors: true,
  rule({ typed, node, draft, claims }, { regex }) {
    const { when, unless } = typed ?? {};
    const written = child(node, "unless");
    if (!when || !unless || !written) return [];
    const needed = new Set((when.k === "and" ? when.args : []).map(plainKey));
    const ways = unless.k === "or" ? unless.args : [unless];
    // A constant replaces a test that already has an error.
    const repeats = ways.some((way) => way.k !== "const" && needed.has(plainKey(way)));
    const way = repeats ? undefined : coveringWay(when, ways, claims, regex);
    // If nothing is unsure, the rule never fires, which another check reports as an error.
    if (!repeats && !(way && seesLess(way))) return [];
    return [
      {
        span: written.span,
        message: `rule \`${draft.id}\` fires only where it is not sure: \`unless\` asks for what \`when\` needs`,
        help: "take the test out of one of them, or say in `unless` what is different",
      },
    ];
  },
};
