import { textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";

/** Lint: a rule tells pinned packages by the signs in their names, which each manager writes in its own way. */
export const versionInName: Lint = {
  code: "HW687",
  name: "version-in-name",
  why: "Each package manager writes a version in its own way: `a@1.2.3`, `a==2.0`, `a=2.0-1`, `a:7.0`, an option. `a@1` and `a==2.*` look like versions and are ranges. The fact `pinned` knows the difference.",
  advice: "Test `i.pinned` in place of the signs of a version.",
  bad: [
    {
      title: "signs of two managers, as a waiver and as a pattern",
      at: ['"?*@[0-9]*"', '"=="'],
      policy: `  - id: versions
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    unless: { i.name: { glob: ["?*@[0-9]*", "*==[0-9]*"] } }
    action: block
    reason: "{i.name} has no version"
    guidance: name its version
    examples: { match: [npm install left-pad], no_match: [npm install left-pad@1.3.0] }
  - id: python
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.manager: pip, not: { i.name: { contains: "==" } } }
    action: ask
    reason: "{i.name} has no version"
    examples: { match: [pip install a], no_match: [pip install a==1.0] }
`,
    },
  ],
  good: [
    {
      title: "the fact, one package with any version, and one version",
      policy: `  - id: versions
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.pinned: false }
    unless: { i.name: { glob: ["@corp/*", "left-pad@*"] } }
    action: block
    reason: "{i.name} has no version"
    guidance: name its version
    examples: { match: [npm install a], no_match: [npm install a@1.3.0] }
  - id: taken-back
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.name: event-stream@3.3.6 }
    action: ask
    reason: it was taken back
    examples: { match: [npm install event-stream@3.3.6], no_match: [npm test] }
`,
    },
  ],
  claim(claim, { policy, rule }) {
    if (claim.field !== "install.name" || rule?.catches !== true) return undefined;
    const signs = signsOf[claim.operator];
    const found = signs && textValues(claim).find(({ text }) => signs.test(text));
    if (!found) return undefined;
    const wanted = claim.negated || claim.part !== "when" ? "true" : "false";
    return {
      span: policy.valueSpan(claim, found.index),
      message: `\`${found.text.slice(0, 40)}\` is the sign of a version for some managers alone, and a range may have it too`,
      help: wanted === "true" ? "test `pinned: true`, or `pinned: false` under `when`" : "test `pinned`",
    };
  },
};

/** Texts that find any version, by operator: no package name comes before the sign. */
const signsOf: Readonly<Record<string, RegExp>> = {
  glob: /^[*?]+(?:@|={1,3}|:)(?:[*?[\d]|$)/,
  contains: /^(?:@|={2,3})\d?$/,
  matches: /^[\^(?:.*+\\w-]*(?:={2,3}|(?:@|\[[^\]]*[@=][^\]]*\])[=?v^~]*(?:\\d|\[\\?[0d]|\d))/,
};
