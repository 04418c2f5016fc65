import { type EffectKind, effectKinds, type FactSet } from "../schema/facts.ts";
import { EvaluationError } from "../schema/ports.ts";
import { matchingElements, type View } from "./evaluate-rule.ts";
import type { LinkedRule } from "./link-plan.ts";

/** What one matching `allow` speaks for: the whole call, or some of its commands and effects. */
export interface Cover {
  readonly all: boolean;
  /** True where the rule says `opaque: true`; else it speaks for certain effects only. */
  readonly opaque: boolean;
  /** The elements of `each` that matched: commands and effects, by identity. */
  readonly elements: ReadonlySet<unknown>;
}

/** What a matching `allow` covers of a call; nothing of an opaque call, unless the rule says `opaque: true`. */
export function coverOf(linked: LinkedRule, view: View): Cover | EvaluationError | undefined {
  const opaque = linked.guards.some(({ plan }) => (plan.parameters as { opaque?: unknown } | null)?.opaque === true);
  if (view.facts.understanding === "unknown" || (view.facts.understanding === "opaque" && !opaque)) return undefined;
  if (!linked.rule.each) return { all: true, opaque, elements: new Set() };
  const elements = matchingElements(linked, view);
  return elements instanceof EvaluationError ? elements : { all: false, opaque, elements: new Set(elements) };
}

/**
 * True when every command and every effect of the call is covered (semantics section 3, step 5): allowing a command
 * covers the effects it causes, allowing an effect covers that one, and a command is covered when all its effects are.
 */
export function isCovered(covers: readonly Cover[], facts: FactSet): boolean {
  if (covers.length === 0) return false;
  if (covers.some((cover) => cover.all)) return true;
  const commands = facts.shell?.commands ?? [];
  const covered = (certain: boolean, ...parts: readonly unknown[]): boolean =>
    covers.some((cover) => (certain || cover.opaque) && parts.some((part) => cover.elements.has(part)));
  let effects = 0;
  for (const kind of effectKinds as readonly EffectKind[])
    for (const effect of facts.effects?.[kind] ?? []) {
      effects += 1;
      const command = commands[effect.command];
      if (!covered(effect.certain, effect, ...(command ? [command] : []))) return false;
    }
  // A command without an effect of its own does nothing, so that nothing of it is left to allow.
  return effects > 0 || commands.some((command) => covered(command.certain, command));
}
