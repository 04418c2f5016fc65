import type { Fix } from "../../../diagnostics/diagnostic.ts";
import { type Claim, textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: a rule that stops a package names it alone, and facts have the name as a call gives it, with its version. */
export const unpinnedPackage: Lint = {
  code: "HW686",
  name: "unpinned-package",
  why: "The name of a package in facts is what the call says: `left-pad@1.3.0`, `requests==2.0`, `rails:7`. A test for the bare name lets such a call through.",
  advice: "Test it as a glob that may go on with a version.",
  bad: [
    {
      title: "one package by its name",
      at: ["left-pad"],
      policy: `  - id: packages
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.manager: npm, i.name: left-pad }
    action: block
    reason: it was taken back once
`,
      fixed: `version: 1
policy: example
rules:
  - id: packages
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.manager: npm, i.name: { glob: ["left-pad", "left-pad[@=<>~!:]*"] } }
    action: block
    reason: it was taken back once
`,
    },
  ],
  good: [
    {
      title: "with any version, one version alone, and what is let pass",
      policy: `version: 1
policy: example
default: ask
rules:
  - id: packages
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { any: [{ i.name: { glob: [left-pad, "left-pad@*"] } }, { i.name: event-stream@3.3.6 }] }
    action: block
    reason: it was taken back once
  - id: known
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.name: react }
    action: allow
`,
    },
  ],
  claim(claim, { policy, rule }) {
    const isName = claim.field === "install.name" && (claim.operator === "equals" || claim.operator === "in");
    if (!isName || claim.part !== "when" || claim.negated || rule?.catches !== true) return undefined;
    const found = textValues(claim).find(({ text }) => /^@?[\w./-]+$/.test(text));
    if (!found) return undefined;
    const globs = textValues(claim).flatMap(({ text }) => [text, `${text}[@=<>~!:]*`]);
    const shown = `{ glob: [${globs
      .slice(0, 2)
      .map((glob) => `"${glob}"`)
      .join(", ")}] }`;
    const fix = fixOf(claim, globs, policy);
    return {
      span: policy.valueSpan(claim, found.index),
      message: `\`${found.text}\` with a version, as in \`${found.text}@1.0.0\`, is another name`,
      help: `write \`${shown}\``,
      ...(fix && { fix }),
    };
  },
};

/** Makes the fix of a short test: `i.name: x`. */
function fixOf(claim: Claim, globs: readonly string[], policy: LintedPolicy): Fix | undefined {
  const { start } = claim.operandSpan;
  const before = policy.source.text.slice(claim.span.start, start).trimEnd();
  if (!claim.isWritten || !/name["']?:$/.test(before) || policy.nodeAt(claim.operandSpan) === undefined)
    return undefined;
  const text = `{ glob: [${globs.map((glob) => JSON.stringify(glob)).join(", ")}] }`;
  return { title: "take every version", meaning: "stricter", edits: [{ span: claim.operandSpan, text }] };
}
