import { shown } from "../../../diagnostics/suggest.ts";
import { subcommandSynonyms } from "../../../facts/programs/subcommand-synonyms.ts";
import { type CommandName, commandNames } from "../command-tests.ts";
import type { Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";

/** Lint: a rule that stops a subcommand by one of its names lets the same subcommand pass under another. */
export const subcommandSynonym: Lint = {
  code: "HW681",
  name: "subcommand-synonym",
  why: "Programs have several words for one subcommand, and `c.subcommand` is the word that was written. A rule that names one of them lets the others pass.",
  advice: "Name them all, or test the effect, which is the same for each.",
  bad: [
    {
      title: "two of the three that remove",
      at: ["uninstall", "rm"],
      policy: `  - id: no-removal
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: helm, c.subcommand: uninstall }, { c.program: pnpm, c.subcommand: [rm, remove] }] }
    action: ask
    reason: something is taken away
    examples: { match: [helm uninstall web, pnpm rm x], no_match: [helm list] }
`,
    },
    {
      title: "in an expression",
      at: ['"i"'],
      policy: `  - id: no-install
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: c.program == "npm" && has(c.subcommand) && c.subcommand == "i"
    action: ask
    reason: packages are added by hand
    examples: { match: [npm i x], no_match: [npm test] }
`,
    },
  ],
  good: [
    {
      title: "all of them, words for another subcommand, and what is let pass",
      policy: `  - id: no-removal
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when:
      any:
        - { c.program: helm, c.subcommand: [uninstall, delete, del, un] }
        - { c.program: npm, c.subcommand: publish }
        - { c.program: pnpm, c.subcommand: { not_in: [install, i] } }
    unless: { c.program: pnpm, c.subcommand: list }
    action: ask
    reason: something is taken away
    examples: { match: [helm del web, npm publish, pnpm rm x], no_match: [helm list] }
`,
    },
    {
      title: "one word in each of several tests",
      policy: `  - id: no-removal
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: bun, c.subcommand: remove }, { c.program: bun, c.subcommand: rm }] }
    action: ask
    reason: something is taken away
    examples: { match: [bun rm x], no_match: [bun test] }
`,
    },
  ],
  ofItems: true,
  rule(rule) {
    if (!rule.catches) return [];
    const names = commandNames(rule).filter(({ of }) => of === "subcommand");
    const seen = new Set<string>();
    return names.flatMap((name) => {
      const missing = missingFor(name, names, rule);
      if (!missing) return [];
      const { program, words } = missing;
      // One finding for the words of a line that stand in the rule together.
      const line = [program, ...words].join(" ");
      if (seen.has(line)) return [];
      seen.add(line);
      return [
        {
          span: name.span,
          message: `\`${program} ${shown(name.text)}\` is also written ${words.map((word) => `\`${word}\``).join(", ")}`,
          help: `write \`[${[name.text, ...words].join(", ")}]\``,
        },
      ];
    });
  },
};

/** The words for a subcommand that stand nowhere among those that the rule names, and its program. */
function missingFor(
  { text, whole, negated, part, programs }: CommandName,
  all: readonly CommandName[],
  { typed }: LintedRule,
): { readonly program: string; readonly words: readonly string[] } | undefined {
  if (!whole || negated || part !== "when" || !typed) return undefined;
  for (const program of programs) {
    const ofProgram = all.filter((other) => other.programs.includes(program) || other.programs.length === 0);
    // A part or pattern of a word may cover the others.
    if (ofProgram.some((other) => !other.whole)) continue;
    const words = subcommandSynonyms(program, text).filter((word) => !ofProgram.some((other) => other.text === word));
    if (words.length > 0) return { program, words };
  }
  return undefined;
}
