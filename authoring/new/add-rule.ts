import { type CompileRequest, compile } from "../../compiler/compile.ts";
import type { PolicyFile } from "../../compiler/policy-draft.ts";
import { entry, type YamlNode } from "../../compiler/yaml-node.ts";
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import { isFlow, lineEnd, openDocument, type PolicyDocument } from "../fmt/document.ts";
import { applyEdits, type Edit } from "../fmt/edits.ts";
import { draftText } from "../fmt/same-plan.ts";
import { type RuleKindName, ruleLines } from "./rule-kinds.ts";

/** A policy file with one more rule; or why it was left unchanged. */
export type Added =
  | { readonly text: string }
  | { readonly problem: string; readonly help: string }
  | { readonly diagnostics: readonly Diagnostic[]; readonly sources: ReadonlyMap<string, Source> };

/**
 * Adds a rule of a kind after the last rule of a policy, as a text edit: every other byte stays. The file must be free of
 * errors. The result is compiled: it must hold the former rules and the new one, or nothing is returned. Pure.
 */
export function addRule(
  file: PolicyFile,
  id: string,
  kind: RuleKindName,
  ports: Pick<CompileRequest, "resolveImport" | "importProblem"> = {},
): Added {
  const before = compile({ files: [file], ...ports });
  if (hasErrors(before.diagnostics)) return { diagnostics: before.diagnostics, sources: before.sources };
  const policy = before.stages.resolved.find(({ draft }) => draft.file.path === file.path);
  const document = openDocument(file.name, new TextDecoder("utf-8").decode(file.bytes));
  if (!policy || !document) return byHand;
  const full = `${policy.draft.id}/${id}`;
  if (policy.draft.rules.some((rule) => rule.id === full))
    return { problem: `there is a rule \`${full}\` already`, help: "choose another id" };
  const edit = placeOf(document, id, kind);
  if (!edit) return byHand;
  const mark = file.bytes[0] === 0xef && file.bytes[1] === 0xbb ? "\ufeff" : "";
  const text = mark + applyEdits(document.text, [edit]);
  const after = compile({ files: [{ ...file, bytes: new TextEncoder().encode(text) }], ...ports });
  const changed = after.stages.resolved.find(({ draft }) => draft.file.path === file.path);
  const rules = changed?.draft.rules ?? [];
  const kept = changed && draftText({ ...changed.draft, rules: rules.slice(0, -1) }) === draftText(policy.draft);
  if (hasErrors(after.diagnostics) || !kept || rules.at(-1)?.id !== full) return byHand;
  return { text };
}

const byHand: Added = {
  problem: "the rules of this file stand in a form that no rule can be added to",
  help: "write them as a list with one dash a rule; the file was left as it is",
};

/** Returns the edit after the last token of the rules, or in place of an empty list. */
function placeOf(document: PolicyDocument, id: string, kind: RuleKindName): Edit | undefined {
  const rules = entry(document.root, "rules");
  if (rules?.value.kind !== "list") return undefined;
  const { text, newline } = document;
  const last = rules.value.items.at(-1);
  if (!last) {
    const lines = ruleLines(id, kind, 2);
    return { span: { start: rules.keySpan.end + 1, end: rules.value.span.end }, text: newline + lines.join(newline) };
  }
  if (isFlow(document, rules.value)) return undefined;
  const first = rules.value.items[0] as YamlNode;
  const dash = text.lastIndexOf("-", first.span.start - 1);
  const column = dash - (text.lastIndexOf("\n", dash) + 1);
  const trimmed = text.slice(0, last.span.end).trimEnd().length;
  const at = lineEnd(text, trimmed);
  return {
    span: { start: at, end: at },
    text: `${newline}${newline}${ruleLines(id, kind, column).join(newline)}${at === text.length ? newline : ""}`,
  };
}
