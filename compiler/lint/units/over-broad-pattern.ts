import { textValues } from "../claims.ts";
import { fitsEveryText } from "../empty-match.ts";
import type { Lint } from "../lint.ts";

/** Lint: a pattern, glob, prefix or suffix matches every text. */
export const overBroadPattern: Lint = {
  code: "HW619",
  name: "over-broad-pattern",
  why: "A pattern that everything matches tests nothing. In a rule that blocks it stops all work, in an exception it switches the rule off.",
  advice:
    "Write what the value looks like, anchored with `^` and `$`; to test that a value is there write `present: true`.",
  bad: [
    {
      title: "any text",
      at: ["'.*'"],
      policy: `  - id: fetches
    event: tool_call
    each: { n: effects.network }
    when: { n.url.path: { matches: '.*' } }
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "an exception for every path",
      at: ['"/**"'],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: block
    reason: nothing is deleted
exceptions:
  - rules: [example/deletes]
    when: { d.path: { glob: [/tmp/build/**, "/**"] } }
    owner: platform
    reason: scratch space
    expires: 2030-01-01
`,
    },
    {
      title: "an empty beginning",
      at: ['""'],
      policy: `  - id: prompts
    event: before_agent_start
    when: { prompt: { starts_with: "" } }
    action: { inject: { content: Mind the tests. } }
`,
    },
  ],
  good: [
    {
      title: "patterns that leave something out",
      policy: `  - id: fetches
    event: tool_call
    each: { n: effects.network }
    when: { n.url.path: { matches: '^/v[0-9]+/.*$' } }
    unless: { n.url.host: { glob: "*.example.com" } }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  claim(claim, { policy, rule }) {
    if (claim.negated && rule?.isEarlier) return undefined;
    // A pattern may be there for what its groups find, which a text of the rule cites.
    if (claim.operator === "matches" && rule && policy.textAt(rule.node.span).includes("{match[")) return undefined;
    // A parameter may be empty where a test beside it asks whether it is.
    if (
      rule &&
      textValues(claim)[0]?.text === "" &&
      /parameters\.\w+(?: != ["']{2}|\.size\(\) > 0)/.test(policy.textAt(rule.node.span))
    )
      return undefined;
    const found = textValues(claim).find(({ text }) => isEverything(claim.operator, text, claim.field));
    if (!found) return undefined;
    const what = found.text === "" ? "the empty text" : `\`${found.text}\``;
    return {
      span: policy.valueSpan(claim, found.index),
      message: `every \`${claim.path}\` fits ${what}`,
      help:
        claim.operator === "matches" && fitsEveryText(found.text) === "empty alternative"
          ? "one of its alternatives is empty and fits every text: take the `|` beside it out"
          : "write what it looks like; to test that it is there write `present: true`",
    };
  },
};

function isEverything(operator: string, text: string, field: string | undefined): boolean {
  switch (operator) {
    case "matches":
      return /^(?:\(\?s\))?\^(?:\.\*\??|\[\\s\\S\]\*)\$$/.test(text) || fitsEveryText(text) !== undefined;
    case "glob":
      return /^(?:\*\*|\/\*\*|\*\*\/\*\*?)$/.test(text) || (text === "*" && withoutSlash.test(field ?? ""));
    case "starts_with":
      return text === "" || (text === "/" && field === "path");
    case "ends_with":
    case "contains":
      return text === "" && field !== undefined;
    default:
      return false;
  }
}

/** Fields whose values have no slash, at which a star stops. */
const withoutSlash =
  /^(?:path|path\.(?:name|ext)|url\.(?:host|scheme|port)|command\.(?:program|subcommand)|tool\.(?:name|server)|environment\.(?:user|os)|agent\.type)$/;
