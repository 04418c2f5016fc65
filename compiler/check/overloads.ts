import type { Ir } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type { About } from "../../rules/functions/about.ts";
import type { Callable } from "../../rules/signatures.ts";
import { callable } from "../../rules/signatures.ts";
import type { Type } from "../../rules/types.ts";
import { isDyn, isRecord, join, printType, substitute, typeType, unify } from "../../rules/types.ts";
import { argumentCall } from "./arguments.ts";
import { checkPart } from "./closed.ts";
import { checkConstants } from "./constants.ts";
import type { Checker, Scope, Typed } from "./context.ts";
import { failedAt, formsIn, typed } from "./context.ts";
import { rootHelp, textField } from "./name-help.ts";
import { isOutOfRange } from "./ranges.ts";

/** Chooses the overload of a name for these arguments, the receiver first. */
export function resolve(
  checker: Checker,
  name: string,
  method: boolean,
  args: readonly Expression[],
  expression: Expression,
  scope: Scope,
): Typed {
  const found = callable(name, method) as Callable;
  const given = args.map((arg) => checker.check(arg, scope));
  if (given.some(({ type }) => type.kind === "error")) return failedAt(expression.span);
  const types = given.map(({ type }) => type);
  if (found.family === "type_of" && types[0]?.kind === "type")
    return typed(expression.span, { k: "const", value: "type" }, typeType);
  const fitting = fits(found.overloads, types);
  if (fitting.length === 0) return noOverload(checker, found, types, args, expression, scope);
  const chosen = choose(fitting, types, found);
  const ok = checkConstants(checker, chosen.fn, name, given, args) && checkPart(checker, name, given, args[1], scope);
  const [first, second] = given;
  const sign = /^_([<>]=?)_$/.exec(name)?.[1];
  const outside = sign && first && second && isOutOfRange(checker, sign, [first, second], [args[0], args[1]], scope);
  if (!ok || outside) return failedAt(expression.span);
  const open =
    chosen.fn === `any.${found.family}` && first && second && given.length === 2
      ? argumentCall(found.family, first, second, expression.span)
      : undefined;
  const ir: Ir = folded(chosen.fn, given) ?? {
    k: "call",
    ...(open ?? { fn: chosen.fn, args: given.map((arg) => arg.ir) }),
    ...forms(checker, scope, types),
  };
  const uncertain = first?.uncertain === true && chosen.result.kind === "list";
  const held = name === "orValue" && first?.argument ? { argument: first.argument } : {};
  return typed(expression.span, ir, chosen.result, { ...held, ...(uncertain ? { uncertain } : {}) });
}

/** Functions that only look at the first argument, path or dyn, tell forms apart. */
function forms(checker: Checker, scope: Scope, types: readonly Type[]): { forms?: "all" } {
  const first = types[0];
  const mayBe = first !== undefined && (isDyn(first) || isRecord(first, "path"));
  return mayBe && formsIn(scope, checker.polarity) === "all" ? { forms: "all" } : {};
}

interface Fit {
  readonly about: About;
  readonly result: Type;
}

function fits(overloads: readonly About[], types: readonly Type[]): readonly Fit[] {
  return overloads.flatMap((about) => {
    if (about.parameters.length !== types.length) return [];
    const bound = new Map<string, Type>();
    const fit = about.parameters.every((parameter, i) => unify(types[i] as Type, parameter, bound));
    return fit ? [{ about, result: substitute(about.result, bound) }] : [];
  });
}

/** Chooses the overload that the types determine; the family's dispatcher if a dyn argument leaves several. */
function choose(
  fitting: readonly Fit[],
  types: readonly Type[],
  { family, overloads }: Callable,
): { fn: string; result: Type } {
  const [first, ...rest] = fitting as [Fit, ...Fit[]];
  if (new Set(overloads.map((about) => about.id)).size === 1 || !types.some(isDyn))
    return { fn: first.about.id, result: first.result };
  return { fn: `any.${family}`, result: rest.map((fit) => fit.result).reduce(join, first.result) };
}

/** Folds constant times, so that they cannot fail later. */
function folded(fn: string, given: readonly Typed[]): Ir | undefined {
  const ir = given[0]?.ir;
  if (ir?.k !== "const" || ir.type !== undefined || typeof ir.value !== "string") return undefined;
  if (fn === "timestamp.from_string") return { k: "const", value: ir.value, type: "timestamp" };
  return fn === "duration.from_string" ? { k: "const", value: ir.value, type: "duration" } : undefined;
}

function noOverload(
  checker: Checker,
  found: Callable,
  types: readonly Type[],
  args: readonly Expression[],
  expression: Expression,
  scope: Scope,
): Typed {
  const shown = checker.spelling.get(expression) ?? display(found.name);
  const counts = new Set(found.overloads.map((about) => about.parameters.length));
  const span = expression.kind === "call" ? expression.nameSpan : expression.span;
  const signatures = [...new Set(found.overloads.map(written))];
  const known = `it takes ${signatures
    .slice(0, 4)
    .map((text) => `\`${text}\``)
    .join(", ")}${signatures.length > 4 ? ", …" : ""}`;
  if (!counts.has(types.length)) {
    const wanted = [...counts].map((count) => count - (found.method ? 1 : 0)).join(" or ");
    checker.report(
      "HW304",
      span,
      `\`${shown}\` takes ${wanted} argument${wanted === "1" ? "" : "s"}, here ${types.length - (found.method ? 1 : 0)}`,
      known,
    );
    return failedAt(expression.span);
  }
  const [first] = args;
  const isTypeName = types[0]?.kind === "type" && first?.kind === "name";
  const meant = isTypeName ? rootHelp(checker, first.name, scope) : undefined;
  const itemsHelp = listHelp(found.name, types, args, (part) => checker.textAt(part));
  const wrong = args[firstWrong(found.overloads, types)]?.span ?? span;
  const here = types.map(printType).join(", ");
  checker.report(
    "HW304",
    found.method || expression.kind !== "call" ? span : wrong,
    `\`${shown}\` does not take (${here})`,
    meant ??
      optionalHelp(types) ??
      itemsHelp ??
      itemTextHelp(found.name, types, args, (part) => checker.textAt(part)) ??
      numberHelp(types, args) ??
      mapHelp(found.name, types, args, (part) => checker.textAt(part)) ??
      textHelp(found, types, args, checker, checker.spelling.get(expression)) ??
      known,
  );
  return failedAt(expression.span);
}

/** Returns the help for a number in quotes, which is a text. */
function numberHelp(types: readonly Type[], args: readonly Expression[]): string | undefined {
  const at = args.findIndex(
    (arg) => arg.kind === "literal" && typeof arg.value === "string" && /^-?\d{1,15}(?:\.\d+)?$/.test(arg.value),
  );
  const written = args[at] ?? args.find((arg) => arg.kind === "literal" && typeof arg.value === "string");
  const other = written?.kind === "literal" ? otherNumber(String(written.value)) : undefined;
  if (at < 0) return types.some(({ kind }) => kind === "int" || kind === "double") ? other : undefined;
  const isCompared = types.some(({ kind }, i) => i !== at && (kind === "int" || kind === "double"));
  return written?.kind === "literal" && isCompared ? `write \`${String(written.value)}\`, without quotes` : undefined;
}

/** Returns the help for a number with a unit, and for a parameter that YAML takes as a text. */
function otherNumber(text: string): string | undefined {
  const named = /^(?:parameters|lists)\.([a-z_]\w*)$/.exec(text)?.[1];
  if (named !== undefined) return `write \`$${named}\`, or compare in an expression`;
  const [, number, unit = ""] = /^(\d{1,9})\s*(ms|s|m|min|h|d|[kmg]i?b?)$/i.exec(text) ?? [];
  if (number === undefined) return undefined;
  return `a number has no unit: write \`${number}\` with as many zeros as \`${unit}\` stands for`;
}

/** Returns the help for `contains` on a map, which has keys. */
function mapHelp(
  name: string,
  [map]: readonly Type[],
  [first, second]: readonly Expression[],
  textAt: (span: Expression["span"]) => string,
): string | undefined {
  if (map?.kind !== "map" || !/^contains/.test(name) || !first || second?.kind !== "literal") return undefined;
  const path = textAt(first.span);
  const key = String(second.value);
  if (!/^[\w.]{1,60}$/.test(path) || !/^\w{1,60}$/.test(key)) return undefined;
  return `it is a map: test \`${path}.${key}: { present: true }\`, or \`"${key}" in ${path}\` in an expression`;
}

/** Returns the help for a text in place of a number, and an address in place of a text. */
function textHelp(
  { name, overloads }: Callable,
  [left, right]: readonly Type[],
  [first, second]: readonly Expression[],
  checker: Pick<Checker, "textAt">,
  spelt: string | undefined,
): string | undefined {
  if (!left || !first || right?.kind === "list") return undefined;
  const path = checker.textAt(first.span);
  const shown = /^[\w.]{1,60}$/.test(path) ? path : "…";
  const isNumber = right?.kind === "int" || right?.kind === "double";
  const mayBeNumber = left.kind === "string" && !left.values && !left.names;
  if (/^_?[<>]=?_?$/.test(name) && mayBeNumber && isNumber && second)
    return `it is a text: in an expression write \`int(${shown})\``;
  const takesText = overloads.some(({ parameters }) => parameters[0]?.kind === "string");
  if (takesText && left.kind === "record") {
    const field = textField(left.name, left.fields());
    if (field !== undefined)
      return spelt === undefined
        ? `test its text: \`${shown}.${field}.${name}(…)\``
        : `test its text: \`${shown}.${field}: { ${spelt}: … }\``;
    if (left.name === "args") return `name the argument: \`${shown}.${[...left.fields().keys()][0] ?? "…"}\``;
  }
  if (takesText && isRecord(left, "url"))
    return `test a field of it: \`${shown}.host\`, \`${shown}.path\`, \`${shown}.text\``;
  return undefined;
}

/** Returns help for `contains` on a list of records: its items are not texts, so the author must say which field is meant. */
function listHelp(
  name: string,
  [list, value]: readonly Type[],
  [written]: readonly Expression[],
  textAt: (span: Expression["span"]) => string,
): string | undefined {
  if (list?.kind !== "list" || list.element.kind !== "record" || !value) return undefined;
  if (name === "_+_" && value.kind === "list") return "each list has items of its own kind: write a rule for each list";
  if (!/^contains/.test(name)) return undefined;
  const { element } = list;
  const path = written ? textAt(written.span) : "";
  if (element.name === "option")
    return `test \`{ has_option: … }\` of the command: \`${path.replace(/\.options$/, "")}: { has_option: … }\``;
  const field = [...element.fields()].find(([, { type }]) => type.kind === "string" || isRecord(type, "path"))?.[0];
  const shown = /^[\w.]{1,60}$/.test(path) ? path : "…";
  return `test a field of an item: \`some: { ${shown}: { ${field ?? "…"}: … } }\``;
}

/** Returns the help for a number among the items of a list of texts: `operands: { contains: 777 }`. */
function itemTextHelp(
  name: string,
  [list, value]: readonly Type[],
  [, written]: readonly Expression[],
  textAt: (span: Expression["span"]) => string,
): string | undefined {
  const holder = list?.kind === "list" ? list.element : list;
  if (holder?.kind !== "string" || !/^contains|With$|^starts|^ends/.test(name) || !written) return undefined;
  const isNumber = value?.kind === "int" || value?.kind === "double" || value?.kind === "bool";
  return isNumber ? `it is compared with texts: write \`"${textAt(written.span).slice(0, 40)}"\`` : undefined;
}

function optionalHelp(types: readonly Type[]): string | undefined {
  return types.some((type) => type.kind === "optional") ? "write `.orValue(…)` on the optional" : undefined;
}

/** Returns the index of the first argument that fits no overload; the last index if each fits some. */
function firstWrong(overloads: readonly About[], types: readonly Type[]): number {
  const wrong = types.findIndex(
    (type, i) => !overloads.some((about) => about.parameters[i] && unify(type, about.parameters[i] as Type, new Map())),
  );
  return wrong < 0 ? types.length - 1 : wrong;
}

/** A signature as authors use it: `int < int` for an operator. */
function written({ name, parameters, signature }: About): string {
  if (/^[a-z]/.test(name)) return signature;
  const [first, second] = parameters.map(printType);
  return second === undefined ? `${display(name)}${first}` : `${first} ${display(name)} ${second}`;
}

/** `_+_` as authors know it: `+`. */
function display(name: string): string {
  return /^[a-z]/.test(name) ? name : name.replaceAll("_", "");
}
