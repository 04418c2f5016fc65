/** Characters that a backslash makes literal inside double quotes. */
const inDouble = '$`"\\';

/** Characters of the escapes with a letter inside `$'…'`, by letter. */
const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/**
 * Reads the variables that `export -p` of a POSIX shell lists. dash writes single quotes, other shells double quotes or
 * `$'…'`. Returns undefined for any other text, because its content must not be guessed. Takes linear time.
 */
export function readExports(text: string): Record<string, string> | undefined {
  const variables: Record<string, string> = {};
  const reader = new Reader(text);
  while (!reader.ended) {
    const read = reader.line();
    if (!read) return undefined;
    // The name comes from outside and may be `__proto__`: define it as an own property.
    if (read.value !== undefined)
      Object.defineProperty(variables, read.name, {
        value: read.value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return variables;
}

const start = /(?:export|(?:declare|typeset) -[ilrtu]*x[ilrtu]*) ([A-Za-z_][A-Za-z0-9_]*)/y;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get ended(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Reads one variable, whose value may be undefined. Returns undefined if the line is malformed. */
  line(): { readonly name: string; readonly value: string | undefined } | undefined {
    start.lastIndex = this.#at;
    const name = start.exec(this.#text)?.[1];
    if (name === undefined) return undefined;
    this.#at = start.lastIndex;
    const value = this.#text[this.#at] === "=" ? this.#value() : null;
    if (value === undefined || this.#text[this.#at++] !== "\n") return undefined;
    return { name, value: value ?? undefined };
  }

  /** Reads a word of quoted and plain parts. */
  #value(): string | undefined {
    const parts: string[] = [];
    this.#at += 1;
    for (let c = this.#text[this.#at]; c !== undefined && c !== "\n"; c = this.#text[this.#at]) {
      const part = c === "'" ? this.#single() : c === '"' ? this.#double() : this.#plain(c);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return parts.join("");
  }

  #single(): string | undefined {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) return undefined;
    const part = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return part;
  }

  #double(): string | undefined {
    const parts: string[] = [];
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at++) {
      const c = this.#text[this.#at];
      const next = this.#text[this.#at + 1];
      if (c === undefined) return undefined;
      if (c !== "\\") {
        this.#at += 1;
        parts.push(this.#until(/["\\]/g));
        this.#at -= 1;
      } else if (next === undefined || !`${inDouble}\n`.includes(next)) parts.push(c);
      else {
        if (next !== "\n") parts.push(next);
        this.#at += 1;
      }
    }
    this.#at += 1;
    return parts.join("");
  }

  #plain(c: string): string | undefined {
    const next = this.#text[this.#at + 1];
    if (c === "$" && next === "'") return this.#ansi();
    if (c === "\\") {
      this.#at += 2;
      return next === "\n" ? "" : next;
    }
    this.#at += 1;
    return /[\s$`"'|&;<>()]/.test(c) ? undefined : c;
  }

  /** Reads `$'…'`, whose characters and numbered bytes must together be valid UTF-8. */
  #ansi(): string | undefined {
    const parts: Uint8Array[] = [];
    for (this.#at += 2; this.#text[this.#at] !== "'"; ) {
      const c = this.#text[this.#at];
      if (c === undefined) return undefined;
      this.#at += 1;
      const part = c === "\\" ? this.#escape() : this.#until(/['\\]/g);
      if (part === undefined) return undefined;
      parts.push(typeof part === "number" ? Uint8Array.of(part) : Buffer.from(part, "utf8"));
    }
    this.#at += 1;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts));
    } catch {
      return undefined;
    }
  }

  /** Reads the text from the last character up to the next match of `end`. */
  #until(end: RegExp): string {
    const from = this.#at - 1;
    end.lastIndex = this.#at;
    this.#at = end.exec(this.#text)?.index ?? this.#text.length;
    return this.#text.slice(from, this.#at);
  }

  /** Reads an escape: a character, or a byte by its number. */
  #escape(): string | number | undefined {
    const rest = this.#text.slice(this.#at, this.#at + 4);
    const octal = /^[0-7]{1,3}/.exec(rest)?.[0];
    const hex = octal === undefined ? /^x([0-9A-Fa-f]{1,2})/.exec(rest) : null;
    this.#at += octal?.length ?? hex?.[0].length ?? 1;
    if (octal !== undefined) return Number.parseInt(octal, 8) & 255;
    if (hex) return Number.parseInt(hex[1] as string, 16);
    const c = rest[0] ?? "";
    return Object.hasOwn(escapes, c) ? escapes[c] : c !== "" && "\\'\"?".includes(c) ? c : undefined;
  }
}
