import type { Type } from "../../../rules/types.ts";
import { bool, double, int, list, string } from "../../../rules/types.ts";
import type { Random } from "./random.ts";
import * as pool from "./words.ts";

/** Types that a type variable of a signature may stand for. */
export const plainTypes: readonly Type[] = [string, string, int, int, bool, double, list(string), list(int)];

/** A text as a literal. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A constant expression of a type; undefined for records that only facts give. */
export function literal(type: Type, random: Random): string | undefined {
  switch (type.kind) {
    case "null":
      return "null";
    case "bool":
      return random.pick(["true", "false"]);
    case "int":
      return random.pick(["0", "1", "2", "3", "-1", "10", "9007199254740991", "0x1F"]);
    case "double":
      return random.pick(["0.0", "1.5", "-2.0", "1e300", "3.0", "0.1"]);
    case "string":
      return quoted(random.pick(closedNames(type) ?? random.pick(texts)));
    case "timestamp":
      return `timestamp(${quoted(random.pick(pool.times))})`;
    case "duration":
      return `duration(${quoted(random.pick(pool.durations))})`;
    case "type":
      return random.pick(["int", "string", "bool", "list", "map", "double", "null_type"]);
    case "dyn":
    case "var":
      return `dyn(${literal(random.pick(plainTypes), random)})`;
    case "list":
      return listOf(type.element, random);
    case "map":
      return `{"a": ${literal(type.value, random) ?? "1"}, "k1": ${literal(type.value, random) ?? "2"}}`;
    case "optional":
      return random.chance(0.3) ? "optional.none()" : wrapped("optional.of", literal(type.of, random));
    case "record":
      return recordOf(type.name, random);
    case "error":
      return undefined;
  }
}

/** The names that a string can be, where a closed table says so and lists them. */
export function closedNames(type: Type): readonly string[] | undefined {
  if (type.kind !== "string") return undefined;
  const names = type.values ?? type.names?.names ?? [];
  return names.length > 0 ? names : undefined;
}

const texts: readonly (readonly string[])[] = [pool.words, pool.words, pool.paths, pool.names, pool.hosts];

function wrapped(fn: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${fn}(${value})`;
}

function listOf(element: Type, random: Random): string | undefined {
  const items = random.times(random.below(4), () => literal(element, random));
  return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
}

function recordOf(name: string, random: Random): string | undefined {
  if (name === "path") return `path(${quoted(random.pick(pool.paths))})`;
  return name === "url" ? `url(${quoted(random.pick(pool.urls))})` : undefined;
}

/** Texts that the argument of an overload must be out of, where the checker reads constants; undefined elsewhere. */
export function constantTexts(id: string, index: number): readonly string[] | undefined {
  if (index === 0)
    return id === "timestamp.from_string" ? pool.times : id === "duration.from_string" ? pool.durations : undefined;
  const name = id.split(".")[1] ?? "";
  if (/^timestamp\..*_in$/.test(id)) return ["+02:00", "-05:30", "UTC", "-00:15"];
  if (name === "matches") return pool.patterns;
  if (name.startsWith("glob")) return pool.globs;
  if (name === "within" || name === "within_any")
    return id.startsWith("path") ? ["/home/dev", "/tmp", "/etc"] : undefined;
  if (name === "is") return id.startsWith("url") ? pool.urlClasses : pool.pathClasses;
  if (name.startsWith("host_in") || name.startsWith("lookalike_of")) return pool.hosts;
  if (name.startsWith("cidr")) return pool.ranges;
  return name === "has_option" || name === "option" ? pool.options : undefined;
}
