import { textValues } from "../claims.ts";
import { fitsEveryText } from "../empty-match.ts";
import type { Lint } from "../lint.ts";
import { wavesThrough } from "../waves-through.ts";

/** Lint: a pattern that allows hosts is not anchored at both ends. */
export const unanchoredHostPattern: Lint = {
  code: "HW661",
  name: "unanchored-host-pattern",
  why: "`matches` finds its pattern anywhere: `example\\.com` also matches `example.com.evil.org` and `notexample.com`. In an `unless`, an exception or an `allow` that opens the way to whoever registers such a name.",
  advice: "Write `{ host_in: … }`, or anchor the pattern with `^` and `$`.",
  bad: [
    {
      title: "open at both ends, at the end, at the beginning",
      at: ["'example\\.com'", "'^api\\.example\\.com'", "'example\\.org$'"],
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    unless:
      any:
        - { n.url.host: { matches: 'example\\.com' } }
        - { n.url.host: { matches: '^api\\.example\\.com' } }
        - { n.url.host: { matches: 'example\\.org$' } }
    action: ask
    reason: the host is not known
`,
    },
  ],
  good: [
    {
      title: "anchored, at a dot, or in a rule that stops",
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: { n.url.host: { matches: 'paste' } }
    unless:
      any:
        - { n.url.host: { host_in: example.com } }
        - { n.url.host: { matches: '^(?:api|www)\\.example\\.com$' } }
        - { n.url.host: { matches: '(?:^|\\.)example\\.org$' } }
        - { n.url.host: { matches: '\\.example\\.net$' } }
    action: ask
    reason: the host is not known
`,
    },
  ],
  claim(claim, { policy, rule }) {
    if (claim.operator !== "matches" || claim.field !== "url.host" || !wavesThrough(claim, rule)) return undefined;
    for (const { text, index } of textValues(claim)) {
      const open = fitsEveryText(text) ? undefined : openEnd(text);
      if (open !== undefined)
        return {
          span: policy.valueSpan(claim, index),
          message: `the pattern is open at its ${open}, so that a longer host fits too`,
          help: "write `host_in`, or anchor it with `^` and `$`",
        };
    }
    return undefined;
  },
};

/** Returns the end without an anchor; undefined unless the pattern has plain letters next to it, so that the finding is sure. */
function openEnd(pattern: string): "beginning" | "end" | undefined {
  const plain = pattern.replace(/\\[^zAbB]/g, "\\").replace(/\[[^\]]*\]/g, "[");
  if (!/\$|\\[zbB]/.test(plain) && /[a-z0-9]$/i.test(plain)) return "end";
  return !/\^|\\[AbB]/.test(plain) && /^[a-z0-9]/i.test(plain) ? "beginning" : undefined;
}
