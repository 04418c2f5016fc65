import type { Span } from "../../../diagnostics/source.ts";
import { createScanner, type Scanner } from "../../../facts/secrets/scan.ts";
import type { RegexEngine } from "../../../schema/ports.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/**
 * Lint: the text of a policy, comments included, contains a secret. Examples and patterns are left out, because they show the
 * form of secrets.
 */
export const secretInPolicy: Lint = {
  code: "HW640",
  name: "secret-in-policy",
  why: "Policies are read by everyone who works in the repository, and what they inject is read by the model. Only what is surely a secret is reported.",
  advice:
    "Take it out and make it invalid. To redact a known value name its variable: `redact: { values: { env: [NAME] } }`.",
  bad: [
    {
      title: "a password in an address",
      at: ["Zk83hWq0PmTx"],
      policy: `  - id: database
    event: before_agent_start
    action: { inject: { content: "The tests use postgres://app:Zk83hWq0PmTx@db.example.com/orders" } }
`,
    },
    {
      title: "a header in a comment",
      at: ["q7Rw2"],
      policy: `rules:
  # curl with Authorization: Bearer q7Rw2LkXv9sTz4Yb8NcM1dFg
  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: { n.direction: [upload, both] }
    action: ask
    reason: data leaves the machine
`,
    },
  ],
  good: [
    {
      title: "the name of a variable, a place for a value, an example",
      policy: `  - id: database
    event: [tool_result, context]
    action: { redact: { values: { env: [DATABASE_URL] } } }
  - id: addresses
    event: before_agent_start
    action: { inject: { content: "Write postgres://user:password@host/name, never the real one" } }
  - id: uploads
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.direction: [upload, both] }
    action: ask
    reason: data leaves the machine
    examples:
      match: ["curl -d @x -H 'Authorization: Bearer q7Rw2LkXv9sTz4Yb8NcM1dFg' https://example.com"]
`,
    },
  ],
  policy(policy, { regex }) {
    const exempt = exemptSpans(policy);
    return scannerOf(regex)
      .find(policy.source.text)
      .filter(({ confidence, detector }) => confidence === "high" || detector === "secrets/url-password")
      .slice(0, mostFindings)
      .filter((found) => !exempt.some((span) => found.start < span.end && span.start < found.end))
      .map(({ start, end, detector }) => ({
        span: { start, end },
        message: `this is a secret by the detector \`${detector}\``,
        help: "take it out, and make it invalid where it was valid",
      }));
  },
};

/** Most findings; no hand-written policy has more secrets, and one finding is enough to act. */
const mostFindings = 64;

const exemptKeys: ReadonlySet<string> = new Set(["examples", "regex", "matches", "except", "replacement"]);

function exemptSpans({ scalars }: LintedPolicy): readonly Span[] {
  return scalars.filter(({ path }) => path.some((key) => exemptKeys.has(key))).map(({ node }) => node.span);
}

const scanners = new WeakMap<RegexEngine, Scanner>();
const silent: Pick<Scanner, "find"> = { find: () => [] };

function scannerOf(engine: RegexEngine): Pick<Scanner, "find"> {
  const known = scanners.get(engine);
  if (known) return known;
  const made = createScanner(engine, ["secrets/*"]);
  if (made.kind !== "scanner") return silent;
  scanners.set(engine, made);
  return made;
}
