import type { Source } from "../diagnostics/source.ts";
import type { Expression } from "../rules/ast.ts";
import type { RuleDraft } from "./policy-draft.ts";

/**
 * Returns help for an example of a rule that no first event of a session matches: how to write the earlier events. Undefined
 * for a rule that has no budget and no sequence, and does not ask for what the session has seen.
 */
export function earlierEventsHelp(
  { budget, sequence, when }: Pick<RuleDraft, "budget" | "sequence" | "when">,
  source: Source,
): string | undefined {
  if (budget && !budget.of && !sequence && budget.limit < mostCopies)
    return `its budget lets ${budget.limit} pass: write \`repeat: ${budget.limit + 1}\` in the event`;
  if (budget || sequence || mentionsSession(when, source))
    return "the rule asks what came before: write a list of events, `[{ … }, { … }]`, of which the last is judged";
  return undefined;
}

/** Maximum `repeat` of an event. */
const mostCopies = 10_000;

function mentionsSession(when: Expression | undefined, { text }: Source): boolean {
  return when !== undefined && /\bsession\.(?:labels|calls)\b/.test(text.slice(when.span.start, when.span.end));
}
