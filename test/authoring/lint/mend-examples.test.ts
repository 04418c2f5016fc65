import { describe, expect, it } from "vitest";
import { runExamples } from "../../../authoring/examples.ts";
import { type Checked, mendPolicies } from "../../../authoring/lint/mend.ts";
import { compile } from "../../../compiler/compile.ts";
import { type BadExample, type Lint, wholeText } from "../../../compiler/lint/lint.ts";
import { lints } from "../../../compiler/lint/registry.generated.ts";
import { lintPolicies } from "../../../compiler/lint/run.ts";
import type { PolicyFile } from "../../../compiler/policy-draft.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { policyFile } from "../../literate/policies.ts";

const regex = createRegexEngine();
const now = Date.UTC(2026, 5, 15);

/** A check with one lint. */
function checkOf(lint: Lint, others: readonly PolicyFile[]): (files: readonly PolicyFile[]) => Checked {
  return (files) => {
    const known = new Map([...files, ...others].map((file) => [file.name, file]));
    const result = compile({ files, resolveImport: ({ file, pack }) => known.get(file ?? `${pack}.yaml`) });
    const found = lintPolicies(result, { regex, now, lints: [lint] });
    return { result, diagnostics: [...result.diagnostics, ...runExamples(result), ...found] };
  };
}

const mended = lints.flatMap((lint) =>
  lint.bad
    .filter(({ fixed }) => fixed !== undefined)
    .map((bad): [string, string, Lint, BadExample] => [lint.name, bad.title, lint, bad]),
);

describe("check --fix keeps the promises of every lint", () => {
  it.each(mended)("%s: %s", (_name, _title, lint, { policy, others = {}, fixed = "" }) => {
    const beside = Object.entries(others).map(([name, text]) => policyFile(text, name));
    const { changed } = mendPolicies([policyFile(wholeText(policy))], checkOf(lint, beside), () => true);
    expect(changed.map(({ output }) => output)).toEqual([wholeText(fixed)]);
  });
});
