import type { ActionDraft } from "../../policy-draft.ts";
import { child, strings, toValue, type YamlEntry, type YamlMap } from "../../yaml-node.ts";
import {
  blockedActions,
  idleChanges,
  idleClears,
  idleInBackground,
  idleReason,
  idleReplacements,
  misplacedKeys,
  whenBlocked,
} from "../idle-parts.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";

/**
 * Lint: an action of a rule, or a part of one, has no effect, most often beside another action. A `run` beside a block is an error
 * instead.
 */
export const idleAction: Lint = {
  code: "HW683",
  name: "idle-action",
  why: "All actions of a rule apply to the same calls. A block leaves nothing to ask, to allow or to change, an ask leaves nothing to allow, and a blocked call sets no label and tells nobody unless the action says so, whichever rule blocks it. An approval that clears other labels than the rule asks for leaves it asking.",
  advice: "Keep the action that is meant, or split the rule in two with conditions of their own.",
  bad: [
    {
      title: "a question beside a block, and an allow beside a question",
      at: ["ask", "allow"],
      policy: `  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: [block, ask]
    reason: history may be overwritten
  - id: installs
    event: tool_call
    each: { i: effects.installs }
    when: { i.manager: npm }
    action: [allow, ask]
    reason: packages run code
`,
    },
    {
      title: "a notice that is not given, because the call is blocked",
      at: ["notify"],
      policy: `  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: [block, { notify: { message: "a forced push" } }]
    reason: history may be overwritten
`,
      fixed: `version: 1
policy: example
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: [block, { notify: { when_blocked: true, message: "a forced push" } }]
    reason: history may be overwritten
`,
    },
    {
      title: "one argument that is set twice, and one that is set and taken out",
      at: ["command", "background"],
      policy: `  - id: twice
    event: tool_call
    tool: bash
    when: { args.command: make }
    action: [{ modify: { set: { command: make test } } }, { modify: { set: { command: make lint } } }]
  - id: both
    event: tool_call
    tool: bash
    when: { args.background: true }
    action: { modify: { set: { background: false }, unset: [background] } }
`,
    },
    {
      title: "a label of calls that another rule blocks, and a notice of some of them",
      at: ["label", "notify"],
      policy: `version: 1
policy: example
labels: { pushed: { kind: mark } }
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    action: { label: { add: [pushed] } }
  - id: releases
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { glob: release/1.* } }
    action: { notify: { message: "a release is pushed" } }
  - id: no-pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    action: block
    reason: nothing is pushed while the session is marked
    examples: { match: [git push origin a], no_match: [ls] }
  - id: again
    event: tool_call
    each: { i: effects.installs }
    when: { session.labels: { contains: pushed } }
    action: ask
    reason: it follows a push
`,
      fixed: `version: 1
policy: example
labels: { pushed: { kind: mark } }
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    action: { label: { when_blocked: true, add: [pushed] } }
  - id: releases
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { glob: release/1.* } }
    action: { notify: { when_blocked: true, message: "a release is pushed" } }
  - id: no-pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    action: block
    reason: nothing is pushed while the session is marked
    examples: { match: [git push origin a], no_match: [ls] }
  - id: again
    event: tool_call
    each: { i: effects.installs }
    when: { session.labels: { contains: pushed } }
    action: ask
    reason: it follows a push
`,
    },
    {
      title: "how the answer of a program is read for which nobody waits",
      at: ["exit_code"],
      policy: `  - id: scan
    event: tool_call
    tool: bash
    action: { run: { command: [/usr/local/bin/scan-call], protocol: exit_code, background: true } }
`,
    },
    {
      title: "an approval that clears a label which the rule does not ask for",
      at: ["private", "[private, read]"],
      policy: `version: 1
policy: example
labels: { untrusted: { kind: taint }, private: { kind: taint }, read: { kind: taint } }
rules:
  - id: seen
    event: tool_result
    tool: fetch
    action: { label: { add: [untrusted, private, read] } }
  - id: sends
    event: tool_call
    each: { n: effects.network }
    when: { session.labels: { contains: untrusted } }
    action: { ask: { clears: private } }
    reason: it follows a page of the web
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: '"untrusted" in session.labels && p.forced == true'
    action: { ask: { clears: [private, read] } }
    reason: it follows a page of the web
`,
    },
    {
      title: "a change to what is there, a match that stays, and a reason that nobody sees",
      at: ["false", '"{match[0]}[REDACTED]"', "the scanner objects"],
      policy: `  - id: foreground
    event: tool_call
    tool: bash
    when: { args.background: false }
    action: { modify: { set: { background: false } } }
  - id: sessions
    event: tool_result
    action: { redact: { patterns: [{ name: id, regex: 'id=(x+)', replacement: "{match[0]}[REDACTED]" }] } }
  - id: scan
    event: tool_call
    tool: write
    action: { run: { command: [/usr/local/bin/scan-call], background: true } }
    reason: the scanner objects
`,
    },
  ],
  good: [
    {
      title: "a label of calls that are blocked in part, and clears of the label that a rule asks for",
      policy: `version: 1
policy: example
labels: { pushed: { kind: mark }, untrusted: { kind: taint }, private: { kind: taint } }
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    action: { label: { add: [pushed] } }
  - id: no-releases
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { glob: release/** } }
    action: block
    reason: releases are pushed by the pipeline
    examples: { match: [git push origin release/1], no_match: [git push origin a] }
  - id: asked
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
  - id: fetched
    event: tool_call
    tool: fetch
    action: { label: { add: [untrusted, private] } }
  - id: no-pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { session.labels: { contains: pushed } }
    unless: { p.remote: mirror }
    action: block
    reason: one push is enough
    examples: { no_match: [ls] }
  - id: sends
    event: tool_call
    each: { n: effects.network }
    when: { session.labels: { contains: untrusted } }
    action: { ask: { clears: [untrusted, private] } }
    reason: it follows a page of the web
  - id: installs
    event: tool_call
    each: { i: effects.installs }
    unless: { session.labels: { contains: untrusted } }
    action: { ask: { clears: [private] } }
    reason: packages run code
  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    when: { session.labels: { contains_any: [private, untrusted] } }
    action: { ask: { clears: [private] } }
    reason: it follows a page of the web
`,
    },
    {
      title: "a program in the background, and one that decides",
      policy: `  - id: log
    event: tool_call
    tool: bash
    action: { run: { command: [/usr/local/bin/log-call], timeout: 5s, background: true } }
  - id: scan
    event: tool_call
    tool: bash
    action: { run: { command: [/usr/local/bin/scan-call], protocol: exit_code, background: false } }
`,
    },
    {
      title: "actions that go together",
      policy: `version: 1
policy: example
labels: { forced: { kind: mark } }
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { all: [{ p.forced: true }, { not: { session.labels: { contains: forced } } }] }
    action:
      - block
      - notify: { message: "a forced push", when_blocked: true }
      - label: { add: [forced], when_blocked: true }
      - record: { fields: { remote: "{p.remote}" } }
    reason: history may be overwritten
  - id: installs
    event: tool_call
    tool: bash
    when: { args.background: true }
    action: [ask, { modify: { set: { background: false } } }, { notify: { message: "not in the background" } }]
    reason: nobody sees its output
`,
    },
  ],
  besideErrors: true,
  rule(rule) {
    const { actions } = rule.draft;
    return [
      ...actions.flatMap((action, i) => idleBeside(action, i, rule)),
      ...setTwice(actions),
      ...idleClears(rule),
      ...idleInBackground(rule),
      ...idleReason(rule),
      ...idleReplacements(rule),
      ...idleChanges(rule),
      ...misplacedKeys(rule),
    ];
  },
  set: blockedActions,
};

type Said = Pick<Finding, "message" | "help" | "fix">;

function idleBeside(action: ActionDraft, index: number, rule: LintedRule): readonly Finding[] {
  const others = rule.draft.actions.filter((_, i) => i !== index);
  const has = (name: string): boolean => others.some((other) => other.name === name);
  const said = has("block") ? besideBlock(action, rule) : has("ask") ? besideAsk(action, rule) : undefined;
  const again = said ?? asked(action, index, rule) ?? truncated(action, rule);
  return again ? [{ span: action.span, ...again }] : [];
}

function besideBlock(action: ActionDraft, { draft, policy }: LintedRule): Said | undefined {
  const { name, parameters } = action;
  const idle = (why: string, help: string): Said => ({
    message: `\`${name}\` has no effect beside \`block\`: ${why}`,
    help,
  });
  switch (name) {
    case "ask":
      return idle("what is blocked is asked of nobody", "keep the one that is meant");
    case "allow":
      return idle("an allow never beats a block", "keep the one that is meant");
    case "modify":
      return idle("a call that is blocked is not changed", "change the call without `block`, or block it alone");
    case "inject":
      return idle("a call that is blocked delivers nothing", "write what the model should know as `guidance`");
    case "redact":
      // A call that may match is asked about, and then the redaction counts; what a human types is known.
      return draft.events.every((event) => event === "input") && !isSet(parameters, "before_guards")
        ? idle("what is blocked reaches nobody", "redact without `block`, or block alone")
        : undefined;
    case "label":
    case "notify": {
      if (isSet(parameters, "when_blocked")) return undefined;
      const what = name === "label" ? "a blocked call sets no label" : "nobody is told of a blocked call";
      const fix = whenBlocked(action, policy);
      return { ...idle(what, `write \`${name}: { when_blocked: true, … }\``), ...(fix && { fix }) };
    }
    default:
      return undefined;
  }
}

function besideAsk({ name }: ActionDraft, _rule: LintedRule): Said | undefined {
  if (name !== "allow") return undefined;
  return {
    message: "`allow` has no effect beside `ask`: an allow never answers a question",
    help: "keep the one that is meant, or write two rules with conditions of their own",
  };
}

/** A second question of one rule, which nobody sees. */
function asked({ name }: ActionDraft, index: number, { draft }: LintedRule): Said | undefined {
  if (name !== "ask" || !draft.actions.slice(0, index).some((other) => other.name === name && other.parameters))
    return undefined;
  return { message: "only the first `ask` of a rule is asked", help: "write one `ask` with the whole question" };
}

/** A bound on the same texts that a smaller one leaves without effect. */
function truncated(action: ActionDraft, { draft }: LintedRule): Said | undefined {
  const own = boundOf(action);
  const less =
    own === undefined ? undefined : draft.actions.map(boundOf).find((bound) => bound !== undefined && bound < own);
  if (less === undefined) return undefined;
  return { message: `\`truncate\` to ${own} has no effect beside one to ${less}`, help: "keep the one that is meant" };
}

function boundOf({ name, parameters }: ActionDraft): number | undefined {
  const [only, ...more] = name === "truncate" ? (parameters?.entries ?? []) : [];
  const value = only?.key === "max_chars" && more.length === 0 ? toValue(only.value) : undefined;
  return typeof value === "number" ? value : undefined;
}

/** Finds keys that the changes of one rule set to several values, or set and take out. */
function setTwice(actions: readonly ActionDraft[]): readonly Finding[] {
  const changes = actions.filter(({ name }) => name === "modify");
  const unset = new Set(
    changes.flatMap(({ parameters }) => strings(child(parameters, "unset")).map(({ value }) => value)),
  );
  const values = new Map<string, string>();
  return changes.flatMap(entriesSet).flatMap(({ key, keySpan, value }): Finding[] => {
    const now = JSON.stringify(toValue(value));
    const before = values.get(key);
    values.set(key, now);
    if (unset.has(key))
      return [
        { span: keySpan, message: `\`${key}\` is set and taken out at once`, help: "keep the one that is meant" },
      ];
    if (before === undefined || before === now) return [];
    const help = "keep the value that is meant, or write two rules with conditions of their own";
    return [{ span: keySpan, message: `this rule sets \`${key}\` to two values`, help }];
  });
}

function entriesSet({ parameters }: ActionDraft): readonly YamlEntry[] {
  const set = child(parameters, "set");
  return set?.kind === "map" ? set.entries : [];
}

function isSet(parameters: YamlMap | undefined, name: string): boolean {
  const node = child(parameters, name);
  return node !== undefined && toValue(node) !== false;
}
