import { type Atom, literalAtom, unknownAtom } from "./fields.ts";
import { globMatches } from "./globs.ts";
import { assign, isArray, lookup, type Scope, type Value } from "./scope.ts";
import type { ParameterPart, Word } from "./syntax.ts";

/** Folds a word of an operation to one atom, without splitting. */
export type FoldOne = (word: Word) => Atom;

// A folder that is not known, as path resolution writes it.
const unknownPlace = "/?";
// Cutting by a glob tries every cut; longer values are left unknown.
const cutLength = 256;

/**
 * The value of a parameter expansion: an atom, or atoms for `$@` and arrays. Anything that cannot be told
 * from the text is unknown. A variable that nothing sets takes its default. Source: bash manual, "Parameter Expansion".
 */
export function parameterValue(part: ParameterPart, scope: Scope, fold: FoldOne): Value {
  const base = baseValue(part, scope, fold);
  if (part.prefix === "#")
    return base && !isArray(base) && base.kind === "literal"
      ? literalAtom(String(base.text.length))
      : { text: "0", kind: "unknown" };
  if (part.prefix === "!") return indirect(base, scope);
  const operands = part.words.map(fold);
  const [operand] = operands;
  if (part.operator === "") return base ?? unknownAtom;
  if (/^:?[-=+?]$/.test(part.operator)) return withDefault(part, base, operand ?? literalAtom(""), scope);
  if (!base || isArray(base) || base.kind !== "literal") return unknownAtom;
  if (operands.some((one) => one.kind === "unknown")) return unknownAtom;
  return (
    transformed(
      part.operator,
      base.text,
      operands.map((one) => one.text),
    ) ?? unknownAtom
  );
}

function baseValue(part: ParameterPart, scope: Scope, fold: FoldOne): Value | undefined {
  const { name } = part;
  if (name === "@" || name === "*") return scope.positional ?? unknownAtom;
  if (/^[1-9]\d*$/.test(name))
    return scope.positional ? (scope.positional[Number(name) - 1] ?? literalAtom("")) : unknownAtom;
  if (name === "#" || name === "?" || name === "$" || name === "!") return { text: "0", kind: "unknown" };
  const value = lookup(scope, name);
  if (!value || !isArray(value)) return part.index && value ? (isFirst(fold(part.index)) ? value : unknownAtom) : value;
  // In zsh the name alone stands for all elements, and the first one is 1.
  const { zsh } = scope.shared;
  if (!part.index) return zsh ? value : (value[0] ?? literalAtom(""));
  const index = fold(part.index);
  if (index.text === "@" || index.text === "*") return value;
  const position = index.kind === "literal" && /^-?\d{1,6}$/.test(index.text) ? Number(index.text) : Number.NaN;
  if (Number.isNaN(position)) return unknownAtom;
  return value.at(zsh && position > 0 ? position - 1 : position) ?? literalAtom("");
}

function isFirst(index: Atom): boolean {
  return index.text === "0" || index.text === "@" || index.text === "*";
}

function indirect(base: Value | undefined, scope: Scope): Value {
  if (!base || isArray(base) || base.kind !== "literal") return unknownAtom;
  return lookup(scope, base.text) ?? unknownAtom;
}

function withDefault(part: ParameterPart, base: Value | undefined, operand: Atom, scope: Scope): Value {
  const kind = part.operator.at(-1);
  const emptyCounts = part.operator.length === 2;
  const known = base !== undefined && (isArray(base) || base.kind !== "unknown");
  const empty = base === undefined || (known && emptyCounts && (isArray(base) ? base.length === 0 : base.text === ""));
  if (kind === "+") {
    if (!known) return { text: operand.text, kind: "unknown" };
    return empty ? literalAtom("") : operand;
  }
  // The shell ends rather than go on with an empty value: what is there is unknown, but not nothing.
  if (kind === "?") return base && known && !empty ? base : { text: unknownPlace, kind: "unknown" };
  if (base && !known) return { text: operand.text, kind: "unknown" };
  if (!empty) return base ?? unknownAtom;
  if (kind === "=") assign(scope, part.name, operand);
  return operand;
}

/** Result of an operator on a constant, or undefined when it is not modelled (`@P` among others). */
function transformed(operator: string, text: string, operands: readonly string[]): Atom | undefined {
  const [first = "", second = ""] = operands;
  switch (operator) {
    case "#":
    case "##":
    case "%":
    case "%%":
      return cut(operator, text, first);
    case "/":
    case "//":
    case "/#":
    case "/%":
      return replaced(operator, text, first, second);
    case ":":
      return sliced(text, operands);
    case "^":
      return operands.length > 0 ? undefined : literalAtom(text.slice(0, 1).toUpperCase() + text.slice(1));
    case "^^":
      return operands.length > 0 ? undefined : literalAtom(text.toUpperCase());
    case ",":
      return operands.length > 0 ? undefined : literalAtom(text.slice(0, 1).toLowerCase() + text.slice(1));
    case ",,":
      return operands.length > 0 ? undefined : literalAtom(text.toLowerCase());
    case "@":
      if (first === "U") return literalAtom(text.toUpperCase());
      return first === "L" ? literalAtom(text.toLowerCase()) : undefined;
    default:
      return undefined;
  }
}

function cut(operator: string, text: string, pattern: string): Atom | undefined {
  if (text.length > cutLength) return undefined;
  const front = operator[0] === "#";
  const longest = operator.length === 2;
  for (let i = 0; i <= text.length; i++) {
    const size = longest ? text.length - i : i;
    const piece = front ? text.slice(0, size) : text.slice(text.length - size);
    if (globMatches(pattern, piece)) return literalAtom(front ? text.slice(size) : text.slice(0, text.length - size));
  }
  return literalAtom(text);
}

function replaced(operator: string, text: string, pattern: string, replacement: string): Atom | undefined {
  if (/[*?[\\]/.test(pattern)) return undefined;
  if (pattern === "") return literalAtom(text);
  if (operator === "//") return literalAtom(text.split(pattern).join(replacement));
  if (operator === "/#") return literalAtom(text.startsWith(pattern) ? replacement + text.slice(pattern.length) : text);
  if (operator === "/%")
    return literalAtom(text.endsWith(pattern) ? text.slice(0, -pattern.length) + replacement : text);
  const at = text.indexOf(pattern);
  return literalAtom(at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + pattern.length));
}

function sliced(text: string, operands: readonly string[]): Atom | undefined {
  if (!operands.every((one) => /^ ?-?\d{1,9}$/.test(one))) return undefined;
  const offset = Number(operands[0] ?? 0);
  const from = offset < 0 ? text.length + offset : offset;
  if (from < 0) return literalAtom("");
  const length = operands[1] === undefined ? text.length : Number(operands[1]);
  return literalAtom(length < 0 ? text.slice(from, text.length + length) : text.slice(from, from + length));
}
