/** The `id` and `method` of a message too long to hold, as far as the scan could read them. */
export interface Envelope {
  readonly id?: string | number;
  readonly method?: string;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openers: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closers: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const openObject = 0x7b;

/** Maximum bytes of an id or a method that are kept. */
const longest = 256;

/**
 * Finds `id` and `method` at the top level of a JSON object that is too long to hold, byte by byte in constant memory. If
 * one of the two occurs twice, or the text is no object, it reports nothing.
 */
export class EnvelopeScan {
  #depth = 0;
  #object = false;
  #inString = false;
  #escaped = false;
  #isKey = false;
  #key = "";
  #bytes: number[] = [];
  readonly #found = new Map<string, unknown>();
  #doubtful = false;

  feed(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#inString) this.#within(byte);
      else this.#between(byte);
    }
  }

  envelope(): Envelope {
    const id = this.#found.get("id");
    const method = this.#found.get("method");
    if (this.#doubtful || !this.#object) return {};
    return {
      ...((typeof id === "string" || typeof id === "number") && { id }),
      ...(typeof method === "string" && { method }),
    };
  }

  #within(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
    this.#keep(byte);
    if (this.#inString || this.#depth !== 1 || !this.#isKey) return;
    const key = this.#value();
    this.#key = typeof key === "string" ? key : "";
    this.#bytes = [];
  }

  #between(byte: number): void {
    if (byte === quote) {
      this.#inString = true;
      this.#keep(byte);
    } else if (openers.has(byte)) {
      this.#depth++;
      if (this.#depth === 1) {
        this.#object = byte === openObject;
        this.#isKey = true;
      }
    } else if (closers.has(byte)) {
      if (this.#depth === 1) this.#endOfMember();
      this.#depth--;
    } else if (this.#depth === 1 && byte === comma) this.#endOfMember();
    else if (this.#depth === 1 && byte === colon) this.#isKey = false;
    else this.#keep(byte);
  }

  #keep(byte: number): void {
    if (this.#depth !== 1) return;
    if (!this.#isKey && this.#key !== "id" && this.#key !== "method") return;
    if (this.#bytes.length <= longest) this.#bytes.push(byte);
  }

  #endOfMember(): void {
    if (this.#key === "id" || this.#key === "method") {
      if (this.#found.has(this.#key)) this.#doubtful = true;
      this.#found.set(this.#key, this.#value());
    }
    this.#bytes = [];
    this.#key = "";
    this.#isKey = true;
  }

  #value(): unknown {
    if (this.#bytes.length > longest) return undefined;
    try {
      return JSON.parse(Buffer.from(this.#bytes).toString("utf8"));
    } catch {
      return undefined;
    }
  }
}
