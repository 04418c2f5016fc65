import type { CompileResult } from "../../compiler/compile.ts";
import type { PolicyDraft } from "../../compiler/policy-draft.ts";
import type { Span } from "../../diagnostics/source.ts";
import {
  detectorTable,
  hostTable,
  managerTable,
  sourceTable,
  systemTable,
  toolTable,
} from "../../rules/name-tables.ts";
import { canonicalEvent } from "../../schema/events.ts";
import { isShared, type PolicyDocument } from "./document.ts";
import type { Edit } from "./edits.ts";

const tables = [hostTable, systemTable, toolTable, managerTable, detectorTable, sourceTable];

/** True if a word of a condition is another spelling of some name. Only then is it worthwhile to compile the policy. */
export function mayHoldAlias(draft: PolicyDraft): boolean {
  const { text } = draft.source;
  const conditions = spansOf(draft).map(({ start, end }) => text.slice(start, end));
  const words = new Set(conditions.flatMap((condition) => condition.match(/[A-Za-z][\w-]*/g) ?? []));
  return [...words].some(isAlias) || conditions.some((condition) => /mac os/i.test(condition));
}

/** Returns the spans of conditions, and of the first parts of sequences. */
function spansOf({ rules, exceptions, conditions }: PolicyDraft): readonly Span[] {
  const ofRules = rules.flatMap(({ each, when, unless, sequence, budget, actions }) => [
    each?.list.span,
    when?.span,
    unless?.span,
    sequence?.span,
    budget?.span,
    ...actions.map(({ parameters }) => parameters?.span),
  ]);
  const others = [
    ...exceptions.map(({ when }) => when?.span),
    ...[...conditions.values()].map(({ expression }) => expression.span),
  ];
  return [...ofRules, ...others].filter((span) => span !== undefined);
}

function isAlias(word: string): boolean {
  return (canonicalEvent(word) ?? word) !== word || tables.some((table) => table.canonical(word) !== word);
}

/**
 * Replaces other spellings of hosts, systems, tools and the like by the names in facts: in conditions of both spellings, and
 * in sequences. The compiler tells which texts are compared with such names (HW602). A policy with an error keeps all of
 * them.
 */
export function canonicaliseTests(
  document: PolicyDocument,
  file: string,
  { plan, diagnostics }: Pick<CompileResult, "plan" | "diagnostics">,
): Edit[] {
  if (!plan) return [];
  const fixes = diagnostics.flatMap(({ code, source, fix }) =>
    code === "HW602" && source === file && fix ? [fix] : [],
  );
  return fixes.flatMap(({ edits }) => edits).filter(({ span }) => !isShared(document, span));
}
