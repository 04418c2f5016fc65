import { isToolGlob, toolMatcher } from "../../../schema/tool-matcher.ts";
import { canonicalTool } from "../../../schema/tools.ts";
import type { Lint, LintContext } from "../lint.ts";
import type { LintedRule } from "../policy.ts";

/** A family of tools, the facts that hold what they do, and an everyday command that does the same. */
interface Way {
  readonly tools: readonly string[];
  readonly kind: string;
  readonly each: string;
  readonly command: string;
  readonly does: string;
}

const ways: readonly Way[] = [
  {
    tools: ["write", "edit"],
    kind: "effects.writes",
    each: "{ w: effects.writes }",
    command: "`echo x > file`",
    does: "writes files",
  },
  {
    tools: ["read", "grep", "glob", "list"],
    kind: "effects.reads",
    each: "{ r: effects.reads }",
    command: "`cat file`",
    does: "reads files",
  },
  {
    tools: ["fetch", "search"],
    kind: "effects.network",
    each: "{ n: effects.network }",
    command: "`curl url`",
    does: "asks servers",
  },
];

/** Note: a rule stops a tool of files or of the web, and no rule stops the commands that do the same. */
export const oneWay: Lint = {
  code: "HW685",
  name: "one-way",
  why: "An agent that may not use a tool takes a command: `echo x > file` writes as the tool `write` does, `curl` asks as `fetch` does. Facts hold what a call does, whatever tool or command does it.",
  advice:
    "If the effect is meant, leave `tool` out and judge `effects.writes`, `effects.reads` or `effects.network`. If the tool is meant, all is well.",
  bad: [
    {
      title: "files and requests that a command can reach as well",
      at: ["[write, edit]", "fetch"],
      policy: `  - id: sources
    event: tool_call
    tool: [write, edit]
    when: { args.path: { within: src } }
    action: block
    reason: sources stay
    guidance: ask for a review
    examples: { match: [{ tool: write, args: { path: src/a, content: x } }], no_match: [{ tool: write, args: { path: b, content: x } }] }
  - id: requests
    event: tool_call
    tool: fetch
    when: { args.url.host: { host_in: example.com } }
    action: ask
    reason: it leaves the machine
    examples: { match: [{ tool: fetch, args: { url: "https://example.com" } }], no_match: [{ tool: fetch, args: { url: "https://a.org" } }] }
`,
    },
  ],
  good: [
    {
      title: "the effect, a tool whose own argument is judged, and a tool beside a rule for the effect",
      policy: `  - id: sources
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { w.path: { within: src } }
    action: ask
    reason: sources stay
  - id: long-texts
    event: tool_call
    tool: write
    when: { args.content: { size: { gt: 100000 } } }
    action: ask
    reason: a long text
  - id: secret
    event: tool_call
    tool: [write, edit]
    when: { args.path: { is: secret } }
    action: block
    reason: it is secret
`,
    },
  ],
  rule(rule, context) {
    const { tools, sequence, budget } = rule.draft;
    if (!rule.guards || rule.typed?.mode !== "enforce" || sequence || budget || rule.draft.each) return [];
    if (tools.length === 0 || tools.some(isToolGlob)) return [];
    const names = tools.map(canonicalTool);
    const way = ways.find((one) => names.every((name) => one.tools.includes(name)));
    if (!way || !isAboutPlaces(rule) || isCovered(way, context)) return [];
    const { span } = toolsOf(rule);
    const message = `a command such as ${way.command} ${way.does} too, and this rule does not see it`;
    return [{ span, message, help: `if the effect is meant, leave \`tool\` out and write \`each: ${way.each}\`` }];
  },
};

/** True if a rule tests nothing of its calls but the place or address. */
function isAboutPlaces({ claims }: LintedRule): boolean {
  return claims.every(
    ({ path }) =>
      !/^args(?:_raw)?\.(?!paths?\b|urls?\b)/.test(path) && !/^(?:secrets|text|definition|tool)\b/.test(path),
  );
}

/** True if some rule of the set stops commands with the effect. */
function isCovered({ kind }: Way, { policies }: LintContext): boolean {
  return policies.some(({ rules }) =>
    rules.some(
      (rule) =>
        rule.guards &&
        toolMatcher(rule.draft.tools)("bash") &&
        JSON.stringify([rule.typed?.each?.list, rule.typed?.when]).includes(`"name":"${kind}"`),
    ),
  );
}

function toolsOf({ node, draft }: LintedRule): { readonly span: LintedRule["draft"]["span"] } {
  const written = node.entries.find(({ key }) => key === "tool" || key === "matcher")?.value;
  return written ?? draft;
}
