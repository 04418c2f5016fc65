import type { About } from "./about.ts";
import { about } from "./about.ts";

/** Reference entries of string functions and patterns. */
export const stringAbout: Readonly<Record<string, readonly About[]>> = {
  contains: [
    about("string.contains", "string.contains(string): bool", "True if the text holds the other.", [
      '"push --force".contains("--force")',
      "true",
    ]),
    about("list.contains", "list(A).contains(A): bool", "True if an item equals the value.", [
      '["a", "b"].contains("b")',
      "true",
    ]),
    about("path.contains", "path.contains(string): bool", "True if the path's absolute forms hold the text.", [
      'path("/srv/app").contains("rv/a")',
      "true",
    ]),
  ],
  starts_with: [
    about("string.starts_with", "string.startsWith(string): bool", "True if the text begins with the other.", [
      '"feature/x".startsWith("feature/")',
      "true",
    ]),
    about(
      "path.starts_with",
      "path.startsWith(string): bool",
      "True if the path's absolute forms begin with the text; `within` compares folders.",
      ['path("/srv/app").startsWith("/srv")', "true"],
    ),
  ],
  ends_with: [
    about("string.ends_with", "string.endsWith(string): bool", "True if the text ends with the other.", [
      '"a.pem".endsWith(".pem")',
      "true",
    ]),
    about("path.ends_with", "path.endsWith(string): bool", "True if the path's absolute forms end with the text.", [
      'path("/srv/a.pem").endsWith(".pem")',
      "true",
    ]),
  ],
  matches: [
    about("string.matches", "string.matches(string): bool", "True if the RE2 pattern matches anywhere in the text.", [
      '"rm -rf".matches("-[rf]+")',
      "true",
    ]),
    about("string.matches", "matches(string, string): bool", "As the method.", ['matches("abc", "^b")', "false"]),
    about(
      "path.matches",
      "path.matches(string): bool",
      "True if the RE2 pattern matches in the path's absolute forms.",
      ['path("/srv/a.pem").matches("[.]pem$")', "true"],
    ),
  ],
  lower_ascii: [
    about("string.lower_ascii", "string.lowerAscii(): string", "ASCII letters in lower case.", [
      '"TacoCÆt".lowerAscii()',
      '"tacocÆt"',
    ]),
  ],
  upper_ascii: [
    about("string.upper_ascii", "string.upperAscii(): string", "ASCII letters in upper case.", [
      '"tacocæt".upperAscii()',
      '"TACOCæT"',
    ]),
  ],
  trim: [
    about("string.trim", "string.trim(): string", "The text without white space at its ends.", [
      '"  a b\\n".trim()',
      '"a b"',
    ]),
  ],
  char_at: [
    about(
      "string.char_at",
      "string.charAt(int): string",
      "The character at an index; empty at the end.",
      ['"a😀c".charAt(1)', '"😀"'],
      ['"abc".charAt(4)', "error"],
    ),
  ],
  substring: [
    about("string.substring", "string.substring(int): string", "The text from an index on.", [
      '"a😀c".substring(1)',
      '"😀c"',
    ]),
    about(
      "string.substring_range",
      "string.substring(int, int): string",
      "The text between two indices.",
      ['"tacocat".substring(0, 4)', '"taco"'],
      ['"abc".substring(2, 1)', "error"],
    ),
  ],
  index_of: [
    about("string.index_of", "string.indexOf(string): int", "Index of the first occurrence, -1 when there is none.", [
      '"😀ab".indexOf("b")',
      "2",
    ]),
    about("string.index_of_from", "string.indexOf(string, int): int", "As above, from an index on.", [
      '"abab".indexOf("a", 1)',
      "2",
    ]),
  ],
  last_index_of: [
    about(
      "string.last_index_of",
      "string.lastIndexOf(string): int",
      "Index of the last occurrence, -1 when there is none.",
      ['"abab".lastIndexOf("a")', "2"],
    ),
    about(
      "string.last_index_of_from",
      "string.lastIndexOf(string, int): int",
      "As above, beginning at or before an index.",
      ['"abab".lastIndexOf("a", 1)', "0"],
    ),
  ],
  replace: [
    about(
      "string.replace",
      "string.replace(string, string): string",
      "All occurrences replaced.",
      ['"a-b-c".replace("-", "+")', '"a+b+c"'],
      ['"ab".replace("", "_")', '"_a_b_"'],
    ),
    about(
      "string.replace_count",
      "string.replace(string, string, int): string",
      "The first occurrences replaced, all for a negative count.",
      ['"a-b-c".replace("-", "+", 1)', '"a+b-c"'],
    ),
  ],
  split: [
    about(
      "string.split",
      "string.split(string): list(string)",
      "Pieces between separators.",
      ['"a,b".split(",")', '["a", "b"]'],
      ['"ab".split("")', '["a", "b"]'],
    ),
    about(
      "string.split_count",
      "string.split(string, int): list(string)",
      "At most so many pieces; the last holds the rest.",
      ['"a,b,c".split(",", 2)', '["a", "b,c"]'],
    ),
  ],
  join: [
    about("list.join", "list(string).join(): string", "The texts one after another.", ['["a", "b"].join()', '"ab"']),
    about("list.join_with", "list(string).join(string): string", "The texts with a separator between them.", [
      '["a", "b"].join(", ")',
      '"a, b"',
    ]),
  ],
  format: [
    about(
      "string.format",
      "string.format(list(dyn)): string",
      "The template with `%s` (any value), `%d` (int), `%f` and `%e` (numbers, with digits as in `%.2f`), `%b`, `%o`, `%x` and `%X` (bits, octal, hexadecimal) filled from the list; `%%` is a percent sign.",
      ['"%s: %d of %.1f%%".format(["a", 3, 12.25])', '"a: 3 of 12.2%"'],
      ['"%s".format([[1, {"b": null}]])', '"[1, {b: null}]"'],
      ['"%d".format(["x"])', "error"],
    ),
  ],
  quote: [
    about("string.quote", "strings.quote(string): string", "The text as a string literal.", [
      'strings.quote("a\\n")',
      '"\\"a\\\\n\\""',
    ]),
  ],
};
