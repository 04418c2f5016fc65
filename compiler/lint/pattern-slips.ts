import { type PatternPart, patternTree } from "./pattern-tree.ts";

/** A pattern that is read otherwise than it looks: the reason, and the form to write. */
export interface PatternSlip {
  readonly why: string;
  readonly help: string;
}

/** Kind of the field that a pattern is compared with. */
type FieldKind = "path" | "branch" | "text";

/** Returns the fault of a pattern that is read otherwise than it looks; `of` is what its field has. */
export function patternSlip(pattern: string, of: FieldKind): PatternSlip | undefined {
  if (pattern.length > 4_096) return undefined;
  return (
    rawString(pattern) ??
    slashForBackslash(pattern) ??
    (of === "path" ? undefined : doubledBackslash(pattern)) ??
    wordInBrackets(pattern) ??
    globInPattern(pattern, of) ??
    starBetweenWords(pattern) ??
    edgeOfWord(pattern) ??
    groupOfGrep(pattern) ??
    (of === "text" ? undefined : repeatedSlash(pattern)) ??
    looseAnchor(pattern, of)
  );
}

/** Finds the quotes of Python's or Rust's raw texts, which belong to the pattern here. */
function rawString(pattern: string): PatternSlip | undefined {
  const [, , inner = ""] = /^[rR](["'])(.+)\1$/s.exec(pattern) ?? [];
  if (inner === "") return undefined;
  return {
    why: "the letter and the quotes belong to the pattern here",
    help: `write \`'${inner.slice(0, 100).replaceAll("'", "''")}'\``,
  };
}

/** Finds a slash in place of the backslash of a class: `/d{4}` asks for a slash and four times the letter. */
function slashForBackslash(pattern: string): PatternSlip | undefined {
  const found = /\/([dswDSW])(?:\{\d|\+)/.exec(pattern);
  if (!found || /\\[dswDSW]/.test(pattern)) return undefined;
  const instead = pattern.replace(/\/(?=[dswDSW](?:\{\d|\+|\*))/g, "\\");
  return { why: `\`/${found[1]}\` is a slash and a letter in a pattern`, help: `write \`'${instead.slice(0, 100)}'\`` };
}

/** Finds a class or an edge of a word behind two backslashes, which ask for a backslash in the text. */
function doubledBackslash(pattern: string): PatternSlip | undefined {
  // A folder of Windows stands behind a drive or a share.
  if (/:\\\\|^\^?\\\\\\\\/.test(pattern)) return undefined;
  const found = /(?<![\\:.%])\\\\(?:b(?=$|\)|\|| )|[dswDSW](?=[+*{]))/.exec(pattern);
  if (!found || /(?<!\\)\\[bdswDSW.()]/.test(pattern)) return undefined;
  const instead = pattern.replaceAll("\\\\", "\\");
  return {
    why: `\`${found[0]}\` asks for a backslash in the text`,
    help: `outside of double quotes write one: \`'${instead.slice(0, 100)}'\``,
  };
}

/** Short words, and those whose letters stand in the order of the alphabet, as those of a class do. */
const known: ReadonlySet<string> = new Set(
  "dev bot fix hint now ops wip api log bug add new old red yes end run err app bin tmp inf".split(" "),
);

/** Letters of lists that can be spoken: directions, keys, and bases of a genome. */
const lists = /^(?:[nesw]+|[wasd]+|[acgtun]+|[rwxst]+)$/;

/** Finds a word in brackets: a class, which stands for one of its letters. */
function wordInBrackets(pattern: string): PatternSlip | undefined {
  const [whole = "", start = "", inner = ""] =
    /^((?:\(\?[a-z]+\))?\^?)\[([A-Za-z][A-Za-z _-]{1,60}[A-Za-z])\](?=$|\$|[ :]|\\s|\.[*+])/.exec(pattern) ?? [];
  const end = pattern.slice(whole.length);
  if (inner === "" || !isWordOf(inner, end.startsWith("$"))) return undefined;
  const help = `write \`${start}\\[${inner}\\]${end.slice(0, 60)}\``;
  return { why: `\`[${inner}]\` is one of these letters in a pattern, and no word in brackets`, help };
}

/** True for what reads as a word, and not as a list of letters. */
function isWordOf(inner: string, isClosed: boolean): boolean {
  const words = inner.split(/[ _-]/);
  const letters = words.join("");
  if (words.some((word) => !/^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/.test(word))) return false;
  // A range has one letter at each side of its sign.
  if (words.length > 1) return words.every((word) => word.length > 1) && letters.length >= 5;
  const folded = letters.toLowerCase();
  if (known.has(folded)) return !isClosed;
  const repeats = new Set(folded).size < folded.length;
  const rises = [...folded].every((c, i) => i === 0 || c >= (folded[i - 1] ?? ""));
  if (letters.length < 4 || rises || lists.test(folded) || !/[aeiou]/.test(folded)) return false;
  if (!/[^aeiouy]/.test(folded) || (!repeats && /[^aeiou]{3}/.test(folded))) return false;
  return !isClosed || repeats || letters.length > 4;
}

/** Finds the star of a glob at the end of letters: in a pattern it repeats the letter before it. */
function globInPattern(pattern: string, of: FieldKind): PatternSlip | undefined {
  const flags = /^\(\?[a-z]+\)/.exec(pattern)?.[0] ?? "";
  const ways = pattern.slice(flags.length).split("|");
  if (!ways.every((way) => /^\^?[\w/: -]+\*?\$?$/.test(way))) return undefined;
  const way = ways.find((one) => /[A-Za-z0-9_/:-]\*\$?$/.test(one));
  const [, plain = "", last = ""] = /^\^?(.*?(.))\*/.exec(way ?? "") ?? [];
  if (plain.length < 3 || !/[A-Za-z0-9]/.test(plain)) return undefined;
  // A sign that stands there twice may be repeated on purpose, as in `--*`, and a letter that stands there three times.
  const isLetter = /[A-Za-z]/.test(last);
  if (plain.endsWith(last.repeat(isLetter ? 3 : 2)) || plain.endsWith(":/")) return undefined;
  if (way?.endsWith("$") && (last === "0" || plain.at(-2) === last || (isLetter && of === "text"))) return undefined;
  const isPath = of === "path";
  const begins = `{ starts_with: ${/^[A-Za-z][\w/-]*$/.test(plain) ? plain : `"${plain}"`} }`;
  const glob = isPath ? `{ glob: "${plain.startsWith("/") ? "" : "**/"}${plain}*" }` : `{ glob: "${plain}*" }`;
  const dotted = `\`${pattern.replace("/*", "/.*")}\` in a pattern`;
  const other = last === "/" ? `, or ${dotted}` : isPath ? "" : `, or \`${begins}\``;
  const help = flags !== "" ? `write \`${flags}^${plain}\`` : `write \`${glob}\`${other}`;
  const what = last === "/" ? "the slash" : `\`${last}\``;
  return { why: `\`${last}*\` repeats ${what} in a pattern, and stands for nothing else`, help };
}

/** Finds the edges of a word as grep and vim write them: here both ask for the sign itself. */
function edgeOfWord(pattern: string): PatternSlip | undefined {
  const found = /\\<(?=\w)|(?<=\w)\\>/.exec(pattern)?.[0];
  if (found === undefined) return undefined;
  const instead = pattern.replace(/\\<(?=\w)|(?<=\w)\\>/g, "\\b");
  return { why: `\`${found}\` asks for the sign itself`, help: `write \`'${instead.slice(0, 100)}'\`` };
}

/** Finds groups and alternatives as grep writes them, behind backslashes: here these are the signs themselves. */
function groupOfGrep(pattern: string): PatternSlip | undefined {
  const inner = /\\\(([\w-]+(?:\\\|[\w-]+)+)\\\)/.exec(pattern)?.[1];
  if (inner === undefined) return undefined;
  const instead = pattern.replace(/\\([(|)])/g, "$1");
  return { why: "`\\(` and `\\|` ask for the signs themselves", help: `write \`'${instead.slice(0, 100)}'\`` };
}

/** Finds the star of a glob between two words: in a pattern it repeats the letter before it. */
function starBetweenWords(pattern: string): PatternSlip | undefined {
  if (/[[\]\\+?{}]|\.\*/.test(pattern)) return undefined;
  const [whole, last = ""] = /[A-Za-z]{2}([A-Za-z])\*[A-Za-z]{3}/.exec(pattern) ?? [];
  if (whole === undefined || whole.toLowerCase()[1] === last.toLowerCase()) return undefined;
  const instead = pattern.replace(/(?<=[A-Za-z]{3})\*(?=[A-Za-z]{3})/g, ".*");
  return {
    why: `\`${last}*\` repeats \`${last}\` in a pattern, and stands for nothing else`,
    help: `write \`${instead.slice(0, 100)}\``,
  };
}

/** Finds the star of a glob behind a slash: in a pattern it repeats the slash. */
function repeatedSlash(pattern: string): PatternSlip | undefined {
  const at = /[\w})\]]\/\*(?=\$?$|\$?\||\$?\)|\/)/.exec(pattern)?.index;
  if (at === undefined || pattern.includes("[")) return undefined;
  const instead = pattern.replace(/([\w})\]]\/)\*(?=\$?$|\$?\||\$?\))/g, "$1.*").replace(/(\w\/)\*(?=\/)/g, "$1[^/]*");
  return { why: "`/*` repeats the slash in a pattern", help: `write \`${instead}\`, or a glob` };
}

/** Finds `^` or `$` that holds for one of several alike alternatives. */
function looseAnchor(pattern: string, field: FieldKind): PatternSlip | undefined {
  const tree = patternTree(pattern);
  if (!tree || tree.ways.length < 2) return undefined;
  const kinds = new Set(tree.ways.map(kindOf));
  if (kinds.size > 1 || kinds.has(undefined)) return undefined;
  const [first = [], last = []] = [tree.ways[0], tree.ways.at(-1)];
  const starts = tree.ways.filter((way) => way[0]?.kind === "start");
  const ends = tree.ways.filter((way) => way.at(-1)?.kind === "end");
  const begins = starts.length === 1 && starts[0] === first && first.at(-1)?.kind !== "end";
  const closes = ends.length === 1 && ends[0] === last && last[0]?.kind !== "start";
  if ((!begins && starts.length > 0) || (!closes && ends.length > 0) || (!begins && !closes)) return undefined;
  // In a text "begins with it, or has it somewhere" is usual; a sign that only the last has belongs to all of them.
  if (field === "text" && kinds.has("letter") && !(begins && joins(last.at(-1)) && !joins(first.at(-1))))
    return undefined;
  // `^rm|sudo rm` has the word of the first elsewhere too, so that its anchor is meant.
  const [anchored, others] = begins ? [first, tree.ways.slice(1)] : [last, tree.ways.slice(0, -1)];
  if (!(begins && closes) && others.some((way) => wordOf(way).includes(wordOf(anchored)))) return undefined;
  // `^test|test$` says of one word where it may stand.
  if (begins && closes && (joins(first.at(-1)) || joins(last[0]) || wordOf(first) === wordOf(last))) return undefined;
  const flags = /^\(\?[a-zA-Z]+\)/.exec(pattern)?.[0] ?? "";
  const body = pattern.slice(flags.length + (begins ? 1 : 0), closes ? -1 : undefined);
  const signs = begins && closes ? "`^` and `$` hold" : `\`${begins ? "^" : "$"}\` holds`;
  const of = begins && closes ? "the first and the last alternative" : `the ${begins ? "first" : "last"} alternative`;
  const help = `write \`${flags}${begins ? "^" : ""}(?:${body.slice(0, 100)})${closes ? "$" : ""}\` for all of them`;
  return { why: `${signs} for ${of} alone`, help };
}

/**
 * Returns the kind of an alternative's first sign behind its anchor: "letter", or the sign itself. Undefined unless all of it is
 * letters and signs that stand for themselves.
 */
function kindOf(way: readonly PatternPart[]): string | undefined {
  const parts = way.filter(({ kind }) => kind !== "start" && kind !== "end");
  const [first] = parts;
  if (parts.length < 2 || !first || first.kind !== "literal") return undefined;
  if (parts.some((part) => part.kind !== "literal")) return undefined;
  return /[A-Za-z0-9]/.test(first.text) ? "letter" : first.text;
}

/** True for a sign that joins a word to what stands beside it: `^test_|_test$`. */
function joins(part: PatternPart | undefined): boolean {
  return part?.kind !== "literal" || !/[A-Za-z0-9]/.test(part.text);
}

function wordOf(way: readonly PatternPart[]): string {
  return way.map((part) => (part.kind === "literal" ? part.text : "")).join("");
}

/** Finds braces that are no count of repetitions: `{4-6}` and `{,3}` stand for their own characters. */
export function countOfRepetitions(pattern: string): { readonly message: string; readonly help: string } | undefined {
  const [whole = "", from, to] = /[\w)\]]\{(\d{1,4}) ?(?:-|\.\.|;|to|, ) ?(\d{1,4})\}/.exec(pattern) ?? [];
  const most = /[\w)\]]\{,(\d{1,4})\}/.exec(pattern)?.[1];
  const found = from === undefined ? (most === undefined ? undefined : `{,${most}}`) : whole.slice(1);
  if (found === undefined) return undefined;
  const help = from === undefined ? `write \`{0,${most}}\`` : `write \`{${from},${to}}\``;
  return { message: `\`${found}\` stands for these very characters`, help };
}
