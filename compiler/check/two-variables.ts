import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Type } from "../../rules/types.ts";
import { bool, dyn, int, isDyn, list, map, printType } from "../../rules/types.ts";
import type { Checker, Scope, Typed } from "./context.ts";
import { at, binding, boolOf, combine, failedAt, knowing, typed, universal, whenTrue } from "./context.ts";
import { bound, factGuard, refuseExists } from "./loops.ts";

type Call = Extract<Expression, { kind: "call" }>;

const quantifiers = ["all", "exists", "exists_one", "existsOne"];
const transforms = ["transformList", "transformMap", "transformMapEntry"];

/** True for a macro over keys and values: `list.all(i, v, …)`, `map.transformMap(k, v, …)` (CEL's two-variable comprehensions). */
export function isTwoVariableMacro({ name, args }: Call): boolean {
  return transforms.includes(name) || (quantifiers.includes(name) && args.length === 3);
}

/** List or map that the macro goes through, and the variables that it binds. */
interface Pairs {
  readonly over: Typed;
  readonly key: { readonly name: string; readonly type: Type };
  readonly value: { readonly name: string; readonly type: Type };
  readonly span: Span;
  /** Slot of the list or map itself; key and value have the next two. */
  readonly slot: number;
}

/**
 * Lowers to loops with one variable: over the indices of a list or the keys of a map, with the value bound inside.
 * So the plan needs no kind of loop for it, and the budget counts what is really done.
 */
export function checkTwoVariables(checker: Checker, expression: Call, receiver: Expression, scope: Scope): Typed {
  const { name, span } = expression;
  const over = checker.check(receiver, name === "all" ? universal(scope, checker.polarity) : scope);
  const pairs = pairsOf(checker, expression, over, scope.slot);
  if (!pairs) return failedAt(span);
  if (quantifiers.includes(name))
    refuseExists(checker, over, name === "all" ? name : "exists", expression.nameSpan, scope);
  const held = binding(scope, "", over.type);
  const inner = binding(binding(held, pairs.key.name, pairs.key.type), pairs.value.name, pairs.value.type);
  const bodies = expression.args.slice(2);
  const last = bodies.at(-1) as Expression;
  const where = bodies.length === 2 ? (bodies[0] as Expression) : undefined;
  const condition = where && boolOf(checker, checker.check(where, inner), where.span, `\`${name}\``);
  const body = checker.check(last, condition ? knowing(inner, whenTrue(condition)) : inner);
  if (body.type.kind === "error" || condition?.type.kind === "error") return failedAt(span);
  const made = loopOf(checker, expression, pairs, condition, { body, at: last.span });
  if (!made) return failedAt(span);
  const whole = bound(over.ir, made.ir, pairs.slot, span);
  const guard = name === "all" && checker.polarity === "allow" && !scope.negated ? factGuard(over, scope) : [];
  const uncertain = over.uncertain && made.type.kind === "list" ? { uncertain: true } : {};
  return typed(span, guard.length > 0 ? combine("and", [...guard, at(span, whole)]) : whole, made.type, uncertain);
}

function pairsOf(checker: Checker, expression: Call, over: Typed, slot: number): Pairs | undefined {
  const { name, nameSpan, args, span } = expression;
  const filters = transforms.includes(name);
  if (args.length !== 3 && !(filters && args.length === 4)) {
    const message = `\`${name}\` takes two variables and an expression, here ${args.length} arguments`;
    checker.report("HW304", nameSpan, message, `write \`list.${name}(i, v, …)\``);
    return undefined;
  }
  const names = args.slice(0, 2).map((arg) => nameOf(checker, expression, arg));
  const [key, value] = names;
  if (over.type.kind === "error" || key === undefined || value === undefined) return undefined;
  if (key === value) {
    checker.report(
      "HW304",
      (args[1] as Expression).span,
      `\`${key}\` is bound twice`,
      "give the second variable another name",
    );
    return undefined;
  }
  const types = elementTypes(over.type);
  if (types) return { over, key: { name: key, type: types[0] }, value: { name: value, type: types[1] }, span, slot };
  const message = `\`${name}\` goes through lists and maps, here ${printType(over.type)}`;
  checker.report("HW304", nameSpan, message, "use it on a list or map");
  return undefined;
}

function nameOf(checker: Checker, { name }: Call, variable: Expression): string | undefined {
  if (variable.kind === "name") return variable.name;
  checker.report(
    "HW304",
    variable.span,
    `\`${name}\` needs the names of two variables first`,
    `write \`list.${name}(i, v, …)\``,
  );
  return undefined;
}

function elementTypes(type: Type): readonly [Type, Type] | undefined {
  if (isDyn(type)) return [dyn, dyn];
  if (type.kind === "list") return [int, type.element];
  return type.kind === "map" ? [type.key, type.value] : undefined;
}

/** Returns the IR whose keys a loop goes through: the indices of a list, or a map itself; for a dyn value this is decided at run time. */
function keysOf({ over, slot, span }: Pairs): Ir {
  const held = at(span, { k: "slot", slot, name: "" });
  const indices = at(span, {
    k: "call",
    fn: "lists.range",
    args: [at(span, { k: "call", fn: "list.size", args: [held] })],
  });
  if (over.type.kind !== "list" && !isDyn(over.type)) return held;
  if (over.type.kind === "list") return indices;
  const kind = at(span, { k: "call", fn: "type.of", args: [held] });
  const test = at(span, { k: "call", fn: "equal", args: [kind, at(span, { k: "const", value: "list" })] });
  return at(span, { k: "if", test, then: indices, else: held });
}

function loopOf(
  checker: Checker,
  { name }: Call,
  pairs: Pairs,
  condition: Typed | undefined,
  { body, at: place }: { readonly body: Typed; readonly at: Span },
): { readonly ir: Ir; readonly type: Type } | undefined {
  const { span, slot, key } = pairs;
  const keySlot = at(span, { k: "slot", slot: slot + 1, name: key.name });
  const value = at(span, { k: "index", of: at(span, { k: "slot", slot, name: "" }), index: keySlot });
  const each = (ir: Ir): Ir => bound(value, ir, slot + 2, span);
  const loop = (kind: Extract<Ir, { k: "loop" }>["loop"], inner: Ir): Ir => {
    const where = condition ? { where: each(condition.ir) } : {};
    return at(span, { k: "loop", loop: kind, list: keysOf(pairs), slot: slot + 1, ...where, body: inner });
  };
  if (quantifiers.includes(name)) {
    const tested = boolOf(checker, body, place, `\`${name}\``);
    if (tested.type.kind === "error") return undefined;
    const kind = name === "existsOne" ? "exists_one" : (name as "all" | "exists" | "exists_one");
    return { ir: loop(kind, each(body.ir)), type: bool };
  }
  if (name === "transformList") return { ir: loop("map", each(body.ir)), type: list(body.type) };
  if (name === "transformMap") {
    const entry = at(span, { k: "list", items: [{ value: keySlot }, { value: each(body.ir) }] });
    return {
      ir: at(span, { k: "call", fn: "map.of_entries", args: [loop("map", entry)] }),
      type: map(key.type, body.type),
    };
  }
  if (!isDyn(body.type) && body.type.kind !== "map") {
    checker.report("HW304", place, `\`${name}\` needs a map, here ${printType(body.type)}`, "write `{key: value}`");
    return undefined;
  }
  return { ir: at(span, { k: "call", fn: "map.merge", args: [loop("map", each(body.ir))] }), type: body.type };
}
