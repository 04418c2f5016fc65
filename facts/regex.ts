import { createRequire } from "node:module";
import { RE2JS } from "re2js";
import { limits } from "../schema/limits.ts";
import type { Regex, RegexEngine, RegexError, RegexMatch } from "../schema/ports.ts";
import { refuse, refusedByEngine } from "./regex-refusals.ts";
import { prepare } from "./regex-syntax.ts";

/** The part of the addon's interface that is used: matching on Buffers, with byte offsets. */
interface Addon {
  new (pattern: string, flags: string): AddonRegex;
}

interface AddonRegex {
  lastIndex: number;
  test(text: Buffer): boolean;
  exec(
    text: Buffer,
  ): (readonly unknown[] & { readonly indices: readonly (readonly [number, number] | undefined)[] }) | null;
}

/** Common interface of both engines: a search from an offset, in one pass over a prepared text. */
interface Backend {
  test(text: string): boolean;
  /** A search over one text; each call gives the first match at or after `from`. */
  searcher(text: string): (from: number) => RegexMatch | undefined;
}

/**
 * Creates the only engine for regular expressions: the `re2` addon, otherwise `re2js`, both RE2 and linear in the text; never the
 * platform's own. A syntax check of ours runs first, so that both accept and refuse the same patterns. A text that is not
 * well-formed Unicode is matched as if each lone surrogate were U+FFFD. After a match the search continues at its end, where an
 * empty match is possible; after an empty match it skips one code point. Source: libraries page, "re2"; language section 3.
 */
export function createRegexEngine(options: { readonly prefer?: "re2" | "re2js" } = {}): RegexEngine {
  // One engine for all callers: it holds no state, and it is the key by which they share scanners.
  const prefer = options.prefer === "re2js" ? "re2js" : "re2";
  const known = engines.get(prefer) ?? engineBy(prefer);
  engines.set(prefer, known);
  return known;
}

const engines = new Map<"re2" | "re2js", RegexEngine>();

function engineBy(prefer: "re2" | "re2js"): RegexEngine {
  const addon = prefer === "re2js" ? undefined : loadAddon();
  const make = addon ? (pattern: string) => addonBackend(addon.regex, pattern) : scriptBackend;
  return {
    name: addon ? "re2" : "re2js",
    version: addon ? addon.version : scriptVersion,
    compile: (pattern, flags = {}) => {
      if (pattern.length > limits.patternLength) {
        const message = `pattern is longer than ${limits.patternLength} characters; split it into several`;
        return refuse(message, limits.patternLength, pattern.length);
      }
      const letters = `${flags.ignoreCase ? "i" : ""}${flags.multiline ? "m" : ""}${flags.dotAll ? "s" : ""}`;
      const prepared = prepare(pattern, letters);
      if (prepared.kind === "regex_error") return prepared;
      try {
        return regex(pattern, make(prepared.pattern));
      } catch (error) {
        return engineRefusal(pattern, error);
      }
    },
  };
}

/** Returns an engine's own refusal, with its message without the prefix. */
function engineRefusal(pattern: string, error: unknown): RegexError {
  const text = (error instanceof Error ? error.message : String(error)).split("\n")[0]?.slice(0, 200) ?? "";
  return refusedByEngine(pattern, text.replace(/^error parsing regexp: /, ""));
}

/**
 * The addon that belongs to a bundle, a line each: its version, and possible places of its file, relative to the bundle. The
 * build writes it into every bundle (`scripts/build/bundles.ts`); in the modules of the library it is not there.
 */
declare const regexAddon: string | undefined;

/**
 * Returns the addon; undefined if it is not installed or not built for this platform. A bundle loads its own file and no package
 * by name, because anyone who can write to a parent folder controls the resolution of a name.
 */
function loadAddon(): { readonly regex: Addon; readonly version: string } | undefined {
  const [version = "", ...files] = typeof regexAddon === "undefined" ? [] : regexAddon.split("\n");
  // A single-file guard carries no addon, and may have been loaded from a text that has no file beside it.
  if (typeof regexAddon !== "undefined" && files.length === 0) return undefined;
  const load = createRequire(import.meta.url);
  const attempt = (file: string): Addon | undefined => {
    try {
      return load(file) as Addon;
    } catch {
      return undefined;
    }
  };
  if (typeof regexAddon === "undefined") {
    const found = attempt("re2");
    return found && { regex: found, version: (load("re2/package.json") as { version: string }).version };
  }
  for (const file of files) {
    const found = attempt(file);
    if (found) return { regex: found, version };
  }
  return undefined;
}

function regex(pattern: string, backend: Backend): Regex {
  return {
    pattern,
    test: rememberingTests((text) => backend.test(text)),
    exec: (text, from = 0) => (from > text.length ? undefined : backend.searcher(text)(Math.max(0, from))),
    matches: (text, onMatch) => {
      const found: RegexMatch[] = [];
      const search = backend.searcher(text);
      for (let from = 0; from <= text.length; ) {
        const match = search(from);
        if (!match) break;
        found.push(match);
        onMatch?.(match);
        from = match.end > match.start ? match.end : match.end + width(text, match.end);
      }
      return found;
    },
  };
}

/** Short texts whose answer a pattern remembers, and units of the longest. */
const rememberedTests = 128;
const longestTested = 128;

/**
 * Tests of short texts are remembered: names of programs, paths and hosts come again with every event, and asking an
 * engine costs more than all else that is done with them. A test is a function of pattern and text alone.
 */
function rememberingTests(test: (text: string) => boolean): (text: string) => boolean {
  let known: Map<string, boolean> | undefined;
  return (text) => {
    if (text.length > longestTested) return test(text);
    const found = known?.get(text);
    if (found !== undefined) return found;
    const holds = test(text);
    if (!known || known.size >= rememberedTests) known = new Map();
    // A part of a text would keep all of that text in memory.
    known.set(` ${text}`.slice(1), holds);
    return holds;
  };
}

/** UTF-16 units of the code point at an offset; 1 at the end of the text. */
function width(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function addonBackend(Addon: Addon, pattern: string): Backend {
  const plain = new Addon(pattern, "u");
  let searching: AddonRegex | undefined;
  const searcher = (text: string): ((from: number) => RegexMatch | undefined) => {
    searching ??= new Addon(pattern, "gud");
    return addonSearch(searching, text);
  };
  // Only `\B` can match between the bytes of one character, where there is no place in the text.
  const test = pattern.includes("\\B")
    ? (text: string) => searcher(text)(0) !== undefined
    : (text: string) => plain.test(bytesOf(text));
  return { test, searcher };
}

/** The short text that was encoded last: many patterns look at one. */
let encoded = { text: "", bytes: Buffer.alloc(0) };
const longestKept = 4_096;

function bytesOf(text: string): Buffer {
  if (text === encoded.text) return encoded.bytes;
  const bytes = Buffer.from(text);
  if (text.length <= longestKept) encoded = { text, bytes };
  return bytes;
}

/** Searches a Buffer made once; offsets are turned into UTF-16 units on the way, left to right. */
function addonSearch(engine: AddonRegex, text: string): (from: number) => RegexMatch | undefined {
  const bytes = bytesOf(text);
  const offsets = bytes.length === text.length ? ascii : new Offsets(bytes);
  return (from) => {
    const result = searchCharacters(engine, bytes, offsets.toBytes(from));
    if (!result) return undefined;
    const spans = result.indices.map((pair) => pair && ([offsets.toUnits(pair[0]), offsets.toUnits(pair[1])] as const));
    const [start, end] = spans[0] as readonly [number, number];
    return { start, end, groups: spans.map((span) => span && text.slice(span[0], span[1])) };
  };
}

/** Returns the first match, from a byte on, that does not begin inside a character. */
function searchCharacters(engine: AddonRegex, bytes: Buffer, from: number): ReturnType<AddonRegex["exec"]> {
  for (let at = from; ; ) {
    engine.lastIndex = at;
    const result = engine.exec(bytes);
    at = result?.indices[0]?.[0] ?? 0;
    if (!result || at >= bytes.length || !isContinuation(bytes[at] as number)) return result;
    while (at < bytes.length && isContinuation(bytes[at] as number)) at += 1;
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

const ascii = { toBytes: (units: number): number => units, toUnits: (bytes: number): number => bytes };

/** Maps between byte and UTF-16 offsets of one text by checkpoints, so that each look-up costs a bounded walk. */
class Offsets {
  readonly #bytes: Buffer;
  readonly #byteMarks: number[] = [0];
  readonly #unitMarks: number[] = [0];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    let units = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (at - (this.#byteMarks.at(-1) as number) >= 64 && !isContinuation(byte)) {
        this.#byteMarks.push(at);
        this.#unitMarks.push(units);
      }
      units += unitsOf(byte);
    }
  }

  toBytes(units: number): number {
    const mark = lastAtMost(this.#unitMarks, units);
    let at = this.#byteMarks[mark] as number;
    for (let count = this.#unitMarks[mark] as number; count < units && at < this.#bytes.length; ) {
      count += unitsOf(this.#bytes[at] as number);
      at += 1;
      while (at < this.#bytes.length && isContinuation(this.#bytes[at] as number)) at += 1;
    }
    return at;
  }

  toUnits(bytes: number): number {
    const mark = lastAtMost(this.#byteMarks, bytes);
    let units = this.#unitMarks[mark] as number;
    for (let at = this.#byteMarks[mark] as number; at < bytes; at++) units += unitsOf(this.#bytes[at] as number);
    return units;
  }
}

/** Returns the number of UTF-16 units for a UTF-8 byte: none for a continuation byte, two for the first byte of four. */
function unitsOf(byte: number): number {
  if (isContinuation(byte)) return 0;
  return byte >= 0xf0 ? 2 : 1;
}

function lastAtMost(marks: readonly number[], value: number): number {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((marks[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Version of the bundled `re2js`, which does not tell its own. */
const scriptVersion = "2.10.0";

function scriptBackend(pattern: string): Backend {
  const compiled = RE2JS.compile(pattern);
  return {
    test: (text) => compiled.test(wellFormed(text)),
    searcher: (text) => {
      const whole = wellFormed(text);
      // A test for any match is a hundred times faster than finding its place, and most texts have none.
      if (!compiled.test(whole)) return () => undefined;
      const matcher = compiled.matcher(whole);
      const groups = compiled.groupCount();
      return (from) => {
        // Only the single character before an offset affects the matches from that offset on.
        if (from > 0 && !compiled.test(whole.slice(before(text, from)))) return undefined;
        // A search never starts inside a character, as with the addon.
        if (!matcher.find(boundary(text, from))) return undefined;
        const spans = Array.from(
          { length: groups + 1 },
          (_, group) => [matcher.start(group), matcher.end(group)] as const,
        );
        const [start, end] = spans[0] as readonly [number, number];
        return { start, end, groups: spans.map(([s, e]) => (s < 0 ? undefined : text.slice(s, e))) };
      };
    },
  };
}

/** Returns the beginning of the character before a place. */
function before(text: string, at: number): number {
  return at > 1 && width(text, at - 2) === 2 ? at - 2 : at - 1;
}

function boundary(text: string, at: number): number {
  return at > 0 && width(text, at - 1) === 2 ? at + 1 : at;
}

/** Lone surrogates as U+FFFD, as the addon's UTF-8 has them; offsets stay the same. */
function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}
