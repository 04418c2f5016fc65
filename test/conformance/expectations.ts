import type { DeviationId } from "../../rules/cel-subset.ts";
import type { Case, SpecType, SpecValue } from "./cases.ts";

/** What a case asks of the language. */
export interface Expectation {
  /** `parses` and `refused` are about loading, `loads` that it also type-checks, the others about the result. */
  readonly kind: "parses" | "unparsable" | "refused" | "loads" | "runs" | "error" | "value";
  readonly value?: SpecValue;
  /** Type as the data set writes or prints it. */
  readonly type?: SpecType | string;
  /** The tree that the text parses to. */
  readonly tree?: string;
  /** The row of the subset because of which this is not what the data set says. */
  readonly deviation?: DeviationId;
}

/** What a case asks: as a row of the subset says, else as the data set says. */
export function expectationOf(given: Case): Expectation {
  for (const { id, applies, expect } of deviations) {
    if (applies(given)) return { ...expect(given), deviation: id };
  }
  return bySuite[given.suite](given);
}

const isTrue: SpecValue = { boolValue: true };

const bySuite: Readonly<Record<Case["suite"], (given: Case) => Expectation>> = {
  parsing: ({ ast }) => (ast === undefined ? { kind: "unparsable" } : { kind: "parses", tree: ast }),
  checking: ({ type }) => (type === undefined ? { kind: "refused" } : { kind: "loads", type }),
  conformance: ({ original: { evalError, checkOnly, value, typedResult } }) => {
    const type = typedResult?.deducedType ? { type: typedResult.deducedType } : {};
    if (evalError !== undefined) return { kind: "error" };
    if (checkOnly) return { kind: "loads", ...type };
    return { kind: "value", value: value ?? typedResult?.result ?? isTrue, ...type };
  },
  comprehension: ({ original }) => comprehension(original.expr),
};

/**
 * The source of this suite gives expressions only. Its tests hold to: a test is true; what misuses a macro is refused;
 * what has variables of the test's own loads; a key that comes twice is an error; what is no test gives a value.
 */
function comprehension(expr: string): Expectation {
  const misused =
    /\b[a-z]\.[a-z], |, [a-z]\.[a-z], |\(i, i,|^(?:1|'')\.|'bad filter'|\? \[v\] : v|k, v, \[\]\)|i \/ 2\.0/;
  if (misused.test(expr)) return { kind: "refused" };
  if (expr.startsWith("[1, 1].transformMapEntry")) return { kind: "error" };
  if (/(?<![\w.'"(])(?:x|y|m)[.[]/.test(expr) && !expr.includes("cel.bind(m,")) return { kind: "loads" };
  const tests = /==|\.all\(|\.exists/.test(expr) && !expr.includes("upperAscii() : v");
  return tests ? { kind: "value", value: isTrue } : { kind: "runs" };
}

interface Deviation {
  readonly id: DeviationId;
  readonly applies: (given: Case) => boolean;
  readonly expect: (given: Case) => Expectation;
}

/** Cases that a declared deviation answers otherwise than the data set, and what then must come. */
export const deviations: readonly Deviation[] = [
  {
    id: "literal-items",
    applies: ({ suite, name }) =>
      suite === "conformance" && /^(?:map_no_such_key|index_out_of_bounds)_(?:or_true|and_false)$/.test(name),
    expect: () => ({ kind: "refused" }),
  },
  {
    id: "optional-syntax",
    applies: ({ suite, ast, original: { expr } }) =>
      (suite === "parsing" || suite === "checking") &&
      ast === undefined &&
      /\.\?[A-Za-z]|[[{,]\s*\?[A-Za-z'"{[]/.test(expr) &&
      !/Msg\{|\?'key': 'hi'|\?'value'/.test(expr),
    expect: ({ suite }) => ({ kind: suite === "parsing" ? "parses" : "loads" }),
  },
  {
    id: "quoted-fields",
    applies: ({ suite, ast, error = "" }) =>
      suite === "parsing" &&
      ast === undefined &&
      error.includes("unsupported syntax: '`'") &&
      !error.includes("Syntax error"),
    expect: () => ({ kind: "parses" }),
  },
  {
    id: "unknown-names",
    applies: ({ section, name }) =>
      name === "unbound_is_runtime_error" || section === "conformance/parse/receiver_function_names",
    expect: () => ({ kind: "refused" }),
  },
  {
    id: "type-names",
    applies: ({ original: { value } }) =>
      /^google\.protobuf\.(?:Timestamp|Duration)$/.test(String(value?.["typeValue"])),
    expect: ({ original: { value } }) => ({
      kind: "value",
      value: { typeValue: value?.["typeValue"] === "google.protobuf.Duration" ? "duration" : "timestamp" },
    }),
  },
  {
    id: "null-joins",
    applies: ({ name }) => name === "null_assignable_to_abstract_parameter_candidate",
    expect: () => ({ kind: "loads", type: "dyn" }),
  },
  {
    id: "empty-types",
    applies: ({ suite, name }) => suite === "checking" && /^\[?(?:\[\]|\{\})\.map\(/.test(name),
    expect: () => ({ kind: "loads" }),
  },
  {
    id: "nesting",
    applies: ({ suite, original, error = "" }) =>
      suite === "parsing" &&
      /recursion (?:depth|limit)/.test(error) &&
      !error.includes("Syntax error") &&
      !original.expr.includes("too many"),
    expect: () => ({ kind: "parses" }),
  },
  {
    id: "macro-variables",
    applies: ({ name }) => name.includes("__result__"),
    expect: ({ suite }) => ({ kind: suite === "parsing" ? "parses" : "loads" }),
  },
  {
    id: "macro-errors",
    applies: ({ suite, name }) =>
      suite === "parsing" && ["has(m)", "m.filter(a.b, false)", "1.all(2, 3)"].includes(name),
    expect: () => ({ kind: "refused" }),
  },
];
