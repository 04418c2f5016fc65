/**
 * SHA-256 (FIPS 180-4) as a WebAssembly module of some seven hundred bytes, for the launcher: loading `node:crypto` takes a
 * quarter of the time in which Node starts, and this takes a few hundredths of it. The module exports `memory` and
 * `blocks(count)`, which takes blocks of 64 bytes from offset 1,024 on into the state at offset 0: eight words of 32 bits.
 */

/** Offset of the blocks in the module's memory, of 65,536 bytes. */
const sha256Data = 1_024;

const kAt = 64;
const wAt = 320;

/** Words by which rounds differ: fractions of the cube roots of the first 64 primes. */
export function roundWords(): readonly number[] {
  return primes(64).map((prime) => fraction(prime, 3n));
}

/** The state before the first block: fractions of the square roots of the first 8 primes. */
export function firstState(): readonly number[] {
  return primes(8).map((prime) => fraction(prime, 2n));
}

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** Returns the first 32 fraction bits of a root, in integers: the root of `n` times 2 to the power of 32 times the degree. */
function fraction(n: number, degree: bigint): number {
  const wanted = BigInt(n) << (32n * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** degree <= wanted) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffff_ffffn);
}

// Locals: the number of blocks left, the place of the block, a place in a table, the eight words of the state, and a sum.
const [left, block, at, sum] = [0, 1, 2, 11];
const words = [3, 4, 5, 6, 7, 8, 9, 10];

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const value = (n: number): number[] => [0x41, ...signed(n)];
const load = (offset: number): number[] => [0x28, 2, ...unsigned(offset)];
const store = (offset: number): number[] => [0x36, 2, ...unsigned(offset)];
const [add, and, or, xor, shift, right, leftBy, less, minus] = [0x6a, 0x71, 0x72, 0x73, 0x76, 0x78, 0x77, 0x49, 0x6b];

/** Adds a number to a local, and goes to the begin of the loop while it is below a bound. */
const next = (local: number, step: number, bound: number): number[] => [
  ...[...get(local), ...value(step), add, 0x22, local],
  ...[...value(bound), less, 0x0d, 0],
];

const loop = (body: readonly number[]): number[] => [0x03, 0x40, ...body, 0x0b];

/** Combines three rotations of one value; the third is a shift if requested. */
const mixed = (from: number[], turns: readonly [number, number, number], shifted = false): number[] => [
  ...[...from, ...value(turns[0]), right],
  ...[...from, ...value(turns[1]), right, xor],
  ...[...from, ...value(turns[2]), shifted ? shift : right, xor],
];

/** The message's words are big-endian. */
const swapped: number[] = [
  ...[...get(sum), ...value(8), leftBy, ...value(0x00ff00ff), and],
  ...[...get(sum), ...value(8), right, ...value(0xff00ff00 | 0), and, or],
];

const schedule: number[] = [
  ...[...value(0), ...set(at)],
  ...loop([
    ...[...get(block), ...get(at), add, ...load(sha256Data), ...set(sum)],
    ...[...get(at), ...swapped, ...store(wAt)],
    ...next(at, 4, 64),
  ]),
  ...loop([
    ...get(at),
    ...[...get(at), ...load(wAt - 64)],
    ...[...mixed([...get(at), ...load(wAt - 60)], [7, 18, 3], true), add],
    ...[...get(at), ...load(wAt - 28), add],
    ...[...mixed([...get(at), ...load(wAt - 8)], [17, 19, 10], true), add],
    ...store(wAt),
    ...next(at, 4, 256),
  ]),
];

/** Writes one round; the state's words rotate by one place from round to round. */
function round(index: number): number[] {
  const [a, b, c, d, e, f, g, h] = words.map((_, i) => words[(i - index + 64) % 8] as number) as [
    ...[number, number, number, number, number, number, number, number],
  ];
  return [
    ...[...get(h), ...mixed(get(e), [6, 11, 25]), add],
    ...[...get(g), ...get(e), ...get(f), ...get(g), xor, and, xor, add],
    ...[...get(at), ...load(kAt + 4 * index), add, ...get(at), ...load(wAt + 4 * index), add, ...set(sum)],
    ...[...get(d), ...get(sum), add, ...set(d)],
    ...[...get(sum), ...mixed(get(a), [2, 13, 22]), add],
    ...[...get(a), ...get(b), and, ...get(c), ...get(a), ...get(b), or, and, or, add, ...set(h)],
  ];
}

const body: number[] = [
  ...loop([
    ...schedule,
    ...words.flatMap((word, i) => [...value(0), ...load(4 * i), ...set(word)]),
    ...[...value(0), ...set(at)],
    ...loop([...[0, 1, 2, 3, 4, 5, 6, 7].flatMap(round), ...next(at, 32, 256)]),
    ...words.flatMap((word, i) => [...value(0), ...value(0), ...load(4 * i), ...get(word), add, ...store(4 * i)]),
    ...[...get(block), ...value(64), add, ...set(block)],
    ...[...get(left), ...value(1), minus, 0x22, left, 0x0d, 0],
  ]),
  0x0b,
];

/** The module. */
export function sha256Module(): Uint8Array {
  const code = [1, ...unsigned(11), 0x7f, ...body];
  const table = new Uint8Array(Uint32Array.from(roundWords()).buffer);
  const name = (text: string): number[] => [text.length, ...Buffer.from(text, "ascii")];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 1, 0x7f, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name("memory"), 2, 0, ...name("blocks"), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
    ...section(11, [1, 0, ...value(kAt), 0x0b, ...unsigned(table.length), ...table]),
  ]);
}

function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...unsigned(bytes.length), ...bytes];
}

/** LEB128. */
function unsigned(n: number): number[] {
  return n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...unsigned(n >>> 7)];
}

function signed(n: number): number[] {
  const low = n & 0x7f;
  const rest = n >> 7;
  const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}
