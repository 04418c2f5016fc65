import { unmetered } from "../facts/meter.ts";
import type { EventName } from "../schema/events.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { Narrow, Narrower } from "./index-rules.ts";
import type { LinkedItem, LinkedRule } from "./linked.ts";

/** Rules that may apply to one event and tool, in judging order; each list holds only rules of the kind that it is named for. */
export interface Candidates {
  readonly enforced: readonly LinkedRule[];
  /** Rules in monitor mode: they judge a shadow and change nothing. */
  readonly monitored: readonly LinkedRule[];
  /** Items of sequences that the event may be. */
  readonly items: readonly LinkedItem[];
  readonly transforms: readonly LinkedRule[];
  readonly programs: readonly LinkedRule[];
  /** The rules of the following lists have both modes. */
  readonly deliveries: readonly LinkedRule[];
  readonly marks: readonly LinkedRule[];
  /** Enforced rules with a budget. */
  readonly budgets: readonly LinkedRule[];
  /** Enforced guards that a revision can concern. */
  readonly guards: Narrow;
  /** The same for rules in monitor mode. */
  readonly watching: Narrow;
  /** The same for `marks`. */
  readonly marking: Narrow;
  /**
   * Of rules that are judged without an index, those that the index would select. Only their work counts, so that the meter ends
   * at the same point as with the index. Undefined means all of them.
   */
  readonly paying?: Paying | undefined;
}

/** The rules of each list whose work counts. */
export type Paying = Pick<Candidates, "guards" | "watching" | "marking">;

/** An item with the events that it may be. */
export interface PlacedItem {
  readonly events: readonly EventName[];
  readonly item: LinkedItem;
}

/** Candidates of an event; the same value for the same event name and tool. */
export type CandidatesOf = (event: JudgedEvent) => Candidates;

/** Tools of one event whose candidates are kept; names come from payloads, so that there is a bound. */
const keptTools = 256;

/**
 * The plan's index (semantics section 3, step 2): event, then tool, then what the action is, then what the rule needs of the
 * revision (`RuleIndex`, `NeedsOnce`). If the index leaves nothing out, every rule that names the event is a candidate; decisions
 * are the same, and tests compare both.
 */
export function indexCandidates(
  rules: readonly LinkedRule[],
  items: readonly PlacedItem[],
  index: Narrower | undefined,
  leavesOut: boolean,
): CandidatesOf {
  const all = (event: EventName): Candidates => unindexed(forEvent(rules, event), forEventItems(items, event));
  if (!index) return remembering(all);
  return remembering((event, tool) => {
    const given = indexed(
      forEvent(rules, event).filter((linked) => linked.matchesTool(tool)),
      forEventItems(items, event).filter((item) => item.matchesTool(tool)),
      index,
    );
    return leavesOut ? given : { ...all(event), paying: given };
  });
}

function remembering(make: (event: EventName, tool: string | undefined) => Candidates): CandidatesOf {
  const known = new Map<EventName, Map<string | undefined, Candidates>>();
  return ({ event, tool }) => {
    let byTool = known.get(event);
    if (!byTool) {
      byTool = new Map();
      known.set(event, byTool);
    }
    const name = tool?.name;
    const found = byTool.get(name);
    if (found) return found;
    const made = make(event, name);
    if (byTool.size >= keptTools) byTool.delete(byTool.keys().next().value);
    byTool.set(name, made);
    return made;
  };
}

function forEvent(rules: readonly LinkedRule[], event: EventName): readonly LinkedRule[] {
  return rules.filter(({ rule }) => rule.events.includes(event));
}

function forEventItems(items: readonly PlacedItem[], event: EventName): readonly LinkedItem[] {
  return items.filter(({ events }) => events.includes(event)).map(({ item }) => item);
}

function unindexed(rules: readonly LinkedRule[], items: readonly LinkedItem[]): Candidates {
  const enforced = rules.filter(({ rule }) => rule.mode === "enforce");
  const monitored = rules.filter(({ rule }) => rule.mode === "monitor");
  const all = [...enforced, ...monitored];
  const lists = { transforms: enforced, programs: enforced, budgets: enforced, deliveries: all, marks: all };
  return {
    enforced,
    monitored,
    items,
    ...lists,
    guards: () => enforced,
    watching: () => monitored,
    marking: () => all,
  };
}

function indexed(rules: readonly LinkedRule[], items: readonly LinkedItem[], index: Narrower): Candidates {
  const { enforced, monitored, deliveries, marks } = unindexed(rules, items);
  const guardsOf = (list: readonly LinkedRule[]): readonly LinkedRule[] =>
    list.filter((linked) => linked.guards.length > 0);
  const marked = marks.filter((linked) => linked.marks.length > 0);
  // Searching a revision for keys costs as much as the revision is long; no rule is charged for it.
  const [guards, watching, marking] = index.narrow([guardsOf(enforced), guardsOf(monitored), marked]).map(
    (narrow): Narrow =>
      (view) =>
        unmetered(narrow, view),
  ) as [Narrow, Narrow, Narrow];
  return {
    enforced,
    monitored,
    items,
    transforms: enforced.filter((linked) => linked.transforms.length > 0),
    programs: enforced.filter((linked) => linked.programs.length > 0),
    deliveries: deliveries.filter((linked) => linked.deliveries.length > 0),
    marks: marked,
    budgets: enforced.filter(({ rule }) => rule.budget),
    guards,
    watching,
    marking,
  };
}
