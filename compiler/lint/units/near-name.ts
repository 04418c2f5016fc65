import { firstTold, shown } from "../../../diagnostics/suggest.ts";
import { listOf } from "../causes.ts";
import { misspeltChange } from "../change-words.ts";
import { textValues } from "../claims.ts";
import { type CommandName, commandNames } from "../command-tests.ts";
import type { Lint } from "../lint.ts";
import {
  causeVerdict,
  declaredVerdict,
  optionVerdict,
  programVerdict,
  subcommandVerdict,
  wrapperVerdict,
} from "../open-names.ts";
import type { DeclaredNames, LintedRule } from "../policy.ts";
import { beginVerdict, nextWordVerdict, operandVerdict } from "../subcommand-words.ts";
import { oddlyTrusted } from "../trusted-hosts.ts";
import type { Verdict } from "../verdict.ts";

/** Lint: a program, subcommand or option is one typing error away from a name in the tables. */
export const nearName: Lint = {
  code: "HW667",
  name: "near-name",
  why: "Programs, subcommands and options are known by tables that can never be whole, so any name may be right. One that is a slip away from a known name is most often that slip, and then the test never holds. A host that a rule trusts belongs to somebody else then.",
  advice: "Write the name that was meant, or leave it if it is a program of your own.",
  bad: [
    {
      title: "a program with a letter left out, and an option with two letters turned",
      at: ["bsh", "--hrad"],
      policy: `  - id: shells
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: [bsh, zsh] }, { c.program: git, c: { has_option: --hrad } }] }
    action: ask
    reason: it runs something
`,
    },
    {
      title: "an option of another subcommand",
      at: ["--amend"],
      policy: `  - id: pushes
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: git, c.subcommand: push, c: { has_option: --amend } }
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "a host that a waiver and a named list trust",
      at: ["registry.npmj.org", "pypi.ogr"],
      policy: `lists: { indexes: [pypi.ogr, files.pythonhosted.org] }
rules:
  - id: traffic
    event: [tool_call, user_bash]
    each: { n: effects.network }
    unless: { n.url.host: { host_in: [registry.npmj.org, github.com] } }
    action: ask
    reason: it leaves the machine
  - id: packages
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.via: pip, n.url.host: { not: { host_in: $indexes } } }
    action: ask
    reason: packages run code
`,
    },
    {
      title: "the program that causes an effect",
      at: ["crul"],
      policy: `  - id: downloads
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.via: [crul, wget] }
    action: ask
    reason: it loads a file
`,
    },
    {
      title: "a subcommand",
      at: ["psuh"],
      policy: `  - id: pushes
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: git, c.subcommand: psuh }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "a program that the policy declares, with its options",
      policy: `version: 1
policy: example
programs:
  bsh: { options: { --hrad: flag } }
rules:
  - id: shells
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: bsh, c: { has_option: --hrad } }
    action: ask
    reason: it runs something
`,
    },
    {
      title: "imitations of a host that a rule stops",
      policy: `  - id: imitations
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.host: { host_in: [githib.com, gitub.com] } }
    action: block
    reason: it passes for another host
`,
    },
    {
      title: "names of the tables, and others that are like none",
      policy: `  - id: shells
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: [bash, bat, our-tool] }, { c.program: git, c.subcommand: [push, our-alias], c: { has_option: [--hard, -f] } }] }
    action: ask
    reason: it runs something
`,
    },
  ],
  besideErrors: true,
  ofItems: true,
  policy({ scalars }) {
    return scalars.flatMap(({ node: { value, span }, path }) => {
      const isGiven = path[0] === "imports" && path.includes("with");
      const wrong = isGiven && typeof value === "string" ? misspeltChange(value, "glob") : undefined;
      return wrong
        ? [{ span, message: `\`${shown(String(value))}\` is no change: ${wrong.why}`, help: wrong.help }]
        : [];
    });
  },
  claim(claim, { rule, policy }) {
    return oddlyTrusted(claim, rule).map(({ text, index, near }) => ({
      span: policy.valueSpan(claim, index),
      message: `\`${shown(text)}\` is trusted, and is no host that many use`,
      help: `did you mean \`${near}\`?`,
    }));
  },
  rule(rule) {
    const names = namesThat(rule, "near").filter(({ name }) => !isShown(name, rule));
    return firstTold(names).map(({ one: { name, verdict }, more }) => {
      const always = name.negated ? ", and without one the negation always holds" : "";
      return {
        span: name.span,
        message: `${verdict.why ?? `no table has the ${name.of === "cause" ? "program" : name.of} \`${shown(name.text)}\``}${always}${more}`,
        help:
          verdict.help ??
          `did you mean \`${verdict.near}\`?${isProgram(name.of) ? " Declare a program of your own under `programs`" : ""}`,
      };
    });
  },
};

/** True for an option or subcommand in an example that the rule must match or, for a waiver, that it must not, since tables never list all of them. */
export function isShown({ of, text, part, negated }: CommandName, { draft }: LintedRule): boolean {
  if (of === "program" || of === "cause" || text.length > 200) return false;
  // What a waiver names stands in the calls that pass.
  const { match, no_match } = draft.examples;
  return (part === "when" && !negated ? match : [...match, ...no_match]).some(({ value }) =>
    JSON.stringify(value)
      .split(/[^\w.+/-]+/)
      .includes(text),
  );
}

function isProgram(of: CommandName["of"]): boolean {
  return of === "program" || of === "wrapper" || of === "cause";
}

/** Most names per rule that are compared with a whole table; usual rules have fewer. */
const mostUnknown = 1_000;

interface Judged {
  readonly name: CommandName;
  readonly verdict: Verdict;
}

const judged = new WeakMap<LintedRule, readonly Judged[]>();

/** Returns the names of commands of a rule with one kind of verdict; the lints of one rule share the work. */
export function namesThat<K extends Verdict["kind"]>(
  rule: LintedRule,
  kind: K,
): readonly { readonly name: CommandName; readonly verdict: Extract<Verdict, { kind: K }> }[] {
  const all = judged.get(rule) ?? judgedNames(rule);
  judged.set(rule, all);
  const isKind = (verdict: Verdict): verdict is Extract<Verdict, { kind: K }> => verdict.kind === kind;
  return all.flatMap(({ name, verdict }) => (isKind(verdict) ? [{ name, verdict }] : []));
}

function judgedNames(rule: LintedRule): readonly Judged[] {
  const found: Judged[] = [];
  for (const name of commandNames(rule)) {
    const verdict = verdictOf(name, rule.policy.programs);
    if (verdict.kind !== "known" && found.push({ name, verdict }) === mostUnknown) break;
  }
  return found;
}

function causeOf({ text, claim }: CommandName): Verdict {
  const names = claim ? textValues(claim).map((one) => one.text) : [text];
  return causeVerdict(text, listOf(claim?.field), names.slice(0, mostUnknown));
}

/** Looks up a name of a command in the declarations and tables; a partial name counts as known. */
function verdictOf(name: CommandName, declared: DeclaredNames): Verdict {
  const { of, text, whole, programs, command } = name;
  if (!whole) return of === "subcommand" && name.begins ? beginVerdict(text, programs, command) : { kind: "known" };
  const own = declaredVerdict({ of, text, programs }, declared);
  if (own) return own;
  if (of === "wrapper") return wrapperVerdict(text);
  if (of === "cause") return causeOf(name);
  if (of === "operand")
    return name.subcommands.length > 0
      ? nextWordVerdict(text, programs, name.subcommands, command)
      : operandVerdict(text, programs, name.together, command);
  if (of === "program") return programVerdict(text);
  return of === "subcommand"
    ? subcommandVerdict(text, programs, command)
    : optionVerdict(text, programs, name.subcommands);
}
