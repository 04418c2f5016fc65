import { child } from "../../yaml-node.ts";
import { type Claim, textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import { type PatternSlip, patternSlip } from "../pattern-slips.ts";
import type { LintedPolicy, PlacedScalar } from "../policy.ts";

/** Lint: a pattern is read otherwise than it looks: letters in brackets, the star of a glob, an anchor of one alternative. */
export const otherReading: Lint = {
  code: "HW697",
  name: "other-reading",
  why: "In a pattern `[debug]` is one letter out of five, the star of `release-*` repeats the dash, and `^` in `^topic|wip/` belongs to `topic` alone. Such a pattern fits much more than its author reads in it.",
  advice: 'Write `\\[debug\\]`, `{ glob: "release-*" }`, and `^(?:topic|wip/)`.',
  bad: [
    {
      title: "a word in brackets",
      at: ["'[debug]'", "'^[INFO] '"],
      policy: `  - id: logs
    event: input
    when: { any: [{ input.text: { matches: '[debug]' } }, { input.text: { matches: '^[INFO] ' } }] }
    action: block
    reason: logs stay here
`,
    },
    {
      title: "the star of a glob",
      at: ["'release-*'", "'feature/*'"],
      policy: `  - id: branches
    event: tool_call
    each: { p: effects.pushes }
    when: { any: [{ p.target.branch: { matches: 'release-*' } }, { p.target.branch: { matches: 'feature/*' } }] }
    action: ask
    reason: others build on it
`,
    },
    {
      title: "an anchor of one alternative",
      at: ["'^topic|wip/'", "'^main|master$'"],
      policy: `  - id: branches
    event: tool_call
    each: { p: effects.pushes }
    when: { any: [{ p.target.branch: { matches: '^topic|wip/' } }, { p.target.branch: { matches: '^main|master$' } }] }
    action: ask
    reason: others build on it
`,
    },
    {
      title: "signs of other languages, and lines that YAML joins",
      at: [">-", "|", "'r", "'SUBJ-/d", "'skipped"],
      policy: `  - id: prompts
    event: input
    when:
      any:
        - input.text: { matches: 'r"rollout\\s+restart"' }
        - input.text: { matches: 'SUBJ-/d{4}' }
        - input.text: { matches: 'skipped\\\\b' }
        - input.text:
            matches: >-
              (?:port-forward|
              proxy)
        - input.text:
            matches: |
              ^/deploy
    action: block
    reason: people do this
`,
    },
    {
      title: "a line that is redacted, a name without its value, and the star of a glob between words",
      at: ["'^PIN=.*$'", "api_key=", "ACME*merger"],
      policy: `  - id: pins
    event: tool_result
    action: { redact: { patterns: [{ name: pin, regex: '^PIN=.*$' }, { name: key, regex: api_key= }] } }
  - id: deals
    event: input
    when: { input.text: { matches: ACME*merger } }
    action: block
    reason: the deal is not public
`,
    },
  ],
  good: [
    {
      title: "every line that is redacted",
      policy: `  - id: pins
    event: tool_result
    action: { redact: { patterns: [{ name: pin, regex: '(?m)^PIN=.*$' }, { name: key, regex: 'KEY=\\S+' }] } }
`,
    },
    {
      title: "classes, repeated letters, and an anchor that is meant for one",
      policy: `  - id: logs
    event: input
    when:
      any:
        - input.text: { matches: '^[aeiou]' }
        - input.text: { matches: '[rwx]' }
        - input.text: { matches: '^[MADRCU] ' }
        - input.text: { matches: '^rm|sudo rm' }
        - input.text: { matches: '^10*$' }
        - input.text: { matches: '^\\[debug\\] ' }
        - input.text: { matches: '^---*$' }
        - input.text: { matches: '^test_|_test$' }
        - input.text: { matches: '^(?:topic|wip/)' }
        - input.text: { matches: '^Error|\\bfatal\\b' }
    action: block
    reason: logs stay here
`,
    },
  ],
  policy(policy) {
    const patterns = policy.scalars.filter(({ path }) => patternKeys.has(path.at(-1) ?? ""));
    return patterns.flatMap(
      ({ node, path }) =>
        brokenLine(node, policy) ??
        (path.includes("redact") ? redactionSlip(node, inFields(node, policy)) : undefined) ??
        [],
    );
  },
  claim(claim, { policy }) {
    const sql = sqlInOneCase(claim);
    if (sql) return { span: claim.span, ...sql };
    if (claim.operator !== "matches") return undefined;
    const { field = "" } = claim;
    const of = /^path(?:\.lexical|\.real)?$/.test(field) ? "path" : /branch$/.test(field) ? "branch" : "text";
    for (const { text, index } of textValues(claim)) {
      const slip = patternSlip(text, of) ?? (manyLines.has(field || claim.path) ? wholeOfLines(text) : undefined);
      if (slip) return { span: policy.valueSpan(claim, index), message: slip.why, help: slip.help };
    }
    return undefined;
  },
};

/** Finds words of SQL in one letter case, which SQL takes in any. */
function sqlInOneCase(claim: Claim): Pick<Finding, "message" | "help"> | undefined {
  if (!/^args\.(?:sql|statement|query)$/.test(claim.path)) return undefined;
  if (!/^(?:matches|starts_with|contains|contains_any)$/.test(claim.operator)) return undefined;
  const texts = textValues(claim).map(({ text }) => text);
  const words = texts.flatMap((text) => text.match(sqlWords) ?? []);
  const isPattern = claim.operator === "matches";
  if (words.length === 0 || texts.some((text) => isPattern && /\(\?[a-z]*i|\[[A-Z][a-z]\]/.test(text)))
    return undefined;
  const cases = new Set(words.map((word) => (word === word.toLowerCase() ? "small" : "capital")));
  if (cases.size > 1) return undefined;
  const word = (words[0] as string).toLowerCase();
  const other = cases.has("small") ? word.toUpperCase() : word;
  return {
    message: `SQL is read in any letter case, and \`${other} …\` is not seen`,
    help: `write \`{ matches: '(?i)\\b${word}\\b' }\`, or test what it changes: \`each: { k: effects.config }\` with \`k.target: { glob: "sql *" }\``,
  };
}

const sqlWords =
  /\b(?:drop|truncate|alter|grant|revoke|DROP|TRUNCATE|ALTER|GRANT|REVOKE)\b|\b(?:delete from|insert into|DELETE FROM|INSERT INTO)\b|^(?:delete|insert|update|DELETE|INSERT|UPDATE) ?$/g;

/** Keys whose values are patterns. */
const patternKeys: ReadonlySet<string> = new Set(["matches", "regex"]);

/** Finds a pattern that YAML reads from several lines: their breaks are blanks or line breaks that the pattern asks for. */
function brokenLine({ value, style, span }: PlacedScalar["node"], policy: LintedPolicy): Finding | undefined {
  if (typeof value !== "string" || (style !== "literal" && style !== "folded")) return undefined;
  const help = "write the whole pattern on one line in single quotes";
  const lines = policy.textAt(span).trimEnd().split("\n").slice(1);
  if (style === "folded" && lines.length > 1)
    return { span, message: "the line breaks of this text are blanks, which the pattern asks for", help };
  if (value.trimEnd().includes("\n"))
    return { span, message: "the line breaks of this text are part of the pattern, which asks for them", help };
  if (value.endsWith("\n"))
    return {
      span,
      message: "this text ends with a line break, which the pattern asks for",
      help: `${help}, or behind \`|-\``,
    };
  return undefined;
}

/** Finds a redaction of a line that begins with `^`, which is the beginning of the whole text, and one of a name without its value. */
function redactionSlip({ value, span }: PlacedScalar["node"], ofFields: boolean): Finding | undefined {
  if (typeof value !== "string") return undefined;
  const name = /^(?:\(\?i\))?([\w-]*(?:passw(?:or)?d|secret|token|api[_-]?key)[\w-]*\s*[:=]?\s*)$/i.exec(value)?.[1];
  if (name !== undefined)
    return {
      span,
      message: `this replaces \`${name}\` itself, and what stands behind it stays`,
      help: `take the value in as well: \`${value.trimEnd().replace(/\s*[:=]$/, "")}\\s*[:=]\\s*\\S+\``,
    };
  if (ofFields || !/^\^[^|]*$/.test(value)) return undefined;
  return {
    span,
    message: "`^` is the beginning of the whole text here, and no later line fits",
    help: `write \`(?m)${value.slice(0, 80)}\` for the beginning of a line`,
  };
}

/** Tells whether the redaction that a pattern belongs to names fields, whose texts are seldom of many lines. */
function inFields({ span }: PlacedScalar["node"], { rules }: LintedPolicy): boolean {
  const rule = rules.find(({ node }) => node.span.start <= span.start && span.end <= node.span.end);
  return rule?.draft.actions.some(({ name, parameters }) => name === "redact" && child(parameters, "fields")) ?? false;
}

/** Fields with texts of many lines. */
const manyLines: ReadonlySet<string> = new Set([
  ...["code", "args.content", "args.new_text", "args.old_text", "args.code", "result.text", "message.text"],
]);

/** Finds anchors at both ends of a pattern that no line break can stand in: in most texts they are not those of a line. */
function wholeOfLines(pattern: string): PatternSlip | undefined {
  const body = /^\^(.*[^\\])\$$/.exec(pattern)?.[1];
  if (body === undefined || /\\[nsSrWD]|\[\^|\[|\.[*+]|\(\?/.test(body)) return undefined;
  return {
    why: "`^` and `$` are the ends of the whole text here, and no line of it fits alone",
    help: `write \`(?m)${pattern.slice(0, 80)}\` for the ends of a line`,
  };
}
