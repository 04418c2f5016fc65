import { describe, expect, it } from "vitest";
import { type Line, screen, withoutSequences } from "../../../scripts/picture/screen.ts";

/** A line as text with each look in front of what has it: `a{red bold}b{}c`. */
function told(line: Line): string {
  let look = "";
  return line
    .map(({ text, style: { colour, ...rest } }) => {
      const now = [...(colour ? [colour] : []), ...Object.keys(rest)].sort().join(" ");
      const said = now === look ? text : `{${now}}${text}`;
      look = now;
      return said;
    })
    .join("");
}

describe("styles", () => {
  it.each([
    ["plain text", "abc", "abc"],
    ["a colour", "\u001b[31mab\u001b[39mc", "{red}ab{}c"],
    ["a bright colour", "\u001b[95mab\u001b[0mc", "{brightMagenta}ab{}c"],
    [
      "the first and the last of the sixteen",
      "\u001b[30ma\u001b[37mb\u001b[90mc\u001b[97md",
      "{black}a{white}b{brightBlack}c{brightWhite}d",
    ],
    ["bold, then no longer", "\u001b[1ma\u001b[22mb", "{bold}a{}b"],
    ["an end of bold ends dim too", "\u001b[1;2ma\u001b[22mb", "{bold dim}a{}b"],
    ["a colour and bold in one sequence", "\u001b[1;31ma\u001b[mb", "{bold red}a{}b"],
    ["one inside the other", "\u001b[1ma\u001b[31mb\u001b[39mc\u001b[22md", "{bold}a{bold red}b{bold}c{}d"],
    [
      "italic and underline",
      "\u001b[3ma\u001b[4mb\u001b[23mc\u001b[24md",
      "{italic}a{italic underline}b{underline}c{}d",
    ],
    ["a style that goes on in the next line", "\u001b[32ma\nb", "{green}a\n{green}b"],
    ["a colour of the 256, and what follows it", "\u001b[38;5;31;1ma", "{bold}a"],
    ["a colour of all, and what follows it", "\u001b[38;2;31;32;33;1ma", "{bold}a"],
    ["a colour of the 256 takes one of the sixteen away", "\u001b[31ma\u001b[38;5;9mb", "{red}a{}b"],
    ["a background leaves the colour", "\u001b[31;48;5;32;42ma", "{red}a"],
    ["a number that means nothing here", "\u001b[7;73;999ma", "a"],
    ["a sequence with the one-byte introducer", "\u009b31ma", "{red}a"],
    ["a private sequence that ends like a style", "\u001b[>4;1ma", "a"],
  ])("%s", (_, output, expected) => {
    expect(screen(output, 80).map(told).join("\n")).toBe(expected);
  });
});

describe("what is no text", () => {
  it.each([
    ["moves of the cursor", "a\u001b[2K\u001b[1;1Hb\u001b[?25lc", "abc"],
    ["a title of the window", "a\u001b]0;title\u0007b", "ab"],
    ["a link, ended by a string terminator", "\u001b]8;;https://example.com\u001b\\a\u001b]8;;\u001b\\", "a"],
    ["a string without an end takes its line and no more", "a\u001b]0;b\nc", "a\nc"],
    ["a device control string", "a\u001bPq#0\u001b\\b", "ab"],
    ["a short sequence", "a\u001b(Bb\u001b7c", "abc"],
    ["an escape before nothing", "a\u001b", "a\ufffd"],
    ["a bell, a null, a backspace", "a\u0007\u0000\bb", "a\ufffd\ufffd\ufffdb"],
    ["a carriage return before an end of line, and one alone", "a\r\nb\rc", "a\nb\ufffdc"],
    ["a turn of the direction", "a\u202eb\u2066c", "a\ufffdb\ufffdc"],
    ["a blank of no width", "a\u200bb\ufeffc", "a\ufffdb\ufffdc"],
    ["a separator of lines", "a\u2028b", "a\ufffdb"],
    ["half a pair", "a\ud800b\udc00", "a\ufffdb\ufffd"],
    ["no character", "a\uffffb\ufffe", "a\ufffdb\ufffd"],
    ["a private character", "a\ue000b", "a\ufffdb"],
  ])("%s", (_, output, expected) => {
    const lines = screen(output, 80).map((line) => line.map(({ text }) => text).join(""));
    expect(lines.join("\n")).toBe(expected);
  });

  it("is left out of text without sequences, which keeps all else", () => {
    expect(withoutSequences("\u001b[1ma\u001b]0;t\u0007<\u0007>\u001b[0m\n")).toBe("a<\u0007>\n");
  });
});

describe("columns", () => {
  const columnsOf = (output: string, width = 80): string =>
    screen(output, width)
      .map((line) => line.map(({ text, column, columns }) => `${column}+${columns} ${text}`).join(", "))
      .join("\n");

  it.each([
    ["narrow characters", "ab", "0+1 a, 1+1 b"],
    ["wide ones", "a漢字b", "0+1 a, 1+2 漢, 3+2 字, 5+1 b"],
    ["an emoji", "🚀b", "0+2 🚀, 2+1 b"],
    ["a mark joins what is before it", "e\u0301b", "0+1 e\u0301, 1+1 b"],
    ["a mark before all else", "\u0301b", "0+1 \u0301, 1+1 b"],
    ["a tab goes to the next stop", "abcdefg\tb", "0+1 a, 1+1 b, 2+1 c, 3+1 d, 4+1 e, 5+1 f, 6+1 g, 7+1  , 8+1 b"],
  ])("%s", (_, output, expected) => {
    expect(columnsOf(output)).toBe(expected);
  });

  it.each([
    ["nothing", "", 3, ""],
    ["a line that fits", "abc", 3, "abc"],
    ["a line that is too long by one", "abcd", 3, "ab…"],
    ["a wide character that would stand over the edge", "a漢字", 4, "a漢…"],
    ["a wide character with one column left of two", "abc漢", 4, "abc…"],
    ["each line by itself", "abcd\nab\nabcde", 3, "ab…\nab\nab…"],
    ["the mark at the edge", "abe\u0301", 3, "abe\u0301"],
    ["a style up to the cut", "\u001b[31mabcd", 3, "ab…"],
  ])("cuts %s", (_, output, width, expected) => {
    const lines = screen(output, width);
    expect(lines.map((line) => line.map(({ text }) => text).join("")).join("\n")).toBe(expected);
    for (const line of lines) expect(line.reduce((sum, { columns }) => sum + columns, 0)).toBeLessThanOrEqual(width);
  });

  it("ends with the last line that has an end, and keeps blank lines", () => {
    expect(screen("a\n\nb\n", 80)).toHaveLength(3);
    expect(screen("a\n\nb\n\n", 80)).toHaveLength(4);
  });
});
