import { spend } from "../../meter.ts";
import { Chains, type Found } from "./chains.ts";
import { Context } from "./context.ts";
import { showsEnvironment } from "./environment.ts";
import type { Collector } from "./findings.ts";
import type { Language } from "./language.ts";
import { type Token, tokenize } from "./tokens.ts";
import { eachOf, filled, joined, joinedPath, listValue, textValue, unknown, type Value } from "./values.ts";
import { noteVariables } from "./variables.ts";

// Expressions inside each other, and codes inside codes.
const expressionDepth = 150;
const codeNesting = 3;
const codeLength = 65_536;

/** Collects the effects of code that its calls and constants show. Linear in its length; never throws. Source: threats page, class 8. */
export function scanCode(
  language: Language,
  code: string,
  argv: readonly Value[],
  given: ReadonlyMap<string, Value> = new Map(),
): Collector {
  const context = new Context(language, argv);
  for (const [name, value] of given) context.bind(name, value);
  if (code.length > codeLength) context.to.doubt("it is longer than can be analysed");
  else scanText(code, context);
  return context.to;
}

/** Scans code inside code, with the names of the outer one. */
function scanText(code: string, context: Context): Value {
  if (context.nesting > codeNesting) {
    context.to.doubt("it holds code inside code, deeper than can be analysed");
    return unknown;
  }
  const { tokens, problem } = tokenize(code, context.language.lexicon);
  if (problem !== undefined) context.to.doubt(problem);
  if (showsEnvironment(tokens)) context.to.read(textValue("/proc/self/environ"));
  noteVariables(tokens, context);
  context.nesting += 1;
  const value = new Scan(tokens, context).statements(0, tokens.length);
  context.nesting -= 1;
  return value;
}

const uncertain = new Set("and or xor not if unless else elsif in is of isa instanceof eq ne lt gt".split(" "));
// In languages with calls without brackets, these words bind looser than an argument list.
const loose = new Set("and or xor not if unless".split(" "));
const prefixes = new Set(["!", "-", "+", "~", "*", "**", "...", "&", "\\", "++", "--", "@", "?"]);
const silent = new Set([
  "await",
  "new",
  "not",
  "typeof",
  "void",
  "yield",
  "my",
  "our",
  "local",
  "delete",
  "lambda",
  "const",
  "let",
  "var",
]);

class Scan extends Chains {
  /** True inside awk's print arguments, where `>` and `|` redirect. */
  private printing = false;

  /** Visits everything in a range; the value of the last expression. */
  statements(from: number, to: number): Value {
    let value: Value = unknown;
    let i = from;
    while (i < to) {
      const token = this.tokens[i] as Token;
      const start = i;
      if (token.kind === "newline" || (token.kind === "mark" && /^(?:;|,|:|\)|\]|\}|=>)$/.test(token.text))) i += 1;
      else if (this.keyword(i)) i = this.statement(i);
      else {
        const found = this.expression(i, to);
        value = found.value;
        i = found.next;
      }
      i = Math.max(i, start + 1);
    }
    return value;
  }

  protected statement(i: number): number {
    const { language, to } = this.context;
    const keyword = this.text(i);
    if (keyword === "class" || keyword === "def" || keyword === "function" || keyword === "sub") {
      let at = i + 1;
      while (this.tokens[at]?.kind === "name" || this.text(at) === ".") at += 1;
      return at;
    }
    if (language.output && /^printf?$/.test(keyword) && /^(?:>{1,2}|\|&?)$/.test(this.text(i + 1))) {
      // With only a target, the whole line is printed.
      const target = this.operand(i + 2, this.tokens.length);
      language.output(this.text(i + 1).startsWith(">") ? ">" : "|", target.value, to);
      return Math.max(target.next, i + 2);
    }
    if (language.output && /^printf?$/.test(keyword)) {
      this.printing = true;
      const { next } = this.items(i + 1, this.tokens.length, "bare");
      this.printing = false;
      return next;
    }
    return language.statement?.(keyword, { tokens: this.tokens, at: i + 1, names: this.context, to }) ?? i + 1;
  }

  /** Reads operands and operators up to the end of an expression. An assignment has the assigned value. */
  protected expression(from: number, to: number): Found {
    const { lexicon, name, output } = this.context.language;
    let { value, next } = this.operand(from, to);
    while (next < to) {
      const token = this.tokens[next] as Token;
      if (token.kind === "newline") {
        const after = this.tokens[next + 1];
        const texts = this.tokens[next - 1]?.kind === "text" && after?.kind === "text" && lexicon.adjacent === "texts";
        if (texts) {
          const right = this.operand(next + 1, to);
          value = joined(value, right.value);
          next = Math.max(right.next, next + 2);
          continue;
        }
        if (after?.kind !== "mark" || !(lexicon.joins.has(after.text) || lexicon.members.has(after.text))) break;
        next += 1;
        continue;
      }
      if (this.beside(next)) {
        const right = this.operand(next, to);
        value = joined(value, right.value);
        next = Math.max(right.next, next + 1);
        continue;
      }
      if (token.kind !== "mark") {
        if (
          token.kind === "name" &&
          uncertain.has(token.text) &&
          !token.line &&
          !(lexicon.bareCalls === "always" && loose.has(token.text))
        )
          value = unknown;
        else if (this.keyword(next) && !token.line && lexicon.keywords.has("for") && token.text === "for")
          value = unknown;
        else if (lexicon.joins.has(token.text)) {
          const right = this.operand(next + 1, to);
          value = joined(value, right.value);
          next = Math.max(right.next, next + 2);
          continue;
        }
        break;
      }
      if (/^(?:[,;:)\]}{]|=>)$/.test(token.text)) break;
      if (output && (token.text === "|" || token.text === "|&") && this.text(next + 1) === "getline")
        output("|", value, this.context.to);
      const reading = token.text === "<" && (this.text(next - 1) === "getline" || this.text(next - 2) === "getline");
      if (output && reading) {
        const file = this.operand(next + 1, to);
        output("<", file.value, this.context.to);
        next = Math.max(file.next, next + 1);
        continue;
      }
      if (output && this.printing && /^(?:>{1,2}|\|&?)$/.test(token.text)) {
        const target = this.expression(next + 1, to);
        output(token.text.startsWith(">") ? ">" : "|", target.value, this.context.to);
        next = Math.max(target.next, next + 1);
        continue;
      }
      const right = this.operand(next + 1, to);
      value = this.operated(token.text, value, right.value, lexicon.joins, name);
      next = Math.max(right.next, next + 1);
    }
    return { value, next: Math.max(next, from + 1) };
  }

  protected scan(code: string): Value {
    return scanText(code, this.context);
  }

  private operated(operator: string, left: Value, right: Value, joins: ReadonlySet<string>, name: string): Value {
    if (operator === "=" || operator === ":=") return right;
    if (joins.has(operator)) return joined(left, right);
    if (operator === "/" && name === "python" && left.kind === "text") return joinedPath([left, right]);
    if (operator === "%" && left.kind === "text" && (name === "python" || name === "ruby"))
      return filled(left.text, right);
    return unknown;
  }

  /** True if two adjacent operands form one text. */
  private beside(i: number): boolean {
    const { adjacent } = this.context.language.lexicon;
    const [left, right] = [this.tokens[i - 1], this.tokens[i]];
    if (!right || adjacent === "none") return false;
    if (right.kind === "text" && (left?.kind === "text" || adjacent === "all")) return true;
    return adjacent === "all" && (right.kind === "number" || (right.kind === "name" && !this.keyword(i)));
  }

  private operand(from: number, to: number): Found {
    let i = from;
    let spread = false;
    while (i < to && (silent.has(this.text(i)) || (this.tokens[i]?.kind === "mark" && prefixes.has(this.text(i))))) {
      spread ||= /^(?:\*{1,2}|\.\.\.|@)$/.test(this.text(i));
      i += 1;
    }
    spend(2 + ((i - from) >> 1));
    const token = this.tokens[i];
    if (!token || i >= to) return { value: unknown, next: i };
    if (this.context.depth > expressionDepth) {
      this.context.to.doubt("its expressions nest too deep");
      return { value: unknown, next: Math.max(i + 1, token.close + 1) };
    }
    this.context.depth += 1;
    const first = this.primary(token, i, to);
    const found = this.keyword(i) ? first : this.chain(first.value, first.next, i, to);
    this.context.depth -= 1;
    this.escapes(found.value, from, found.next);
    const value: Value = spread && found.value.kind === "list" ? { ...found.value, spread } : found.value;
    return { value: spread && value.kind !== "list" ? { ...unknown } : value, next: found.next };
  }

  /** Notes a function with effects that is passed on instead of called, because its calls are not followed. */
  private escapes(value: Value, from: number, next: number): void {
    if (value.kind !== "name" || value.on || /^:?=$/.test(this.text(next))) return;
    if (this.text(from - 1) === "=" || this.text(from - 1) === ":=") {
      const target = this.context.variables.get(this.text(from - 2));
      if (target && target.kind !== "many" && !this.context.language.lexicon.members.has(this.text(from - 3))) return;
    }
    if (this.context.find(this.context.language.calls, value.name) === undefined || value.name === "unlink") return;
    if (/(?:^|\.)(?:eval|exec|execSync|Function|system)$/.test(value.name)) this.context.to.runsUnknown = true;
    this.context.to.doubt(`\`${value.name.slice(0, 60)}\` is handed on`);
  }

  private primary(token: Token, i: number, to: number): Found {
    switch (token.kind) {
      case "name":
        return {
          value: this.keyword(i) ? unknown : this.resolve(token.text),
          next: this.keyword(i) ? this.statement(i) : i + 1,
        };
      case "text":
        return { value: this.textOf(token), next: i + 1 };
      case "run":
        this.context.to.add({ kind: "text", text: this.textOf(token) });
        return { value: unknown, next: i + 1 };
      case "list":
        return {
          value: listValue(
            token.text
              .split(/\s+/)
              .filter((word) => word !== "")
              .slice(0, 256)
              .map(textValue),
          ),
          next: i + 1,
        };
      case "number":
        return { value: { kind: "number", text: token.text }, next: i + 1 };
      case "code":
        this.textOf(token);
        return { value: unknown, next: i + 1 };
      case "hole":
        this.context.to.doubt("part of it is not known");
        return { value: unknown, next: i + 1 };
      default:
        return this.bracket(token, i, to);
    }
  }

  private bracket(token: Token, i: number, to: number): Found {
    const { lexicon, output } = this.context.language;
    const end = Math.min(token.close, to);
    if (token.text === "(" || token.text === "[") {
      const { printing } = this;
      if (token.text === "[" && this.text(end + 1) === "=") return { value: unknown, next: end + 1 };
      this.printing = false;
      const { value, single } = this.items(i + 1, end, token.text);
      this.printing = printing;
      return { value: token.text === "(" && single ? (value.items[0] as Value) : value, next: end + 1 };
    }
    if (token.text === "{") {
      // Names on the left side of an assignment have been noted.
      if (this.text(end + 1) === "=") return { value: unknown, next: end + 1 };
      const before = this.tokens[i - 1];
      const object =
        lexicon.braces === "object" ||
        (lexicon.braces === "either" &&
          before?.kind === "mark" &&
          /^(?:=|\(|,|\[|:|\?|&&|\|\||\?\?|=>|\{)$/.test(before.text) &&
          !(before.text === "=>" && lexicon.members.has("?.")));
      if (object) return { value: this.items(i + 1, end, "{").value, next: end + 1 };
      this.statements(i + 1, end);
      return { value: unknown, next: end + 1 };
    }
    if (token.text === "<" && lexicon.quoting === "perl") return this.angle(i, to);
    if (
      token.text === ":" &&
      lexicon.quoting === "ruby" &&
      this.tokens[i + 1]?.kind === "name" &&
      !this.tokens[i + 1]?.spaced
    )
      return { value: textValue(this.text(i + 1)), next: i + 2 };
    if (token.text === "<" && output && this.text(i - 1) === "getline") {
      const found = this.operand(i + 1, to);
      output("<", found.value, this.context.to);
      return found;
    }
    return { value: unknown, next: /^[,;:)\]}]$/.test(token.text) ? i : i + 1 };
  }

  /** Perl's `<FILE>` and `<*.txt>`. */
  private angle(i: number, to: number): Found {
    let text = "";
    for (let at = i + 1; at < to && at < i + 16; at++) {
      const token = this.tokens[at] as Token;
      if (token.text === ">")
        return { value: /[*?~/]/.test(text) ? { kind: "text", text, glob: true } : unknown, next: at + 1 };
      text += token.text;
    }
    return { value: unknown, next: i + 1 };
  }

  private textOf(token: Token): Value {
    if (token.pieces.every((piece) => typeof piece === "string")) return textValue(token.pieces.join(""));
    return token.pieces.reduce<Value>((value, piece) => {
      if (typeof piece === "string") return piece === "" ? value : joined(value, textValue(piece));
      const inner = scanText(piece.code, this.context);
      return joined(
        value,
        inner.kind === "text" || inner.kind === "number" || (inner.kind === "list" && inner.each) ? inner : unknown,
      );
    }, textValue(""));
  }

  /** Returns the value of a variable, or a name. */
  private resolve(name: string): Value {
    const { context } = this;
    const variable = context.variables.get(name);
    if (!variable) {
      const named = context.named(name);
      return /^[$@%]/.test(name) && named.kind === "name" && named.name === name ? this.sigil(named) : named;
    }
    if (variable.value) return variable.value;
    if (variable.kind === "many") return unknown;
    // The value of a self-referential definition is unknown.
    variable.value = unknown;
    context.to.muted += 1;
    const scan = new Scan(variable.tokens, context);
    const whole = scan.given(variable);
    context.to.muted -= 1;
    if (variable.kind === "each") variable.value = whole.kind === "list" ? eachOf(whole.items) : elementOf(whole);
    else if (variable.kind === "member")
      variable.value =
        whole.kind === "name" && !whole.on
          ? context.member(whole.name, variable.member)
          : fieldOf(whole, variable.member);
    else variable.value = whole;
    return variable.value;
  }

  /** Returns the value assigned to a variable. The list of one `for` in a comprehension ends where the next `for` begins. */
  private given({ at, kind, tokens }: { at: number; kind: string; tokens: readonly Token[] }): Value {
    const { value } = this.expression(at, tokens.length);
    if (kind !== "each" || value.kind !== "unknown") return value;
    const first = this.operand(at, tokens.length);
    return tokens[first.next]?.text === "for" ? first.value : value;
  }

  /** `$ARGV[1]` is an item of `@ARGV`; other variables that nothing sets are not known. */
  private sigil(value: Value): Value {
    const name = value.kind === "name" ? value.name : "";
    const { language } = this.context;
    return language.argv.some(([argv]) => argv === name) || language.constants.has(name) || name === "$ENV"
      ? value
      : unknown;
  }
}

/** Returns the element of a list of unknown length: a glob stays one, anything else is unknown. */
function elementOf(value: Value): Value {
  return value.kind === "text" && value.glob ? value : unknown;
}

function fieldOf(value: Value, name: string): Value {
  return value.kind === "list" ? (value.named.get(name) ?? unknown) : unknown;
}
