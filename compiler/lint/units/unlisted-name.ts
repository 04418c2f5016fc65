import { firstTold, shown } from "../../../diagnostics/suggest.ts";
import type { CommandName } from "../command-tests.ts";
import type { Lint } from "../lint.ts";
import { isShown, namesThat } from "./near-name.ts";

/** Lint: no table lists a program, subcommand or option. The name may be right, but then little is known of it. */
export const unlistedName: Lint = {
  code: "HW668",
  name: "unlisted-name",
  why: "Of a program that no table has nobody knows which of its words are subcommands and values of options, nor what it does: a call of it is opaque. A subcommand or option that no table has may not exist.",
  advice:
    "Make sure that the name is right; an example under `match` proves a subcommand or an option. Declare a program of your own under `programs`, with its options and what it does.",
  bad: [
    {
      title: "a program of one's own",
      at: ["shipit"],
      policy: `  - id: deploys
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: shipit }
    action: ask
    reason: it goes to production
    examples: { match: [shipit], no_match: [ls] }
`,
    },
  ],
  good: [
    {
      title: "a program that the policy declares",
      policy: `version: 1
policy: example
programs:
  shipit: { options: { --env: value } }
rules:
  - id: deploys
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: shipit, c: { has_option: --env } }
    action: ask
    reason: it goes to production
`,
    },
    {
      title: "programs of the tables, and well-known ones beside them",
      policy: `  - id: deploys
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: [kubectl, terraform, pytest] }
    action: ask
    reason: it goes to production
`,
    },
  ],
  besideErrors: true,
  ofItems: true,
  rule(rule) {
    const names = namesThat(rule, "unlisted").filter(({ name }) => !isShown(name, rule));
    return firstTold(names).map(({ one: { name, verdict }, more }) => ({
      span: name.span,
      message: `${verdict.why ?? `no table has the ${name.of} \`${shown(name.text)}\``}${more}`,
      help: [...(verdict.help === undefined ? [] : [verdict.help]), advice(name)].join("; "),
    }));
  },
};

function advice({ of, text, part, negated }: CommandName): string {
  if (/^[A-Z][a-z]+-[A-Z]\w+$/.test(text))
    return "commands of PowerShell are not read: test the text of the tool `powershell` by `args.command`";
  if (of === "program" && /\.(?:sh|bash|zsh|py|rb|pl|js|mjs|ts)$/.test(text))
    return `a script is run in several ways: test \`effects.runs\`, as in \`each: { r: effects.runs }\` with \`r.target: { glob: "**/${text.replace(/^.*\//, "")}" }\``;
  return of === "program" || of === "wrapper"
    ? "make sure of the name, or declare it under `programs`; its calls are opaque"
    : `make sure of the name, or show it in an example under \`${part === "when" && !negated ? "match" : "no_match"}\`; no other spelling of it is known, so name each`;
}
