import type { Attempt } from "../../../engine/explain.ts";
import type { ExplainedNode } from "../../../engine/explain-node.ts";
import { standingOf } from "../../../engine/explain-standing.ts";
import { jsonLine } from "../json.ts";
import { type ExplanationReport, sourceOf } from "./texts.ts";

/** Returns the explanation for programs: one object on one line. Nodes have their source text and its place. */
export function jsonExplanation(report: ExplanationReport): string {
  const { explanation, decision, plan } = report;
  const { facts, event, readings, declared, further, uncovered } = explanation;
  const { understanding, doubts, shell, effects, secrets, text } = facts;
  const rules = explanation.rules.map((rule) => ({
    ...rule,
    standing: standingOf(rule, decision),
    attempts: rule.attempts.map((attempt) => jsonAttempt(attempt, plan.policies[rule.policy]?.id ?? "", report)),
  }));
  return jsonLine({
    event,
    readings,
    facts: { understanding, doubts, shell, effects, secrets, text },
    rules,
    ...(declared && { declared }),
    ...(further && { further }),
    ...(uncovered && { uncovered }),
    decision,
  });
}

function jsonAttempt(attempt: Attempt, policy: string, report: ExplanationReport): object {
  const node = (n: ExplainedNode | undefined): object | undefined => n && jsonNode(n, policy, report);
  return {
    ...attempt,
    when: node(attempt.when),
    unless: node(attempt.unless),
    exceptions: attempt.exceptions.map((e) => ({ ...e, when: node(e.when) })),
  };
}

/** Returns a node for programs, with its place and text in the file of its policy. */
export function jsonNode(node: ExplainedNode, policy: string, report: ExplanationReport): object {
  const own = node.policy ?? policy;
  const source = sourceOf(own, report);
  const place =
    node.at && source
      ? {
          source: source.name,
          from: source.position(node.at[0]),
          to: source.position(node.at[1]),
          text: source.text.slice(...node.at),
        }
      : {};
  return {
    kind: node.kind,
    label: node.label,
    result: node.result,
    ...place,
    parts: node.parts.map((part) => jsonNode(part, own, report)),
  };
}
