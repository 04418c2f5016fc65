import type { Type } from "../../rules/types.ts";
import {
  bool,
  double,
  duration,
  dyn,
  int,
  list,
  map,
  nullType,
  optional,
  printType,
  string,
  timestamp,
  typeType,
} from "../../rules/types.ts";
import type { SpecType } from "./cases.ts";

const primitives: Readonly<Record<string, Type>> = { BOOL: bool, INT64: int, DOUBLE: double, STRING: string };
const named: Readonly<Record<string, Type>> = {
  DURATION: duration,
  TIMESTAMP: timestamp,
  "google.protobuf.Duration": duration,
  "google.protobuf.Timestamp": timestamp,
};

/** A type of the data set as a type of the language; undefined for kinds that the subset does not have. */
export function typeOf(spec: SpecType): Type | undefined {
  const [[kind, held] = ["", undefined]] = Object.entries(spec);
  switch (kind) {
    case "dyn":
      return dyn;
    case "null":
      return nullType;
    case "type":
      return typeType;
    case "primitive":
      return primitives[held as string];
    case "wellKnown":
    case "messageType":
      return named[held as string];
    case "listType":
      return composed(list, [(held as Record<string, SpecType>)["elemType"]]);
    case "mapType": {
      const { keyType, valueType } = held as Record<string, SpecType>;
      return composed(map, [keyType, valueType]);
    }
    case "abstractType": {
      const { name, parameterTypes } = held as { name: string; parameterTypes?: SpecType[] };
      return name === "optional_type" ? composed(optional, [parameterTypes?.[0]]) : undefined;
    }
    default:
      return undefined;
  }
}

function composed<T extends readonly Type[]>(
  make: (...parts: T) => Type,
  specs: readonly (SpecType | undefined)[],
): Type | undefined {
  const parts = specs.map((spec) => (spec ? typeOf(spec) : undefined));
  return parts.every((part) => part !== undefined) ? make(...(parts as unknown as T)) : undefined;
}

/** A type as the data set prints it: `type(int)` and the language's plain `type` are both `type`. */
export function printed(type: Type | string): string {
  const text = typeof type === "string" ? type : printType(type);
  return text
    .replaceAll("optional_type(", "optional(")
    .replace(/^type\(.*\)$/, "type")
    .replace(/_var\d+/g, "dyn");
}
