import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { ruleKindNames } from "../../authoring/new/rule-kinds.ts";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import { actionShapes } from "../../rules/actions/about.ts";
import { testOperators } from "../../rules/ast.ts";

type Schema = Readonly<Record<string, unknown>>;

const root = join(import.meta.dirname, "..", "..");
const load = (name: string): Schema => JSON.parse(readFileSync(join(root, "schema", name), "utf8")) as Schema;
const schema = load("policy-editor.schema.json");
const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
for (const keyword of ["defaultSnippets", "enumDescriptions"]) ajv.addKeyword(keyword);
const fits = ajv.compile(schema);

/** Every schema under `properties`, by its path. */
function* properties(node: unknown, path = ""): Generator<readonly [string, Schema]> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === "properties" && !Array.isArray(value) && path.at(-1) !== "#")
      for (const [name, inner] of Object.entries(value as Schema)) yield [`${path}/${name}`, inner as Schema];
    if (key !== "defaultSnippets") yield* properties(value, `${path}/${key}`);
  }
}

describe("the schema for editors", () => {
  it.each(readdirSync(join(root, "policies")))("takes the shipped policy %s", (pack) => {
    const { root: tree } = readYaml(pack, readFileSync(join(root, "policies", pack, "policy.yaml")));
    expect(tree).toBeDefined();
    fits(tree && JSON.parse(JSON.stringify(toValue(tree))));
    expect(fits.errors ?? []).toEqual([]);
  });

  it("explains every key", () => {
    const silent = [...properties(schema)].filter(([, { description }]) => !description).map(([path]) => path);
    expect(silent).toEqual([]);
  });

  it("proposes every action with its parameters, every operator, and every kind of rule", () => {
    const text = JSON.stringify(schema);
    for (const [name, { doc }] of Object.entries(actionShapes)) {
      expect(text).toContain(`"${name}":{"description":${JSON.stringify(doc)}`);
    }
    for (const name of testOperators) expect(text).toContain(`"${name}":{"description":`);
    for (const kind of ruleKindNames) expect(text).toContain(`"label":"rule: ${kind}"`);
  });

  it.each([
    ["an unknown key", { acton: "block" }],
    ["an unknown action", { action: "blok" }],
    ["an unknown parameter of an action", { action: { redact: { detektors: [] } } }],
    ["a severity that there is not", { severity: "grave" }],
  ])("refuses %s", (_, change) => {
    const rule = { id: "a", event: "tool_call", action: "block" };
    const policy = (one: object): object => ({ version: 1, policy: "p", rules: [one] });
    expect(fits(policy(rule))).toBe(true);
    expect(fits(policy({ ...rule, ...change }))).toBe(false);
  });
});
