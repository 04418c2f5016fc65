/** Milliseconds of a day. */
const day = 86_400_000;

/** The day that was written last: events of a session are mostly of one day. */
let known = { day: Number.NaN, text: "" };

/**
 * A time in milliseconds since the epoch as `toISOString` of the platform writes it, which takes longer than all of the
 * arithmetic of a time of day. Throws what that throws for a time that no date has.
 */
export function isoTime(time: number): string {
  const number = Math.floor(time / day);
  if (!Number.isInteger(time) || Math.abs(number) > 99_999_999) return new Date(time).toISOString();
  if (known.day !== number) known = { day: number, text: new Date(number * day).toISOString().slice(0, -13) };
  const rest = time - number * day;
  const [hours, minutes] = [Math.floor(rest / 3_600_000), Math.floor(rest / 60_000) % 60];
  const seconds = Math.floor(rest / 1_000) % 60;
  return `${known.text}${two(hours)}:${two(minutes)}:${two(seconds)}.${String(rest % 1_000).padStart(3, "0")}Z`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
