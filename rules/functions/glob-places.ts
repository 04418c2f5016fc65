import type { TextTest } from "../../facts/approximate/grade.ts";
import type { Place } from "../../facts/approximate/walk.ts";
import { balanced, closing } from "./pattern.ts";

/** Most alternatives of one glob; a glob with more is not analysed. */
const mostAlternatives = 128;

type Alternatives = readonly (readonly Place[])[];

/** Returns the places that a glob over text tests, with the syntax of `globPattern`; undefined for too many alternatives. */
export function globTest(glob: string): TextTest {
  const reader = new Reader(glob, balanced(glob));
  return reader.sequence();
}

class Reader {
  readonly #glob: string;
  readonly #braces: boolean;
  #at = 0;
  #depth = 0;

  constructor(glob: string, braces: boolean) {
    this.#glob = glob;
    this.#braces = braces;
  }

  /** Reads up to the end of the glob or of the current alternative. */
  sequence(): Alternatives | undefined {
    let made: Alternatives | undefined = [[]];
    while (made && this.#at < this.#glob.length) {
      const c = this.#glob[this.#at];
      if (this.#braces && this.#depth > 0 && (c === "," || c === "}")) break;
      made = product(made, this.#braces && c === "{" ? this.#group() : this.#item());
    }
    return made;
  }

  #group(): Alternatives | undefined {
    this.#depth += 1;
    let all: Alternatives | undefined = [];
    do {
      this.#at += 1;
      const one = this.sequence();
      all = all && one && bounded([...all, ...one]);
    } while (all && this.#glob[this.#at] === ",");
    this.#at += 1;
    this.#depth -= 1;
    return all;
  }

  #item(): Alternatives {
    const [glob, at] = [this.#glob, this.#at];
    const c = glob[at] as string;
    if (glob.startsWith("**/", at) && (at === 0 || glob[at - 1] === "/")) {
      this.#at += 3;
      return [[], ["tail", { char: "/" }]];
    }
    if (glob.startsWith("**", at)) return this.#take(2, "tail");
    if (c === "*") return this.#take(1, "name");
    if (c === "?") return this.#take(1, "one");
    if (c === "[" && closing(glob, at) > 0) return this.#take(closing(glob, at) - at, "set");
    const from = c === "\\" && at + 1 < glob.length ? at + 1 : at;
    const char = String.fromCodePoint(glob.codePointAt(from) as number);
    return this.#take(from + char.length - at, { char });
  }

  #take(length: number, place: Place): Alternatives {
    this.#at += length;
    return [[place]];
  }
}

function product(before: Alternatives, after: Alternatives | undefined): Alternatives | undefined {
  if (!after) return undefined;
  if (before.length * after.length > mostAlternatives) return undefined;
  return before.flatMap((head) => after.map((tail) => [...head, ...tail]));
}

function bounded(list: Alternatives): Alternatives | undefined {
  return list.length > mostAlternatives ? undefined : list;
}
