import * as crypto from "node:crypto";

/** Parts of a record that place it in its chain. */
export interface ScannedLine {
  readonly seq: number;
  readonly prev: string;
  readonly hash: string;
  /** Half-open range of the JSON text of the body's `session`; empty when it has none. */
  readonly session: readonly [number, number];
}

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Greatest depth that is scanned; `checkLine` checks deeper records. */
const depths = 64;
/** Most digits of a number; every integer of this length is safe. */
const mostDigits = 15;

/** 1 for a byte that a string contains without an escape. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== quote && byte !== backslash ? 1 : 0,
);
/** 1 for an ASCII byte that a key contains without an escape; such keys sort by their bytes. */
const plainKey = plain.map((is, byte) => (byte < 0x80 ? is : 0));
/** Characters that may follow a backslash in canonical JSON. */
const escapes = new Set([...'"\\bfnrt'].map((character) => character.charCodeAt(0)));

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const texts = {
  begin: ascii('{"body":'),
  seal: ascii(',"seal":{"hash":"'),
  latency: ascii('","latency_us":'),
  mono: ascii(',"mono":'),
  pid: ascii(',"pid":'),
  prev: ascii(',"prev":"'),
  seq: ascii('","seq":'),
  written: ascii(',"written":"'),
  end: ascii('"}}'),
  true: ascii("true"),
  false: ascii("false"),
  null: ascii("null"),
};
const hashLength = "sha256:".length + 64;

/**
 * Checks quickly, over its bytes, that a line is canonical JSON of a record with a correct hash. Undefined means undecided:
 * `checkLine` must then decide. The line must be UTF-8. `checkLine` accepts every line that this function accepts: canonical
 * strings, integers of at most 15 digits, ASCII keys in order, no white space.
 */
export function scanLine(line: Uint8Array, domain: string): ScannedLine | undefined {
  return scan.record(line, domain);
}

/** Returns the SHA-256 of some bytes in hex. One call, where the runtime has it, costs half as much for a line. */
const sha256Hex: (bytes: Uint8Array) => string =
  typeof crypto.hash === "function"
    ? (bytes) => crypto.hash("sha256", bytes, "hex")
    : (bytes) => crypto.createHash("sha256").update(bytes).digest("hex");

class Scan {
  #line: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Start and end of the last key of each open object; the start is -1 for a list. */
  readonly #keyStart = new Int32Array(depths);
  readonly #keyEnd = new Int32Array(depths);
  #depth = 0;
  #session = -1;
  /** The number read last. */
  #count = 0;
  /** Buffer for the bytes to hash. */
  #hashed = Buffer.alloc(16_384);

  record(line: Uint8Array, domain: string): ScannedLine | undefined {
    this.#line = Buffer.from(line.buffer, line.byteOffset, line.length);
    this.#at = 0;
    this.#depth = 0;
    this.#session = -1;
    if (!this.#text(texts.begin) || this.#line[this.#at] !== openObject || !this.#value()) return undefined;
    if (!this.#text(texts.seal)) return undefined;
    const hashAt = this.#at;
    this.#at += hashLength;
    const numbers = this.#text(texts.latency) && this.#number() && this.#text(texts.mono) && this.#number();
    if (!numbers || !this.#text(texts.pid) || !this.#number() || !this.#text(texts.prev)) return undefined;
    const prevAt = this.#at;
    this.#until(plainKey);
    if (!this.#text(texts.seq)) return undefined;
    const seqAt = this.#at;
    if (!this.#number()) return undefined;
    const seq = this.#count;
    if (!this.#text(texts.written) || !this.#until(plainKey) || !this.#text(texts.end)) return undefined;
    if (this.#at !== line.length) return undefined;
    const hash = this.#slice(hashAt, hashAt + hashLength);
    if (this.#hash(domain, hashAt) !== hash) return undefined;
    const prev = this.#slice(prevAt, seqAt - texts.seq.length);
    return { seq, prev, hash, session: this.#sessionRange() };
  }

  /** Computes the hash of the line without its hash entry: without the key, the digits and the comma after them. */
  #hash(domain: string, hashAt: number): string {
    const line = this.#line;
    if (this.#hashed.length < line.length + domain.length) this.#hashed = Buffer.alloc(2 * line.length + domain.length);
    const out = this.#hashed;
    const from = hashAt - '"hash":"'.length;
    const to = hashAt + hashLength + '",'.length;
    const start = out.write(domain, 0, "latin1");
    line.copy(out, start, 0, from);
    line.copy(out, start + from, to);
    return `sha256:${sha256Hex(out.subarray(0, start + from + line.length - to))}`;
  }

  #sessionRange(): readonly [number, number] {
    if (this.#session < 0 || this.#line[this.#session] !== quote) return [0, 0];
    this.#at = this.#session;
    return this.#string() ? [this.#session, this.#at] : [0, 0];
  }

  #slice(start: number, end: number): string {
    return this.#line.toString("latin1", start, end);
  }

  /** Reads one value with everything inside it. */
  #value(): boolean {
    for (;;) {
      const opened = this.#open();
      if (opened === undefined) return false;
      if (opened) continue;
      const more = this.#close();
      if (more !== true) return more === "done";
    }
  }

  /** Reads a scalar, an empty list or an empty object (false), or the start of a list or object (true); undefined if it is malformed. */
  #open(): boolean | undefined {
    const byte = this.#line[this.#at];
    if (byte === quote) return this.#string() ? false : undefined;
    if (byte !== openObject && byte !== openList) return this.#scalar() ? false : undefined;
    this.#at += 1;
    const isList = byte === openList;
    if (this.#line[this.#at] === (isList ? closeList : closeObject)) {
      this.#at += 1;
      return false;
    }
    if (this.#depth === depths) return undefined;
    this.#keyStart[this.#depth] = isList ? -1 : 0;
    this.#keyEnd[this.#depth] = 0;
    this.#depth += 1;
    return isList || this.#key() ? true : undefined;
  }

  /** Reads what may follow a value: closing brackets (`done` when all are closed), or a comma and, in an object, a key. */
  #close(): true | false | "done" {
    while (this.#depth > 0) {
      const isList = this.#keyStart[this.#depth - 1] === -1;
      const byte = this.#line[this.#at++];
      if (byte === comma) return isList || this.#key();
      if (byte !== (isList ? closeList : closeObject)) return false;
      this.#depth -= 1;
    }
    return "done";
  }

  /** Reads a key, which must sort after the previous one, and its colon. */
  #key(): boolean {
    const line = this.#line;
    if (line[this.#at++] !== quote) return false;
    const start = this.#at;
    this.#until(plainKey);
    const end = this.#at;
    if (line[this.#at++] !== quote || line[this.#at++] !== colon) return false;
    const level = this.#depth - 1;
    const [before, beforeEnd] = [this.#keyStart[level] as number, this.#keyEnd[level] as number];
    if (beforeEnd > 0 && !isAfter(line, before, beforeEnd, start, end)) return false;
    this.#keyStart[level] = start;
    this.#keyEnd[level] = end;
    if (level === 0 && line[start] === 0x73 && end - start === 7 && this.#slice(start, end) === "session")
      this.#session = this.#at;
    return true;
  }

  #string(): boolean {
    const line = this.#line;
    this.#at += 1;
    for (;;) {
      this.#until(plain);
      const byte = line[this.#at++];
      if (byte === quote) return true;
      if (byte !== backslash || !escapes.has(line[this.#at++] ?? 0)) return false;
    }
  }

  #scalar(): boolean {
    const byte = this.#line[this.#at];
    if (byte === 0x74) return this.#text(texts.true);
    if (byte === 0x66) return this.#text(texts.false);
    return byte === 0x6e ? this.#text(texts.null) : this.#number();
  }

  /** Reads an integer in canonical spelling. */
  #number(): boolean {
    const line = this.#line;
    const negative = line[this.#at] === minus;
    if (negative) this.#at += 1;
    const start = this.#at;
    let [at, count] = [start, 0];
    for (let byte = line[at]; byte !== undefined && byte >= zero && byte <= zero + 9; byte = line[++at])
      count = count * 10 + byte - zero;
    this.#at = at;
    this.#count = negative ? -count : count;
    const length = at - start;
    if (length === 0 || length > mostDigits) return false;
    return line[start] !== zero || (length === 1 && !negative);
  }

  #until(table: Uint8Array): true {
    const line = this.#line;
    let at = this.#at;
    while (table[line[at] as number] === 1) at += 1;
    this.#at = at;
    return true;
  }

  #text(text: Uint8Array): boolean {
    const [line, at] = [this.#line, this.#at];
    for (let i = 0; i < text.length; i++) if (line[at + i] !== text[i]) return false;
    this.#at = at + text.length;
    return true;
  }
}

/** True if the second of two keys sorts after the first. */
function isAfter(line: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): boolean {
  const shorter = Math.min(aEnd - a, bEnd - b);
  for (let i = 0; i < shorter; i++) {
    const [x, y] = [line[a + i] as number, line[b + i] as number];
    if (x !== y) return x < y;
  }
  return aEnd - a < bEnd - b;
}

const scan = new Scan();
