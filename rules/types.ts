/**
 * Types of the condition language: those of the CEL subset and the fact types (language sections 3 and 4).
 * Fact types are records with named fields; paths and URLs are records too, which also compare with strings.
 */
export type Type =
  | { readonly kind: Exclude<ScalarKind, "int"> }
  /** `range` closes the numbers, so that a comparison with one beyond is known never to hold. */
  | { readonly kind: "int"; readonly range?: Range }
  /** Dyn that any type may replace: the element of an empty list, or an unbound type variable. */
  | { readonly kind: "dyn"; readonly open: true }
  /**
   * `values` closes the set, so that a comparison with anything else is known never to hold. `names` does the same with
   * a table that knows other spellings too, or whose names are too many to list.
   */
  | {
      readonly kind: "string";
      readonly values?: readonly string[];
      readonly names?: NameTable;
      /** What hosts give. The set stays open: another text is no error, and a lint tells of it. */
      readonly usual?: UsualTexts;
    }
  | { readonly kind: "list"; readonly element: Type }
  | { readonly kind: "map"; readonly key: Type; readonly value: Type }
  | { readonly kind: "optional"; readonly of: Type }
  | RecordType
  /** A type variable of a signature. */
  | { readonly kind: "var"; readonly name: string };

/** The least and the greatest number that there is. */
export type Range = readonly [low: number, high: number];

/** The texts that hosts give for a field of an event. A later host may give others. */
export interface UsualTexts {
  readonly texts: readonly string[];
  /** Other words that authors write for one of them. */
  readonly others: Readonly<Record<string, string>>;
  /** True if no host gives any other text; otherwise only a text near one of them is a slip. */
  readonly whole: boolean;
}

/** The names that a text of a fact can be: a closed table of ours. */
export interface NameTable {
  /** Noun for one of them, e.g. `host`. */
  readonly noun: string;
  /** Names for suggestions, and for trying patterns. */
  readonly names: readonly string[];
  /** Returns the name that facts use for a text: the text itself, or the name of which it is another spelling. */
  canonical(text: string): string;
  /** True for a canonical name. */
  has(text: string): boolean;
  /** Other spellings, to suggest their names. */
  readonly others?: readonly string[];
  /** Under which key of a policy an author declares further names. */
  readonly declared?: "tools" | "managers";
  /** Help for a text that is no name, where there is better advice than the nearest name. */
  instead?(text: string): string | undefined;
  /** True where folding a spelling to its name may lose the author's meaning: then no program rewrites it. */
  readonly lossy?: true;
  /** Warning about another spelling that is folded; a natural spelling gets a note. */
  alias?(text: string): { readonly message: string; readonly help: string } | undefined;
  /** Help of the note about a name that is folded to one for several: the author may mean it alone, so it stays as written. */
  wider?(text: string): string | undefined;
  /** True if a name that is not listed may begin so; such tables hold more than `names`. */
  mayBegin?(text: string): boolean;
}

/** Kinds of scalar types. `type` is the type of `type(x)`; `error` marks an expression that already has a diagnostic. */
type ScalarKind = "null" | "bool" | "int" | "double" | "timestamp" | "duration" | "dyn" | "type" | "error";

/** A record with named fields: a fact type, a root, or the arguments of a tool. Two are the same if their names are. */
export interface RecordType {
  readonly kind: "record";
  readonly name: string;
  /** Read late, so that records may refer to each other. */
  readonly fields: () => ReadonlyMap<string, Field>;
}

/** A field of a record. */
export interface Field {
  readonly type: Type;
  /** False when it may be absent; an access then needs a guard. */
  readonly required: boolean;
  readonly doc: string;
  /**
   * How an access lowers when it is not plain: `convert` passes the field's value through an overload, `compute` passes the
   * record itself, `command` takes the field as an index into `shell.commands` (-1 is absent), `root` reads a separate root.
   */
  readonly lower?:
    | { readonly as: "convert" | "compute"; readonly fn: string }
    | { readonly as: "command" }
    | { readonly as: "root"; readonly name: string };
}

/** The type of `null`. */
export const nullType: Type = { kind: "null" };
/** True or false. */
export const bool: Type = { kind: "bool" };
/** An integer within 2^53. */
export const int: Type = { kind: "int" };
/** An integer that counts something. */
export const count: Type = { kind: "int", range: [0, Number.POSITIVE_INFINITY] };
/** An IEEE 754 number. */
export const double: Type = { kind: "double" };
/** A text; sizes and indices count code points. */
export const string: Type = { kind: "string" };
/** A point in time. */
export const timestamp: Type = { kind: "timestamp" };
/** A span of time. */
export const duration: Type = { kind: "duration" };
/** A value whose type is known only when it runs. */
export const dyn: Type = { kind: "dyn" };
/** The element type of an empty list; a join with another type gives that type. */
export const open: Type = { kind: "dyn", open: true };
/** The type of what `type(x)` gives. */
export const typeType: Type = { kind: "type" };
/** The type of an expression that already has a diagnostic. */
export const errorType: Type = { kind: "error" };

/** A list of one element type. */
export const list = (element: Type): Type => ({ kind: "list", element });
/** A map from one key type to one value type. */
export const map = (key: Type, value: Type): Type => ({ kind: "map", key, value });
/** A value that may be none. */
export const optional = (of: Type): Type => ({ kind: "optional", of });
/** A string out of a closed set. */
export const oneOf = (...values: string[]): Type => ({ kind: "string", values });

/** A string that is one of a table's names. */
export const named = (names: NameTable): Type => ({ kind: "string", names });

/** A string that hosts fill, usually with one of some texts. */
export const usually = (usual: UsualTexts): Type => ({ kind: "string", usual });

/** A record type from its fields, given late. */
export function record(name: string, fields: () => Readonly<Record<string, Field>>): RecordType {
  let made: ReadonlyMap<string, Field> | undefined;
  return {
    kind: "record",
    name,
    fields: () => {
      made ??= new Map(Object.entries(fields()));
      return made;
    },
  };
}

/** The type as authors write it: `list(string)`, `map(string, dyn)`, `path`. */
export function printType(type: Type): string {
  switch (type.kind) {
    case "list":
      return `list(${printType(type.element)})`;
    case "map":
      return `map(${printType(type.key)}, ${printType(type.value)})`;
    case "optional":
      return `optional(${printType(type.of)})`;
    case "record":
    case "var":
      return type.name;
    case "error":
      return "dyn";
    default:
      return type.kind;
  }
}

/** True for dyn and for what already has a diagnostic. */
export function isDyn(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

/** True for int and double. */
export function isNumber(type: Type): boolean {
  return type.kind === "int" || type.kind === "double";
}

/** True if the type is the record of that name. */
export function isRecord(type: Type, name: string): boolean {
  return type.kind === "record" && type.name === name;
}

/** True if a value of type `from` fits where `to` is wanted. Dyn fits anywhere; its value is checked when it runs. */
export function assignable(from: Type, to: Type): boolean {
  if (isDyn(from) || isDyn(to)) return true;
  if (from.kind === "list" && to.kind === "list") return assignable(from.element, to.element);
  if (from.kind === "map" && to.kind === "map") return assignable(from.key, to.key) && assignable(from.value, to.value);
  if (from.kind === "optional" && to.kind === "optional") return assignable(from.of, to.of);
  if (from.kind === "record" && to.kind === "record") return from.name === to.name;
  return from.kind === to.kind;
}

/** True if `==` between the types may hold: same types, numbers with numbers, a path or URL with a string, dyn with anything. */
export function comparable(a: Type, b: Type): boolean {
  if (isDyn(a) || isDyn(b)) return true;
  if (isNumber(a) && isNumber(b)) return true;
  if (a.kind === "string" && b.kind === "string") return shareValue(a.values, b.values);
  if (a.kind === "record") return b.kind === "string" ? isText(a) : b.kind === "record" && a.name === b.name;
  if (b.kind === "record") return a.kind === "string" && isText(b);
  if (a.kind === "list" && b.kind === "list") return comparable(a.element, b.element);
  if (a.kind === "map" && b.kind === "map") return comparable(a.key, b.key) && comparable(a.value, b.value);
  if (a.kind === "optional" && b.kind === "optional") return comparable(a.of, b.of);
  return a.kind === b.kind;
}

function isText(type: Type): boolean {
  return isRecord(type, "path") || isRecord(type, "url");
}

function shareValue(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return !a || !b || a.some((value) => b.includes(value));
}

/** The type of a value that has one of two types: the same type, or dyn. */
export function join(a: Type, b: Type): Type {
  if (a.kind === "error" || b.kind === "error") return errorType;
  if ("open" in a) return b;
  if ("open" in b) return a;
  if (a.kind === "string" && b.kind === "string") {
    if (a.names && a.names === b.names) return a;
    return a.values && b.values ? oneOf(...a.values, ...b.values) : string;
  }
  if (a.kind === "int" && b.kind === "int") return a.range === b.range ? a : int;
  if (a.kind === "list" && b.kind === "list") return list(join(a.element, b.element));
  if (a.kind === "map" && b.kind === "map") return map(join(a.key, b.key), join(a.value, b.value));
  if (a.kind === "optional" && b.kind === "optional") return optional(join(a.of, b.of));
  if (a.kind === "record" && b.kind === "record" && a.name === b.name) return a;
  return a.kind === b.kind && a.kind !== "record" ? a : dyn;
}

/**
 * Matches an argument type against a parameter type, binding type variables. True if it fits.
 * A variable that meets two types needs them to be comparable, as `==` would.
 */
export function unify(argument: Type, parameter: Type, bound: Map<string, Type>): boolean {
  if (parameter.kind === "var") {
    const before = bound.get(parameter.name);
    bound.set(parameter.name, before === undefined ? argument : join(before, argument));
    return before === undefined || comparable(before, argument);
  }
  if (isDyn(argument) || isDyn(parameter)) return true;
  if (argument.kind === "list" && parameter.kind === "list") return unify(argument.element, parameter.element, bound);
  if (argument.kind === "optional" && parameter.kind === "optional") return unify(argument.of, parameter.of, bound);
  if (argument.kind === "map" && parameter.kind === "map") {
    return unify(argument.key, parameter.key, bound) && unify(argument.value, parameter.value, bound);
  }
  return assignable(argument, parameter);
}

/** A type with its variables replaced; an unbound one is open. */
export function substitute(type: Type, bound: ReadonlyMap<string, Type>): Type {
  switch (type.kind) {
    case "var":
      return bound.get(type.name) ?? open;
    case "list":
      return list(substitute(type.element, bound));
    case "map":
      return map(substitute(type.key, bound), substitute(type.value, bound));
    case "optional":
      return optional(substitute(type.of, bound));
    default:
      return type;
  }
}

/** A scalar type by its name in the language, or undefined. */
export function scalarType(name: string): Type | undefined {
  return scalars.get(name);
}

const scalars: ReadonlyMap<string, Type> = new Map(
  [nullType, bool, int, double, string, timestamp, duration, dyn, typeType].map((type) => [type.kind, type]),
);

/** Returns a short text that is the same for equal types of variables. */
export function typeKey(type: Type): string {
  return type.kind === "record" ? type.name : type.kind === "list" ? `list(${typeKey(type.element)})` : type.kind;
}
