import { namedType } from "../fact-types.ts";
import type { Type } from "../types.ts";
import { dyn, list, map, optional } from "../types.ts";

/** An example of a function: an expression over literals, and its result as an expression or `error`. */
export type Example = readonly [expression: string, gives: string];

/** Description of one overload for the checker and the reference. Kept apart from the code, so that hooks do not load it. */
export interface About {
  /** Id of the code. */
  readonly id: string;
  /** Name that authors write: `startsWith`, `math.abs`, `_+_`. */
  readonly name: string;
  /** The signature as text: `string.startsWith(string): bool`, `size(list(A)): int`. */
  readonly signature: string;
  readonly method: boolean;
  /** Types of the arguments; for a method the receiver comes first. */
  readonly parameters: readonly Type[];
  readonly result: Type;
  readonly doc: string;
  readonly examples: readonly Example[];
}

/**
 * Describes an overload. A signature is `receiver.name(types): type` for a method and `name(types): type` otherwise; capital
 * letters are type variables. Throws on a malformed signature, which can only be a fault in this package, found when the module
 * loads.
 */
export function about(id: string, signature: string, doc: string, ...examples: Example[]): About {
  const reader = new SignatureReader(signature);
  return { id, signature, doc, examples, ...reader.read() };
}

/** Reads the text of a signature. */
class SignatureReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Pick<About, "name" | "method" | "parameters" | "result"> {
    const open = this.#opening();
    const dot = this.#methodDot(open);
    const parameters: Type[] = [];
    if (dot >= 0) parameters.push(this.type());
    const name = this.#text.slice(dot + 1, open);
    this.#at = open + 1;
    while (this.#text[this.#at] !== ")") {
      parameters.push(this.type());
      if (this.#text.startsWith(", ", this.#at)) this.#at += 2;
    }
    if (!this.#text.startsWith("): ", this.#at)) throw new Error(`malformed signature ${this.#text}`);
    this.#at += 3;
    return { name, method: dot >= 0, parameters, result: this.type() };
  }

  /** Offset of the parenthesis that opens the parameters. */
  #opening(): number {
    const end = this.#text.indexOf("): ");
    let depth = 0;
    for (let i = end; i >= 0; i--) {
      if (this.#text[i] === ")") depth++;
      else if (this.#text[i] === "(" && --depth === 0) return i;
    }
    throw new Error(`malformed signature ${this.#text}`);
  }

  /** Offset of the dot between receiver and name, or -1 for a function such as `math.abs`. */
  #methodDot(open: number): number {
    const dot = this.#text.lastIndexOf(".", open);
    if (dot < 0) return -1;
    const receiver = this.#text.slice(0, dot);
    const head = receiver.split("(")[0] as string;
    const isType = /^[A-Z]$/.test(head) || composed.has(head) || namedType(head) !== undefined;
    return isType && !(receiver === head && composed.has(head)) ? dot : -1;
  }

  type(): Type {
    const name = /^[A-Za-z_]+/.exec(this.#text.slice(this.#at))?.[0] ?? "";
    this.#at += name.length;
    if (/^[A-Z]$/.test(name)) return { kind: "var", name };
    if (!composed.has(name)) {
      const found = namedType(name);
      if (!found) throw new Error(`unknown type ${name} in signature ${this.#text}`);
      return found;
    }
    this.#at++;
    const first = this.type();
    if (name === "map") this.#at += 2;
    const second = name === "map" ? this.type() : dyn;
    this.#at++;
    return name === "list" ? list(first) : name === "optional" ? optional(first) : map(first, second);
  }
}

/** Types with type arguments. */
const composed: ReadonlySet<string> = new Set(["list", "map", "optional"]);
