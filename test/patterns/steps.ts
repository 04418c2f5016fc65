import type { Pattern, Read } from "./syntax.ts";

/** Continuation of a match from a position: true if the rest matches. */
type Rest = (at: number) => boolean;
type Matcher = (at: number, rest: Rest) => boolean;

/**
 * Counts how often a search compares a sign of a text, as an engine does that goes back: the platform's own. Ends at
 * `most`. The same search comes to the same number in every run, on every machine.
 */
export function stepsOf(read: Read, text: string, most: number): number {
  const search = new Search(read, text, most);
  const first = search.matcher(read.pattern, false);
  const isSticky = read.flags.includes("y");
  try {
    for (let at = 0; at <= text.length; at++) {
      let end = -1;
      const isFound = first(at, (found) => {
        end = found;
        return true;
      });
      // A global pattern is searched again after a match; a sticky one matches there or nowhere.
      if (isFound ? !read.flags.includes("g") : isSticky) break;
      if (isFound && isSticky && end === at) break;
      if (isFound) at = Math.max(at, end - 1);
    }
  } catch (fault) {
    if (fault !== enough) throw fault;
  }
  return search.steps;
}

/** Thrown when the count reaches its maximum. */
const enough = new Error("enough steps");

class Search {
  steps = 0;
  readonly #read: Read;
  readonly #text: string;
  readonly #most: number;
  readonly #groups = new Map<number, string>();

  constructor(read: Read, text: string, most: number) {
    this.#read = read;
    this.#text = text;
    this.#most = most;
  }

  matcher(pattern: Pattern, back: boolean): Matcher {
    switch (pattern.kind) {
      case "set":
        return (at, rest) => {
          this.#step();
          const sign = this.#text[back ? at - 1 : at];
          return sign !== undefined && pattern.has(sign) && rest(back ? at - 1 : at + 1);
        };
      case "sequence":
        return this.#sequence(pattern.parts, back);
      case "choice": {
        const ways = pattern.parts.map((part) => this.matcher(part, back));
        return (at, rest) => ways.some((way) => way(at, rest));
      }
      case "repeat":
        return this.#repeat(pattern, back);
      case "group": {
        const inner = this.matcher(pattern.part, back);
        return (at, rest) =>
          inner(at, (end) => {
            this.#groups.set(pattern.number, this.#text.slice(Math.min(at, end), Math.max(at, end)));
            return rest(end);
          });
      }
      case "again":
        return this.#again(pattern.group, back);
      case "look": {
        const inner = this.matcher(pattern.part, pattern.back);
        return (at, rest) => inner(at, () => true) !== pattern.not && rest(at);
      }
      default:
        return (at, rest) => this.#stands(pattern.kind, at) && rest(at);
    }
  }

  #step(): void {
    this.steps += 1;
    if (this.steps > this.#most) throw enough;
  }

  #sequence(parts: readonly Pattern[], back: boolean): Matcher {
    const all = parts.map((part) => this.matcher(part, back));
    if (back) all.reverse();
    const from = (i: number, at: number, rest: Rest): boolean => {
      const one = all[i];
      return one === undefined ? rest(at) : one(at, (next) => from(i + 1, next, rest));
    };
    return (at, rest) => from(0, at, rest);
  }

  #repeat({ part, least, most, lazy }: Extract<Pattern, { kind: "repeat" }>, back: boolean): Matcher {
    const one = this.matcher(part, back);
    const from = (count: number, at: number, rest: Rest): boolean => {
      const more = (): boolean =>
        count < most && one(at, (next) => (next !== at || count < least) && from(count + 1, next, rest));
      if (count < least) return more();
      return lazy ? rest(at) || more() : more() || rest(at);
    };
    return (at, rest) => from(0, at, rest);
  }

  #again(group: number | string, back: boolean): Matcher {
    const number = typeof group === "number" ? group : (this.#read.names.get(group) ?? 0);
    return (at, rest) => {
      this.#step();
      const held = this.#groups.get(number) ?? "";
      const from = back ? at - held.length : at;
      return this.#text.startsWith(held, from) && rest(back ? from : at + held.length);
    };
  }

  #stands(kind: "start" | "end" | "edge" | "inside", at: number): boolean {
    const lines = this.#read.flags.includes("m");
    const [before, behind] = [this.#text[at - 1], this.#text[at]];
    if (kind === "start") return before === undefined || (lines && before === "\n");
    if (kind === "end") return behind === undefined || (lines && behind === "\n");
    const isEdge = isWord(before) !== isWord(behind);
    return isEdge === (kind === "edge");
  }
}

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && /\w/.test(sign);
}
