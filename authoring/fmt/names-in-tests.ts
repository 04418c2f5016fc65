import type { CompileResult } from "../../compiler/compile.ts";
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

/** True if a word of a text is another spelling of some name. Only then is it worth while to compile the policy. */
export function mayHoldAlias(text: string): boolean {
  const words = new Set(text.match(/[A-Za-z][\w-]*/g));
  for (const word of words) if (isAlias(word)) return true;
  return /mac os/i.test(text);
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
