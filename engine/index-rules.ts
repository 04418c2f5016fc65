import type { RegexEngine } from "../schema/ports.ts";
import { frameOf, type View } from "./evaluate-rule.ts";
import type { Linked } from "./frame.ts";
import { type Key, type KeyContext, needsOf } from "./index-keys.ts";
import { isCrowded, SourceMatcher } from "./index-match.ts";
import type { LinkedRule } from "./linked.ts";
import type { Ir } from "./plan.ts";

/** The rules of a list that may say anything but `no` of one revision, in their order. */
export type Narrow = (view: View) => readonly LinkedRule[];

/** What a rule needs, by the numbers of keys: the first need is the one that it is found by. */
interface Entry {
  readonly needs: readonly (readonly number[])[];
  readonly facts: boolean;
  readonly matchers: readonly SourceMatcher[];
}

/**
 * The plan's index of needs (semantics section 3, step 2). Each key of the whole plan has one number and one matcher, so
 * that a revision is looked at once, however many rules ask for the same thing. It only ever leaves out rules that would
 * say `no`, by the claim of `needsOf`; with it and without it decisions and records are the same bytes.
 */
export class RuleIndex {
  readonly #entries = new Map<LinkedRule, Entry>();
  readonly #matchers = new Map<string, SourceMatcher>();
  readonly #numbers = new Map<string, number>();
  readonly #link: (ir: Ir) => Linked;

  constructor(
    rules: readonly LinkedRule[],
    link: (ir: Ir) => Linked,
    regex: RegexEngine,
    condition: KeyContext["condition"],
  ) {
    this.#link = link;
    for (const linked of rules) {
      const { needs, facts } = needsOf(linked.rule, { regex, condition });
      const matchers = new Set<SourceMatcher>();
      const numbered = needs.map((need) => need.map((key) => this.#number(key, matchers)));
      if (numbered.length > 0) this.#entries.set(linked, { needs: numbered, facts, matchers: [...matchers] });
    }
  }

  /** Narrows one list of rules; a list that nothing is known of stays as it is. */
  narrow(rules: readonly LinkedRule[]): Narrow {
    if (!rules.some((linked) => this.#entries.has(linked))) return () => rules;
    const narrowed = new Narrowed(rules, this.#entries, this.#numbers.size);
    return (view) => narrowed.of(view);
  }

  #number(key: Key, used: Set<SourceMatcher>): number {
    const { source, test } = key;
    let matcher = this.#matchers.get(source.id);
    if (!matcher) {
      matcher = new SourceMatcher(source, this.#link);
      this.#matchers.set(source.id, matcher);
    }
    used.add(matcher);
    const what = test === "some" ? "" : JSON.stringify(test === "text" ? key.literal : key.value);
    const id = `${source.id} ${test} ${what}`;
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(id, number);
    matcher.add(key, number);
    return number;
  }
}

/** One list of rules by the keys that find them. */
class Narrowed {
  readonly #rules: readonly LinkedRule[];
  readonly #needs: (Entry["needs"] | undefined)[];
  /** Places of rules that are always judged. */
  readonly #always: number[] = [];
  /** Places of rules whose needs rest on facts: all of them are judged where those are crowded. */
  readonly #byFacts: number[] = [];
  readonly #byKey = new Map<number, number[]>();
  readonly #plain = new Set<SourceMatcher>();
  readonly #ofFacts = new Set<SourceMatcher>();
  /** The rules that are always judged. */
  readonly #standing: readonly LinkedRule[];
  /** By key: 1 while one revision is looked at in which it was found. */
  readonly #hits: Uint8Array;

  constructor(rules: readonly LinkedRule[], entries: ReadonlyMap<LinkedRule, Entry>, keys: number) {
    this.#rules = rules;
    this.#hits = new Uint8Array(keys);
    this.#needs = rules.map((linked) => entries.get(linked)?.needs);
    for (const [place, linked] of rules.entries()) {
      const entry = entries.get(linked);
      if (!entry) {
        this.#always.push(place);
        continue;
      }
      if (entry.facts) this.#byFacts.push(place);
      for (const matcher of entry.matchers)
        (matcher.source.lists.length > 0 ? this.#ofFacts : this.#plain).add(matcher);
      for (const key of entry.needs[0] ?? []) {
        const places = this.#byKey.get(key);
        if (places) places.push(place);
        else this.#byKey.set(key, [place]);
      }
    }
    this.#standing = this.#always.map((place) => rules[place] as LinkedRule);
  }

  of(view: View): readonly LinkedRule[] {
    const hits = this.#hits;
    const found: number[] = [];
    const note = (key: number): void => {
      if (hits[key] === 0) found.push(key);
      hits[key] = 1;
    };
    const frame = frameOf(view);
    for (const matcher of this.#plain) matcher.match(frame, note);
    // Of a call that is not known, no rule that needs facts says anything.
    const isKnown = this.#byFacts.length > 0 && view.facts.understanding !== "unknown";
    const crowded = isKnown && isCrowded(view.facts);
    if (isKnown) for (const matcher of this.#ofFacts) matcher.match(frame, note);
    const places = crowded ? [...this.#byFacts] : [];
    for (const key of found)
      for (const place of this.#byKey.get(key) ?? []) if (this.#isMet(place, hits)) places.push(place);
    for (const key of found) hits[key] = 0;
    if (places.length === 0) return this.#standing;
    return this.#joined(places.sort((a, b) => a - b));
  }

  /** The rules that are always judged and those at some more places, each once and in order. */
  #joined(places: readonly number[]): readonly LinkedRule[] {
    const rules: LinkedRule[] = [];
    let next = 0;
    let last = -1;
    for (const place of places) {
      if (place === last) continue;
      last = place;
      for (; next < this.#always.length && (this.#always[next] as number) < place; next++)
        rules.push(this.#standing[next] as LinkedRule);
      rules.push(this.#rules[place] as LinkedRule);
    }
    for (; next < this.#standing.length; next++) rules.push(this.#standing[next] as LinkedRule);
    return rules;
  }

  #isMet(place: number, hits: Uint8Array): boolean {
    const needs = this.#needs[place] ?? [];
    for (let i = 1; i < needs.length; i++) if (!needs[i]?.some((key) => hits[key] === 1)) return false;
    return true;
  }
}
