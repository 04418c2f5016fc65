import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import { argumentFamilies, namesPath } from "../../rules/functions/argument.ts";
import { isDyn } from "../../rules/types.ts";
import type { Typed } from "./context.ts";
import { at } from "./context.ts";

/**
 * Arguments whose tool the rule leaves open: `args` has no types then, and whether `args.path` is a path is known only when
 * an event is there. What is asked of such an argument goes to code that looks at the event's tool (`argument.*`).
 */

/** Notes that a part of `args` was read by this name. A computed name is kept only where evaluating it again costs nothing. */
export function argumentNamed(base: Typed, name: string | Ir): { argument: Ir } | Record<never, never> {
  if (base.key !== "args") return {};
  if (typeof name === "string") return { argument: { k: "const", value: name } };
  const simple = name.k === "slot" || name.k === "const";
  return { argument: simple ? name : { k: "const", value: null } };
}

/** True for an argument that may be a path or a URL by its name. */
function mayName({ k, ...key }: Ir & { value?: unknown }): boolean {
  return k !== "const" || (typeof key.value === "string" && (key.value === "url" || namesPath(key.value)));
}

/** Returns the IR to read a field from: for an argument that may be a path or URL, a view of it with their fields. */
export function viewed({ ir, argument }: Typed, span: Span): Ir {
  if (!argument || !mayName(argument)) return ir;
  return at(span, { k: "call", fn: "argument.view", args: [ir, at(span, argument)] });
}

/** Returns the call of a family on a value that may be an argument; undefined where the plain call means the same. */
export function argumentCall(
  family: string,
  of: Typed,
  operand: Typed,
  span: Span,
): { readonly fn: string; readonly args: readonly Ir[] } | undefined {
  const asksPath = argumentFamilies.get(family);
  if (asksPath === undefined || !isDyn(of.type) || of.type.kind === "error") return undefined;
  const { argument } = of;
  if (!asksPath && !(argument && mayName(argument))) return undefined;
  const key: Ir = argument ?? { k: "const", value: null };
  return { fn: `argument.${family}`, args: [of.ir, operand.ir, at(span, key)] };
}
