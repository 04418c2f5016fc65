import { hasText } from "../facts/find-text.ts";
import { frameOf, type View } from "./evaluate-rule.ts";
import type { Frame, Linked } from "./frame.ts";
import { isCrowded, isPlain, type PlainValue, type SourceLook, searchedText } from "./index-match.ts";
import type { Narrow, Narrower } from "./index-rules.ts";
import type { Source } from "./index-sources.ts";
import type { StoredNeeds } from "./index-stored.ts";
import { SourceWalk } from "./index-walk.ts";
import type { LinkedRule } from "./linked.ts";
import type { Ir } from "./plan.ts";

/**
 * The plan's index of needs for an engine that judges one event. A rule's stored needs are searched for when its turn comes:
 * tables that find all rules at once take longer to make than one pass over the rules. Leaves out exactly the rules that
 * `RuleIndex` leaves out.
 */
export class NeedsOnce implements Narrower {
  readonly #stored: StoredNeeds;
  readonly #places = new Map<LinkedRule, number>();
  readonly #link: (ir: Ir) => Linked;
  #last: Look | undefined;

  /** `stored` is what the rules need, in their order. */
  constructor(rules: readonly LinkedRule[], stored: StoredNeeds, link: (ir: Ir) => Linked) {
    this.#stored = stored;
    this.#link = link;
    for (let place = 0; place < rules.length; place++) this.#places.set(rules[place] as LinkedRule, place);
  }

  narrow(lists: readonly (readonly LinkedRule[])[]): readonly Narrow[] {
    return lists.map((rules) => (view) => {
      const look = this.#lookAt(view);
      return rules.filter((linked) => this.#isWanted(linked, look));
    });
  }

  #lookAt(view: View): Look {
    if (this.#last?.view !== view) this.#last = new Look(view, this.#stored.sources, this.#link);
    return this.#last;
  }

  #isWanted(linked: LinkedRule, look: Look): boolean {
    const place = this.#places.get(linked);
    const stored = place === undefined ? undefined : this.#stored.rules[place];
    if (!stored) return true;
    const [facts, needs] = stored;
    return needs.every((need) => need.some((key) => this.#isFound(key, look))) || (facts && look.isCrowded);
  }

  #isFound(number: number, look: Look): boolean {
    const key = this.#stored.keys[number];
    if (!key) return true;
    const [source, test, what] = key;
    return look.at(source)?.holds(test, what) === true;
  }
}

/** One revision, with what was read of it so far. */
class Look {
  readonly view: View;
  readonly #sources: readonly Source[];
  readonly #link: (ir: Ir) => Linked;
  readonly #frame: Frame;
  readonly #read: (Read | undefined)[] = [];
  #known: boolean | undefined;
  #crowded: boolean | undefined;

  constructor(view: View, sources: readonly Source[], link: (ir: Ir) => Linked) {
    this.view = view;
    this.#sources = sources;
    this.#link = link;
    this.#frame = frameOf(view);
  }

  /** Reads the values at a source, once; undefined for facts of a call that is not known. */
  at(number: number): Read | undefined {
    const known = this.#read[number];
    if (known) return known;
    const source = this.#sources[number] as Source;
    if (source.lists.length > 0 && !this.#isKnown) return undefined;
    const made = new Read(source, this.#link);
    new SourceWalk([made]).run(this.#frame, () => {});
    this.#read[number] = made;
    return made;
  }

  /** True if lists of the call are longer than the steps were computed for. */
  get isCrowded(): boolean {
    this.#crowded ??= this.#isKnown && isCrowded(this.view.facts);
    return this.#crowded;
  }

  get #isKnown(): boolean {
    this.#known ??= this.view.facts.understanding !== "unknown";
    return this.#known;
  }
}

/** Values that were read at one source. */
class Read implements SourceLook {
  readonly source: Source;
  readonly lists: readonly Linked[];
  readonly #value: Linked | undefined;
  readonly #present: Linked | undefined;
  readonly #values: PlainValue[] = [];
  #isThere = false;
  /** True once a value could not be read plainly: then every key counts as found. */
  #isAll = false;

  constructor(source: Source, link: (ir: Ir) => Linked) {
    this.source = source;
    this.lists = source.lists.map(({ list }) => link(list));
    this.#value = source.value && link(source.value);
    this.#present = source.present && link(source.present);
  }

  look(frame: Frame): boolean {
    if (this.#value) {
      const there = this.#present?.(frame) ?? true;
      if (there !== true) return there === false;
      const value = this.#value(frame);
      if (!isPlain(value)) return false;
      this.#values.push(value);
    }
    this.#isThere = true;
    return true;
  }

  all(): void {
    this.#isAll = true;
  }

  /**
   * True if the source passes a key's test. In a text or boolean test a value of another kind counts as found, because it may be
   * an error.
   */
  holds(test: StoredNeeds["keys"][number][1], what: PlainValue | undefined): boolean {
    if (this.#isAll) return true;
    if (test === "some") return this.#isThere;
    if (test === "equals")
      return this.#values.some((value) => value === what || (typeof what === "boolean" && typeof value !== "boolean"));
    const literal = String(what);
    return this.#values.some(
      (value) => typeof value !== "string" || value.length > searchedText || hasText(value, literal),
    );
  }
}
