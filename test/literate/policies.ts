import { runExamples } from "../../authoring/examples.ts";
import { type CompileResult, compile } from "../../compiler/compile.ts";
import type { PolicyFile } from "../../compiler/policy-draft.ts";
import { sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../../diagnostics/render.ts";

const encoder = new TextEncoder();

/** A policy file of a test, from its text. */
export function policyFile(text: string, name = "policy.yaml"): PolicyFile {
  return { name, path: `/policies/${name}`, bytes: encoder.encode(text) };
}

/** Compiles policy texts as one set; the first is given, the others can be imported by name. */
export function compileTexts(
  texts: Readonly<Record<string, string>>,
  set?: Readonly<Record<string, string>>,
): CompileResult {
  const files = new Map(Object.entries(texts).map(([name, text]) => [name, policyFile(text, name)]));
  const [first] = files.values();
  if (!first) throw new Error("a test needs a policy");
  return compile({
    files: [first],
    ...(set && { set }),
    resolveImport: ({ file, pack }) => files.get((file ?? `${pack}.yaml`).replace(/^\.\//, "")),
  });
}

/** Everything that checking a policy says, examples included, as a terminal would show it without colours. */
export function rendered(result: CompileResult): string {
  const found = result.plan ? [...result.diagnostics, ...runExamples(result)] : result.diagnostics;
  return sortDiagnostics(found)
    .map((d) => `${renderDiagnostic(d, result.sources)}\n`)
    .join("\n");
}

/** A policy head for texts that hold rules only. */
export function withHead(text: string): string {
  return /^version:/m.test(text) ? text : `version: 1\npolicy: p\n${/^rules:/m.test(text) ? "" : "rules:\n"}${text}`;
}
