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

/** True if a word of a condition is another spelling of some name. Only then is it worth while to compile the policy. */
export function mayHoldAlias(draft: PolicyDraft): boolean {
  const { text } = draft.source;
  const conditions = spansOf(draft).map(({ start, end }) => text.slice(start, end));
  const words = new Set(conditions.flatMap((condition) => condition.match(/[A-Za-z][\w-]*/g) ?? []));
  return [...words].some(isAlias) || conditions.some((condition) => /mac os/i.test(condition));
}

/** Where conditions stand, and what a sequence begins with. */
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
 * Other spellings of hosts, systems, tools and the like become the names that facts have: in conditions of both spellings, and
 * in sequences. Which texts are compared with such names says the compiler (HW602). A policy with an error keeps all of them.
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
