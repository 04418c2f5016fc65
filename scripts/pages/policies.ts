import { readFileSync } from "node:fs";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** The parts of the schema of policies that the page shows. */
interface Shape {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: number | string;
  readonly $ref?: string;
  readonly items?: Shape;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: boolean | Shape;
  readonly definitions?: Readonly<Record<string, Shape>>;
}

/** Examples of the parts of a policy, by their name in the schema; a test loads them. */
export const examples = {
  Rule: "- { id: no-push, event: tool_call, each: { p: effects.pushes }, action: block, reason: ask a human }",
  Examples: "examples: { match: [git push], no_match: [git pull] }",
  Sequence: "sequence: { after: [{ tool: fetch }], within: { calls: 10 } }",
  SequenceItem: "- { tool: bash, when: { some: { effects.reads: { path: { is: secret } } } } }",
  Budget: "budget: { limit: 20, of: effects.deletes.size(), within: 10m }",
  Parameter: "parameters: { hosts: { type: list(string), default: [example.com] } }",
  Label: "labels: { untrusted: { kind: taint } }",
  Import: "- { pack: git-safety, with: { protected_branches: [main, release] } }",
  Override: "- { rule: git-safety/force-push, mode: monitor }",
  Exception:
    "- { rules: [our/no-push], when: { p.remote: mirror }, owner: platform, reason: the mirror, expires: 2030-01-31 }",
  DeclaredProgram: 'shipit: { options: { "-e --env": value }, effects: [{ writes: "{operand(0)}" }] }',
  DeclaredTool: '- { name: mcp__files__put, writes: "{args.path}" }',
  Audit: "audit: { mode: required, keep: digests }",
} as const;

/** Parts in the order in which authors meet them, with their titles. */
const parts: readonly (readonly [name: keyof typeof examples, title: string])[] = [
  ["Rule", "A rule"],
  ["Examples", "`examples` of a rule"],
  ["Sequence", "`sequence` of a rule"],
  ["SequenceItem", "An item of `sequence.after`"],
  ["Budget", "`budget` of a rule"],
  ["Parameter", "An entry of `parameters`"],
  ["Label", "An entry of `labels`"],
  ["Import", "An item of `imports`"],
  ["Override", "An item of `overrides`"],
  ["Exception", "An item of `exceptions`"],
  ["DeclaredProgram", "An entry of `programs`"],
  ["DeclaredTool", "An item of `tools`"],
  ["Audit", "`audit`"],
];

/** Every key of a policy file, with its values: the schema as a page for authors. */
export const page: Page = {
  path: "docs/reference/policies.md",
  render() {
    const schema = JSON.parse(readFileSync("schema/policy.schema.json", "utf8")) as Shape;
    const definitions = schema.definitions ?? {};
    const intro =
      "Every key of a policy file. A key in bold must be there. What stands under `when` is in [conditions](conditions.md), what\n" +
      "stands under `action` in [actions](actions.md), and `event` takes the names of [events](events.md).";
    const sections = parts.map(([name, title]) => {
      const shape = definitions[name] ?? {};
      return `## ${title}\n\n${shape.description ?? ""}\n\n\`\`\`yaml\n${examples[name]}\n\`\`\`\n\n${keysOf(shape, definitions)}`;
    });
    return [
      generatedFrom("schema/policy.schema.json"),
      `# Policies\n\n${intro}\n\n## The file\n\n${keysOf(schema, definitions)}\n`,
      `${sections.join("\n\n")}\n`,
    ].join("\n");
  },
};

type Definitions = NonNullable<Shape["definitions"]>;

function keysOf(shape: Shape, definitions: Definitions): string {
  const rows = Object.entries(shape.properties ?? {}).flatMap(([key, own]) => {
    const inner = own.properties ? Object.entries(own.properties) : [];
    return [
      rowOf(key, own, shape.required?.includes(key) === true, definitions),
      ...inner.map(([name, one]) => rowOf(`${key}.${name}`, one, own.required?.includes(name) === true, definitions)),
    ];
  });
  return table(["key", "value", "meaning"], rows);
}

function rowOf(key: string, shape: Shape, needed: boolean, definitions: Definitions): readonly string[] {
  const name = needed ? `**${code(key)}**` : code(key);
  return [name, valueOf(shape, definitions), shape.description ?? definitionOf(shape, definitions)?.description ?? ""];
}

function definitionOf({ $ref }: Shape, definitions: Definitions): Shape | undefined {
  return $ref === undefined ? undefined : definitions[$ref.split("/").at(-1) ?? ""];
}

const words: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "true or false",
  array: "list",
  object: "mapping",
};

function valueOf(shape: Shape, definitions: Definitions): string {
  const meant = definitionOf(shape, definitions) ?? shape;
  if (meant.const !== undefined) return code(String(meant.const));
  if (meant.enum) return meant.enum.map(code).join(", ");
  if (shape.$ref?.endsWith("/OneOrMore") === true) return "text or list";
  const types = [meant.type ?? []].flat().map((type) => words[type] ?? type);
  return types.join(" or ");
}
