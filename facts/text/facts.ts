import type { TextFacts, TextOddity, TextPlace } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import { spend, spendText } from "../meter.ts";
import { codePointName, oddityOf, scriptBits, wordsFor } from "./characters.ts";
import { textPlaces } from "./places.ts";
import { visitTexts } from "./visit.ts";

/** Version of the tables of characters, delimiters and hidden markup, for plans and audit records. Raised whenever one changes. */
export const textTablesVersion = "4";

/** Returns the oddities in the text of an event, counted over all its places (threats row 16 and section 6). */
export function textFacts(event: JudgedEvent): TextFacts {
  const count = new Count();
  for (const [root, value] of textPlaces(event)) {
    // Text that is too deep or too large to examine counts as odd.
    if (visitTexts(value, (text, where) => count.add(text, where), root)) count.notSeen(root);
  }
  return count.facts();
}

/** Returns the facts of an event whose text takes too much work to examine: each place counts as odd. */
export function unseenText(event: JudgedEvent): TextFacts {
  const count = new Count();
  for (const [root] of textPlaces(event)) count.notSeen(root);
  return count.facts();
}

/** Facts of one text, as the place `where`. */
export function oddities(text: string, where = ""): TextFacts {
  const count = new Count();
  count.add(text, where);
  return count.facts();
}

/** Counts of one event while its texts are walked. */
class Count {
  readonly #counts = new Map<TextOddity, number>();
  readonly #places: TextPlace[] = [];

  facts(): TextFacts {
    const of = (kind: TextOddity): number => this.#counts.get(kind) ?? 0;
    return {
      invisible: of("invisible"),
      bidi: of("bidi"),
      ansi: of("ansi"),
      tags: of("tag"),
      controls: of("control"),
      overwrites: of("overwrite"),
      mixed_scripts: of("mixed_script") > 0,
      places: this.#places,
    };
  }

  notSeen(where: string): void {
    this.#note({ kind: "invisible", where, offset: 0, code: "", name: "text that could not be looked at" });
  }

  /** Counts one text; plain ASCII costs one test. */
  add(text: string, where: string): void {
    spendText(text.length);
    if (!/[^\t\n\x20-\x7e]/.test(text)) return;
    // From here on each character is looked up, and each of its neighbours.
    spend(text.length >> 1);
    let before = -1;
    let word = 0;
    for (let at = 0; at < text.length; ) {
      const offset = at;
      const code = text.codePointAt(at) as number;
      at += code > 0xffff ? 2 : 1;
      const after = text.codePointAt(at) ?? -1;
      const kind = oddityOf({ code, before, after, text, next: at });
      if (kind !== undefined) this.#odd(kind, code, where, offset);
      const mixed = word !== 3;
      word = scriptBits(code, word);
      if (word === 3 && mixed) this.#odd("mixed_script", code, where, offset);
      before = code;
    }
  }

  #odd(kind: TextOddity, code: number, where: string, offset: number): void {
    spend(4);
    this.#note({ kind, where, offset, code: codePointName(code), name: wordsFor(kind, code) });
  }

  #note(place: TextPlace): void {
    this.#counts.set(place.kind, (this.#counts.get(place.kind) ?? 0) + 1);
    if (this.#places.length < limits.textPlaces) this.#places.push(place);
  }
}
