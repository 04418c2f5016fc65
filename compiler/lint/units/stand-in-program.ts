import { managersBeside } from "../../../facts/programs/managers.ts";
import { standIns } from "../../../facts/programs/stand-ins.ts";
import { textValues } from "../claims.ts";
import { type CommandName, commandNames } from "../command-tests.ts";
import type { Finding, Lint } from "../lint.ts";
import { isWhole } from "../wrong-shape.ts";

/** Lint: a rule that stops a program lets one pass that takes its place. */
export const standInProgram: Lint = {
  code: "HW688",
  name: "stand-in-program",
  why: "Some programs take the place of another and read the same words: `podman` does what `docker` does. So do package managers: `yarn` installs what `npm` does. A rule that names one of them lets the others pass.",
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
    {
      title: "one manager of several with the same packages",
      at: ["i.manager: [npm, cargo]"],
      policy: `  - id: sources
    title: No package from elsewhere
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.manager: [npm, cargo], i.source: [git, url] }
    action: block
    reason: nobody has looked at it
    examples: { match: [npm install "git+https://example.com/a.git"], no_match: [npm ci] }
`,
    },
  ],
  good: [
    {
      title: "the packages of one program",
      policy: `  - id: globals
    title: No package from elsewhere
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.manager: npm, i.via: npm, i.source: [git, url] }
    action: block
    reason: nobody has looked at it
    examples: { match: [npm install "git+https://example.com/a.git"], no_match: [npm ci] }
`,
    },
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
  ofItems: true,
  claim(claim, { rule }) {
    const { field, operator, part, negated, span } = claim;
    if (!rule?.catches || field !== "install.manager" || part !== "when" || negated || !isWhole(operator))
      return undefined;
    // The rule is about this program alone.
    if (rule.claims.some((other) => other.field === "install.via")) return undefined;
    const named = textValues(claim).map(({ text }) => text);
    const seen = rule.claims.filter((other) => other.field === field && other.part === "when").flatMap(textValues);
    const others = named.flatMap(managersBeside).filter((other) => !seen.some(({ text }) => text === other));
    if (others.length === 0) return undefined;
    const all = [...new Set([...named, ...others])];
    return {
      span,
      ...unseen(
        [...new Set(others)],
        named.filter((one) => managersBeside(one).length > 0),
        all,
        "install the packages of",
      ),
    };
  },
  rule(rule) {
    if (!rule.catches) return [];
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
      return [
        {
          span: name.span,
          ...unseen(
            others,
            [name.text],
            [name.text, ...others],
            others.length > 1 ? "take the place of" : "takes the place of",
          ),
        },
      ];
    });
  },
};

/** Returns what to say of programs that do the same as the named ones, and that a rule does not see. */
function unseen(
  others: readonly string[],
  named: readonly string[],
  all: readonly string[],
  verb: string,
): Pick<Finding, "message" | "help"> {
  const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
  return {
    message: `${list(others)} ${verb} ${list(named)}, and this rule does not see ${others.length > 1 ? "them" : "it"}`,
    help: `if what it does is meant, write \`[${all.join(", ")}]\``,
  };
}

function missingFor({ text, negated, part }: CommandName, named: ReadonlySet<string>): readonly string[] {
  if (negated || part !== "when") return [];
  return standIns(text).filter((other) => !named.has(other));
}
