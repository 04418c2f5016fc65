import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Ir, reservedSlots, type Template } from "../engine/plan.ts";
import type { Expression } from "../rules/ast.ts";

/**
 * Texts may cite the groups of a `matches` as `match[n]` (language section 2). This module tells when they may, and which
 * rules have such texts; other rules pay nothing.
 */

/** True for a `matches`, as a test or as a call. */
export function isMatches(part: Expression): boolean {
  return (part.kind === "test" && part.operator === "matches") || (part.kind === "call" && part.name === "matches");
}

/** True if a text reads the slot of `match`. Only texts that may cite it are to be asked: elsewhere the slot is a macro's. */
export function citesMatch(text: Template | undefined): boolean {
  return (text ?? []).some((part) => typeof part !== "string" && readsMatch(part.expr));
}

/** True if IR reads the match. Plain IR contains only nodes and constants, so a walk over all fields finds every node. */
function readsMatch(ir: Ir): boolean {
  const open: unknown[] = [ir];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const node = next as Partial<Extract<Ir, { k: "slot" }>>;
    if (node.k === "slot" && node.slot === reservedSlots.match) return true;
    if ((next as Partial<Ir>).k !== "const") open.push(...Object.values(next));
  }
  return false;
}

/** Returns the finding about an unknown name, with special help if the name is `match`. */
export function explainMatch(found: Diagnostic, place: "text" | "condition"): Diagnostic {
  if (found.code !== "HW301" || found.message !== "unknown name `match`") return found;
  if (place === "condition")
    return { ...found, help: "conditions do not see groups; only texts such as `reason` may cite `match[1]`" };
  return {
    ...found,
    message: "no `matches` in the `when` of this rule, so there is no `match` to cite",
    help: "add a `matches` to `when`, or cite the value itself",
  };
}
