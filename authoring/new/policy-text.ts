import { ruleLines, titleOf } from "./rule-kinds.ts";

/** Input of a new policy. */
export interface NewPolicy {
  readonly id: string;
  /** Imported packs. */
  readonly packs: readonly string[];
  readonly rule: { readonly id: string; readonly kind: "file" | "command" };
  /** Paths of the schemas for editors, from the folder of the files. */
  readonly schemas: { readonly policy: string; readonly suite: string };
}

/** Returns the first line of a YAML file, which names its schema for the YAML language server. */
export function modeline(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}

/** Returns the text of a policy with one rule, which loads and passes all lints. */
export function policyText({ id, packs, rule, schemas }: NewPolicy): string {
  const imports = packs.length === 0 ? [] : ["imports:", ...packs.map((pack) => `  - pack: ${pack}`), ""];
  return [
    modeline(schemas.policy),
    "version: 1",
    `policy: ${id}`,
    `title: ${titleOf(id)}`,
    "",
    ...imports,
    "rules:",
    `  # A rule to begin with: change it, and add others with \`hookwarden new rule <id>\`.`,
    ...ruleLines(rule.id, rule.kind, 2),
    "",
  ].join("\n");
}

/** Calls that the rule of a new policy decides, and calls that it does not, with their expectations. */
const suiteCases = {
  file: {
    name: "a generated file is not changed by hand",
    match: 'tool: write, args: { path: package-lock.json, content: "{}" }',
    outcome: "block",
    other: "other files may be changed",
    no_match: "tool: write, args: { path: src/index.ts, content: x }",
  },
  command: {
    name: "a human is asked before infrastructure changes",
    match: "tool: bash, args: { command: terraform apply }",
    outcome: "ask",
    other: "a plan may be made",
    no_match: "tool: bash, args: { command: terraform plan }",
  },
} as const;

/** Returns the text of a suite beside that policy, with a case that its rule decides and one that no rule does. */
export function suiteText({ id, rule, schemas }: NewPolicy, policyFile: string): string {
  const { name, match, outcome, other, no_match } = suiteCases[rule.kind];
  return [
    modeline(schemas.suite),
    `suite: ${id}`,
    `policies: [${policyFile}]`,
    "cases:",
    `  - name: ${name}`,
    "    events:",
    `      - { event: tool_call, ${match}, expect: { outcome: ${outcome}, rule: ${id}/${rule.id} } }`,
    `  - name: ${other}`,
    "    events:",
    `      - { event: tool_call, ${no_match}, expect: { outcome: allow } }`,
    "",
  ].join("\n");
}

/** Converts the name of a folder to an id: `My App 2` becomes `my-app-2`; `policy` if nothing in it is usable. */
export function idOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const first = words.findIndex((word) => /^[a-z]/.test(word));
  const id = first < 0 ? "" : words.slice(first).join("-").slice(0, 60).replace(/-+$/, "");
  return id === "" ? "policy" : id;
}
