import type { Code } from "../../diagnostics/codes.ts";
import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Environment, PlacedText, Variable } from "../../rules/environment.ts";
import type { Type } from "../../rules/types.ts";
import { bool, errorType, isDyn, printType } from "../../rules/types.ts";
import type { Forms, RegexEngine } from "../../schema/ports.ts";

/** Whose condition it is: a rule that blocks, asks or labels, or an `allow`, `unless` or exception (language section 4). */
export type Polarity = "block" | "allow";

/** Access paths, as keys, that are known to be present. */
export type Known = ReadonlySet<string>;

const nothing: Known = new Set();

/** Values known to be present when an expression is true, and when it is false. */
export interface Implies {
  readonly whenTrue: Known;
  readonly whenFalse: Known;
}

/** An expression with names resolved, its type, and what follows from it. */
export interface Typed {
  readonly ir: Ir;
  readonly type: Type;
  readonly implies?: Implies;
  /** Key of the access path, for guards: `args.path`, `d.command`. */
  readonly key?: string;
  /** True for a list of effects or commands, and for a list filtered or mapped from one. */
  readonly uncertain?: boolean;
  /** The constant texts that a variable takes in turn, where a macro binds it to them. */
  readonly texts?: readonly PlacedText[];
  /** Spans of the items of a list that a name refers to. */
  readonly places?: readonly Span[];
  /** Name of the argument that it reads, where only the event decides the argument's type. */
  readonly argument?: Ir;
}

/** Scope of an expression. */
export interface Scope {
  /** Variables of macros and quantifiers; they hide those of the environment. */
  readonly variables: ReadonlyMap<string, Variable>;
  readonly known: Known;
  /** Under an odd number of negations: comparisons of paths ask for the other forms. */
  readonly negated: boolean;
  /** Roots of effects and shell give certain elements only. */
  readonly certain: boolean;
  /** Next free slot. */
  readonly slot: number;
}

/** A use of a named condition, in the variant that its place needs. `ir` is the name that the plan must have. */
export interface ConditionUse {
  readonly name: string;
  readonly ir: string;
  readonly polarity: Polarity;
  readonly negated: boolean;
}

/** Another spelling of a name. */
export interface Alias {
  readonly text: string;
  readonly name: string;
  /** Warning about it; undefined for a natural spelling, which gets a note. */
  readonly warning: { readonly message: string; readonly help: string } | undefined;
  /** Help of a note about a name that means more than the spelling. */
  readonly wider: string | undefined;
  /** True where the name may replace the spelling without asking the author. */
  readonly mends: boolean;
}

/** Interface that the parts of the checker share. */
export interface Checker {
  readonly environment: Environment;
  readonly polarity: Polarity;
  readonly regex: RegexEngine;
  /** False in text templates, where an absent field prints as unavailable. */
  readonly guards: boolean;
  check(expression: Expression, scope: Scope): Typed;
  report(code: Code, span: Span, message: string, help: string): void;
  /** Notes another spelling of a name of a table at this place. */
  alias(span: Span, alias: Alias): void;
  /** Text of the author's file at a span. */
  textAt(span: Span): string;
  /** Types an expression without reporting anything or noting any use. */
  probe(expression: Expression, scope: Scope): Typed;
  /** Records that the rule needs shell or effects. */
  need(): void;
  use(use: ConditionUse): void;
  /** The author's spelling of a call, e.g. `starts_with` of a YAML test. */
  readonly spelling: WeakMap<Expression, string>;
}

/** Returns IR with the span of its expression. */
export function at(span: Span, ir: Ir): Ir {
  return { ...ir, at: [span.start, span.end] };
}

/** Stands for an expression that has a diagnostic already, so that nothing else is said about it. */
export function failedAt(span: Span): Typed {
  return { ir: at(span, { k: "const", value: null }), type: errorType };
}

/** Returns IR with a type and a span. */
export function typed(span: Span, ir: Ir, type: Type, more: Omit<Typed, "ir" | "type"> = {}): Typed {
  return { ir: at(span, ir), type, ...more };
}

/** Returns IR of a bool with a span. */
export function truth(span: Span, ir: Ir, implies?: Implies): Typed {
  return implies ? typed(span, ir, bool, { implies }) : typed(span, ir, bool);
}

/** Returns the values known to be present when the expression is true. */
export function whenTrue(of: Typed): Known {
  return of.implies?.whenTrue ?? nothing;
}

/** Returns the values known to be present when the expression is false. */
export function whenFalse(of: Typed): Known {
  return of.implies?.whenFalse ?? nothing;
}

/** Paths known in either case. */
export function union(a: Known, b: Known): Known {
  if (a.size === 0) return b;
  return b.size === 0 ? a : new Set([...a, ...b]);
}

/** Paths known in both cases. */
export function intersection(a: Known, b: Known): Known {
  return new Set([...a].filter((key) => b.has(key)));
}

/** Returns the scope with more values known to be present. */
export function knowing(scope: Scope, known: Known): Scope {
  return known.size === 0 ? scope : { ...scope, known: union(scope.known, known) };
}

/** Returns the scope inside a negation. In an allow, negated tests must see possible effects as well. */
export function negating(scope: Scope, polarity: Polarity): Scope {
  return { ...scope, negated: !scope.negated, certain: polarity === "allow" && !scope.certain };
}

/** Returns the scope for the list of a universal quantifier: an allow that says `all` means possible elements too. */
export function universal(scope: Scope, polarity: Polarity): Scope {
  return { ...scope, certain: polarity === "allow" && !scope.certain };
}

/** Returns the scope with a variable in the next slot: `of` itself, an element of it, or its content. */
export function binding(scope: Scope, name: string, type: Type, of?: Typed, texts?: readonly PlacedText[]): Scope {
  const key = of?.argument;
  const argument = key?.k === "const" && typeof key.value === "string" ? { argument: key.value } : {};
  const known = texts && texts.length > 0 ? { texts } : {};
  const variable: Variable = { name, type, doc: "", slot: scope.slot, ...argument, ...known };
  return { ...scope, variables: new Map(scope.variables).set(name, variable), slot: scope.slot + 1 };
}

/** Returns the forms of a path that must match here. */
export function formsIn(scope: Scope, polarity: Polarity): Forms {
  return (polarity === "allow") !== scope.negated ? "all" : "any";
}

/** `and` or `or` of parts; nested ones of the same kind become one, a single part stays as it is. */
export function combine(kind: "and" | "or", parts: readonly Ir[]): Ir {
  const args = parts.flatMap((part) => (part.k === kind ? part.args : [part]));
  if (args.length === 1) return args[0] as Ir;
  return args.length === 0 ? { k: "const", value: kind === "and" } : { k: kind, args };
}

/** Reports an operand that is no bool. */
export function boolOf(checker: Checker, of: Typed, span: Span, place: string): Typed {
  if (isDyn(of.type) || of.type.kind === "bool") return of;
  const help =
    of.type.kind === "optional" ? "write `.orValue(false)`, or test it with `has(…)`" : "compare it with a value";
  checker.report("HW304", span, `${place} needs bool, here ${printType(of.type)}`, help);
  return failedAt(span);
}
