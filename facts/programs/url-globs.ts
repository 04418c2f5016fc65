import type { Hole, Pieces } from "../../schema/approximation.ts";
import { limits } from "../../schema/limits.ts";
import { marked } from "../approximate/marked.ts";
import { spend } from "../meter.ts";
import { type Field, piecesOf } from "../shell/fields.ts";

/** One expansion of a globbed address, with the text of each group. */
export interface Globbed {
  readonly url: Field;
  readonly groups: readonly Field[];
}

/** A group of an address: `{a,b}`, `[a-z]` or `[1-9:2]`. A bracket that holds no range is part of an IPv6 address. */
const group =
  /\\[{}[\]]|\{([^{}[\]]*)\}|\[([A-Za-z])-([A-Za-z])(?::(\d{1,9}))?\]|\[(\d{1,9})-(\d{1,9})(?::(\d{1,9}))?\]/g;

/**
 * Expands an address with curl's own globs; curl requests all of the results. Over `limits.alternatives` addresses, only the
 * text around the groups is known.
 */
export function globbed(word: Field): readonly Globbed[] {
  spend(1 + (word.text.length >> 4));
  if (!/[{[\\]/.test(word.text)) return [{ url: word, groups: unknownGroups(word) }];
  const mark = marked(word.kind === "unknown" ? piecesOf(word) : [word.text]);
  const parts = partsOf(mark.text);
  if (parts.every((part) => typeof part === "string") && parts.join("") === mark.text)
    return [{ url: word, groups: unknownGroups(word) }];
  const groups = parts.filter((part) => typeof part !== "string");
  const count = groups.reduce(
    (product, { texts, hole }) => (hole ? Number.POSITIVE_INFINITY : product * texts.length),
    1,
  );
  if (count > limits.alternatives) {
    const pieces = parts.flatMap((part): Pieces => (typeof part === "string" ? mark.pieces(part) : [holeOf(part)]));
    return [{ url: fieldOf(word, pieces), groups: groups.map((part) => fieldOf(word, [holeOf(part)])) }];
  }
  return choices(groups).map((chosen) => {
    let at = 0;
    const text = parts.map((part) => (typeof part === "string" ? part : (chosen[at++] as string))).join("");
    return {
      url: fieldOf(word, mark.pieces(text)),
      groups: chosen.map((one) => fieldOf(word, mark.pieces(one))),
    };
  });
}

/** An unknown part of an address may hold groups. */
function unknownGroups(word: Field): readonly Field[] {
  const hole = word.kind === "unknown" ? piecesOf(word).find((piece) => typeof piece === "object") : undefined;
  return hole && hole.number !== true ? [fieldOf(word, [hole])] : [];
}

/** Returns the name that `-o` gives to the file from such an address: `#1` is the text of its first group. */
export function nameFor(output: Field, groups: readonly Field[]): Field {
  if (groups.length === 0 || !/#[1-9]/.test(output.text)) return output;
  const mark = marked(output.kind === "unknown" ? piecesOf(output) : [output.text]);
  const pieces = mark.text.split(/#([1-9])/).flatMap((part, i): Pieces => {
    const chosen = i % 2 === 1 ? groups[Number(part) - 1] : undefined;
    if (!chosen) return i % 2 === 1 ? [`#${part}`] : mark.pieces(part);
    return chosen.kind === "unknown" ? piecesOf(chosen) : [chosen.text];
  });
  return fieldOf(output, pieces);
}

interface Group {
  readonly raw: string;
  readonly texts: readonly string[];
  /** True if it expands to more than is listed. */
  readonly hole: boolean;
}

function partsOf(text: string): (string | Group)[] {
  const parts: (string | Group)[] = [];
  let from = 0;
  for (const match of text.matchAll(group)) {
    const [raw, set, first, last, step, low, high, by] = match;
    parts.push(text.slice(from, match.index));
    from = match.index + raw.length;
    if (raw.startsWith("\\")) parts.push(raw.slice(1));
    else if (set !== undefined) parts.push({ raw, texts: set.split(","), hole: false });
    else if (first !== undefined) parts.push(letters(raw, first, last as string, Number(step ?? 1)));
    else parts.push(numbers(raw, low as string, high as string, Number(by ?? 1)));
  }
  parts.push(text.slice(from));
  return parts;
}

function letters(raw: string, first: string, last: string, step: number): Group {
  const texts: string[] = [];
  for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code += Math.max(1, step))
    texts.push(String.fromCharCode(code));
  return { raw, texts, hole: false };
}

function numbers(raw: string, low: string, high: string, step: number): Group {
  const width = low.startsWith("0") ? low.length : 0;
  const texts: string[] = [];
  for (let at = Number(low); at <= Number(high); at += Math.max(1, step)) {
    if (texts.length > limits.alternatives) return { raw, texts, hole: true };
    texts.push(String(at).padStart(width, "0"));
  }
  return { raw, texts, hole: false };
}

/** Returns a hole with the author's text for a group whose texts are not listed. */
function holeOf({ raw, texts }: Group): Hole {
  if (texts.every((text) => /^\d+$/.test(text))) return { hole: "name", of: raw, number: true };
  return { hole: texts.every((text) => /^\w+$/.test(text)) ? "name" : "tail", of: raw };
}

function choices(groups: readonly Group[]): readonly (readonly string[])[] {
  return groups.reduce<readonly (readonly string[])[]>(
    (made, { texts }) => made.flatMap((before) => texts.map((text) => [...before, text])),
    [[]],
  );
}

/** The word with other pieces. */
function fieldOf(word: Field, pieces: Pieces): Field {
  const told = pieces.filter((piece) => piece !== "");
  const text = told.filter((piece) => typeof piece === "string").join("");
  if (told.every((piece) => typeof piece === "string"))
    return { ...word, kind: word.kind === "unknown" ? "literal" : word.kind, text, verbatim: -1 };
  const { template: _, ...rest } = word;
  return { ...rest, kind: "unknown", text, verbatim: -1, known: { pieces: told, text } };
}
