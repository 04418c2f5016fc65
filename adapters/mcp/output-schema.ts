import { type Fields, isFields, own } from "./messages.ts";

/** Keywords that may refuse a text because of what it is. */
const onTexts: ReadonlySet<string> = new Set(["enum", "const", "pattern", "format", "minLength", "maxLength"]);

/** Keywords under which schemas stand that hold besides, or in place of, the one around. */
const combining: ReadonlySet<string> = new Set(
  "$ref $dynamicRef allOf anyOf oneOf not if then else dependentSchemas patternProperties propertyNames contains unevaluatedProperties unevaluatedItems uniqueItems".split(
    " ",
  ),
);

/**
 * True if structured content that rules changed still fits the tool's `outputSchema`, given that the original did: it has
 * the same shape, only texts differ, and no keyword on the way to such a text could refuse the new one. Says false where it
 * cannot tell; whoever asks then shows the text content alone.
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

/** Stands for a schema that nobody looked into. */
const unclear: Fields = { not: {} };

function plain(schema: unknown): schema is Fields {
  return (
    isFields(schema) &&
    !Object.keys(schema).some((key) => combining.has(key)) &&
    !own(schema, "enum") &&
    !Object.hasOwn(schema, "const")
  );
}

/** True if any text that is put in place of a text fits. No schema, and `true`, hold for everything. */
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
