import { firstTold, shown } from "../../../diagnostics/suggest.ts";
import { type Claim, textValues } from "../claims.ts";
import { forgottenReference } from "../declared-names.ts";
import { factAsText } from "../fact-texts.ts";
import type { Finding, Lint } from "../lint.ts";
import { neighbourValue } from "../neighbour-values.ts";
import type { LintedPolicy, LintedRule } from "../policy.ts";
import { idleRedactions } from "../redact-values.ts";
import { escapeInText, unusualText, yesOrNo } from "../usual-text.ts";
import { wrongShape } from "../value-shapes.ts";
import { wrongVariables } from "../variable-names.ts";
import { isWhole, type WrongShape } from "../wrong-shape.ts";
import { namesThat } from "./near-name.ts";

/** Lint: a constant is one that its field never has. For example, hosts are in lower case, and an extension has no dot. */
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
      fixed: `  - id: services
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: systemctl, c.subcommand: enable }, { c: { has_option: --force } }] }
    action: ask
    reason: it changes the machine
`,
    },
    {
      title: "another word for what hosts give, a shell with its folder, and a list without its sign",
      at: ["automatic", "/bin/zsh", "lists.shells"],
      policy: `version: 1
policy: example
lists: { shells: [fish, nu] }
rules:
  - id: compaction
    event: session_before_compact
    when: { any: [{ fields.trigger: automatic }, { environment.shell: /bin/zsh }, { environment.shell: lists.shells }] }
    action: block
    reason: it is done by hand
  - id: shells
    event: tool_call
    when: { environment.shell: $shells }
    action: ask
    reason: it is another language
`,
      fixed: `version: 1
policy: example
lists: { shells: [fish, nu] }
rules:
  - id: compaction
    event: session_before_compact
    when: { any: [{ fields.trigger: auto }, { environment.shell: zsh }, { environment.shell: lists.shells }] }
    action: block
    reason: it is done by hand
  - id: shells
    event: tool_call
    when: { environment.shell: $shells }
    action: ask
    reason: it is another language
`,
    },
    {
      title: "a program that never has the effect, in `via`",
      at: ["cat", "grep", "sudo"],
      policy: `  - id: deletes
    event: [tool_call, user_bash]
    each: { d: effects.deletes }
    when: { any: [{ d.via: cat }, { d.via: [grep, sudo] }] }
    action: ask
    reason: it is gone
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
    {
      title: "two blanks between the words of a command",
      at: ['"make  deploy"'],
      policy: `  - id: deploys
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.text: { starts_with: "make  deploy" } }
    action: ask
    reason: it goes to production
`,
      fixed: `  - id: deploys
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.text: { starts_with: "make deploy" } }
    action: ask
    reason: it goes to production
`,
    },
    {
      title: "words of a subcommand among the operands, and the last word of one",
      at: ["pr", "rb"],
      policy: `  - id: hosted
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: gh, c.operands: { contains_all: [pr, merge] } }, { c.program: aws, c.subcommand: rb }] }
    action: ask
    reason: others see it
`,
      fixed: `  - id: hosted
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: gh, c.operands: { contains_all: [pr, merge] } }, { c.program: aws, c.subcommand: s3 rb }] }
    action: ask
    reason: others see it
`,
    },
    {
      title: "the path of a field as a text, and marks round the name of a variable",
      at: ['"$STAGE"', "environment.default_branch"],
      policy: `  - id: branches
    event: tool_call
    when: { environment.branch: environment.default_branch }
    action: ask
    reason: others build on it
  - id: stages
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: '"$STAGE" in c.env'
    action: ask
    reason: it goes to production
`,
    },
  ],
  good: [
    {
      title: "two fields in an expression, a command and a setting that read like a field, and a variable by its name",
      policy: `  - id: branches
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [environment.cwd == environment.workspace, '"STAGE" in c.env', { c.text: { contains: tool.name } }] }
    action: ask
    reason: others build on it
  - id: settings
    event: [tool_call, user_bash]
    each: { s: effects.config }
    when: { s.target: agent.type }
    action: ask
    reason: it is a setting
`,
    },
    {
      title: "subcommands of several words, and an operand that is a subcommand elsewhere",
      policy: `  - id: hosted
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { any: [{ c.program: gh, c.subcommand: pr merge }, { c.program: git, c.subcommand: checkout, c.operands: { contains: merge } }] }
    action: ask
    reason: others see it
`,
    },
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
    const found = textValues(claim).flatMap(({ text, index }) => {
      if (claim.field === "config_change.target" && isDeclared(text, policy)) return [];
      const wrong =
        forgottenReference(policy.draft, claim.field, text) ??
        hostOfRemote(claim, rule) ??
        factAsText(claim, text, { policy, rule }) ??
        otherField(claim, text) ??
        wrongShape(claim.field, text, claim.operator) ??
        neighbourValue(claim, text) ??
        escapeInText(claim, text) ??
        (isShownAs(text, rule) ? undefined : yesOrNo(claim, text, policy.textAt(policy.valueSpan(claim, index)))) ??
        otherCase(claim, text) ??
        unusualText(claim.type, text, claim.operator);
      return wrong ? [{ text, index, wrong }] : [];
    });
    return firstTold(found).map(({ one: { text, index, wrong }, more }) => {
      const span = policy.valueSpan(claim, index);
      const always = claim.negated ? ", so that its negation always holds" : "";
      const fix = fixOf(claim, span, text, wrong.instead, { policy, rule });
      if (wrong.seen) return { span, message: `${wrong.why}${more}`, help: wrong.help, ...fix };
      const message = `\`${claim.path}\` is never \`${shown(text)}\`: ${wrong.why}${always}${more}`;
      return { span, message, help: wrong.help, ...fix };
    });
  },
  besideErrors: true,
  ofItems: true,
  rule(rule, { regex }) {
    const idle = idleRedactions(rule, regex);
    const names = firstTold(namesThat(rule, "dead")).map(({ one: { name, verdict }, more }) => {
      const always = name.negated ? ", so that its negation always holds" : "";
      const message = `${described[name.of]} is never \`${shown(name.text)}\`: ${verdict.why}${always}${more}`;
      const isWritten = name.claim?.isWritten ?? name.of === "option";
      const fix = fixOf({ ...name, isWritten }, name.span, name.text, verdict.instead, { policy: rule.policy, rule });
      return { span: name.span, message, help: verdict.help, ...fix };
    });
    return [...names, ...idle, ...wrongVariables(rule)];
  },
};

/** True for the name of a change that a declaration of the policy gives. */
function isDeclared(text: string, policy: LintedPolicy): boolean {
  const known = declaredTexts.get(policy) ?? new Set(policy.scalars.flatMap(ofDeclaration));
  declaredTexts.set(policy, known);
  return known.has(text);
}

const declaredTexts = new WeakMap<LintedPolicy, ReadonlySet<unknown>>();

const ofDeclaration = ({ node, path }: LintedPolicy["scalars"][number]): readonly unknown[] =>
  path[0] === "programs" || path[0] === "tools" ? [node.value] : [];

/** Finds a remote that is known by its host alone: most pushes name it, and a name has no host. */
function hostOfRemote({ field, operator, path }: Claim, rule: LintedRule | undefined): WrongShape | undefined {
  if (field !== "push.remote" || operator !== "host_in") return undefined;
  if (!rule || rule.claims.filter((claim) => claim.field === field).length > 1) return undefined;
  return {
    why: "most pushes name their remote, as `origin`, and a name has no host",
    help: `test the names beside it: \`any: [{ ${path}: origin }, { ${path}: { host_in: … } }]\``,
    seen: "in part",
  };
}

const described = {
  program: "`program`",
  subcommand: "`subcommand`",
  option: "an option",
  wrapper: "a wrapper",
  operand: "the first operand",
  cause: "`via`",
} as const;

/** Finds a letter that a text in one case never has: a capital behind `lowerAscii()`. */
function otherCase({ subject, operator }: Claim, text: string): WrongShape | undefined {
  const [, to] = (subject.k === "call" && /^string\.(lower|upper)_ascii$/.exec(subject.fn)) || [];
  if (to === undefined || operator === "matches" || operator === "glob") return undefined;
  const instead = to === "lower" ? text.toLowerCase() : text.toUpperCase();
  if (!(to === "lower" ? /[A-Z]/ : /[a-z]/).test(text)) return undefined;
  return {
    why: `\`${to}Ascii()\` leaves no ${to === "lower" ? "capitals" : "small letters"}`,
    help: `write \`${instead}\``,
  };
}

/** Finds a test of a field beside the one that is meant: of the parts of a content, or of a folder's whole path. */
function otherField({ path, operator }: Claim, text: string): WrongShape | undefined {
  if (/^(?:result|message)\.content(?:\.\w+)?$/.test(path))
    return {
      why: `\`${path.replace(/content.*$/, "content")}\` is the list of parts as the host gives it`,
      help: `test \`${path.replace(/content.*$/, "text")}\`, which is all its text`,
      seen: "in part",
    };
  const folder = /^(.*)\.parent\.name$/.exec(path)?.[1];
  if (folder !== undefined && isWhole(operator) && text.includes("/"))
    return {
      why: "a name is the last component of a path",
      help: `write \`${folder}: { glob: "${text.replace(/\/$/, "")}/*" }\` for what lies in that folder itself`,
    };
  if (!path.endsWith(".path.parent") || !isWhole(operator) || !/^\.?[\w-][\w.-]*$/.test(text)) return undefined;
  return {
    why: `that is the folder \`${text}\` of the project alone`,
    help: `write \`${path}.name: ${text}\` for every folder of this name`,
    seen: "in part",
  };
}

/** Makes the fix with a possible value, only in a rule that stops calls: there it stops more, elsewhere it could allow more. */
function fixOf(
  claim: Pick<Claim, "part" | "negated" | "isWritten">,
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

/** Tells whether an example of the rule sends this very text as an argument. */
function isShownAs(text: string, rule: LintedRule | undefined): boolean {
  const examples = rule?.draft.examples.match ?? [];
  return examples.some(({ value }) => JSON.stringify(value)?.includes(`:"${text}"`));
}
