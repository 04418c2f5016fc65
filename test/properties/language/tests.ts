import type { Type } from "../../../rules/types.ts";
import { dyn } from "../../../rules/types.ts";
import { type Access, accessesFrom, accessesOf } from "./access.ts";
import { Expressions, type Place } from "./expressions.ts";
import { closedNames } from "./literals.ts";
import type { Random } from "./random.ts";
import * as pool from "./words.ts";

/** A condition as data, to be written as YAML. */
export type Tests = { readonly [key: string]: unknown } | string | boolean;

/** What the YAML spelling of a place may refer to, beside what its expressions may. */
export interface References {
  /** `$name` of named conditions. */
  readonly conditions: readonly string[];
  /** `$name` of parameters and lists that are lists of texts. */
  readonly lists: readonly string[];
}

/** Conditions in the YAML spelling: tests with every operator, combinators, quantifiers, references, expression leaves. */
export class YamlTests {
  readonly #random: Random;
  readonly #place: Place;
  readonly #references: References;
  readonly #expressions: Expressions;
  readonly #accesses: readonly Access[];
  /** Only what can be said of fields that are always there, without expression leaves: what prints as an expression as it is. */
  readonly #plain: boolean;

  constructor(random: Random, place: Place, references: References, plain = false) {
    this.#random = random;
    this.#place = place;
    this.#references = references;
    this.#expressions = new Expressions(random, place);
    this.#plain = plain;
    const all = accessesOf(place.environment).filter(({ type }) => type.kind !== "record" || isText(type));
    this.#accesses = plain ? all.filter(isPlain) : all;
  }

  /** A condition; at depth 0 a test. */
  condition(depth: number): Tests {
    const random = this.#random;
    const kind = depth <= 0 ? 1 : random.next();
    const some = (): Tests[] => random.times(1 + random.below(3), () => this.condition(depth - 1));
    if (kind < 0.12) return { all: some() };
    if (kind < 0.24) return { any: some() };
    if (kind < 0.34) return { not: this.condition(depth - 1) };
    if (kind < 0.5) return this.#quantifier(depth) ?? this.#test();
    if (kind < 0.58 && !this.#plain) return { expr: this.#expressions.condition(2) };
    if (kind < 0.64 && this.#references.conditions.length > 0) return random.pick(this.#references.conditions);
    return random.chance(0.2) ? { ...this.#test(), ...this.#test() } : this.#test();
  }

  #test(): { [path: string]: unknown } {
    const access = this.#random.pick(this.#accesses);
    return { [access.text]: this.#operand(access.type) };
  }

  /** What stands under a path: a scalar, a list, or operators. */
  #operand(type: Type): unknown {
    const random = this.#random;
    if (isScalar(type) && random.chance(0.3)) return this.#scalar(type);
    if (isScalar(type) && !isTime(type) && !this.#plain && random.chance(0.2)) return this.#scalars(type);
    const operator = random.pick(this.#operators(type));
    const tests = { [operator]: this.#argument(operator, type) };
    return random.chance(0.15) && !this.#plain ? { not: tests } : tests;
  }

  /** Operators whose tests print as the expression that means the same. */
  #operators(type: Type): readonly string[] {
    if (!this.#plain) return operatorsOf(type);
    return operatorsOf(type).filter(
      (name) => !["present", "contains_any", "contains_all", "host_in", "lookalike_of"].includes(name),
    );
  }

  #scalar(type: Type): unknown {
    const random = this.#random;
    switch (type.kind) {
      case "bool":
        return random.chance(0.5);
      case "int":
        return random.pick([0, 1, 2, 3, -1]);
      case "double":
        return random.pick([0.5, 1.5, 2]);
      case "timestamp":
        return random.pick(pool.times);
      case "duration":
        return random.pick(pool.durations);
      case "dyn":
        return random.pick<unknown>([true, 1, 2.5, "k1", "a", "git"]);
      case "string":
        return dollar(random.pick(closedNames(type) ?? random.pick(texts)));
      default:
        return isUrl(type) ? random.pick(pool.urls) : random.pick(pool.paths.filter((path) => !path.includes("*")));
    }
  }

  #scalars(type: Type): unknown {
    if (isFree(type) && this.#references.lists.length > 0 && this.#random.chance(0.3))
      return this.#random.pick(this.#references.lists);
    return this.#random.times(1 + this.#random.below(3), () => this.#scalar(type));
  }

  #argument(operator: string, type: Type): unknown {
    const random = this.#random;
    const oneOrMore = (texts: readonly string[]): unknown =>
      this.#plain || random.chance(0.6)
        ? random.pick(texts)
        : random.times(1 + random.below(2), () => random.pick(texts));
    switch (operator) {
      case "in":
      case "not_in":
        return this.#scalars(type);
      case "contains":
        return type.kind === "list" ? this.#scalar(type.element) : dollar(random.pick(pool.words));
      case "contains_any":
      case "contains_all":
        return type.kind === "list"
          ? this.#scalars(type.element)
          : random.times(2, () => dollar(random.pick(pool.words)));
      case "starts_with":
      case "ends_with":
        return oneOrMore(pool.words);
      case "matches":
        return oneOrMore(pool.patterns);
      case "glob":
        return oneOrMore(pool.globs);
      case "cidr":
        return oneOrMore(pool.ranges);
      case "host_in":
      case "lookalike_of":
        return oneOrMore(pool.hosts);
      case "is":
        return oneOrMore(isUrl(type) ? pool.urlClasses : pool.pathClasses);
      case "within":
        return type.kind === "timestamp" ? random.pick(pool.durations) : oneOrMore(["/home/dev", "/tmp"]);
      case "has_option":
        return oneOrMore(pool.options);
      case "present":
        return random.chance(0.7);
      case "size":
        return this.#plain || random.chance(0.5)
          ? random.below(4)
          : { [random.pick(["lt", "le", "gt", "ge", "not_equals"])]: random.below(4) };
      default:
        return this.#scalar(type);
    }
  }

  #quantifier(depth: number): Tests | undefined {
    const random = this.#random;
    const allowed = (access: Access): boolean => access.type.kind === "list" || access.type.kind === "map";
    const lists = this.#accesses.filter(allowed);
    if (lists.length === 0) return undefined;
    const list = random.pick(lists);
    const element = list.type.kind === "list" ? list.type.element : list.type.kind === "map" ? list.type.key : dyn;
    const quantifiers =
      this.#plain && list.uncertain
        ? ["some", "none"]
        : this.#place.allow && list.uncertain
          ? ["every", "none"]
          : ["some", "every", "none"];
    const tests = this.#elementTests(element, depth - 1);
    return tests && { [random.pick(quantifiers)]: { [list.text]: tests } };
  }

  /** Tests relative to an element: operators on a scalar, paths on a record. */
  #elementTests(element: Type, depth: number): Tests | undefined {
    const random = this.#random;
    if (isScalar(element)) {
      const operators = this.#operators(element).filter((name) => name !== "present");
      const operator = random.pick(operators);
      return { [operator]: this.#argument(operator, element) };
    }
    if (element.kind !== "record") return undefined;
    const fields = accessesFrom("e", element).filter(({ text, type, guards }) => {
      const fits = text !== "e" && (type.kind !== "record" || isText(type));
      return fits && (!this.#plain || isPlain({ guards, type }));
    });
    const made = random.times(1 + random.below(2), () => {
      const { text, type } = random.pick(fields);
      return [text.slice(2), this.#operand(type)] as const;
    });
    const tests = Object.fromEntries(made);
    return depth > 0 && random.chance(0.3) ? { any: [tests, { not: tests }] } : tests;
  }
}

/** Always there and of a known kind, and no time, which YAML writes as a text. */
function isPlain({ guards, type }: Pick<Access, "guards" | "type">): boolean {
  return guards.length === 0 && type.kind !== "dyn" && !isTime(type);
}

const texts: readonly (readonly string[])[] = [
  pool.words,
  pool.names,
  pool.paths.filter((path) => !path.includes("*")),
];

/** A text that would be a reference is written with two dollars. */
function dollar(text: string): string {
  return text.startsWith("$") ? `$${text}` : text;
}

const isTime = (type: Type): boolean => type.kind === "timestamp" || type.kind === "duration";
const isUrl = (type: Type): boolean => type.kind === "record" && type.name === "url";
const isText = (type: Type): boolean => type.kind === "record" && ["path", "url", "command"].includes(type.name);
const isFree = (type: Type): boolean =>
  (type.kind === "string" && closedNames(type) === undefined) || (type.kind === "record" && type.name === "path");

function isScalar(type: Type): boolean {
  if (type.kind === "record") return type.name === "path" || type.name === "url";
  return ["bool", "int", "double", "string", "timestamp", "duration", "dyn"].includes(type.kind);
}

/** Operators that make sense on a type. */
function operatorsOf(type: Type): readonly string[] {
  switch (type.kind) {
    case "bool":
      return ["equals", "not_equals", "present"];
    case "int":
    case "double":
      return ["equals", "not_equals", "lt", "le", "gt", "ge", "in", "not_in", "present"];
    case "timestamp":
      return ["lt", "le", "gt", "ge", "within", "equals"];
    case "duration":
      return ["lt", "le", "gt", "ge", "equals"];
    case "list":
      return isScalar(type.element)
        ? ["contains", "contains_any", "contains_all", "size", "present"]
        : ["size", "present"];
    case "map":
      return ["size", "present"];
    case "dyn":
      return ["equals", "not_equals", "contains", "starts_with", "matches", "lt", "ge", "present", "size", "in"];
    case "string":
      return closedNames(type) ? ["equals", "not_equals", "in", "not_in"] : onStrings;
    default:
      return isUrl(type) ? onUrls : type.kind === "record" && type.name === "command" ? ["has_option"] : onPaths;
  }
}

const onStrings = [
  ...["equals", "not_equals", "in", "not_in", "contains", "contains_any", "contains_all", "starts_with", "ends_with"],
  ...["glob", "matches", "lt", "ge", "size", "host_in", "lookalike_of", "cidr", "present"],
];
const onUrls = ["equals", "not_equals", "is", "host_in", "lookalike_of", "cidr", "present"];
const onPaths = [
  "equals",
  "not_equals",
  "in",
  "glob",
  "within",
  "is",
  "contains",
  "starts_with",
  "ends_with",
  "matches",
  "present",
];
