import { programOf } from "../../../facts/programs/registry.ts";
import { withoutVersion } from "../../../facts/shell/names.ts";
import { type Claim, textValues } from "../claims.ts";
import { commandNames } from "../command-tests.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy, LintedRule } from "../policy.ts";
import { verdictOf } from "./near-name.ts";

/** A constant that a field never has, by what the field is: hosts are in lower case, an extension has no dot. */
export const impossibleValue: Lint = {
  code: "HW614",
  name: "impossible-value",
  why: "Facts are canonical: a host is in lower case and has no port, an extension has no dot, a branch has no `refs/heads/`, a program no folder. A test against another form never holds.",
  advice: "Write the value in its canonical form.",
  bad: [
    {
      title: "a host with capitals",
      at: ["Example.com"],
      policy: `  - id: hosts
    event: tool_call
    each: { n: effects.network }
    when: { n.url.host: Example.com }
    action: ask
    reason: it leaves the machine
`,
      fixed: `  - id: hosts
    event: tool_call
    each: { n: effects.network }
    when: { n.url.host: example.com }
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "an extension with its dot",
      at: ['".pem"'],
      policy: `  - id: keys
    event: tool_call
    each: { r: effects.reads }
    when: { r.path.ext: [key, ".pem"] }
    action: ask
    reason: a key is read
`,
      fixed: `  - id: keys
    event: tool_call
    each: { r: effects.reads }
    when: { r.path.ext: [key, "pem"] }
    action: ask
    reason: a key is read
`,
    },
    {
      title: "a folder in a file name, and a slash at the end of a path",
      at: ['"src/main.ts"', '"secrets/"'],
      policy: `  - id: files
    event: tool_call
    each: { w: effects.writes }
    when: { any: [w.path.name == "src/main.ts", { w.path: { glob: "secrets/" } }] }
    action: ask
    reason: it is written
`,
      fixed: `  - id: files
    event: tool_call
    each: { w: effects.writes }
    when: { any: [w.path.name == "src/main.ts", { w.path: { glob: "secrets/**" } }] }
    action: ask
    reason: it is written
`,
    },
    {
      title: "a folder in the name of a program, and a ref where facts have a branch",
      at: ["/usr/bin/npm", "refs/heads/main"],
      policy: `  - id: publishing
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { any: [{ some: { shell.commands: { program: /usr/bin/npm } } }, { p.target.branch: refs/heads/main }] }
    action: ask
    reason: it leaves the machine
`,
      fixed: `  - id: publishing
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { any: [{ some: { shell.commands: { program: npm } } }, { p.target.branch: main }] }
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "a subcommand of a program that has none, and an option without its dashes",
      at: ["enable", "force"],
      policy: `  - id: services
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: systemctl, c.subcommand: enable }, { c: { has_option: force } }] }
    action: ask
    reason: it changes the machine
`,
    },
    {
      title: "a program with its subcommand",
      at: ["git push"],
      policy: `  - id: pushes
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: git push }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "canonical forms",
      policy: `  - id: hosts
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.host: { host_in: [Example.com, "[::1]"] }, n.url.scheme: https, tool.name: [bash, TodoWrite] }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  claim(claim, { policy, rule }) {
    const shape = claim.field === undefined || !Object.hasOwn(shapes, claim.field) ? undefined : shapes[claim.field];
    if (!shape || !exact.has(claim.operator)) return undefined;
    for (const { text, index } of textValues(claim)) {
      const wrong = shape(text, claim.operator);
      if (!wrong) continue;
      const span = policy.valueSpan(claim, index);
      const always = claim.negated ? ", so that its negation always holds" : "";
      const fix = fixOf(claim, span, text, wrong.instead, { policy, rule });
      return {
        span,
        message: `\`${claim.path}\` is never \`${text}\`: ${wrong.why}${always}`,
        help: wrong.help,
        ...fix,
      };
    }
    return undefined;
  },
  besideErrors: true,
  rule(rule) {
    return commandNames(rule).flatMap((name) => {
      const verdict = verdictOf(name, rule.policy.programs);
      if (verdict.kind !== "dead") return [];
      const always = name.negated ? ", so that its negation always holds" : "";
      const message = `${described[name.of]} is never \`${name.text}\`: ${verdict.why}${always}`;
      const { claim } = name;
      const fix = claim && fixOf(claim, name.span, name.text, verdict.instead, { policy: rule.policy, rule });
      return [{ span: name.span, message, help: verdict.help, ...fix }];
    });
  },
};

const described = { program: "`program`", subcommand: "`subcommand`", option: "an option" } as const;

const exact: ReadonlySet<string> = new Set(["equals", "in", "starts_with", "ends_with", "contains", "glob"]);

interface Wrong {
  readonly why: string;
  readonly help: string;
  readonly instead?: string;
}

type Shape = (text: string, operator: string) => Wrong | undefined;

/** Takes out what a field never has. */
function without(text: string, never: RegExp, instead: string, why: string): Wrong | undefined {
  if (!never.test(text)) return undefined;
  return instead === "" || never.test(instead)
    ? { why, help: "write it as the field has it" }
    : { why, help: `write \`${instead}\``, instead };
}

const isWhole = (operator: string): boolean => operator === "equals" || operator === "in";

/** Facts have branches without the folder that git keeps them in. */
function branch(text: string): Wrong | undefined {
  return without(text, /^refs\/heads\//, text.replace(/^refs\/heads\//, ""), "facts have the name of the branch alone");
}

const shapes: Readonly<Record<string, Shape>> = {
  "url.host": (text, operator) =>
    without(text, /[A-Z]/, text.toLowerCase(), "hosts are in lower case") ??
    without(text, /\//, "", "a host has no path") ??
    (isWhole(operator)
      ? without(text, /^[^:]+:\d+$/, text.replace(/:\d+$/, ""), "the port stands in `port`")
      : undefined),
  "url.scheme": (text) =>
    without(text, /[A-Z]/, text.toLowerCase(), "schemes are in lower case") ??
    without(text, /:/, text.replace(/:.*$/, ""), "a scheme has no colon"),
  "path.ext": (text) => without(text, /^\./, text.slice(1), "an extension has no dot"),
  "path.name": (text) => without(text, /\//, "", "it is the last component of a path"),
  path: (text, operator) =>
    operator === "glob"
      ? without(text, /[^/]\/$/, text.replace(/\/+$/, "/**"), "a path does not end in a slash")
      : undefined,
  "push_target.branch": branch,
  "environment.branch": branch,
  "environment.default_branch": branch,
  "command.program": (text, operator) => {
    if (operator === "starts_with" || operator === "glob") {
      const start = /^[^*?[{\\]*/.exec(text)?.[0] ?? "";
      const plain = withoutVersion(start);
      return plain === start
        ? undefined
        : { why: `facts fold versions: it is \`${plain}\``, help: `write \`${plain}\`` };
    }
    const [program = "", subcommand] = text.split(" ");
    if (!isWhole(operator) || subcommand === undefined || programOf(program) === undefined) return undefined;
    return {
      why: "the words after a program are not part of its name",
      help: `test \`program: ${program}\` and \`subcommand: ${subcommand}\``,
    };
  },
};

/** A right value in a rule that stops calls stops more; anywhere else it could let more through. */
function fixOf(
  claim: Claim,
  span: Finding["span"],
  text: string,
  instead: string | undefined,
  { policy, rule }: { readonly policy: LintedPolicy; readonly rule: LintedRule | undefined },
): Pick<Finding, "fix"> {
  const stops = claim.part === "when" && !claim.negated && rule?.guards === true && !rule.does("allow");
  const written = policy.textAt(span);
  const at = written.indexOf(text);
  if (!stops || instead === undefined || !claim.isWritten || at < 0 || written.length > text.length + 2) return {};
  const place = { start: span.start + at, end: span.start + at + text.length };
  return { fix: { title: `write \`${instead}\``, meaning: "stricter", edits: [{ span: place, text: instead }] } };
}
