/** A number that has to be reached, and what was measured in this run. */
export interface Bar {
  /** What the budget file calls it. */
  readonly id: string;
  readonly what: string;
  /** The number to be reached, in words. */
  readonly bar: string;
  readonly measured: string;
  /** Undefined where a number is stated and none is set. */
  readonly met: boolean | undefined;
  /**
   * What the budget file watches: a time (or size) over another of the same run, the larger the worse, so that it says
   * something on any machine. Undefined where nothing of the run is comparable.
   */
  readonly ratio?: number;
}

/** A bar that a value must not be over. `unit` follows both numbers. */
export function atMost(
  id: string,
  what: string,
  value: number,
  bar: number,
  more: { readonly unit?: string; readonly ratio?: number } = {},
): Bar {
  const unit = more.unit ?? "";
  const { ratio } = more;
  return {
    id,
    what,
    bar: `at most ${bar}${unit}`,
    measured: `${digits(value)}${unit}`,
    met: value <= bar,
    ...(ratio !== undefined && { ratio }),
  };
}

/** A bar that a value must reach. */
export function atLeast(
  id: string,
  what: string,
  value: number,
  bar: number,
  more: { readonly unit?: string; readonly ratio?: number } = {},
): Bar {
  const unit = more.unit ?? "";
  const { ratio } = more;
  return {
    id,
    what,
    bar: `at least ${bar}${unit}`,
    measured: `${digits(value)}${unit}`,
    met: value >= bar,
    ...(ratio !== undefined && { ratio }),
  };
}

/** Three digits that mean something. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "not known";
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}
