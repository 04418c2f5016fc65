import { readYaml } from "../../compiler/read.ts";
import { child, toValue, type YamlNode } from "../../compiler/yaml-node.ts";
import type { Span } from "../../diagnostics/source.ts";
import type { Fallback, Plan } from "../../engine/plan.ts";
import type { Mutant } from "./mutant.ts";
import { listOf, type SuiteFile } from "./suite-file.ts";
import { TestedPolicies } from "./tested-policies.ts";

type Policy = SuiteFile["policies"][number];

/**
 * Returns mutants of a policy's settings beside its rules: the outcomes of calls that no rule answers, and its imports with
 * their values and overrides. A parameter's default is broken where it is used, as the list or constant that it becomes.
 */
export function fileMutants(file: SuiteFile): Mutant[] {
  return file.policies.flatMap((policy) => {
    const { root } = readYaml(policy.file.name, policy.file.bytes);
    return [...settingMutants(policy, root, file), ...importMutants(policy, root, file)];
  });
}

/** Replacements of an outcome: the next weaker and the next stricter one. */
const otherOutcomes: Readonly<Record<Fallback, readonly Fallback[]>> = {
  allow: ["ask"],
  ask: ["allow", "block"],
  block: ["ask"],
};

function settingMutants(policy: Policy, root: YamlNode | undefined, file: SuiteFile): Mutant[] {
  const tested = new TestedPolicies(file);
  return (["default", "unknown"] as const).flatMap((key) => {
    const node = child(root, key);
    if (node?.kind !== "scalar") return [];
    return otherOutcomes[String(node.value) as Fallback].map((outcome) => {
      const policies = file.plan.policies.map((one, i) =>
        tested.ofPolicy(i) === policy.source ? { ...one, [key]: outcome } : one,
      );
      return mutant(policy, node.span, `change \`${key}\``, outcome, { ...file.plan, policies });
    });
  });
}

function importMutants(policy: Policy, root: YamlNode | undefined, file: SuiteFile): Mutant[] {
  const imports = child(root, "imports");
  const items = listOf(imports);
  if (!imports) return [];
  const without = (drop: (value: Import) => Import | undefined, at: number): Plan | undefined => {
    const left = items.flatMap((item, i) => {
      const value = toValue(item) as Import;
      const kept = i === at ? drop(value) : value;
      return kept === undefined ? [] : [kept];
    });
    return file.planWith(policy, replaced(policy, imports.span, left));
  };
  return items.flatMap((item, at) => {
    const make = (node: YamlNode, operator: string, drop: (value: Import) => Import | undefined): Mutant[] => {
      const plan = without(drop, at);
      return plan ? [mutant(policy, node.span, operator, "(removed)", plan)] : [];
    };
    const given = child(item, "with");
    return [
      ...make(item, "drop an import", () => undefined),
      ...(given?.kind === "map" ? given.entries : []).flatMap(({ key, value }) =>
        make(value, "drop a value given to an import", (one) => ({ ...one, with: lacking(one.with ?? {}, key) })),
      ),
      ...listOf(child(item, "overrides")).flatMap((node, index) =>
        make(node, "drop an override", (one) => ({
          ...one,
          overrides: (one.overrides ?? []).filter((_, i) => i !== index),
        })),
      ),
    ];
  });
}

interface Import {
  readonly with?: Readonly<Record<string, unknown>>;
  readonly overrides?: readonly unknown[];
}

function lacking(values: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
}

/** Returns the text with another list in place of a node, written in JSON, which YAML accepts anywhere. */
function replaced({ source, file }: Policy, span: Span, list: readonly unknown[]): Uint8Array {
  const { text } = source;
  const bom = file.bytes[0] === 0xef && !text.startsWith("\ufeff") ? "\ufeff" : "";
  const made = `${text.slice(0, span.start)} ${JSON.stringify(list)}${lineEnd(text.slice(0, span.end))}${text.slice(span.end)}`;
  return new TextEncoder().encode(bom + made);
}

/** Returns the line end of a block list, which the text after it still needs. */
function lineEnd(text: string): string {
  return text.endsWith("\n") ? "\n" : "";
}

function mutant({ source }: Policy, span: Span, operator: string, after: string, plan: Plan): Mutant {
  const before = source.text.slice(span.start, span.end);
  return { operator, of: "policy", source: source.name, span, before, after, plan };
}
