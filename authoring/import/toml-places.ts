import type { Span } from "../../diagnostics/source.ts";

/** Place of a key in TOML text, and the places beneath it: by name in a table, by index in an array of tables. */
export interface TomlPlace {
  /** The key, or the header of a table. */
  span: Span;
  /** Start of the value; absent for tables with a header. */
  value?: number;
  readonly below: Map<string | number, TomlPlace>;
}

/**
 * Returns the places of all keys and headers of a TOML text that a parser has accepted. Inline tables and the elements of
 * inline arrays have no place of their own: a lookup returns that of the key before. One pass, linear in the text.
 */
export function tomlPlaces(text: string): TomlPlace {
  return new Places(text).read();
}

const blank = /[ \t\r\n]/;

class Places {
  readonly #text: string;
  readonly #root: TomlPlace = { span: { start: 0, end: 0 }, below: new Map() };
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): TomlPlace {
    let table = this.#root;
    for (this.#skipBlank(); this.#at < this.#text.length; this.#skipBlank()) {
      const start = this.#at;
      if (this.#text[start] === "[") table = this.#header(start);
      else this.#pair(table, start);
      // Text that no parser accepts must not cause an endless loop here.
      if (this.#at === start) this.#at += 1;
    }
    return this.#root;
  }

  /** Reads `[a.b]` or `[[a.b]]`: the table of the keys after it. */
  #header(start: number): TomlPlace {
    const list = this.#text[start + 1] === "[";
    this.#at = start + (list ? 2 : 1);
    const names = this.#key("]");
    this.#at = Math.min(this.#text.length, this.#at + (list ? 2 : 1));
    const span = { start, end: this.#at };
    let place = this.#root;
    for (const name of names.slice(0, -1)) place = newest(child(place, name, span));
    const last = child(place, names.at(-1) ?? "", span);
    if (!list) return Object.assign(newest(last), { span });
    return child(last, last.below.size, span);
  }

  #pair(table: TomlPlace, start: number): void {
    const names = this.#key("=");
    const span = { start, end: Math.max(start, this.#trimmedEnd(start)) };
    this.#at = Math.min(this.#text.length, this.#at + 1);
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at += 1;
    let place = table;
    for (const name of names) place = child(place, name, span);
    place.span = span;
    place.value = this.#at;
    this.#skipValue();
  }

  #trimmedEnd(start: number): number {
    let end = this.#at;
    while (end > start && blank.test(this.#text[end - 1] as string)) end -= 1;
    return end;
  }

  /** Reads the names of a dotted key up to a stop character, which is not consumed. */
  #key(stop: string): string[] {
    const names: string[] = [];
    for (;;) {
      this.#skipBlank();
      names.push(this.#name(stop));
      this.#skipBlank();
      if (this.#text[this.#at] !== ".") return names;
      this.#at += 1;
    }
  }

  #name(stop: string): string {
    const start = this.#at;
    const quote = this.#text[start];
    if (quote !== '"' && quote !== "'") {
      while (this.#at < this.#text.length && !/[\s.#]/.test(this.#text[this.#at] as string)) {
        if (this.#text[this.#at] === stop) break;
        this.#at += 1;
      }
      return this.#text.slice(start, this.#at);
    }
    this.#skipString();
    const inner = this.#text.slice(start + 1, this.#at - 1);
    return quote === "'" ? inner : unescaped(inner);
  }

  /** Skips white space, line breaks and comments. */
  #skipBlank(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const c = this.#text[this.#at] as string;
      if (c === "#") this.#at = this.#lineEnd();
      else if (!blank.test(c)) return;
    }
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? this.#text.length : end;
  }

  /** Skips a value up to the end of its line, with brackets closed. */
  #skipValue(): void {
    for (let depth = 0; this.#at < this.#text.length; ) {
      const c = this.#text[this.#at] as string;
      if (c === '"' || c === "'") {
        this.#skipString();
        continue;
      }
      if (c === "#") this.#at = this.#lineEnd();
      if (c === "[" || c === "{") depth += 1;
      if (c === "]" || c === "}") depth -= 1;
      if (this.#text[this.#at] === "\n" && depth <= 0) return;
      this.#at += 1;
    }
  }

  #skipString(): void {
    const quote = this.#text[this.#at] as string;
    const long = this.#text.startsWith(quote.repeat(3), this.#at);
    const end = long ? quote.repeat(3) : quote;
    for (this.#at += end.length; this.#at < this.#text.length; this.#at++) {
      const c = this.#text[this.#at];
      if (c === "\\" && quote === '"') this.#at += 1;
      else if (!long && c === "\n") return;
      else if (this.#text.startsWith(end, this.#at)) {
        this.#at += end.length;
        // Up to two more quotes may come right before the end of a long string.
        while (long && this.#text[this.#at] === quote) this.#at += 1;
        return;
      }
    }
  }
}

function child(place: TomlPlace, name: string | number, span: Span): TomlPlace {
  const known = place.below.get(name);
  if (known) return known;
  const made: TomlPlace = { span, below: new Map() };
  place.below.set(name, made);
  return made;
}

/** Returns the last element of an array of tables, to which a header below it belongs. */
function newest(place: TomlPlace): TomlPlace {
  return place.below.get(place.below.size - 1) ?? place;
}

function unescaped(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return inner;
  }
}
