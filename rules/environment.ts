import type { EventName } from "../schema/events.ts";
import { canonicalTool } from "../schema/tools.ts";
import { match } from "./fact-types.ts";
import { rootsOf } from "./roots.ts";
import type { Type } from "./types.ts";

/** Slots of `each` (0) and of the first extra variable (1) are kept for them, as the plan has it; `match` has the next. */
const firstFreeSlot = 2;

const matchDoc = "Groups of the first `matches` that held: 0 is the whole match.";

/** A JSON value, as parameters and lists hold it. */
export type Constant = null | boolean | number | string | readonly Constant[] | { readonly [key: string]: Constant };

/** A name that a condition can use: a root of the event, or a bound variable. */
export interface Variable {
  readonly name: string;
  readonly type: Type;
  readonly doc: string;
  /** Slot of a bound variable; a root has none. */
  readonly slot?: number;
  /** Name of the argument whose element it is, if it is one. */
  readonly argument?: string;
  /** The constant texts that it goes through, where a macro binds it to them. */
  readonly texts?: readonly PlacedText[];
}

/** A constant text of a condition, and its place in the author's file. */
export interface PlacedText {
  readonly text: string;
  readonly span: { readonly start: number; readonly end: number };
}

/** A named condition as its users see it. `id` is its name in the plan, `policy/name`. */
export interface NamedCondition {
  readonly id: string;
  /** Uses shell or effects, itself or through others. */
  readonly needs: boolean;
}

/** Declarations of the policy, and variables bound at the place of the condition. */
export interface Declared {
  readonly parameters?: ReadonlyMap<string, { readonly type: Type; readonly value: Constant }>;
  readonly lists?: ReadonlyMap<string, readonly Constant[]>;
  /** Places of the items of the lists. */
  readonly listPlaces?: ReadonlyMap<string, readonly PlacedText["span"][]>;
  /** Tools of the author's own, which no table of ours has. */
  readonly tools?: ReadonlySet<string>;
  /** Package managers that a declaration of a program names. */
  readonly managers?: ReadonlySet<string>;
  readonly conditions?: ReadonlyMap<string, NamedCondition>;
  /** The variable of the rule's `each`; it has slot 0. */
  readonly each?: { readonly name: string; readonly type: Type };
  /** The place is a text that may cite what a `matches` of its rule found, as `match`. */
  readonly match?: boolean;
  /** Further variables of the place, e.g. `message` in a `where`; they have the slots from 1 on, in order. */
  readonly extra?: readonly { readonly name: string; readonly type: Type; readonly doc?: string }[];
}

/** Names that a condition can use (language section 4). */
export interface Environment {
  readonly events: readonly EventName[];
  readonly variables: ReadonlyMap<string, Variable>;
  /** Roots that some of the events lack, with the events that have them. */
  readonly elsewhere: ReadonlyMap<string, readonly EventName[]>;
  readonly parameters: NonNullable<Declared["parameters"]>;
  readonly lists: NonNullable<Declared["lists"]>;
  readonly listPlaces: NonNullable<Declared["listPlaces"]>;
  readonly tools: NonNullable<Declared["tools"]>;
  readonly managers: NonNullable<Declared["managers"]>;
  readonly conditions: NonNullable<Declared["conditions"]>;
  /** First slot that no variable of the place has; macros begin here. */
  readonly slots: number;
}

/**
 * The environment of a rule on `events` whose tool matcher is `tools` (empty for any). `args` has typed fields when
 * every tool is a canonical one by its exact name, and is dyn otherwise. Every variable has a `doc` for the reference.
 */
export function environmentOf(
  events: readonly EventName[],
  tools: readonly string[],
  declared: Declared = {},
): Environment {
  const variables = new Map<string, Variable>();
  const elsewhere = new Map<string, readonly EventName[]>();
  for (const { name, events: having, type, doc } of rootsOf(events, tools.map(canonicalTool))) {
    if (!having || events.every((event) => having.includes(event))) variables.set(name, { name, type, doc });
    else elsewhere.set(name, having);
  }
  const extra = declared.extra ?? [];
  const bind = (name: string, type: Type, doc: string, slot: number): void => {
    variables.set(name, { name, type, doc, slot });
    elsewhere.delete(name);
  };
  if (declared.each) bind(declared.each.name, declared.each.type, "The element that the rule judges.", 0);
  extra.forEach(({ name, type, doc }, i) => {
    bind(name, type, doc ?? "", 1 + i);
  });
  const cites = declared.match === true && declared.each?.name !== "match";
  if (cites) bind("match", match, matchDoc, firstFreeSlot);
  return {
    events,
    variables,
    elsewhere,
    parameters: declared.parameters ?? new Map(),
    lists: declared.lists ?? new Map(),
    listPlaces: declared.listPlaces ?? new Map(),
    tools: declared.tools ?? new Set(),
    managers: declared.managers ?? new Set(),
    conditions: declared.conditions ?? new Map(),
    slots: Math.max(firstFreeSlot, 1 + extra.length) + (cites ? 1 : 0),
  };
}
