import { spend, spendText } from "../meter.ts";
import { flowEnd, readFlow } from "./yaml-flow.ts";
import {
  addArgument,
  doubleQuoted,
  isCommandKey,
  plainOf,
  type YamlCommands,
  type YamlGroup,
  type YamlValue,
} from "./yaml-texts.ts";

/** A key whose members or items the following lines hold. */
interface Frame {
  readonly column: number;
  readonly key: string;
  readonly isCommand: boolean;
  /** The mapping beneath it, or the last one in its list. */
  group: YamlGroup;
  /** Texts of the items beneath it. */
  readonly words: string[];
  /** Texts that an alias means by the name of the key's value. */
  readonly named: string[] | undefined;
}

const valueCount = 4_096;
// A text in brackets that does not end is looked for so often; behind that, brackets end with their line.
const openBrackets = 8;
const properties = /^(?:[&!][^\s,[\]{}]*(?:[ \t]+|$))+/;
const blockHeader = /^[|>][-+\d]{0,2}[ \t]*(?:#.*)?$/s;

/**
 * Returns the values of some keys of a text in YAML, in the order of the text: plain ones, in quotes, in blocks, in lists and
 * mappings of both styles, also over several lines and behind an alias. It reads a part of a file as well, where a text whose key
 * is not in the part counts; it takes what no parser takes, and never throws.
 */
export function yamlValues(text: string, wanted: YamlCommands, whole: boolean): readonly YamlValue[] {
  spendText(8 * text.length);
  const reader = new YamlReader(text, wanted, whole);
  reader.run();
  const shell = reader.defaultShell;
  if (shell !== undefined) for (const { group } of reader.values) group.shell ??= shell;
  return reader.values;
}

class YamlReader {
  readonly values: YamlValue[] = [];
  /** Shell of all values that name none: `defaults: run: shell:`. */
  defaultShell: string | undefined;
  readonly #lines: readonly string[];
  readonly #wanted: YamlCommands;
  readonly #frames: Frame[];
  readonly #anchors = new Map<string, string[]>();
  readonly #used = new Set<readonly string[]>();
  #at = 0;
  #open = 0;

  constructor(text: string, wanted: YamlCommands, whole: boolean) {
    this.#lines = text.split(/\r?\n/);
    spend(4 * this.#lines.length);
    this.#wanted = wanted;
    this.#frames = [{ column: -1, key: "", isCommand: !whole, group: {}, words: [], named: undefined }];
    if (!whole) this.#beginning();
  }

  run(): void {
    while (this.#at < this.#lines.length && this.values.length < valueCount) {
      const line = this.#lines[this.#at] as string;
      this.#at += 1;
      if (!/^\s*(?:#|$|---(?:\s|$)|%)/.test(line)) this.#entry(line);
    }
  }

  /** Lines of a part before the first key or item: they may lie in a block. */
  #beginning(): void {
    const from = this.#at;
    while (this.#at < this.#lines.length) {
      const line = (this.#lines[this.#at] as string).trim();
      if (/^(?:-\s|[\w"'.-]+\s*:(?:\s|$))/.test(line)) break;
      this.#at += 1;
    }
    if (this.#at > from) this.#add("", this.#lines.slice(from, this.#at).join("\n"), this.#top());
  }

  #top(): Frame {
    return this.#frames.at(-1) as Frame;
  }

  /** Reads one line, and the lines that its value goes on over. */
  #entry(line: string): void {
    const dashes = /^[ \t]*(?:-[ \t]+)*(?:-$)?/.exec(line)?.[0] ?? "";
    const isItem = dashes.includes("-");
    const column = dashes.length;
    const content = line.slice(column).replace(properties, "");
    // The value of a key behind a question mark stands in the column of the mark.
    const isValue = !isItem && /^:(?:\s|$)/.test(content);
    const most = isItem ? dashes.indexOf("-") : isValue ? column : column - 1;
    while (this.#top().column > most) this.#frames.pop();
    if (isItem) this.#top().group = {};
    if (content === "" || content.startsWith("#")) return;
    const asked = /^\?\s+(.*)$/s.exec(content)?.[1];
    const key = asked === undefined ? keyOf(content) : keyOf(`${plainOf(asked)}:`);
    if (key === undefined || isValue)
      return this.#value(
        line.slice(column).replace(isValue ? /^:\s+/ : /^/, ""),
        isItem ? dashes.lastIndexOf("-") : column - 1,
        this.#top(),
      );
    const parent = this.#top();
    const frame: Frame = {
      column,
      key: key.name,
      isCommand: isCommandKey(key.name, parent.key, this.#wanted),
      group: {},
      words: [],
      named: this.#named(key.rest),
    };
    // Its own mapping is that of its parent: what stands beside the key belongs together.
    this.#frames.push(frame);
    if (key.rest !== "") this.#value(key.rest, column, frame, parent.group);
  }

  /** Reads the value that begins on this line. Further lines of it stand to the right of `column`. */
  #value(given: string, column: number, frame: Frame, group: YamlGroup = frame.group): void {
    const rest = given.replace(properties, "").trim();
    const named = frame.named ?? this.#named(given);
    if (rest === "" || rest.startsWith("#")) return;
    if (/^[[{]/.test(rest)) return this.#flow(rest, frame, group, named);
    const text = blockHeader.test(rest) ? this.#block(rest, column) : this.#scalar(rest, column);
    named?.push(text);
    if (frame.key === "shell") group.shell = text;
    if (frame.key === "shell" && this.#frames.at(-2)?.key === "run") this.defaultShell = text;
    if (frame.key === "args") addArgument(group, text);
    if (!frame.isCommand) return;
    const meant = this.#anchors.get(/^\*(\S+)$/.exec(rest)?.[1] ?? "");
    if (!meant) this.#add(frame.key, text, frame, group);
    else if (!this.#used.has(meant)) for (const one of meant) this.#add(frame.key, one, frame, group);
    if (meant) this.#used.add(meant);
  }

  /** Returns the list of what an alias means, for a value that has a name. */
  #named(value: string): string[] | undefined {
    const name = /^(?:!\S*[ \t]+)?&([^\s,[\]{}]+)/.exec(value)?.[1];
    if (name === undefined) return undefined;
    const named: string[] = [];
    this.#anchors.set(name, named);
    return named;
  }

  #add(key: string, text: string, frame: Frame, group: YamlGroup = frame.group): void {
    spendText(text.length);
    // A text in the mapping of its key is no item.
    if (group === frame.group) frame.words.push(text);
    this.values.push({ key, text, group, list: group === frame.group ? frame.words : undefined });
  }

  /** Returns the text of a block; lines of a folded one are joined as YAML joins them. */
  #block(header: string, column: number): string {
    const lines: string[] = [];
    let indent = -1;
    for (; this.#at < this.#lines.length; this.#at++) {
      const next = this.#lines[this.#at] as string;
      const own = indentOf(next);
      if (own < 0) lines.push("");
      else if (own <= column) break;
      else {
        if (indent < 0) indent = own;
        lines.push(next.slice(Math.min(indent, own)));
      }
    }
    const text = lines.join("\n");
    return header.startsWith(">") ? text.replace(/(?<=\S)\n(?=\S)/g, " ") : text;
  }

  /** Returns a plain or quoted text. */
  #scalar(rest: string, column: number): string {
    const quote = /^["']/.exec(rest)?.[0];
    if (quote !== undefined) return this.#quoted(rest, quote, column);
    const parts = [plainOf(rest)];
    let last = rest;
    for (; this.#at < this.#lines.length && !/(?:^|\s)#/.test(last); this.#at++) {
      const next = this.#lines[this.#at] as string;
      const own = indentOf(next);
      if ((own >= 0 && own <= column) || /^\s*#/.test(next) || keyOf(next.trim()) !== undefined) break;
      last = next.trim();
      parts.push(own < 0 ? "\n" : plainOf(last));
    }
    return parts.join(" ").trim();
  }

  #quoted(rest: string, quote: string, column: number): string {
    const parts: string[] = [];
    for (let part = rest.slice(1); ; part = (this.#lines[this.#at++] as string).trim()) {
      const end = quoteAt(part, quote);
      parts.push(end < 0 ? part : part.slice(0, end));
      const next = this.#lines[this.#at];
      if (end >= 0 || next === undefined) break;
      const own = indentOf(next);
      if (own >= 0 && own <= column && keyOf(next.trim()) !== undefined) break;
    }
    // A backslash at the end of a line joins it with the next.
    const text = parts.join(" ").replace(/(?<!\\)((?:\\\\)*)\\ +/g, quote === '"' ? "$1" : "$&");
    return quote === '"' ? doubleQuoted(text) : text.replaceAll("''", "'");
  }

  /** Reads a list or mapping in brackets. */
  #flow(rest: string, frame: Frame, group: YamlGroup, named: string[] | undefined): void {
    let text = rest;
    const state = flowEnd(text);
    if (!state.closed && this.#open < openBrackets) {
      const from = this.#at;
      const parts = [rest];
      while (!state.closed && this.#at < this.#lines.length) {
        const next = ` ${(this.#lines[this.#at] as string).trim()}`;
        this.#at += 1;
        parts.push(next);
        state.next(next);
      }
      if (state.closed) text = parts.join("\n");
      else {
        this.#open += 1;
        this.#at = from;
      }
    }
    spendText(2 * text.length);
    for (const value of readFlow(text, frame.key, frame.isCommand, this.#wanted, group)) this.values.push(value);
    if (!named) return;
    for (const value of readFlow(text, frame.key, true, this.#wanted, {})) named.push(value.text);
  }
}

/** Column of the first character of a line; -1 for an empty one. */
function indentOf(line: string): number {
  return line.search(/\S/);
}

/** Place of the quote that ends a text; -1 if there is none. */
function quoteAt(text: string, quote: string): number {
  for (let i = 0; i < text.length; i++) {
    if (quote === '"' && text[i] === "\\") i += 1;
    else if (text[i] === quote) {
      if (quote === '"' || text[i + 1] !== "'") return i;
      i += 1;
    }
  }
  return -1;
}

/** Returns the key of a line's content, and what stands behind its colon. */
function keyOf(content: string): { readonly name: string; readonly rest: string } | undefined {
  if (content.startsWith(":")) return undefined;
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*:(?:\s+(.*))?$/s.exec(content);
  if (quoted)
    return { name: quoted[1] === undefined ? (quoted[2] as string) : doubleQuoted(quoted[1]), rest: quoted[3] ?? "" };
  if (/^["'[{#|>*%@`]/.test(content)) return undefined;
  const colon = content.search(/:(?:\s|$)/);
  if (colon <= 0) return undefined;
  const name = content.slice(0, colon);
  return /\s#/.test(name) ? undefined : { name: name.trimEnd(), rest: content.slice(colon + 1).trim() };
}
