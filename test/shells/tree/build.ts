import type { FunctionName, Glob, Special, Variable } from "./names.ts";
import type {
  Arithmetic,
  Assignment,
  Condition,
  Literal,
  Operator,
  Part,
  Redirection,
  Script,
  Statement,
  Word,
} from "./tree.ts";

/** A word of a script: a literal, a part, or parts side by side. */
export type Some = Literal | Part | Word;

/** A word of parts side by side. */
export function word(...parts: readonly Some[]): Word {
  return parts.flatMap((part): Word => {
    if (typeof part === "string") return part === "" ? [] : [{ part: "literal", text: part }];
    return isWord(part) ? part : [part];
  });
}

function isWord(some: Part | Word): some is Word {
  return Array.isArray(some);
}

/** `'a b'`. */
export const single = (...texts: readonly (Literal | Glob)[]): Part => ({ part: "single", texts });
/** `"…"`. */
export const double = (...parts: readonly Some[]): Part => ({ part: "double", parts: word(...parts) });
/** `$(…)`. */
export const output = (...body: Script): Part => ({ part: "substitution", body });
/** A text that is code: `'…'`. */
export const code = (...body: Script): Part => ({ part: "code", body });
/** A pattern. */
export const glob = (pattern: Glob): Part => ({ part: "glob", glob: pattern });
/** `$((…))`. */
export const calculated = (value: Arithmetic): Part => ({ part: "arithmetic", value });
/** `$x`. */
export const value = (name: Variable | Special): Part => ({ part: "parameter", expansion: { name, bare: true } });
/** `"$x"`. */
export const quoted = (name: Variable | Special): Part => double(value(name));
/** `${x…}` with an operator. */
export function expanded(name: Variable | Special, operator: Operator, first?: Some, second?: Some): Part {
  const words = {
    ...(first !== undefined && { first: word(first) }),
    ...(second !== undefined && { second: word(second) }),
  };
  return { part: "parameter", expansion: { name, operator, ...words } };
}
/** `${x[…]}`. */
export function element(name: Variable, index: "@" | "*" | Some): Part {
  const at = index === "@" || index === "*" ? index : { at: word(index) };
  return { part: "parameter", expansion: { name, index: at } };
}

/** A simple command of words. */
export function run(...words: readonly Some[]): Statement {
  return { kind: "simple", assignments: [], words: words.map((one) => word(one)), redirections: [] };
}

/** `x=…`; without a value it is the empty text. */
export function assign(name: Variable, ...value: readonly Some[]): Statement {
  return { kind: "simple", assignments: [{ name, value: word(...value) }], words: [], redirections: [] };
}

/** `x=… command`. */
export function prefixed(name: Variable, value: Some, ...words: readonly Some[]): Statement {
  return {
    kind: "simple",
    assignments: [{ name, value: word(value) }],
    words: words.map((one) => word(one)),
    redirections: [],
  };
}

/** `x=(…)`. */
export function list(name: Variable, ...items: readonly Some[]): Statement {
  return assigned({ name, items: items.map((item) => ({ value: word(item) })) });
}

/** Any assignment as a statement. */
export function assigned(...assignments: readonly Assignment[]): Statement {
  return { kind: "simple", assignments, words: [], redirections: [] };
}

/** A statement with redirections behind it. Those that take none stay as they are. */
export function into(statement: Statement, ...redirections: readonly Redirection[]): Statement {
  return "redirections" in statement
    ? { ...statement, redirections: [...statement.redirections, ...redirections] }
    : statement;
}

/** `> file` and its kin. */
export function redirect(
  operator: Extract<Redirection, { operator: string }>["operator"],
  target: Some,
  fd?: 0 | 1 | 2 | 3 | 4 | "fd",
): Redirection {
  return { operator, target: word(target), ...(fd !== undefined && { fd }) };
}

/** `a && b`. */
export const and = (left: Statement, right: Statement): Statement => ({ kind: "logical", left, operator: "&&", right });
/** `a || b`. */
export const or = (left: Statement, right: Statement): Statement => ({ kind: "logical", left, operator: "||", right });
/** `! a`. */
export const not = (of: Statement): Statement => ({ kind: "not", of });
/** `a | b`. */
export const pipe = (...stages: Script): Statement => ({ kind: "pipeline", stages });
/** `{ … }`. */
export const group = (...body: Script): Statement => ({ kind: "group", body, redirections: [] });
/** `( … )`. */
export const subshell = (...body: Script): Statement => ({ kind: "subshell", body, redirections: [] });
/** `f() { … }`. */
export const define = (name: FunctionName, ...body: Script): Statement => ({
  kind: "function",
  name,
  body,
  redirections: [],
});
/** `if …; then …; else …; fi`. */
export function when(test: Statement, then: Script, otherwise?: Script): Statement {
  return { kind: "if", test: [test], then, ...(otherwise && { otherwise }) };
}
/** `for x in …; do …; done`. */
export const each = (variable: Variable, words: readonly Some[], ...body: Script): Statement => ({
  kind: "for",
  variable,
  words: words.map((one) => word(one)),
  body,
});
/** `case … in (…) …;; esac`. */
export function choose(of: Some, ...ways: readonly (readonly [Some, Script, (";;" | ";&" | ";;&")?])[]): Statement {
  return {
    kind: "case",
    word: word(of),
    ways: ways.map(([pattern, body, end]) => ({ patterns: [word(pattern)], body, end: end ?? ";;" })),
  };
}
/** `[[ … ]]`. */
export const condition = (of: Condition): Statement => ({ kind: "condition", of });
/** `(( … ))`. */
export const compute = (of: Arithmetic): Statement => ({ kind: "arithmetic", of });
/** `… &`. */
export const background = (of: Statement): Statement => ({ kind: "background", of });
