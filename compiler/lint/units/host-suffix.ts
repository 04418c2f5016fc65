import type { Fix } from "../../../diagnostics/diagnostic.ts";
import { type Claim, textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";
import { wavesThrough } from "../waves-through.ts";

/** Lint: a host is compared by its letters, not at a dot. */
export const hostSuffix: Lint = {
  code: "HW652",
  name: "host-suffix",
  why: "`notexample.com` ends with `example.com`, and `example.com.evil.org` begins with it and has it in it. Anyone can register such a name.",
  advice: "Write `{ host_in: example.com }`: the host itself, or a subdomain at a dot.",
  bad: [
    {
      title: "an end without a dot",
      at: ["example.com", '"*example.org"'],
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    unless:
      any:
        - { n.url.host: { ends_with: example.com } }
        - { n.url.host: { glob: "*example.org" } }
    action: ask
    reason: the host is not known
`,
      fixed: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    unless:
      any:
        - { n.url.host: { host_in: example.com } }
        - { n.url.host: { glob: "*example.org" } }
    action: ask
    reason: the host is not known
`,
    },
    {
      title: "anywhere in the name",
      at: ["example.com"],
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: { not: { n.url.host: { contains: example.com } } }
    action: ask
    reason: the host is not known
`,
      fixed: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: { not: { n.url.host: { host_in: example.com } } }
    action: ask
    reason: the host is not known
`,
    },
  ],
  good: [
    {
      title: "at a dot",
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: { n.url.host: { contains: paste } }
    unless: { any: [{ n.url.host: { host_in: example.com } }, { n.url.host: { ends_with: .example.com } }] }
    action: ask
    reason: the host is not known
`,
    },
  ],
  claim(claim, { policy, rule }) {
    if (claim.field !== "url.host") return undefined;
    const opens = wavesThrough(claim, rule);
    const found = textValues(claim).find(({ text }) => otherHost(claim.operator, text, opens) !== undefined);
    const other = found && otherHost(claim.operator, found.text, opens);
    if (!found || other === undefined) return undefined;
    const fix = opens && rule && claim.part !== "exception" ? fixOf(claim, found.text, policy) : undefined;
    return {
      span: policy.valueSpan(claim, found.index),
      message: `\`${other}\` fits this as well`,
      help: `write \`host_in: ${nameOf(found.text)}\`, which is the host or a subdomain at a dot`,
      ...(fix && { fix }),
    };
  },
};

const nameOf = (text: string): string => text.replace(/^\*/, "").toLowerCase();
const isHost = (text: string): boolean => /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.[a-z]{2,24}$/i.test(text);

/** Returns a stranger's host that also passes the test; undefined if the test ends at a dot, or does not look like a host. */
function otherHost(operator: string, text: string, opens: boolean): string | undefined {
  if (!isHost(nameOf(text))) return undefined;
  const isGlob = operator === "glob" && /^\*[^*?[\]{}]+$/.test(text);
  if (isGlob || operator === "ends_with") return `not${nameOf(text)}`;
  return opens && (operator === "contains" || operator === "starts_with") ? `${text}.evil.org` : undefined;
}

/** Makes the fix from `ends_with: x` to `host_in: x`, for callers to which fewer matching hosts are stricter. */
function fixOf(claim: Claim, text: string, policy: LintedPolicy): Fix | undefined {
  const { start } = claim.span;
  const key = /(ends_with|starts_with|contains)\s*:\s*$/.exec(policy.textAt({ start, end: claim.operandSpan.start }));
  const node = policy.nodeAt(claim.operandSpan);
  if (!key || key[1] !== claim.operator || node?.kind !== "scalar" || text !== text.toLowerCase()) return undefined;
  const at = start + key.index;
  const edits = [{ span: { start: at, end: at + claim.operator.length }, text: "host_in" }];
  return { title: "write `host_in`", meaning: "stricter", edits };
}
