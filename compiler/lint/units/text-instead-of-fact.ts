import { programOf } from "../../../facts/programs/registry.ts";
import { textValues } from "../claims.ts";
import { isCommandText } from "../command-text.ts";
import type { Lint } from "../lint.ts";
import { readWords, testsOf } from "../subcommand-paths.ts";

/** Lint: a pattern on the text of a command tests something that a fact states better. */
export const textInsteadOfFact: Lint = {
  code: "HW624",
  name: "text-instead-of-fact",
  why: "A text has a hundred spellings: other options, quotes, variables, `sudo`, `xargs`, a script. Facts see through them; a pattern catches the one that its author thought of, and fires on a commit message that mentions it.",
  advice: "Use the effect or the parsed command: `each: { d: effects.deletes }`, `each: { c: shell.commands }`.",
  bad: [
    {
      title: "a delete by its text",
      at: ["args.command: { matches:"],
      policy: `  - id: deletes
    event: tool_call
    tool: bash
    when: { args.command: { matches: 'rm\\s+-rf' } }
    action: ask
    reason: everything beneath is deleted
`,
    },
    {
      title: "a push by its text",
      at: ["args.command.contains("],
      policy: `  - id: pushes
    event: tool_call
    tool: bash
    when: args.command.contains("git push --force")
    action: ask
    reason: history may be overwritten
`,
    },
  ],
  good: [
    {
      title: "effects",
      policy: `  - id: deletes
    event: [tool_call, user_bash]
    each: { d: effects.deletes }
    when: { d.recursive: true }
    action: ask
    reason: everything beneath is deleted
`,
    },
    {
      title: "a text that no fact knows",
      policy: `  - id: windows
    event: tool_call
    tool: bash
    when: { args.command: { contains: "--skip-confirmation" } }
    action: ask
    reason: nobody is asked
`,
    },
  ],
  claim(claim) {
    if (claim.negated || claim.part === "unless" || claim.part === "exception" || !isCommandText(claim))
      return undefined;
    for (const { text } of textValues(claim)) {
      const row = facts.find(([pattern]) => pattern.test(text));
      if (!row) continue;
      const tests = row[1] === "a push" || row[1] === "an install" ? undefined : subcommandTests(text);
      const fact = tests === undefined ? row[1] : "the subcommand";
      const use = tests === undefined ? row[2] : `\`each: { c: shell.commands }\` with \`${tests}\``;
      return {
        span: claim.span,
        message: `the text of a command is no proof of what it does; ${fact} is a fact`,
        help: `use ${use}`,
      };
    }
    return undefined;
  },
};

/** Returns tests of the subcommand that a text spells, since `rm` in `terraform state rm` is no program. */
function subcommandTests(text: string): string | undefined {
  const [program = "", ...words] = text.trim().split(/\s+/).slice(0, mostWords);
  if (!programOf(program)?.subcommands || !words.every((word) => /^[a-z][\w-]*$/.test(word))) return undefined;
  return readWords(program, words).subcommand === ""
    ? undefined
    : `c.program: ${program}, ${testsOf(program, words, "c.")}`;
}

/** Most words of a text that are read as a subcommand and its operands. */
const mostWords = 6;

/** Patterns to run on a short constant of the policy; regular expression syntax may follow a word. */
const facts: readonly (readonly [RegExp, string, string])[] = [
  [
    /(?:^|[^\w.-])git(?:\s|\\s[+*]?|\W)+push/,
    "a push",
    "`each: { p: effects.pushes }` with `p.target.branch` and `p.forced`",
  ],
  [
    /(?:^|[^\w.-])(?:npm|pnpm|yarn|pip3?|cargo|gem|brew|apt(?:-get)?)(?:\s|\\s[+*]?)+(?:install|add|i)(?:\W|$)/,
    "an install",
    "`each: { i: effects.installs }` with `i.manager` and `i.name`",
  ],
  [
    /(?:^|\\b|[^\w.-])(?:rm|rmdir|unlink|shred)(?:\W|$)/,
    "a delete",
    "`each: { d: effects.deletes }` with `d.path` and `d.recursive`",
  ],
  [
    /(?:^|\\b|[^\w.-])(?:curl|wget|scp|rsync|nc)(?:\W|$)/,
    "a connection",
    "`each: { n: effects.network }` with `n.url.host` and `n.direction`",
  ],
  [/(?:^|\\b|[^\w.-])(?:kill|pkill|killall)(?:\W|$)/, "the end of a process", "`each: { k: effects.kills }`"],
  [
    /(?:^|\\b|[^\w.-])(?:sudo|doas)(?:\W|$)/,
    "a wrapper",
    "`each: { c: shell.commands }` with `c.wrappers: { contains: sudo }`",
  ],
  [
    /(?:^|\\b|[^\w.-])(?:chmod|chown|dd|mkfs)(?:\W|$)/,
    "a command",
    "`each: { c: shell.commands }` with `c.program`, or `effects.writes`",
  ],
];
