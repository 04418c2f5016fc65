import type { RegexMatch } from "../../schema/ports.ts";

/** Windows that are remembered, and units of the longest of them. */
const rememberedWindows = 512;
const longest = 1_024;

/**
 * Cache of matches in recently scanned windows. One event has the same text in several places and encodings. Redaction, facts
 * and the record's mask each read them all: a pattern need not read a window each time. Matches depend on pattern and window
 * alone. All are forgotten when there are too many.
 */
export class RecentMatches {
  readonly #rows = new Map<number, Map<string, readonly RegexMatch[]>>();
  #count = 0;

  /** Matches of a row's pattern in the text of a window; `find` gives them where they are not known. */
  of(row: number, part: string, find: (text: string) => readonly RegexMatch[]): readonly RegexMatch[] {
    if (part.length > longest) return find(part);
    const known = this.#rows.get(row)?.get(part);
    if (known) return known;
    // A part of a text keeps all of that text in memory, and so would what is found in it.
    const own = ` ${part}`.slice(1);
    const found = find(own);
    this.#keep(row, own, found);
    return found;
  }

  #keep(row: number, part: string, found: readonly RegexMatch[]): void {
    if (this.#count >= rememberedWindows) {
      this.#rows.clear();
      this.#count = 0;
    }
    let windows = this.#rows.get(row);
    if (!windows) {
      windows = new Map();
      this.#rows.set(row, windows);
    }
    windows.set(part, found);
    this.#count += 1;
  }
}
