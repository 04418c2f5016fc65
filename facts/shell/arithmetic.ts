import { spend } from "../meter.ts";
import { type Atom, literalAtom, unknownNumber } from "./fields.ts";

const number: Atom = unknownNumber("$((…))", "0");
// Longer expressions, and deeper parentheses, are left unknown.
const length = 256;
const depth = 16;

/**
 * Returns the value of a constant `$((…))`: numbers, variables with constant values, the usual operators. `textOf` returns the
 * constant of a variable; if `octal` is false, as in zsh, a leading zero has no meaning.
 */
export function arithmeticOf(expression: string, textOf: (name: string) => string | undefined, octal = true): Atom {
  if (expression.length > length) return number;
  spend(4 + (expression.length >> 1));
  const tokens = expression.match(/0[xX][0-9a-fA-F]+|\d+#\w+|\w+|<<|>>|<=|>=|==|!=|&&|\|\||\*\*|\S/g) ?? [];
  const value = new Evaluation(tokens, textOf, octal).whole();
  return value === undefined || !Number.isSafeInteger(value) ? number : literalAtom(String(value));
}

/** Returns the names that an arithmetic expression assigns: `x=1`, `x+=1`, `x++`. */
export function assignedIn(expression: string): readonly string[] {
  if (expression.startsWith("[[")) return [];
  spend(1 + (Math.min(expression.length, 4_096) >> 3));
  const assigned = /(?<!\w)\d*([A-Za-z_]\w*)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;
  return [...expression.slice(0, 4_096).matchAll(assigned)].map((match) => match[1] ?? match[2] ?? "");
}

type Operator = (left: number, right: number) => number;

/** Binary operators from the loosest to the tightest. */
const levels: readonly ReadonlyMap<string, Operator>[] = [
  new Map([["||", (a: number, b: number) => Number(a !== 0 || b !== 0)]]),
  new Map([["&&", (a: number, b: number) => Number(a !== 0 && b !== 0)]]),
  new Map([["|", (a: number, b: number) => a | b]]),
  new Map([["^", (a: number, b: number) => a ^ b]]),
  new Map([["&", (a: number, b: number) => a & b]]),
  new Map([
    ["==", (a: number, b: number) => Number(a === b)],
    ["!=", (a: number, b: number) => Number(a !== b)],
  ]),
  new Map([
    ["<", (a: number, b: number) => Number(a < b)],
    [">", (a: number, b: number) => Number(a > b)],
    ["<=", (a: number, b: number) => Number(a <= b)],
    [">=", (a: number, b: number) => Number(a >= b)],
  ]),
  new Map([
    ["<<", (a: number, b: number) => a * 2 ** b],
    [">>", (a: number, b: number) => Math.floor(a / 2 ** b)],
  ]),
  new Map([
    ["+", (a: number, b: number) => a + b],
    ["-", (a: number, b: number) => a - b],
  ]),
  new Map([
    ["*", (a: number, b: number) => a * b],
    ["/", (a: number, b: number) => Math.trunc(a / b)],
    ["%", (a: number, b: number) => a % b],
  ]),
  new Map([["**", (a: number, b: number) => a ** b]]),
];

/** Reads the tokens once, by precedence. Undefined for anything that is not a constant. */
class Evaluation {
  private at = 0;
  private nesting = 0;
  private readonly tokens: readonly string[];
  private readonly textOf: (name: string) => string | undefined;
  private readonly octal: boolean;

  constructor(tokens: readonly string[], textOf: (name: string) => string | undefined, octal: boolean) {
    this.tokens = tokens;
    this.textOf = textOf;
    this.octal = octal;
  }

  whole(): number | undefined {
    const value = this.binary(0);
    return this.at === this.tokens.length ? value : undefined;
  }

  private binary(level: number): number | undefined {
    const operators = levels[level];
    if (!operators) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const operator = operators.get(this.tokens[this.at] ?? "");
      if (!operator || left === undefined) return left;
      this.at += 1;
      const right = this.binary(level + 1);
      if (right === undefined) return undefined;
      left = operator(left, right);
    }
  }

  private unary(): number | undefined {
    let apply = (value: number): number => value;
    for (let count = 0; count < depth; count++) {
      const token = this.tokens[this.at] ?? "";
      const outer = apply;
      if (token === "-") apply = (value) => outer(-value);
      else if (token === "!") apply = (value) => outer(Number(value === 0));
      else if (token === "~") apply = (value) => outer(~value);
      else if (token !== "+") break;
      this.at += 1;
    }
    const value = this.operand();
    return value === undefined ? undefined : apply(value);
  }

  private operand(): number | undefined {
    let token = this.tokens[this.at] ?? "";
    this.at += 1;
    if (token === "(") {
      if (this.nesting >= depth) return undefined;
      this.nesting += 1;
      const value = this.binary(0);
      this.nesting -= 1;
      if (this.tokens[this.at] !== ")") return undefined;
      this.at += 1;
      return value;
    }
    if (token === "$") {
      token = this.tokens[this.at] ?? "";
      this.at += 1;
    }
    if (/^\d/.test(token)) return numberOf(token, this.octal);
    if (!/^[A-Za-z_]\w*$/.test(token)) return undefined;
    const value = this.textOf(token);
    return value === undefined ? undefined : numberOf(value, this.octal);
  }
}

/** Reads a number like the shell: `0x1f`, `017` (17 if `octal` is false), `2#101`, decimal. */
function numberOf(text: string, octal: boolean): number | undefined {
  const sign = text.startsWith("-") ? -1 : 1;
  const digits = text.replace(/^-/, "");
  const based = /^([2-9]|[12]\d|3[0-6])#([0-9A-Za-z]+)$/.exec(digits);
  const value = /^0[xX][0-9a-fA-F]+$/.test(digits)
    ? Number(digits)
    : based
      ? Number.parseInt(based[2] as string, Number(based[1]))
      : octal && /^0[0-7]+$/.test(digits)
        ? Number.parseInt(digits, 8)
        : /^\d+$/.test(digits)
          ? Number(digits)
          : Number.NaN;
  return Number.isNaN(value) ? undefined : sign * value;
}
