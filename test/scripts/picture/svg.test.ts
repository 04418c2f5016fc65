import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { screen } from "../../../scripts/picture/screen.ts";
import { terminalSvg } from "../../../scripts/picture/svg.ts";
import { type Theme, themes } from "../../../scripts/picture/themes.ts";

const [light] = themes as readonly [Theme, Theme];
const drawn = (output: string, width = 40, theme = light): string =>
  terminalSvg(
    { title: "title", description: "words", generated: "Generated", lines: screen(output, width), width },
    theme,
  );
/** The elements of the terminal's text, without the frame. */
const texts = (output: string): string[] =>
  [...drawn(output).matchAll(/^<text x="\d[\d.]*" y="\d+" textLength.*$/gm)].map(([text]) => text);

describe("text", () => {
  it.each([
    ["one line", "abc", ['<text x="24" y="68" textLength="25.2" xml:space="preserve">abc</text>']],
    [
      "two lines",
      "a\nb",
      [
        '<text x="24" y="68" textLength="8.4" xml:space="preserve">a</text>',
        '<text x="24" y="89" textLength="8.4" xml:space="preserve">b</text>',
      ],
    ],
    ["blanks before and after", "  a b  ", ['<text x="40.8" y="68" textLength="25.2" xml:space="preserve">a b</text>']],
    ["blanks between", "a   b", ['<text x="24" y="68" textLength="42" xml:space="preserve">a   b</text>']],
    ["a blank line", "\n \na", ['<text x="24" y="110" textLength="8.4" xml:space="preserve">a</text>']],
    [
      "marks of XML",
      '<a b="\'">&amp;',
      ['<text x="24" y="68" textLength="117.6" xml:space="preserve">&lt;a b=&quot;\'&quot;&gt;&amp;amp;</text>'],
    ],
    ["an end of CDATA", "]]>", ['<text x="24" y="68" textLength="25.2" xml:space="preserve">]]&gt;</text>']],
    [
      "colours",
      "a\u001b[31mb\u001b[1mc",
      [
        '<text x="24" y="68" textLength="25.2" xml:space="preserve">a<tspan fill="#cf222e">b</tspan><tspan fill="#cf222e" font-weight="bold">c</tspan></text>',
      ],
    ],
    [
      "one look that was set in two ways is one span",
      "\u001b[1;31ma\u001b[0;31;1mb",
      [
        '<text x="24" y="68" textLength="16.8" xml:space="preserve"><tspan fill="#cf222e" font-weight="bold">ab</tspan></text>',
      ],
    ],
    [
      "dim text",
      "\u001b[2ma",
      ['<text x="24" y="68" textLength="8.4" xml:space="preserve"><tspan fill="#59636e">a</tspan></text>'],
    ],
    [
      "a colour that is dim keeps its contrast",
      "\u001b[2;34ma",
      ['<text x="24" y="68" textLength="8.4" xml:space="preserve"><tspan fill="#0969da">a</tspan></text>'],
    ],
    [
      "underlined blanks",
      "\u001b[4m a ",
      [
        '<text x="24" y="68" textLength="25.2" xml:space="preserve"><tspan text-decoration="underline"> a </tspan></text>',
      ],
    ],
    [
      "wide characters, each row of them by itself",
      "a漢字b",
      [
        '<text x="24" y="68" textLength="8.4" xml:space="preserve">a</text>',
        '<text x="32.4" y="68" textLength="33.6" xml:space="preserve">漢字</text>',
        '<text x="66" y="68" textLength="8.4" xml:space="preserve">b</text>',
      ],
    ],
    [
      "a line that is too long",
      "x".repeat(41),
      [`<text x="24" y="68" textLength="336" xml:space="preserve">${"x".repeat(39)}…</text>`],
    ],
  ])("%s", (_, output, expected) => {
    expect(texts(output)).toEqual(expected);
  });

  it("is escaped in the title, the description and the comment", () => {
    const hostile = '</title><script>"--><!--\u0000\u001b]0;x\u0007';
    const svg = terminalSvg({ title: hostile, description: hostile, generated: hostile, lines: [], width: 1 }, light);
    expect(faults(svg)).toEqual([]);
    expect(svg).toContain("&lt;/title&gt;&lt;script&gt;&quot;--&gt;&lt;!--\ufffd");
  });
});

/** Elements and attributes of a picture, a closed list; all of them draw, and none of them loads or runs anything. */
const elements = new Set(["svg", "title", "desc", "rect", "path", "circle", "g", "text", "tspan"]);
const attributes = new Set(
  "xmlns width height viewBox role aria-labelledby aria-describedby id x y rx cx cy r d fill stroke text-anchor font-family font-size font-weight font-style text-decoration textLength xml:space".split(
    " ",
  ),
);

/** Where a text is no picture that every reader of XML takes: unbalanced, with other marks, or with a control character. */
function faults(svg: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  const [before, comment = "", after = ""] = svg.split(/<!--|-->/);
  if (svg.split("<!--").length !== 2 || comment.includes("--")) found.push("comment");
  const rest = `${before}${after}`.replace(
    /<(\/?)([a-z]+)((?: [\w:-]+="[^"<>]*")*)(\/?)>/gi,
    (_, end, name, given, alone) => {
      if (!elements.has(name)) found.push(`<${name}>`);
      for (const [, attribute = ""] of String(given).matchAll(/ ([\w:-]+)=/g)) {
        if (!attributes.has(attribute)) found.push(attribute);
      }
      if (end === "/" && open.pop() !== name) found.push(`</${name}>`);
      if (end === "" && alone === "") open.push(name);
      return "";
    },
  );
  if (open.length > 0) found.push(`open: ${open.join()}`);
  if (/[<>"]/.test(rest) || /&(?!(?:amp|lt|gt|quot);)/.test(svg)) found.push("a mark");
  if (/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u.test(svg)) found.push("a control character");
  return found;
}

describe("every picture", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "\u001b[",
      "\u001b]",
      "\u009b",
      "m",
      ";",
      "31",
      "\n",
      "\t",
      "<",
      "&",
      '"',
      "-->",
      "漢",
      "\u0301",
      "\ud800",
    ),
  );
  const output = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));

  it("is well formed, draws only, and has the same bytes for the same output", () => {
    fc.assert(
      fc.property(output, fc.integer({ min: 1, max: 90 }), fc.constantFrom(...themes), (text, width, theme) => {
        const svg = drawn(text, width, theme);
        expect(faults(svg)).toEqual([]);
        expect(drawn(text, width, theme)).toBe(svg);
      }),
    );
  });

  it("keeps its text inside the window", () => {
    fc.assert(
      fc.property(output, fc.integer({ min: 1, max: 90 }), (text, width) => {
        for (const [, x, length] of drawn(text, width).matchAll(/<text x="([\d.]+)" y="\d+" textLength="([\d.]+)"/g)) {
          expect(Number(x) + Number(length)).toBeLessThanOrEqual(24 + width * 8.4 + 0.02);
        }
      }),
    );
  });
});

describe("the test for faults", () => {
  it.each([
    ["<svg><!-- a --></svg>", []],
    ["<svg><!-- a --><script/></svg>", ["<script>"]],
    ['<svg onload="a"><!-- a --></svg>', ["onload"]],
    ["<svg><g><!-- a --></svg>", ["</svg>", "open: svg"]],
    ["<svg><!-- a -->a < b</svg>", ["a mark"]],
    ["<svg><!-- a -->a & b</svg>", ["a mark"]],
    ["<svg><!-- a -->\u001b</svg>", ["a control character"]],
    ["<svg><!-- a -- b --></svg>", ["comment"]],
  ])("finds in %s: %j", (svg, expected) => {
    expect(faults(svg)).toEqual(expected);
  });
});

/** Relative luminance and contrast (WCAG 2.2). */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one: string, other: string): number {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

describe.each(themes)("the $name theme", (theme) => {
  const written = [
    ...Object.entries({ text: theme.text, dim: theme.dim, ...theme.colours }).map(([name, colour]) => [
      name,
      colour,
      theme.window,
    ]),
    ["title", theme.title, theme.bar],
  ] as [string, string, string][];

  it.each(written)("has %s (%s) at a contrast of 4.5 on %s", (_, colour, behind) => {
    expect(contrast(colour, behind)).toBeGreaterThanOrEqual(4.5);
  });
});
