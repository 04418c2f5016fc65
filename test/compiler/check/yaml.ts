import { type Checked, type CheckOptions, checkCondition } from "../../../compiler/check/check.ts";
import { parseCondition } from "../../../compiler/parse/condition.ts";
import { readYaml } from "../../../compiler/read.ts";
import type { Environment } from "../../../rules/environment.ts";
import { anyTool, regex } from "../../rules/evaluate.ts";

/** Checks a YAML condition; names behind `$` are those that the environment declares. */
export function checkYaml(
  text: string,
  environment: Environment = anyTool,
  options: Partial<CheckOptions> = {},
): Checked {
  const { source, root, diagnostics } = readYaml("test", new TextEncoder().encode(text));
  if (!root)
    return {
      ir: undefined,
      seen: { k: "const", value: null },
      type: { kind: "error" },
      diagnostics,
      needs: false,
      uses: [],
    };
  const names = {
    parameters: new Set(environment.parameters.keys()),
    lists: new Set(environment.lists.keys()),
    conditions: new Set(environment.conditions.keys()),
  };
  const parsed = parseCondition(source, root, names);
  const checked = checkCondition(parsed.expression, environment, { source, polarity: "block", regex, ...options });
  return { ...checked, diagnostics: [...parsed.diagnostics, ...checked.diagnostics] };
}
