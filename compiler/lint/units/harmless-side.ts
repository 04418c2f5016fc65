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
  claim(claim, { rule }, { policies }) {
    if (!rule?.guards || claim.part !== "when" || claim.negated) return undefined;
    const side = sideOf(claim);
    if (!side) return undefined;
    const { path, span } = claim;
    // Another rule may stop the other side, or whatever it is.
    const rules = policies.flatMap((policy) => policy.rules);
    const isSettled = rules.some(
      (other) => other !== rule && other.guards && isAboutOther(other.claims, claim, other.typed?.each !== undefined),
    );
    if (isSettled) return undefined;
    return {
      span,
      message: `this stops ${side.harmless}, and lets pass ${side.other}`,
      help: `write \`${path.replace(/^element\d+\./, "")}: ${!side.value}\``,
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
};

/** Returns the side that a claim asks for, if it is the harmless one. */
function sideOf({ field, path, operator, values, negated }: Claim): Side | undefined {
  const side = sides[field ?? path] ?? sides[path];
  if (!side || operator !== "equals" || typeof values?.[0] !== "boolean") return undefined;
  return (values[0] !== negated) === side.value ? side : undefined;
}

/** Tells whether claims of another rule ask for the other side of the same fact, or the rule stops such effects whatever they are. */
function isAboutOther(claims: readonly Claim[], { field, path }: Claim, goesThrough: boolean): boolean {
  const same = claims.filter((other) => (field === undefined ? other.path === path : other.field === field));
  if (same.some((other) => !sideOf(other) || other.part !== "when")) return true;
  return (
    goesThrough && same.length === 0 && claims.some((other) => other.field?.split(".")[0] === field?.split(".")[0])
  );
}
