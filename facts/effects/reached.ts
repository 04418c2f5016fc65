import type { EffectBase } from "../../schema/facts.ts";
import { spend } from "../meter.ts";

/** Names an effect apart from its cause. */
export function identityOf(effect: EffectBase): string {
  spend(8);
  return JSON.stringify({ ...asReached(effect), via: "", certain: false, command: -1, written: undefined });
}

/** Returns the effect as if its command were reached. */
export function asReached(effect: EffectBase): EffectBase {
  if (!effect.reachable) return effect;
  const { placed: _, reachable: __, ...rest } = effect;
  return { ...rest, certain: true };
}

/** True for an effect that happens unless a branch or a jump leaves it out. */
export function happensIfReached({ certain, reachable }: Pick<EffectBase, "certain" | "reachable">): boolean {
  return certain || reachable === true;
}
