import { parseDuration, parseTimestamp } from "../../rules/functions/time-values.ts";
import type { MapValue } from "../../rules/functions/values.ts";
import { doubleOf, equal, isInt, kindOf, mapGet, mapKeys, numberOf } from "../../rules/functions/values.ts";
import type { Value } from "../../schema/ports.ts";
import { Double, Duration, EvaluationError, Optional, Timestamp } from "../../schema/ports.ts";
import type { SpecValue } from "./cases.ts";

const durationType = "type.googleapis.com/google.protobuf.Duration";
const timestampType = "type.googleapis.com/google.protobuf.Timestamp";

/** A value of the data set as a value of the language. Throws for kinds that the subset does not have. */
export function valueOf(spec: SpecValue): Value {
  const [[kind, held] = ["", undefined]] = Object.entries(spec);
  switch (kind) {
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
      return held as Value;
    case "int64Value":
      return Number(held);
    case "doubleValue":
      return doubleOf(Number(held));
    case "listValue":
      return ((held as { values?: SpecValue[] }).values ?? []).map(valueOf);
    case "mapValue":
      return new Map(
        ((held as { entries?: { key: SpecValue; value: SpecValue }[] }).entries ?? []).map(({ key, value }) => [
          valueOf(key),
          valueOf(value),
        ]),
      );
    case "objectValue":
      return timeOf(held as { "@type": string; value: string });
    default:
      throw new Error(`no value for ${kind}`);
  }
}

function timeOf(held: { readonly "@type": string; readonly value: string }): Value {
  const read = held["@type"] === durationType ? parseDuration(held.value) : parseTimestamp(held.value);
  if (read instanceof EvaluationError) throw new Error(read.message);
  return read;
}

/** True for the values of the data set that stand for durations and timestamps; other messages are protobuf. */
export function isTime(type: unknown): boolean {
  return type === durationType || type === timestampType;
}

/** True if the language's value is the expected one, kind for kind. A type is its name. */
export function matches(value: Value, expected: SpecValue): boolean {
  if ("typeValue" in expected) return value === expected["typeValue"];
  return alike(value, valueOf(expected));
}

/** Equality that tells int from double and takes NaN for itself, unlike `==`. */
function alike(a: Value, b: Value): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => alike(item, b[i] as Value));
  if (kindOf(a) !== kindOf(b)) return false;
  if (kindOf(a) === "double") return Object.is(numberOf(a as number | Double), numberOf(b as number | Double));
  if (kindOf(a) !== "map") return equal(a, b) === true;
  const [x, y] = [a as MapValue, b as MapValue];
  const keys = mapKeys(x);
  return (
    keys.length === mapKeys(y).length &&
    keys.every((key) => {
      const [mine, theirs] = [mapGet(x, key), mapGet(y, key)];
      return mine !== undefined && theirs !== undefined && alike(mine, theirs);
    })
  );
}

/** A value for the line that tells of a failure. */
export function show(value: Value | EvaluationError): string {
  if (value instanceof EvaluationError) return `error: ${value.message}`;
  if (value instanceof Double) return `double ${value.value}`;
  if (value instanceof Optional) return value.value === undefined ? "none" : `optional ${show(value.value)}`;
  if (value instanceof Timestamp || value instanceof Duration)
    return `${kindOf(value)} ${value.seconds}.${value.nanos}`;
  if (value instanceof Map)
    return `{${[...value].map(([key, held]) => `${show(key as Value)}: ${show(held as Value)}`).join(", ")}}`;
  return isInt(value) ? `int ${value}` : (JSON.stringify(value) ?? String(value));
}
