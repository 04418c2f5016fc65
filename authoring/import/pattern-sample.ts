import type { RegexEngine } from "../../schema/ports.ts";

/**
 * Returns a text that a pattern matches, for an example; undefined if none is found at once. It tries the pattern's own text
 * without its operators; the pattern itself decides whether it matches.
 */
export function sampleOf(pattern: string, text: string, regex: RegexEngine): string | undefined {
  const compiled = regex.compile(pattern);
  if ("kind" in compiled) return undefined;
  const plain = plainText(text);
  const candidates = [plain, plain.split("|")[0] ?? "", ` ${plain} `, `${plain}x`];
  return candidates.find((candidate) => candidate.trim() !== "" && compiled.test(candidate));
}

/** Returns the text of a pattern with blanks for classes of blanks, a digit for digits, and no operators. */
function plainText(pattern: string): string {
  return pattern
    .replace(/^\(\?[a-z]+\)/, "")
    .replace(/\\s[*+?]?/g, " ")
    .replace(/\\d[*+?]?/g, "1")
    .replace(/\\w[*+?]?/g, "x")
    .replace(/\\[bBAzZ]/g, "")
    .replace(/\\(.)/g, "\u0000$1")
    .replace(/(^|[^\u0000])\[\^?([^\]])[^\]]*\][*+?]?/g, "$1$2")
    .replace(/(^|[^\u0000])\(\?[:a-zA-Z<>=!-]*/g, "$1")
    .replace(/(^|[^\u0000])[()^$]/g, "$1")
    .replace(/(^|[^\u0000])\.[*+?]?/g, "$1x")
    .replace(/([^\u0000])[*+?]/g, "$1")
    .replaceAll("\u0000", "");
}
