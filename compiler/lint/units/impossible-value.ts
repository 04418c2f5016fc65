import { programOf } from "../../../facts/programs/registry.ts";
import { canonicalTool } from "../../../schema/tools.ts";
import { type Claim, textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy, LintedRule } from "../policy.ts";

/** A constant that a field never has, by what the field is: hosts are in lower case, an extension has no dot. */
export const impossibleValue: Lint = {
  code: "HW614",
  name: "impossible-value",
  why: "Facts are canonical: a host is in lower case and has no port, an extension has no dot, a tool has its canonical name. A test against another form never holds.",
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
      title: "another host's name of a tool, and a folder in a file name",
      at: ['"Bash"', '"src/main.ts"'],
      policy: `  - id: tools
    event: tool_call
    each: { w: effects.writes }
    when: tool.name == "Bash" && w.path.name == "src/main.ts"
    action: ask
    reason: it runs something
`,
      fixed: `  - id: tools
    event: tool_call
    each: { w: effects.writes }
    when: tool.name == "bash" && w.path.name == "src/main.ts"
    action: ask
    reason: it runs something
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
    when: { n.url.host: { host_in: [Example.com, "[::1]"] }, n.url.scheme: https, tool.name: [bash, MyTool] }
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
      const fix = fixOf(claim, span, text, wrong.instead, { policy, rule });
      return { span, message: `\`${claim.path}\` is never \`${text}\`: ${wrong.why}`, help: wrong.help, ...fix };
    }
    return undefined;
  },
};

const exact: ReadonlySet<string> = new Set(["equals", "in", "starts_with", "ends_with", "contains"]);

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
  "tool.name": (text, operator) =>
    isWhole(operator) && canonicalTool(text) !== text
      ? { why: "names of tools are canonical", help: `write \`${canonicalTool(text)}\``, instead: canonicalTool(text) }
      : undefined,
  "command.program": (text, operator) => {
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
