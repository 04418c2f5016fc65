import { shownText, Unsure } from "../schema/approximation.ts";
import type { EffectKind, UnseenEffect } from "../schema/facts.ts";
import { type Graded, weaker } from "../schema/grades.ts";
import type { Value } from "../schema/ports.ts";
import type { Frame } from "./frame.ts";
import type { Ir } from "./plan.ts";

/** True for a list of effects to which unseen code may add. Where a test loosens, only certain effects count. */
export function seesUnseen(list: Ir): list is Extract<Ir, { k: "root" }> {
  return list.k === "root" && !list.certain && list.name.startsWith("effects.");
}

/** Returns the possible effects of unseen code of the kind in a list of effects; undefined for other lists, and where all was seen. */
export function unseenOf(list: Ir, { facts }: Frame): Value | undefined {
  if (!facts.unseen || !seesUnseen(list)) return undefined;
  return facts.unseen[list.name.slice("effects.".length) as EffectKind] as unknown as Value;
}

/** Caps a grade at open, because it is unknown whether such an effect happens. */
export function ofUnseen(held: Graded, effect: Value): Graded {
  return weaker(held, new Unsure("open", [causeOf(effect as unknown as UnseenEffect)]));
}

function causeOf({ of }: UnseenEffect): string {
  return shownText(of);
}
