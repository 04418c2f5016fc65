import { mapScalar } from "../../compiler/scalar-map.ts";
import type { YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar } from "../../compiler/yaml-node.ts";
import { limits } from "../../schema/limits.ts";
import { blockScalar, endsWord, type FoundScalar, isWordOfSchema, lineScalar } from "./common-yaml-scalars.ts";

/**
 * Parses a text in the YAML that nearly all policies use: block mappings and lists, flow collections, scalars on one line,
 * literal and folded text, comments. Reading it with the library takes most of the time of `fmt`, which only moves text
 * about. Only the library decides what a policy means, so nothing else but `new` uses this parser. Undefined for every other
 * text, and for every text with a fault. The result equals that of `read.ts` from the library's nodes, down to each span
 * (`test/authoring/fmt/common-yaml.test.ts` compares them).
 */
export function readCommonYaml(text: string): YamlMap | undefined {
  return /[\t\r\ufeff]/.test(text) ? undefined : new CommonReader(text).read();
}

const [lineFeed, space, hash, minus, colon] = [0x0a, 0x20, 0x23, 0x2d, 0x3a];
const [comma, openList, closeList, openMap, closeMap] = [0x2c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Matches a key in its usual form, in quotes or not. */
const usualKey = /[A-Za-z_/~][\w./~-]*|"[^"\\\n]*"|'[^'\n]*'/y;

/** A key, with the offset after it. */
interface FoundKey {
  readonly key: string;
  readonly end: number;
}

/** Walks the lines of a text. Every method returns undefined if the text is not common. */
class CommonReader {
  readonly #text: string;
  /** Start of the present line's content, or the position in it; the text's end after the last line. */
  #at = 0;
  /** Column of the collection that begins or continues there; -1 after the last line. */
  #indent = -1;
  /** True if comment lines come before that line. */
  #isCommented = false;
  /** End of the last value, and of its line. */
  #end = 0;
  #nodes = 0;
  /** Column of the block collection around the flow collection being read, and the number of open brackets. */
  #outer = 0;
  #open = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): YamlMap | undefined {
    if (!this.#toLine(0) || this.#indent !== 0) return undefined;
    const root = this.#map(0, 0);
    return root && this.#at === this.#text.length ? root : undefined;
  }

  /**
   * Goes to the first line with content. False if a comment is indented more than that line: the library assigns it to the
   * value before, whose collections then end after it.
   */
  #toLine(from: number): boolean {
    const text = this.#text;
    let furthest = -1;
    for (let start = from; start < text.length; ) {
      const at = this.#past(start);
      const code = text.charCodeAt(at);
      if (Number.isNaN(code)) return false;
      if (code === lineFeed) {
        start = at + 1;
        continue;
      }
      if (code !== hash) {
        this.#at = at;
        this.#indent = at - start;
        this.#isCommented = furthest >= 0;
        return furthest <= this.#indent;
      }
      furthest = Math.max(furthest, at - start);
      start = this.#lineEnd(at);
    }
    this.#at = text.length;
    this.#indent = -1;
    this.#isCommented = furthest >= 0;
    return furthest <= 0;
  }

  /** Returns the offset of the next character that is no space. */
  #past(from: number): number {
    let at = from;
    while (this.#text.charCodeAt(at) === space) at++;
    return at;
  }

  /** Returns the start of the next line. */
  #lineEnd(from: number): number {
    const end = this.#text.indexOf("\n", from);
    return end < 0 ? this.#text.length : end + 1;
  }

  #isItem(): boolean {
    return this.#text.charCodeAt(this.#at) === minus && endsWord(this.#text.charCodeAt(this.#at + 1));
  }

  /** Counts a node; false if the limit of nodes or of depth is exceeded. */
  #counts(depth: number): boolean {
    return ++this.#nodes <= limits.yamlNodes && depth <= limits.yamlDepth;
  }

  /** Reads the mapping whose first key is here. */
  #map(indent: number, depth: number): YamlMap | undefined {
    if (!this.#counts(depth)) return undefined;
    const start = this.#at;
    const entries: YamlEntry[] = [];
    const keys = new Keys();
    do {
      const from = this.#at;
      const found = this.#keyAt(from);
      if (!found || !keys.isNew(found.key)) return undefined;
      const value = this.#behindKey(found.end + 1, indent, depth + 1);
      if (!value) return undefined;
      entries.push({ key: found.key, keySpan: { start: from, end: found.end }, value });
    } while (this.#indent === indent);
    return this.#indent > indent ? undefined : { kind: "map", entries, span: { start, end: this.#end } };
  }

  /** Reads the key there, with its colon. */
  #keyAt(at: number): FoundKey | undefined {
    usualKey.lastIndex = at;
    const raw = usualKey.exec(this.#text)?.[0];
    if (raw === undefined || raw.length > 200 || isWordOfSchema(raw)) return undefined;
    const end = at + raw.length;
    const isKey = this.#text.charCodeAt(end) === colon && endsWord(this.#text.charCodeAt(end + 1));
    const isQuoted = raw.startsWith('"') || raw.startsWith("'");
    return isKey ? { key: isQuoted ? raw.slice(1, -1) : raw, end } : undefined;
  }

  #behindKey(from: number, indent: number, depth: number): YamlNode | undefined {
    const at = this.#past(from);
    const code = this.#text.charCodeAt(at);
    if (code !== lineFeed && code !== hash) return this.#inLine(at, indent, depth);
    if (!this.#toLine(this.#lineEnd(at))) return undefined;
    if (this.#indent > indent) return this.#nested(indent, depth);
    if (this.#indent < indent || !this.#isItem()) return undefined;
    const list = this.#list(depth);
    // Comments after a list with the same indentation as its key belong to the list.
    return this.#isCommented ? undefined : list;
  }

  /** Reads the value that begins here, on its own line. */
  #nested(indent: number, depth: number): YamlNode | undefined {
    if (this.#isItem()) return this.#list(depth);
    if (this.#keyAt(this.#at)) return this.#map(this.#indent, depth);
    return isBlockHeader(this.#text.charCodeAt(this.#at)) ? undefined : this.#inLine(this.#at, indent, depth);
  }

  /** Reads the list whose first item is here. */
  #list(depth: number): YamlList | undefined {
    if (!this.#counts(depth)) return undefined;
    const indent = this.#indent;
    const start = this.#at;
    const items: YamlNode[] = [];
    do {
      const at = this.#past(this.#at + 1);
      const column = indent + at - this.#at;
      const item = this.#item(at, indent, column, depth + 1);
      if (!item) return undefined;
      items.push(item);
    } while (this.#indent === indent && this.#isItem());
    return this.#indent > indent ? undefined : { kind: "list", items, span: { start, end: this.#end } };
  }

  /** Reads an item from its first character, which is in that column. */
  #item(at: number, indent: number, column: number, depth: number): YamlNode | undefined {
    const isMap = this.#keyAt(at) !== undefined;
    const isList = this.#text.charCodeAt(at) === minus && endsWord(this.#text.charCodeAt(at + 1));
    if (!isMap && !isList) return this.#inLine(at, indent, depth);
    [this.#at, this.#indent] = [at, column];
    return isMap ? this.#map(column, depth) : this.#list(depth);
  }

  /** Reads a value that begins in this line, in a collection of that column; then goes to the line after it. */
  #inLine(at: number, indent: number, depth: number): YamlNode | undefined {
    if (isBlockHeader(this.#text.charCodeAt(at))) {
      const found = blockScalar(this.#text, at, indent);
      const node = found && this.#scalar(at, found, depth);
      this.#end = found?.end ?? 0;
      return node && this.#toLine(this.#end) ? node : undefined;
    }
    [this.#outer, this.#open] = [indent, 0];
    const node = this.#flow(at, depth);
    if (!node) return undefined;
    const behind = this.#past(node.span.end);
    const next = this.#text.charCodeAt(behind);
    const isComment = next === hash && behind > node.span.end;
    if (!isComment && next !== lineFeed && behind < this.#text.length) return undefined;
    this.#end = this.#lineEnd(behind);
    return this.#toLine(this.#end) ? node : undefined;
  }

  #scalar(at: number, found: FoundScalar, depth: number): YamlScalar | undefined {
    if (!this.#counts(depth)) return undefined;
    const { value, style, end } = found;
    const raw = this.#text.slice(at, end);
    const segments = mapScalar(style, raw, typeof value === "string" ? value : raw, at);
    return { kind: "scalar", value, style, span: { start: at, end }, segments };
  }

  /** Reads a scalar on one line, or a flow collection. */
  #flow(at: number, depth: number): YamlNode | undefined {
    const code = this.#text.charCodeAt(at);
    if (code === openMap) return this.#flowMap(at, depth);
    if (code === openList) return this.#flowList(at, depth);
    const found = lineScalar(this.#text, at, this.#open > 0);
    return found && this.#scalar(at, found, depth);
  }

  #flowMap(start: number, depth: number): YamlMap | undefined {
    const entries: YamlEntry[] = [];
    const keys = new Keys();
    const end = this.#flowItems(start, depth, closeMap, (from) => {
      const found = this.#keyAt(from);
      if (!found || !keys.isNew(found.key)) return undefined;
      const value = this.#flow(this.#past(found.end + 1), depth + 1);
      if (value) entries.push({ key: found.key, keySpan: { start: from, end: found.end }, value });
      return value?.span.end;
    });
    return end === undefined ? undefined : { kind: "map", entries, span: { start, end } };
  }

  #flowList(start: number, depth: number): YamlList | undefined {
    const items: YamlNode[] = [];
    const end = this.#flowItems(start, depth, closeList, (from) => {
      const item = this.#flow(from, depth + 1);
      if (item) items.push(item);
      return item?.span.end;
    });
    return end === undefined ? undefined : { kind: "list", items, span: { start, end } };
  }

  /** Reads items up to the closing bracket, and returns the offset after it. A comma may follow the last item. */
  #flowItems(
    start: number,
    depth: number,
    close: number,
    item: (from: number) => number | undefined,
  ): number | undefined {
    if (!this.#counts(depth)) return undefined;
    this.#open++;
    let at = this.#pastLines(start + 1);
    while (at !== undefined && this.#text.charCodeAt(at) !== close) {
      const end = item(at);
      at = end === undefined ? undefined : this.#pastLines(end);
      if (at === undefined) return undefined;
      const code = this.#text.charCodeAt(at);
      if (code === comma) at = this.#pastLines(at + 1);
      else if (code !== close) return undefined;
    }
    this.#open--;
    return at === undefined ? undefined : at + 1;
  }

  /**
   * Returns the offset of the next character that is no white space. Lines of a flow collection are indented more than its
   * parent, except the bracket that closes the outermost one.
   */
  #pastLines(from: number): number | undefined {
    let at = this.#past(from);
    while (this.#text.charCodeAt(at) === lineFeed) {
      const start = at + 1;
      at = this.#past(start);
      const code = this.#text.charCodeAt(at);
      if (code === lineFeed) continue;
      const isEnd = this.#open === 1 && at - start === this.#outer && (code === closeList || code === closeMap);
      if (at - start <= this.#outer && !isEnd) return undefined;
    }
    return at;
  }
}

/** True for `|` and `>`. */
function isBlockHeader(code: number): boolean {
  return code === 0x7c || code === 0x3e;
}

/** The keys of a mapping so far: a few are scanned, many are looked up. */
class Keys {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  isNew(key: string): boolean {
    if (this.#many ? this.#many.has(key) : this.#few.includes(key)) return false;
    if (this.#many) this.#many.add(key);
    else if (this.#few.push(key) > 16) this.#many = new Set(this.#few);
    return true;
  }
}
