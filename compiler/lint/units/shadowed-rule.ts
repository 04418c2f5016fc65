import { scopeRank } from "../../policy-name.ts";
import { guardKey, irKey, onlyAnswers, strictness } from "../guards.ts";
import type { Finding, Lint } from "../lint.ts";
import { Overruling } from "../overruled.ts";
import type { LintedPolicy, LintedRule, TypedRule } from "../policy.ts";

/** Lint: a rule only asks or allows, and another rule of the set always answers more strictly. */
export const shadowedRule: Lint = {
  code: "HW617",
  name: "shadowed-rule",
  why: "The strictest answer holds. A rule that asks or allows where another one blocks under the same conditions decides nothing.",
  advice: "Narrow the stricter rule, or take the other one out.",
  bad: [
    {
      title: "ask under the conditions of a block",
      at: ["ask-push"],
      policy: `  - id: no-push
    event: tool_call
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: block
    reason: history would be overwritten
  - id: ask-push
    event: tool_call
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: ask
    reason: history may be overwritten
`,
    },
    {
      title: "a condition beside a block without one",
      at: ["ask-fetch"],
      policy: `  - id: no-fetch
    event: tool_call
    tool: [fetch, search]
    action: block
    reason: the web is not for this agent
  - id: ask-fetch
    event: tool_call
    tool: fetch
    when: { args.url.scheme: http }
    action: ask
    reason: it is not encrypted
`,
    },
    {
      title: "an allow and a question about some of what another rule asks about or blocks",
      at: ["tests", "branch", "builds", "checks", "query"],
      policy: `version: 1
policy: example
default: ask
rules:
  - id: tests
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: test }
    action: { allow: { opaque: true } }
  - id: npm-else
    event: [tool_call, user_bash]
    each: { x: shell.commands }
    when: { x.program: [npm, yarn] }
    action: ask
    reason: packages run code
  - id: branch
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { glob: release/1.* }, p.forced: true }
    action: ask
    reason: it is a release
  - id: releases
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { glob: release/** } }
    action: block
    reason: releases are pushed by the pipeline
  - id: builds
    event: tool_call
    tool: write
    when: { args.path: { within: build/out } }
    action: { allow: { effects: [writes] } }
  - id: build
    event: tool_call
    tool: [write, edit]
    when: { args.path: { within: build } }
    action: ask
    reason: it is generated
  - id: checks
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: cargo, c.subcommand: check }
    action: { allow: { opaque: true } }
  - id: cargo
    event: tool_call
    when: { some: { shell.commands: { program: [cargo, rustc] } } }
    action: ask
    reason: it compiles what the project says
  - id: query
    event: tool_call
    tool: mcp__db__query
    action: allow
  - id: database
    event: tool_call
    tool: "mcp__db__*"
    action: ask
    reason: it reads customers
`,
    },
  ],
  good: [
    {
      title: "a rule for other calls, for other elements, with a waiver, and one that only reports",
      policy: `version: 1
policy: example
default: ask
rules:
  - id: tests
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: test }
    action: { allow: { opaque: true } }
  - id: npm-else
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm }
    unless: { c.subcommand: test }
    action: ask
    reason: packages run code
  - id: installs
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: [publish] }
    action: ask
    reason: packages run code
  - id: watched
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm }
    mode: monitor
    action: block
    reason: packages run code
  - id: first
    event: tool_call
    when: { some: { shell.commands: { program: npm } } }
    budget: { limit: 20 }
    action: ask
    reason: packages run code
  - id: writes
    event: tool_call
    tool: write
    when: { args.path: { within: build/out } }
    action: ask
    reason: npm test writes there
  - id: listing
    event: tool_call
    tool: [write, edit]
    when: { args.path: { within: build } }
    action: { allow: { effects: [writes] } }
`,
    },
    {
      title: "a stricter rule with an exception, and one that does more than answer",
      policy: `labels:
  risky: { kind: mark }
rules:
  - id: no-push
    event: tool_call
    each: { p: effects.pushes }
    action: block
    reason: nothing is pushed
  - id: ask-push
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
  - id: mark-push
    event: tool_call
    when: { session.labels: { contains: risky } }
    action: [ask, { label: { add: [risky] } }]
    reason: it is marked
exceptions:
  - rules: [example/no-push]
    when: { p.remote: mirror }
    owner: platform
    reason: the mirror is ours
    expires: 2030-01-01
`,
    },
  ],
  set(context) {
    const { policies } = context;
    const waived = new Set(policies.flatMap(({ typed }) => typed.waivers.map(({ rule }) => rule)));
    const all = policies.flatMap((policy) =>
      policy.rules.flatMap((rule): Answering[] => {
        const { typed } = rule;
        if (typed?.mode !== "enforce" || strictness(rule) === 0) return [];
        const isFirm = typed.exceptions.length === 0 && !waived.has(rule.draft.id) && typed.unsure !== "ignore";
        return [{ policy, rule, typed, isFirm, strictness: strictness(rule), key: keyOf(typed) }];
      }),
    );
    const strictest = firmest(all);
    const overruling = new Map(policies.map((policy) => [policy, new Overruling(policy, context)]));
    return all.flatMap((one) => {
      if (!onlyAnswers(one.rule) || one.strictness === 3) return [];
      const same = shadowOf(one, strictest);
      const over = same?.rule ?? overruling.get(one.policy)?.over(one.rule, one.strictness + 1);
      return over ? [{ policy: one.policy, ...finding(one, over, same?.policy ?? one.policy, !same) }] : [];
    });
  },
};

interface Answering {
  readonly policy: LintedPolicy;
  readonly rule: LintedRule;
  readonly typed: TypedRule;
  readonly strictness: number;
  /** True if the rule has no exception and ignores nothing that is unsure, so that it answers whenever its conditions hold. */
  readonly isFirm: boolean;
  readonly key: string;
}

/** Returns a key of a rule's conditions that ignores which facts an allow may use, so that an allow compares equal to a stricter rule. */
function keyOf(typed: TypedRule): string {
  return guardKey(typed)
    .replaceAll(',"certain":true', "")
    .replaceAll(',"forms":"all"', "")
    .replace(/#\d+(?=\\*")/g, "");
}

/**
 * Finds the strictest rule without an exception for each key of conditions, and, among rules without conditions, for each event
 * and tool.
 */
function firmest(all: readonly Answering[]): ReadonlyMap<string, Answering> {
  const found = new Map<string, Answering>();
  const offer = (key: string, one: Answering): void => {
    if ((found.get(key)?.strictness ?? 0) < one.strictness) found.set(key, one);
  };
  for (const one of all) {
    if (!one.isFirm) continue;
    offer(one.key, one);
    const { each, when, unless, sequence, budget } = one.typed;
    if (when || unless || sequence || budget) continue;
    for (const place of placesOf(one.typed)) offer(`${place}${each ? listKey(each) : ""}`, one);
  }
  return found;
}

/** Lists the keys of each event with each tool; a rule without a tool matcher has one key for all tools. */
function placesOf({ events, tools }: TypedRule): string[] {
  return events.flatMap((event) => (tools.length === 0 ? [`${event} `] : tools.map((tool) => `${event} ${tool}`)));
}

/** Returns what sets a place apart for a rule that goes through a list: it applies wherever the list has an element. */
function listKey({ list }: NonNullable<TypedRule["each"]>): string {
  return `\n${irKey(list)}`;
}

function shadowOf(one: Answering, strictest: ReadonlyMap<string, Answering>): Answering | undefined {
  const isOver = (other: Answering | undefined): boolean =>
    other !== undefined && other.strictness > one.strictness && rankOf(other) <= rankOf(one);
  const same = strictest.get(one.key);
  if (isOver(same)) return same;
  const { each } = one.typed;
  // An imported pack may ask about items of a list that the importing policy blocks whole.
  const isOwn = (other: Answering | undefined): boolean => isOver(other) && other?.policy === one.policy;
  const over = placesOf(one.typed).map((place) => {
    const places = [`${place.slice(0, place.indexOf(" "))} `, place];
    const whole = places.map((key) => strictest.get(key)).find(isOver);
    return whole ?? (each && places.map((key) => strictest.get(`${key}${listKey(each)}`)).find(isOwn));
  });
  return over.every((other) => other !== undefined) ? over[0] : undefined;
}

/** Returns the rank of a rule's scope. A rule of a weaker scope belongs to another owner, who may remove it. */
function rankOf({ policy }: Answering): number {
  return scopeRank[policy.typed.resolved.scope];
}

function finding({ rule }: Answering, over: LintedRule, policy: LintedPolicy, isWider: boolean): Finding {
  const [verb, noun] = strictness(over) === 3 ? ["blocks", "a block"] : ["asks", "an ask"];
  const own = rule.does("ask") ? "an ask" : "an allow";
  const id = over.draft.id;
  return {
    span: rule.draft.span,
    message: `rule \`${rule.draft.id}\` decides nothing: \`${id}\` ${verb} whenever it applies`,
    help: isWider
      ? `${own} never beats ${noun}: ${exempting(rule, over)}`
      : "narrow the stricter rule, or take this one out",
    related: [{ message: "the stricter rule", source: policy.source.name, span: over.draft.span }],
  };
}

/** Says how the stricter rule leaves out what the other one is about. */
function exempting({ typed, draft }: LintedRule, over: LintedRule): string {
  const id = over.draft.id.slice(over.draft.id.indexOf("/") + 1);
  const each = typed?.each && !over.typed?.each && over.typed?.when ? `bind \`each\` in rule \`${id}\` too, and ` : "";
  const [tool, ...more] = draft.tools;
  if (!typed?.when && tool !== undefined)
    return `write \`unless: { tool.name: ${more.length > 0 ? `[${draft.tools.join(", ")}]` : tool} }\` in rule \`${id}\``;
  return each === "" ? `put the tests under \`unless\` of rule \`${id}\`` : `${each}put the tests under its \`unless\``;
}
