import type { EvaluationError } from "../../schema/ports.ts";
import { Duration, Timestamp } from "../../schema/ports.ts";
import { evaluationError } from "./values.ts";

/** Parsers, constructors and printers of timestamps and durations, independent of the runtime's clock and time zones. */

const nanosPerSecond = 1_000_000_000;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds since the epoch. */
const firstSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;
/** About 292 years: CEL counts a duration in nanoseconds of 64 bits. */
const longest = 9_223_372_036;

/** Makes a timestamp of seconds and nanoseconds of any size; an error outside the years 1 to 9999. */
export function timestampOf(seconds: number, nanos: number): Timestamp | EvaluationError {
  const carry = Math.floor(nanos / nanosPerSecond);
  const whole = seconds + carry;
  if (!(whole >= firstSecond && whole <= lastSecond)) return evaluationError("timestamp out of range");
  return new Timestamp(whole, nanos - carry * nanosPerSecond);
}

/** Makes a duration of seconds and nanoseconds of any sign; both parts of the result have the same sign. */
export function durationOf(seconds: number, nanos: number): Duration | EvaluationError {
  let whole = seconds + Math.trunc(nanos / nanosPerSecond);
  let rest = nanos % nanosPerSecond;
  if (whole > 0 && rest < 0) {
    whole -= 1;
    rest += nanosPerSecond;
  } else if (whole < 0 && rest > 0) {
    whole += 1;
    rest -= nanosPerSecond;
  }
  if (!(Math.abs(whole) <= longest)) return evaluationError("duration out of range");
  return new Duration(whole + 0, rest + 0);
}

/** Returns the days since the epoch of a date of the proleptic Gregorian calendar; month from 1. */
export function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Returns the year, month (from 1) and day of a number of days since the epoch. */
export function dateOf(days: number): { year: number; month: number; day: number } {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/** Converts fraction digits to nanoseconds. */
function fraction(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits.slice(0, 9).padEnd(9, "0"));
}

const dateTime = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d{2}):(\d{2}))$/;

/** Reads an RFC 3339 date and time; an error if it is malformed or out of range. */
export function parseTimestamp(text: string): Timestamp | EvaluationError {
  const found = dateTime.exec(text);
  if (!found) return evaluationError(`not an RFC 3339 date and time: ${text.slice(0, 60)}`);
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [offsetHours, offsetMinutes] = [Number(found[10] ?? 0), Number(found[11] ?? 0)];
  const days = daysOf(year, month, day);
  const real = dateOf(days);
  const valid =
    month >= 1 && month <= 12 && real.month === month && real.day === day && hour < 24 && minute < 60 && second < 60;
  if (!valid || offsetHours > 23 || offsetMinutes > 59) return evaluationError(`no such date and time: ${text}`);
  const offset = (found[9] === "-" ? -1 : 1) * (offsetHours * 3600 + offsetMinutes * 60);
  return timestampOf(days * 86_400 + hour * 3600 + minute * 60 + second - offset, fraction(found[7]));
}

const units: ReadonlyMap<string, number> = new Map([
  ["d", 86_400_000_000_000],
  ["h", 3_600_000_000_000],
  ["m", 60_000_000_000],
  ["s", nanosPerSecond],
  ["ms", 1_000_000],
  ["us", 1_000],
  ["µs", 1_000],
  ["μs", 1_000],
  ["ns", 1],
]);

/** Reads a duration such as `10m`, `1h30m`, `-1.5s`, `2d`; an error if it is malformed or out of range. */
export function parseDuration(text: string): Duration | EvaluationError {
  const wrong = evaluationError(`not a duration: ${text.slice(0, 60)}`);
  const sign = text.startsWith("-") ? -1 : 1;
  const body = text.replace(/^[+-]/, "");
  if (body === "0") return new Duration(0);
  if (text.length > 100) return wrong;
  let seconds = 0;
  let nanos = 0;
  let at = 0;
  for (const found of body.matchAll(/(\d+)(?:\.(\d*))?(ms|us|\u00b5s|\u03bcs|ns|[dhms])/g)) {
    if (found.index !== at) return wrong;
    at += found[0].length;
    const unit = units.get(found[3] as string) as number;
    const whole = Number(found[1]);
    const perSecond = nanosPerSecond / unit;
    const wholeSeconds = unit >= nanosPerSecond ? whole * (unit / nanosPerSecond) : Math.floor(whole / perSecond);
    seconds += wholeSeconds;
    nanos += unit >= nanosPerSecond ? 0 : (whole % perSecond) * unit;
    nanos += Math.floor(Number(`0.${found[2] || "0"}`) * unit);
  }
  return at === 0 || at !== body.length ? wrong : durationOf(sign * seconds, sign * nanos);
}

function fractionText(nanos: number): string {
  if (nanos === 0) return "";
  const digits = String(nanos).padStart(9, "0");
  const size = nanos % 1_000_000 === 0 ? 3 : nanos % 1000 === 0 ? 6 : 9;
  return `.${digits.slice(0, size)}`;
}

/** Prints a duration in seconds, as CEL does: `90s`, `-1.500s`. */
export function printDuration(value: Duration): string {
  const negative = value.seconds < 0 || value.nanos < 0;
  return `${negative ? "-" : ""}${Math.abs(value.seconds)}${fractionText(Math.abs(value.nanos))}s`;
}

/** Prints a timestamp in RFC 3339, in UTC. */
export function printTimestamp(value: Timestamp): string {
  const days = Math.floor(value.seconds / 86_400);
  const rest = value.seconds - days * 86_400;
  const { year, month, day } = dateOf(days);
  const two = (n: number): string => String(n).padStart(2, "0");
  const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  const time = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  return `${date}T${time}${fractionText(value.nanos)}Z`;
}
