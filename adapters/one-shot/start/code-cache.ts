import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { installKey } from "../../../store/install-key.ts";
import { ownFolder, readOwn, writeOwn } from "../../../store/session-file.ts";

/**
 * The launcher's program as compiled by V8, kept between processes in the user's state folder beside the cache of plans,
 * because compiling it takes longer than the rest of a hook. The cached code is executed, and V8 checks its length and version
 * alone. So it is used only under a seal made with the install key (an HMAC). The seal covers the program, the Node and the
 * machine, and the file's size, inode and times of change, one of which every write changes. On any mismatch the program is
 * compiled again. As with plans, the seal does not help against an attacker who runs as the same user and can read the key.
 */

/** Where the code of one program is kept. `tag` identifies the program's text, the Node and the machine: letters, digits, `.-`. */
export interface CodePlace {
  readonly state: string;
  readonly tag: string;
}

/** Code from the cache. */
export interface CachedCode {
  readonly bytes: Buffer;
  /** Number of processes that added the functions they had to compile: each runs other parts of the program. */
  readonly generation: number;
}

interface Seal {
  readonly tag: string;
  readonly file: string;
  readonly generation: number;
  /** Size, device, inode and times of change of the file, as the system reports them. */
  readonly is: readonly string[];
  readonly mac: string;
}

/** Maximum number of bytes of code. */
const mostBytes = 33_554_432;

/**
 * Returns the cached code of a program; undefined if there is none that may be executed. The code is read into `memory` if it
 * has room, since the system takes long to give a process new memory. Never throws.
 */
export function cachedCode({ state, tag }: CodePlace, memory?: Buffer): CachedCode | undefined {
  try {
    const folder = join(state, "code");
    const text = readOwn(join(folder, `${tag}.seal`), 4_096);
    if (!text) return undefined;
    const seal = JSON.parse(Buffer.from(text).toString("utf8")) as Seal;
    const { file, generation, is } = seal;
    if (seal.tag !== tag || !/^[0-9a-f]{18}\.code$/.test(file)) return undefined;
    const mac = Buffer.from(macOf(state, tag, file, generation, is), "utf8");
    const given = Buffer.from(String(seal.mac), "utf8");
    if (given.length !== mac.length || !timingSafeEqual(given, mac)) return undefined;
    const bytes = readSealed(join(folder, file), is, memory);
    return bytes && { bytes, generation };
  } catch {
    return undefined;
  }
}

/**
 * Stores the code of a program and deletes its earlier code. If several processes do so at once, the last one wins.
 * Never throws: code that cannot be stored only costs time.
 */
export function keepCode({ state, tag }: CodePlace, code: Uint8Array, generation: number): void {
  try {
    const folder = join(state, "code");
    ownFolder(folder);
    const before = readdirSync(folder);
    const file = `${randomBytes(9).toString("hex")}.code`;
    const is = writeNew(join(folder, file), code);
    const mac = macOf(state, tag, file, generation, is);
    writeOwn(join(folder, `${tag}.seal`), JSON.stringify({ tag, file, generation, is, mac } satisfies Seal), false);
    prune(folder, before);
  } catch {
    // The next process compiles again.
  }
}

function macOf(state: string, tag: string, file: string, generation: number, is: readonly string[]): string {
  return createHmac("sha256", installKey(state))
    .update(`hookwarden-code-cache-v1\n${JSON.stringify([tag, file, generation, is])}`)
    .digest("hex");
}

/** Returns the fields that identify one state of a file, with its size. Throws if others may own or write it. */
function identity(file: number): { readonly is: readonly string[]; readonly size: number } {
  const stat = fstatSync(file, { bigint: true });
  const user = process.getuid?.();
  const own = stat.isFile() && (user === undefined || (Number(stat.uid) === user && (Number(stat.mode) & 0o022) === 0));
  if (!own) throw new Error("it is no file of this user alone");
  return {
    is: [stat.size, stat.dev, stat.ino, stat.mtimeNs, stat.ctimeNs].map(String),
    size: Number(stat.size),
  };
}

function readSealed(path: string, is: readonly string[], memory: Buffer | undefined): Buffer | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  try {
    const found = identity(file);
    if (found.size > mostBytes || !same(found.is, is)) return undefined;
    // Not from a pool: V8 wants its own alignment.
    const hasRoom = memory !== undefined && found.size <= memory.length;
    const bytes = hasRoom ? memory.subarray(0, found.size) : Buffer.allocUnsafeSlow(found.size);
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(file, bytes, done, bytes.length - done, done);
      if (count === 0) return undefined;
      done += count;
    }
    return same(identity(file).is, is) ? bytes : undefined;
  } finally {
    closeSync(file);
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

/** Writes a new file that no other process knows yet; returns its identity. */
function writeNew(path: string, bytes: Uint8Array): readonly string[] {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    // After a power cut a file may have its size and time but not its content.
    fsyncSync(file);
    return identity(file).is;
  } finally {
    closeSync(file);
  }
}

/** Maximum number of programs whose code is kept: a hook's and the command line's three, for the last few versions and Nodes. */
const kept = 12;

/** Deletes old seals beyond the last `kept`, and code that no remaining seal names. Processes that have it open keep it. */
function prune(folder: string, names: readonly string[]): void {
  const seals = names
    .filter((name) => name.endsWith(".seal"))
    .map((name) => ({ name, time: changed(join(folder, name)) }));
  seals.sort((a, b) => b.time - a.time);
  for (const { name } of seals.slice(kept)) rmSync(join(folder, name), { force: true });
  const used = new Set(seals.slice(0, kept).map(({ name }) => fileOf(join(folder, name))));
  for (const name of names) if (name.endsWith(".code") && !used.has(name)) rmSync(join(folder, name), { force: true });
}

function changed(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function fileOf(seal: string): unknown {
  const text = readOwn(seal, 4_096);
  return text && (JSON.parse(Buffer.from(text).toString("utf8")) as Partial<Seal>).file;
}
