import { checkPolicy } from "../../../compiler/check-policy.ts";
import { makePlan } from "../../../compiler/plan.ts";
import type { PolicyFile } from "../../../compiler/policy-draft.ts";
import { resolvePolicies, sourceDigest } from "../../../compiler/resolve.ts";
import { digest } from "../../../engine/canonical.ts";
import { dispatch } from "../../../engine/dispatch.ts";
import { EventTrees } from "../../../engine/event-trees.ts";
import { needsOf } from "../../../engine/index-keys.ts";
import { linkPlan } from "../../../engine/link-plan.ts";
import { normalise } from "../../../engine/normalise.ts";
import type { Plan } from "../../../engine/plan.ts";
import { SessionState } from "../../../engine/session-state.ts";
import type { TransformPorts } from "../../../engine/transform.ts";
import { facts } from "../../../facts/facts.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine, vocabularyFor } from "../../../runtime.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { policyFile } from "../../literate/policies.ts";
import { celContext, expression, type MixEvent, type MixRule } from "./mix.ts";
import type { Decider, Peer } from "./peer.ts";

const regex = createRegexEngine();

/** A plan of rules alone, without the built-in policy: no other engine here brings one. */
export function ownPlan(rules: readonly string[]): Plan {
  const { policies, diagnostics } = resolvePolicies({ files: policyFiles(rules) });
  const checked = policies.map((policy) => checkPolicy(policy, policies, regex));
  const found = [...diagnostics, ...checked.flatMap((one) => one.diagnostics)].filter((d) => d.severity === "error");
  if (found.length > 0) throw new Error(found.map(({ message }) => message).join("\n"));
  const typed = checked.map((one) => ({ ...one, digest: sourceDigest(one.resolved.draft.file.bytes) }));
  return makePlan(typed, { digest, tables: facts.versions });
}

/** A rule of a policy file. */
export function ruleLine(id: string, condition: string): string {
  return `  - { id: ${id}, event: tool_call, tool: bash, when: ${JSON.stringify(condition)}, action: block, reason: ${id} }\n`;
}

/** The rules of a mix, as they stand in policy files. */
export function ruleLines(rules: readonly MixRule[]): readonly string[] {
  return rules.map((rule) => ruleLine(rule.id, expression(rule)));
}

/** Rules of one file: more would make it larger than a policy may be. */
const rulesOfFile = 2_000;

/** Policies of rules, as many files as are needed. A call that is not understood passes: that question is ours alone. */
export function policyFiles(rules: readonly string[]): readonly PolicyFile[] {
  const files: PolicyFile[] = [];
  for (let from = 0; from < Math.max(1, rules.length); from += rulesOfFile) {
    const own = rules.slice(from, from + rulesOfFile);
    const head = `version: 1\npolicy: p${files.length}\nunknown: allow\nrules:${own.length === 0 ? " []" : ""}\n`;
    files.push(policyFile(head + own.join(""), `p${files.length}.yaml`));
  }
  return files;
}

/** The rules that the index must have judged on every call that their event and tool fit. */
export function unindexed(plan: Plan): readonly string[] {
  const condition = (name: string) => (Object.hasOwn(plan.conditions, name) ? plan.conditions[name] : undefined);
  return plan.rules.filter((rule) => needsOf(rule, { regex, condition }).needs.length === 0).map(({ id }) => id);
}

/** Finding the rules, judging them, combining: what the other engines do, without event digest and audit record. */
export function dispatching(plan: Plan, index = true): Decider {
  const linked = linkPlan(plan, vocabularyFor(regex), regex, { index });
  if (linked instanceof EvaluationError) throw linked;
  const files = hermeticFiles(undefined);
  const ports: TransformPorts = {
    factsOf: (revision) => facts.of(revision, files),
    mask: (text) => text,
    once: () => true,
    boundary: "",
    pseudonym: () => undefined,
    answers: new Map(),
    trees: new EventTrees(),
  };
  return {
    for(event) {
      const normalised = normalise(wireEvent(event));
      if ("code" in normalised) throw new Error(normalised.message);
      const judged = normalised.event;
      const session = new SessionState().view(judged);
      return () => {
        const view = { event: judged, facts: facts.of(judged, files), files, regex, session };
        return dispatch(linked, [view], ports).combined.outcome === "block" ? "block" : "allow";
      };
    },
  };
}

/** All that an event costs: copied and checked, judged, decision and audit record with their digests; nothing written. */
export function deciding(plan: Plan): Decider {
  const engine = createEngine(plan, { regex });
  return {
    for(event) {
      const wire = wireEvent(event);
      return () => (engine.decide(wire).decision.outcome === "block" ? "block" : "allow");
    },
  };
}

function wireEvent(event: MixEvent): object {
  const { tool, args, environment } = celContext(event);
  return { event: "tool_call", id: "e1", tool, args, environment, session: { id: "s" } };
}

export const hookwarden: Peer = {
  name: "hookwarden",
  load: (rules) => dispatching(ownPlan(ruleLines(rules))),
};

export const hookwardenWhole: Peer = {
  name: "hookwarden, with digests and record",
  load: (rules) => deciding(ownPlan(ruleLines(rules))),
};

export const hookwardenWithoutIndex: Peer = {
  name: "hookwarden without index",
  load: (rules) => dispatching(ownPlan(ruleLines(rules)), false),
};
