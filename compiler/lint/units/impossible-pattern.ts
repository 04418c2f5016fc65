import { type Claim, textValues } from "../claims.ts";
import { impossiblePart } from "../impossible-part.ts";
import type { Lint } from "../lint.ts";

/** Lint: no text matches a regular expression: something follows its end anchor, or the field never contains a character of it. */
export const impossiblePattern: Lint = {
  code: "HW615",
  name: "impossible-pattern",
  why: "A pattern that no text can match makes a rule that never fires. Alternatives are looked at one by one, and nothing is reported without proof.",
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
      title: "one alternative, a word that goes on behind its end, and a path without its root",
      at: ["'^main$|^$release'", "'prod\\bdb'", "'^src/'"],
      policy: `  - id: ends
    event: tool_call
    each: { w: effects.writes }
    when:
      any:
        - environment.branch: { matches: '^main$|^$release' }
        - environment.user: { matches: 'prod\\bdb' }
        - w.path: { matches: '^src/' }
    action: ask
    reason: it is not wanted here
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
      policy: `  - id: words
    event: tool_call
    when: { environment.user: { matches: '(^|\\s)(?:x|\\bci\\b|y$)|^(?:z\\b\\W)?-' } }
    action: ask
    reason: not by this user
  - id: hosts
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
      const found = impossiblePart(text, claim.field);
      if (!found) continue;
      const { why, whole } = found;
      return {
        span: policy.valueSpan(claim, index),
        message: `no value of \`${claim.path}\` matches ${whole ? "this" : "one of the alternatives"}: ${why}`,
        help: folderMeant(claim, text) ?? "mend the pattern, or take the test out",
      };
    }
    return undefined;
  },
};

/** Returns what to write for the folder of the project that a pattern of a path begins with. */
function folderMeant({ field, path }: Claim, pattern: string): string | undefined {
  const folder = /^\^((?:[\w-]|\\?\.)[\w./\\-]*?)\/(?:\.\*\$?)?$/.exec(pattern)?.[1]?.replaceAll("\\", "");
  return field === "path" && folder !== undefined ? `write \`${path}: { within: ${folder} }\`` : undefined;
}
