import type { Claim } from "../claims.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy, LintedRule } from "../policy.ts";

/** Lint: a rule that stops only uploads lets traffic pass whose direction is both or unknown. */
export const oneDirection: Lint = {
  code: "HW682",
  name: "one-direction",
  why: "`direction` is `both` where traffic goes both ways or nobody knows which way: `ssh`, `nslookup`, a tool of a server. A rule that asks for `upload` alone lets it pass. A `download` sends its address too, and a query can carry a secret.",
  advice: "Ask for `[upload, both]`, or leave `direction` out and judge all traffic by its host.",
  bad: [
    {
      title: "uploads alone, as a test and in an expression",
      at: ["upload", "'upload'"],
      policy: `  - id: sends
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.direction: upload }
    action: ask
    reason: it sends data
    examples: { match: [curl -T a https://example.com/], no_match: [ls] }
  - id: sends-elsewhere
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: n.direction == 'upload' && !n.url.hostIn('example.com')
    action: block
    reason: it sends data
    examples: { match: [curl -T a https://example.org/], no_match: [ls] }
`,
    },
  ],
  good: [
    {
      title: "either, another test beside it, what is let pass, and a rule that only tells",
      policy: `  - id: sends
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.direction: [upload, both] }
    unless: { n.direction: upload, n.url.host: { host_in: example.com } }
    action: ask
    reason: it sends data
    examples: { match: [curl -T a https://example.org/], no_match: [ls] }
  - id: sends-or-talks
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { any: [{ n.direction: upload }, { n.direction: both, n.url.port: "22" }] }
    action: ask
    reason: it sends data
    examples: { match: [curl -T a https://example.org/], no_match: [ls] }
  - id: told
    event: tool_call
    each: { n: effects.network }
    when: { n.direction: upload }
    action: { notify: { message: "it sends to {n.url.host}" } }
`,
    },
  ],
  ofItems: true,
  rule(rule, { policies }) {
    const { catches, claims, typed } = rule;
    if (!catches) return [];
    const all = claims.filter(
      ({ field, part, by }) => field === "network_access.direction" && part === "when" && by !== undefined,
    );
    // Where the rule goes through the traffic, a quantifier concerns other traffic than the element.
    const own = typed?.each && all.filter(({ path }) => path === `${typed.each?.name}.direction`);
    const tests = own && own.length > 0 ? own : all;
    if (tests.some(namesBoth) || !tests.some(asksForUpload) || isCovered(rule, policies)) return [];
    return tests.filter(asksForUpload).map((claim) => ({
      span: claim.isWritten ? claim.operandSpan : claim.span,
      message: "`upload` without `both` leaves out traffic that goes both ways or whose direction is not known",
      help: claim.values?.includes("download")
        ? "leave the test out, or add `both`"
        : "write `[upload, both]`, or leave it out: what only asks sends its address too",
    }));
  },
};

/** Tells whether another rule that stops calls goes through all traffic, or through what goes both ways. */
function isCovered(rule: LintedRule, policies: readonly LintedPolicy[]): boolean {
  return policies.some(({ rules }) =>
    rules.some((other) => {
      const tests = other.claims.filter(({ field }) => field === "network_access.direction");
      const isOfTraffic = other.claims.some(({ list }) => list === "effects.network");
      return other !== rule && other.guards && isOfTraffic && tests.every(namesBoth);
    }),
  );
}

function asksForUpload({ operator, values, negated }: Claim): boolean {
  return !negated && (operator === "equals" || operator === "in") && values?.includes("upload") === true;
}

/** True for a test that tells `both` apart, or that is negated or computed: its author has thought of it. */
function namesBoth({ negated, operator, values }: Claim): boolean {
  return negated || values === undefined || values.includes("both") || operator.startsWith("not");
}
