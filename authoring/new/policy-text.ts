import { ruleLines, titleOf } from "./rule-kinds.ts";

/** What a new policy is made of. */
export interface NewPolicy {
  readonly id: string;
  /** Packs that it imports. */
  readonly packs: readonly string[];
  readonly rule: { readonly id: string; readonly kind: "file" | "command" };
  /** Where an editor finds the schemas, from the folder of the files. */
  readonly schemas: { readonly policy: string; readonly suite: string };
}

/** First line of a YAML file by which editors with the YAML language server know its schema. */
export function modeline(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}

/** The text of a policy with one rule, which loads and of which no lint says anything. */
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

/** Calls that the rule of a new policy decides, and that it does not, with what is expected of them. */
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

/** The text of a suite beside that policy, with a case that its rule decides and one that no rule does. */
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

/** The name of a folder as an id: `My App 2` becomes `my-app-2`; `policy` where nothing of it can be one. */
export function idOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const first = words.findIndex((word) => /^[a-z]/.test(word));
  const id = first < 0 ? "" : words.slice(first).join("-").slice(0, 60).replace(/-+$/, "");
  return id === "" ? "policy" : id;
}
