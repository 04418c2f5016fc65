import type { About } from "./about.ts";
import { about } from "./about.ts";

/** Reference entries of conversions and optionals. */
export const convertAbout: Readonly<Record<string, readonly About[]>> = {
  to_int: [
    about("int.from_int", "int(int): int", "The number itself."),
    about(
      "int.from_double",
      "int(double): int",
      "The number without its fraction.",
      ["int(-1.7)", "-1"],
      ["int(1e300)", "error"],
    ),
    about(
      "int.from_string",
      "int(string): int",
      "The decimal number in a text.",
      ['int("-12")', "-12"],
      ['int("x")', "error"],
    ),
    about("int.from_timestamp", "int(timestamp): int", "Seconds since the epoch.", [
      'int(timestamp("1970-01-01T00:01:00Z"))',
      "60",
    ]),
  ],
  to_double: [
    about("double.from_number", "double(double): double", "The number itself."),
    about("double.from_number", "double(int): double", "The int as a double.", ["double(2)", "2.0"]),
    about("double.from_string", "double(string): double", "The number in a text.", ['double("1e3")', "1000.0"]),
  ],
  to_string: [
    about("string.from_string", "string(string): string", "The text itself."),
    about("string.from_number", "string(int): string", "The number in decimal.", ["string(12)", '"12"']),
    about("string.from_number", "string(double): string", "The shortest text that reads back the same.", [
      "string(1.5)",
      '"1.5"',
    ]),
    about("string.from_bool", "string(bool): string", "`true` or `false`.", ["string(true)", '"true"']),
    about("string.from_timestamp", "string(timestamp): string", "RFC 3339, in UTC.", [
      'string(timestamp("2026-01-01T02:00:00+02:00"))',
      '"2026-01-01T00:00:00Z"',
    ]),
    about("string.from_duration", "string(duration): string", "Seconds.", ['string(duration("1m30s"))', '"90s"']),
    about("string.from_path", "string(path): string", "The path as written.", ['string(path("a/../b"))', '"a/../b"']),
    about("string.from_url", "string(url): string", "The URL as written.", [
      'string(url("https://example.com/"))',
      '"https://example.com/"',
    ]),
  ],
  to_bool: [
    about("bool.from_bool", "bool(bool): bool", "The value itself."),
    about(
      "bool.from_string",
      "bool(string): bool",
      "The truth value in a text.",
      ['bool("true")', "true"],
      ['bool("yes")', "error"],
    ),
  ],
  to_timestamp: [
    about("timestamp.from_timestamp", "timestamp(timestamp): timestamp", "The time itself."),
    about(
      "timestamp.from_string",
      "timestamp(string): timestamp",
      "An RFC 3339 date and time.",
      ['timestamp("2026-01-01T00:00:00Z") < timestamp("2026-01-01T00:00:00.5Z")', "true"],
      ['timestamp("today")', "error"],
    ),
    about("timestamp.from_int", "timestamp(int): timestamp", "Seconds since the epoch.", [
      "timestamp(60).getMinutes()",
      "1",
    ]),
  ],
  to_duration: [
    about("duration.from_duration", "duration(duration): duration", "The duration itself."),
    about(
      "duration.from_string",
      "duration(string): duration",
      "A duration such as `10m` or `1h30m`.",
      ['duration("1h") == duration("60m")', "true"],
      ['duration("soon")', "error"],
    ),
  ],
  to_dyn: [
    about("dyn.of", "dyn(A): dyn", "The value, its type to be looked at when it runs.", ["dyn(1) == 1.0", "true"]),
  ],
  type_of: [
    about(
      "type.of",
      "type(A): type",
      "The type of the value.",
      ["type(1) == int", "true"],
      ["type([]) == list", "true"],
    ),
  ],
  path_of: [
    about("path.of_path", "path(path): path", "The path itself."),
    about("path.of", "path(string): path", "The text as a path, resolved against the working directory.", [
      'path("/a/./b").lexical',
      '"/a/b"',
    ]),
  ],
  url_of: [
    about("url.of_url", "url(url): url", "The URL itself."),
    about("url.of", "url(string): url", "The text as a URL; without a host when it is none.", [
      'url("https://Example.com:8443/x").host',
      '"example.com"',
    ]),
  ],
  optional_of: [
    about("optional.of", "optional.of(A): optional(A)", "An optional with a value.", [
      "optional.of(1).hasValue()",
      "true",
    ]),
  ],
  optional_none: [
    about("optional.none", "optional.none(): optional(A)", "An optional without one.", [
      "optional.none().hasValue()",
      "false",
    ]),
  ],
  optional_of_non_zero: [
    about("optional.of_non_zero", "optional.ofNonZeroValue(A): optional(A)", "None for the zero value of its type.", [
      'optional.ofNonZeroValue("").hasValue()',
      "false",
    ]),
  ],
  has_value: [
    about("optional.has_value", "optional(A).hasValue(): bool", "True if there is a value.", [
      "optional.of(null).hasValue()",
      "true",
    ]),
  ],
  value: [
    about(
      "optional.value",
      "optional(A).value(): A",
      "The value; an error when there is none.",
      ["optional.of(1).value()", "1"],
      ["optional.none().value()", "error"],
    ),
  ],
  or: [
    about("optional.or", "optional(A).or(optional(A)): optional(A)", "The first that has a value.", [
      "optional.none().or(optional.of(2)).value()",
      "2",
    ]),
  ],
  or_value: [
    about("optional.or_value", "optional(A).orValue(A): A", "The value, or the other when there is none.", [
      '{"a": 1}.?b.orValue(0)',
      "0",
    ]),
  ],
};
