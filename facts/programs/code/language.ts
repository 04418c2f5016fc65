import type { Collector } from "./findings.ts";
import type { Lexicon } from "./lexicon.ts";
import type { Token } from "./tokens.ts";
import type { Value } from "./values.ts";

/** One call as an action sees it. */
export interface CodeCall {
  readonly name: string;
  readonly args: readonly Value[];
  /** Named arguments, and the fields of objects among the arguments. */
  readonly named: ReadonlyMap<string, Value>;
  /** Receiver of a method call. */
  readonly on: Value | undefined;
  readonly to: Collector;
  /** Scans a text as code of the same language. */
  evaluate(code: Value): void;
}

/** Reports the effects of a call and returns its value; undefined for an unknown value. */
export type Action = (call: CodeCall) => Value | undefined;

/** A language: its syntax, and the effects of its calls. */
export interface Language {
  readonly name: string;
  readonly lexicon: Lexicon;
  /** Calls with effects, by full name or by its last two parts. */
  readonly calls: ReadonlyMap<string, Action>;
  /** Calls without effects whose value may be known. */
  readonly folds: ReadonlyMap<string, Action>;
  /** Methods of values that are not a module, by name. */
  readonly methods: ReadonlyMap<string, Action>;
  /** Calls without effects; `json.*` means all members of a module. */
  readonly pure: ReadonlySet<string>;
  /** Methods without effects. */
  readonly pureMethods: ReadonlySet<string>;
  /** Modules that may be imported without effect. */
  readonly modules: ReadonlySet<string>;
  /** Names whose value is known, such as `process.env.HOME`. */
  readonly constants: ReadonlyMap<string, Value>;
  /** Name of the list of arguments, and how many of its first items are the program's own. */
  readonly argv: readonly (readonly [name: string, skip: number])[];
  /** Makes a name out of the parts in the text: other spellings of one module. */
  readonly canonical?: (name: string) => string;
  /** A statement that a keyword begins: names it imports, from the tokens behind it. Returns the statement's end. */
  readonly statement?: (keyword: string, statement: Statement) => number | undefined;
  /** Reports the effects of `left | getline` and `print … > target`. */
  readonly output?: (operator: string, value: Value, to: Collector) => void;
}

/** A statement with its own syntax. */
export interface Statement {
  readonly tokens: readonly Token[];
  /** Index behind the keyword. */
  readonly at: number;
  readonly names: Names;
  readonly to: Collector;
}

/** Names that code gives to modules and their members. */
export interface Names {
  /** Makes `alias` a name for `name`. */
  alias(alias: string, name: string): void;
  /** Imports every name of the module. */
  star(module: string): void;
  /** Records that a module is loaded: an unknown one may do anything. */
  load(module: string): void;
}

/** Makes a table of actions; one key may hold several names, separated by blanks. */
export function actions(rows: readonly (readonly [names: string, action: Action])[]): ReadonlyMap<string, Action> {
  return new Map(rows.flatMap(([names, action]) => names.split(" ").map((name) => [name, action] as const)));
}
