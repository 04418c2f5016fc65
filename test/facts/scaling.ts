import { readEvent } from "../../facts/effects/event.ts";
import type { Reading } from "../../facts/effects/reading.ts";
import { unitsOf } from "../../facts/meter.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";
import type { FactCall, FactShape } from "../scaling/facts/shape.ts";
import { emptyFiles, toolCall } from "./effects/judge.ts";

/** What is needed to read a call. */
export function readable({ tool, args, environment, files }: FactCall): readonly [JudgedEvent, FileSystem] {
  return [toolCall(tool, args, environment ?? {}), files ? hermeticFiles(files) : emptyFiles];
}

/** A call as it was read, and the units of work that took. */
export interface Measured {
  readonly units: number;
  readonly reading: Reading;
}

/** Reads a call and counts the work. */
export function measured(call: FactCall): Measured {
  const [event, files] = readable(call);
  const readings: Reading[] = [];
  const units = unitsOf(() => readings.push(readEvent(event, files)));
  return { units, reading: readings[0] as Reading };
}

/** True where the work for a call was more than it is given. */
export function isOver({ reading }: Measured): boolean {
  return (
    reading.understanding === "unknown" && reading.doubts[0]?.reason.startsWith("the call takes more work") === true
  );
}

// Work of a piece that is short beside its shape's head, and rounding.
const constant = 5_000;

/**
 * How a shape grows from a length to twice and four times of it, where that is more than it may: linear, or in the square
 * where two lists of the input meet. Undefined where it is within that or the meter is reached.
 */
export function excess(shape: FactShape, length: number): readonly number[] | undefined {
  const most = shape.product ? 4.4 : 2.2;
  const all = [1, 2, 4].map((factor) => measured(shape.of(factor * length)));
  const [once, twice, four] = all as unknown as readonly [Measured, Measured, Measured];
  const exceeds = (i: number): boolean => {
    const [before, after] = [all[i - 1] as Measured, all[i] as Measured];
    return !isOver(after) && after.units > most * before.units + constant;
  };
  // A bound may be reached in between, behind which the call is refused at once or read another way.
  const grown = (exceeds(2) && four.units > most * most * once.units) || (exceeds(1) && four.units >= twice.units);
  // What the first pieces spare, since nothing stands before them, is no growth: each step still costs as much as the one before.
  const isEven = four.units - twice.units <= most * (twice.units - once.units);
  return grown && !isEven ? all.map((one) => one.units) : undefined;
}
