import type { About } from "./about.ts";
import { about } from "./about.ts";

const sample = 'timestamp("2026-11-21T20:05:09.123Z")';

function accessor(id: string, written: string, doc: string, gives: string, inZone = gives): readonly About[] {
  return [
    about(`timestamp.${id}`, `timestamp.${written}(): int`, `${doc}, in UTC.`, [`${sample}.${written}()`, gives]),
    about(`timestamp.${id}_in`, `timestamp.${written}(string): int`, `${doc}, at a fixed offset such as \`+02:00\`.`, [
      `${sample}.${written}("+05:00")`,
      inZone,
    ]),
  ];
}

const ofDuration = (id: string, written: string, doc: string, gives: string): About =>
  about(`duration.${id}`, `duration.${written}(): int`, doc, [`duration("1h30m1.5s").${written}()`, gives]);

/** Reference entries of functions on times. Time zones are fixed offsets, since named zones change with the runtime's tables. */
export const timeAbout: Readonly<Record<string, readonly About[]>> = {
  full_year: accessor("full_year", "getFullYear", "Year", "2026"),
  month: accessor("month", "getMonth", "Month from 0", "10"),
  date: accessor("date", "getDate", "Day of the month from 1", "21", "22"),
  day_of_month: accessor("day_of_month", "getDayOfMonth", "Day of the month from 0", "20", "21"),
  day_of_week: accessor("day_of_week", "getDayOfWeek", "Day of the week, Sunday is 0", "6", "0"),
  day_of_year: accessor("day_of_year", "getDayOfYear", "Day of the year from 0", "324", "325"),
  hours: [
    ...accessor("hours", "getHours", "Hour", "20", "1"),
    ofDuration("hours", "getHours", "The whole duration in hours.", "1"),
  ],
  minutes: [
    ...accessor("minutes", "getMinutes", "Minute", "5"),
    ofDuration("minutes", "getMinutes", "The whole duration in minutes.", "90"),
  ],
  seconds: [
    ...accessor("seconds", "getSeconds", "Second", "9"),
    ofDuration("seconds", "getSeconds", "The whole duration in seconds.", "5401"),
  ],
  milliseconds: [
    ...accessor("milliseconds", "getMilliseconds", "Millisecond", "123"),
    ofDuration("milliseconds", "getMilliseconds", "Milliseconds beyond the last whole second.", "500"),
  ],
};
