import { columns } from "../../adapters/hooks/status-line.ts";

/** The sixteen colours of a terminal, in the order of their numbers. */
export const colourNames = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "brightBlack",
  "brightRed",
  "brightGreen",
  "brightYellow",
  "brightBlue",
  "brightMagenta",
  "brightCyan",
  "brightWhite",
] as const;

/** One of the sixteen colours. */
export type Colour = (typeof colourNames)[number];

/** How text looks; what is not there is as the terminal has it. */
export interface Style {
  readonly colour?: Colour;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
}

/** One character with the marks that combine with it: where it stands, and how many columns it takes (1 or 2). */
export interface Cell {
  readonly text: string;
  readonly column: number;
  readonly columns: number;
  readonly style: Style;
}

/** A line of a terminal. */
export type Line = readonly Cell[];

/** Replacement for a character that is invisible, or that a picture cannot hold. */
export const replacement = "\ufffd";

/** Control, format and private characters, lone surrogates, line separators and noncharacters. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}\ufffe\uffff]/u;

/** Escape sequences: one with parameters (the last letter says what it does), a string with its end, and all others. */
const sequence =
  /(?:\u001b\[|\u009b)(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/uy;

const tabStop = 8;

/**
 * Returns `output` as a terminal of `width` columns shows it, line by line. Sequences set colour, bold, dim, italic and
 * underline. Backgrounds, colours beyond the sixteen and sequences for anything but style have no effect. Tabs become blanks.
 * Other invisible characters become `replacement`. A line that is too long ends with `…`.
 */
export function screen(output: string, width: number): Line[] {
  const lines: Cell[][] = [[]];
  let style: Style = {};
  for (const token of tokens(output.replaceAll("\r\n", "\n"))) {
    const line = lines.at(-1) as Cell[];
    if (token === "\n") lines.push([]);
    else if (typeof token !== "string") style = styled(style, token);
    else if (token === "\t") for (let n = tabStop - (end(line) % tabStop); n > 0; n--) put(line, " ", style);
    else put(line, token, style);
  }
  if (lines.at(-1)?.length === 0) lines.pop();
  return lines.map((line) => cut(line, width));
}

/** Text without escape sequences. */
export function withoutSequences(output: string): string {
  return [...tokens(output)].filter((token) => typeof token === "string").join("");
}

/** Characters, and the codes of each sequence that sets a style. All other sequences are left out. */
function* tokens(output: string): Generator<string | readonly number[]> {
  for (let at = 0; at < output.length; ) {
    sequence.lastIndex = at;
    const found = sequence.exec(output);
    if (found) {
      at = sequence.lastIndex;
      const { final, parameters = "" } = found.groups ?? {};
      if (final === "m" && /^[0-9;]*$/.test(parameters)) yield parameters.split(";").map(Number);
      continue;
    }
    const character = String.fromCodePoint(output.codePointAt(at) as number);
    at += character.length;
    yield character;
  }
}

const end = (line: Line): number => {
  const last = line.at(-1);
  return last ? last.column + last.columns : 0;
};

function put(line: Cell[], character: string, style: Style): void {
  const text = unprintable.test(character) ? replacement : character;
  const taken = columns(text);
  const last = line.at(-1);
  if (taken > 0 || !last) {
    line.push({ text, column: end(line), columns: Math.max(taken, 1), style });
  } else {
    line[line.length - 1] = { ...last, text: last.text + text };
  }
}

function cut(line: Line, width: number): Line {
  if (end(line) <= width) return line;
  const kept = line.filter(({ column, columns: taken }) => column + taken <= width - 1);
  const style = kept.at(-1)?.style ?? {};
  return [...kept, { text: "…", column: end(kept), columns: 1, style }];
}

/** A style after the codes of one sequence. */
function styled(before: Style, codes: readonly number[]): Style {
  let style: Style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    if (code === 38 || code === 48) {
      // The next numbers name a colour of the 256 (5;n) or of all (2;r;g;b).
      at += codes[at + 1] === 5 ? 2 : codes[at + 1] === 2 ? 4 : 0;
      if (code === 38) style = without(style, "colour");
    } else {
      style = changed(style, code);
    }
  }
  return style;
}

function changed(style: Style, code: number): Style {
  const colour = code >= 90 ? colourNames[code - 90 + 8] : colourNames[code - 30];
  if (colour && ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))) return { ...style, colour };
  switch (code) {
    case 0:
      return {};
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 3:
      return { ...style, italic: true };
    case 4:
      return { ...style, underline: true };
    case 22:
      return without(style, "bold", "dim");
    case 23:
      return without(style, "italic");
    case 24:
      return without(style, "underline");
    case 39:
      return without(style, "colour");
    default:
      return style;
  }
}

function without(style: Style, ...names: readonly (keyof Style)[]): Style {
  return Object.fromEntries(Object.entries(style).filter(([name]) => !names.includes(name as keyof Style)));
}
