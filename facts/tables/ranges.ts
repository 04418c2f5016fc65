/** Sorted, disjoint ranges of code points: begin, end (exclusive), begin, end, … */
export type CodeRanges = Uint32Array;

/** Ranges out of the text that `scripts/tables.ts` packs: `gap` or `gap.length`, in base 36, by blanks. */
export function unpackRanges(packed: string): CodeRanges {
  const parts = packed.split(" ");
  const ranges = new Uint32Array(parts.length * 2);
  let at = 0;
  parts.forEach((part, i) => {
    const [gap = "", length = "1"] = part.split(".");
    at += Number.parseInt(gap, 36);
    ranges[2 * i] = at;
    at += Number.parseInt(length, 36);
    ranges[2 * i + 1] = at;
  });
  return ranges;
}

/** True if a code point lies in one of the ranges; by halving. */
export function inCodeRanges(code: number, ranges: CodeRanges): boolean {
  return (rankOf(code, ranges) & 1) === 1;
}

/** Number of bounds that are not above the code point; odd inside a range. */
export function rankOf(code: number, bounds: CodeRanges): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] as number) <= code) low = middle + 1;
    else high = middle;
  }
  return low;
}
