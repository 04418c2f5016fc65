import { spend } from "../../meter.ts";
import type { Interpolation, Lexicon, Quote } from "./lexicon.ts";
import { closing, type Piece, piecesOf, quoteEnd } from "./texts.ts";

/** One token. Blanks and comments are gone. */
export interface Token {
  /** `run` is a text for a shell, `list` words in a quote, `code` a pattern that may hold code, `hole` an unknown part. */
  readonly kind: "name" | "text" | "run" | "list" | "code" | "number" | "mark" | "newline" | "hole";
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** True when a blank comes before it. */
  readonly spaced: boolean;
  /** True when a line ends before it. */
  readonly line: boolean;
  /** Of an opening bracket: index of the closing one, or of the end. */
  close: number;
}

/** Marks an unknown part, in code and in texts. It is no character of any language. */
export const hole = "\uFDD0";

/** A code as tokens. `problem` says why the reading of it is not sure. */
export interface Tokens {
  readonly tokens: readonly Token[];
  readonly problem: string | undefined;
}

// Deeper brackets are not read: the scan recurses into them.
const bracketDepth = 100;
const marks =
  "=== !== <=> ... **= ||= &&= ??= <<= >>= ->> => -> :: ?. == != <= >= && || ?? += -= *= /= .= |= ++ -- ** << >> .. := =~ !~ |&".split(
    " ",
  );
const marksBy: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(marks.map((mark) => mark[0] as string))].map((first) => [
    first,
    marks.filter((mark) => mark.startsWith(first)),
  ]),
);
const closers: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const none: readonly Piece[] = [];

/** Splits code into tokens by a language's lexicon, in one pass. Never throws; unreadable code is a problem. */
export function tokenize(code: string, lexicon: Lexicon): Tokens {
  spend(4 + (code.length >> 1));
  const lexer = new Lexer(code, lexicon);
  lexer.run();
  lexer.match();
  return { tokens: lexer.tokens, problem: lexer.problem };
}

class Lexer {
  readonly tokens: Token[] = [];
  problem: string | undefined;
  private at = 0;
  private spaced = false;
  private line = false;
  private readonly code: string;
  private readonly lexicon: Lexicon;
  private readonly lineEnd: RegExp;
  private readonly lineEnds: RegExp;

  constructor(code: string, lexicon: Lexicon) {
    this.code = code;
    this.lexicon = lexicon;
    this.lineEnd = lexicon.lineEnd;
    this.lineEnds = new RegExp(lexicon.lineEnd, "g");
  }

  run(): void {
    while (this.at < this.code.length) if (!this.blank() && !this.special()) this.plain();
  }

  private push(kind: Token["kind"], text: string, pieces: readonly Piece[] = none): void {
    this.tokens.push({ kind, text, pieces, spaced: this.spaced, line: this.line, close: -1 });
    this.spaced = false;
    this.line = false;
  }

  private blank(): boolean {
    const character = this.code[this.at] as string;
    if (this.lineEnd.test(character)) {
      this.at += this.code.startsWith("\r\n", this.at) ? 2 : 1;
      if (this.lexicon.newlines) this.push("newline", "\n");
      this.spaced = true;
      this.line = true;
      return true;
    }
    const continued = character === "\\" && /[\r\n]/.test(this.code[this.at + 1] ?? "");
    if (!/\s/.test(character) && !continued) return this.comment();
    this.at += continued ? 2 : 1;
    this.spaced = true;
    return true;
  }

  private comment(): boolean {
    for (const [open, close] of this.lexicon.blockComments) {
      if (!this.code.startsWith(open, this.at)) continue;
      const end = this.code.indexOf(close, this.at + open.length);
      this.at = end < 0 ? this.code.length : end + close.length;
      this.spaced = true;
      return true;
    }
    if (!this.lexicon.lineComments.some((open) => this.code.startsWith(open, this.at))) return false;
    this.lineEnds.lastIndex = this.at;
    const lineEnd = this.lineEnds.exec(this.code)?.index ?? this.code.length;
    const sign = this.lexicon.commentEnd;
    const end = sign === undefined ? -1 : this.code.slice(this.at, lineEnd).indexOf(sign);
    this.at = end < 0 ? lineEnd : this.at + end;
    return true;
  }

  /** Reads quotes, and texts that begin like an operator and act as quotes. */
  private special(): boolean {
    const { hereDocument, quoting } = this.lexicon;
    if (this.code[this.at] === hole) {
      this.at += 1;
      this.push("hole", hole);
      return true;
    }
    if (hereDocument && this.code[this.at] === "<" && hereDocument.test(this.code.slice(this.at, this.at + 64)))
      this.problem ??= "it holds a here-document";
    if (quoting === "python" && this.prefixed()) return true;
    const quote = this.lexicon.quotes.find((one) => this.code.startsWith(one.open, this.at));
    if (quote) {
      this.quoted(quote);
      return true;
    }
    if (quoting === "perl" && this.perlQuote()) return true;
    if (quoting === "ruby" && this.rubyQuote()) return true;
    return this.lexicon.regex && this.code[this.at] === "/" && this.operand() && this.regex();
  }

  private quoted(quote: Quote): void {
    const from = this.at + quote.open.length;
    const end = quoteEnd(this.code, from, quote);
    this.finish(end, quote.close.length);
    const text = this.code.slice(from, end);
    if (quote.kind === "name") this.push("name", text);
    else this.push(quote.kind ?? "text", "", piecesOf(text, quote.escapes, quote.close, quote.interpolation));
  }

  private finish(end: number, length: number): void {
    if (end >= this.code.length) this.problem ??= "a text does not end";
    this.at = Math.min(this.code.length, end + length);
  }

  /** `rb"…"`, `f'''…'''`. */
  private prefixed(): boolean {
    if (!/[rbuftRBUFT]/.test(this.code[this.at] as string)) return false;
    const found = /^([rbuft]{1,2})("""|'''|"|')/i.exec(this.code.slice(this.at, this.at + 5));
    if (!found) return false;
    const prefix = (found[1] as string).toLowerCase();
    const open = found[2] as string;
    this.at += prefix.length;
    const interpolation: { interpolation?: Interpolation } = /[ft]/.test(prefix) ? { interpolation: "{" } : {};
    // A raw text keeps its backslashes, and one before a quote still does not end it.
    const end = quoteEnd(this.code, this.at + open.length, { open, close: open, escapes: "c", ...interpolation });
    const text = this.code.slice(this.at + open.length, end);
    this.finish(end, open.length);
    this.push("text", "", piecesOf(text, prefix.includes("r") ? "none" : "c", open, interpolation.interpolation));
    return true;
  }

  private perlQuote(): boolean {
    if (!/[qmsty]/.test(this.code[this.at] as string)) return false;
    if (/[\w$@%&>]/.test(this.code[this.at - 1] ?? "")) return false;
    const found = /^(qq|qw|qx|qr|q|m|s|tr|y)(\s*)([^\w\s,;)=]|=(?![>=~]))/.exec(this.code.slice(this.at, this.at + 16));
    if (!found || (found[2] !== "" && found[3] === "#") || !this.mayQuote()) return false;
    const operator = found[1] as string;
    this.at += found[0].length - 1;
    const first = this.delimited();
    const plain = this.code[this.at - 1] === "'";
    if (operator === "q") this.push("text", "", piecesOf(first, "quote", "", undefined));
    else if (operator === "qw") this.push("list", first);
    else if (operator === "qq" || operator === "qx")
      this.push(operator === "qx" ? "run" : "text", "", piecesOf(first, "c", "", plain ? undefined : "perl"));
    else this.perlPattern(operator, first);
    return true;
  }

  /** True if a quote operator may begin here: in braces and before an arrow its letters are plain names. */
  private mayQuote(): boolean {
    const last = this.tokens.at(-1);
    return last === undefined || !(last.kind === "mark" && (last.text === "->" || last.text === "{"));
  }

  private perlPattern(operator: string, pattern: string): void {
    let replacement = "";
    if (operator !== "m" && operator !== "qr") {
      const opener = this.code[this.at - 1] as string;
      if (/[)\]}>]/.test(opener)) {
        while (/\s/.test(this.code[this.at] ?? "")) this.at += 1;
        replacement = this.delimited();
      } else {
        this.at -= 1;
        replacement = this.delimited();
      }
    }
    const flags = /^[a-z]*/.exec(this.code.slice(this.at, this.at + 16))?.[0] ?? "";
    this.at += flags.length;
    if (/\(\?\??\{/.test(pattern)) this.problem ??= "a pattern holds code";
    const code = operator === "s" && flags.includes("e") ? [{ code: replacement }] : none;
    this.push("code", "", code);
  }

  /** Reads the text between the delimiter at `at` and its closing one; brackets nest. */
  private delimited(): string {
    const open = this.code[this.at] as string;
    const from = this.at + 1;
    const end = closing(this.code, from, open);
    this.finish(end, 1);
    return this.code.slice(from, end);
  }

  private rubyQuote(): boolean {
    if (this.code[this.at] !== "%" || !this.operand()) return false;
    const found = /^%([qQwWiIxrs]?)[^\w\s=]/.exec(this.code.slice(this.at, this.at + 3));
    if (!found) return false;
    this.at += found[0].length - 1;
    const type = found[1] as string;
    const text = this.delimited();
    if (/[wWiI]/.test(type)) this.push("list", text);
    else if (type === "r") this.push("code", "");
    else
      this.push(
        type === "x" ? "run" : "text",
        "",
        piecesOf(text, type === "q" ? "quote" : "c", "", type === "q" ? undefined : "#{"),
      );
    return true;
  }

  /** True where an operand, not an operator, may stand. */
  private operand(): boolean {
    const last = this.tokens.at(-1);
    if (!last || last.kind === "newline") return true;
    if (last.kind === "name")
      return this.lexicon.keywords.has(last.text) || (this.lexicon.bareCalls === "always" && this.bareOperand());
    return last.kind === "mark" && last.text !== ")" && last.text !== "]" && last.text !== "}";
  }

  /** `puts %w(a)` and `print /x/` against `a % b`. */
  private bareOperand(): boolean {
    return this.spaced && !/\s/.test(this.code[this.at + 1] ?? " ") && !/[$@]/.test(this.tokens.at(-1)?.text[0] ?? "");
  }

  private regex(): boolean {
    let set = false;
    for (let i = this.at + 1; i < this.code.length; i++) {
      const character = this.code[i];
      if ((i & 63) === 0) spend(1);
      if (this.lineEnd.test(character as string)) return false;
      if (character === "\\") i += 1;
      else if (character === "[") set = true;
      else if (character === "]") set = false;
      else if (character === "/" && !set) {
        this.at = i + 1;
        while (/[a-z]/i.test(this.code[this.at] ?? "")) this.at += 1;
        this.push("code", "");
        return true;
      }
    }
    return false;
  }

  private plain(): void {
    const character = this.code[this.at] as string;
    let end = this.at + 1;
    if (/[0-9]/.test(character)) {
      while (end < this.code.length && numberPart(this.code, end)) end += 1;
      this.take("number", end);
    } else if (this.lexicon.nameStart.test(character) && this.nameEnd() > this.at) {
      this.take("name", this.nameEnd());
    } else {
      const mark = marksBy.get(character)?.find((one) => this.code.startsWith(one, this.at));
      this.take("mark", this.at + (mark?.length ?? 1));
    }
  }

  private take(kind: Token["kind"], end: number): void {
    const text = this.code.slice(this.at, end);
    this.at = end;
    this.push(kind, text);
  }

  /** Returns the end of the name at `at`; `at` itself for a lone sigil. */
  private nameEnd(): number {
    const { namePart } = this.lexicon;
    let end = this.at;
    const sigil = /[$@%&]/.test(this.code[end] as string);
    if (this.code[end] === "%" && !this.operand()) return this.at;
    if (this.code[end] === "&" && this.code[end + 1] === "&") return this.at;
    if (sigil) {
      end += 1;
      if (this.code[end] === "@" || this.code[end] === "#") end += 1;
      const special = this.lexicon.quoting === "perl" && /[$!@,;./\\0&]/.test(this.code[end] ?? "");
      if (special && this.code[this.at] === "$") return end + 1;
    }
    const from = end;
    while (end < this.code.length && namePart.test(this.code[end] as string)) end += 1;
    if (end === from && sigil) return /[$]/.test(this.code[this.at] as string) && namePart.test("$") ? end : this.at;
    if (/[?!]/.test(this.code[end] ?? "") && this.lexicon.quoting === "ruby" && this.code[end + 1] !== "=") end += 1;
    return end;
  }

  /** Finds the partner of every bracket. */
  match(): void {
    const open: number[] = [];
    for (let i = 0; i < this.tokens.length; i++) {
      const token = this.tokens[i] as Token;
      if (token.kind !== "mark") continue;
      if (closers.has(token.text)) {
        token.close = this.tokens.length;
        open.push(i);
        if (open.length > bracketDepth) this.problem ??= "its brackets nest too deep";
      } else if (token.text === ")" || token.text === "]" || token.text === "}") {
        const partner = this.tokens[open.at(-1) ?? -1];
        if (partner && closers.get(partner.text) === token.text) {
          partner.close = i;
          open.pop();
        } else this.problem ??= "its brackets do not match";
      }
    }
    if (open.length > 0) this.problem ??= "its brackets do not match";
  }
}

function numberPart(code: string, at: number): boolean {
  const character = code[at] as string;
  return /\w/.test(character) || (character === "." && /[0-9]/.test(code[at + 1] ?? ""));
}
