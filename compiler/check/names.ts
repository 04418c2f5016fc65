import type { Span } from "../../diagnostics/source.ts";
import { didYouMean, shown } from "../../diagnostics/suggest.ts";
import type { Ir, Json } from "../../engine/plan.ts";
import { spend } from "../../facts/meter.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Constant, Variable } from "../../rules/environment.ts";
import { programTable } from "../../rules/name-tables.ts";
import type { Field, Type } from "../../rules/types.ts";
import {
  bool,
  dyn,
  int,
  isDyn,
  join,
  list,
  map,
  nullType,
  optional,
  printType,
  string,
  typeType,
} from "../../rules/types.ts";
import { constantSize } from "../allowance.ts";
import { argumentNamed, viewed } from "./arguments.ts";
import type { Checker, Scope, Typed } from "./context.ts";
import { at, failedAt, formsIn, truth, typed } from "./context.ts";
import { isOutside } from "./literal-items.ts";
import { refuseExists } from "./loops.ts";
import { fieldHelp, noFieldHelp, ownText, rootHelp, unknownHelp } from "./name-help.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

/** Names of types, as `type(x)` returns them. */
const typeNames: ReadonlySet<string> = new Set([
  "null_type",
  "bool",
  "int",
  "double",
  "string",
  "list",
  "map",
  "timestamp",
  "duration",
  "path",
  "url",
  "optional_type",
  "type",
]);

const namespaces = ["parameters", "lists", "conditions"] as const;

/** Checks a lone name: a variable, a root, a `$name`, or a type. */
export function checkName(checker: Checker, { name, span }: Of<"name">, scope: Scope): Typed {
  const variable = lookup(checker, name, scope);
  if (variable) return variableAt(checker, variable, span, scope);
  if (name.startsWith("$")) return reference(checker, name.slice(1), span, scope);
  if (typeNames.has(name)) return typed(span, { k: "const", value: name }, typeType);
  unknownName(checker, name, span, scope);
  return failedAt(span);
}

/** Returns the variable of a name in this scope. */
export function lookup(checker: Checker, name: string, scope: Scope): Variable | undefined {
  return scope.variables.get(name) ?? checker.environment.variables.get(name);
}

function variableAt(checker: Checker, variable: Variable, span: Span, scope: Scope): Typed {
  const { name, type, slot, argument } = variable;
  const of = argument === undefined ? {} : { argument: { k: "const", value: argument } as const };
  const known = variable.texts && { texts: variable.texts };
  if (slot !== undefined) return typed(span, { k: "slot", slot, name }, type, { key: `$${slot}`, ...of, ...known });
  return rootAt(checker, name, type, span, scope);
}

/** Returns the IR of a root, as its place requires. */
function rootAt(checker: Checker, name: string, type: Type, span: Span, scope: Scope): Typed {
  const fact = /^(?:effects|shell)(?:\.|$)/.test(name);
  if (fact) checker.need();
  const ir: Ir = fact && name.includes(".") && scope.certain ? { k: "root", name, certain: true } : { k: "root", name };
  return typed(span, ir, type, { key: name, uncertain: fact });
}

function unknownName(checker: Checker, name: string, span: Span, scope: Scope): void {
  const events = checker.environment.elsewhere.get(name);
  if (events) {
    // If the rule is also for such an event, the name is right, and the rule has too many other events.
    const isMeant = events.some((event) => checker.environment.events.includes(event));
    const more = isMeant ? undefined : rootHelp(checker, name, scope);
    const own = checker.environment.events.length === 1 ? ownText(checker, name) : undefined;
    const having = events.map((event) => `\`${event}\``).join(", ");
    checker.report(
      "HW301",
      span,
      `\`${shown(name)}\` is not there in every event of this rule`,
      own ??
        `only ${having} ${events.length === 1 ? "has" : "have"} it; give such a rule of its own${name === "result" ? " (in an item of `sequence` write `event: tool_result`)" : ""}${more === undefined ? "" : `; ${more}`}`,
    );
    return;
  }
  const known = [...scope.variables.keys(), ...checker.environment.variables.keys(), ...namespaces];
  checker.report("HW301", span, `unknown name \`${shown(name)}\``, unknownHelp(checker, name, known, scope));
}

function reference(checker: Checker, name: string, span: Span, scope: Scope): Typed {
  const { parameters, lists, conditions } = checker.environment;
  const kind = parameters.has(name) ? "parameters" : lists.has(name) ? "lists" : "conditions";
  const known = [...parameters.keys(), ...lists.keys(), ...conditions.keys()];
  return declared(checker, kind, name, span, scope, known);
}

/** Spends the cost of a constant of the policy: the plan holds a copy at each place that uses it. */
function charged(value: Json): Json {
  spend(constantSize(value));
  return value;
}

/** `parameters.x`, `lists.x` or `conditions.x`. */
function declared(
  checker: Checker,
  kind: (typeof namespaces)[number],
  name: string,
  span: Span,
  scope: Scope,
  all?: readonly string[],
): Typed {
  const { parameters, lists } = checker.environment;
  const parameter = kind === "parameters" ? parameters.get(name) : undefined;
  if (parameter)
    return typed(
      span,
      { k: "const", value: charged(parameter.value as Json), ...doubleTag(parameter.type) },
      parameter.type,
    );
  const items = kind === "lists" ? lists.get(name) : undefined;
  const places = checker.environment.listPlaces.get(name);
  if (items)
    return typed(span, { k: "const", value: charged(items as Json) }, constantType(items), places ? { places } : {});
  if (kind === "conditions" && checker.environment.conditions.has(name)) return conditionAt(checker, name, span, scope);
  const known = all ?? [...checker.environment[kind].keys()];
  checker.report("HW404", span, `no ${kind.slice(0, -1)} \`${name}\` in this policy`, didYouMean(name, known));
  return failedAt(span);
}

/** Returns the type tag of a double or duration, which JSON cannot distinguish from an int or text. */
function doubleTag(type: Type): { type: "double" | "duration" } | Record<never, never> {
  return type.kind === "double" || type.kind === "duration" ? { type: type.kind } : {};
}

/** The type of a value written as data. */
function constantType(value: Constant): Type {
  if (value === null) return nullType;
  if (typeof value === "boolean") return bool;
  if (typeof value === "string") return string;
  if (typeof value === "number") return Number.isSafeInteger(value) ? int : { kind: "double" };
  if (Array.isArray(value)) {
    const items = (value as readonly Constant[]).map(constantType);
    return list(items.length === 0 ? dyn : items.reduce(join));
  }
  return map(string, dyn);
}

/** A named condition, in the variant that this place needs. */
export function conditionAt(checker: Checker, name: string, span: Span, scope: Scope): Typed {
  const condition = checker.environment.conditions.get(name);
  if (!condition) {
    checker.report(
      "HW404",
      span,
      `no condition \`${name}\` in this policy`,
      didYouMean(name, [...checker.environment.conditions.keys()]),
    );
    return failedAt(span);
  }
  if (condition.needs) checker.need();
  const ir = conditionVariant(condition.id, checker.polarity, scope.negated);
  checker.use({ name, ir, polarity: checker.polarity, negated: scope.negated });
  return truth(span, { k: "condition", name: ir });
}

/** Returns a condition's name in the plan for places of this polarity; the plain id where it blocks and is not negated. */
export function conditionVariant(id: string, polarity: "block" | "allow", negated: boolean): string {
  const variant = [...(polarity === "allow" ? ["allow"] : []), ...(negated ? ["not"] : [])].join("-");
  return variant === "" ? id : `${id}#${variant}`;
}

/** Checks `of.field` and `of.?field`. */
export function checkMember(checker: Checker, expression: Of<"member">, scope: Scope): Typed {
  const { of, field, fieldSpan, span } = expression;
  const namespace = of.kind === "name" ? namespaces.find((name) => name === of.name) : undefined;
  if (namespace && !lookup(checker, namespace, scope)) return declared(checker, namespace, field, fieldSpan, scope);
  const base = checker.check(of, scope);
  const chained = base.type.kind === "optional";
  const type = base.type.kind === "optional" ? base.type.of : base.type;
  if (expression.optional || chained) return optionalMember(checker, expression, base, type, scope);
  if (type.kind === "record") return recordField(checker, expression, base, type.name, type.fields(), scope);
  if (type.kind === "map" || isDyn(type)) {
    const result = type.kind === "map" ? type.value : dyn;
    const key = base.key === undefined ? {} : { key: `${base.key}.${field}` };
    if (type.kind === "error") return failedAt(span);
    const ir: Ir = { k: "field", of: viewed(base, span), name: field };
    return typed(span, ir, result, { ...key, ...argumentNamed(base, field) });
  }
  return noFields(checker, field, fieldSpan, span, type);
}

function noFields(checker: Checker, field: string, fieldSpan: Span, span: Span, type: Type): Typed {
  const path = checker.textAt({ start: span.start, end: fieldSpan.start }).replace(/[.?]+$/, "");
  const isKey = /^["']?\s*:/.test(checker.textAt({ start: fieldSpan.end, end: fieldSpan.end + 4 }));
  const help = noFieldHelp(type, field, path, isKey);
  checker.report("HW302", fieldSpan, `no field \`${shown(field)}\` on ${printType(type)}`, help);
  return failedAt(span);
}

function optionalMember(
  checker: Checker,
  { field, fieldSpan, span }: Of<"member">,
  base: Typed,
  type: Type,
  scope: Scope,
): Typed {
  const plain: Ir = { k: "field", of: viewed(base, span), name: field, optional: true };
  if (type.kind === "error") return failedAt(span);
  if (type.kind === "map" || isDyn(type))
    return typed(span, plain, optional(type.kind === "map" ? type.value : dyn), argumentNamed(base, field));
  if (type.kind !== "record") return noFields(checker, field, fieldSpan, span, type);
  const found = fieldNamed(checker, type.name, type.fields(), field, fieldSpan);
  if (!found) return failedAt(span);
  const ir: Ir = { ...plain, ...programForms(checker, found, scope) };
  if (found.lower?.as === "convert")
    return typed(span, convertedOptional(at(span, ir), found.lower.fn, scope.slot, span), optional(found.type));
  if (found.lower) {
    checker.report("HW302", fieldSpan, `\`${field}\` cannot be taken with \`.?\``, "guard it with `has(…)` instead");
    return failedAt(span);
  }
  return typed(span, ir, optional(found.type));
}

/** Builds IR that passes the value of an optional through an overload; the result is an optional too. */
function convertedOptional(held: Ir, fn: string, slot: number, span: Span): Ir {
  const value: Ir = at(span, { k: "slot", slot, name: "value" });
  const body = at(span, { k: "call", fn, args: [value] });
  const list = at(span, { k: "list", items: [{ value: held, optional: true }] });
  return { k: "call", fn: "list.first", args: [at(span, { k: "loop", loop: "map", list, slot, body })] };
}

function fieldNamed(
  checker: Checker,
  record: string,
  fields: ReadonlyMap<string, Field>,
  name: string,
  span: Span,
): Field | undefined {
  const field = fields.get(name);
  const message = `no field \`${shown(name)}\` on ${record}`;
  if (!field) checker.report("HW302", span, message, fieldHelp(checker, record, fields, name, span));
  return field;
}

function recordField(
  checker: Checker,
  expression: Of<"member">,
  base: Typed,
  record: string,
  fields: ReadonlyMap<string, Field>,
  scope: Scope,
): Typed {
  const { field: name, fieldSpan, span } = expression;
  const field = fieldNamed(checker, record, fields, name, fieldSpan);
  if (!field) return failedAt(span);
  const key = base.key === undefined ? undefined : `${base.key}.${name}`;
  if (!field.required && checker.guards && (key === undefined || !scope.known.has(key)))
    unguarded(checker, expression, key);
  const found = lowered(checker, field, base, name, span, key, scope);
  return base.key === "args" ? { ...found, ...argumentNamed(base, name) } : found;
}

function unguarded(checker: Checker, { fieldSpan, field, span }: Of<"member">, key: string | undefined): void {
  const text = checker.textAt(span);
  const path = text.length <= 80 && !text.includes("\n") && text.endsWith(field) ? text : (key ?? field);
  const help =
    key === undefined
      ? `write \`.?${field}.orValue(…)\``
      : `write \`has(${path}) && …\` before it, or \`.?${field}.orValue(…)\``;
  checker.report("HW306", fieldSpan, `\`${field}\` may be absent`, help);
}

/** Tags the field `program` where a test loosens: there the name counts only for a program in its usual folder. */
function programForms(checker: Checker, { type }: Field, scope: Scope): { forms?: "all" } {
  const isProgram = type.kind === "string" && type.names === programTable;
  return isProgram && checker.guards && formsIn(scope, checker.polarity) === "all" ? { forms: "all" } : {};
}

/** Lowers the access to a field as its `lower` says. */
function lowered(
  checker: Checker,
  field: Field,
  base: Typed,
  name: string,
  span: Span,
  key: string | undefined,
  scope: Scope,
): Typed {
  const more = key === undefined ? {} : { key };
  const plain: Ir = { k: "field", of: base.ir, name, ...programForms(checker, field, scope) };
  switch (field.lower?.as) {
    case "root":
      return { ...rootAt(checker, field.lower.name, field.type, span, scope), ...more };
    case "convert":
      return typed(span, { k: "call", fn: field.lower.fn, args: [at(span, plain)] }, field.type, more);
    case "compute":
      return typed(span, { k: "call", fn: field.lower.fn, args: [base.ir] }, field.type, more);
    case "command":
      checker.need();
      return typed(
        span,
        { k: "index", of: at(span, { k: "root", name: "shell.commands" }), index: at(span, plain) },
        field.type,
        more,
      );
    default:
      return typed(span, plain, field.type, more);
  }
}

/** `of[index]` and `of[?index]`. */
export function checkIndex(checker: Checker, expression: Of<"index">, scope: Scope): Typed {
  const { span } = expression;
  const base = checker.check(expression.of, scope);
  const index = checker.check(expression.index, scope);
  const chained = base.type.kind === "optional";
  const type = base.type.kind === "optional" ? base.type.of : base.type;
  if (type.kind === "error" || index.type.kind === "error") return failedAt(span);
  const element = itemType(checker, expression, type, index.type);
  if (!element) return failedAt(span);
  if (!expression.optional && !chained && isOutside(checker, expression, base.ir, index.ir)) return failedAt(span);
  refuseExists(checker, base, "index", span, scope);
  const maybe = expression.optional || chained;
  const ir: Ir = { k: "index", of: base.ir, index: index.ir, ...(maybe ? { optional: true as const } : {}) };
  return typed(span, ir, maybe ? optional(element) : element, argumentNamed(base, index.ir));
}

function itemType(checker: Checker, { index: key }: Of<"index">, type: Type, index: Type): Type | undefined {
  const { span } = key;
  if (isDyn(type)) return dyn;
  if (type.kind === "list" && (isDyn(index) || index.kind === "int" || index.kind === "double")) return type.element;
  if (type.kind === "map") {
    if (
      isDyn(index) ||
      index.kind === type.key.kind ||
      isDyn(type.key) ||
      (index.kind === "double" && type.key.kind === "int")
    )
      return type.value;
    checker.report("HW304", span, `key of ${printType(type)} is ${printType(index)}`, `write a ${printType(type.key)}`);
    return undefined;
  }
  const help =
    type.kind === "string"
      ? "use `charAt` or `substring`"
      : type.kind === "list"
        ? "write an int"
        : key.kind === "literal" && typeof key.value === "string"
          ? `a field stands behind a dot: write \`.${key.value}\``
          : "only lists and maps have items";
  checker.report("HW304", span, `no item of ${printType(type)} by ${printType(index)}`, help);
  return undefined;
}

/** Checks `has(of.field)`, the test for presence; after it the field counts as guarded. */
export function checkHas(checker: Checker, expression: Of<"call">, scope: Scope): Typed {
  const { span } = expression;
  const [argument] = expression.args;
  if (expression.args.length !== 1 || argument?.kind !== "member") {
    checker.report("HW304", argument?.span ?? span, "`has` takes a field", "write `has(a.b)`");
    return failedAt(span);
  }
  const base = checker.check(argument.of, scope);
  const type = base.type.kind === "optional" ? base.type.of : base.type;
  if (type.kind === "error") return failedAt(span);
  const known = base.key === undefined ? new Set<string>() : new Set([`${base.key}.${argument.field}`]);
  const implies = { whenTrue: known, whenFalse: new Set<string>() };
  const ir: Ir = { k: "has", of: viewed(base, span), name: argument.field };
  if (type.kind === "map" || isDyn(type)) return truth(span, ir, implies);
  if (type.kind !== "record") return noFields(checker, argument.field, argument.fieldSpan, span, type);
  const field = fieldNamed(checker, type.name, type.fields(), argument.field, argument.fieldSpan);
  if (!field) return failedAt(span);
  if (field.lower?.as === "compute") return truth(span, { k: "const", value: true }, implies);
  if (field.lower?.as !== "command") return truth(span, ir, implies);
  const index: Ir = { k: "field", of: base.ir, name: argument.field };
  return truth(
    span,
    { k: "call", fn: "number.greater_equal", args: [at(span, index), at(span, { k: "const", value: 0 })] },
    implies,
  );
}
