import { standIns } from "../../../facts/programs/stand-ins.ts";
import { type CommandName, commandNames } from "../command-tests.ts";
import type { Lint } from "../lint.ts";

/** Lint: a rule that stops a program lets one pass that takes its place. */
export const standInProgram: Lint = {
  code: "HW688",
  name: "stand-in-program",
  why: "Some programs take the place of another and read the same words: `podman` does what `docker` does. A rule that names one of them lets the others pass.",
  advice: "Name them all, or test the effect, which is the same for each. If one program is meant, all is well.",
  bad: [
    {
      title: "one of three, and one of two",
      at: ["docker", "rails"],
      policy: `  - id: containers
    title: No privileged container
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: docker, c: { has_option: --privileged } }, { c.program: rails, c.operands: { contains: "db:migrate" } }] }
    action: ask
    reason: it reaches what others use
    examples: { match: [docker run --privileged a], no_match: [docker ps] }
`,
    },
  ],
  good: [
    {
      title: "all of them, one in a test for others, and what is let pass",
      policy: `  - id: containers
    title: No privileged container
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: [docker, podman, nerdctl], c: { has_option: --privileged } }
    unless: { c.program: docker, c.subcommand: ps }
    action: ask
    reason: it reaches what others use
    examples: { match: [docker run --privileged a], no_match: [docker ps] }
`,
    },
  ],
  rule(rule) {
    if (!rule.guards) return [];
    const names = commandNames(rule).filter(({ of }) => of === "program");
    // A part or pattern of a name may cover the others.
    if (names.some(({ whole }) => !whole)) return [];
    const named = new Set(names.filter(({ negated, part }) => !negated && part === "when").map(({ text }) => text));
    const seen = new Set<string>();
    return names.flatMap((name) => {
      const others = missingFor(name, named);
      const line = [name.text, ...others].sort().join(" ");
      if (others.length === 0 || seen.has(line)) return [];
      seen.add(line);
      const list = others.map((other) => `\`${other}\``).join(", ");
      return [
        {
          span: name.span,
          message: `${list} ${others.length > 1 ? "take" : "takes"} the place of \`${name.text}\`, and this rule does not see ${others.length > 1 ? "them" : "it"}`,
          help: `if what it does is meant, write \`[${[name.text, ...others].join(", ")}]\``,
        },
      ];
    });
  },
};

function missingFor({ text, negated, part }: CommandName, named: ReadonlySet<string>): readonly string[] {
  if (negated || part !== "when") return [];
  return standIns(text).filter((other) => !named.has(other));
}
