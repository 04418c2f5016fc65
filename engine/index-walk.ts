import { limits } from "../schema/limits.ts";
import { EvaluationError, type Value } from "../schema/ports.ts";
import { refresh } from "./evaluate-rule.ts";
import { elementsOf } from "./evaluate-values.ts";
import type { Frame, Linked } from "./frame.ts";
import type { Found, SourceLook } from "./index-match.ts";
import { listsId } from "./index-sources.ts";

/** One list that is walked once, with all sources that are read in each of its elements. */
interface Level {
  readonly list: Linked;
  /** All slots from which the element is read. */
  readonly slots: number[];
  readonly matchers: SourceLook[];
  readonly inner: Level[];
}

/** Walk over sources that are read together: each list is walked once, however many sources are in its elements. */
export class SourceWalk {
  readonly #plain: readonly SourceLook[];
  readonly #levels: Level[] = [];

  constructor(matchers: Iterable<SourceLook>) {
    const plain: SourceLook[] = [];
    const known = new Map<string, Level>();
    for (const matcher of matchers) {
      const { lists } = matcher.source;
      let siblings = this.#levels;
      let level: Level | undefined;
      for (let depth = 0; depth < lists.length; depth++) {
        const { slot } = lists[depth] as (typeof lists)[number];
        const id = listsId(lists.slice(0, depth + 1));
        level = known.get(id);
        if (!level) {
          level = { list: matcher.lists[depth] as Linked, slots: [], matchers: [], inner: [] };
          known.set(id, level);
          siblings.push(level);
        }
        if (!level.slots.includes(slot)) level.slots.push(slot);
        siblings = level.inner;
      }
      (level?.matchers ?? plain).push(matcher);
    }
    this.#plain = plain;
  }

  /** Looks at one revision, in a fresh frame of it. */
  run(frame: Frame, found: Found): void {
    for (const matcher of this.#plain) look(matcher, frame, found);
    for (const level of this.#levels) walk(level, frame, found);
    refresh(frame);
  }
}

/** Reads a source; each read has all steps, as if it were the only one. */
function look(matcher: SourceLook, frame: Frame, found: Found): void {
  frame.steps = limits.steps;
  if (!matcher.look(frame, found)) matcher.all(found);
}

function walk(level: Level, frame: Frame, found: Found): void {
  const { matchers, inner } = level;
  frame.steps = limits.steps;
  const elements = elementsOf(level.list(frame));
  if (elements instanceof EvaluationError) {
    unread(level, found);
    return;
  }
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] as Value;
    bind(level, element, frame);
    for (let n = 0; n < matchers.length; n++) look(matchers[n] as SourceLook, frame, found);
    for (let n = 0; n < inner.length; n++) {
      // The walk of one inner list may have overwritten a slot that the next list is read from.
      if (n > 0) bind(level, element, frame);
      walk(inner[n] as Level, frame, found);
    }
  }
}

function bind({ slots }: Level, element: Value, frame: Frame): void {
  for (let n = 0; n < slots.length; n++) frame.slots[slots[n] as number] = element;
}

/** Counts everything at a level that cannot be read as found. */
function unread({ matchers, inner }: Level, found: Found): void {
  for (const matcher of matchers) matcher.all(found);
  for (const level of inner) unread(level, found);
}
