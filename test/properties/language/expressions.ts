import type { Environment } from "../../../rules/environment.ts";
import type { About } from "../../../rules/functions/about.ts";
import { families } from "../../../rules/signatures.ts";
import type { Type } from "../../../rules/types.ts";
import {
  assignable,
  bool,
  double,
  duration,
  dyn,
  int,
  list,
  optional,
  string,
  timestamp,
  unify,
} from "../../../rules/types.ts";
import { type Access, accessesFrom, accessesOf } from "./access.ts";
import { closedNames, constantTexts, literal, plainTypes, quoted } from "./literals.ts";
import type { Random } from "./random.ts";

const byFamily: readonly (readonly About[])[] = Object.values(families);
const overloads: readonly About[] = byFamily.flat();

/** Where a part of an expression stands. */
interface Scope {
  readonly accesses: readonly Access[];
  readonly depth: number;
  /** `has` tests of the condition around; undefined where none can be put, as in the body of `map`. */
  readonly guards: Set<string> | undefined;
  readonly variables: number;
}

/** What a generator of conditions is told of its place. */
export interface Place {
  readonly environment: Environment;
  /** In an `unless` or exception `exists` over effects and commands is an error. */
  readonly allow: boolean;
  /** Named conditions and bool parameters, as expressions. */
  readonly named: readonly string[];
}

const compared: readonly Type[] = [string, string, int, int, double, bool, timestamp, duration, dyn];
const listed: readonly Type[] = [list(string), list(string), list(int), list(dyn), list(bool)];

/** Expressions of the language, mostly well typed, made out of what the environment and the signatures of functions offer. */
export class Expressions {
  readonly #random: Random;
  readonly #place: Place;
  readonly #accesses: readonly Access[];

  constructor(random: Random, place: Place) {
    this.#random = random;
    this.#place = place;
    this.#accesses = accessesOf(place.environment);
  }

  /** The text of a condition. */
  condition(depth: number): string {
    return this.#bool({ accesses: this.#accesses, depth, guards: undefined, variables: 0 });
  }

  /** Logic over atoms; each atom brings the guards that its fields need. */
  #bool(scope: Scope): string {
    const inner = { ...scope, depth: scope.depth - 1 };
    const random = this.#random;
    const kind = scope.depth <= 0 ? 1 : random.next();
    if (kind < 0.14) return `(${this.#bool(inner)} && ${this.#bool(inner)})`;
    if (kind < 0.28) return `(${this.#bool(inner)} || ${this.#bool(inner)})`;
    if (kind < 0.36) return `!(${this.#bool(inner)})`;
    if (kind < 0.4) return `(${this.#bool(inner)} ? ${this.#bool(inner)} : ${this.#bool(inner)})`;
    if (kind < 0.46 && this.#place.named.length > 0) return random.pick(this.#place.named);
    return this.#guarded(scope);
  }

  #guarded(scope: Scope): string {
    const guards = new Set<string>();
    const atom = this.#atom({ ...scope, guards }) ?? this.#random.pick(["true", "false"]);
    return guards.size === 0 ? atom : `(${[...guards].map((path) => `has(${path})`).join(" && ")} && ${atom})`;
  }

  #atom(scope: Scope): string | undefined {
    const inner = { ...scope, depth: scope.depth - 1 };
    const kind = this.#random.next();
    if (kind < 0.25) return this.#comparison(inner);
    if (kind < 0.33) return this.#membership(inner);
    if (kind < 0.53) return this.#macro(scope);
    if (kind < 0.58) return this.#presence(scope);
    if (kind < 0.85) return this.#applied(inner);
    if (kind < 0.97) return this.#call(bool, inner);
    return this.#access(bool, scope);
  }

  /** A function out of all of them, each as likely as any other, and a test of what it gives. */
  #applied(scope: Scope): string | undefined {
    const random = this.#random;
    const about = random.pick(random.pick(byFamily));
    const bound = new Map<string, Type>();
    const text = this.#callOf(about, bound, scope);
    if (text === undefined) return undefined;
    return this.#tested(text, bindVariables(about.result, bound, random), scope);
  }

  /** A test of a value of a type. */
  #tested(text: string, type: Type, scope: Scope): string | undefined {
    const random = this.#random;
    if (type.kind === "bool") return text;
    if (type.kind === "optional") {
      const held = this.#orValue(text, type.of);
      return held === undefined || random.chance(0.2) ? `${text}.hasValue()` : this.#tested(held, type.of, scope);
    }
    const other = random.chance(0.6) ? literal(type, random) : this.#value(type, scope);
    if (type.kind === "list" && random.chance(0.5))
      return `size(${text}) ${random.pick(["==", ">", "<="])} ${random.below(4)}`;
    return other && `${text} ${random.pick(["==", "!="])} ${other}`;
  }

  #comparison(scope: Scope): string | undefined {
    const random = this.#random;
    const access = random.chance(0.5) ? this.#pickAccess(scope, ({ type }) => isComparable(type)) : undefined;
    const type = access?.type ?? random.pick(compared);
    const left = access ? this.#use(access, scope) : this.#value(type, scope);
    const closed = closedNames(type) !== undefined;
    const other = type.kind === "record" && random.chance(0.7) ? string : type;
    const right = closed || random.chance(0.4) ? literal(other, random) : this.#value(other, scope);
    const orders = ["int", "double", "string", "bool", "timestamp", "duration", "dyn"].includes(type.kind);
    const operator = random.pick(orders ? ["==", "!=", "<", "<=", ">", ">="] : ["==", "!="]);
    return left && right && `${left} ${operator} ${right}`;
  }

  #membership(scope: Scope): string | undefined {
    const random = this.#random;
    const access = this.#pickAccess(
      scope,
      ({ type }) => type.kind === "string" || type.kind === "int" || type.kind === "dyn",
    );
    const type = access?.type ?? random.pick([string, int]);
    const left = access ? this.#use(access, scope) : this.#value(type, scope);
    const items = random.times(1 + random.below(3), () => literal(type, random));
    const held = random.chance(0.7) || closedNames(type) ? `[${items.join(", ")}]` : this.#value(list(type), scope);
    return left && held && `${left} in ${held}`;
  }

  #presence(scope: Scope): string | undefined {
    const access = this.#pickAccess(scope, (each) => each.guards.length > 0 || each.optional !== undefined);
    if (!access) return undefined;
    for (const guard of access.guards) if (guard !== access.text) scope.guards?.add(guard);
    if (access.optional !== undefined && access.guards.length <= 1 && this.#random.chance(0.4))
      return `${access.optional}.hasValue()`;
    return `has(${access.text})`;
  }

  /** `exists`, `all`, `exists_one` over a list, a map's keys, or an effect list. */
  #macro(scope: Scope): string | undefined {
    const random = this.#random;
    const made = this.#bindable(scope);
    if (!made) return undefined;
    const macros = this.#place.allow && made.uncertain ? ["all"] : ["exists", "exists", "all", "exists_one"];
    const { name, inner } = this.#bind(made.element, scope);
    return `${made.text}.${random.pick(macros)}(${name}, ${this.#bool({ ...inner, guards: undefined })})`;
  }

  #bindable(scope: Scope): { text: string; element: Type; uncertain: boolean } | undefined {
    const made = this.#plainBindable(scope);
    if (!made || scope.depth < 1 || !this.#random.chance(0.25)) return made;
    const { name, inner } = this.#bind(made.element, scope);
    const test = this.#bool({ ...inner, depth: 0, guards: undefined });
    if (this.#random.chance(0.6)) return { ...made, text: `${made.text}.filter(${name}, ${test})` };
    const element = this.#random.pick(plainTypes);
    const body = this.#value(element, { ...inner, depth: 1, guards: undefined });
    const where = this.#random.chance(0.4) ? `${test}, ` : "";
    return body === undefined ? made : { ...made, element, text: `${made.text}.map(${name}, ${where}${body})` };
  }

  #plainBindable(scope: Scope): { text: string; element: Type; uncertain: boolean } | undefined {
    const access = this.#random.chance(0.75)
      ? this.#pickAccess(scope, ({ type }) => type.kind === "list" || type.kind === "map" || type.kind === "dyn")
      : undefined;
    if (access) {
      const { type } = access;
      const element = type.kind === "list" ? type.element : type.kind === "map" ? type.key : dyn;
      return { text: this.#use(access, scope), element, uncertain: access.uncertain };
    }
    const type = this.#random.pick(listed);
    const text = this.#value(type, { ...scope, depth: Math.min(scope.depth - 1, 1) });
    return text && type.kind === "list" ? { text, element: type.element, uncertain: false } : undefined;
  }

  #bind(element: Type, scope: Scope): { name: string; inner: Scope } {
    const name = `v${scope.variables}`;
    const own = accessesFrom(name, element);
    // A bound variable is worth more than all of the environment.
    const accesses = [...scope.accesses, ...own, ...own, ...own];
    return { name, inner: { ...scope, accesses, depth: scope.depth - 1, variables: scope.variables + 1 } };
  }

  /** An expression of a type. */
  #value(type: Type, scope: Scope): string | undefined {
    const random = this.#random;
    const kind = random.next();
    const inner = { ...scope, depth: scope.depth - 1 };
    if (scope.depth <= 0 || kind < 0.15) return this.#access(type, scope) ?? literal(type, random);
    const made =
      kind < 0.45
        ? this.#access(type, scope)
        : kind < 0.8
          ? this.#call(type, inner)
          : kind < 0.86
            ? this.#conditional(type, inner)
            : kind < 0.93
              ? this.#collected(type, scope)
              : this.#bound(type, scope);
    return made ?? literal(type, random);
  }

  #conditional(type: Type, scope: Scope): string | undefined {
    const then = this.#value(type, scope);
    const otherwise = literal(type, this.#random);
    return then && otherwise && `(${this.#bool(scope)} ? ${then} : ${otherwise})`;
  }

  /** Lists out of macros, items out of lists. */
  #collected(type: Type, scope: Scope): string | undefined {
    const random = this.#random;
    if (type.kind !== "list") {
      const from = this.#value(list(type), { ...scope, depth: 0 });
      return (
        from &&
        (random.chance(0.5) ? `${from}[${random.below(3)}]` : this.#orValue(`${from}[?${random.below(3)}]`, type))
      );
    }
    const made = this.#bindable(scope);
    if (!made) return undefined;
    const { name, inner } = this.#bind(made.element, scope);
    if (assignable(made.element, type.element) && random.chance(0.5))
      return `${made.text}.filter(${name}, ${this.#bool({ ...inner, guards: undefined })})`;
    const body = this.#value(type.element, { ...inner, guards: undefined });
    const where = random.chance(0.3) ? `${this.#bool({ ...inner, guards: undefined })}, ` : "";
    return body && `${made.text}.map(${name}, ${where}${body})`;
  }

  /** `cel.bind` and `optMap`. */
  #bound(type: Type, scope: Scope): string | undefined {
    const of = this.#random.pick(plainTypes);
    const given = this.#value(this.#random.chance(0.5) ? of : optional(of), { ...scope, depth: 0 });
    const { name, inner } = this.#bind(of, scope);
    const body = this.#value(type, { ...inner, guards: undefined });
    if (given === undefined || body === undefined) return undefined;
    if (/^optional/.test(given)) return this.#orValue(`${given}.optMap(${name}, ${body})`, type);
    return `cel.bind(${name}, ${given}, ${body})`;
  }

  #orValue(text: string, type: Type): string | undefined {
    const other = literal(type, this.#random);
    return other && `${text}.orValue(${other})`;
  }

  /** A call of any overload that gives the type. */
  #call(type: Type, scope: Scope): string | undefined {
    const fitting = overloads.filter(
      ({ result }) => result.kind !== "dyn" && unify(type, result, new Map()) && result.kind !== "error",
    );
    if (fitting.length === 0) return undefined;
    const about = this.#random.pick(fitting);
    const bound = new Map<string, Type>();
    unify(type, about.result, bound);
    return this.#callOf(about, bound, scope);
  }

  #callOf(about: About, bound: Map<string, Type>, scope: Scope): string | undefined {
    for (const each of about.parameters)
      if (each.kind === "map" && each.key.kind === "var") bound.set(each.key.name, string);
    const args = about.parameters.map((parameter, i) => this.#argument(about, parameter, i, bound, scope));
    return args.includes(undefined) ? undefined : written(about, args as string[]);
  }

  #argument(about: About, parameter: Type, index: number, bound: Map<string, Type>, scope: Scope): string | undefined {
    const texts = constantTexts(about.id, index);
    const wanted = bindVariables(parameter, bound, this.#random);
    if (texts && wanted.kind === "string") return quoted(this.#random.pick(texts));
    if (texts && wanted.kind === "list")
      return `[${this.#random.times(1 + this.#random.below(2), () => quoted(this.#random.pick(texts))).join(", ")}]`;
    const value = this.#value(wanted, scope);
    const simple = wanted.kind === "string" || wanted.kind === "int" || wanted.kind === "list";
    return value !== undefined && simple && this.#random.chance(0.12) ? `dyn(${value})` : value;
  }

  #access(type: Type, scope: Scope): string | undefined {
    const access = this.#pickAccess(scope, (each) => {
      if (type.kind === "dyn") return each.type.kind !== "list" && isComparable(each.type);
      return assignable(each.type, type) && (each.type.kind !== "dyn" || this.#random.chance(0.3));
    });
    return access && this.#use(access, scope);
  }

  #pickAccess(scope: Scope, wanted: (access: Access) => boolean): Access | undefined {
    for (let i = 0; i < 12; i++) {
      const access = this.#random.pick(scope.accesses);
      const possible = scope.guards !== undefined || access.guards.length === 0;
      if (possible && wanted(access)) return access;
    }
    return undefined;
  }

  /** The text of an access, with its guards noted, or as an optional with an alternative. */
  #use(access: Access, scope: Scope): string {
    const other =
      access.optional === undefined || access.guards.length > 1 ? undefined : literal(access.type, this.#random);
    if (other !== undefined && this.#random.chance(0.4)) return `${access.optional}.orValue(${other})`;
    if (access.type.kind === "dyn" && access.optional !== undefined && this.#random.chance(0.4))
      scope.guards?.add(access.text);
    for (const guard of access.guards) scope.guards?.add(guard);
    return access.text;
  }
}

function isComparable(type: Type): boolean {
  return type.kind !== "record" || type.name === "path" || type.name === "url";
}

/** A parameter's type with its variables replaced by what the result asks for, or by any plain type. */
function bindVariables(type: Type, bound: Map<string, Type>, random: Random): Type {
  if (type.kind === "var") {
    const known = bound.get(type.name) ?? random.pick(plainTypes);
    bound.set(type.name, known);
    return known;
  }
  if (type.kind === "list") return { kind: "list", element: bindVariables(type.element, bound, random) };
  if (type.kind === "optional") return { kind: "optional", of: bindVariables(type.of, bound, random) };
  if (type.kind === "map") return { kind: "map", key: string, value: bindVariables(type.value, bound, random) };
  return type;
}

/** A call as authors write it: infix, prefix, method or function. */
function written({ name, method }: About, args: readonly string[]): string {
  const infix = /^_(.+)_$/.exec(name)?.[1];
  if (infix !== undefined) return `(${args.join(` ${infix} `)})`;
  const prefix = /^(.)_$/.exec(name)?.[1];
  if (prefix !== undefined) return `${prefix}(${args[0]})`;
  return method ? `${args[0]}.${name}(${args.slice(1).join(", ")})` : `${name}(${args.join(", ")})`;
}
