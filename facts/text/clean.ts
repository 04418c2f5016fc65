import type { TextOddity } from "../../schema/facts.ts";
import { spend } from "../meter.ts";
import { codePointName, oddityOf, suspects } from "./characters.ts";
import { sequenceAt } from "./escapes.ts";
import type { Edit } from "./splice.ts";

/** Kinds of characters that can be taken out of a text, named as their detectors `text/<kind>`. */
export type CharacterKind = "invisible" | "bidi" | "tags" | "ansi" | "controls";

/** `strip` takes odd characters out, `mark` writes them visibly: `⟨U+200B⟩`. */
export type Characters = "strip" | "mark";

/** An odd character or terminal sequence. */
interface Odd {
  readonly start: number;
  readonly end: number;
  readonly kind: CharacterKind;
  readonly code: number;
  /** Name of a sequence. */
  readonly sequence?: string;
}

/** Units of work for one character that may be odd. */
const oddUnits = 4;

/** Names in one mark; more are counted. */
const named = 8;

/** Decoded tag characters that a mark shows. */
const decoded = 200;

/**
 * Edits that take odd characters of the wanted kinds out of a text, or write them visibly. Characters that the script of the
 * text, an emoji or a flag needs stay, and so do tab, line feed and a mark at the very start. A carriage return that would
 * overwrite its line, and Unicode's own line breaks, become line feeds, so that nothing is hidden and nothing joined. `strict`
 * takes them out in any place. Linear. Source: threats section 6.
 */
export function characterEdits(
  text: string,
  kinds: ReadonlySet<CharacterKind>,
  how: Characters,
  strict = false,
): readonly Edit[] {
  const found = oddCharacters(text, kinds, strict);
  if (how === "strip") return found.map(({ start, end, code }) => ({ start, end, text: breaks.has(code) ? "\n" : "" }));
  const edits: Edit[] = [];
  for (let at = 0; at < found.length; ) {
    let next = at + 1;
    while (next < found.length && found[next]?.start === found[next - 1]?.end) next += 1;
    const run = found.slice(at, next);
    edits.push({ start: (run[0] as Odd).start, end: (run.at(-1) as Odd).end, text: mark(run) });
    at = next;
  }
  return edits;
}

/** Characters that end a line where they are shown. */
const breaks: ReadonlySet<number> = new Set([0x0d, 0x2028, 0x2029]);

function oddCharacters(text: string, kinds: ReadonlySet<CharacterKind>, strict: boolean): Odd[] {
  const found: Odd[] = [];
  const search = new RegExp(suspects, "gu");
  // `test` moves on as `exec` does, and makes nothing.
  while (search.test(text)) {
    spend(oddUnits);
    const end = search.lastIndex;
    const start = end > 1 && (text.codePointAt(end - 2) as number) > 0xffff ? end - 2 : end - 1;
    const odd = oddAt(text, start, end, strict);
    // The characters inside a sequence of another kind are examined like any others.
    if (!odd || !kinds.has(odd.kind)) continue;
    found.push(odd);
    search.lastIndex = odd.end;
  }
  return found;
}

/** Returns what is odd about the suspect character at an offset; undefined if nothing is. */
function oddAt(text: string, start: number, end: number, strict: boolean): Odd | undefined {
  const code = text.codePointAt(start) as number;
  const after = text.codePointAt(end) ?? -1;
  const oddity = oddityOf({ code, before: codeBefore(text, start), after, text, next: end });
  if (oddity === "ansi") {
    const sequence = sequenceAt(text, start);
    return { start, end: sequence.end, kind: "ansi", code, sequence: `ANSI ${sequence.name}` };
  }
  const kind = oddity === undefined ? undefined : kindOf[oddity];
  if (kind !== undefined) return { start, end, kind, code };
  return strict ? strictly(code, start, end) : undefined;
}

const kindOf: Readonly<Partial<Record<TextOddity, CharacterKind>>> = {
  overwrite: "controls",
  control: "controls",
  tag: "tags",
  bidi: "bidi",
  invisible: "invisible",
};

/**
 * Returns the oddity that a suspect has under `strict`, even if it is not odd in its place; undefined for a carriage return at
 * the end of a line.
 */
function strictly(code: number, start: number, end: number): Odd | undefined {
  if (code === 0x0d) return undefined;
  if (code >= 0xe0000 && code <= 0xe007f) return { start, end, kind: "tags", code };
  return { start, end, kind: code === 0x61c || code === 0x200e || code === 0x200f ? "bidi" : "invisible", code };
}

function codeBefore(text: string, at: number): number {
  if (at === 0) return -1;
  const pair = at > 1 ? (text.codePointAt(at - 2) as number) : 0;
  return pair > 0xffff ? pair : text.charCodeAt(at - 1);
}

/** Returns one visible mark for adjacent characters; tag characters are shown as the text that they spell. */
function mark(run: readonly Odd[]): string {
  const names: string[] = [];
  let at = 0;
  for (; at < run.length && names.length < named; ) {
    const first = run[at] as Odd;
    let next = at + 1;
    while (next < run.length && isSame(first, run[next] as Odd)) next += 1;
    names.push(next - at > 1 ? `${nameOf(first)} ×${next - at}` : nameOf(first));
    at = next;
  }
  if (at < run.length) names.push(`… ${run.length} in all`);
  const said = tagText(run);
  return `⟨${names.join(" ")}${said === "" ? "" : ` "${said}"`}⟩`;
}

function isSame(a: Odd, b: Odd): boolean {
  return a.kind === "tags" ? b.kind === "tags" : a.code === b.code && a.sequence === b.sequence;
}

function nameOf({ kind, code, sequence }: Odd): string {
  if (kind === "tags") return "tags";
  return sequence ?? (code === 0x0d ? "CR" : codePointName(code));
}

/** Returns the text that the tag characters of a run spell. */
function tagText(run: readonly Odd[]): string {
  let said = "";
  for (const { kind, code } of run) {
    const letter = code - 0xe0000;
    if (kind === "tags" && letter >= 0x20 && letter < 0x7f) said += String.fromCharCode(letter);
    if (said.length >= decoded) return `${said}…`;
  }
  return said;
}
