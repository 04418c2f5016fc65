import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source } from "../../diagnostics/source.ts";
import type { Expression } from "../../rules/ast.ts";
import { limits } from "../../schema/limits.ts";
import { parseExpression } from "./expression.ts";

/** A text parameter: literal text and interpolated expressions, in order. Neighbouring parts are never both text. */
export interface ParsedTemplate {
  readonly parts: (string | Expression)[];
  /** HW205 for the braces, HW201–HW204 for the expressions in them. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Parses a text parameter (`reason`, `guidance`, injected content, a replacement; language page section 2): `{expr}`
 * interpolates, `{{` and `}}` are braces. Braces and strings inside an expression are recognised, so `{ {"a": 1}["a"] }` is one
 * interpolation. `{match[1]}` is an ordinary expression here. Total and linear, as `parseExpression` is.
 */
export function parseTemplate(source: Source): ParsedTemplate {
  if (source.text.length <= limits.expressionLength) return new TemplateParser(source).run();
  const message = `text of ${source.text.length} characters, at most ${limits.expressionLength}`;
  const whole = { start: 0, end: source.text.length };
  return {
    parts: [source.text],
    diagnostics: [diagnostic("HW205", source, whole, message, "shorten it, or keep it in a file that the text names")],
  };
}

const mostFindings = 25;

class TemplateParser {
  readonly #source: Source;
  readonly #text: string;
  readonly #parts: (string | Expression)[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  #literal = "";

  constructor(source: Source) {
    this.#source = source;
    this.#text = source.text;
  }

  run(): ParsedTemplate {
    let at = 0;
    while (at < this.#text.length) at = this.#step(at);
    this.#flush();
    return { parts: this.#parts, diagnostics: this.#diagnostics.slice(0, mostFindings) };
  }

  /** Reads the part that begins at `at`; returns the offset of the next part. */
  #step(at: number): number {
    const brace = nextBrace(this.#text, at);
    this.#literal += this.#text.slice(at, brace);
    if (brace === this.#text.length) return brace;
    const character = this.#text.charAt(brace);
    if (this.#text.charAt(brace + 1) === character) {
      this.#literal += character;
      return brace + 2;
    }
    return character === "{" ? this.#interpolation(brace) : this.#strayClose(brace);
  }

  #strayClose(at: number): number {
    this.#report(at, at + 1, "`}` closes nothing", "write `}}` for a brace, or open it with `{`");
    this.#literal += "}";
    return at + 1;
  }

  #interpolation(open: number): number {
    const close = endOfInterpolation(this.#text, open + 1);
    if (typeof close !== "number") {
      this.#unclosed(open, close.string);
      return this.#text.length;
    }
    this.#flush();
    const span = { start: open + 1, end: close };
    if (this.#text.slice(span.start, span.end).trim() === "") {
      this.#report(open, close + 1, "nothing to interpolate in `{}`", "write an expression, or `{{}}` for braces");
      this.#parts.push({ kind: "error", span: this.#source.toFile({ start: open, end: close + 1 }) });
    } else {
      const { expression, diagnostics } = parseExpression(this.#source, span);
      this.#parts.push(expression);
      this.#diagnostics.push(...diagnostics);
    }
    return close + 1;
  }

  /** Reports an unclosed expression and takes the rest as literal text, because its intended end is unknown. */
  #unclosed(open: number, string: number | undefined): void {
    if (string === undefined) {
      this.#report(open, open + 1, "`{` is never closed", "close it with `}`, or write `{{` for a brace");
    } else {
      this.#report(
        string,
        string + 1,
        "string without an end inside `{…}`",
        `close it with \`${this.#text.charAt(string)}\``,
      );
    }
    this.#literal += this.#text.slice(open);
  }

  #flush(): void {
    if (this.#literal !== "") this.#parts.push(this.#literal);
    this.#literal = "";
  }

  #report(start: number, end: number, message: string, help: string): void {
    this.#diagnostics.push(diagnostic("HW205", this.#source, { start, end }, message, help));
  }
}

function nextBrace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === openBrace || character === closeBrace) return at;
  }
  return text.length;
}

const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Returns the offset of the brace that ends the expression from `from`; without one, the offset of an unclosed string, if any. */
function endOfInterpolation(text: string, from: number): number | { readonly string: number | undefined } {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "{") depth++;
    else if (character === "}") {
      if (depth === 0) return at;
      depth--;
    } else if (character === '"' || character === "'") {
      const end = endOfString(text, at, from);
      if (end < 0) return { string: at };
      at = end - 1;
    }
  }
  return { string: undefined };
}

/** Returns the offset after the string whose quote is at `at`; -1 if the string does not end. */
function endOfString(text: string, at: number, from: number): number {
  const quote = text.charAt(at);
  const closer = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  const raw = isRaw(text, at, from);
  for (let i = at + closer.length; i < text.length; i++) {
    if (text.startsWith(closer, i)) return i + closer.length;
    if (text.charAt(i) === "\\" && !raw) i++;
    else if (closer.length === 1 && (text.charAt(i) === "\n" || text.charAt(i) === "\r")) return -1;
  }
  return -1;
}

/** True if the quote at `at` has a raw prefix that is not the end of a name. */
function isRaw(text: string, at: number, from: number): boolean {
  const prefix = /(?<![A-Za-z0-9_])(?:[rR]|[bB][rR]|[rR][bB])$/;
  return prefix.test(text.slice(Math.max(from, at - 3), at));
}
