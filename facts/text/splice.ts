import { spend, spendText } from "../meter.ts";

/** A part of a text and its replacement: UTF-16 offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies all edits at once; they are sorted, and an edit that overlaps the previous one is left out. */
export function splice(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  spendText(text.length);
  spend(edits.length * 2);
  const out: string[] = [];
  let at = 0;
  for (const edit of edits) {
    if (edit.start < at) continue;
    out.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  out.push(text.slice(at));
  return out.join("");
}

/**
 * Hands out unique names: one that is taken gets `~2`, `~3`, … behind it. For the keys of one object, since two may become
 * equal once secrets in them are replaced.
 */
export class Names {
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  /** `taken` are names that stay as they are. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  give(wanted: string): string {
    let name = wanted;
    for (let n = this.#next.get(wanted) ?? 2; this.#taken.has(name); n++) {
      name = `${wanted}~${n}`;
      this.#next.set(wanted, n + 1);
    }
    this.#taken.add(name);
    return name;
  }
}
