import { textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";

/** Lint: an unescaped dot in a host pattern matches any character. */
export const unescapedDot: Lint = {
  code: "HW651",
  name: "unescaped-dot",
  why: "In a regular expression a dot is any character: `^api.example.com$` also matches `apixexample.com`, which anyone can register.",
  advice: "Write `\\.`, or `{ host_in: … }`, which needs no pattern.",
  bad: [
    {
      title: "a host as a pattern",
      at: ["'^api.example.com$'"],
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    unless: { n.url.host: { matches: '^api.example.com$' } }
    action: ask
    reason: the host is not known
`,
    },
    {
      title: "only the last dot",
      at: ['r"^(?:api|www)\\.example.com$"'],
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: '!n.url.host.matches(r"^(?:api|www)\\.example.com$")'
    action: ask
    reason: the host is not known
`,
    },
  ],
  good: [
    {
      title: "escaped, in a class, or any run of characters",
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    unless:
      any:
        - { n.url.host: { matches: '^api\\.example\\.com$' } }
        - { n.url.host: { matches: '^[a-z.]+[.]example[.]com$' } }
        - { n.url.host: { matches: '^build-.*[.]example[.]com$' } }
    action: ask
    reason: the host is not known
`,
    },
  ],
  claim(claim, { policy }) {
    if (claim.operator !== "matches" || claim.field !== "url.host") return undefined;
    const found = textValues(claim).find(({ text }) => endsInName(text));
    if (!found) return undefined;
    return {
      span: policy.valueSpan(claim, found.index),
      message: "a dot of this host is any character in a pattern",
      help: "write `\\.` for the dot, or test with `host_in`",
    };
  },
};

/** True if the last dot of a host-like pattern is unescaped: a letter comes before it, a name of letters after it, and then the end. */
function endsInName(pattern: string): boolean {
  const plain = pattern.replace(/\\[\s\S]/g, "\\").replace(/\[[^\]]*\]/g, "[");
  return /[a-zA-Z0-9]\.[a-zA-Z]{2,24}(?:\$|\)|\||$)/.test(plain);
}
