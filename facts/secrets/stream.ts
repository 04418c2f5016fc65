import { limits } from "../../schema/limits.ts";
import type { Finding } from "./finding.ts";
import type { Scanner } from "./scan.ts";
import { redactFindings, redactionToken, unscannedId } from "./scan.ts";

/** Factor on the length held back, because an encoding lengthens the longest match. */
const encodedFactor = 6;

/** Redacts a text that arrives in parts. The joined output equals that of `Scanner.redact` for the whole text. */
export interface RedactingStream {
  /** Takes the next part; returns the text that no later part can change, often none. */
  push(part: string): string;
  /** Returns the rest of the text. To be called after errors as well; the stream is then empty and can be reused. */
  flush(): string;
  /** True once the text held back passed `maxHeld`. That text and all later text is withheld; one token replaces it. */
  readonly withheld: boolean;
}

/** Bounds of a stream, in UTF-16 units. */
export interface StreamOptions {
  /** Longest text held back for a secret that does not end; the default is 1,048,576. */
  readonly maxHeld?: number;
}

/**
 * Creates a stream that redacts with a scanner. It holds back the length of the longest bounded match, and an unbounded block (an
 * armoured key, a web token) from its first character. Work is linear in the text, however small the parts. Source: threats
 * section 5.3.
 */
export function createRedactingStream(scanner: Scanner, options: StreamOptions = {}): RedactingStream {
  return new Stream(scanner, Math.min(options.maxHeld ?? 1_048_576, limits.scanLength));
}

class Stream implements RedactingStream {
  withheld = false;
  readonly #scanner: Scanner;
  readonly #maxHeld: number;
  /** UTF-16 units held back at the end of the text, because a match there may still grow. */
  readonly #reach: number;
  /** Text that is not returned yet, after `#context` units of returned text in which a match may begin. */
  #held = "";
  #context = 0;
  /** Length of the held text at which the next scan runs. */
  #due: number;

  constructor(scanner: Scanner, maxHeld: number) {
    this.#scanner = scanner;
    this.#reach = scanner.reach * encodedFactor;
    this.#maxHeld = Math.max(maxHeld, this.#reach * 2);
    this.#due = this.#reach * 2;
  }

  push(part: string): string {
    if (this.withheld) return "";
    this.#held += part;
    let out = "";
    while (!this.withheld && this.#held.length >= this.#due) {
      const before = this.#held.length;
      out += this.#release();
      if (this.#held.length === before) break;
    }
    return out;
  }

  flush(): string {
    const out = this.withheld ? "" : this.#redacted(this.#scanner.survey(this.#held).findings, this.#held.length);
    this.withheld = false;
    this.#held = "";
    this.#context = 0;
    this.#due = this.#reach * 2;
    return out;
  }

  /**
   * Returns the text that no later part can change. If there is none, the next scan waits until the text has doubled, so that
   * work stays linear.
   */
  #release(): string {
    const window = this.#held;
    const { findings, together, open } = this.#scanner.survey(window);
    const cut = this.#cut(window, Math.min(open, window.length - this.#reach), together, findings);
    if (cut <= this.#context) {
      if (window.length >= this.#maxHeld) return this.#withhold();
      this.#due = Math.min(window.length * 2, this.#maxHeld);
      return "";
    }
    const out = this.#redacted(findings, cut);
    // Keeps the line's beginning and the text before a value as context, so that matches are as in the whole text. A match that
    // starts only because the text begins here would end before the cut.
    const from = Math.max(0, cut - this.#scanner.reach, window.lastIndexOf("\n", cut - 1));
    this.#held = window.slice(from);
    this.#context = cut - from;
    this.#due = Math.min(Math.max(this.#reach * 2, this.#held.length + this.#reach), this.#maxHeld);
    return out;
  }

  #redacted(findings: readonly Finding[], end: number): string {
    const before = findings.filter((finding) => finding.start >= this.#context && finding.end <= end);
    return redactFindings(this.#held.slice(0, end), before).slice(this.#context);
  }

  #withhold(): string {
    this.withheld = true;
    this.#held = "";
    return redactionToken(unscannedId);
  }

  /**
   * Returns the last offset up to a limit that splits no finding and no span of `together`, after a blank if one is near; 0 if
   * there is none.
   */
  #cut(text: string, limit: number, together: readonly number[], findings: readonly Finding[]): number {
    const spans = findings.map(({ start, end }): readonly [number, number] => [start, end]);
    for (let i = 0; i < together.length; i += 2) spans.push([together[i] as number, together[i + 1] as number]);
    spans.sort((a, b) => b[1] - a[1]);
    const floor = limit - this.#reach;
    let fallback = 0;
    let at = limit;
    // A span that reaches `at` moves it to the start of that span. One pass is enough, because spans are sorted by their ends.
    let next = 0;
    for (; at > this.#context; at--) {
      let start = at;
      for (; next < spans.length && (spans[next] as readonly [number, number])[1] >= at; next++) {
        start = Math.min(start, (spans[next] as readonly [number, number])[0]);
      }
      if (start < at) {
        at = start + 1;
        continue;
      }
      if (isLowSurrogate(text.charCodeAt(at))) continue;
      if (isBlank(text.charCodeAt(at - 1))) return at;
      if (fallback === 0) fallback = at;
      if (at < floor) break;
    }
    return fallback;
  }
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
