import { type EventName, eventNames } from "../../schema/events.ts";
import { type PayloadField, type PayloadShape, payloadShape } from "../../schema/payloads.ts";
import type { SchemaNode } from "./types.ts";

/** Schema of a field by its type. */
const types: Readonly<Record<PayloadField["type"], SchemaNode>> = {
  string: { type: "string" },
  text: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
  path: { type: "string" },
  int: { type: "integer" },
  bool: { type: "boolean" },
  object: { type: "object" },
  result: { $ref: "#/definitions/ToolResult" },
  message: { $ref: "#/definitions/Message" },
  "list(message)": { type: "array", items: { $ref: "#/definitions/Message" } },
  "list(string)": { type: "array", items: { type: "string" } },
  "list(dyn)": { type: "array" },
  dyn: {},
};

/**
 * The schema of wire events, with the payload of each event (`schema/payloads.ts`) as a definition of its own, which holds
 * for events of its name.
 */
export function eventSchema(base: SchemaNode): SchemaNode {
  const named = eventNames.filter((name) => Object.keys(payloadShape(name)).length > 0);
  const kept = Object.entries(base["definitions"] as SchemaNode).filter(([name]) => !name.endsWith("Payload"));
  const made = named.map((name) => [definitionName(name), payloadSchema(name, payloadShape(name))] as const);
  return {
    ...base,
    allOf: [
      ...named.map((name) => when(name, { $ref: `#/definitions/${definitionName(name)}` })),
      when("approval", { required: ["of", "answer"] }),
    ],
    definitions: Object.fromEntries([...kept, ...made]),
  };
}

/**
 * Returns the part of that schema for the generated validator: the parts common to all events, and those that deciding events
 * need. Forty conditions in one function would be most of the code that a hook loads; `engine/payload-fit.ts` checks payloads by
 * their table instead, and a test compares the two.
 */
export function sharedSchema(schema: SchemaNode): SchemaNode {
  const described = schema["properties"] as SchemaNode;
  const definitions = Object.entries(schema["definitions"] as SchemaNode);
  const needs = eventNames.flatMap((name) => {
    const required = Object.entries(payloadShape(name)).filter(([, field]) => field.required);
    const plain = required.length > 0 && required.every(([field]) => Object.hasOwn(described, field));
    return plain ? [when(name, { required: required.map(([field]) => field) })] : [];
  });
  return {
    ...schema,
    allOf: [...needs, when("approval", { required: ["of", "answer"] })],
    definitions: Object.fromEntries(definitions.filter(([name]) => !name.endsWith("Payload"))),
  };
}

/** The schema of one message, for payload fields that hold one. */
export function messageSchema(schema: SchemaNode): SchemaNode {
  const { Message, ContentPart } = schema["definitions"] as Record<string, SchemaNode>;
  return {
    ...Message,
    $id: "https://hookwarden.dev/schema/message.schema.json",
    title: "Message",
    definitions: { ContentPart },
  };
}

function when(event: string, then: SchemaNode): SchemaNode {
  return { if: { properties: { event: { const: event } }, required: ["event"] }, then };
}

/** `turn_end` → `TurnEndPayload`. */
function definitionName(event: EventName): string {
  const words = event.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Payload`;
}

function payloadSchema(event: EventName, shape: PayloadShape): SchemaNode {
  const fields = Object.entries(shape);
  const required = fields.filter(([, field]) => field.required).map(([name]) => name);
  return {
    description: `Payload of \`${event}\`.`,
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      fields.map(([name, { type, values, doc }]) => [
        name,
        { description: doc, ...(values ? { enum: values } : types[type]) },
      ]),
    ),
  };
}
