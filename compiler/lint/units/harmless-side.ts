import type { Claim } from "../claims.ts";
import type { Lint } from "../lint.ts";

/** Lint: a rule stops the harmless side of a fact that is true or false, and no rule stops the other one. */
export const harmlessSide: Lint = {
  code: "HW812",
  name: "harmless-side",
  why: "Some facts have a side that nobody minds: a package of one exact version, a push that keeps history. A rule that stops this side, without another one for the other side, lets pass what is dangerous.",
  advice: "Turn the value round.",
  bad: [
    {
      title: "packages of one version, and pushes that keep history",
      at: ["i.pinned: true", "p.forced: false"],
      policy: `  - id: versions
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.pinned: true }
    action: ask
    reason: it may be another package tomorrow
  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.target.branch: main, p.forced: false }
    action: block
    reason: history stays
`,
    },
  ],
  good: [
    {
      title: "one side asks, and whatever is not of it is blocked",
      policy: `  - id: exact
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.pinned: true }
    action: ask
    reason: a human reads the package
  - id: others
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    unless: { i.pinned: true }
    action: block
    reason: it may be another package tomorrow
`,
    },
    {
      title: "the other side, a waiver, and a rule for either side",
      policy: `  - id: versions
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.pinned: false }
    action: ask
    reason: it may be another package tomorrow
  - id: sources
    event: [tool_call, user_bash]
    each: { i: effects.installs }
    when: { i.manager: cargo }
    unless: { i.pinned: true }
    action: ask
    reason: it may be another package tomorrow
  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.target.branch: main, p.forced: false }
    action: ask
    reason: others build on it
  - id: forced
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: block
    reason: history stays
`,
    },
  ],
  claim(claim, { rule, policy }, { policies }) {
    if (!rule?.catches || claim.part !== "when") return undefined;
    const side = sideOf(claim);
    // A negation may be of a loop, which is about all elements.
    const isDirect = claim.list === undefined || claim.path.split(".")[0] === rule.typed?.each?.name;
    if (!side || (claim.negated && !isDirect)) return undefined;
    const { path, span } = claim;
    // A name beside it may have one exact version.
    if (claim.field === "install.pinned" && rule.claims.some(({ field }) => field === "install.name")) return undefined;
    // Another rule may stop the other side, or whatever it is.
    const rules = policies.flatMap((policy) => policy.rules);
    const isSettled = rules.some(
      (other) => other !== rule && other.catches && isAboutOther(other.claims, claim, other.typed?.each !== undefined),
    );
    if (isSettled) return undefined;
    return {
      span,
      message: `this stops ${side.harmless}, and lets pass ${side.other}`,
      help:
        claim.operator === "has_option"
          ? "write the test under `unless`"
          : claim.negated || policy.textAt(span) === path
            ? `write ${side.value ? `\`!${path}\`` : `\`${path}\``}`
            : `write \`${path}: ${!side.value}\``,
    };
  },
};

interface Side {
  /** The value that nobody minds. */
  readonly value: boolean;
  readonly harmless: string;
  readonly other: string;
}

/** Facts with a harmless side, by field. */
const sides: Readonly<Record<string, Side>> = {
  "install.pinned": { value: true, harmless: "packages of one exact version", other: "those of any version" },
  "push.forced": { value: false, harmless: "pushes that keep history", other: "those that overwrite it" },
  "push.mirror": { value: false, harmless: "pushes of some refs", other: "those of all" },
  "read.metadata_only": { value: true, harmless: "what reads names and sizes", other: "what reads the content" },
  "url.mixed_scripts": {
    value: false,
    harmless: "hosts of one script",
    other: "those that mix letters that look alike",
  },
  "text_facts.mixed_scripts": {
    value: false,
    harmless: "text of one script",
    other: "words that mix letters that look alike",
  },
  "definition.changed": { value: false, harmless: "tools as they were pinned", other: "those that changed since" },
  "definition.pinned": { value: true, harmless: "tools that were pinned", other: "those that nobody has seen" },
};

const trial = { harmless: "calls that only show what they would do", other: "those that do it" };

/** Arguments that make a call harmless when they are true. */
const trials = /^args\.(?:dry_?run|preview|simulate|read_?only|no_?op|what_?if)$/i;

/** Options that make a command harmless. */
const trialOptions: ReadonlySet<string> = new Set(
  "--dry-run --dryrun --simulate --what-if --whatif --noop --no-op --no-act --just-print --help --version".split(" "),
);

/** Returns the side that a claim asks for, if it is the harmless one. */
function sideOf({ field, path, operator, values, negated }: Claim): Side | undefined {
  if (operator === "has_option") {
    const isTrial = values?.some((value) => trialOptions.has(String(value))) && !negated;
    return isTrial ? { value: true, ...trial } : undefined;
  }
  const side = sides[field ?? path] ?? sides[path] ?? (trials.test(path) ? { value: true, ...trial } : undefined);
  if (!side || operator !== "equals" || typeof values?.[0] !== "boolean") return undefined;
  return (values[0] !== negated) === side.value ? side : undefined;
}

/** Tells whether claims of another rule ask for the other side of the same fact, or the rule stops such effects whatever they are. */
function isAboutOther(claims: readonly Claim[], { field, path, operator }: Claim, goesThrough: boolean): boolean {
  const same = claims.filter(
    (other) => other.operator === operator && (field === undefined ? other.path === path : other.field === field),
  );
  if (same.some((other) => !sideOf(other) || other.part !== "when")) return true;
  const record = field?.split(".")[0];
  return goesThrough && same.length === 0 && claims.some((other) => other.field?.split(".")[0] === record);
}
