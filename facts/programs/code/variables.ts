import { spend } from "../../meter.ts";
import type { Context } from "./context.ts";
import type { Token } from "./tokens.ts";

const defining = new Set(["def", "function", "sub", "class", "fn", "func", "struct"]);
const changing = new Set([
  "+=",
  "-=",
  ".=",
  "*=",
  "/=",
  "|=",
  "||=",
  "&&=",
  "??=",
  "**=",
  "<<=",
  "<<",
  "++",
  "--",
  "..",
]);
const declaring = new Set(["const", "let", "var", "my", "our", "local", "state"]);

/**
 * Records every variable with one value in the text, the parameters, and the definitions of the code, in one pass. A name with
 * more than one value is unknown. Must run before the code is scanned.
 */
export function noteVariables(tokens: readonly Token[], context: Context): void {
  const reader = new Notes(tokens, context);
  spend(2 * tokens.length);
  for (let i = 0; i < tokens.length; i++) reader.token(i);
}

class Notes {
  private readonly tokens: readonly Token[];
  private readonly context: Context;
  private readonly rounds: number[] = [];

  constructor(tokens: readonly Token[], context: Context) {
    this.tokens = tokens;
    this.context = context;
  }

  token(i: number): void {
    const token = this.tokens[i] as Token;
    if (token.kind === "mark") this.mark(token, i);
    if (token.kind !== "name") return;
    if (defining.has(token.text)) this.definition(i);
    else if (token.text === "lambda") this.parameters(i + 1, this.tokens.length);
    else if (token.text === "as" && this.tokens[i + 1]?.kind === "name") this.many(this.text(i + 1));
    else if (token.text === "for" || token.text === "foreach") this.loop(i + 1);
    else this.assignment(token.text, i);
  }

  private text(i: number): string {
    return this.tokens[i]?.text ?? "";
  }

  private mark(token: Token, i: number): void {
    if (token.text === "(") this.rounds.push(token.close);
    else if (token.text === ")") this.rounds.pop();
    else if (token.text === "{" && this.text(token.close + 1) === "=" && this.text(token.close + 1) !== "==")
      this.destructured(i, token.close);
    else if (token.text === "|" && /^(?:\{|do)$/.test(this.text(i - 1))) this.parameters(i + 1, this.tokens.length);
    // A list on the left side of an assignment.
    else if ((token.text === "[" || token.text === "(") && this.text(token.close + 1) === "=")
      this.parameters(i + 1, token.close);
  }

  private definition(i: number): void {
    let at = i + 1;
    while (this.tokens[at]?.kind === "name" || this.text(at) === ".") {
      spend(1);
      if (this.tokens[at]?.kind === "name") this.context.defined.add(this.text(at));
      if (this.tokens[at]?.kind === "name" && this.text(at + 1) !== ".") break;
      at += 1;
    }
    const open = this.text(at) === "(" ? at : at + 1;
    if (this.text(open) === "(") this.parameters(open + 1, this.tokens[open]?.close ?? open);
  }

  /** Names up to the end of a list of parameters. */
  private parameters(from: number, to: number): void {
    for (let i = from; i < to && i < from + 64; i++) {
      const token = this.tokens[i] as Token | undefined;
      if (!token || (token.kind === "mark" && /^[:|;{]$/.test(token.text))) return;
      if (token.kind === "name") this.many(token.text);
    }
  }

  private many(name: string): void {
    this.context.forget(name);
  }

  /** `for x in list`, `for (const x of list)`, `foreach my $x (list)`. */
  private loop(from: number): void {
    let at = from;
    while (this.text(at) === "(" || declaring.has(this.text(at))) at += 1;
    spend(at - from);
    const token = this.tokens[at];
    if (token?.kind !== "name") return;
    const next = this.text(at + 1);
    if (next === "in" || next === "of") this.note(token.text, at + 2, "each");
    else if (next === "(" && /^[$]/.test(token.text)) this.note(token.text, at + 1, "each");
    else if (next === ",") this.several(at);
  }

  /** `for a, b in …`: names of parts of an element; a walk over folders gives paths of one kind for each. */
  private several(from: number): void {
    let at = from;
    while (this.tokens[at]?.kind === "name" && this.text(at + 1) === "," && at < from + 8) at += 2;
    const walks = this.text(at + 1) === "in" && this.text(at + 2) === "os" && this.text(at + 4) === "walk";
    if (!walks) this.parameters(from, Math.min(this.tokens.length, from + 8));
    else for (let i = from; i <= at; i += 2) this.note(this.text(i), at + 2, "each");
  }

  private assignment(name: string, i: number): void {
    const before = this.text(i - 1);
    if (this.context.language.lexicon.members.has(before) && this.tokens[i - 1]?.kind === "mark") return;
    const next = this.tokens[i + 1];
    if (next?.kind !== "mark") return;
    if (changing.has(next.text) && next.text !== "..") this.many(name);
    if (
      next.text === "," &&
      (before === "" || this.tokens[i - 1]?.kind === "newline" || before === ";" || declaring.has(before))
    )
      this.chain(i);
    const named = this.context.language.lexicon.pairs.has("=");
    const inside = named && (this.rounds.length > 0 || before === "{" || before === ",");
    if ((next.text === "=" || next.text === ":=" || (next.text === "<" && this.text(i + 2) === "-")) && !inside)
      this.note(name, i + (next.text === "<" ? 3 : 2), "once");
  }

  /** `a, b = …`: none of them is known. */
  private chain(from: number): void {
    let at = from;
    while (this.tokens[at]?.kind === "name" && this.text(at + 1) === "," && at < from + 32) at += 2;
    if (this.tokens[at]?.kind !== "name" || this.text(at + 1) !== "=") return;
    for (let i = from; i <= at; i += 2) {
      this.many(this.text(i));
      this.many(this.text(i));
    }
  }

  private note(name: string, at: number, kind: "once" | "each" | "member", member = ""): void {
    if (this.context.variables.has(name)) this.many(name);
    else this.context.variables.set(name, { tokens: this.tokens, at, kind, member, value: undefined });
  }

  /** `const { execSync: run, rm } = …`. */
  private destructured(open: number, close: number): void {
    for (let i = open + 1; i < close && i < open + 128; i++) {
      const token = this.tokens[i] as Token;
      if (token.kind !== "name" || (this.text(i - 1) !== "{" && this.text(i - 1) !== ",")) continue;
      const alias = this.text(i + 1) === ":" && this.tokens[i + 2]?.kind === "name" ? this.text(i + 2) : token.text;
      this.note(alias, close + 2, "member", token.text);
    }
  }
}
