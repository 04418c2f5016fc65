import { Approximation } from "../../schema/approximation.ts";
import { type EffectBase, type EffectKind, type Effects, effectKinds } from "../../schema/facts.ts";
import { spend } from "../meter.ts";
import { asReached, happensIfReached, identityOf } from "./reached.ts";
import type { Sink } from "./sink.ts";

/** Kinds of effects that matter here also when they happen on another machine. */
const reaching: ReadonlySet<EffectKind> = new Set<EffectKind>(["runs", "network", "installs", "pushes"]);
const placed = true;
const reachable = true;
const written = true;

/** Identities of the effects that each sink lists, by kind: an effect that is listed already is not added again. */
const listed = new WeakMap<Sink, Map<EffectKind, { readonly identities: Set<string>; upTo: number }>>();

/**
 * Adds the certain effects of code that may run later, as possible effects. With `elsewhere` the code runs on another machine,
 * and only effects on other hosts count. More effects than can be listed exceed a bound.
 */
export function adoptLater(sink: Sink, effects: Effects, elsewhere: boolean): void {
  const into = sink.effects();
  for (const kind of effectKinds) {
    if (elsewhere && !reaching.has(kind)) continue;
    const list = into[kind] as unknown as EffectBase[];
    spend(1 + effects[kind].length);
    for (const one of effects[kind]) {
      if (!happensIfReached(one) || listedOf(sink, kind, list).has(identityOf(one))) continue;
      if (!sink.takeOne()) return sink.notRead("what is written may have more effects than can be listed");
      const possible = { ...asReached(one), certain: false, command: -1 };
      list.push(elsewhere ? possible : { ...possible, written });
    }
  }
}

/**
 * Adds the effects of a script that the call runs, as possible ones; unknown parts of it add nothing. Its places count for
 * waivers, as those in a branch do.
 */
export function adoptNow(sink: Sink, effects: Effects): void {
  const into = sink.effects();
  for (const kind of effectKinds) {
    const list = into[kind] as unknown as EffectBase[];
    spend(1 + effects[kind].length);
    for (const one of effects[kind]) {
      if (isPartly(one) || listedOf(sink, kind, list).has(identityOf(one)) || !sink.takeOne()) continue;
      const possible = { ...asReached(one), certain: false, command: -1 };
      list.push(happensIfReached(one) ? { ...possible, placed, reachable } : possible);
    }
  }
}

/** Returns the identities of the effects of a kind that are listed by now; each effect is looked at once. */
function listedOf(sink: Sink, kind: EffectKind, list: readonly EffectBase[]): ReadonlySet<string> {
  const kinds = listed.get(sink) ?? new Map<EffectKind, { readonly identities: Set<string>; upTo: number }>();
  listed.set(sink, kinds);
  const known = kinds.get(kind) ?? { identities: new Set(), upTo: 0 };
  kinds.set(kind, known);
  for (; known.upTo < list.length; known.upTo++) known.identities.add(identityOf(list[known.upTo] as EffectBase));
  return known.identities;
}

/** True for an effect with a text that is not known in full. */
function isPartly(effect: EffectBase): boolean {
  return Object.values(effect).some(isUnknown);
}

function isUnknown(value: unknown): boolean {
  if (value instanceof Approximation) return true;
  if (typeof value !== "object" || value === null) return false;
  return (
    ("partly" in value && value.partly !== undefined) ||
    Object.values(value).some((one) => one instanceof Approximation)
  );
}
