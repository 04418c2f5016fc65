import type { Colour } from "./screen.ts";

/** Colours of a picture, as `#rrggbb`. All that is written has a contrast of at least 4.5 to what is behind it. */
export interface Theme {
  readonly name: "light" | "dark";
  /** Behind the text of the terminal. */
  readonly window: string;
  /** Behind the title of the window. */
  readonly bar: string;
  readonly border: string;
  readonly title: string;
  readonly text: string;
  readonly dim: string;
  readonly colours: Readonly<Record<Colour, string>>;
}

/** The looks of a picture, made for the pages of a code host in its light and its dark mode. */
export const themes: readonly Theme[] = [
  {
    name: "light",
    window: "#f6f8fa",
    bar: "#eaeef2",
    border: "#d0d7de",
    title: "#59636e",
    text: "#1f2328",
    dim: "#59636e",
    colours: {
      black: "#1f2328",
      red: "#cf222e",
      green: "#116329",
      yellow: "#7d4e00",
      blue: "#0969da",
      magenta: "#8250df",
      cyan: "#1b6f77",
      white: "#59636e",
      brightBlack: "#57606a",
      brightRed: "#a40e26",
      brightGreen: "#1a7037",
      brightYellow: "#633c01",
      brightBlue: "#0550ae",
      brightMagenta: "#6639ba",
      brightCyan: "#136061",
      brightWhite: "#424a53",
    },
  },
  {
    name: "dark",
    window: "#151b23",
    bar: "#212830",
    border: "#3d444d",
    title: "#9198a1",
    text: "#e6edf3",
    dim: "#9198a1",
    colours: {
      black: "#8b949e",
      red: "#ff7b72",
      green: "#56d364",
      yellow: "#e3b341",
      blue: "#79c0ff",
      magenta: "#d2a8ff",
      cyan: "#56d4dd",
      white: "#c9d1d9",
      brightBlack: "#8b949e",
      brightRed: "#ffa198",
      brightGreen: "#7ee787",
      brightYellow: "#f2cc60",
      brightBlue: "#a5d6ff",
      brightMagenta: "#e2c5ff",
      brightCyan: "#a5f0f5",
      brightWhite: "#f0f6fc",
    },
  },
];
