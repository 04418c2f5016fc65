import { textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";
import { type PatternToken, patternTokens } from "../pattern-tokens.ts";

/** Lint: no text matches a regular expression: something follows its end anchor, or the field never contains a character of it. */
export const impossiblePattern: Lint = {
  code: "HW615",
  name: "impossible-pattern",
  why: "A pattern that no text can match makes a rule that never fires. Only plain sequences are looked at, so that nothing is reported without proof.",
  advice: "Mend the pattern; `^` and `$` stand for the ends of the whole text.",
  bad: [
    {
      title: "something behind the end",
      at: ["'deploy$ --force'"],
      policy: `  - id: deploys
    event: before_agent_start
    when: { prompt: { matches: 'deploy$ --force' } }
    action: { inject: { content: Deploy with care. } }
`,
    },
    {
      title: "a capital in a host",
      at: ["'^API\\.'"],
      policy: `  - id: hosts
    event: tool_call
    each: { n: effects.network }
    when: { n.url.host: { matches: '^API\\.' } }
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "a slash at the end of a path",
      at: ["'/secrets/$'"],
      policy: `  - id: folders
    event: tool_call
    each: { r: effects.reads }
    when: { r.path: { matches: '/secrets/$' } }
    action: ask
    reason: secrets are read
`,
    },
  ],
  good: [
    {
      title: "patterns that can match",
      policy: `  - id: hosts
    event: tool_call
    each: { n: effects.network }
    when: { n.url.host: { matches: '^api[0-9]*\\.[^.]+$' }, n.url.path: { matches: '(?i)^/API/?$' } }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  claim(claim, { policy }) {
    if (claim.operator !== "matches") return undefined;
    for (const { text, index } of textValues(claim)) {
      const tokens = patternTokens(text);
      const why = tokens && (outsideEnds(tokens) ?? againstField(tokens, claim.field));
      if (why !== undefined)
        return {
          span: policy.valueSpan(claim, index),
          message: `no value of \`${claim.path}\` matches this: ${why}`,
          help: "mend the pattern, or take the test out",
        };
    }
    return undefined;
  },
};

const takes = ({ kind, least }: PatternToken): boolean => (kind === "literal" || kind === "one") && least > 0;

function outsideEnds(tokens: readonly PatternToken[]): string | undefined {
  const end = tokens.findIndex(({ kind, least }) => kind === "end" && least > 0);
  if (end >= 0 && tokens.slice(end).some(takes)) return "something stands behind `$`";
  const start = tokens.findLastIndex(({ kind, least }) => kind === "start" && least > 0);
  return start > 0 && tokens.slice(0, start).some(takes) ? "something stands before `^`" : undefined;
}

/** Characters that a field never contains, by field. */
const never: Readonly<Record<string, readonly [RegExp, string]>> = {
  "url.host": [/[A-Z/\s@]/, "hosts are in lower case and have neither path nor user"],
  "url.scheme": [/[A-Z/:\s]/, "schemes are in lower case and have no colon"],
  "path.ext": [/[./]/, "an extension has neither dot nor slash"],
  "path.name": [/\//, "it is the last component of a path"],
};

function againstField(tokens: readonly PatternToken[], field: string | undefined): string | undefined {
  if (field === undefined) return undefined;
  const [characters, why] = Object.hasOwn(never, field) ? (never[field] ?? []) : [];
  const literal = tokens.filter(({ kind, least }) => kind === "literal" && least > 0);
  if (characters && literal.some(({ text }) => characters.test(text))) return why;
  if (field !== "path") return undefined;
  const [before, slash, last] = tokens.slice(-3);
  const ends =
    last?.kind === "end" && last.least > 0 && slash?.kind === "literal" && slash.text === "/" && slash.least > 0;
  return ends && before?.kind === "literal" && before.least > 0 && before.text !== "/"
    ? "no path but the root ends in a slash"
    : undefined;
}
