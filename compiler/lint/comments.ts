import type { Span } from "../../diagnostics/source.ts";
import type { YamlNode } from "../yaml-node.ts";

/** A key or value where it stands, and the keys that lead to a value; list items have no key of their own. */
interface Text {
  readonly span: Span;
  readonly path: readonly string[] | undefined;
}

/** Places of the keys and values of a document; all other text is punctuation or a comment. */
export class Texts {
  /** Sorted by start; none overlap, except that text repeated by an alias is listed twice. */
  readonly #all: readonly Text[];

  constructor(root: YamlNode) {
    const all: Text[] = [];
    collect(root, [], all);
    this.#all = all.sort((a, b) => a.span.start - b.span.start);
  }

  /** The key or value that holds an offset. */
  at(offset: number): Text | undefined {
    let low = 0;
    let high = this.#all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#all[middle] as Text).span.start <= offset) low = middle + 1;
      else high = middle;
    }
    const found = this.#all[low - 1];
    return found && offset < found.span.end ? found : undefined;
  }

  /** The comment of a text that holds an offset, from its `#` to the end of its line; undefined elsewhere. */
  commentAt(text: string, offset: number): Span | undefined {
    if (this.at(offset)) return undefined;
    const line = text.lastIndexOf("\n", offset - 1) + 1;
    for (let at = text.indexOf("#", line); at >= 0 && at <= offset; at = text.indexOf("#", at + 1)) {
      const begins = at === line || /\s/.test(text[at - 1] as string);
      if (!begins || this.at(at)) continue;
      const end = text.indexOf("\n", at);
      return { start: at, end: end < 0 ? text.length : end };
    }
    return undefined;
  }
}

/** Collects the texts of a node. The reader has bounded depth and number of nodes. */
function collect(node: YamlNode, path: readonly string[], found: Text[]): void {
  if (node.kind === "scalar") {
    // A comment beside the `|` of a block scalar is a comment.
    const isBlock = node.style === "literal" || node.style === "folded";
    const [inner] = node.segments;
    found.push({ span: isBlock && inner ? { start: inner.outer.start, end: node.span.end } : node.span, path });
  } else if (node.kind === "list") for (const item of node.items) collect(item, path, found);
  else
    for (const { key, keySpan, value } of node.entries) {
      found.push({ span: keySpan, path: undefined });
      collect(value, [...path, key], found);
    }
}
