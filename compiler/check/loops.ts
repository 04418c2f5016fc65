import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { Checker, Scope, Typed } from "./context.ts";
import { at } from "./context.ts";

/** Helpers that macros and quantifiers share: a bound value, and the two rules about effects and commands. */

/** An expression with a value bound to a slot: a map over one element. */
export function bound(value: Ir, body: Ir, slot: number, span: Span): Ir {
  const list = at(span, { k: "list", items: [{ value }] });
  const loop = at(span, { k: "loop", loop: "map", list, slot, body });
  return at(span, { k: "index", of: loop, index: at(span, { k: "const", value: 0 }) });
}

/**
 * Returns the test that an event has effects or commands, for a quantifier that would hold without any; none for other lists, and
 * if it is already known. A call that runs no shell has no `shell.commands`.
 */
export function factGuard(over: Typed, scope: Scope): readonly Ir[] {
  if (over.ir.k !== "root" || !over.uncertain || (over.key !== undefined && scope.known.has(over.key))) return [];
  const [root, name] = over.ir.name.split(".");
  return root === undefined || name === undefined ? [] : [{ k: "has", of: { k: "root", name: root }, name }];
}

/** Macros and quantifiers that hold as soon as one element does, and those that do so under a negation. */
const existential: ReadonlySet<string> = new Set(["exists", "exists_one", "existsOne", "some"]);
const universalLike: ReadonlySet<string> = new Set(["all", "every", "none"]);

/**
 * Reports loops that hold as soon as one effect or command fits: in an allow they would let everything else of the call pass
 * (language section 3). These are `exists`, a negated `all`, the elements that `filter` keeps, and one element by its index.
 */
export function refuseExists(checker: Checker, over: Typed, loop: string, span: Span, scope: Scope): void {
  if (!over.uncertain || checker.polarity !== "allow") return;
  const fits = existential.has(loop) ? !scope.negated : universalLike.has(loop) ? scope.negated : loop !== "map";
  if (!fits) return;
  const what = scope.negated
    ? `a negated \`${loop}\``
    : loop === "index"
      ? "an index"
      : `\`${loop === "existsOne" ? "exists" : loop}\``;
  checker.report(
    "HW309",
    span,
    `${what} over effects or commands would allow everything else in the call as well`,
    "bind the element with `each`, and test that element",
  );
}
