import { textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import { patternSize } from "../pattern-size.ts";

/** Lint: a pattern whose counts expand to very many places, and that may begin anywhere in a text. */
export const slowPattern: Lint = {
  code: "HW641",
  name: "slow-pattern",
  why: "RE2 is linear in the text, but a pattern that may begin anywhere is followed from every character on: with counts that come to a thousand places, each character is looked at a thousand times.",
  advice: "Write `*` or `+` in place of a large count, or anchor the pattern with `^`.",
  bad: [
    {
      title: "a count in a count",
      at: ["'key=(?:[a-z0-9]{40}-?){25}'"],
      policy: `  - id: keys
    event: tool_call
    tool: write
    when: { args.content: { matches: 'key=(?:[a-z0-9]{40}-?){25}' } }
    action: ask
    reason: a key is written
`,
    },
    {
      title: "a large count in a redaction",
      at: ["'token [a-z]{20,1000}'"],
      policy: `  - id: tokens
    event: tool_result
    action: { redact: { patterns: [{ name: token, regex: 'token [a-z]{20,1000}' }] } }
`,
    },
  ],
  good: [
    {
      title: "small counts, an open end, an anchor",
      policy: `  - id: keys
    event: tool_call
    tool: write
    when: { args.content: { matches: 'key=[a-z0-9]{40,}' }, args.path: { matches: '^[a-z/]{1,1000}x$' } }
    action: ask
    reason: a key is written
  - id: tokens
    event: tool_result
    action: { redact: { patterns: [{ name: token, regex: '\\b(?:[A-Z]{4}|x{3}){5,20}' }] } }
`,
    },
  ],
  claim(claim, { policy }) {
    if (claim.operator !== "matches") return undefined;
    for (const { text, index } of textValues(claim)) {
      const found = finding(text, () => policy.valueSpan(claim, index));
      if (found) return found;
    }
    return undefined;
  },
  policy({ scalars }) {
    return scalars.flatMap(({ node, path }): Finding[] => {
      if (!path.includes("redact") || !path.includes("patterns") || typeof node.value !== "string") return [];
      if (path.at(-1) !== "regex" && path.at(-1) !== "except") return [];
      const found = finding(node.value, () => node.span);
      return found ? [found] : [];
    });
  },
};

/** Least number of places of a slow pattern: each is tried from every character of a text. */
const many = 1_000;

function finding(pattern: string, spanOf: () => Finding["span"]): Finding | undefined {
  if (/^(?:\(\?[a-z]+\))?(?:\^|\\A)/.test(pattern)) return undefined;
  const size = patternSize(pattern);
  if (size < many) return undefined;
  return {
    span: spanOf(),
    message: `this pattern comes to ${size} places, each of which a character of the text may be held against`,
    help: "write `*` or `+` in place of a large count, or anchor it with `^`",
  };
}
