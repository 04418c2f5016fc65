import { type Fields, isFields, own } from "./messages.ts";

/** Keywords that may reject a string by its content. */
const onTexts: ReadonlySet<string> = new Set(["enum", "const", "pattern", "format", "minLength", "maxLength"]);

/** Keywords whose subschemas apply in addition to, or instead of, the surrounding schema. */
const combining: ReadonlySet<string> = new Set(
  "$ref $dynamicRef allOf anyOf oneOf not if then else dependentSchemas patternProperties propertyNames contains unevaluatedProperties unevaluatedItems uniqueItems".split(
    " ",
  ),
);

/**
 * True if structured content that rules changed still fits the tool's `outputSchema`, given that the original did. The shape
 * must be the same, only strings may differ, and no keyword above such a string may reject the new one. False if it cannot
 * tell; the caller then shows only the text content.
 */
export function stillFits(before: unknown, after: unknown, schema: unknown): boolean {
  if (before === after) return true;
  if (typeof before === "string") return typeof after === "string" && freeText(schema);
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length) return false;
    return before.every((item, i) => stillFits(item, after[i], itemSchema(schema, i)));
  }
  if (!isFields(before) || !isFields(after)) return false;
  const keys = Object.keys(before);
  if (Object.keys(after).length !== keys.length || !keys.every((key) => Object.hasOwn(after, key))) return false;
  return keys.every((key) => stillFits(before[key], after[key], propertySchema(schema, key)));
}

/** Placeholder for a schema that was not examined. */
const unclear: Fields = { not: {} };

function plain(schema: unknown): schema is Fields {
  return (
    isFields(schema) &&
    !Object.keys(schema).some((key) => combining.has(key)) &&
    !own(schema, "enum") &&
    !Object.hasOwn(schema, "const")
  );
}

/** True if a schema accepts every string. A missing schema and `true` accept everything. */
function freeText(schema: unknown): boolean {
  if (schema === undefined || schema === true) return true;
  return plain(schema) && !Object.keys(schema).some((key) => onTexts.has(key));
}

function itemSchema(schema: unknown, index: number): unknown {
  if (schema === undefined || schema === true) return true;
  if (!plain(schema)) return unclear;
  const tuple = own(schema, "prefixItems");
  const items = own(schema, "items");
  if (Array.isArray(items)) return unclear;
  return Array.isArray(tuple) && index < tuple.length ? tuple[index] : items;
}

function propertySchema(schema: unknown, key: string): unknown {
  if (schema === undefined || schema === true) return true;
  if (!plain(schema)) return unclear;
  const properties = own(schema, "properties");
  return isFields(properties) && Object.hasOwn(properties, key) ? properties[key] : own(schema, "additionalProperties");
}
