import { spend } from "../../meter.ts";
import type { Context } from "./context.ts";
import { callOf } from "./invoke.ts";
import { hole, type Token } from "./tokens.ts";
import { eachOf, knownText, listValue, textValue, unknown, type Value } from "./values.ts";

/** A value and where its expression ends. */
export interface Found {
  readonly value: Value;
  readonly next: number;
}

interface Items {
  readonly value: Extract<Value, { kind: "list" }>;
  readonly next: number;
  /** True for one item in plain brackets. */
  readonly single: boolean;
}

type Bracket = "(" | "[" | "{" | "bare";

/** Reader of the parts behind an operand and between brackets: members, indices, calls and their arguments. */
export abstract class Chains {
  protected readonly tokens: readonly Token[];
  protected readonly context: Context;

  constructor(tokens: readonly Token[], context: Context) {
    this.tokens = tokens;
    this.context = context;
  }

  protected abstract expression(from: number, to: number): Found;
  /** Reads a keyword and what belongs to it; gives where that ends. */
  protected abstract statement(i: number): number;
  protected abstract scan(code: string): Value;

  protected text(i: number): string {
    const token = this.tokens[i];
    return token?.kind === "mark" || token?.kind === "name" ? token.text : "";
  }

  protected keyword(i: number): boolean {
    const token = this.tokens[i];
    if (token?.kind !== "name" || !this.context.language.lexicon.keywords.has(token.text)) return false;
    // `import("module")` is a call.
    return token.text !== "import" || this.text(i + 1) !== "(";
  }

  /** Members, indices and calls behind a value. */
  protected chain(first: Value, from: number, start: number, to: number): Found {
    const { lexicon } = this.context.language;
    let value = first;
    let i = from;
    let called = this.tokens[start]?.kind !== "name" || this.keyword(start);
    while (i < to) {
      spend(2);
      const token = this.tokens[i] as Token;
      const skipped =
        token.kind === "newline" && this.tokens[i + 1]?.kind === "mark" && lexicon.members.has(this.text(i + 1))
          ? 1
          : 0;
      const mark = this.text(i + skipped);
      if (lexicon.members.has(mark) && this.tokens[i + skipped]?.kind === "mark" && this.isMember(i + skipped)) {
        if (!called) value = this.alone(value, i);
        const member = this.tokens[i + skipped + 1];
        if (member?.kind === "name") {
          value = this.memberOf(value, member.text);
          called = false;
          i += skipped + 2;
        } else i += skipped + 1;
      } else if (token.kind === "mark" && token.text === "(" && !(token.line && lexicon.newlines)) {
        if (this.tokens[i - 1]?.kind === "number" || this.tokens[i - 1]?.kind === "text") break;
        value = this.call(value, i, Math.min(token.close, to), "(");
        called = true;
        i = Math.min(token.close, to) + 1;
      } else if (
        token.kind === "mark" &&
        (token.text === "[" || (token.text === "{" && this.isKey(i))) &&
        !(token.spaced && !called && lexicon.bareCalls === "always")
      ) {
        if (token.text === "[" && token.line && lexicon.newlines) break;
        const word = token.text === "{" && token.close === i + 2 && this.tokens[i + 1]?.kind === "name";
        const key = word && !/^[$@%&]/.test(this.text(i + 1)) ? this.text(i + 1) : undefined;
        const index =
          key === undefined ? this.items(i + 1, Math.min(token.close, to), "[").value.items : [textValue(key)];
        value = this.indexed(value, index);
        called = value.kind !== "name";
        i = Math.min(token.close, to) + 1;
      } else if (!called && value.kind === "name" && this.bareArguments(i, value)) {
        const { value: list, next } = this.items(i, to, "bare");
        value = callOf(value, list, this.context, (code) => this.scan(code));
        called = true;
        i = Math.max(next, i + 1);
      } else break;
    }
    if (!called) value = this.alone(value, i);
    return { value, next: i };
  }

  private isMember(i: number): boolean {
    const next = this.tokens[i + 1];
    // Perl and PHP join texts with a dot; a Lua method follows a colon at once.
    if (this.text(i) === ":")
      return next?.kind === "name" && !next.spaced && this.text(i + 2) !== ":" && this.tokens[i]?.spaced === false;
    return next?.kind === "name" || (next?.kind === "mark" && /^[[({]$/.test(next.text));
  }

  /** `$x{key}` and `->{key}`. */
  private isKey(i: number): boolean {
    const before = this.tokens[i - 1];
    if (this.context.language.lexicon.quoting !== "perl" || this.tokens[i]?.spaced) return false;
    return before?.kind === "name" ? /^[$@%]/.test(before.text) : /^(?:->|\}|\])$/.test(before?.text ?? "");
  }

  private memberOf(value: Value, member: string): Value {
    if (value.kind === "name" && !value.on) return this.context.member(value.name, member);
    if (value.kind === "list" && value.named.has(member)) return value.named.get(member) as Value;
    return { kind: "name", name: member, on: value };
  }

  private indexed(value: Value, index: readonly Value[]): Value {
    const [first] = index;
    const text = knownText(first);
    if (value.kind === "name" && !value.on) {
      const argv = this.context.language.argv.find(([name]) => name === value.name);
      if (argv && first?.kind === "number") return this.context.argv[Number(first.text) - argv[1]] ?? unknown;
      if (argv) return unknown;
      if (text !== undefined) return this.context.member(value.name.replace(/^[$@%]/, ""), text);
      return unknown;
    }
    if (value.kind === "list" && !value.each && text !== undefined)
      return (first?.kind === "number" ? value.items[Number(text)] : value.named.get(text)) ?? unknown;
    return unknown;
  }

  /** Reads a lone name, which in some languages may be a call without arguments. */
  private alone(value: Value, i: number): Value {
    if (this.context.language.lexicon.bareCalls !== "always" || value.kind !== "name") return value;
    const last = value.name.split(".").at(-1) ?? "";
    const next = this.text(i);
    if (!/^[a-z_]/.test(last) || next === "=>" || next === "=" || (next === "}" && this.text(i - 2) === "{"))
      return value;
    if (this.isHandle(value.name)) return value;
    const result = callOf(value, listValue([]), this.context, (code) => this.scan(code));
    this.block(value, i);
    return result;
  }

  /** Perl's file handles are names in capitals. */
  private isHandle(name: string): boolean {
    return this.context.language.lexicon.quoting === "perl" && /^[A-Z][A-Z0-9_]*$/.test(name);
  }

  /** True where arguments follow a name without brackets. */
  private bareArguments(i: number, value: Value): boolean {
    const { bareCalls, members } = this.context.language.lexicon;
    const token = this.tokens[i] as Token;
    if (bareCalls === "never" || (value.kind === "name" && (/^[$@%]/.test(value.name) || this.isHandle(value.name))))
      return false;
    if (token.kind === "text" || token.kind === "run") return true;
    if (bareCalls === "texts") return token.kind === "mark" && token.text === "{" && members.has(":");
    if (token.kind === "name") return !this.keyword(i);
    if (token.kind !== "mark") return token.kind !== "newline";
    if (token.text === "[" || token.text === "\\" || (token.text === ":" && !this.tokens[i + 1]?.spaced))
      return token.spaced;
    if (token.text === "<") return this.context.language.lexicon.quoting === "perl";
    return /^[-*&@]$/.test(token.text) && token.spaced && this.tokens[i + 1]?.spaced === false;
  }

  private call(value: Value, open: number, close: number, bracket: Bracket): Value {
    this.parameter(value, open + 1);
    const { value: list } = this.items(open + 1, close, bracket);
    const result = callOf(value, list, this.context, (code) => this.scan(code));
    this.block(value, close + 1);
    return result;
  }

  /** `list.forEach(x => …)`: the parameter is each item. */
  private parameter(value: Value, i: number): void {
    if (value.kind !== "name" || value.on?.kind !== "list" || !/^(?:forEach|map|each)$/.test(value.name)) return;
    const at = this.text(i) === "(" ? i + 1 : i;
    if (this.tokens[at]?.kind === "name" && /^(?:=>|\))$/.test(this.text(at + 1)))
      this.context.bind(this.text(at), eachOf(value.on.items));
  }

  private block(value: Value, i: number): void {
    if (
      value.kind === "name" &&
      value.on?.kind === "list" &&
      /^(?:each|map)$/.test(value.name) &&
      this.text(i + 1) === "|"
    )
      this.context.bind(this.text(i + 2), eachOf(value.on.items));
  }

  /** Items between brackets, or arguments without any: positional ones and those with names. */
  protected items(from: number, to: number, bracket: Bracket): Items {
    const items: Value[] = [];
    const named = new Map<string, Value>();
    let i = from;
    let commas = 0;
    while (i < to) {
      spend(1);
      const token = this.tokens[i] as Token;
      if (token.kind === "newline" && bracket === "bare") break;
      if (token.kind === "newline" || (token.kind === "mark" && (token.text === "," || token.text === ";"))) {
        if (bracket === "bare" && token.text === ";") break;
        commas += 1;
        i += 1;
        if (bracket === "bare") while (this.tokens[i]?.kind === "newline") i += 1;
        continue;
      }
      if (bracket === "bare" && this.endsArguments(i)) break;
      const key = this.key(i, bracket);
      const found = this.item(key === undefined ? i : i + 2, to, bracket);
      if (key !== undefined) named.set(key, found.value);
      else if (found.value.kind === "list" && found.value.spread) {
        items.push(...found.value.items.slice(0, 256));
        for (const [name, value] of found.value.named) named.set(name, value);
      } else items.push(found.value);
      i = Math.max(found.next, i + 1);
    }
    return {
      value: { kind: "list", items, named },
      next: i,
      single: items.length === 1 && commas === 0 && named.size === 0,
    };
  }

  private endsArguments(i: number): boolean {
    const token = this.tokens[i] as Token;
    return token.kind === "mark"
      ? /^(?:[;:)\]}]|\|\||&&|\?)$/.test(token.text)
      : this.keyword(i) && token.text !== "function";
  }

  /** The name of a named item, if one begins here. */
  private key(i: number, bracket: Bracket): string | undefined {
    const { pairs } = this.context.language.lexicon;
    const token = this.tokens[i] as Token;
    const next = this.tokens[i + 1];
    if (next?.kind !== "mark" || !pairs.has(next.text)) return undefined;
    if (next.text === ":" && bracket !== "{" && !pairs.has("=>")) return undefined;
    if (token.kind === "name" || token.kind === "number") return token.text;
    return token.kind === "text"
      ? token.pieces.map((piece) => (typeof piece === "string" ? piece : hole)).join("")
      : undefined;
  }

  /** Reads one item; anything behind its first expression is visited and makes it unknown. */
  private item(from: number, to: number, bracket: Bracket): Found {
    let { value, next } = this.expression(from, to);
    while (next < to) {
      spend(1);
      const token = this.tokens[next] as Token;
      if (token.kind === "mark" && (token.text === "," || token.text === ";")) break;
      if (token.kind === "newline" && bracket !== "(") break;
      if (bracket === "bare" && this.endsArguments(next)) break;
      if (token.kind !== "newline") value = unknown;
      if (this.keyword(next)) next = Math.max(this.statement(next), next + 1);
      else next = Math.max(this.expression(next, to).next, next + 1);
    }
    return { value, next };
  }
}
