import type { About } from "./about.ts";
import { about } from "./about.ts";

/** Reference entries of functions on lists and maps. */
export const listAbout: Readonly<Record<string, readonly About[]>> = {
  size: [
    about("string.size", "size(string): int", "Number of code points.", ['size("a😀")', "2"]),
    about("list.size", "size(list(A)): int", "Number of items.", ["size([1, 2])", "2"]),
    about("map.size", "size(map(A, B)): int", "Number of entries.", ['size({"a": 1})', "1"]),
    about("string.size", "string.size(): int", "Number of code points.", ['"a😀".size()', "2"]),
    about("list.size", "list(A).size(): int", "Number of items.", ["[].size()", "0"]),
    about("map.size", "map(A, B).size(): int", "Number of entries.", ["{1: 2}.size()", "1"]),
  ],
  in: [
    about(
      "list.in",
      "_in_(A, list(A)): bool",
      "True if an item of the list equals the value.",
      ["2 in [1, 2]", "true"],
      ['"x" in []', "false"],
    ),
    about("map.in", "_in_(A, map(A, B)): bool", "True if the map has the key.", ['"a" in {"a": 1}', "true"]),
    about("path.in", "_in_(path, list(string)): bool", "True if the path is one of these places.", [
      'path("/a/../b") in ["/b"]',
      "true",
    ]),
  ],
  contains_any: [
    about("list.contains_any", "list(A).containsAny(list(A)): bool", "True if the lists share a value.", [
      '["a", "b"].containsAny(["b", "c"])',
      "true",
    ]),
    about(
      "string.contains_any",
      "string.containsAny(list(string)): bool",
      "True if the text holds one of the others.",
      ['"abc".containsAny(["x", "bc"])', "true"],
    ),
  ],
  contains_all: [
    about("list.contains_all", "list(A).containsAll(list(A)): bool", "True if the list has every value.", [
      '["a", "b"].containsAll(["b"])',
      "true",
    ]),
    about("string.contains_all", "string.containsAll(list(string)): bool", "True if the text holds all others.", [
      '"abc".containsAll(["a", "x"])',
      "false",
    ]),
  ],
  sets_contains: [
    about(
      "sets.contains",
      "sets.contains(list(A), list(A)): bool",
      "True if every value of the second list is in the first.",
      ["sets.contains([1, 2], [2, 2.0])", "true"],
    ),
  ],
  sets_intersects: [
    about("sets.intersects", "sets.intersects(list(A), list(A)): bool", "True if the lists share a value.", [
      "sets.intersects([1], [2])",
      "false",
    ]),
  ],
  sets_equivalent: [
    about("sets.equivalent", "sets.equivalent(list(A), list(A)): bool", "True if both lists have the same values.", [
      "sets.equivalent([1, 2], [2, 1, 1])",
      "true",
    ]),
  ],
  slice: [
    about(
      "list.slice",
      "list(A).slice(int, int): list(A)",
      "Items between two indices.",
      ["[1, 2, 3].slice(1, 3)", "[2, 3]"],
      ["[1].slice(0, 2)", "error"],
    ),
  ],
  flatten: [
    about("list.flatten", "list(A).flatten(): list(dyn)", "Items of inner lists in their place, one level deep.", [
      "[[1], [2, [3]]].flatten()",
      "[1, 2, [3]]",
    ]),
    about("list.flatten_depth", "list(A).flatten(int): list(dyn)", "As above, so many levels deep.", [
      "[[1], [2, [3]]].flatten(2)",
      "[1, 2, 3]",
    ]),
  ],
  distinct: [
    about("list.distinct", "list(A).distinct(): list(A)", "Each value once, in order of first occurrence.", [
      "[1, 2, 1, 1.0].distinct()",
      "[1, 2]",
    ]),
  ],
  sort: [
    about(
      "list.sort",
      "list(A).sort(): list(A)",
      "Items in ascending order; strings by code point.",
      ['["b", "a"].sort()', '["a", "b"]'],
      ['[1, dyn("a")].sort()', "error"],
    ),
  ],
  reverse: [
    about("list.reverse", "list(A).reverse(): list(A)", "Items in reverse order.", ["[1, 2].reverse()", "[2, 1]"]),
    about("string.reverse", "string.reverse(): string", "Code points in reverse order.", ['"a😀".reverse()', '"😀a"']),
  ],
  first: [
    about(
      "list.first",
      "list(A).first(): optional(A)",
      "First item, if there is one.",
      ["[1, 2].first().orValue(0)", "1"],
      ["[].first().hasValue()", "false"],
    ),
  ],
  last: [
    about("list.last", "list(A).last(): optional(A)", "Last item, if there is one.", ["[1, 2].last().orValue(0)", "2"]),
  ],
  range: [
    about("lists.range", "lists.range(int): list(int)", "Numbers from 0 up to, not including, the argument.", [
      "lists.range(3)",
      "[0, 1, 2]",
    ]),
  ],
};
