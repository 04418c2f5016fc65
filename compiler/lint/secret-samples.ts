import type { Regex, RegexEngine } from "../../schema/ports.ts";
import { groupsIn } from "../captures.ts";
import { type PatternPart, patternTree } from "./pattern-tree.ts";

/** What a pattern of `redact` may find, judged by its alphabet and by texts that it matches. */

/** Characters of a class are looked for among these; a class that takes another one is not judged. */
const plain = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
/** Characters far from those, which stand for all others. */
const others = ["\n", "\t", "\u00e9", "\u4e2d", "\u{1f600}"];
const fillers = ["a", "z", "k", "Q", "Z", "0", "5", "9", "-", "_", ".", "/", "+", "=", "#", "@", "\u00e9", " "];

/**
 * Returns the most bits for each character that the secret of a pattern can have: a text has no more than the logarithm of
 * the number of its different characters. Undefined where they are too many to count.
 */
export function mostEntropy(pattern: string, group: number, regex: RegexEngine): number | undefined {
  const own = group === 0 ? undefined : soleGroup(pattern, group);
  const flags = /^\(\?[is]+\)/.exec(pattern)?.[0] ?? "";
  const secret = own === undefined ? pattern : `${flags}${own}`;
  const tree = patternTree(secret);
  if (!tree) return undefined;
  const characters = new Set<string>();
  if (!collect(tree.ways, flags, characters, regex)) return undefined;
  const bounds = [...secret.matchAll(/\{(\d+)(?:,(\d+))?\}/g)];
  const [only] = bounds;
  // A single class with a count: no text has more different characters than it has characters.
  const isCounted = only !== undefined && /^(?:\[[^\]\\[]*\]|\\[wd])\{\d+(?:,\d+)?\}$/.test(own ?? secret);
  const length = isCounted ? Number(only?.[2] ?? only?.[1]) : Number.POSITIVE_INFINITY;
  return characters.size === 0 ? undefined : Math.log2(Math.max(1, Math.min(characters.size, length)));
}

/** Returns the content of a group that every match has, and that takes a character at least; undefined for another one. */
function soleGroup(pattern: string, group: number): string | undefined {
  if (/\(\?(?!P?<|:|[is]+\))/.test(pattern)) return undefined;
  const opens = [...pattern.matchAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?!\?)|\(\?P?<|\(\?:/gs)].filter(([text]) =>
    text.startsWith("("),
  );
  const own = opens.filter(([text]) => text !== "(?:")[group - 1];
  if (!own) return undefined;
  const rest = pattern.slice(own.index);
  const [whole, , content = "", behind = ""] =
    /^(\((?:\?P?<\w+>)?)((?:\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^()[\]\\])*)\)(.?.?)/s.exec(rest) ?? [];
  const outside = pattern.slice(0, own.index) + rest.slice((whole ?? "").length - behind.length);
  const tree = patternTree(content);
  if (whole === undefined || /[|]/.test(outside) || /^(?:[?*]|\{0)/.test(behind)) return undefined;
  // A group in another one may be left out with it.
  const before = pattern
    .slice(0, own.index)
    .replace(/^\(\?[is]+\)/, "")
    .replace(/\\.|\[[^\]]*\]/gs, "");
  const isNested = before.split("(").length !== before.split(")").length;
  const takesOne = tree?.ways.every((way) =>
    way.some((part) => part.least > 0 && part.kind !== "zero" && part.kind !== "start" && part.kind !== "end"),
  );
  return isNested || !takesOne ? undefined : content;
}

/** Adds the characters of a pattern; false where it takes characters that are not counted. */
function collect(
  ways: readonly (readonly PatternPart[])[],
  flags: string,
  found: Set<string>,
  regex: RegexEngine,
): boolean {
  return ways.every((way) =>
    way.every((part) => {
      if (part.kind === "group") return collect(part.ways, flags, found, regex);
      if (part.kind !== "one" && part.kind !== "literal") return true;
      if (part.kind === "literal" && flags === "") return found.add(part.text);
      const made = compiled(part.kind === "one" ? part.text : escaped(part.text), flags, regex);
      if (!made || others.some((c) => made.test(c))) return false;
      for (const c of plain) if (made.test(c)) found.add(c);
      return true;
    }),
  );
}

const escaped = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

function compiled(text: string, flags: string, regex: RegexEngine): Regex | undefined {
  const made = regex.compile(`${flags}^(?:${text})$`);
  return "kind" in made ? undefined : made;
}

/**
 * True if an exception is found in the secret of every sample of a pattern. The samples have other characters, lengths and
 * alternatives each, so that what they share is what the pattern asks for.
 */
export function everyLeftAlone(pattern: string, group: number, except: string, regex: RegexEngine): boolean {
  const [finder, exception] = [regex.compile(pattern), regex.compile(except)];
  const tree = patternTree(pattern);
  if ("kind" in finder || "kind" in exception || !tree || group > groupsIn(pattern)) return false;
  const flags = /^\(\?[is]+\)/.exec(pattern)?.[0] ?? "";
  const secrets = new Set<string>();
  for (const filler of fillers)
    for (let turn = 0; turn < 8; turn++) {
      const sample = sampleOf(tree.ways, { filler, turn, flags, regex });
      const [match] = sample === undefined ? [] : finder.matches(sample);
      if (match && match.end > match.start) secrets.add(match.groups[group] || (match.groups[0] as string));
    }
  return secrets.size > 0 && [...secrets].every((secret) => exception.test(secret));
}

interface Filling {
  readonly filler: string;
  /** Says which alternative is taken, and how often what may repeat does. */
  readonly turn: number;
  readonly flags: string;
  readonly regex: RegexEngine;
}

function sampleOf(ways: readonly (readonly PatternPart[])[], filling: Filling): string | undefined {
  const way = ways[filling.turn % ways.length] ?? [];
  const made = way.map((part) => {
    const times = Math.min(part.least, 200) + (filling.turn >> 1);
    if (part.kind === "group") {
      const inner = sampleOf(part.ways, filling);
      return inner?.repeat(part.least > 0 ? Math.min(part.least, 20) : filling.turn & 1);
    }
    if (part.kind === "literal") return part.text.repeat(part.least > 0 ? part.least : filling.turn & 1);
    if (part.kind !== "one") return "";
    const own = compiled(part.text, filling.flags, filling.regex);
    const c = [filling.filler, ...fillers, ...plain].find((one) => own?.test(one));
    // Where a count is exact, more would match no longer.
    return c?.repeat(part.least > 1 ? part.least : times);
  });
  return made.includes(undefined) ? undefined : made.join("").slice(0, 2_000);
}
