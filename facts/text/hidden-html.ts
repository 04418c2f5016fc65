import { spend } from "../meter.ts";
import { isHiddenTag } from "./html-style.ts";
import { isLetter, Steps, type Tag, tagAt } from "./html-tag.ts";
import { commentDefinition, dataAddress, queryImage } from "./markdown.ts";
import type { Edit } from "./splice.ts";

/** Edits of hidden markup; `over` where the text was too tangled to be read to its end, so that it is withheld. */
export interface HiddenMarkup {
  readonly edits: readonly Edit[];
  readonly over: boolean;
}

/** Units of work for one place where markup may begin. */
const hitUnits = 6;

/** Tags without an inside. */
const empty: ReadonlySet<string> = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);

/** True if `hiddenMarkup` may find something in a text; cheap. */
export function mayHideMarkup(text: string): boolean {
  return text.includes("<") || text.includes("![") || text.includes("]:") || /data:/i.test(text);
}

/**
 * Finds parts of a page that a reader does not see: comments, elements hidden by their own tag, `data:` addresses, Markdown
 * images that carry data out in a query, and Markdown definitions used as comments. Each is replaced by a note that says how
 * much was hidden. Content hidden by a style sheet or a script is not found. Linear. Source: threats section 6.
 */
export function hiddenMarkup(text: string): HiddenMarkup {
  const scan = new Scan(text);
  scan.run();
  return { edits: scan.edits, over: scan.steps.over };
}

class Scan {
  readonly edits: Edit[] = [];
  readonly steps: Steps;
  readonly #text: string;
  /** Next offset of each needle, so that a distant one is searched once. */
  readonly #next = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
    this.steps = new Steps(text.length);
  }

  run(): void {
    const text = this.#text;
    const starts = /[<![dD]/g;
    for (let hit = starts.exec(text); hit !== null && !this.steps.over; hit = starts.exec(text)) {
      spend(hitUnits);
      const end = this.#at(hit.index, hit[0]);
      if (end !== undefined) starts.lastIndex = end;
    }
  }

  /** Handles markup that begins at an offset; returns the offset behind it, or undefined if none begins there. */
  #at(at: number, c: string): number | undefined {
    const text = this.#text;
    if (c === "<") return this.#markup(at);
    const found =
      c === "!"
        ? queryImage(text, at, this.steps)
        : c === "["
          ? commentDefinition(text, at)
          : dataAddress(text, at, text.length);
    return found && this.#hide(at, found.end, found.what);
  }

  #markup(at: number): number | undefined {
    const text = this.#text;
    if (text.startsWith("<!--", at)) return this.#hide(at, this.#commentEnd(at), "comment");
    const tag = tagAt(text, at, this.steps);
    if (!tag) return undefined;
    if (isHiddenTag(tag))
      return this.#hide(at, empty.has(tag.name) ? tag.end : this.#elementEnd(tag), `\`${tag.name}\` element`);
    for (const value of tag.attributes.values()) {
      if (!/data:/i.test(value)) continue;
      this.#addresses(at, tag.end);
      break;
    }
    return tag.end;
  }

  /** `data:` addresses inside a tag that is shown. */
  #addresses(from: number, to: number): void {
    const starts = /data:/gi;
    starts.lastIndex = from;
    for (let hit = starts.exec(this.#text); hit !== null && hit.index < to; hit = starts.exec(this.#text)) {
      const found = dataAddress(this.#text, hit.index, to);
      if (found) starts.lastIndex = this.#hide(hit.index, found.end, found.what);
    }
  }

  #hide(start: number, end: number, what: string): number {
    this.edits.push({ start, end, text: `[hidden: ${what}, ${end - start} characters]` });
    return end;
  }

  /** A comment that does not end goes on to the end of the text, as in a browser. */
  #commentEnd(at: number): number {
    const text = this.#text;
    if (text.startsWith("<!-->", at)) return at + 5;
    if (text.startsWith("<!--->", at)) return at + 6;
    const ends = ["-->", "--!>"].map((needle) => ({ needle, at: this.#find(needle, at + 4) }));
    const first = ends.filter((end) => end.at >= 0).sort((a, b) => a.at - b.at)[0];
    return first ? first.at + first.needle.length : text.length;
  }

  #find(needle: string, from: number): number {
    const known = this.#next.get(needle);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const found = this.#text.indexOf(needle, from);
    this.#next.set(needle, found);
    return found;
  }

  /** Returns the offset behind the end tag of an element, or the end of the text. A paragraph ends where the next one begins. */
  #elementEnd({ name, end }: Tag): number {
    const text = this.#text;
    let depth = 1;
    for (let at = text.indexOf("<", end); at >= 0 && !this.steps.over; at = text.indexOf("<", at)) {
      spend(hitUnits);
      const closes = text[at + 1] === "/";
      if (text.startsWith("<!--", at)) at = this.#commentEnd(at);
      else if (this.#isNamed(at + (closes ? 2 : 1), name)) {
        if (!closes && name === "p") return at;
        depth += closes ? -1 : 1;
        const close = this.#find(">", at);
        if (depth === 0) return close < 0 ? text.length : close + 1;
        at = closes ? at + 1 : (tagAt(text, at, this.steps)?.end ?? at + 1);
      } else at = isLetter(text, at + 1) ? (tagAt(text, at, this.steps)?.end ?? at + 1) : at + 1;
    }
    return text.length;
  }

  #isNamed(at: number, name: string): boolean {
    const end = at + name.length;
    return this.#text.slice(at, end).toLowerCase() === name && !/[\w:-]/.test(this.#text[end] ?? "");
  }
}
