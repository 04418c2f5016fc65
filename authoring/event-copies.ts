const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** Latest time of a JavaScript date, in milliseconds. */
const endOfTime = 8_640_000_000_000_000;
/** Maximum number of copies of one event, as in the schema of events. */
const mostCopies = 10_000;

/**
 * Returns `repeat` copies of an event, each `every` later than the previous one; the unchanged event without a `repeat`, or with
 * one that is no whole number from 1 to 10,000.
 */
export function copies(event: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const { repeat, every, ...rest } = event;
  if (typeof repeat !== "number" || !Number.isInteger(repeat) || repeat < 1 || repeat > mostCopies) return [event];
  const step = stepOf(every);
  const start = typeof rest["time"] === "string" ? Date.parse(rest["time"]) : 0;
  return Array.from({ length: repeat }, (_, i) => {
    const time = start + i * step;
    return step > 0 && time <= endOfTime ? { ...rest, time: new Date(time).toISOString() } : rest;
  });
}

function stepOf(every: unknown): number {
  const match = typeof every === "string" ? /^(\d+)(ms|s|m|h)$/.exec(every) : null;
  return match ? Number(match[1]) * (units[match[2] as string] as number) : 0;
}
