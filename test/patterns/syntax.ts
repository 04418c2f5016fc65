/** A pattern of JavaScript as a tree; groups without a use of their own are their content. */
export type Pattern =
  | { readonly kind: "set"; readonly has: (sign: string) => boolean }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Pattern[] }
  | {
      readonly kind: "repeat";
      readonly part: Pattern;
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
    }
  | { readonly kind: "group"; readonly part: Pattern; readonly number: number }
  | { readonly kind: "again"; readonly group: number | string }
  | { readonly kind: "look"; readonly part: Pattern; readonly back: boolean; readonly not: boolean }
  | { readonly kind: "start" | "end" | "edge" | "inside" };

/** A pattern that was read. */
export interface Read {
  readonly pattern: Pattern;
  readonly flags: string;
  /** Numbers of groups by their names. */
  readonly names: ReadonlyMap<string, number>;
}

/** Reads the source of a pattern that the platform has accepted. */
export function readPattern(source: string, flags: string): Read {
  const reader = new Reader(source, flags);
  return { pattern: reader.choice(), flags, names: reader.names };
}

/** Makes the test for one sign by the platform itself, with what it said of each sign remembered. */
function setOf(source: string, flags: string): Pattern {
  const one = new RegExp(`^(?:${source})$`, flags.replace(/[gymd]/g, ""));
  const known = new Map<string, boolean>();
  const has = (sign: string): boolean => {
    const answer = known.get(sign) ?? one.test(sign);
    known.set(sign, answer);
    return answer;
  };
  return { kind: "set", has };
}

const escape = /^\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])/;

class Reader {
  readonly names = new Map<string, number>();
  readonly #source: string;
  readonly #flags: string;
  #at = 0;
  #groups = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  choice(): Pattern {
    const parts = [this.#sequence()];
    while (this.#take(/^\|/)) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] as Pattern) : { kind: "choice", parts };
  }

  #take(form: RegExp): RegExpExecArray | undefined {
    const found = form.exec(this.#source.slice(this.#at));
    this.#at += found?.[0].length ?? 0;
    return found ?? undefined;
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] as string))
      parts.push(this.#repeated(this.#atom()));
    return { kind: "sequence", parts };
  }

  #repeated(part: Pattern): Pattern {
    const found = this.#take(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/);
    if (!found) return part;
    const [, sign, low, comma, high, lazy] = found;
    const least = sign === undefined ? Number(low) : sign === "+" ? 1 : 0;
    const open = sign === undefined ? comma !== "" && high === "" : sign !== "?";
    const most = open ? Number.POSITIVE_INFINITY : sign === "?" ? 1 : Number(high || low);
    return { kind: "repeat", part, least, most, lazy: lazy !== "" };
  }

  #atom(): Pattern {
    const look = this.#take(/^\(\?(<?)([=!])/);
    if (look) return this.#closed((part) => ({ kind: "look", part, back: look[1] !== "", not: look[2] === "!" }));
    if (this.#take(/^\(\?[a-z-]*:/)) return this.#closed((part) => part);
    const group = this.#take(/^\((?:\?<(\w+)>)?/);
    if (group) {
      const number = ++this.#groups;
      if (group[1] !== undefined) this.names.set(group[1], number);
      return this.#closed((part) => ({ kind: "group", part, number }));
    }
    if (this.#take(/^\^/)) return { kind: "start" };
    if (this.#take(/^\$/)) return { kind: "end" };
    if (this.#take(/^\\b/)) return { kind: "edge" };
    if (this.#take(/^\\B/)) return { kind: "inside" };
    const again = this.#take(/^\\(?:([1-9]\d*)|k<(\w+)>)/);
    if (again) return { kind: "again", group: again[2] ?? Number(again[1]) };
    return setOf(this.#sign(), this.#flags);
  }

  #closed(made: (part: Pattern) => Pattern): Pattern {
    const part = this.choice();
    this.#at += 1;
    return made(part);
  }

  /** The source of a class, an escape or a sign. */
  #sign(): string {
    const plain = this.#source[this.#at] as string;
    const found =
      plain === "["
        ? this.#take(/^\[(?:\\[\s\S]|[^\]\\])*\]/)
        : plain === "\\"
          ? this.#take(escape)
          : this.#take(/^[\s\S]/);
    const source = found?.[0] ?? "";
    return /^[{}\]/]$/.test(source) ? `\\${source}` : source;
  }
}
