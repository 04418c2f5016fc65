import { type Cell, type Line, replacement, type Style } from "./screen.ts";
import type { Theme } from "./themes.ts";

/** Content of a terminal's picture. */
export interface Terminal {
  /** In the bar of the window, and the name of the picture. */
  readonly title: string;
  /** The picture in words, for those who do not see it. */
  readonly description: string;
  /** Generator of the file, for a comment at its start. */
  readonly generated: string;
  readonly lines: readonly Line[];
  /** Columns of the terminal; no line is longer. */
  readonly width: number;
}

/** Lengths in pixels. A column is 0.6 of the size of the font, as it is in most fonts of one width. */
const size = { font: 14, column: 8.4, line: 21, bar: 38, side: 24, above: 16, below: 20, corner: 10, edge: 1 };
const fonts =
  "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace";
const dots = ["#ff5f57", "#febc2e", "#28c840"];

/**
 * Returns a terminal window as one SVG. It has only text, shapes and attributes: no script, no style sheet and no external
 * resource, so that it looks the same in a page and alone. The same input gives the same bytes.
 */
export function terminalSvg({ title, description, generated, lines, width }: Terminal, theme: Theme): string {
  const across = Math.ceil(width * size.column) + 2 * size.side;
  const down = size.bar + size.above + lines.length * size.line + size.below;
  const rows = lines.flatMap((line, row) => {
    const y = size.bar + size.above + row * size.line + size.font;
    return pieces(line).map((piece) => textElement(piece, y, theme));
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}" viewBox="0 0 ${across} ${down}" role="img" aria-labelledby="title" aria-describedby="description">`,
    `<!-- ${escaped(generated).replaceAll("--", "- -")} -->`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    ...frame(across, down, title, theme),
    `<g font-family="${escaped(fonts)}" font-size="${size.font}" fill="${theme.text}">`,
    ...rows,
    "</g>",
    "</svg>\n",
  ].join("\n");
}

/** The window: a sheet with a bar, three dots and the title in the middle of the bar. */
function frame(across: number, down: number, title: string, theme: Theme): string[] {
  const [edge, corner, bar] = [size.edge / 2, size.corner, size.bar];
  const [right, middle] = [across - edge, bar / 2];
  const top = `M${edge} ${bar}V${edge + corner}a${corner} ${corner} 0 0 1 ${corner} -${corner}H${right - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}V${bar}z`;
  const sheet = `x="${edge}" y="${edge}" width="${across - size.edge}" height="${down - size.edge}" rx="${corner}"`;
  return [
    `<rect ${sheet} fill="${theme.window}"/>`,
    `<path d="${top}" fill="${theme.bar}"/>`,
    `<path d="M${edge} ${bar}H${right}" stroke="${theme.border}"/>`,
    `<rect ${sheet} fill="none" stroke="${theme.border}"/>`,
    ...dots.map((fill, n) => `<circle cx="${size.side + n * 20}" cy="${middle}" r="6" fill="${fill}"/>`),
    `<text x="${across / 2}" y="${middle + 4.5}" text-anchor="middle" font-family="${escaped(fonts)}" font-size="13" fill="${theme.title}">${escaped(title)}</text>`,
  ];
}

/** Splits a line into separately placed parts, because wide characters seldom take exactly two columns of a font. */
function pieces(line: Line): Line[] {
  const parts: Cell[][] = [];
  for (const cell of line) {
    const last = parts.at(-1)?.at(-1);
    if (last?.columns === cell.columns) parts.at(-1)?.push(cell);
    else parts.push([cell]);
  }
  return parts.map(withoutBlankEnds).filter((part) => part.length > 0);
}

function withoutBlankEnds(cells: readonly Cell[]): Line {
  const visible = ({ text, style }: Cell): boolean => text !== " " || style.underline === true;
  return cells.slice(cells.findIndex(visible), cells.findLastIndex(visible) + 1);
}

/**
 * `textLength` keeps the columns in place with any font of the list. `xml:space` preserves runs of blanks; browsers read it on a
 * text element, not on a group.
 */
function textElement(cells: Line, y: number, theme: Theme): string {
  const start = (cells[0] as Cell).column;
  const taken = cells.reduce((sum, cell) => sum + cell.columns, 0);
  const spans = runs(cells, theme).map(({ text, attributes }) =>
    attributes === "" ? escaped(text) : `<tspan${attributes}>${escaped(text)}</tspan>`,
  );
  const x = pixels(size.side + start * size.column);
  return `<text x="${x}" y="${y}" textLength="${pixels(taken * size.column)}" xml:space="preserve">${spans.join("")}</text>`;
}

/** Neighbours that look the same as one text, with the attributes of that look. */
function runs(cells: Line, theme: Theme): { text: string; readonly attributes: string }[] {
  const found: { text: string; readonly attributes: string }[] = [];
  for (const { text, style } of cells) {
    const attributes = styleAttributes(style, theme);
    const last = found.at(-1);
    if (last?.attributes === attributes) last.text += text;
    else found.push({ text, attributes });
  }
  return found;
}

function styleAttributes(style: Style, theme: Theme): string {
  const fill = style.colour ? theme.colours[style.colour] : style.dim ? theme.dim : undefined;
  return [
    fill ? ` fill="${fill}"` : "",
    style.bold ? ' font-weight="bold"' : "",
    style.italic ? ' font-style="italic"' : "",
    style.underline ? ' text-decoration="underline"' : "",
  ].join("");
}

const pixels = (length: number): string => String(Math.round(length * 100) / 100);

const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text for XML, in an element or an attribute. No control character gets through but the end of a line. */
function escaped(text: string): string {
  return text
    .replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}\ufffe\uffff]/gu, replacement)
    .replace(/[&<>"]/g, (mark) => marks[mark] as string);
}
