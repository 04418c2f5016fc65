import type { About, Example } from "../../rules/functions/about.ts";
import { families } from "../../rules/signatures.ts";
import { printType } from "../../rules/types.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** Groups of the page, with the families of each. Every family is in one group; the last group has no default families. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Operators: [
    "add",
    "subtract",
    "multiply",
    "divide",
    "modulo",
    "negate",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "in",
  ],
  Strings: [
    "contains",
    "starts_with",
    "ends_with",
    "matches",
    "lower_ascii",
    "upper_ascii",
    "trim",
    "char_at",
    "substring",
    "index_of",
    "last_index_of",
    "replace",
    "split",
    "join",
    "format",
    "quote",
  ],
  "Lists and maps": [
    "size",
    "contains_any",
    "contains_all",
    "slice",
    "flatten",
    "distinct",
    "sort",
    "reverse",
    "first",
    "last",
    "range",
    "sets_contains",
    "sets_intersects",
    "sets_equivalent",
  ],
  "Paths, URLs, commands and tools": [
    "glob",
    "within",
    "is",
    "host_in",
    "lookalike_of",
    "cidr",
    "has_option",
    "option",
    "is_mcp",
  ],
  Numbers: [
    "greatest",
    "least",
    "abs",
    "sign",
    "ceil",
    "floor",
    "round",
    "trunc",
    "sqrt",
    "is_nan",
    "is_inf",
    "is_finite",
    "bit_and",
    "bit_or",
    "bit_xor",
    "bit_not",
    "bit_shift_left",
    "bit_shift_right",
  ],
  Times: [
    "full_year",
    "month",
    "date",
    "day_of_month",
    "day_of_week",
    "day_of_year",
    "hours",
    "minutes",
    "seconds",
    "milliseconds",
  ],
  Sessions: ["calls", "labels"],
  Optionals: ["optional_of", "optional_none", "optional_of_non_zero", "has_value", "value", "or", "or_value"],
  Conversions: [
    "to_int",
    "to_double",
    "to_string",
    "to_bool",
    "to_timestamp",
    "to_duration",
    "to_dyn",
    "type_of",
    "path_of",
    "url_of",
  ],
};

/** Parts of the language besides functions: operators that the checker selects, and macros. */
const builtIn: readonly (readonly [string, string])[] = [
  ["`a == b`, `a != b`", "Equality of any two values that may be equal; a path or URL also with a string."],
  ["`a && b`, `a || b`, `!a`, `a ? b : c`", "Logic. `&&` and `||` let a deciding side win over an error of the other."],
  ["`has(a.b)`", "True if the field is there."],
  [
    "`l.all(x, …)`, `l.exists(x, …)`, `l.exists_one(x, …)`",
    "True for every, some, exactly one element; of a map, its keys.",
  ],
  ["`l.filter(x, …)`, `l.map(x, …)`, `l.map(x, test, …)`", "The elements that pass; what each becomes."],
  ["`l.all(i, v, …)`, `l.exists(i, v, …)`, `l.existsOne(i, v, …)`", "As above with index and value, or key and value."],
  [
    "`l.transformList(i, v, …)`, `l.transformMap(k, v, …)`, `l.transformMapEntry(k, v, …)`",
    "A list, a map with the same keys, a map of new entries; each may take a test before the last argument.",
  ],
  ["`cel.bind(x, value, …)`", "The expression with a name for a value."],
  ["`o.optMap(x, …)`, `o.optFlatMap(x, …)`", "What an optional holds, changed; none stays none."],
  ["`a.?b`, `a[?b]`, `[?a]`, `{?k: a}`", "Fields and items as optionals; items and entries that may be none."],
];

/** Every function and operator, from what the checker knows of it; the examples run as tests. */
export const page: Page = {
  path: "docs/reference/functions.md",
  render() {
    const grouped = Object.values(groups).flat();
    const stray = [
      ...Object.keys(families).filter((f) => !grouped.includes(f)),
      ...grouped.filter((f) => !families[f]),
    ];
    if (stray.length > 0) throw new Error(`scripts/pages/functions.ts does not place ${stray.join(", ")}`);
    const intro =
      "What expressions can call. A method stands after a dot: `text.contains(part)`. Capital letters stand for any type. Examples run as tests; `error` is an error value. The subset of CEL is declared in [cel](cel.md).";
    const macros = table(
      ["written", "means"],
      builtIn.map((row) => [...row]),
    );
    const sections = Object.entries(groups).map(([title, names]) => {
      const rows = names.flatMap((name) => (families[name] ?? []).map(row));
      return `## ${title}\n\n${table(["signature", "meaning", "examples"], rows)}`;
    });
    const head = `${generatedFrom("rules/functions/*.about.ts and rules/operators/*.about.ts")}\n# Functions and operators`;
    return `${[head, intro, `## Built in\n\n${macros}`, ...sections].join("\n\n")}\n`;
  },
};

function row(about: About): readonly string[] {
  return [code(signature(about)), about.doc, about.examples.map(example).join("<br>")];
}

/** A signature as authors use it; operators are named `_+_` among the overloads. */
function signature({ name, signature: text, parameters, result }: About): string {
  if (/^[a-z]/.test(name)) return text;
  const [first = "", second] = parameters.map(printType);
  const operator = name.replaceAll("_", "");
  const spaced = operator === "in" ? " in " : ` ${operator} `;
  return `${second === undefined ? operator + first : first + spaced + second}: ${printType(result)}`;
}

function example([expression, gives]: Example): string {
  return `${code(expression)} → ${code(gives)}`;
}
