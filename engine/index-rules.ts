import type { RegexEngine } from "../schema/ports.ts";
import { frameOf, type Looker, type Seen, type View } from "./evaluate-rule.ts";
import type { Linked } from "./frame.ts";
import { type Key, type KeyContext, needsOf, type RuleNeeds } from "./index-keys.ts";
import { isCrowded, SourceMatcher } from "./index-match.ts";
import { SourceWalk } from "./index-walk.ts";
import type { LinkedRule } from "./linked.ts";
import type { Ir } from "./plan.ts";

/** Returns the rules of a list that may match one revision or err on it, in their order. */
export type Narrow = (view: View) => readonly LinkedRule[];

/** Narrows lists of rules that are judged on the same revisions; a list about which nothing is known stays as it is. */
export interface Narrower {
  narrow(lists: readonly (readonly LinkedRule[])[]): readonly Narrow[];
}

/** Needs of a rule, as numbers of keys: the rule is found by the first need. */
interface Entry {
  readonly needs: readonly (readonly number[])[];
  readonly facts: boolean;
  readonly matchers: readonly SourceMatcher[];
}

/**
 * The plan's index of needs (semantics section 3, step 2). Each key of the whole plan has one number and one matcher, so
 * that a revision is searched once, however many rules ask for the same thing. It leaves out only rules that would say
 * `no`, by the claim of `needsOf`; with and without it, decisions and records are the same bytes.
 */
export class RuleIndex implements Narrower {
  readonly #entries = new Map<LinkedRule, Entry>();
  readonly #matchers = new Map<string, SourceMatcher>();
  /** Numbers of keys, by their content. */
  readonly #numbers = new Map<string, number>();
  #count = 0;
  readonly #link: (ir: Ir) => Linked;

  constructor(
    rules: readonly LinkedRule[],
    link: (ir: Ir) => Linked,
    regex: RegexEngine,
    condition: KeyContext["condition"],
  ) {
    this.#link = link;
    for (const linked of rules) this.#enter(linked, needsOf(linked.rule, { regex, condition }));
  }

  #enter(linked: LinkedRule, { needs, facts }: RuleNeeds): void {
    const matchers = new Set<SourceMatcher>();
    const numbered = needs.map((need) => need.map((key) => this.#number(key, matchers)));
    if (numbered.length > 0) this.#entries.set(linked, { needs: numbered, facts, matchers: [...matchers] });
  }

  narrow(lists: readonly (readonly LinkedRule[])[]): readonly Narrow[] {
    const looking = new Looking(lists.flat(), this.#entries, this.#count);
    return lists.map((rules) => {
      if (!rules.some((linked) => this.#entries.has(linked))) return () => rules;
      const narrowed = new Narrowed(rules, this.#entries, looking);
      return (view) => narrowed.of(looking.of(view));
    });
  }

  #number(key: Key, used: Set<SourceMatcher>): number {
    const { source } = key;
    let matcher = this.#matchers.get(source.id);
    if (!matcher) {
      matcher = new SourceMatcher(source, this.#link);
      this.#matchers.set(source.id, matcher);
    }
    used.add(matcher);
    const what = key.test === "some" ? "" : JSON.stringify(key.test === "text" ? key.literal : key.value);
    const id = `${source.id} ${key.test} ${what}`;
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#numbers.set(id, this.#count);
    matcher.add(key, this.#count);
    return this.#count++;
  }
}

/** Looks for the keys of several lists of rules at once, and at each revision once. */
class Looking implements Looker {
  readonly #plain: SourceWalk;
  readonly #ofFacts: SourceWalk;
  readonly #needsFacts: boolean;
  /** By key: the look in which it was found last. */
  readonly #looks: Uint32Array;
  #look = 0;

  constructor(rules: readonly LinkedRule[], entries: ReadonlyMap<LinkedRule, Entry>, keys: number) {
    const used = rules.flatMap((linked) => entries.get(linked) ?? []);
    const matchers = [...new Set(used.flatMap((entry) => entry.matchers))];
    this.#plain = new SourceWalk(matchers.filter(({ source }) => source.lists.length === 0));
    this.#ofFacts = new SourceWalk(matchers.filter(({ source }) => source.lists.length > 0));
    this.#needsFacts = used.some(({ facts }) => facts);
    this.#looks = new Uint32Array(keys);
  }

  /** Returns the keys found in a revision. The result is kept until another revision is searched, and is then found anew. */
  of(view: View): Seen {
    const { seen } = view;
    // A revision made from another one takes its fields over.
    if (seen?.of === view && seen.by === this && seen.look === this.#look) return seen;
    const made = this.#seen(view);
    view.seen = made;
    return made;
  }

  /** True if a key was found in the last look. */
  isFound(key: number): boolean {
    return this.#looks[key] === this.#look;
  }

  #seen(view: View): Seen {
    const keys: number[] = [];
    const looks = this.#looks;
    this.#look = (this.#look + 1) >>> 0;
    const look = this.#look;
    const note = (key: number): void => {
      if (looks[key] === look) return;
      looks[key] = look;
      keys.push(key);
    };
    const frame = frameOf(view);
    this.#plain.run(frame, note);
    // No rule that needs facts matches an unknown call.
    const isKnown = this.#needsFacts && view.facts.understanding !== "unknown";
    if (isKnown) this.#ofFacts.run(frame, note);
    return { of: view, by: this, look, keys, crowded: isKnown && isCrowded(view.facts) };
  }
}

/** One list of rules by the keys that find them. */
class Narrowed {
  readonly #rules: readonly LinkedRule[];
  readonly #looking: Looking;
  readonly #needs: (Entry["needs"] | undefined)[];
  /** Places of rules that are always judged. */
  readonly #always: number[] = [];
  /** Places of rules whose needs rest on facts: all of them are judged where those are crowded. */
  readonly #byFacts: number[] = [];
  /** By key: the rules that it finds. */
  readonly #byKey: (number[] | undefined)[] = [];
  /** The rules that are always judged. */
  readonly #standing: readonly LinkedRule[];

  constructor(rules: readonly LinkedRule[], entries: ReadonlyMap<LinkedRule, Entry>, looking: Looking) {
    this.#rules = rules;
    this.#looking = looking;
    this.#needs = rules.map((linked) => entries.get(linked)?.needs);
    for (const [place, linked] of rules.entries()) {
      const entry = entries.get(linked);
      if (!entry) {
        this.#always.push(place);
        continue;
      }
      if (entry.facts) this.#byFacts.push(place);
      for (const key of entry.needs[0] ?? []) {
        const places = this.#byKey[key];
        if (places) places.push(place);
        else this.#byKey[key] = [place];
      }
    }
    // No holes, which would make every look slower.
    for (let key = 0; key < this.#byKey.length; key++) this.#byKey[key] ??= undefined;
    this.#standing = this.#always.map((place) => rules[place] as LinkedRule);
  }

  of({ keys, crowded }: Seen): readonly LinkedRule[] {
    const places = crowded ? [...this.#byFacts] : [];
    for (const key of keys) {
      const named = this.#byKey[key];
      if (named) for (const place of named) if (this.#isMet(place)) places.push(place);
    }
    if (places.length === 0) return this.#standing;
    return this.#joined(ascending(places));
  }

  /** Returns the rules that are always judged, and those at further places, each once and in order. */
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

  #isMet(place: number): boolean {
    const needs = this.#needs[place] ?? [];
    for (let i = 1; i < needs.length; i++) if (!needs[i]?.some((key) => this.#looking.isFound(key))) return false;
    return true;
  }
}

/** Longer lists are sorted by the platform. */
const shortList = 48;

/** Sorts the numbers; the list of each key is already sorted. */
function ascending(numbers: number[]): readonly number[] {
  if (numbers.length > shortList) return numbers.sort((a, b) => a - b);
  for (let i = 1; i < numbers.length; i++) {
    const own = numbers[i] as number;
    let at = i;
    for (; at > 0 && (numbers[at - 1] as number) > own; at--) numbers[at] = numbers[at - 1] as number;
    numbers[at] = own;
  }
  return numbers;
}
