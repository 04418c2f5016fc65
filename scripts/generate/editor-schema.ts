import type { AnySchemaObject } from "ajv";
import { ruleKindNames, ruleKinds } from "../../authoring/new/rule-kinds.ts";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import { type ActionParameter, actionShapes } from "../../rules/actions/about.ts";
import { testOperators } from "../../rules/ast.ts";
import { rootsOf } from "../../rules/roots.ts";
import { testAbout } from "../../rules/tests.about.ts";
import { eventNames } from "../../schema/events.ts";
import { canonicalTools } from "../../schema/tools.ts";

/** Path of the schema for editors. */
export const editorSchemaPath = "schema/policy-editor.schema.json";

/**
 * Makes the schema of a policy for editors: the compiler's schema with proposals for names of events, tools, actions and their
 * parameters, paths and operators of tests, and rules to start from. It accepts all that the compiler's schema accepts, except
 * unknown names of actions, which the compiler also refuses.
 */
export function editorSchema(policy: AnySchemaObject): AnySchemaObject {
  const schema = structuredClone(policy);
  const { definitions, properties } = schema;
  schema["$id"] = "https://hookwarden.dev/schema/policy-editor.schema.json";
  schema["title"] = "hookwarden policy";
  schema["defaultSnippets"] = [policySnippet];
  properties.rules.defaultSnippets = ruleSnippets(true);
  const rule = definitions.Rule;
  rule.defaultSnippets = ruleSnippets(false);
  for (const shape of [rule.properties, definitions.SequenceItem.properties]) {
    shape.event = proposing(shape.event, "EventName");
    shape.tool = proposing(shape.tool, "ToolName");
  }
  definitions.EventName = {
    description: "Canonical name of an event.",
    anyOf: [{ enum: eventNames }, { type: "string" }],
  };
  definitions.ToolName = {
    description: "Canonical name of a tool, or a glob.",
    anyOf: [{ enum: [...canonicalTools, "mcp__*"] }, { type: "string" }],
  };
  rule.properties.each.additionalProperties = {
    description: "The list.",
    anyOf: [{ enum: lists() }, { type: "string" }],
  };
  definitions.Condition = conditionSchema(definitions.Condition.description);
  definitions.Test = testSchema();
  definitions.Action = actionSchema(definitions.Action.description);
  definitions.ActionText = { description: "Text; `{expression}` interpolates.", type: "string" };
  return schema;
}

function proposing({ description }: AnySchemaObject, name: string): AnySchemaObject {
  const one = { $ref: `#/definitions/${name}` };
  return { description, anyOf: [one, { type: "array", minItems: 1, items: one }] };
}

const policySnippet = {
  label: "policy",
  description: "A policy with a rule to begin with",
  body: { version: 1, policy: "${1:my-policy}", rules: [ruleBody("file", 2)] },
};

function ruleSnippets(inList: boolean): object[] {
  return ruleKindNames.map((kind) => ({
    label: `rule: ${kind}`,
    description: `A rule that ${ruleKinds[kind].about}`,
    body: inList ? [ruleBody(kind, 1)] : ruleBody(kind, 1),
  }));
}

/** Returns a rule template as a snippet with a placeholder for the id; `$` and braces of the rule are no placeholders. */
function ruleBody(kind: (typeof ruleKindNames)[number], place: number): object {
  const { root } = readYaml("snippet", new TextEncoder().encode(ruleKinds[kind].lines.join("\n")));
  if (!root) throw new Error(`the rule of kind ${kind} is no YAML`);
  const body = JSON.parse(JSON.stringify(toValue(root)), (_key, value) =>
    typeof value === "string" ? value.replaceAll("$", "\\$") : value,
  );
  return { id: `\${${place}:rule-id}`, severity: "medium", ...body };
}

/** Lists that `each` and the quantifiers go through. */
function lists(): string[] {
  return fields().flatMap(({ path, list }) => (list ? [path] : []));
}

interface ConditionField {
  readonly path: string;
  readonly doc: string;
  readonly list: boolean;
}

/** Names that a condition can use, and their fields. */
function fields(): ConditionField[] {
  return rootsOf([], []).flatMap(({ name, type, doc }): ConditionField[] => {
    const own = { path: name, doc, list: type.kind === "list" };
    if (type.kind !== "record") return [own];
    const inner = [...type.fields()].map(([field, { type: of, doc: about }]) => ({
      path: `${name}.${field}`,
      doc: about,
      list: of.kind === "list",
    }));
    return inner.length > 0 ? inner : [own];
  });
}

function conditionSchema(description: string): AnySchemaObject {
  const each = { $ref: "#/definitions/Condition" };
  const several = { type: "array", items: each };
  const over = { type: "object", minProperties: 1, maxProperties: 1, additionalProperties: each };
  const combining = {
    all: { description: "All of these hold.", ...several },
    any: { description: "At least one of these holds.", ...several },
    not: { description: "This does not hold.", ...each },
    expr: { description: "An expression in the CEL subset.", type: "string" },
    some: { description: "Some element of the list passes the tests.", ...over },
    every: { description: "Every element of the list passes the tests.", ...over },
    none: { description: "No element of the list passes the tests.", ...over },
  };
  const tests = fields().map(({ path, doc }) => [path, { description: doc, allOf: [{ $ref: "#/definitions/Test" }] }]);
  return {
    description,
    anyOf: [
      { type: "string", description: "An expression, or `$name` of a condition." },
      { type: "boolean" },
      {
        type: "object",
        properties: { ...Object.fromEntries(tests), ...combining },
        additionalProperties: { $ref: "#/definitions/Test" },
      },
    ],
  };
}

/** Returns a text of the reference without its links. */
function plain(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** Makes the schema of a test: a value to equal, a list of values, one of which must be equal, or operators. */
function testSchema(): AnySchemaObject {
  const operators = testOperators.map((name) => [name, { description: plain(testAbout[name].doc) }]);
  return {
    description: "A value that is to be equal, a list of which one is, or operators.",
    anyOf: [
      { type: ["string", "number", "boolean", "null", "array"] },
      { type: "object", properties: Object.fromEntries(operators) },
    ],
  };
}

function actionSchema(description: string): AnySchemaObject {
  const shapes = Object.entries(actionShapes);
  const bare = shapes.filter(([, { parameters, oneOf }]) => !oneOf && parameters.every(({ required }) => !required));
  return {
    description,
    anyOf: [
      { enum: bare.map(([name]) => name), enumDescriptions: bare.map(([, { doc }]) => doc) },
      {
        type: "object",
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false,
        properties: Object.fromEntries(
          shapes.map(([name, { doc, parameters }]) => [name, { description: doc, ...parametersSchema(parameters) }]),
        ),
      },
    ],
  };
}

function parametersSchema(parameters: readonly ActionParameter[]): AnySchemaObject {
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(parameters.map((one) => [one.name, parameterSchema(one)])),
    ...(required.length > 0 && { required }),
  };
}

/** Types that allow any value are left to the compiler. */
function parameterSchema({ type, values, default: standard, doc }: ActionParameter): AnySchemaObject {
  const base = { description: doc, ...(standard !== undefined && { default: standard }) };
  if (type === "choices" && values)
    return { ...base, anyOf: [{ enum: values }, { type: "array", minItems: 1, items: { enum: values } }] };
  if (values) return { ...base, enum: values };
  if (type === "bool") return { ...base, type: "boolean" };
  if (type === "condition") return { ...base, allOf: [{ $ref: "#/definitions/Condition" }] };
  if (type === "template") return { ...base, allOf: [{ $ref: "#/definitions/ActionText" }] };
  return base;
}
