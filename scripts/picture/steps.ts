import { withoutSequences } from "./screen.ts";

/** Steps that were cut out of what a demonstration printed, and how many it had. */
export interface Steps {
  readonly text: string;
  readonly all: number;
}

/**
 * The steps `first` to `last` of `output`, whole lines with their colours. A step begins with a line of its number and a dot (`3.
 * …`) and ends before the next. Throws if one of them, or the step after the last, is missing, so that the shown part ends where
 * the demonstration marks it.
 */
export function steps(output: string, first: number, last: number): Steps {
  const lines = output.split("\n");
  const starts = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const number = /^(\d+)\. /.exec(withoutSequences(line))?.[1];
    if (number !== undefined) starts.set(Number(number), at);
  }
  for (let step = first; step <= last + 1; step++) {
    if (!starts.has(step)) throw new Error(`the demonstration has no step ${step}`);
  }
  const text = lines.slice(starts.get(first), starts.get(last + 1)).join("\n");
  return { text: text.trimEnd(), all: starts.size };
}
