import type { EventName } from "../../../schema/events.ts";
import type { ActionDraft } from "../../policy-draft.ts";
import { child, strings } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";

/** Lint: all secrets are redacted before the guards judge, although a guard tests for secrets. */
export const redactBeforeGuards: Lint = {
  code: "HW643",
  name: "redact-before-guards",
  why: "With `before_guards` the guards judge what is left after redacting. A rule that blocks a call because it holds a secret finds none, and the call runs with a placeholder in it.",
  advice:
    "Leave `before_guards` out: guards then judge the call as it came and once more as redacted, and the stricter answer holds.",
  bad: [
    {
      title: "secrets gone before the rule about secrets",
      at: ["before_guards"],
      policy: `  - id: no-secrets
    event: tool_call
    tool: fetch
    when: { some: { secrets: { confidence: high } } }
    action: block
    reason: the call holds a secret
  - id: hide
    event: tool_call
    action: { redact: { detectors: ["secrets/*"], before_guards: true } }
`,
    },
  ],
  good: [
    {
      title: "redacted after the guards, or on another event",
      policy: `  - id: no-secrets
    event: tool_call
    tool: fetch
    when: { some: { secrets: { confidence: high } } }
    action: block
    reason: the call holds a secret
  - id: hide
    event: tool_call
    action: { redact: { detectors: ["secrets/*"] } }
  - id: hide-input
    event: input
    action: { redact: { detectors: ["secrets/*"], before_guards: true } }
`,
    },
  ],
  set({ policies }) {
    const rules = policies.flatMap((policy) => policy.rules);
    const guards = new Map<EventName, LintedRule>();
    for (const rule of rules)
      if (rule.guards && asksForSecrets(rule))
        for (const event of rule.draft.events) if (!guards.has(event)) guards.set(event, rule);
    return rules.flatMap((rule) => {
      const hidden = rule.draft.events.map((event) => guards.get(event)).find((guard) => guard !== undefined);
      const place = hidden && isForAll(rule) ? rule.draft.actions.map(hidesFirst).find((entry) => entry) : undefined;
      if (!hidden || !place) return [];
      return [
        {
          policy: rule.policy,
          span: place.keySpan,
          message: `with \`before_guards\` the secrets are gone before rule \`${hidden.draft.id}\` tests for them`,
          help: "leave `before_guards` out; guards then judge both the call as it came and as redacted",
          related: [{ message: "tests for secrets", source: hidden.policy.source.name, span: hidden.draft.span }],
        },
      ];
    });
  },
};

function asksForSecrets({ typed }: LintedRule): boolean {
  if (typed?.mode !== "enforce") return false;
  return JSON.stringify([typed.each?.list, typed.when]).includes('{"k":"root","name":"secrets"');
}

/** True for a rule that applies to every event of its kind, so that the guard finds no secret. */
function isForAll({ typed }: LintedRule): boolean {
  if (typed?.mode !== "enforce" || typed.tools.length > 0 || typed.exceptions.length > 0) return false;
  return !typed.each && !typed.when && !typed.unless && !typed.sequence && !typed.budget;
}

/** Finds the entry `before_guards: true` of an action that redacts all secrets everywhere. */
function hidesFirst({ name, parameters }: ActionDraft) {
  if (name !== "redact" || !parameters || child(parameters, "fields")) return undefined;
  const all = strings(child(parameters, "detectors")).some(({ value }) => value === "secrets/*" || value === "*");
  const place = parameters.entries.find(({ key }) => key === "before_guards");
  return all && place?.value.kind === "scalar" && place.value.value === true ? place : undefined;
}
