import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type { PlacedText } from "../../rules/environment.ts";
import type { Type } from "../../rules/types.ts";
import { dyn, isDyn, list, optional, printType } from "../../rules/types.ts";
import { constantTexts } from "./closed.ts";
import type { Checker, Scope, Typed } from "./context.ts";
import { at, binding, boolOf, combine, failedAt, truth, typed, universal } from "./context.ts";
import { bound, factGuard, refuseExists } from "./loops.ts";
import { checkHas } from "./names.ts";
import { checkTwoVariables, isTwoVariableMacro } from "./two-variables.ts";

type Call = Extract<Expression, { kind: "call" }>;

const loops: ReadonlyMap<string, Extract<Ir, { k: "loop" }>["loop"]> = new Map([
  ["all", "all"],
  ["exists", "exists"],
  ["exists_one", "exists_one"],
  ["existsOne", "exists_one"],
  ["filter", "filter"],
  ["map", "map"],
]);

const transforms: ReadonlySet<string> = new Set(["transformList", "transformMap", "transformMapEntry"]);

/** True if the call is a macro of the language. `spaced` is its name with its namespace, if any. */
export function isMacro({ name, receiver, args }: Call, spaced: string | undefined): boolean {
  if (!receiver) return name === "has";
  if (spaced === "cel.bind") return true;
  if (transforms.has(name)) return true;
  return loops.has(name) || ((name === "optMap" || name === "optFlatMap") && args.length === 2);
}

/** A macro call: the presence test, a loop, `cel.bind`, or a map over an optional. */
export function checkMacro(checker: Checker, expression: Call, scope: Scope): Typed {
  const { name, receiver } = expression;
  if (!receiver) return checkHas(checker, expression, scope);
  if (name === "bind") return checkBind(checker, expression, scope);
  if (name === "optMap" || name === "optFlatMap") return checkOptional(checker, expression, receiver, scope);
  if (isTwoVariableMacro(expression)) return checkTwoVariables(checker, expression, receiver, scope);
  return checkLoop(checker, expression, receiver, scope);
}

/** The variable that a macro binds: its first argument. */
function variableOf(checker: Checker, { args, name, nameSpan }: Call): string | undefined {
  const [variable] = args;
  if (variable?.kind === "name") return variable.name;
  checker.report(
    "HW304",
    variable?.span ?? nameSpan,
    `\`${name}\` needs the name of a variable first`,
    `write \`list.${name}(x, …)\``,
  );
  return undefined;
}

/** Returns the type of the elements that a loop goes through; undefined for a type that has no elements. */
function elementOf(type: Type): Type | undefined {
  if (isDyn(type)) return dyn;
  if (type.kind === "list") return type.element;
  return type.kind === "map" ? type.key : undefined;
}

function checkLoop(checker: Checker, expression: Call, receiver: Expression, scope: Scope): Typed {
  const { name, nameSpan, args, span } = expression;
  const loop = loops.get(name) as Extract<Ir, { k: "loop" }>["loop"];
  const over = checker.check(receiver, loop === "all" ? universal(scope, checker.polarity) : scope);
  if (args.length !== 2 && !(loop === "map" && args.length === 3)) {
    checker.report(
      "HW304",
      nameSpan,
      `\`${name}\` takes a variable and an expression, here ${args.length} arguments`,
      `write \`list.${name}(x, …)\``,
    );
    return failedAt(span);
  }
  const variable = variableOf(checker, expression);
  const element = elementOf(over.type);
  if (over.type.kind === "error" || variable === undefined) return failedAt(span);
  if (!element) {
    checker.report(
      "HW304",
      nameSpan,
      `\`${name}\` goes through lists and maps, here ${printType(over.type)}`,
      "use it on a list or map",
    );
    return failedAt(span);
  }
  refuseExists(checker, over, loop, nameSpan, scope);
  const texts = constantTexts(over, receiver);
  return loopOver(checker, { over, element, variable, loop, texts }, args.slice(1), span, scope);
}

interface Over {
  readonly over: Typed;
  readonly element: Type;
  readonly variable: string;
  readonly loop: Extract<Ir, { k: "loop" }>["loop"];
  readonly texts: readonly PlacedText[];
}

function loopOver(
  checker: Checker,
  { over, element, variable, loop, texts }: Over,
  bodies: readonly Expression[],
  span: Span,
  scope: Scope,
): Typed {
  const inner = binding(scope, variable, element, over, texts);
  const slot = scope.slot;
  const last = bodies.at(-1) as Expression;
  const where = bodies.length === 2 ? (bodies[0] as Expression) : undefined;
  const condition = where ? boolOf(checker, checker.check(where, inner), where.span, "`map`") : undefined;
  const body = checker.check(
    last,
    condition?.implies ? { ...inner, known: new Set([...inner.known, ...condition.implies.whenTrue]) } : inner,
  );
  const checked = loop === "map" ? body : boolOf(checker, body, last.span, `\`${loop}\``);
  if (checked.type.kind === "error" || condition?.type.kind === "error") return failedAt(span);
  const ir: Ir = {
    k: "loop",
    loop,
    list: over.ir,
    slot,
    ...(condition ? { where: condition.ir } : {}),
    body: checked.ir,
  };
  const uncertain = over.uncertain ? { uncertain: true } : {};
  if (loop === "map") return typed(span, ir, list(checked.type), uncertain);
  if (loop === "filter") return typed(span, ir, list(element), uncertain);
  const guard = loop === "all" && checker.polarity === "allow" && !scope.negated ? factGuard(over, scope) : [];
  return truth(span, combine("and", [...guard, at(span, ir)]));
}

/** Makes a list of an optional's value, if it has one; `optMap` loops over it. */
function once(of: Typed, span: Span): Ir {
  return at(span, { k: "list", items: [{ value: of.ir, optional: true }] });
}

/** `cel.bind(x, value, expression)`. */
function checkBind(checker: Checker, expression: Call, scope: Scope): Typed {
  const { args, nameSpan, span } = expression;
  const [, value, body] = args;
  if (args.length !== 3 || !value || !body) {
    checker.report(
      "HW304",
      nameSpan,
      `\`bind\` takes a variable, a value and an expression, here ${args.length} arguments`,
      "write `cel.bind(x, value, expression)`",
    );
    return failedAt(span);
  }
  const variable = variableOf(checker, expression);
  const given = checker.check(value, scope);
  if (variable === undefined || given.type.kind === "error") return failedAt(span);
  const inner = binding(scope, variable, given.type, given, constantTexts(given, value));
  const result = checker.check(body, inner);
  if (result.type.kind === "error") return failedAt(span);
  return typed(
    span,
    bound(given.ir, result.ir, scope.slot, span),
    result.type,
    result.uncertain ? { uncertain: true } : {},
  );
}

/**
 * Checks `optional.optMap(x, expression)`: the expression is applied to the optional's value; for `optFlatMap` its result is an
 * optional.
 */
function checkOptional(checker: Checker, expression: Call, receiver: Expression, scope: Scope): Typed {
  const { name, nameSpan, args, span } = expression;
  const over = checker.check(receiver, scope);
  const variable = variableOf(checker, expression);
  const body = args[1] as Expression;
  if (over.type.kind === "error" || variable === undefined) return failedAt(span);
  if (over.type.kind !== "optional" && !isDyn(over.type)) {
    checker.report(
      "HW304",
      nameSpan,
      `\`${name}\` needs an optional, here ${printType(over.type)}`,
      "take the field with `.?`",
    );
    return failedAt(span);
  }
  const inner = binding(scope, variable, over.type.kind === "optional" ? over.type.of : dyn, over);
  const result = checker.check(body, inner);
  if (result.type.kind === "error") return failedAt(span);
  const loop: Ir = { k: "loop", loop: "map", list: once(over, receiver.span), slot: scope.slot, body: result.ir };
  const first: Ir = { k: "call", fn: "list.first", args: [at(span, loop)] };
  if (name === "optMap") return typed(span, first, optional(result.type));
  const none: Ir = { k: "call", fn: "optional.none", args: [] };
  const flat: Ir = { k: "call", fn: "optional.or_value", args: [at(span, first), at(span, none)] };
  return typed(span, flat, isDyn(result.type) ? optional(dyn) : result.type);
}
