import type { EvaluationError, Value } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import type { MapValue } from "./values.ts";
import { evaluationError, isMap, mapGet, mapKeys } from "./values.ts";

const twice = evaluationError("key stands twice in a map");

/** Makes a map of these entries; an error for a repeated key. */
function ofEntries(entries: readonly (readonly [Value, Value])[]): Value | EvaluationError {
  const made = new Map<Value, Value>();
  for (const [key, value] of entries) {
    if (made.has(key)) return twice;
    made.set(key, value);
  }
  return made;
}

function entriesOf(map: MapValue): readonly (readonly [Value, Value])[] {
  return mapKeys(map).map((key) => [key, mapGet(map, key) as Value]);
}

function merge(maps: readonly Value[]): Value | EvaluationError {
  const entries: (readonly [Value, Value])[] = [];
  for (const map of maps) {
    if (!isMap(map)) return evaluationError("`transformMapEntry` needs a map for each element");
    entries.push(...entriesOf(map));
  }
  return ofEntries(entries);
}

/** Functions that `transformMap` and `transformMapEntry` compile to; no author can name these. */
export const mapFunctions: Readonly<Record<string, readonly Overload[]>> = {
  map_of_entries: [
    overload("map.of_entries", ["list"], ([entries]) => ofEntries(entries as readonly (readonly [Value, Value])[])),
  ],
  map_merge: [overload("map.merge", ["list"], ([maps]) => merge(maps))],
};
