/** A condition of a Sigma rule: names of selections, combined. */
export type SigmaCondition =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "not"; readonly part: SigmaCondition }
  | { readonly kind: "and" | "or"; readonly parts: readonly SigmaCondition[] };

/** Maximum nesting of brackets and negations. */
const deepest = 32;

/**
 * Parses `selection and not 1 of filter_*`: names, `and`, `or`, `not`, brackets, `1 of`, `any of`, `all of` with a pattern
 * of names or `them`. Returns the reason as text if it cannot be parsed. Source: Sigma specification, condition.
 */
export function parseCondition(text: string, names: readonly string[]): SigmaCondition | string {
  if (text.includes("|")) return "counting and other functions over events cannot be said";
  const words = text.match(/[()]|[^\s()]+/g) ?? [];
  const parser = new Parser(words, names);
  const found = parser.either(0);
  if (typeof found === "string") return found;
  return parser.done() ? found : "the condition goes on where it should end";
}

class Parser {
  readonly #words: readonly string[];
  readonly #names: readonly string[];
  #at = 0;

  constructor(words: readonly string[], names: readonly string[]) {
    this.#words = words;
    this.#names = names;
  }

  done(): boolean {
    return this.#at >= this.#words.length;
  }

  either(depth: number): SigmaCondition | string {
    return this.#joined("or", () => this.#joined("and", () => this.#term(depth)));
  }

  #joined(word: "and" | "or", next: () => SigmaCondition | string): SigmaCondition | string {
    const parts: SigmaCondition[] = [];
    do {
      const part = next();
      if (typeof part === "string") return part;
      parts.push(part);
    } while (this.#take(word));
    return parts.length === 1 ? (parts[0] as SigmaCondition) : { kind: word, parts };
  }

  #take(word: string): boolean {
    if (this.#words[this.#at]?.toLowerCase() !== word) return false;
    this.#at += 1;
    return true;
  }

  #term(depth: number): SigmaCondition | string {
    if (depth > deepest) return "the condition is nested too deeply";
    if (this.#take("not")) {
      const part = this.#term(depth + 1);
      return typeof part === "string" ? part : { kind: "not", part };
    }
    if (this.#take("(")) {
      const inner = this.either(depth + 1);
      return typeof inner === "string" || this.#take(")") ? inner : "a bracket is not closed";
    }
    const word = this.#words[this.#at];
    if (word === undefined) return "the condition ends too early";
    this.#at += 1;
    return this.#take("of") ? this.#quantified(word) : this.#named(word);
  }

  #named(name: string): SigmaCondition | string {
    return this.#names.includes(name) ? { kind: "name", name } : `the condition names \`${name}\`, which is not there`;
  }

  #quantified(count: string): SigmaCondition | string {
    const kind = /^(?:1|any)$/i.test(count) ? "or" : /^all$/i.test(count) ? "and" : undefined;
    if (!kind) return `\`${count} of\` cannot be said`;
    const pattern = this.#words[this.#at] ?? "";
    this.#at += 1;
    const wanted = pattern.toLowerCase() === "them" ? "*" : pattern;
    const names = this.#names.filter((name) => matches(wanted, name) && !(wanted === "*" && name.startsWith("_")));
    if (names.length === 0) return `\`${pattern}\` is the name of nothing`;
    const parts = names.map((name): SigmaCondition => ({ kind: "name", name }));
    return parts.length === 1 ? (parts[0] as SigmaCondition) : { kind, parts };
  }
}

/** Matches a name against a pattern with stars. */
function matches(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  let at = 0;
  return parts.every((part, i) => {
    const found = i === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, at);
    const end = i === parts.length - 1 && i > 0 ? name.endsWith(part) && name.length - part.length >= at : true;
    at = found + part.length;
    return found >= 0 && end && (parts.length > 1 || name === pattern);
  });
}
