import type { Span } from "../../../diagnostics/source.ts";
import { textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: a name of one's own stands in a policy in two spellings, of which one is a typing error. */
export const twoSpellings: Lint = {
  code: "HW809",
  name: "two-spellings",
  why: "No table has the hosts, remotes and programs of a team. Where a policy has two of them that differ by two letters that changed places, or by one letter that is missing, one is most often a slip, and its rule never applies.",
  advice: "Write the name in one spelling, or ignore the finding where both are meant.",
  bad: [
    {
      title: "a host, and a branch that a reason names",
      at: ["gitlab.neuorlab.example", "relase/stable", "mcp__jira__create_isue", "projcet_key"],
      policy: `  - id: traffic
    event: [tool_call, user_bash]
    each: { n: effects.network }
    unless: { n.url.host: { host_in: [gitlab.neuorlab.example, data.neurolab.example] } }
    action: ask
    reason: write to gitlab.neurolab.example instead
  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.target.branch: relase/stable, p.forced: true }
    action: block
    reason: the pipeline writes to release/stable
  - id: tickets
    event: tool_call
    tool: mcp__jira__create_isue
    when: { args.project_key: AUDIT }
    action: block
    reason: the auditors write these
  - id: others
    event: tool_call
    tool: [mcp__jira__create_issue, mcp__jira__update_issue]
    when: args.?projcet_key.orValue("") != "AGENT" && args.?project_key.orValue("") != "OTHER"
    action: ask
    reason: it is not the agent's own project
`,
    },
  ],
  good: [
    {
      title: "names that differ by a number, an ending or a whole word",
      policy: `  - id: traffic
    event: [tool_call, user_bash]
    each: { n: effects.network }
    unless: { n.url.host: [registry1.acme.example, registry2.acme.example, registry.acme.example, registries.acme.example] }
    action: ask
    reason: it leaves the machine
  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.remote: [mirror-east, mirror-west, mirrors-east] }
    action: ask
    reason: others see it
`,
    },
  ],
  policy(policy) {
    const tools = writtenIn(policy, /\bmcp__\w+/g);
    const names = writtenIn(policy, /(?<=\bargs\.\??)\w+/g);
    return [...apart(namesOf(policy), wordsShown(policy)), ...apart(tools, []), ...apart(names, [])];
  },
};

/** Finds names that stand in another spelling too, among themselves or among the words shown to readers. */
function apart(own: ReadonlyMap<string, Use>, words: readonly string[]): Finding[] {
  if (own.size === 0) return [];
  const spellings = nearTo(new Set([...own.keys(), ...words]));
  const said = new Set<string>();
  return [...own].flatMap(([name, { span, uses, beside }]): Finding[] => {
    const other = spellings(name);
    // In one list both are meant.
    if (other === undefined || said.has(other) || beside?.includes(other)) return [];
    // The one that stands more often is most likely meant.
    if ((own.get(other)?.uses ?? 0) > 0 && (own.get(other)?.uses ?? 0) < uses) return [];
    said.add(name);
    const message = `\`${name}\` stands in this policy as \`${other}\` too`;
    return [{ span, message, help: `did you mean \`${other}\`?` }];
  });
}

/** Fields whose values are names of one's own. */
const fields = /^(?:url|url\.host|push\.remote|push_target\.branch|tool\.server|command\.program|install\.name)$/;
const whole: ReadonlySet<string> = new Set(["equals", "in", "host_in"]);

/** Shorter names are near to many others. */
const leastLetters = 8;
/** More names than policies of people have. */
const mostNames = 2_000;

interface Use {
  readonly span: Span;
  readonly uses: number;
  /** The values of the same test. */
  readonly beside?: readonly string[];
}

function namesOf(policy: LintedPolicy): ReadonlyMap<string, Use> {
  const found = new Map<string, Use>();
  const ofRules = policy.rules.flatMap(({ claims, guards }) => claims.map((claim) => ({ claim, guards })));
  for (const { claim, guards } of [...ofRules, ...policy.ownClaims.map((claim) => ({ claim, guards: false }))]) {
    if (!fields.test(claim.field ?? "") || !whole.has(claim.operator)) continue;
    // A rule may stop the hosts that imitate one's own.
    if (claim.field?.startsWith("url") && guards && claim.part === "when" && !claim.negated) continue;
    for (const { text, index } of textValues(claim)) {
      if (text.length < leastLetters || text.length > 100 || found.size >= mostNames) continue;
      const before = found.get(text);
      const beside = textValues(claim).map((one) => one.text);
      found.set(text, { span: before?.span ?? policy.valueSpan(claim, index), uses: (before?.uses ?? 0) + 1, beside });
    }
  }
  return found;
}

/** Names that a policy has anywhere outside of comments, each with its first place. */
function writtenIn({ source: { text } }: LintedPolicy, name: RegExp): ReadonlyMap<string, Use> {
  const found = new Map<string, Use>();
  for (const { 0: word, index } of text
    .replaceAll(/(?<=^|\s)#.*/gm, (comment) => " ".repeat(comment.length))
    .matchAll(name)) {
    if (word.length < leastLetters || word.length > 100 || found.size >= mostNames) continue;
    const before = found.get(word);
    const span = before?.span ?? { start: index, end: index + word.length };
    found.set(word, { span, uses: (before?.uses ?? 0) + 1 });
  }
  return found;
}

/** Names that the texts for readers contain: words with a sign between letters. */
function wordsShown({ scalars }: LintedPolicy): readonly string[] {
  const texts = scalars.filter(({ path }) => /^(?:reason|guidance|prompt|title|description)$/.test(path.at(-1) ?? ""));
  const words = texts.flatMap(
    ({ node }) =>
      String(node.value)
        .slice(0, 2_000)
        .match(/[a-z][\w]*(?:[./-]\w+)+/g) ?? [],
  );
  return words.filter((word) => word.length >= leastLetters && word.length <= 100).slice(0, mostNames);
}

/**
 * Returns a function that finds the other spelling of a name: with two letters exchanged, or one missing within a word. Work for
 * each name grows with its length, not with the number of names.
 */
function nearTo(names: ReadonlySet<string>): (name: string) => string | undefined {
  const shorter = new Map<string, string>();
  for (const name of names)
    for (const less of within(name, (i) => name.slice(0, i) + name.slice(i + 1))) shorter.set(less, name);
  return (name) => {
    const turned = within(name, (i) => `${name.slice(0, i)}${name[i + 1]}${name[i]}${name.slice(i + 2)}`);
    const less = within(name, (i) => name.slice(0, i) + name.slice(i + 1));
    return (
      turned.find((one) => one !== name && names.has(one)) ??
      less.find((one) => names.has(one)) ??
      (names.has(name) ? shorter.get(name) : undefined)
    );
  };
}

/** Makes a text for each letter that stands between two others. */
function within(name: string, make: (at: number) => string): readonly string[] {
  return [...name].flatMap((_, i) => (/^[A-Za-z]{3}$/.test(name.slice(i - 1, i + 2)) && i > 0 ? [make(i)] : []));
}
