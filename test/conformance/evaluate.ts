import { checkCondition } from "../../compiler/check/check.ts";
import { parseExpression } from "../../compiler/parse/expression.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { Source } from "../../diagnostics/source.ts";
import type { Frame } from "../../engine/frame.ts";
import { link } from "../../engine/link.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Environment, Variable } from "../../rules/environment.ts";
import type { Type } from "../../rules/types.ts";
import { bool, double, dyn, int, nullType, printType, string } from "../../rules/types.ts";
import { functions } from "../../rules/vocabulary.ts";
import { limits } from "../../schema/limits.ts";
import type { EvaluationError, Value, Vocabulary } from "../../schema/ports.ts";
import type { Case, Original, Suite } from "./cases.ts";
import { typeOf } from "./types.ts";
import { valueOf } from "./values.ts";

const regex = createRegexEngine();
const vocabulary: Vocabulary = {
  functions,
  actions: new Map(),
  mask: (text) => text,
  recordMask: () => ({ mask: (value) => ({ value, found: [] }) }),
};

/** What became of a case: refused when it loads, or a type and a value. */
export type Outcome = { readonly refused: string } | { readonly type: string; readonly value: Value | EvaluationError };

/** Variables that every case of a suite can see, as its source has them. */
const suiteVariables: Readonly<Record<Suite, Readonly<Record<string, Type>>>> = {
  conformance: {},
  parsing: { a: dyn, m: dyn },
  checking: { is: string, ii: int, iz: bool, id: double, ix: nullType },
  comprehension: { x: dyn, y: dyn, m: dyn },
};

/** Parses, checks, links and runs a case with the variables that it declares. Nothing of an event is there. */
export function evaluate({ suite, original }: Case): Outcome {
  const source = new Source("case", original.expr);
  const parsed = parseExpression(source);
  if (parsed.diagnostics.length > 0) return refused(parsed.diagnostics);
  const expression = original.disableCheck ? unchecked(parsed.expression) : parsed.expression;
  const environment = environmentOf(original, suiteVariables[suite]);
  const checked = checkCondition(expression, environment, { source, regex, expect: dyn });
  if (!checked.ir) return refused(checked.diagnostics);
  const value = link(checked.ir, vocabulary, regex, () => undefined)(frameOf(original, environment));
  return { type: printType(checked.type), value };
}

function refused(diagnostics: readonly Diagnostic[]): Outcome {
  return { refused: diagnostics.map(({ code, message }) => `${code} ${message}`).join("; ") };
}

function environmentOf(original: Original, more: Readonly<Record<string, Type>>): Environment {
  const types = new Map(Object.entries(more));
  for (const name of Object.keys(original.bindings ?? {})) types.set(name, dyn);
  for (const { name, ident } of original.typeEnv ?? []) {
    if (ident) types.set(name, original.disableCheck ? dyn : (typeOf(ident.type) ?? dyn));
  }
  const variables = [...types].map(([name, type], slot): [string, Variable] => [name, { name, type, doc: "", slot }]);
  return {
    events: [],
    variables: new Map(variables),
    elsewhere: new Map(),
    parameters: new Map(),
    lists: new Map(),
    listPlaces: new Map(),
    tools: new Set(),
    managers: new Set(),
    conditions: new Map(),
    slots: types.size,
  };
}

function frameOf({ bindings }: Original, { variables }: Environment): Frame {
  const slots = [...variables.keys()].map((name) => {
    const bound = bindings?.[name];
    return bound && (valueOf(bound.value) as Value);
  });
  return { slots, steps: limits.steps, regex } as unknown as Frame;
}

/**
 * The expression with every literal passed through `dyn`, so that operators and functions find their overload when it
 * runs. The language has no unchecked evaluation; this is what comes nearest to it.
 */
function unchecked(e: Expression): Expression {
  const { span } = e;
  const asDyn = (of: Expression): Expression => ({ kind: "call", name: "dyn", nameSpan: span, args: [of], span });
  switch (e.kind) {
    case "literal":
      return asDyn(e);
    case "list":
      return asDyn({ ...e, items: e.items.map((item) => ({ ...item, value: unchecked(item.value) })) });
    case "map":
      return asDyn({
        ...e,
        entries: e.entries.map((entry) => ({ ...entry, key: unchecked(entry.key), value: unchecked(entry.value) })),
      });
    case "member":
      return { ...e, of: unchecked(e.of) };
    case "index":
      return { ...e, of: unchecked(e.of), index: unchecked(e.index) };
    case "call":
      return { ...e, ...(e.receiver ? { receiver: unchecked(e.receiver) } : {}), args: e.args.map(unchecked) };
    case "unary":
      return { ...e, operand: unchecked(e.operand) };
    case "binary":
      return { ...e, left: unchecked(e.left), right: unchecked(e.right) };
    case "conditional":
      return { ...e, test: unchecked(e.test), then: unchecked(e.then), otherwise: unchecked(e.otherwise) };
    default:
      return e;
  }
}
