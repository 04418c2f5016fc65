const colour = /^\u001b\[[0-9;]*m$/;
const parts = /\u001b\[[0-9;]*m|[\s\S]/gu;

/** Returns the columns of a character on a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji. */
export function columns(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (/^\p{M}$|^\u200d$/u.test(character)) return 0;
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}

/** Makes text one line: line ends and tabs become blanks, runs of blanks become one. Source: seed omp-hooks, "Status line behavior". */
export function sanitizeStatus(text: string): string {
  return text
    .replace(/[\r\n\t]/g, " ")
    .replace(/ +/g, " ")
    .trim();
}

/** Cuts text to a number of columns. Colour codes take none, and an open colour is reset after a cut. */
export function truncateToWidth(text: string, width: number): string {
  const tokens = text.match(parts) ?? [];
  const total = tokens.reduce((sum, token) => sum + (colour.test(token) ? 0 : columns(token)), 0);
  if (total <= width) return text;
  if (width < 1) return "";
  const kept: string[] = [];
  let used = 0;
  let coloured = false;
  for (const token of tokens) {
    if (colour.test(token)) {
      coloured = true;
    } else {
      used += columns(token);
      if (used > width - 1) break;
    }
    kept.push(token);
  }
  return `${kept.join("")}…${coloured ? "\u001b[0m" : ""}`;
}

/** The status texts of hook modules: kept per key, shown sorted by key in one line. */
export class StatusLine {
  #texts = new Map<string, string>();

  /** Sets the text of a key; undefined removes it. */
  set(key: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(key);
    else this.#texts.set(key, text);
  }

  /** Renders the line, at most `width` columns wide. */
  render(width: number): string {
    const keys = [...this.#texts.keys()].sort();
    const line = keys
      .map((key) => sanitizeStatus(this.#texts.get(key) ?? ""))
      .filter((text) => text !== "")
      .join(" ");
    return truncateToWidth(line, width);
  }
}
