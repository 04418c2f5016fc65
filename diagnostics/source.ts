/** A half-open range of UTF-16 offsets in one source text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place for people: line and column count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * One run of inner text that came from outer text. Inside a run of equal length the mapping is
 * offset by offset; a run of unequal length (an escape, a folded line break) maps as a whole.
 */
export interface Segment {
  readonly inner: Span;
  readonly outer: Span;
}

/**
 * A text that diagnostics can point into. A condition inside a YAML scalar is a Source of its own
 * whose spans `toFile` maps back to the policy file, so every message cites the author's own line.
 */
export class Source {
  readonly name: string;
  readonly text: string;
  readonly #outer: Source | undefined;
  readonly #segments: readonly Segment[];
  #lineStarts: number[] | undefined;

  constructor(name: string, text: string, outer?: Source, segments: readonly Segment[] = []) {
    this.name = name;
    this.text = text;
    this.#outer = outer;
    this.#segments = segments;
  }

  /** Makes a source for text inside this one, e.g. a decoded YAML scalar. */
  embed(text: string, segments: readonly Segment[]): Source {
    return new Source(this.name, text, this, segments);
  }

  /** The outermost source, i.e. the author's file. */
  get file(): Source {
    return this.#outer ? this.#outer.file : this;
  }

  /** Maps a span of this text to a span of the author's file. */
  toFile(span: Span): Span {
    if (!this.#outer) return span;
    const start = this.#mapOffset(span.start, "start");
    const end = span.end > span.start ? this.#mapOffset(span.end, "end") : start;
    return this.#outer.toFile({ start, end: Math.max(start, end) });
  }

  /** Line and column of an offset into this text. */
  position(offset: number): Position {
    const starts = this.#lines();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  }

  /** The text of a line (from 1), without its line break. */
  line(number: number): string {
    const starts = this.#lines();
    const start = starts[number - 1] ?? this.text.length;
    const end = starts[number] ?? this.text.length + 1;
    return this.text.slice(start, end).replace(/\r?\n$/, "");
  }

  #lines(): number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    for (let at = this.text.indexOf("\n"); at >= 0; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
    return starts;
  }

  #mapOffset(offset: number, side: "start" | "end"): number {
    let last: Segment | undefined;
    for (const segment of this.#segments) {
      const { inner, outer } = segment;
      const within =
        side === "start" ? offset >= inner.start && offset < inner.end : offset > inner.start && offset <= inner.end;
      if (within) {
        const even = inner.end - inner.start === outer.end - outer.start;
        if (even) return outer.start + (offset - inner.start);
        return side === "start" ? outer.start : outer.end;
      }
      if (inner.end <= offset) last = segment;
    }
    return last ? last.outer.end : (this.#segments[0]?.outer.start ?? 0);
  }
}
