import { conjunctions } from "../conjunctions.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";
import { writtenPath } from "../typing.ts";

/** Lint: a waiver for commands all of whose operands are fine holds for one without operands. */
export const waivesWithoutOperands: Lint = {
  code: "HW822",
  name: "waives-without-operands",
  why: "What must hold for every operand holds for a command that has none. Without operands some programs take everything: `git add -A`, `npm install`, `git push`.",
  advice: "Ask for one operand at least, if such a command is not to pass.",
  bad: [
    {
      title: "operands below a folder",
      at: ["c.operands.all("],
      policy: `  - id: sources
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: git, c.subcommand: add }
    unless: 'c.operands.all(o, o.startsWith("src/"))'
    action: ask
    reason: sources alone are committed
`,
    },
    {
      title: "options that a filter leaves",
      at: ["c.options.filter("],
      policy: `  - id: images
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: docker, c.subcommand: build }
    unless: 'c.options.filter(o, "--tag" in o.names).all(o, o.?value.orValue("").startsWith("registry.acme.example/"))'
    action: ask
    reason: images have the name of our registry
`,
    },
  ],
  good: [
    {
      title: "one operand at least, and the same in a `when`",
      policy: `  - id: sources
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: git, c.subcommand: add }
    unless: 'c.operands.size() > 0 && c.operands.all(o, o.startsWith("src/"))'
    action: ask
    reason: sources alone are committed
  - id: tools
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: git, c.subcommand: stash, every: { c.operands: { in: [push, save] } } }
    action: ask
    reason: it hides work
`,
    },
  ],
  rule({ typed, guards }) {
    if (!guards || !typed?.unless) return [];
    return conjunctions(typed.unless).flatMap(({ terms, negated }): Finding[] =>
      terms.flatMap((term): Finding[] => {
        if (negated || term.k !== "loop" || term.loop !== "all" || !term.at) return [];
        // What a filter leaves may be nothing, too.
        const through = term.list.k === "loop" && term.list.loop === "filter" ? term.list.list : term.list;
        const list = writtenPath(through);
        const isOfWords = through.k === "field" && (through.name === "operands" || through !== term.list);
        if (!isOfWords || list.includes("…")) return [];
        const others = terms.filter((other) => other !== term);
        // The number of operands, or one of them, is asked for as well.
        if (others.some((other) => nodesIn(other).some((node) => node.k === "field" && node.name === through.name)))
          return [];
        const at = term.list.at ?? term.at;
        return [
          {
            span: { start: at[0], end: at[1] },
            message:
              through === term.list
                ? "this holds for a command without operands too"
                : `this holds where none of \`${list}\` passes the filter, too`,
            help:
              through === term.list
                ? `add \`${list}.size() > 0\`, in YAML \`${list}: { size: { gt: 0 } }\`, if such a command is not to pass`
                : `ask with \`${list}.exists(…)\` for one at least, if such a command is not to pass`,
          },
        ];
      }),
    );
  },
};
