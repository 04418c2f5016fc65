/** One row of the declared subset of CEL: `docs/reference/cel.md` is generated from these, `npm run conformance` checks them. */
export interface SubsetRow {
  /** Stable name, by which `npm run conformance` says why it skips a case. */
  readonly id: string;
  readonly feature: string;
  /** Difference from CEL; for an undeclared feature, what to write instead. */
  readonly deviation?: string;
  readonly why?: string;
}

/** Features that the language has. `npm run conformance` checks that each row with a deviation behaves as it says. */
export const declaredFeatures = [
  {
    id: "literals",
    feature:
      "Literals of `null`, `bool`, `int`, `double`, `string`, lists and maps; every escape; raw and triple-quoted strings; comments",
  },
  { id: "operators", feature: "Every operator, with CEL's precedence; `&&` and `||` absorb errors" },
  {
    id: "macros",
    feature:
      "`has`, `all`, `exists`, `exists_one` (`existsOne`), `filter`, `map` with and without a filter, `cel.bind`",
  },
  {
    id: "two-variables",
    feature:
      "Two-variable comprehensions: `all`, `exists`, `existsOne`, `transformList`, `transformMap`, `transformMapEntry`",
  },
  {
    id: "optionals",
    feature:
      "Optionals: `.?`, `[?]`, `{?}`, `optional.of`, `optional.none`, `optional.ofNonZeroValue`, `hasValue`, `value`, `or`, `orValue`, `optMap`, `optFlatMap`",
  },
  { id: "standard", feature: "Standard functions and conversions for the types of the subset" },
  { id: "heterogeneous", feature: "Comparison of int with double by value" },
  { id: "times", feature: "`timestamp` and `duration` with arithmetic and accessors, in UTC or at a fixed offset" },
  { id: "strings", feature: "Strings extension, with `format` and `strings.quote`; positions count code points" },
  { id: "lists", feature: "Lists extension and sets extension" },
  { id: "math", feature: "Math extension" },
  {
    id: "quoted-fields",
    feature: "Fields in backticks: ``args.`dry-run` ``",
    deviation: "Always on; in CEL it is an option of the environment.",
    why: "Names of arguments are not ours.",
  },
  {
    id: "optional-syntax",
    feature: "Optional syntax",
    deviation: "Always on; in CEL it is an option of the environment.",
    why: "Absent fields are the rule in events.",
  },
  {
    id: "unknown-names",
    feature: "Unknown names and functions",
    deviation:
      "Always an error when the policy loads, also where another operand would decide; there is no unchecked evaluation.",
    why: "A misspelt name must not become a rule that never fires.",
  },
  {
    id: "never-holds",
    feature: "Comparisons that can never hold",
    deviation: "An error when the policy loads (HW305), as is `in` on a string.",
    why: "A test that cannot come true is a mistake of its author.",
  },
  {
    id: "absent-fields",
    feature: "Fields that may be absent",
    deviation: "An unguarded access is an error when the policy loads (HW306).",
    why: "An error value in a rule closes the decision.",
  },
  {
    id: "type-names",
    feature: "Types as values",
    deviation: "`type(x)` of a time is `timestamp` or `duration`, not a protobuf name.",
    why: "There is no protobuf.",
  },
  {
    id: "null-joins",
    feature: "`null` beside other types",
    deviation: "A list of an optional and `null` is a list of `dyn`; only protobuf types take `null`.",
    why: "No value of the subset is nullable.",
  },
  {
    id: "empty-types",
    feature: "Types of empty lists and maps",
    deviation: "Their elements take the type of what they are joined with; nothing is inferred from their use.",
    why: "One pass, so that a message points at what the author wrote.",
  },
  {
    id: "literal-items",
    feature: "Items and keys of literals",
    deviation:
      "An item that a list or map written out does not have is refused (HW313), also where `||` would absorb the error.",
    why: "Such a part can never hold, and an author would not be told.",
  },
  {
    id: "nesting",
    feature: "Nesting",
    deviation: "100 levels; cel-go's tests lower its own bound to 32.",
    why: "Bounded time and memory for any text.",
  },
  {
    id: "macro-variables",
    feature: "Names of macro variables",
    deviation: "Any name that is not reserved, `__result__` too.",
    why: "Macros have no hidden accumulator.",
  },
  {
    id: "macro-errors",
    feature: "Misuse of a macro",
    deviation: "Found by the type checker, not by the parser; either way the policy does not load.",
    why: "The parser keeps what the author wrote, for `fmt`.",
  },
  {
    id: "regex",
    feature: "Regular expressions",
    deviation: "A constant pattern that RE2 refuses is an error when the policy loads.",
    why: "A pattern that cannot be used must not wait for an event to say so.",
  },
] as const satisfies readonly SubsetRow[];

/** Id of a declared feature that deviates. */
export type DeviationId = Extract<(typeof declaredFeatures)[number], { readonly deviation: string }>["id"];

/** Features of CEL and its extensions that the language does not have. */
export const undeclaredFeatures = [
  {
    id: "enums",
    feature: "Protobuf enums",
    deviation: "Write the string or int.",
    why: "Events are JSON.",
  },
  {
    id: "protobuf",
    feature: "Protobuf messages, wrappers and well-known types beyond `timestamp` and `duration`; the proto extension",
    deviation: "Write a map.",
    why: "Events are JSON.",
  },
  { id: "bytes", feature: "`bytes`", deviation: "Write a string.", why: "No field of an event holds bytes." },
  { id: "uint", feature: "`uint`", deviation: "Write an int.", why: "JSON has no unsigned numbers." },
  {
    id: "large-int",
    feature: "`int` beyond 2^53",
    deviation: "Arithmetic that leaves the range is an error value.",
    why: "Numbers of events come as JSON; a rounded one must not pass for an exact one.",
  },
  {
    id: "host-functions",
    feature: "Functions declared by the host",
    deviation: "Name parts under `conditions`.",
    why: "A policy means the same in every host.",
  },
  {
    id: "containers",
    feature: "Containers, dotted variable names, names with a leading dot",
    deviation: "Write the name alone.",
    why: "There is one flat table of names.",
  },
  { id: "encoders", feature: "Encoders extension", why: "No bytes." },
  { id: "block", feature: "`cel.block`", deviation: "Write `cel.bind`.", why: "Output of optimisers, not of authors." },
  {
    id: "time-zones",
    feature: "Named time zones",
    deviation: "Write a fixed offset such as `+02:00`.",
    why: "Zone tables change with the runtime; the same policy and event must give the same decision.",
  },
] as const satisfies readonly SubsetRow[];

/** Id of an undeclared feature. */
export type UndeclaredId = (typeof undeclaredFeatures)[number]["id"];
