import type * as NodeCrypto from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

/** Exports of the WebAssembly module `sha256Module` (`scripts/build/sha256-wasm.ts`). */
interface Sha256 {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Hashes that many blocks from the memory into the state. */
  blocks(count: number): void;
}

/** The part of the platform's interface that is used here; Node's types leave it to the browser types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** Offset of the blocks in its memory, and the number of bytes that fit there. */
const dataAt = 1_024;
const room = 64_512;

/** The state before the first block (FIPS 180-4, section 5.3.3). */
const firstState = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;

const blockBytes = 64;

type Data = string | Uint8Array;

/** A key: our own object, the platform's, or its bytes. */
type Key = Data | SecretKey | NodeCrypto.KeyObject;

/**
 * Makes a replacement for `node:crypto` with its own SHA-256, because loading that module takes a quarter of Node's start
 * time. Everything else, such as other algorithms, comes from the platform's module, which `load` loads on demand.
 * Results equal the platform's, byte for byte.
 */
export function createHashes(module: Uint8Array, load: () => typeof NodeCrypto): typeof NodeCrypto {
  const run = machine(module);
  const own = {
    randomBytes: (length: number) => systemRandom(length) ?? load().randomBytes(length),
    createHash: (algorithm: string) => (algorithm === "sha256" ? new Hash(run) : load().createHash(algorithm)),
    createSecretKey: (key: Uint8Array) => new SecretKey(key),
    createHmac: (algorithm: string, key: Key) =>
      algorithm === "sha256" ? new Hmac(run, bytesOfKey(key)) : load().createHmac(algorithm, bytesOfKey(key)),
    hkdfSync: (algorithm: string, key: Data, salt: Data, info: Data, length: number) =>
      algorithm === "sha256" && length <= 32
        ? derived(run, key, salt, info, length)
        : load().hkdfSync(algorithm, key, salt, info, length),
    timingSafeEqual: sameBytes,
    hash: (algorithm: string, data: Data, encoding: BufferEncoding | "buffer" = "hex") => {
      const known = algorithm === "sha256" ? new Hash(run) : load().createHash(algorithm);
      const made = known.update(data);
      return encoding === "buffer" ? made.digest() : made.digest(encoding);
    },
  };
  return new Proxy(own as unknown as typeof NodeCrypto, {
    get: (target, name) => {
      if (Object.hasOwn(target, name)) return Reflect.get(target, name);
      // Bundled code reads this name to find out the kind of module.
      return name === "__esModule" ? undefined : Reflect.get(load(), name);
    },
  });
}

/** Reads random bytes from the system's file; undefined if there is no such file or it gives fewer. */
function systemRandom(length: number): Buffer | undefined {
  if (process.platform === "win32") return undefined;
  try {
    const file = openSync("/dev/urandom", "r");
    try {
      const bytes = Buffer.alloc(length);
      return readSync(file, bytes, 0, length, null) === length ? bytes : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Computes the digest of the concatenated parts. */
type Run = (parts: readonly Uint8Array[]) => Buffer;

function machine(module: Uint8Array): Run {
  let made: Sha256 | undefined;
  return (parts) => {
    made ??= new WebAssembly.Instance(new WebAssembly.Module(module)).exports as Sha256;
    return sha256(made, parts);
  };
}

function sha256({ memory, blocks }: Sha256, parts: readonly Uint8Array[]): Buffer {
  const state = new Uint32Array(memory.buffer, 0, 8);
  const data = new Uint8Array(memory.buffer, dataAt, room);
  state.set(firstState);
  let filled = 0;
  let length = 0;
  const flush = (): void => {
    blocks(filled / blockBytes);
    filled = 0;
  };
  for (const part of parts) {
    length += part.length;
    for (let at = 0; at < part.length; ) {
      const taken = Math.min(room - filled, part.length - at);
      data.set(part.subarray(at, at + taken), filled);
      at += taken;
      filled += taken;
      if (filled === room) flush();
    }
  }
  data[filled++] = 0x80;
  const whole = Math.ceil((filled + 8) / blockBytes) * blockBytes;
  if (whole > room) {
    data.fill(0, filled, room);
    filled = room;
    flush();
  }
  const end = whole > room ? blockBytes : whole;
  data.fill(0, filled, end);
  const tail = new DataView(memory.buffer, dataAt + end - 8, 8);
  tail.setUint32(0, Math.floor(length / 0x2000_0000));
  tail.setUint32(4, (length * 8) >>> 0);
  filled = end;
  flush();
  // Avoid methods of Buffer, which Node compiles in each process.
  const digest = new ArrayBuffer(32);
  const words = new DataView(digest);
  for (let i = 0; i < 8; i++) words.setUint32(4 * i, state[i] as number);
  return Buffer.from(digest);
}

class Hash {
  readonly #run: Run;
  readonly #parts: Uint8Array[] = [];

  constructor(run: Run) {
    this.#run = run;
  }

  update(data: Data): this {
    // Copy, since the caller may reuse its buffer before it requests the digest.
    const bytes = bytesOf(data);
    this.#parts.push(typeof data === "string" ? bytes : Uint8Array.from(bytes));
    return this;
  }

  digest(): Buffer;
  digest(encoding: BufferEncoding): string;
  digest(encoding?: BufferEncoding): Buffer | string {
    const digest = this.#run(this.#parts);
    return encoding === undefined ? digest : digest.toString(encoding);
  }
}

class Hmac extends Hash {
  readonly #outer: Uint8Array;
  readonly #of: Run;

  constructor(run: Run, key: Data) {
    super(run);
    this.#of = run;
    const given = bytesOf(key);
    const block = new Uint8Array(blockBytes);
    block.set(given.length > blockBytes ? run([given]) : given);
    this.#outer = block.map((byte) => byte ^ 0x5c);
    this.update(block.map((byte) => byte ^ 0x36));
  }

  override digest(): Buffer;
  override digest(encoding: BufferEncoding): string;
  override digest(encoding?: BufferEncoding): Buffer | string {
    const digest = this.#of([this.#outer, super.digest()]);
    return encoding === undefined ? digest : digest.toString(encoding);
  }
}

/** A key as an object: a private copy of its bytes, which inspecting the object does not show. */
class SecretKey {
  readonly #bytes: Uint8Array;

  constructor(key: Uint8Array) {
    this.#bytes = Uint8Array.from(bytesOf(key));
  }

  /** Returns the bytes, like the platform's key objects. */
  export(): Uint8Array {
    return this.#bytes;
  }
}

/** Derives at most one block by HKDF (RFC 5869). */
function derived(run: Run, key: Data, salt: Data, info: Data, length: number): ArrayBuffer {
  const extracted = new Hmac(run, bytesOf(salt).length === 0 ? new Uint8Array(32) : salt).update(key).digest();
  const expanded = new Hmac(run, extracted).update(info).update(Uint8Array.of(1)).digest();
  return Uint8Array.from(expanded.subarray(0, length)).buffer;
}

/** Returns the bytes of data. Throws a TypeError for other values, which would otherwise give a digest that anybody can make. */
function bytesOf(data: Data): Uint8Array {
  if (typeof data === "string") return Buffer.from(data, "utf8");
  if (data instanceof Uint8Array) return data;
  throw new TypeError("only texts and bytes have digests");
}

function bytesOfKey(key: Key): Uint8Array {
  return typeof key === "string" || key instanceof Uint8Array ? bytesOf(key) : bytesOf(key.export());
}

/** True if the bytes are equal; like the platform's, takes the same time wherever they differ. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) throw new RangeError("Input buffers must have the same byte length");
  let differing = 0;
  for (let i = 0; i < a.length; i++) differing |= (a[i] as number) ^ (b[i] as number);
  return differing === 0;
}
