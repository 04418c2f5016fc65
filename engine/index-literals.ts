/**
 * Derives texts of which every match of an RE2 pattern contains at least one; the plan's index searches for them before a rule is
 * judged. Conservative: a pattern with anything but plain literals, classes, groups and repeats gives no texts.
 */

/** Groups inside groups that are followed; deeper patterns give no answer. */
const deepest = 12;
/** Shorter texts are in nearly everything. */
const shortest = 3;

/** Texts, at least one of which is in every match of a part of a pattern; undefined if none is sure. */
type Sure = readonly string[] | undefined;

/** A part that was not understood, after which the whole pattern has no answer. */
const lost = Symbol("lost");

/** Returns texts, at least one of which is in every text that the pattern matches; undefined if none is sure. */
export function requiredLiterals(pattern: string): readonly string[] | undefined {
  // Half a character in a text is matched as U+FFFD, which the text itself does not hold.
  if (!pattern.isWellFormed() || pattern.includes("\ufffd")) return undefined;
  const reader = new Reader(pattern);
  const found = reader.alternatives(0);
  return found === lost || !reader.atEnd ? undefined : found;
}

class Reader {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#chars = Array.from(pattern);
  }

  get atEnd(): boolean {
    return this.#at >= this.#chars.length;
  }

  /** Branches between bars: each must be sure of something. */
  alternatives(depth: number): Sure | typeof lost {
    let all: Sure = [];
    for (;;) {
      const branch = this.#sequence(depth);
      if (branch === lost) return lost;
      all = all && branch && [...all, ...branch];
      if (this.#chars[this.#at] !== "|") return all;
      this.#at++;
    }
  }

  /** Reads a sequence of parts; returns the longest sure text of any of them. */
  #sequence(depth: number): Sure | typeof lost {
    let best: Sure;
    let run = "";
    const offer = (texts: Sure): void => {
      if (texts && texts.length > 0 && weight(texts) > weight(best)) best = texts;
    };
    const end = (): void => {
      offer([run]);
      run = "";
    };
    while (!this.atEnd && this.#chars[this.#at] !== "|" && this.#chars[this.#at] !== ")") {
      const part = this.#part(depth);
      if (part === lost) return lost;
      const repeat = this.#repeat();
      if (repeat === lost) return lost;
      if (part.char !== undefined && repeat === "once") run += part.char;
      else {
        // A character that occurs at least once still extends the run before it, but the next part need not follow it directly.
        if (part.char !== undefined && repeat === "some") run += part.char;
        end();
        if (repeat !== "maybe") offer(part.texts);
      }
    }
    end();
    return weight(best) >= shortest ? best : undefined;
  }

  #part(depth: number): { readonly char?: string; readonly texts?: Sure } | typeof lost {
    const c = this.#chars[this.#at++] as string;
    if (c === "(") return this.#group(depth);
    if (c === "[") return this.#set();
    if (c === "\\") return this.#escape();
    if (c === "." || c === "^" || c === "$") return {};
    return "*+?{}])".includes(c) ? lost : { char: c };
  }

  #group(depth: number): { readonly texts: Sure } | typeof lost {
    if (depth >= deepest) return lost;
    if (this.#chars[this.#at] === "?") {
      // Flags and names change how the rest reads; only `(?:` does not.
      if (this.#chars[this.#at + 1] !== ":") return lost;
      this.#at += 2;
    }
    const inner = this.alternatives(depth + 1);
    if (inner === lost || this.#chars[this.#at] !== ")") return lost;
    this.#at++;
    return { texts: inner };
  }

  /** A class of characters is never a literal; one that holds a bracket is not read. */
  #set(): object | typeof lost {
    if (this.#chars[this.#at] === "^") this.#at++;
    if (this.#chars[this.#at] === "]") return lost;
    for (; !this.atEnd; this.#at++) {
      const c = this.#chars[this.#at];
      if (c === "[") return lost;
      if (c === "\\") this.#at++;
      else if (c === "]") {
        this.#at++;
        return {};
      }
    }
    return lost;
  }

  #escape(): { readonly char?: string } | typeof lost {
    const c = this.#chars[this.#at++];
    if (c === undefined) return lost;
    if ("bBAzdDwWsS".includes(c)) return {};
    return /[A-Za-z0-9]/.test(c) || c > "\u007f" ? lost : { char: c };
  }

  /** Reads how often the previous part occurs: once, at least once, or perhaps never. */
  #repeat(): "once" | "some" | "maybe" | typeof lost {
    const c = this.#chars[this.#at];
    if (c !== "*" && c !== "+" && c !== "?" && c !== "{") return "once";
    this.#at++;
    const least = c === "{" ? this.#bounds() : c === "+" ? 1 : 0;
    if (least === undefined) return lost;
    if (this.#chars[this.#at] === "?") this.#at++;
    return least > 0 ? "some" : "maybe";
  }

  /** The least of `{n}`, `{n,}` or `{n,m}`. */
  #bounds(): number | undefined {
    const close = this.#chars.indexOf("}", this.#at);
    const given = /^(\d{1,4})(?:,\d{0,4})?$/.exec(this.#chars.slice(this.#at, Math.max(close, this.#at)).join(""));
    if (close < 0 || !given) return undefined;
    this.#at = close + 1;
    return Number(given[1]);
  }
}

/** Returns the length of the shortest text, which every match is sure to contain. */
function weight(texts: Sure): number {
  return texts ? Math.min(...texts.map((text) => text.length)) : 0;
}
