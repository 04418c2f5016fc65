import type { BinaryOperator } from "../../rules/ast.ts";

/**
 * A spelling from another language, with its replacement. A habit is one error with one help line. If the meaning is clear, the
 * parser continues as with the CEL spelling, so that the same run checks the rest of the text.
 */
export interface Habit {
  /** The CEL operator that was meant; `not in` is a negated membership; absent if no operator fits. */
  readonly meant?: BinaryOperator | "not in";
  readonly help: string;
}

const meant = (operator: BinaryOperator): Habit => ({ meant: operator, help: `write \`${operator}\`` });
const method = (name: string): Habit => ({ help: `write it as a method: \`text.${name}(other)\`` });
const noAssignment: Habit = { meant: "==", help: "an expression compares and never assigns; write `==`" };
const matching: Habit = { help: 'match a regular expression with `text.matches("…")`' };
const noLambda: Habit = { help: 'a macro takes the variable first: `list.exists(item, item.path != "")`' };
const noBits: Habit = { help: "there are no bit operations; compare and combine with `&&` and `||`" };

/** Infix spellings of JavaScript, Python, Rego, SQL and shells, by their text. */
export const foreignOperators: ReadonlyMap<string, Habit> = new Map<string, Habit>([
  ["===", meant("==")],
  ["!==", meant("!=")],
  ["<>", meant("!=")],
  ["=", noAssignment],
  [":=", noAssignment],
  ["&", meant("&&")],
  ["|", meant("||")],
  ["and", meant("&&")],
  ["or", meant("||")],
  ["!in", { meant: "not in", help: "negate the whole test: `!(item in list)`" }],
  ["not in", { meant: "not in", help: "negate the whole test: `!(item in list)`" }],
  ["=~", matching],
  ["!~", { help: 'write `!text.matches("…")`' }],
  ["~", matching],
  ["=>", noLambda],
  ["->", noLambda],
  ["**", { help: "there is no power operator; multiply, or write the number" }],
  ["??", { help: "give an optional a default with `map.?field.orValue(default)`" }],
  ["<<", noBits],
  [">>", noBits],
  ["^", noBits],
  ["is", { help: 'ask for a class with `path.is("secret")`, compare with `==`' }],
  ["contains", method("contains")],
  ["startsWith", method("startsWith")],
  ["endsWith", method("endsWith")],
  ["matches", method("matches")],
  ["like", { help: 'match with `path.glob("…")` or `text.matches("…")`' }],
]);

/** Returns the help for a character that begins no token. */
export function strayCharacterHelp(character: string): string {
  const known = strayCharacters.get(character);
  if (known !== undefined) return known;
  const code = character.codePointAt(0) as number;
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return "remove the control character";
  if (code > 0x7f) return "outside a string only ASCII may stand; quote it, or remove it";
  return "remove it, or put it in quotes";
}

const strayCharacters: ReadonlyMap<string, string> = new Map([
  [";", "a condition is one expression; join parts with `&&`"],
  ["#", "a comment begins with `//`"],
  ["@", "names are letters, digits and `_`; put other text in quotes"],
  ["$", "write a name without it, such as `parameters.name` or `lists.name`, and an expression without `${{` and `}}`"],
  ["\\", "a backslash stands only inside a string"],
  ["\u00a0", "write an ordinary space"],
  ["≠", "write `!=`"],
  ["≤", "write `<=`"],
  ["≥", "write `>=`"],
  ["∧", "write `&&`"],
  ["∨", "write `||`"],
  ["¬", "write `!`"],
  ["∈", "write `in`"],
]);

/** Reserved words of CEL; they are valid only as field names after a dot. */
export const reservedWords: ReadonlySet<string> = new Set([
  "as",
  "break",
  "const",
  "continue",
  "else",
  "for",
  "function",
  "if",
  "import",
  "let",
  "loop",
  "package",
  "namespace",
  "return",
  "var",
  "void",
  "while",
]);

/** Returns the help line for a reserved word where a value was expected. */
export function reservedWordHelp(word: string): string {
  if (word === "if" || word === "else") return "write `test ? then : otherwise`";
  if (word === "for" || word === "while" || word === "loop")
    return "go over a list with `exists`, `all`, `filter` or `map`";
  if (word === "let" || word === "var" || word === "const")
    return "an expression has no variables; name a part under `conditions`";
  if (word === "return" || word === "function") return "write the value alone; an expression has no statements";
  return `\`${word}\` is reserved; choose another name`;
}
