/** Reading and writing of shell words for transformations: our own few rules, so that they test the real parser. */

/** One word for single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** One word for double quotes, nothing in it expanded. */
export function doubleQuoted(text: string): string {
  return `"${text.replace(/["\\$`]/g, "\\$&")}"`;
}

/** One word for `env -S`, whose quotes know other escapes than a shell's. */
export function envQuoted(text: string): string {
  return `"${text.replace(/["\\$]/g, "\\$&")}"`;
}

// Anything else could be an operator, an expansion or a reserved word.
const plain = /^[A-Za-z0-9_./:@%+,-]+$/;
const word = /^(?:[A-Za-z0-9_./:@%+,=~*-]+|'[^']*')$/;
const reserved = new Set(["if", "for", "while", "until", "case", "function", "select", "time", "coproc", "then", "do"]);
// These change the shell they run in, so that no other program can run them.
const builtin = new Set(["cd", "source", ".", "eval", "export", "exec", "command", "builtin", "set", "trap", "alias"]);

/** The raw words of one command without operators and expansions; undefined for every other text. */
export function simpleWords(text: string): readonly string[] | undefined {
  const words = text.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  const [first] = words;
  if (text.includes("\n") || first === undefined || first.includes("=") || !plain.test(first)) return undefined;
  return !reserved.has(first) && !builtin.has(first) && words.every((one) => word.test(one)) ? words : undefined;
}

/** The same as one command without operators and expansions: itself, or `bash -c` of it. */
export function asSimple(text: string): readonly string[] {
  return simpleWords(text) ?? ["bash", "-c", quoted(text)];
}

/** What a raw word means if nothing in it expands, or undefined. */
export function literal(raw: string): string | undefined {
  if (plain.test(raw)) return raw;
  return /^'[^']*'$/.test(raw) ? raw.slice(1, -1) : undefined;
}

/** Rewrites each word that is constant; the others stay as they are. */
export function mapLiterals(words: readonly string[], write: (value: string, index: number) => string): string {
  return words
    .map((raw, index) => {
      const value = literal(raw);
      return value === undefined || value === "" ? raw : write(value, index);
    })
    .join(" ");
}
