import type { Value } from "../../schema/ports.ts";
import { type Duration, EvaluationError, type Timestamp } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { compareTimes } from "./order.ts";
import { dateOf, daysOf, durationOf } from "./time-values.ts";
import { evaluationError } from "./values.ts";

/** The parts of a timestamp in one UTC offset, as its accessors return them. */
interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly dayOfWeek: number;
  readonly dayOfYear: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly milliseconds: number;
}

/** Returns the seconds east of UTC of `UTC`, `Z` or an offset such as `+02:00`. Named zones depend on the runtime and are an error. */
export function offsetOf(zone: string): number | EvaluationError {
  if (zone === "UTC" || zone === "Z" || zone === "") return 0;
  const found = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (!found)
    return evaluationError(`time zone \`${zone.slice(0, 40)}\` is no fixed offset; write one like \`+02:00\``);
  return (found[1] === "-" ? -1 : 1) * (Number(found[2]) * 3600 + Number(found[3]) * 60);
}

function partsOf(time: Timestamp, offset: number): Parts {
  const local = time.seconds + offset;
  const days = Math.floor(local / 86_400);
  const rest = local - days * 86_400;
  const { year, month, day } = dateOf(days);
  return {
    year,
    month,
    day,
    dayOfWeek: (((days + 4) % 7) + 7) % 7,
    dayOfYear: days - daysOf(year, 1, 1),
    hours: Math.floor(rest / 3600),
    minutes: Math.floor(rest / 60) % 60,
    seconds: rest % 60,
    milliseconds: Math.floor(time.nanos / 1_000_000),
  };
}

/** Makes the overloads of an accessor: in UTC and in a given offset. */
function accessor(name: string, part: (parts: Parts) => number): Overload[] {
  return [
    overload(`timestamp.${name}`, ["timestamp"], ([time]) => part(partsOf(time, 0))),
    overload(`timestamp.${name}_in`, ["timestamp", "string"], ([time, zone]) => {
      const offset = offsetOf(zone);
      return offset instanceof EvaluationError ? offset : part(partsOf(time, offset));
    }),
  ];
}

/** Makes the overload that gives a whole duration in a unit of `unit` seconds, truncated towards zero. */
function whole(name: string, unit: number): Overload {
  return overload(`duration.${name}`, ["duration"], ([value]) => Math.trunc(value.seconds / unit) + 0);
}

/** True if the time lies at most `span` before the event. */
function withinOf(time: Timestamp, span: Duration, now: number): Value | EvaluationError {
  const seconds = Math.floor(now / 1000);
  const age = durationOf(seconds - time.seconds, (now - seconds * 1000) * 1_000_000 - time.nanos);
  return age instanceof EvaluationError ? age : age.seconds >= 0 && age.nanos >= 0 && compareTimes(age, span) <= 0;
}

/** Accessors of timestamps and durations (CEL standard library). */
export const timeFunctions: Readonly<Record<string, readonly Overload[]>> = {
  full_year: accessor("full_year", (p) => p.year),
  month: accessor("month", (p) => p.month - 1),
  date: accessor("date", (p) => p.day),
  day_of_month: accessor("day_of_month", (p) => p.day - 1),
  day_of_week: accessor("day_of_week", (p) => p.dayOfWeek),
  day_of_year: accessor("day_of_year", (p) => p.dayOfYear),
  hours: [...accessor("hours", (p) => p.hours), whole("hours", 3600)],
  minutes: [...accessor("minutes", (p) => p.minutes), whole("minutes", 60)],
  seconds: [...accessor("seconds", (p) => p.seconds), whole("seconds", 1)],
  milliseconds: [
    ...accessor("milliseconds", (p) => p.milliseconds),
    overload("duration.milliseconds", ["duration"], ([value]) => Math.trunc(value.nanos / 1_000_000) + 0),
  ],
  time_within: [
    overload("timestamp.within", ["timestamp", "duration"], ([time, span], context) =>
      withinOf(time, span, context.event.time),
    ),
  ],
};
